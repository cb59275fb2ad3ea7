"""How the benchmarks measure: every piece of work in a fresh process of its own, times as medians.

The process that runs the groups does no work itself, nor even loads DuckDB: the peak that a system tells of a
process (ru_maxrss) starts from what its parent held when it was forked.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tables import Table

import kanon_sql


class Failed(Exception):
    """The work raised an error, or its process died."""


class TooLong(Exception):
    """The work was stopped at its time limit."""


@dataclass(frozen=True)
class Outcome:
    """What some work returned, and the peak memory of its process in GB."""

    value: Any
    peak: float


@dataclass(frozen=True)
class Run:
    """What there is to say of one run, small enough to be sent between processes."""

    seconds: dict[str, float]
    vector: tuple[int, ...]
    height: int
    evaluated: int
    vectors: int
    proven: bool

    @property
    def to_vector(self) -> float:
        """Seconds from the attached table to the proven vector."""
        return sum(self.seconds[phase] for phase in ("hierarchies", "frequency_set", "search"))

    @property
    def said(self) -> str:
        """What the run did, in short."""
        levels = ",".join(map(str, self.vector))
        return f"vector {levels}, {self.evaluated:,} of {self.vectors:,} vectors asked"


def apart(work: Callable[..., Any], *arguments: Any, limit: float | None = None, **words: Any) -> Outcome:
    """Do some work in a fresh process: a function of a module, and what it takes and returns can be pickled.

    Raises:
        Failed: the work raised an error, or its process died.
        TooLong: it took more than ``limit`` seconds.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    # What a process that is stopped leaves behind goes with this folder.
    with tempfile.TemporaryDirectory() as scratch:
        process = context.Process(target=_answer, args=(theirs, scratch, work, arguments, words))
        process.start()
        theirs.close()
        try:
            if not ours.poll(limit):
                raise TooLong(f"not within {limit:g} s")
            answer = ours.recv()
        except EOFError:
            process.join()
            raise Failed(f"the process died with code {process.exitcode}") from None
        finally:
            process.kill()
            process.join()
    if isinstance(answer, str):
        raise Failed(answer)
    return Outcome(*answer)


def _answer(pipe: Connection, scratch: str, work: Callable[..., Any], arguments: Any, words: Any) -> None:
    tempfile.tempdir = scratch
    try:
        value = work(*arguments, **words)
    except Exception:
        pipe.send(traceback.format_exc())
        return
    # Where the work was to start programs, the memory that counts is theirs.
    peak = (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    )
    # Linux counts in KiB, macOS in bytes.
    pipe.send((value, peak * (1 if sys.platform == "darwin" else 1024) / 1024**3))


def median_seconds(work: Callable[[], object], rounds: int) -> float:
    """The median time of some rounds of work."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def median(runs: Sequence[Run], of: Callable[[Run], float]) -> float:
    """The median of a figure over some runs."""
    return statistics.median(map(of, runs))


def one_scan(table: Table, k: int, rounds: int = 3, memory_limit: str | None = None) -> float:
    """Seconds of one scan, warm: the raw quasi-identifiers grouped, and the classes below k counted."""
    import duckdb  # see above

    names = ", ".join(f'"{column}"' for column in table.quasi_identifiers)
    groups = f"SELECT count(*) FROM w.{table.name} GROUP BY {names} HAVING count(*) < {k}"
    with duckdb.connect(config={"memory_limit": memory_limit} if memory_limit else {}) as connection:
        connection.execute(f"ATTACH '{table.path}' AS w (READ_ONLY)")

        def scan() -> None:
            connection.execute(f"SELECT count(*) FROM ({groups})").fetchall()

        scan()
        return median_seconds(scan, rounds)


def runs(table: Table, rounds: int, **words: Any) -> list[Run]:
    """Some runs over a table, one after another; without an ``output`` up to the vector only."""
    done = []
    release = {"overwrite": True} if "output" in words else {"dry_run": True}
    for _ in range(rounds):
        begun = time.perf_counter()
        result = kanon_sql.anonymize(**table.words, **words, **release)
        call = time.perf_counter() - begun
        done.append(
            Run(
                {**result.seconds, "call": call},
                tuple(result.vector.values()),
                result.height,
                result.vectors_evaluated,
                result.bound.lattice.size,
                result.proven_minimal,
            )
        )
    return done


def spilling_run(table: Table, folder: Path, **words: Any) -> tuple[Run, float]:
    """One run that may spill into a folder, and how many GB it had there at the most."""
    with _watched(folder) as most:
        [run] = runs(table, 1, temp_directory=folder, **words)
    return run, max(most) / 1024**3


@contextlib.contextmanager
def _watched(folder: Path) -> Iterator[list[int]]:
    """Look at the size of a folder now and then."""
    sizes, ended = [0], threading.Event()

    def look() -> None:
        while not ended.wait(0.1):
            size = 0
            for path in folder.rglob("*"):
                # The engine takes its files away as it likes.
                with contextlib.suppress(OSError):
                    size += path.stat().st_size
            sizes.append(size)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield sizes
    finally:
        ended.set()
        thread.join()
