"""kanon-sql: k-anonymity inside the database that holds the table.

The public surface: :func:`anonymize`, :func:`minimal_vectors`, :func:`compare`, :func:`check`, :func:`compile`,
:func:`validate_hierarchy`, the
:class:`Result` and the reports they give, and the errors of :mod:`kanon_sql.errors`. Nothing heavy is imported
before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kanon_sql._version import __version__
from kanon_sql.errors import (
    DatabaseError,
    DataError,
    HierarchyError,
    KanonError,
    NoSolutionError,
    SpecError,
    VerificationError,
)

if TYPE_CHECKING:
    from kanon_sql.api import (
        CheckResult,
        Comparison,
        HierarchyReport,
        Result,
        anonymize,
        check,
        compare,
        compile,
        minimal_vectors,
        validate_hierarchy,
    )

__all__ = [
    "CheckResult",
    "Comparison",
    "DataError",
    "DatabaseError",
    "HierarchyError",
    "HierarchyReport",
    "KanonError",
    "NoSolutionError",
    "Result",
    "SpecError",
    "VerificationError",
    "__version__",
    "anonymize",
    "check",
    "compare",
    "compile",
    "minimal_vectors",
    "validate_hierarchy",
]

_FROM_API = {
    "CheckResult",
    "Comparison",
    "HierarchyReport",
    "Result",
    "anonymize",
    "check",
    "compare",
    "compile",
    "minimal_vectors",
    "validate_hierarchy",
}


def __getattr__(name: str) -> Any:
    if name in _FROM_API:
        from kanon_sql import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
