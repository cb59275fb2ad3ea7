"""Every figure that this project promises, taken in one run, as ratios against one scan; writes RESULTS.md.

python benchmarks/run.py                     # 1 and 10 million rows, Adult where ../shared/data is there
python benchmarks/run.py --quick             # small tables, to see that it still works: its figures mean nothing
python benchmarks/run.py --only adult,start

One scan: `SELECT count(*) FROM (SELECT count(*) FROM t GROUP BY <raw quasi-identifiers> HAVING count(*) < k)` in
the same DuckDB with the same threads. Medians of --rounds runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from scans import ADULT, generate, median_seconds, scan

import kanon_sql

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One figure: what was done, what it came to, and what it should come to at the most."""

    work: str
    figure: float
    bar: float | None
    unit: str
    note: str = ""


@dataclass(frozen=True)
class Asked:
    """How much of it is asked for."""

    rows: tuple[int, ...]
    rounds: int
    adult: Path | None
    quick: bool


def to_vector(result: kanon_sql.Result) -> float:
    """Seconds from the attached table to the proven vector."""
    return sum(result.seconds[phase] for phase in ("hierarchies", "frequency_set", "search"))


def said(result: kanon_sql.Result) -> str:
    """What a run did, in short."""
    levels = ",".join(map(str, result.vector.values()))
    return f"vector {levels}, {result.vectors_evaluated} of {result.bound.lattice.size} vectors asked"


def medians(rounds: int, words: dict[str, Any], of: Callable[[kanon_sql.Result], float]) -> tuple[float, str]:
    """The median of a figure over some runs, and what the last did."""
    results = [kanon_sql.anonymize(**words) for _ in range(rounds)]
    return statistics.median(map(of, results)), said(results[-1])


@contextmanager
def warehouse(rows: int) -> Iterator[tuple[Path, dict[str, Path]]]:
    """The generated table of nearly unique rows."""
    with tempfile.TemporaryDirectory() as folder:
        yield generate(Path(folder), rows)


def unique(asked: Asked) -> Iterator[Row]:
    """Nearly unique rows: search, release, distinct l-diversity."""
    for rows in asked.rows:
        with warehouse(rows) as (path, files):
            for k, share, bar in ((5, "1%", 2.5), (50, "0", 2.5)):
                one = scan(path, "people", list(files), k)
                words = {
                    "database": path, "table": "people", "k": k, "max_suppression": share, "hierarchies": files,
                }  # fmt: skip
                seconds, what = medians(asked.rounds, {**words, "dry_run": True}, to_vector)
                limit = bar if rows >= 10_000_000 else 4.0
                name = f"{rows:,} nearly unique rows, 5 QIs, k={k}, MaxSup {share}"
                yield Row(f"{name}: to the vector", seconds / one, limit, "scans", what)
                if k == 5:
                    total, _ = medians(
                        1 if rows >= 10_000_000 else asked.rounds,
                        {**words, "output": "released", "overwrite": True},
                        lambda result: result.seconds["total"],
                    )
                    yield Row(f"{name}: to the release", total / one, 7.0, "scans")
                    diverse = {
                        **words,
                        "sensitive": {"diagnosis": [{"distinct_l_diversity": 3}]},
                        "dry_run": True,
                    }
                    seconds, what = medians(1, diverse, to_vector)
                    yield Row(f"{name}, distinct 3-diversity", seconds / one, 8.0, "scans", what)


def persons(asked: Asked) -> Iterator[Row]:
    """Three rows a person."""
    rows = asked.rows[-1]
    with warehouse(rows) as (path, files):
        with duckdb.connect(str(path)) as connection:
            connection.execute("ALTER TABLE people ADD COLUMN person BIGINT")
            connection.execute("UPDATE people SET person = hash(rowid) % (SELECT count(*) // 3 FROM people)")
        one = scan(path, "people", list(files), 5)
        words = {
            "database": path, "table": "people", "k": 5, "max_suppression": "1%", "hierarchies": files,
            "person": "person", "dry_run": True,
        }  # fmt: skip
        seconds, what = medians(1, words, to_vector)
        yield Row(f"{rows:,} nearly unique rows, persons counted", seconds / one, 8.0, "scans", what)


