"""DuckDB, embedded: a file attached to an in-memory database of the run, or a connection passed in.

A statement runs in a worker thread while the caller's thread waits in short steps, so that Ctrl-C is seen
at once and the statement can be interrupted (DuckDB 2.0 itself looks for signals only when a query ends).
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.backends.base import Catalogued, Executed, Row, Tracer
from kanon_sql.compiler import Statement, statement
from kanon_sql.errors import DatabaseError, DataError, SpecError

if TYPE_CHECKING:
    import pyarrow

POLL_SECONDS = 0.05
# Names that DuckDB keeps for itself as catalogs.
RESERVED_CATALOGS = {"memory", "system", "temp"}


class DuckDBEngine:
    """One DuckDB connection and the scratch tables of a run. Made by :func:`open_file` or :func:`wrap`."""

    def __init__(
        self,
        connection: Any,
        *,
        where: str,
        owned: bool,
        default_schema: tuple[str, str],
        temp_directory: Path | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self.connection = connection
        self.where = where
        self._owned = owned
        self._default_schema = default_schema
        self._temp_directory = temp_directory
        self._tracer = tracer
        self._scratch: list[str] = []
        self._prefix = "kanon_" if owned else f"kanon_{secrets.token_hex(4)}_"
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="kanon-sql")

    # -- running --------------------------------------------------------------------------------------

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> list[Row]:
        """Run one statement and give its rows (see :class:`~kanon_sql.backends.base.Engine`)."""
        started = time.perf_counter()
        rows: list[Row] = self._call(lambda: self._fetch(statement), statement.name, progress)
        if self._tracer:
            self._tracer(Executed(statement.name, statement.sql, time.perf_counter() - started, len(rows)))
        return rows

    def arrow(self, statement: Statement) -> pyarrow.Table:
        """Run one query and give its whole result as an Arrow table."""

        def fetch() -> Any:
            return self.connection.sql(statement.sql).to_arrow_table()

        return self._call(fetch, statement.name, None)

    def _fetch(self, statement: Statement) -> list[Row]:
        parameters = dict(statement.parameters)
        result = (
            self.connection.execute(statement.sql, parameters)
            if parameters
            else self.connection.execute(statement.sql)
        )
        return result.fetchall() if result is not None and result.description else []

    def _call(
        self,
        work: Callable[[], Any],
        name: str,
        progress: Callable[[float], None] | None,
        *,
        stoppable: bool = True,
    ) -> Any:
        try:
            future = self._worker.submit(work)
            return self._wait(future, progress) if stoppable else self._wait_out(future)
        except Exception as error:
            raise _translate(error, self.where, name) from error

    def _wait(self, future: Future[Any], progress: Callable[[float], None] | None) -> Any:
        try:
            while True:
                try:
                    return future.result(timeout=POLL_SECONDS)
                except TimeoutError:
                    if future.done():
                        raise
                    if progress:
                        percent = float(self.connection.query_progress())
                        progress(min(max(percent, 0.0), 100.0))
        except KeyboardInterrupt:
            self._stop(future)
            raise

    def _wait_out(self, future: Future[Any]) -> Any:
        """Wait for work that must not be stopped half-way: a commit. Ctrl-C comes too late for it."""
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                continue

    def _stop(self, future: Future[Any]) -> None:
        """Interrupt until the engine has let go; a second Ctrl-C changes nothing."""
        while not future.done():
            try:
                self.connection.interrupt()
                time.sleep(POLL_SECONDS / 5)
            except KeyboardInterrupt:
                continue

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: committed at the end of the block, rolled back on any exception."""
        self._control("begin", self.connection.begin)
        try:
            yield
            self._control("commit", self.connection.commit, stoppable=False)
        except BaseException:
            with contextlib.suppress(Exception):
                self._control("rollback", self.connection.rollback)
            raise

    def _control(self, word: str, work: Callable[[], Any], *, stoppable: bool = True) -> None:
        started = time.perf_counter()
        self._call(work, word, None, stoppable=stoppable)
        if self._tracer:
            self._tracer(Executed(word, word.upper(), time.perf_counter() - started, 0))

    # -- catalog --------------------------------------------------------------------------------------

    def tables(self) -> Sequence[Catalogued]:
        """Every table and view of the catalog but the run's own scratch tables."""
        own = set(self._scratch)
        return [
            Catalogued((catalog, schema, name), kind, temporary)
            for catalog, schema, name, temporary, kind in self.run(statement("catalog/tables.sql.j2"))
            if name not in own
        ]

    def schemas(self) -> Sequence[tuple[str, str]]:
        """Every (catalog, schema)."""
        return [(catalog, schema) for catalog, schema in self.run(statement("catalog/schemas.sql.j2"))]

    def columns(self, table: tuple[str, str, str]) -> list[tuple[str, str]]:
        """The columns of a table, in order: (name, type)."""
        names = dict(zip(("catalog", "schema", "name"), table, strict=True))
        return [(name, kind) for name, kind in self.run(statement("catalog/columns.sql.j2", {**names}))]

    @property
    def default_schema(self) -> tuple[str, str]:
        """The (catalog, schema) that an unqualified name points into."""
        return self._default_schema

    # -- scratch --------------------------------------------------------------------------------------

    @property
    def temporary_scratch(self) -> bool:
        """Temporary tables on a connection that was passed in; tables of the run's own database else."""
        return not self._owned

    def scratch(self, name: str) -> str:
        """A name for a scratch table of this run."""
        full = self._prefix + name
        self._scratch.append(full)
        return full

    @cached_property
    def version(self) -> str:
        """The engine and its version."""
        import duckdb

        return f"DuckDB {duckdb.__version__}"

    def close(self) -> None:
        """Drop the scratch tables, close what is ours; never raises."""
        if not self._owned:
            for table in self._scratch:
                with contextlib.suppress(Exception):
                    self.run(statement("engine/drop.sql.j2", table=table))
        else:
            with contextlib.suppress(Exception):
                self.connection.close()
        self._worker.shutdown(wait=True)
        if self._temp_directory is not None:
            shutil.rmtree(self._temp_directory, ignore_errors=True)


