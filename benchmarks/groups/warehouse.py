"""A generated warehouse: rows that are nearly unique, that repeat, that belong to persons, that do not fit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tables
from figures import Asked, Row
from measuring import Run, apart, median, one_scan, runs, spilling_run


@contextmanager
def warehouse(rows: int, **words: Any) -> Iterator[tables.Table]:
    """The generated table, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        yield apart(tables.warehouse, Path(folder), rows, **words).value


def to_vector(run: Run) -> float:
    """Seconds to the proven vector."""
    return run.to_vector


def to_release(run: Run) -> float:
    """Seconds to the verified release."""
    return run.seconds["total"]


def unique(asked: Asked) -> Iterator[Row]:
    """Nearly unique rows: search, release, distinct l-diversity."""
    for rows in asked.rows:
        with warehouse(rows) as table:
            for k, share in asked.some([(5, "1%"), (50, "0")]):
                scan = apart(one_scan, table, k).value
                work = f"{rows:,} nearly unique rows, 5 QIs, k={k}, MaxSup {share}"
                words: dict[str, Any] = {"k": k, "max_suppression": share}
                done = apart(runs, table, asked.rounds, **words)
                bar = 2.5 if rows >= 10_000_000 else 4.0
                scans = median(done.value, to_vector) / scan
                note = f"{scan:.2f} s a scan; {done.value[-1].said}"
                yield Row(f"{work}: to the vector", scans, "scans", bar, done.peak, note)
                if k == 5:
                    done = apart(runs, table, asked.rounds_over(rows), **words, output="released")
                    scans = median(done.value, to_release) / scan
                    yield Row(f"{work}: to the release", scans, "scans", 7.0, done.peak)
                    if rows >= 10_000_000:
                        done = apart(runs, table, 1, **words, search="all")
                        scans = median(done.value, to_vector) / scan
                        note = done.value[-1].said
                        yield Row(f"{work}, search: all", scans, "scans", 10.0, done.peak, note)
                    words["sensitive"] = {"diagnosis": [{"distinct_l_diversity": 3}]}
                    done = apart(runs, table, asked.rounds_over(rows), **words)
                    scans = median(done.value, to_vector) / scan
                    work += ", distinct 3-diversity: to the vector"
                    yield Row(work, scans, "scans", 8.0, done.peak, done.value[-1].said)


def repeating(asked: Asked) -> Iterator[Row]:
    """Rows whose quasi-identifiers repeat."""
    copies = max(asked.rows[-1] // 100_000, 2)
    distinct = asked.rows[-1] // copies
    with warehouse(distinct, copies=copies) as table:
        scan = apart(one_scan, table, 5).value
        done = apart(runs, table, asked.rounds, k=50, max_suppression="1%")
        work = f"{distinct * copies:,} rows of {distinct:,} distinct tuples, k=50, MaxSup 1%: to the vector"
        scans = median(done.value, to_vector) / scan
        note = f"{scan:.2f} s a scan; {done.value[-1].said}"
        yield Row(work, scans, "scans", 1.5, done.peak, note)


def persons(asked: Asked) -> Iterator[Row]:
    """Three rows a person."""
    rows = asked.rows[-1]
    with warehouse(rows, persons=True) as table:
        scan = apart(one_scan, table, 5).value
        done = apart(runs, table, asked.rounds_over(rows), k=5, max_suppression="1%", person="person")
        work = f"{rows:,} nearly unique rows, 3 a person, k=5 persons, MaxSup 1%: to the vector"
        note = f"{scan:.2f} s a scan; {done.value[-1].said}"
        yield Row(work, median(done.value, to_vector) / scan, "scans", 8.0, done.peak, note)


def huge(asked: Asked) -> Iterator[Row]:
    """From 1 to 100 million nearly unique rows under one memory limit: what a decade of rows costs."""
    words = {"k": 5, "max_suppression": "1%", "memory_limit": asked.memory_limit, "output": "released"}
    before: Run | None = None
    for rows in (1_000, 10_000, 100_000) if asked.quick else (1_000_000, 10_000_000, 100_000_000):
        with warehouse(rows) as table, tempfile.TemporaryDirectory() as spill:
            done = apart(spilling_run, table, Path(spill), **words)
        run, spilled = done.value
        work = f"{rows:,} nearly unique rows, k=5, MaxSup 1%, memory limit {asked.memory_limit}"
        note = f"spilled {spilled:.1f} GB; {run.said}"
        yield Row(f"{work}: to the vector", to_vector(run), "s", None, done.peak, note)
        yield Row(f"{work}: to the release", to_release(run), "s", None, done.peak)
        if before is not None:
            for name, of in (("vector", to_vector), ("release", to_release)):
                figure = of(run) / of(before) / 10
                yield Row(f"{work}: to the {name}, over 10 × that of {rows // 10:,}", figure, "×", 1.2)
        before = run
