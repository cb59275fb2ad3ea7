"""A wide table under a small memory limit: what is read, and whether it finishes.

    python benchmarks/wide.py --rows 10000000 --columns 200 --memory-limit 1GB

Generates a table of that many rows and columns, of which five are quasi-identifiers, runs the whole job on it
under the memory limit, and prints the columns that DuckDB's own profile says each statement over the source
read, with the time in scans of the five columns and the peak memory of the process.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

import kanon_sql
from kanon_sql.backends import Executed

COLUMNS = {"birth_year": 90, "zip": 40_000, "sex": 2, "race": 5, "marital_status": 4}


def generate(path: Path, rows: int, width: int) -> None:
    """Five quasi-identifiers among many columns that nobody asked for."""
    wanted = [
        f"CAST(hash(range * 11 + {i}) % {values} AS INTEGER) AS {name}"
        for i, (name, values) in enumerate(COLUMNS.items())
    ]
    others = [f"CAST((range * {i + 3}) % 251 AS UTINYINT) AS other_{i}" for i in range(width - len(wanted))]
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE wide AS SELECT {', '.join(wanted + others)} FROM range({rows})")


def hierarchies(folder: Path) -> dict[str, Path]:
    """Groups of ten, of a hundred and so on, up to the top."""
    files = {}
    for name, values in COLUMNS.items():
        files[name] = folder / f"{name}.csv"
        depth = len(str(values))
        with files[name].open("w") as file:
            for value in range(values):
                groups = [str(value // 10**level) + "x" * level for level in range(1, depth)]
                file.write(";".join([str(value), *groups, "*"]) + "\n")
    return files


def scanned(profile: Any, found: dict[str, set[str]]) -> dict[str, set[str]]:
    """The columns that every table scan of a profile projects, by table."""
    if isinstance(profile, dict):
        info = profile.get("extra_info", profile)
        if isinstance(info, dict) and "Projections" in info and "Table" in info:
            columns = info["Projections"]
            found.setdefault(str(info["Table"]), set()).update(
                [columns] if isinstance(columns, str) else columns
            )
        for value in profile.values():
            scanned(value, found)
    elif isinstance(profile, list):
        for value in profile:
            scanned(value, found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--memory-limit", default="1GB")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "wide.duckdb"
        generate(path, arguments.rows, arguments.columns)
        files = hierarchies(folder)
        # Every question over the source, asked again under EXPLAIN ANALYZE on a connection of its own.
        profiles: dict[str, set[str]] = {}
        with duckdb.connect(config={"memory_limit": arguments.memory_limit}) as connection:
            connection.execute(f"ATTACH '{path}' AS wide (READ_ONLY)")
            quoted = ", ".join(COLUMNS)
            scan = (
                f"SELECT count(*) FROM (SELECT count(*) FROM wide.wide GROUP BY {quoted} HAVING count(*) < 5)"
            )
            begun = time.perf_counter()
            connection.execute(scan).fetchall()
            one = time.perf_counter() - begun
            common: dict[str, Any] = {"table": "wide", "hierarchies": files, "max_suppression": "1%"}
            setup = kanon_sql.compile(path, what="setup", plan="frequency", **common)
            for statement in setup:
                connection.execute(statement.inlined())
                if '"wide"."main"."wide"' in statement.sql:
                    select = statement.inlined().split(" AS\n", 1)[1]
                    rows = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {select}").fetchall()
                    profiles[statement.name] = scanned(json.loads(rows[0][1]), {}).get(
                        "wide.main.wide", set()
                    )
        seen: list[Executed] = []
        begun = time.perf_counter()
        result = kanon_sql.anonymize(
            path, memory_limit=arguments.memory_limit, tracer=seen.append, output="released", **common
        )
        total = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    shape = f"{arguments.rows:,} rows x {arguments.columns} columns, {arguments.memory_limit}"
    print(f"DuckDB {duckdb.__version__}; {shape}")
    for statement_name, columns in profiles.items():
        print(f"  {statement_name} reads {len(columns)} columns: {', '.join(sorted(columns))}")
    print(f"  one scan of the five columns {one:.2f} s; the whole run {total:.2f} s, {total / one:.1f} scans")
    print(f"  {result.released:,} of {result.rows:,} rows released at {result.vector}; peak {peak:.2f} GB")


if __name__ == "__main__":
    main()
