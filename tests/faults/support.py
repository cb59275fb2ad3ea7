"""Runs in processes of their own that something happens to, and a table large enough for it to happen in time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from tests.forked import Forked
from tests.sources.support import environment

# The command line, printing the name of every event and statement; at one of them it does something to itself.
DRIVER = """
import json, os, signal, sys
import kanon_sql.api as api
from kanon_sql.cli import main
at, action = json.loads(sys.argv.pop(1))
real = api.run

def met(name):
    global at
    print(name, file=sys.stderr, flush=True)
    if name == at:
        at = None
        if isinstance(action, list):
            os.replace(*action)
        else:
            os.kill(os.getpid(), action)

def run(*given, **words):
    shown, traced = words.pop("progress", None), words.pop("tracer", None)
    def progress(event):
        if shown:
            shown(event)
        met("@" + getattr(event, "name", type(event).__name__))
    def tracer(event):
        if traced:
            traced(event)
        met("@@" + event.name)
    return real(*given, **words, progress=progress, tracer=tracer)

import kanon_sql.cli.app
api.run = run
print("@ready", file=sys.stderr, flush=True)
main()
"""


@contextmanager
def started(
    folder: Path,
    *arguments: str | Path,
    at: str = "",
    action: object = None,
    file_limit: int | None = None,
) -> Iterator[Forked]:
    """``kanon-sql`` in a process of its own, whose temporary files go to ``temporary``; events on stderr."""
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    process = Forked(
        [json.dumps([at, action]), *map(str, arguments)],
        cwd=folder,
        env=environment(TMPDIR=str(temporary)),
        driver=DRIVER,
        file_limit=file_limit,
    )
    try:
        yield process
    finally:
        process.close()


def finished(folder: Path, *arguments: str | Path, **more: Any) -> tuple[int, str]:
    """Exit code and what the command said, events left out."""
    with started(folder, *arguments, **more) as process:
        _, errors = process.communicate(timeout=60)
    return process.returncode, said(errors)


def said(errors: str) -> str:
    """What the command wrote to stderr, without the driver's events."""
    return "".join(f"{line}\n" for line in errors.splitlines() if not line.startswith("@"))


def wait_for(process: Forked, event: str) -> None:
    """Read stderr up to an event."""
    assert process.stderr is not None
    for line in process.stderr:
        if line == f"{event}\n":
            return
    raise AssertionError(f"{event} never came")


def make_visits(path: Path, rows: int) -> Path:
    """A database with a table of visits whose texts do not compress, and an old release."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visits AS SELECT i % 3 AS age, i % 5 AS zip, md5(CAST(i AS VARCHAR)) AS visit"
            f" FROM range({rows}) AS n(i)"
        )
        connection.execute("CREATE TABLE released AS SELECT 'old' AS was")
    return path


RUN = ("run", "--table", "visits", "--qi", "age,zip", "--keep", "visit", "--no-progress", "--quiet")


def content(path: Path, table: str) -> tuple[Any, ...]:
    """A table in short: its columns, rows, and a sum over what they hold."""
    with duckdb.connect(str(path)) as connection:
        names = [row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()]
        [row] = connection.execute(f"SELECT COUNT(*), SUM(hash(t)) FROM {table} AS t").fetchall()
    return (names, *row)


def temporary_files(folder: Path) -> list[str]:
    """What runs have left where temporary files go."""
    return sorted(str(p.relative_to(folder)) for p in (folder / "temporary").rglob("*"))
