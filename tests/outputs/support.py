"""What an output is before and after a run, and sources that spoil a run half-way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from kanon_sql.api import Phase
from tests.reading import reading
from tests.sources.support import PEOPLE, sql


def digest(path: Path) -> dict[str, str]:
    """Every file under a path (or the file itself), by name, with its content in short; empty where none is."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path] if path.exists() else []
    return {
        str(file.relative_to(path.parent)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file()
    }


def strays(folder: Path) -> list[str]:
    """What no run may leave in a folder: its own half-made files, write-ahead logs, spilled data."""
    return sorted(
        each.name
        for each in folder.rglob("*")
        if each.name.startswith((".kanon", "kanon-sql-", "tmp_")) or each.suffix in (".wal", ".tmp")
    )


def tables(path: Path) -> list[str]:
    """Every table and view of a database file, by schema and name."""
    with reading(path) as connection:
        rows = connection.execute(
            "SELECT table_schema || '.' || table_name FROM information_schema.tables "
            "WHERE table_catalog = current_database() ORDER BY ALL"  # others may be attached beside it
        ).fetchall()
    return [name for (name,) in rows]


def write_source(path: Path, query: str = PEOPLE) -> Path:
    """The people, or what a query makes of them, as a Parquet file."""
    sql(f"COPY ({query}) TO '{path}' (FORMAT PARQUET)")
    return path


def at(phase: str, action: Callable[[], object]) -> Callable[[object], None]:
    """A progress callback that does something when a phase begins."""

    def progress(event: object) -> None:
        if event == Phase(phase):
            action()

    return progress
