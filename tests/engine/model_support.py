"""Database files of cases with sensitive columns and populations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb

from tests.engine.support import Built, build, quoted
from tests.oracle.model_strategies import ModelCase


def build_models(drawn: ModelCase, folder: Path) -> Built:
    """Write a case's table with its sensitive columns, its population, and all hierarchy files."""
    case = drawn.case
    built = build(case, folder)
    drawn.write_files(folder)
    with duckdb.connect(str(built.path)) as connection:
        for column in drawn.columns:
            name = quoted(column.name)
            connection.execute(f"ALTER TABLE patients ADD COLUMN {name} {column.sql_type}")
            for i, value in enumerate(column.values):
                connection.execute(
                    f"UPDATE patients SET {name} = ? WHERE {quoted(built.payload)} = ?", [value, f"p{i}"]
                )
        if drawn.population is not None:
            declared = ", ".join(
                f"{quoted(name)} {kind}" for name, kind in zip(case.columns, case.types, strict=True)
            )
            connection.execute(f"CREATE TABLE population ({declared})")
            places = ", ".join("?" * len(case.columns))
            for row in drawn.population:
                connection.execute(f"INSERT INTO population VALUES ({places})", list(row))
    words = {**built.words, "table": "patients", "sensitive": drawn.spec(folder)}
    if drawn.k_map is not None:
        words["k_map"] = {"k": drawn.k_map, "population": "population"}
    return replace(built, words=words)
