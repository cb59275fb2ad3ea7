"""A small made-up clinic for the command line's tests, ways to run the command, and brute-force counts."""

from __future__ import annotations

import csv
import itertools
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
from typer.testing import CliRunner, Result

from kanon_sql.cli.app import app
from tests.forked import forked
from tests.reading import reading

ROOT = Path(__file__).parents[2]
ROWS = 300
QIS = ("age", "zip", "sex")
HEIGHTS = (3, 3, 1)
# Two people whom no release can keep unless age, zip and sex say nothing; their values occur nowhere else.
STRANGE_AGES = (913, 927)
STRANGE_ZIPS = ("99713", "99727")
STRANGE_NAMES = ("Ysolde Quux", "Zebedee Quux")
RUN = ("run", "--db", "warehouse.duckdb", "--table", "patients")
Row = tuple[Any, ...]


def make(folder: Path) -> None:
    """Write ``warehouse.duckdb`` and ``hierarchies/`` into a folder."""
    with duckdb.connect(str(folder / "warehouse.duckdb")) as connection:
        connection.execute(
            "CREATE TABLE patients (patient_id INTEGER, name VARCHAR, age INTEGER, zip VARCHAR, sex VARCHAR,"
            " diagnosis VARCHAR, ward VARCHAR)"
        )
        connection.executemany("INSERT INTO patients VALUES (?, ?, ?, ?, ?, ?, ?)", _people())
        connection.execute("CREATE SCHEMA clinic")
        connection.execute("CREATE TABLE clinic.wards AS SELECT DISTINCT ward FROM patients ORDER BY ward")
        connection.execute("CREATE TABLE nobody AS FROM patients LIMIT 0")
        connection.execute("CREATE VIEW everyone AS FROM patients")
    hierarchies = folder / "hierarchies"
    hierarchies.mkdir()
    (hierarchies / "age.csv").write_text(
        "age,five_years,twenty_years,any_age\n"
        + "".join(
            f"{age},{age // 5 * 5}-{age // 5 * 5 + 4},{age // 20 * 20}-{age // 20 * 20 + 19},*\n"
            for age in (*range(20, 80), *STRANGE_AGES)
        )
    )
    (hierarchies / "zip.csv").write_text(
        "zip,four_digits,three_digits,any_zip\n"
        + "".join(f"{zip_},{zip_[:4]}*,{zip_[:3]}**,*\n" for zip_ in (*_zips(), *STRANGE_ZIPS))
    )
    (hierarchies / "sex.csv").write_text("f;*\nm;*\n")


def _zips() -> list[str]:
    return [f"02{block}{digit}" for block in (13, 14, 15) for digit in range(4)]


def _people() -> list[Row]:
    # random's integers from a seeded generator are the same on every version of Python.
    draw = random.Random(20010613)
    people: list[Row] = []
    for i in range(ROWS - 2):
        # Three patients of four came once, so that persons and rows are two things.
        patient = i if i % 4 else max(i - 1, 0)
        sex = None if i % 97 == 5 else draw.choice("fm")
        people.append(
            (
                patient,
                f"Patient No{i:04}x",
                20 + draw.randrange(30) + draw.randrange(30),
                draw.choice(_zips()),
                sex,
                draw.choice(("asthma", "flu", "ulcer", None)),
                draw.choice(("A", "B")),
            )
        )
    for i in range(2):
        people.append((9000 + i, STRANGE_NAMES[i], STRANGE_AGES[i], STRANGE_ZIPS[i], "f", "gout", "A"))
    return people


# -- running -------------------------------------------------------------------------------------------


def run(*args: str, env: dict[str, str | None] | None = None) -> Result:
    """The command in this process."""
    quiet: dict[str, str | None] = {"FORCE_COLOR": None, "TTY_COMPATIBLE": None, "NO_COLOR": None}
    return CliRunner(env={**quiet, **(env or {})}).invoke(app, list(args), prog_name="kanon-sql")


def environment(**more: str) -> dict[str, str]:
    """An environment in which ``python -m kanon_sql`` is this checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    path = os.pathsep.join(each for each in (str(ROOT), os.environ.get("PYTHONPATH")) if each)
    return {**kept, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **more}


def spawn(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, forked from one that has imported it."""
    return forked(*args, cwd=cwd, env=environment(**env))


def spawn_anew(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in a process that Python starts anew."""
    return subprocess.run(
        [sys.executable, "-m", "kanon_sql", *args],
        cwd=cwd,
        env=environment(**env),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


def query(sql: str, database: str | Path = "warehouse.duckdb", parameters: Any = None) -> list[Row]:
    """Rows of a query on the warehouse."""
    with reading(database) as connection:
        return connection.execute(sql, parameters).fetchall()


def change(*statements: str, database: str | Path = "warehouse.duckdb") -> None:
    """Statements that change the warehouse."""
    with duckdb.connect(str(database)) as connection:
        for statement in statements:
            connection.execute(statement)


def tables(database: str | Path = "warehouse.duckdb") -> dict[str, int]:
    """Every table and view of the database, by ``schema.name``, with its number of rows."""
    with reading(database) as connection:
        names = connection.execute(
            "SELECT table_schema, table_name FROM information_schema.tables ORDER BY ALL"
        ).fetchall()
        quoted = {name: ".".join('"' + part.replace('"', '""') + '"' for part in name) for name in names}
        return {
            ".".join(name): connection.execute(f"SELECT COUNT(*) FROM {sql}").fetchall()[0][0]
            for name, sql in quoted.items()
        }


# -- counting by brute force ------------------------------------------------------------------------------


def paths(column: str) -> dict[str | None, list[str | None]]:
    """The levels of every ground value of a column, read with Python's own csv module."""
    text = Path(f"hierarchies/{column}.csv").read_text()
    header = not text.startswith("f;")
    lines = list(csv.reader(text.splitlines(), delimiter="," if header else ";"))[header:]
    found: dict[str | None, list[str | None]] = {line[0]: list(line) for line in lines}
    found[None] = [None] * (len(lines[0]) - 1) + ["*"]
    return found


def generalized(vector: Sequence[int], extra: Iterable[str] = (), where: str = "TRUE") -> list[Row]:
    """Every row's generalized quasi-identifiers at a vector, then the extra columns."""
    columns = ", ".join([*(f"CAST({name} AS VARCHAR)" for name in QIS), *extra])
    maps = [paths(name) for name in QIS]
    return [
        (*(maps[i][row[i]][level] for i, level in enumerate(vector)), *row[len(QIS) :])
        for row in query(f"SELECT {columns} FROM patients WHERE {where}")
    ]


def outliers(vector: Sequence[int], k: int, where: str = "TRUE") -> int:
    """How many rows are in classes below k."""
    return sum(n for n in Counter(generalized(vector, where=where)).values() if n < k)


def released(vector: Sequence[int], k: int, extra: Sequence[str] = ()) -> Counter[Row]:
    """The multiset of rows that a release at a vector holds."""
    rows = generalized(vector, extra)
    sizes = Counter(row[: len(QIS)] for row in rows)
    return Counter(row for row in rows if sizes[row[: len(QIS)]] >= k)


def least(k: int, max_suppressed: int, where: str = "TRUE") -> tuple[int, ...]:
    """The vector of DESIGN 5.11: least height, then relative distance, then order."""
    every = itertools.product(*(range(height + 1) for height in HEIGHTS))
    # The heights are 3, 3 and 1: relative distances in thirds are whole numbers.
    order = sorted(every, key=lambda v: (sum(v), v[0] + v[1] + 3 * v[2], v))
    return next(v for v in order if outliers(v, k, where) <= max_suppressed)
