"""Many quasi-identifiers: a lattice of 16,777,216 vectors, whose minimal vector must be proven."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import Asked, Row
from measuring import TooLong, apart, median, runs
from tables import correlated


def lattice(asked: Asked) -> Iterator[Row]:
    """12 correlated quasi-identifiers with 4 levels each."""
    rows, columns = (2_000, 5) if asked.quick else (100_000, 12)
    with tempfile.TemporaryDirectory() as folder:
        table = apart(correlated, Path(folder), rows, columns).value
        for share, bar in asked.some([("0", 5), ("1%", 20), ("5%", 60)]):
            work = f"{columns} QIs of 4 levels, {rows:,} correlated rows, k=5, MaxSup {share}: to the vector"
            limit = asked.time_limit * asked.rounds
            try:
                done = apart(runs, table, asked.rounds, k=5, max_suppression=share, limit=limit)
            except TooLong:
                yield Row(work, f"not within {asked.time_limit:g} s", "s", bar)
                continue
            proven = all(run.proven for run in done.value)
            seconds = median(done.value, lambda run: run.to_vector)
            figure = seconds if proven else f"{seconds:.2f} s, not proven minimal"
            yield Row(work, figure, "s", bar, done.peak, done.value[-1].said)
