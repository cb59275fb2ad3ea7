"""The tables of the benchmarks, generated in SQL from a seed, each in a database file beside its hierarchies.

A draw is the hash of (seed, row, which draw of that row): the same in every run of one DuckDB version, whatever
the number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEED = 1
ADULT = (
    *("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"),
    "salary-class",
)
WIDE = {"birth_year": 90, "zip": 40_000, "sex": 2, "race": 5, "marital_status": 4}


@dataclass(frozen=True)
class Table:
    """A table in a database file, and its quasi-identifiers with their hierarchies, as kanon.yml has them."""

    path: Path
    name: str
    quasi_identifiers: Mapping[str, Mapping[str, object]]

    @property
    def words(self) -> dict[str, Any]:
        """The words that every run over the table is given."""
        return {
            "database": self.path,
            "table": self.name,
            "quasi_identifiers": dict(self.quasi_identifiers),
        }


def connect(path: Path) -> Any:
    """A connection to a database file, which is made where there is none."""
    import duckdb  # here and not above: see measuring.py

    return duckdb.connect(str(path))


def draw(number: int, row: str = "range", seed: int = SEED) -> str:
    """One draw of a row: up to 64 a row, each independent of the others."""
    # A hash of several values is no use: DuckDB combines them so that their last digits depend on each other.
    return f"hash({row} * 64 + {(seed << 48) + number})"


def warehouse(folder: Path, rows: int, persons: bool = False, copies: int = 1) -> Table:
    """A warehouse of nearly unique rows: 5 quasi-identifiers with 648 vectors, and a diagnosis of 200 values.

    Args:
        folder: where its files go.
        rows: how many rows are drawn.
        persons: whether there is a column ``person``, of three rows each.
        copies: how often each row is there.
    """
    path = folder / "warehouse.duckdb"
    # Three rows of one person stand far apart.
    person = f", range % {max(rows // 3, 1)} AS person" if persons else ""
    levels = {
        "birth_date": "strftime(v, '%Y-%m'), year(v)::VARCHAR, (year(v) // 5 * 5)::VARCHAR || '+4', "
        "(year(v) // 10)::VARCHAR || '0s', '*'",
        "zip": "v[:4] || '*', v[:3] || '**', v[:2] || '***', v[:1] || '****', '*'",
        "sex": "'*'",
        "race": "CASE WHEN v < 'r2' THEN 'a' ELSE 'b' END, '*'",
        "marital_status": "CASE WHEN v < 's2' THEN 'a' ELSE 'b' END, '*'",
    }
    with connect(path) as connection:
        connection.execute(
            f"""
            CREATE TABLE people AS SELECT
              DATE '1925-01-01' + ({draw(1)} % 32000)::INTEGER AS birth_date,
              ({draw(2)} % 40000 + 10000)::VARCHAR AS zip,
              CASE WHEN {draw(3)} % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
              'r' || ({draw(4)} % 5)::VARCHAR AS race,
              's' || ({draw(5)} % 4)::VARCHAR AS marital_status,
              'd' || ({draw(6)} % 200)::VARCHAR AS diagnosis
              {person}
            FROM range({rows}), range({copies}) AS copy(number)
            """
        )
        files = {}
        for name, above in levels.items():
            files[name] = folder / f"{name}.csv"
            values = f"(SELECT DISTINCT {name} AS v FROM people)"
            connection.execute(f"COPY (SELECT v, {above} FROM {values}) TO '{files[name]}' (HEADER false)")
    return Table(path, "people", {name: {"hierarchy": file} for name, file in files.items()})


def adult(folder: Path, data: Path, without: str = "") -> Table:
    """Adult as it is, with 9 quasi-identifiers, or with 8."""
    path = folder / "adult.duckdb"
    with connect(path) as connection:
        source = f"read_csv('{data / 'adult.csv'}', delim = ';', header = true)"
        connection.execute(f"CREATE TABLE adult AS FROM {source}")
    return Table(
        path,
        "adult",
        {
            name: {
                "hierarchy": data / f"adult_hierarchy_{name}.csv",
                "delimiter": ";",
                "header": False,
            }
            for name in ADULT
            if name != without
        },
    )


def adult_resampled(folder: Path, data: Path, rows: int) -> Table:
    """Rows of Adult, each cell of them redrawn from its column's values with probability 0.1."""
    table = adult(folder, data)
    # A cell is that of the same column in some row of Adult: its own row, or any.
    donors = ", ".join(
        f"CASE WHEN {draw(2 * i + 1)} % 10 = 0 THEN {draw(2 * i + 2)} % total ELSE base END AS donor_{i}"
        for i in range(len(ADULT))
    )
    cells = ", ".join(f'a{i}."{name}"' for i, name in enumerate(ADULT))
    joins = " ".join(f"JOIN numbered AS a{i} ON a{i}.number = donor_{i}" for i in range(len(ADULT)))
    with connect(table.path) as connection:
        connection.execute(
            f"""
            CREATE TABLE resampled AS
            WITH
              numbered AS (SELECT rowid AS number, * FROM adult),
              total AS (SELECT count(*) AS total FROM adult),
              drawn AS (SELECT range, total, {draw(0)} % total AS base FROM range({rows}), total),
              cells AS (SELECT {donors} FROM drawn)
            SELECT {cells} FROM cells {joins}
            """
        )
    return Table(table.path, "resampled", table.quasi_identifiers)


