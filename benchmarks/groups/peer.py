"""ANJANA, a peer from PyPI: the same question over Adult, 8 quasi-identifiers."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tables
from figures import Asked, Row, Skipped
from measuring import apart, median, runs

from groups.adult import folder_of_adult

# It pins its own dependencies: it lives in an environment of its own.
PEER = "anjana==1.2.3"
PROGRAM = Path(__file__).parents[1] / "anjana_peer.py"
LIMIT = 1_800


def anjana(asked: Asked) -> Iterator[Row]:
    """The whole call, here to the released table, there to the released data frame."""
    if asked.quick:
        raise Skipped("not in --quick: it installs a package")
    data = folder_of_adult(asked)
    with tempfile.TemporaryDirectory() as folder:
        python = installed(Path(folder) / "peer")
        table = apart(tables.adult, Path(folder), data, without="salary-class").value
        work = "Adult, 8 QIs, k=5, MaxSup 5%"
        names = list(table.quasi_identifiers)
        theirs = apart(anonymized_by_peer, python, data, names, asked.rounds)
        vector = ",".join(map(str, theirs.value["vector"]))
        note = f"vector {vector}, height {theirs.value['height']}"
        yield Row(f"{work}: {PEER}, the whole call", theirs.value["seconds"], "s", None, theirs.peak, note)
        ours = apart(runs, table, asked.rounds, k=5, max_suppression="5%", output="released")
        seconds = median(ours.value, lambda run: run.seconds["call"])
        run = ours.value[-1]
        note = f"{run.said}, height {run.height}"
        yield Row(f"{work}: kanon-sql, the whole call", seconds, "s", None, ours.peak, note)
        yield Row(f"{work}: times faster", theirs.value["seconds"] / seconds, "×", 20, at_least=True)
        yield Row(f"{work}: height above that of {PEER}", run.height - theirs.value["height"], "", 0)


def installed(environment: Path) -> Path:
    """The Python of a new environment that has the peer."""
    python = environment / "bin" / "python"
    try:
        subprocess.run([sys.executable, "-m", "venv", environment], check=True, capture_output=True)
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", PEER]
        subprocess.run(install, check=True, capture_output=True, timeout=LIMIT)
    except (subprocess.SubprocessError, OSError) as error:
        raise Skipped(f"{PEER} cannot be installed here ({type(error).__name__})") from error
    return python


def anonymized_by_peer(python: Path, data: Path, names: list[str], rounds: int) -> dict[str, Any]:
    """What its program printed last: median seconds, vector and height."""
    words = [python, PROGRAM, data, str(rounds), *names]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=LIMIT)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer
