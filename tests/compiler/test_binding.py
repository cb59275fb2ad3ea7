"""Every statement of models and measures binds in DuckDB: over empty tables, as it is and laid out for reading.

The types of the columns are those that the cases say; where names are hostile, everything is text.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from kanon_sql.sqltext import quote, quote_path
from tests.compiler.builders import HOSTILE_NAMES, HOSTILE_TABLE, OUTPUT
from tests.compiler.cases import Case
from tests.compiler.measure_cases import MEASURE_CASES
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
    "country": "VARCHAR",
    "weight": "DOUBLE",
}
_ENTRIES: Columns = {
    **{f"key_{i}": "BIGINT" for i in range(2)},
    **{f"value_{i}": "BIGINT" for i in range(3)},
    "person": "VARCHAR",
    "n": "BIGINT",
}

_OF_LABELS = ("level", "height", "leaves", "all_leaves", "source_rows", "all_rows")
_LABELS: Columns = dict.fromkeys(
    ("qi", "level", "code_0", "code_1", "row_count", "loss", "null_loss", "placed_loss", "most"), "BIGINT"
)


def _levels(ground: str, height: int) -> Columns:
    return {"ground": ground, "level_0": ground, **{f"level_{i}": "VARCHAR" for i in range(1, height + 1)}}


def _tables() -> Iterator[tuple[tuple[str, ...], Columns]]:
    for name in ("patients", "census", "everybody"):
        yield ("warehouse", "main", name), _PATIENT
    yield OUTPUT, {**_PATIENT, "age": "VARCHAR"}
    for name, ground, height in (
        ("age", "INTEGER", 3), ("zip", "VARCHAR", 2), ("country", "VARCHAR", 0), ("seen", "TIMESTAMPTZ", 1),
    ):  # fmt: skip
        yield (f"kanon_map_{name}",), _levels(ground, height)
        yield ("warehouse", "main", f"kanon_map_{name}"), _levels(ground, height)
        yield (f"kanon_codes_{name}",), {"ground": ground, "code_0": "BIGINT", "code_1": "BIGINT"}
    yield ("warehouse", "main", "age_levels"), {"age": "INTEGER"}
    for home in ((), ("warehouse", "main")):
        yield (*home, "kanon_nodes_0_diagnosis"), _levels("VARCHAR", 2)
    for name in ("diagnosis", "severity", "born"):
        yield (f"kanon_values_{name}",), {"ground": _PATIENT[name], **_OF_VALUES}
    for name in ("kanon_frequency", "kanon_population", 'fre"quency', 'popu"lation', 'st"rays'):
        yield (name,), _ENTRIES
    for name in ("kanon_strays_0", "kanon_strays_1"):
        yield (name,), _ENTRIES
    for name in ("kanon_labels_0", "kanon_labels_1", 'la"bels'):
        yield (name,), _LABELS
    # What a label loss is asked of.
    yield ("labels",), dict.fromkeys(_OF_LABELS, "BIGINT")
    yield ("originals",), {"n": "BIGINT"}
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


# A predicate alone has no tables, and a file is not there.
BINDING = [
    name
    for name in (*MODEL_CASES, *MEASURE_CASES)
    if name not in PREDICATES and not name.endswith("/file") and name != "check/odd_values/number"
]


@pytest.mark.parametrize("name", BINDING)
def test_it_binds(name: str, database: duckdb.DuckDBPyConnection) -> None:
    statement = Case(name).statement()
    bound: dict[str, object] = {
        "ids": [],
        "mask_0": [],
        "mask_1": [],
        "at": [],
        "qis": [],
        "levels": [],
        "part_0": [],
        "part_1": [],
        "shuffle_key": "",
        **statement.parameters,
    }
    # A COPY is not laid out, and the two are one.
    for sql in dict.fromkeys((statement.sql, Case(name).laid_out().sql)):
        database.execute(
            f"EXPLAIN {sql}", {name: value for name, value in bound.items() if f"${name}" in sql}
        )
