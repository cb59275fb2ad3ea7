"""Adult with 9 quasi-identifiers (12,960 vectors): as it is, and resampled to a million rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import tables
from figures import Asked, Row, Skipped
from measuring import apart, median, one_scan, runs


def folder_of_adult(asked: Asked) -> Path:
    """Where Adult and its hierarchies are."""
    folder = asked.data and asked.data / "adult"
    if folder is None or not folder.is_dir():
        raise Skipped("no folder adult in --data")
    return folder


def adult(asked: Asked) -> Iterator[Row]:
    """The searches alone."""
    data = folder_of_adult(asked)
    with tempfile.TemporaryDirectory() as folder:
        table = apart(tables.adult, Path(folder), data).value
        scan = apart(one_scan, table, 5).value
        for share, bar in asked.some([("0", 8), ("1%", 25), ("5%", 30)]):
            done = apart(runs, table, asked.rounds, k=5, max_suppression=share)
            search = median(done.value, lambda run: run.seconds["search"])
            work = f"Adult, 9 QIs, k=5, MaxSup {share}: search"
            note = f"{scan * 1000:.1f} ms a scan; {done.value[-1].said}"
            yield Row(work, search / scan, "scans", bar, done.peak, note)
        for words, bar in asked.some(
            [({"search": "all"}, 250), ({"search": "optimal", "objective": "gcp"}, 130)]
        ):
            done = apart(runs, table, asked.rounds, k=5, max_suppression="1%", **words)
            search = median(done.value, lambda run: run.seconds["search"])
            work = f"Adult, 9 QIs, k=5, MaxSup 1%: {', '.join(words.values())}"
            yield Row(work, search / scan, "scans", bar, done.peak, done.value[-1].said)


def resampled(asked: Asked) -> Iterator[Row]:
    """A million rows that repeat less than those of Adult."""
    data = folder_of_adult(asked)
    rows = 5_000 if asked.quick else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        table = apart(tables.adult_resampled, Path(folder), data, rows).value
        scan = apart(one_scan, table, 5).value
        done = apart(runs, table, asked.rounds, k=5, max_suppression="5%", output="released")
        work = f"Adult resampled to {rows:,} rows, 9 QIs, k=5, MaxSup 5%"
        search = median(done.value, lambda run: run.seconds["search"])
        note = f"{scan * 1000:.0f} ms a scan; {done.value[-1].said}"
        yield Row(f"{work}: search", search / scan, "scans", 15, done.peak, note)
        whole = median(done.value, lambda run: run.seconds["total"])
        yield Row(f"{work}: to the release", whole / scan, "scans", 15, done.peak)
