"""Every statement of models binds in DuckDB: over empty tables, as it is and laid out for reading.

The types of the columns are those that the cases say; where names are hostile, everything is text.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from kanon_sql.sqltext import quote, quote_path
from tests.compiler.builders import HOSTILE_NAMES, HOSTILE_TABLE
from tests.compiler.cases import Case
from tests.compiler.model_cases import HOSTILE_SENSITIVE, MODEL_CASES, PREDICATES

Columns = dict[str, str]

_OF_VALUES: Columns = {"value": "BIGINT", "n": "BIGINT", "mass": "BIGINT", "total": "BIGINT"}
_PATIENT: Columns = {
    "age": "INTEGER",
    "zip": "VARCHAR",
    "diagnosis": "VARCHAR",
    "severity": "VARCHAR",
    "born": "DATE",
    "income": "INTEGER",
    "seen": "TIMESTAMPTZ",
    "patient_id": "VARCHAR",
    "admitted": "DATE",
    "ward": "VARCHAR",
}
_ENTRIES: Columns = {
    **{f"key_{i}": "BIGINT" for i in range(2)},
    **{f"value_{i}": "BIGINT" for i in range(3)},
    "person": "VARCHAR",
    "n": "BIGINT",
}


def _levels(ground: str, height: int) -> Columns:
    return {"level_0": ground, **{f"level_{i}": "VARCHAR" for i in range(1, height + 1)}}


def _tables() -> Iterator[tuple[tuple[str, ...], Columns]]:
    for name in ("patients", "census", "everybody", "released"):
        yield ("warehouse", "main", name), _PATIENT
    for name, ground, height in (("age", "INTEGER", 3), ("zip", "VARCHAR", 2)):
        yield (f"kanon_map_{name}",), _levels(ground, height)
        yield ("warehouse", "main", f"kanon_map_{name}"), _levels(ground, height)
        yield (f"kanon_codes_{name}",), {"ground": ground, "code_0": "BIGINT", "code_1": "BIGINT"}
    for home in ((), ("warehouse", "main")):
        yield (*home, "kanon_nodes_0_diagnosis"), _levels("VARCHAR", 2)
    for name in ("diagnosis", "severity", "born"):
        yield (f"kanon_values_{name}",), {"ground": _PATIENT[name], **_OF_VALUES}
    for name in ("kanon_frequency", "kanon_population", 'fre"quency', 'popu"lation'):
        yield (name,), _ENTRIES
    hostile = (*HOSTILE_NAMES, *(each.column for each in HOSTILE_SENSITIVE), 'per"son')
    yield HOSTILE_TABLE, dict.fromkeys(hostile, "VARCHAR")
    for name in HOSTILE_NAMES:
        yield (f"kanon_map_{name}",), _levels("VARCHAR", 2)
        yield (f"kanon_codes_{name}",), {"ground": "VARCHAR", "code_0": "BIGINT"}
    for each in HOSTILE_SENSITIVE:
        yield (each.dictionary,), {"ground": "VARCHAR", **_OF_VALUES}
    yield ('tax"; --',), _levels("VARCHAR", 1)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for catalog in ("warehouse", HOSTILE_TABLE[0]):
            connection.execute(f"ATTACH ':memory:' AS {quote(catalog)}")
        connection.execute(f"CREATE SCHEMA {quote_path(HOSTILE_TABLE[:2])}")
        for path, columns in _tables():
            listed = ", ".join(f"{quote(name)} {sql_type}" for name, sql_type in columns.items())
            connection.execute(f"CREATE TABLE {quote_path(path)} ({listed})")
        yield connection


# A predicate alone has no tables, a file is not there, and a statement that is given no parameters lacks them.
BINDING = [
    name
    for name in MODEL_CASES
    if name not in PREDICATES and not name.endswith("/file") and name != "check/odd_values/number"
]


@pytest.mark.parametrize("name", BINDING)
def test_it_binds(name: str, database: duckdb.DuckDBPyConnection) -> None:
    statement = Case(name).statement()
    for sql in (statement.sql, statement.pretty().sql if not sql_copies(statement.sql) else statement.sql):
        database.execute(f"EXPLAIN {sql}", _parameters(sql, dict(statement.parameters)))


def sql_copies(sql: str) -> bool:
    """Whether it is a COPY, which sqlglot does not lay out."""
    return sql.startswith("COPY")


def _parameters(sql: str, bound: dict[str, object]) -> dict[str, object]:
    masks = {name: [] for name in ("ids", "mask_0", "mask_1") if f"${name}" in sql}
    return {**masks, **({"shuffle_key": ""} if "$shuffle_key" in sql else {}), **bound}
