"""The start of the program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import Asked, Row
from measuring import apart, median_seconds
from tables import warehouse

ROOT = Path(__file__).parents[2]


def start(asked: Asked) -> Iterator[Row]:
    """`--help`, and a run on a table so small that only the start counts."""
    outcome = apart(seconds_of_program, ["--help"], asked.rounds)
    yield Row("kanon-sql --help", outcome.value, "s", 0.4, outcome.peak)
    with tempfile.TemporaryDirectory() as folder:
        table = apart(warehouse, Path(folder), 1_000).value
        words = ["run", f"--db={table.path}", f"--table={table.name}", "--overwrite"]
        words += [f"--hierarchy={name}={each['hierarchy']}" for name, each in table.quasi_identifiers.items()]
        outcome = apart(seconds_of_program, words, asked.rounds)
        yield Row("kanon-sql run on 1,000 rows", outcome.value, "s", 1.5, outcome.peak)


def seconds_of_program(words: list[str], rounds: int) -> float:
    """The median time of the program, as a process of its own."""
    program = [sys.executable, "-m", "kanon_sql", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return median_seconds(
        lambda: subprocess.run(program, check=True, capture_output=True, env=environment), rounds
    )
