"""What the rest of the package asks of an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kanon_sql.compiler import Relation, Statement

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Executed:
    """One statement that ran, as a tracer sees it.

    Attributes:
        name: the question it asked.
        sql: its text, parameters unbound.
        seconds: how long it took.
        rows: how many rows of answer came back to Python.
        failed: whether it ended in an error, or was interrupted.
    """

    name: str
    sql: str
    seconds: float
    rows: int
    failed: bool = False

    def __str__(self) -> str:
        return self.sql


Tracer = Callable[[Executed], None]


@dataclass(frozen=True)
class Settings:
    """What an engine may use; None leaves it its own default.

    Attributes:
        threads: how many threads.
        memory_limit: how much memory, in the engine's words: ``6GB``.
        temp_directory: where it spills to.
    """

    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None


@dataclass(frozen=True)
class Catalogued:
    """A table or view of the catalog.

    Attributes:
        path: catalog, schema and name.
        kind: ``table`` or ``view``.
        temporary: whether it lives with the connection only.
    """

    path: tuple[str, str, str]
    kind: str
    temporary: bool = False


class Engine(Protocol):
    """A connection to one engine, with its scratch space.

    Errors of the engine come out as :class:`kanon_sql.errors.DatabaseError`; Ctrl-C stops the running
    statement and comes out as ``KeyboardInterrupt`` once the engine has let go of it.
    """

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> list[Row]:
        """Run one statement and give its rows; ``progress`` is told the engine's percentage (0–100)."""
        ...

    def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run statements that only read, and give the rows of each; up to ``lanes`` of them at the same time."""
        ...

    @property
    def lanes(self) -> int:
        """How many statements can run side by side: more than one only where they see the scratch tables."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """A transaction: committed at the end of the block, rolled back on any exception."""
        ...

    def tables(self) -> Sequence[Catalogued]:
        """Every table and view that a name can mean."""
        ...

    def schemas(self) -> Sequence[tuple[str, str]]:
        """Every (catalog, schema)."""
        ...

    def columns(self, relation: Relation) -> list[tuple[str, str]]:
        """The columns of a table, view or file, in order: (name, type)."""
        ...

    @property
    def default_schema(self) -> tuple[str, str]:
        """The (catalog, schema) that an unqualified name points into."""
        ...

    @property
    def temporary_scratch(self) -> bool:
        """Whether scratch tables must be temporary tables."""
        ...

    @property
    def version(self) -> str:
        """The engine and its version, e.g. ``DuckDB 2.0.1``."""
        ...

    def scratch(self, name: str) -> str:
        """A name for a scratch table of this run; the engine drops it when it is closed."""
        ...

    def close(self) -> None:
        """Drop the scratch tables and let go of the database; never raises."""
        ...