def correlated(folder: Path, rows: int, columns: int) -> Table:
    """Many quasi-identifiers of 27 values and 4 levels each, that depend on each other.

    Each row is of one of 30 kinds; with probability 0.7 a cell has the value that belongs to the kind, else any.
    Small values are common and large ones rare, as in most columns about people: the cube of a uniform draw.
    """
    path = folder / "correlated.duckdb"

    def value(drawn: str) -> str:
        return f"(27 * pow({drawn} % 1000 / 1000, 3))"

    cells = ", ".join(
        f"CASE WHEN {draw(2 * i + 1)} % 10 < 7 THEN {value(draw(i, 'kind', SEED + 1))} "
        f"ELSE {value(draw(2 * i + 2))} END::INTEGER % 27 AS q{i}"
        for i in range(columns)
    )
    file = folder / "levels.csv"
    with connect(path) as connection:
        connection.execute(
            f"CREATE TABLE t AS SELECT {cells} "
            f"FROM (SELECT range, ({draw(0)} % 30)::BIGINT AS kind FROM range({rows}))"
        )
        connection.execute(
            "COPY (SELECT range, 'a' || (range // 3), 'b' || (range // 9), '*' FROM range(27)) "
            f"TO '{file}' (HEADER false)"
        )
    return Table(path, "t", {f"q{i}": {"hierarchy": file} for i in range(columns)})


def wide(folder: Path, rows: int, columns: int) -> Table:
    """Five quasi-identifiers among many columns that nobody asks for; groups of ten, of a hundred and so on."""
    path = folder / "wide.duckdb"
    wanted = [f"({draw(i)} % {values})::INTEGER AS {name}" for i, (name, values) in enumerate(WIDE.items())]
    others = [f"(range * {i + 3} % 251)::UTINYINT AS other_{i}" for i in range(columns - len(wanted))]
    files = {name: folder / f"{name}.csv" for name in WIDE}
    with connect(path) as connection:
        connection.execute(f"CREATE TABLE wide AS SELECT {', '.join(wanted + others)} FROM range({rows})")
        for name, values in WIDE.items():
            levels = "".join(
                f", (range // {10**level})::VARCHAR || '{'x' * level}'"
                for level in range(1, len(str(values)))
            )
            connection.execute(
                f"COPY (SELECT range{levels}, '*' FROM range({values})) TO '{files[name]}' (HEADER false)"
            )
    return Table(path, "wide", {name: {"hierarchy": file} for name, file in files.items()})