def repeating(asked: Asked) -> Iterator[Row]:
    """Rows whose quasi-identifiers repeat."""
    rows = asked.rows[-1]
    with warehouse(min(rows, 100_000)) as (path, files):
        with duckdb.connect(str(path)) as connection:
            connection.execute(
                f"CREATE TABLE repeated AS SELECT p.* FROM people AS p, range({max(rows // 100_000, 1)})"
            )
        one = scan(path, "repeated", list(files), 5)
        words = {
            "database": path, "table": "repeated", "k": 50, "max_suppression": "1%", "hierarchies": files,
            "dry_run": True,
        }  # fmt: skip
        seconds, what = medians(asked.rounds, words, to_vector)
        yield Row(f"{rows:,} rows of 100,000 distinct tuples", seconds / one, 1.5, "scans", what)


def adult(asked: Asked) -> Iterator[Row]:
    """Adult, 9 quasi-identifiers: the search alone."""
    if asked.adult is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "adult.duckdb"
        with duckdb.connect(str(path)) as connection:
            source = asked.adult / "adult.csv"
            connection.execute(f"CREATE TABLE adult AS FROM read_csv('{source}', delim = ';', header = true)")
        files = {
            name: {
                "hierarchy": asked.adult / f"adult_hierarchy_{name}.csv",
                "delimiter": ";",
                "header": False,
            }
            for name in ADULT
        }
        one = scan(path, "adult", ADULT, 5)
        for share, bar in (("0", 8), ("1%", 25), ("5%", 30)):
            words = {
                "database": path, "table": "adult", "k": 5, "max_suppression": share, "quasi_identifiers": files,
                "dry_run": True,
            }  # fmt: skip
            seconds, what = medians(asked.rounds, words, lambda result: result.seconds["search"])
            name = f"Adult, 9 QIs, k=5, MaxSup {share}: search ({one * 1000:.1f} ms a scan)"
            yield Row(name, seconds / one, bar, "scans", what)


def start(asked: Asked) -> Iterator[Row]:
    """The start of the program."""
    program = [sys.executable, "-m", "kanon_sql"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}

    def run(*words: str) -> None:
        subprocess.run([*program, *words], check=True, capture_output=True, env=environment)

    yield Row("kanon-sql --help", median_seconds(lambda: run("--help"), asked.rounds), 0.4, "s")
    with warehouse(1_000) as (path, files):
        flags = [f"--hierarchy={name}={file}" for name, file in files.items()]
        words = ["run", "--db", str(path), "--table", "people", "--overwrite", *flags]
        yield Row("kanon-sql run on 1,000 rows", median_seconds(lambda: run(*words), asked.rounds), 1.5, "s")


GROUPS = {
    "start": start, "adult": adult, "unique": unique, "repeating": repeating, "persons": persons,
}  # fmt: skip


def main() -> None:
    """Run the groups that are asked for, print and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", default="1000000,10000000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(GROUPS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("KANON_SHARED", "../shared")) / "data"
    )
    parser.add_argument("--write", type=Path, default=None, help="default: RESULTS.md, but for --quick")
    given = parser.parse_args()
    folder = given.data / "adult"
    asked = Asked(
        (20_000,) if given.quick else tuple(map(int, given.rows.split(","))),
        1 if given.quick else given.rounds,
        folder if folder.is_dir() else None,
        given.quick,
    )
    lines = [
        "# Results",
        "",
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, DuckDB "
        f"{duckdb.__version__}, {time.strftime('%Y-%m-%d')}; medians of {asked.rounds} where not said otherwise.",
        "",
        "| work | figure | bar | |",
        "|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for group in given.only.split(","):
        for row in GROUPS[group](asked):
            bar = "" if row.bar is None else f"≤ {row.bar:g}"
            lines.append(f"| {row.work} | {row.figure:.2f} {row.unit} | {bar} | {row.note} |")
            print(lines[-1], flush=True)
    target = given.write or (None if given.quick else HERE / "RESULTS.md")
    if target is not None:
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
