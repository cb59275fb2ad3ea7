"""How many scans a run costs: the search and the whole release, against one GROUP BY of the raw columns.

python benchmarks/scans.py --rows 1000000
python benchmarks/scans.py --adult ../shared/data
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

import kanon_sql

ROUNDS = 3
ADULT = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]


def median_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median time of some rounds of work."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def generate(folder: Path, rows: int) -> tuple[Path, dict[str, Path]]:
    """A warehouse of nearly unique rows: birth date, ZIP, sex, race, marital status, and a diagnosis."""
    path = folder / "warehouse.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            """
            CREATE TABLE people AS SELECT
              DATE '1925-01-01' + CAST(abs(hash(range * 7 + 1)) % 32000 AS INTEGER) AS birth_date,
              printf('%05d', hash(range * 7 + 2) % 40000 + 10000) AS zip,
              CASE WHEN hash(range * 7 + 3) % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
              'r' || CAST(hash(range * 7 + 4) % 5 AS VARCHAR) AS race,
              's' || CAST(hash(range * 7 + 5) % 4 AS VARCHAR) AS marital_status,
              'd' || CAST(hash(range * 7 + 6) % 200 AS VARCHAR) AS diagnosis
            FROM range(?)
            """,
            [rows],
        )
        files = {}
        for name, levels in {
            "birth_date": "strftime(v, '%Y-%m'), strftime(v, '%Y'), (year(v) // 10)::VARCHAR || '0s', '*'",
            "zip": "left(v, 4) || '*', left(v, 3) || '**', left(v, 2) || '***', '*'",
            "marital_status": "CASE WHEN v < 's2' THEN 'a' ELSE 'b' END, '*'",
            "race": "'*'",
            "sex": "'*'",
        }.items():
            files[name] = folder / f"{name}.csv"
            values = f"(SELECT DISTINCT {name} AS v FROM people)"
            connection.execute(f"COPY (SELECT v, {levels} FROM {values}) TO '{files[name]}' (HEADER false)")
    return path, files


def scan(path: Path, table: str, columns: list[str], k: int) -> float:
    """One scan, warm."""
    names = ", ".join(f'"{column}"' for column in columns)
    query = f"SELECT count(*) FROM (SELECT count(*) FROM w.{table} GROUP BY {names} HAVING count(*) < {k})"
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{path}' AS w (READ_ONLY)")
        connection.execute(query).fetchall()
        return median_seconds(lambda: connection.execute(query).fetchall())


def report(name: str, path: Path, table: str, files: dict[str, Path], k: int, share: str) -> None:
    """One line of the table: search and release in scans."""
    columns = list(files)
    one = scan(path, table, columns, k)
    runs: list[kanon_sql.Result] = []

    def run() -> None:
        runs.append(
            kanon_sql.anonymize(
                path,
                table=table,
                k=k,
                max_suppression=share,
                hierarchies=files,
                output="released",
                overwrite=True,
            )
        )

    total = median_seconds(run)
    seconds = {
        phase: statistics.median(result.seconds.get(phase, 0.0) for result in runs)
        for phase in ("hierarchies", "frequency_set", "search", "release")
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    parts = "  ".join(f"{phase} {value / one:6.1f}" for phase, value in seconds.items())
    last = runs[-1]
    print(
        f"{name:34} k={k:<3} {share:>3}  scan {one * 1000:8.1f} ms  {parts}  total {total / one:6.1f}  "
        f"{last.vectors_evaluated:5} of {last.bound.lattice.size} vectors, height {last.height}, peak {peak:.1f} GB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--adult", type=Path, help="a folder that holds adult/adult.csv and its hierarchies")
    arguments = parser.parse_args()
    print(
        f"DuckDB {duckdb.__version__}, kanon-sql {kanon_sql.__version__}; everything in scans, medians of {ROUNDS}"
    )
    with tempfile.TemporaryDirectory() as folder:
        if arguments.adult is not None:
            data = arguments.adult / "adult"
            path = Path(folder) / "adult.duckdb"
            with duckdb.connect(str(path)) as connection:
                source = f"read_csv('{data / 'adult.csv'}', delim=';', header=true)"
                connection.execute(f"CREATE TABLE adult AS SELECT * FROM {source}")
            files = {name: data / f"adult_hierarchy_{name}.csv" for name in ADULT}
            for share in ("0", "1%", "5%"):
                report("Adult, 9 QIs, lattice 12,960", path, "adult", files, 5, share)
            return
        path, files = generate(Path(folder), arguments.rows)
        report(f"generated, {arguments.rows:,} rows, 5 QIs", path, "people", files, 5, "1%")
        report(f"generated, {arguments.rows:,} rows, 5 QIs", path, "people", files, 50, "0")


if __name__ == "__main__":
    main()
