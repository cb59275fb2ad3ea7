"""One small table of people in every shape that a run takes, and the answer that all of them must give."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

import kanon_sql
from tests.forked import forked

ROOT = Path(kanon_sql.__file__).parents[1]
QIS = ("age", "zip", "sex")
KEPT = ("diagnosis", "admitted", "weight")
# zip has leading zeros and NULLs; diagnosis has NULL, the empty string, quotes, commas and line breaks.
PEOPLE = """
    SELECT
      CAST(i AS BIGINT) AS id,
      CAST(20 + i * 7919 % 40 AS BIGINT) AS age,
      CASE WHEN i % 31 > 0 THEN '0' || CAST(2130 + i * i % 9 AS VARCHAR) END AS zip,
      CASE WHEN i % 3 = 0 THEN 'f' ELSE 'm' END AS sex,
      [NULL, '', 'a "b", c', 'flu', E'two\\nlines', 'größe'][1 + i % 6] AS diagnosis,
      DATE '2024-01-01' + CAST(i % 50 AS INTEGER) AS admitted,
      CASE WHEN i % 7 > 0 THEN CAST(i % 11 AS DOUBLE) / 4 END AS weight
    FROM range(400) AS numbers(i)
"""
Answer = tuple[dict[str, int], int, Counter[tuple[Any, ...]]]


def answer(result: kanon_sql.Result) -> Answer:
    """The vector, the rows that were suppressed, and the released rows, order aside."""
    assert result.rows == result.released + result.suppressed
    return result.vector, result.suppressed, rows_of(result)


def rows_of(result: kanon_sql.Result, columns: Sequence[str] = (*QIS, *KEPT)) -> Counter[tuple[Any, ...]]:
    """The rows of a release, as Python reads its Arrow table."""
    table = result.to_arrow()
    return Counter(zip(*(table[name].to_pylist() for name in columns), strict=True))


@dataclass(frozen=True)
class People:
    """A folder with ``w.duckdb`` (table ``people``) and the hierarchy files, and the words of a run."""

    folder: Path
    words: dict[str, Any]

    @property
    def database(self) -> Path:
        return self.folder / "w.duckdb"

    def run(self, database: Any = None, **more: Any) -> kanon_sql.Result:
        """A run; what is given beats the words."""
        return kanon_sql.anonymize(database, **{**self.words, **more})

    def flags(self, **more: str) -> list[str]:
        """The same words for the command line, but for the table."""
        flags = ["--k", "5", "--max-suppression", "8%", "--qi", ",".join(QIS), "--keep", ",".join(KEPT)]
        for name in ("age", "zip"):
            flags += ["--hierarchy", f"{name}={self.folder / f'{name}.csv'}"]
        for name, value in more.items():
            flags += [f"--{name.replace('_', '-')}", value]
        return flags


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="people-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    age = [f"{a};{a // 5 * 5}+;{a // 20 * 20}+;*\n" for a in range(20, 60)]
    zips = [f"0{z};0{z // 3 * 3}ff;*\n" for z in range(2130, 2139)]
    (folder / "age.csv").write_text("".join(age))
    (folder / "zip.csv").write_text("".join(zips))
    with duckdb.connect(str(folder / "w.duckdb")) as connection:
        connection.execute(f"CREATE TABLE people AS {PEOPLE}")
        connection.execute(f"COPY people TO '{folder / 'people.parquet'}'")
    return folder


def make_people(folder: Path, *more: str) -> People:
    """Write the database and the hierarchies (and more: ``people.parquet``) into a folder."""
    for name in ("w.duckdb", "age.csv", "zip.csv", *more):
        shutil.copy(_template() / name, folder / name)
    return People(
        folder,
        {
            "k": 5,
            "max_suppression": "8%",
            "quasi_identifiers": {
                "age": {"hierarchy": folder / "age.csv", "header": False},
                "zip": {"hierarchy": folder / "zip.csv", "header": False},
                "sex": None,
            },
            "keep": list(KEPT),
        },
    )


def sql(statement: str, database: str | Path = ":memory:") -> list[tuple[Any, ...]]:
    """Run one statement of the test's own."""
    with duckdb.connect(str(database)) as connection:
        return connection.execute(statement).fetchall()


def environment(**more: str) -> dict[str, str]:
    """An environment in which ``python -m kanon_sql`` is this checkout."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **more}


def command(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """``kanon-sql`` in a process of its own, forked from one that has imported it."""
    return forked(*arguments, cwd=cwd, env=environment())


def command_anew(*arguments: str | Path, cwd: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """``kanon-sql`` in a process that Python starts anew."""
    return subprocess.run(
        [sys.executable, "-m", "kanon_sql", *map(str, arguments)],
        cwd=cwd,
        env=environment(**more.pop("env", {})),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        stdin=subprocess.DEVNULL,
        **more,
    )


def only_line(process: subprocess.CompletedProcess[str]) -> str:
    """What a refused command said: one line, no traceback."""
    lines = process.stderr.splitlines()
    assert len(lines) == 1, process.stderr
    return lines[0]


def invoke(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """``kanon-sql`` in this process, in the current folder: as :func:`command`, and much quicker."""
    from tests.cli.warehouse import run

    done = run(*map(str, arguments))
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
