"""What is asked: kanon.yml, flags and keyword arguments, with every check that needs no database."""

from kanon_sql.spec.hierarchy_files import hierarchy_file_for, is_parquet
from kanon_sql.spec.model import (
    HierarchyFile,
    KMapSpec,
    MaxSuppression,
    QuasiIdentifierSpec,
    SensitiveSpec,
    Spec,
    SuppressionPer,
    TableName,
)
from kanon_sql.spec.resolve import read_vector, resolve_spec
from kanon_sql.spec.text import split_names
from kanon_sql.spec.words import K_MAP_WORDS, QI_WORDS, SENSITIVE_WORDS, TOP_WORDS, Word, model_column_words

__all__ = [
    "K_MAP_WORDS",
    "QI_WORDS",
    "SENSITIVE_WORDS",
    "TOP_WORDS",
    "HierarchyFile",
    "KMapSpec",
    "MaxSuppression",
    "QuasiIdentifierSpec",
    "SensitiveSpec",
    "Spec",
    "SuppressionPer",
    "TableName",
    "Word",
    "hierarchy_file_for",
    "is_parquet",
    "model_column_words",
    "read_vector",
    "resolve_spec",
    "split_names",
]
