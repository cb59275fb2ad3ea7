"""The release: written, verified before it stands, and accounted for in a manifest."""

from kanon_sql.release.manifest import build_manifest, write_manifest
from kanon_sql.release.materialize import Promise, Released, materialize
from kanon_sql.release.target import FileTarget, TableTarget, Target, ViewTarget, fresh_shuffle_key

__all__ = [
    "FileTarget",
    "Promise",
    "Released",
    "TableTarget",
    "Target",
    "ViewTarget",
    "build_manifest",
    "fresh_shuffle_key",
    "materialize",
    "write_manifest",
]
