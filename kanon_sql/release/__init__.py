"""The release: materialized, verified before it is committed, and accounted for in a manifest."""

from kanon_sql.release.manifest import build_manifest, write_manifest
from kanon_sql.release.materialize import Released, materialize

__all__ = ["Released", "build_manifest", "materialize", "write_manifest"]
