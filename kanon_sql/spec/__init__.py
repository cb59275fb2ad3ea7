"""What is asked: kanon.yml, flags and keyword arguments, with every check that needs no database."""

from kanon_sql.spec.hierarchy_files import hierarchy_file_for, is_parquet
from kanon_sql.spec.model import MaxSuppression, QuasiIdentifierSpec, Spec, TableName
from kanon_sql.spec.resolve import resolve_spec
from kanon_sql.spec.text import split_names
from kanon_sql.spec.words import MODEL_WORDS, QI_WORDS, TOP_WORDS, Word

__all__ = [
    "MODEL_WORDS",
    "QI_WORDS",
    "TOP_WORDS",
    "MaxSuppression",
    "QuasiIdentifierSpec",
    "Spec",
    "TableName",
    "Word",
    "hierarchy_file_for",
    "is_parquet",
    "resolve_spec",
    "split_names",
]
