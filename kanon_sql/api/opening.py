"""Databases, files and objects of the caller's become an engine with a source in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql import resources
from kanon_sql.backends import Settings, Tracer
from kanon_sql.catalog import SourceTable, find_source
from kanon_sql.errors import SpecError
from kanon_sql.spec import Spec, TableName, resolve_spec

if TYPE_CHECKING:
    from kanon_sql.backends.duckdb import DuckDBEngine


@dataclass(frozen=True)
class Given:
    """What a job is given.

    Attributes:
        spec: the resolved spec.
        database: a path, an open connection, or None.
        table: the source as an object of the caller's, or None where the spec names it.
    """

    spec: Spec
    database: Any = None
    table: Any = None

    @property
    def has_database(self) -> bool:
        """Whether there is a database, or a source that needs none."""
        return self.database is not None or self.needs_none

    @property
    def needs_none(self) -> bool:
        """Whether the source is read without a database: a file, or an object."""
        return self.database is None and (self.table is not None or self.spec.table_file is not None)

    @property
    def is_path(self) -> bool:
        """Whether the database is a path, not a connection."""
        return isinstance(self.database, str | Path)


def resolve(
    database: str | Path | Any,
    spec: str | Path | Spec | None,
    words: Mapping[str, Any],
    *,
    names_only: bool = False,
) -> Given:
    """What a job is given: the spec resolved, the database (the argument, or else the spec's ``db``).

    Raises:
        SpecError: the words are wrong.
    """
    words = dict(words)
    if "as_" in words:
        # `as` is a keyword of Python.
        words["as"] = words.pop("as_")
    table = None
    if not isinstance(words.get("table"), str | Path | TableName | None):
        table = words.pop("table")
    if isinstance(spec, Spec):
        if words:
            raise SpecError("a resolved Spec takes no further words", mend="give a path, or the words alone")
        resolved = spec
    else:
        resolved = resolve_spec(
            file=Path(spec) if spec is not None else None,
            given=words,
            face="python",
            base=Path.cwd(),
            builtins=resources.hierarchies_folder(),
            names_only=names_only,
        )
    return Given(resolved, database if database is not None else resolved.db, table)


def files_of(given: Given) -> list[Path]:
    """The files that a job reads or writes, as far as its spec names them."""
    spec = given.spec
    named = [spec.source_file, spec.table_file, spec.output_file, spec.output_db]
    named += [each.hierarchy for each in spec.quasi_identifiers]
    folder = spec.hierarchy_folder
    if not spec.quasi_identifiers and folder is not None and folder.is_dir():
        # Any file of the folder may be the hierarchy of a column.
        named += folder.iterdir()
    if given.is_path:
        named.append(Path(given.database))
    return [path for path in named if path is not None]


@contextmanager
def opened(given: Given, *, write: bool, tracer: Tracer | None) -> Iterator[tuple[DuckDBEngine, SourceTable]]:
    """The engine and the source in it; closed at the end whatever happens, unless somebody keeps it.

    Args:
        given: the spec and the database.
        write: whether the release goes into the database that is given.
        tracer: called with every statement that ran.
    """
    from kanon_sql.backends.duckdb_opening import open_file, open_memory, wrap

    spec = given.spec
    settings = Settings(spec.threads, spec.memory_limit, spec.temp_directory)
    if spec.temp_directory is not None and not spec.temp_directory.is_dir():
        raise SpecError("no such folder", where=str(spec.temp_directory), mend="make it first")
    if given.needs_none:
        name = spec.table_file.name if spec.table_file is not None else "the table passed in"
        engine = open_memory(where=name, settings=settings, tracer=tracer)
    elif given.database is None:
        raise SpecError("no database is given", where="--db", mend="give the path of a DuckDB file")
    elif given.is_path:
        engine = open_file(Path(given.database), write=write, settings=settings, tracer=tracer)
    else:
        if settings != Settings():
            raise SpecError(
                "threads, memory_limit and temp_directory belong to a connection that is passed in",
                mend="set them on it before",
            )
        engine = wrap(given.database, tracer=tracer)
    try:
        named = engine.register(given.table) if given.table is not None else None
        yield engine, find_source(engine, spec, named)
    finally:
        if not engine.kept:
            engine.close()