def open_file(
    path: Path,
    *,
    write: bool = False,
    tracer: Tracer | None = None,
) -> DuckDBEngine:
    """Open a database file beside an in-memory database that holds the run's scratch tables.

    Args:
        path: an existing DuckDB file.
        write: whether the release goes into that very file; otherwise it is opened read-only.
        tracer: called with every statement that ran.

    Raises:
        DataError: there is no such file.
        DatabaseError: it is not a DuckDB database, is locked, or was written by a newer version.
    """
    if not path.exists():
        raise DataError("no such database file", where=str(path), mend="check the path given as --db")
    if path.is_dir():
        raise DatabaseError("this is a folder, not a database file", where=str(path))
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        raise DatabaseError(f"the database file cannot be read ({error.strerror})", where=str(path)) from None
    import duckdb

    temp_directory = Path(tempfile.mkdtemp(prefix="kanon-sql-"))
    connection = duckdb.connect(":memory:", config={"temp_directory": str(temp_directory)})
    alias = "source" if path.stem.lower() in RESERVED_CATALOGS or not path.stem else path.stem
    engine = DuckDBEngine(
        connection,
        where=str(path),
        owned=True,
        default_schema=(alias, "main"),
        temp_directory=temp_directory,
        tracer=tracer,
    )
    try:
        for name, value in (("enable_progress_bar", True), ("enable_progress_bar_print", False)):
            engine.run(statement("engine/setting.sql.j2", name=name, value=value))
        engine.run(statement("engine/attach.sql.j2", path=str(path), alias=alias, read_only=not write))
    except BaseException:
        engine.close()
        raise
    return engine


def wrap(connection: Any, *, tracer: Tracer | None = None) -> DuckDBEngine:
    """Work on a connection that was passed in: scratch is temporary tables, nothing else of it changes.

    Any object that delegates to a DuckDB connection will do (``execute``, ``begin``, ``interrupt`` …).

    Raises:
        SpecError: it has an open transaction, or is no DuckDB connection.
        DatabaseError: it is closed or busy.
    """
    if not all(hasattr(connection, name) for name in ("execute", "begin", "commit", "rollback", "interrupt")):
        raise SpecError(
            f"a {type(connection).__name__} is neither a path nor a DuckDB connection",
            where="database",
            mend="pass the path of a database file, or an open duckdb connection",
        )
    engine = DuckDBEngine(connection, where="connection", owned=False, default_schema=("", ""), tracer=tracer)
    try:
        session = statement("catalog/session.sql.j2")
        [(catalog, schema, first)] = engine.run(session)
        [(_, _, second)] = engine.run(session)
        # In autocommit every statement is a transaction of its own, with its own number.
        if first == second:
            raise SpecError(
                "the connection has an open transaction",
                where="connection",
                mend="commit or roll back before anonymizing: a release is committed by itself",
            )
    except BaseException:
        engine.close()
        raise
    engine._default_schema = (catalog, schema)
    return engine


def _translate(error: Exception, where: str, name: str) -> Exception:
    """An engine's error as ours, in one line; our own pass through."""
    import duckdb

    if not isinstance(error, duckdb.Error | RuntimeError):
        return error
    text = str(error)
    first_line = text.strip().split("\n", 1)[0]
    if isinstance(error, duckdb.InterruptException) or "interrupted" in text.lower():
        return DatabaseError("the statement was interrupted", where=where)
    if "Could not set lock" in text:
        holder = re.search(r"held in (\S+) \(PID (\d+)\)", text)
        by = f"process {holder[2]} ({Path(holder[1]).name})" if holder else "another process"
        return DatabaseError(
            f"the database is locked by {by}",
            where=where,
            mend="close it there, or work on a copy; a read-only run can share it with other readers",
        )
    if "not a valid DuckDB database file" in text:
        return DatabaseError("this is not a DuckDB database file", where=where)
    if "version number" in text and "database file" in text:
        return DatabaseError(
            "the file was written by another version of DuckDB than the one installed",
            where=where,
            mend=first_line,
        )
    if "different configuration" in text or "already attached" in text or "Unique file handle" in text:
        return DatabaseError(
            "the file is open in this very process already",
            where=where,
            mend="pass that connection instead of the path, or close it first",
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        if "temp" in text and ("directory" in text or "disk" in text.lower()):
            return DatabaseError("the temporary directory is full", where=where, mend="free disk space")
        return DatabaseError(
            "the engine ran out of memory", where=where, mend="raise its memory limit or free memory"
        )
    if "No space left" in text or "could not write" in text.lower():
        return DatabaseError("the disk is full", where=where, mend="free disk space")
    return DatabaseError(f"the engine refused the statement {name!r}", where=where, values=(first_line,))
