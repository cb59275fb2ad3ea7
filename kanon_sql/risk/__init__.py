"""Numbers about a table as it stands."""

from kanon_sql.risk.class_sizes import ClassSizes

__all__ = ["ClassSizes"]
