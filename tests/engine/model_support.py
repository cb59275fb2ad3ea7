"""Database files of cases with sensitive columns and populations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from tests.engine.support import Built, build, fill
from tests.oracle.model import Value
from tests.oracle.model_strategies import ModelCase


def build_models(
    drawn: ModelCase, folder: Path, more: Sequence[tuple[str, str, Sequence[Value]]] = ()
) -> Built:
    """Write a case's table with its sensitive columns, its population, and all hierarchy files. ``more`` are further
    columns of the table (name, type, values)."""
    case, population = drawn.case, drawn.population

    def beside(connection: duckdb.DuckDBPyConnection) -> None:
        if population is not None:
            fill(connection, "population", list(zip(case.columns, case.types, strict=True)), population)

    columns = [(column.name, column.sql_type, column.values) for column in drawn.columns]
    built = build(case, folder, more=[*columns, *more], beside=beside)
    drawn.write_files(folder)
    words = {**built.words, "table": "patients", "sensitive": drawn.spec(folder)}
    if drawn.k_map is not None:
        words["k_map"] = {"k": drawn.k_map, "population": "population"}
    return replace(built, words=words)
