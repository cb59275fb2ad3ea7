"""Another DuckDB file as the place of a release: attached beside the source, made anew where it is missing."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from kanon_sql.backends import Engine
from kanon_sql.errors import SpecError


class Attaching(Engine, Protocol):
    """An engine that can attach a database file."""

    def attach(self, path: Path, *, write: bool, shown: Path | None = None) -> str:
        """Attach a file and give its catalog's name; errors call the file ``shown``."""
        ...

    def detach(self, alias: str) -> None:
        """Let go of it."""
        ...


class DatabaseFile:
    """A DuckDB file that a release goes into.

    An existing file is written in one transaction. A missing one is made beside its place and renamed there
    once the release in it is verified and committed, so that no half-made file is ever seen.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.alias = ""

    @contextmanager
    def attached(self, engine: Attaching) -> Iterator[None]:
        """Attach the file for the length of a block.

        Raises:
            SpecError: its folder is missing, or the connection is not the run's own.
        """
        if engine.temporary_scratch:
            raise SpecError(
                "another database file cannot be written on a connection that is passed in",
                where="output_db",
                mend="attach it yourself and name database.schema.table as the output",
            )
        if not self.path.parent.is_dir():
            raise SpecError("no such folder", where=str(self.path.parent), mend="make it first")
        new = not self.path.exists()
        beside = self.path.with_name(f".kanon-{secrets.token_hex(6)}-{self.path.name}") if new else self.path
        try:
            self.alias = engine.attach(beside, write=True, shown=self.path)
            try:
                yield
            finally:
                engine.detach(self.alias)
            if new:
                beside.replace(self.path)
        finally:
            if new:
                for leftover in (beside, beside.with_name(beside.name + ".wal")):
                    with contextlib.suppress(OSError):
                        leftover.unlink(missing_ok=True)
