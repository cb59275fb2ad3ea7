"""spec × vector × models → SQL statements, through the templates in ``sql/``. Pure: no connection.

:mod:`~kanon_sql.compiler.render` knows the templates, :mod:`~kanon_sql.compiler.model` the plain data that
they are filled with, :mod:`~kanon_sql.compiler.questions` the questions that the engine is asked.
"""

from kanon_sql.compiler.model import (
    AnyHierarchy,
    FileScan,
    GeneralizedColumn,
    Question,
    Relation,
    ReleaseColumn,
    SensitiveColumn,
    ShareColumn,
    Source,
    Statement,
    TableHierarchy,
)
from kanon_sql.compiler.render import render, statement

__all__ = [
    "AnyHierarchy",
    "FileScan",
    "GeneralizedColumn",
    "Question",
    "Relation",
    "ReleaseColumn",
    "SensitiveColumn",
    "ShareColumn",
    "Source",
    "Statement",
    "TableHierarchy",
    "render",
    "statement",
]
