"""A table of 200 columns under a small memory limit: what is read of it, and whether it finishes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tables
from figures import Asked, Row
from measuring import apart, one_scan, runs

MEMORY = "1GB"


def wide(asked: Asked) -> Iterator[Row]:
    """Five quasi-identifiers among 200 columns."""
    rows = asked.rows[-1]
    with tempfile.TemporaryDirectory() as folder:
        table = apart(tables.wide, Path(folder), rows, 200).value
        shape = f"{rows:,} rows of 200 columns, 5 QIs, memory limit {MEMORY}"
        read = apart(columns_read, table).value
        most = max(read.values(), key=len)
        note = f"by the engine's profile of {', '.join(read)}"
        yield Row(f"{shape}: columns read by a statement, at the most", len(most), "", 5, None, note)
        scan = apart(one_scan, table, 5, memory_limit=MEMORY).value
        words = {"k": 5, "max_suppression": "1%", "memory_limit": MEMORY, "output": "released"}
        done = apart(runs, table, 1, **words)
        [run] = done.value
        note = f"{scan:.2f} s a scan; {run.said}"
        yield Row(f"{shape}: to the release", run.seconds["total"] / scan, "scans", None, done.peak, note)


def columns_read(table: tables.Table) -> dict[str, set[str]]:
    """The columns that each statement over the source reads, by the name of the statement.

    Every one is asked again under EXPLAIN ANALYZE, on a connection of its own.
    """
    import duckdb

    import kanon_sql

    source, found = f'"wide"."main"."{table.name}"', {}
    with duckdb.connect(config={"memory_limit": MEMORY}) as connection:
        connection.execute(f"ATTACH '{table.path}' AS wide (READ_ONLY)")
        for statement in kanon_sql.compile(
            **table.words, max_suppression="1%", what="setup", plan="frequency"
        ):
            connection.execute(statement.inlined())
            if source in statement.sql:
                select = statement.inlined().split(" AS\n", 1)[1]
                [(_, profile)] = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {select}").fetchall()
                found[statement.name] = projections(json.loads(profile), f"wide.main.{table.name}")
    return found


def projections(profile: Any, table: str) -> set[str]:
    """The columns that the scans of a table project, anywhere in a profile."""
    if isinstance(profile, list):
        return set().union(*(projections(each, table) for each in profile))
    if not isinstance(profile, dict):
        return set()
    found = projections(list(profile.values()), table)
    info = profile.get("extra_info", profile)
    if isinstance(info, dict) and info.get("Table") == table and "Projections" in info:
        columns = info["Projections"]
        found |= {columns} if isinstance(columns, str) else set(columns)
    return found
