"""DuckDB, embedded: how a statement runs on it, and what is left of a run. Opened by :mod:`.duckdb_opening`.

A statement runs in a worker thread while the caller's thread waits in short steps, so that Ctrl-C is seen
at once and the statement can be interrupted (DuckDB 2.0 itself looks for signals only when a query ends).
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.backends.base import Catalogued, Executed, Row, Tracer
from kanon_sql.backends.duckdb_errors import translate
from kanon_sql.backends.files import file_columns
from kanon_sql.compiler import FileScan, Relation, Statement, statement
from kanon_sql.errors import DatabaseError, InterruptedLate, SpecError
from kanon_sql.names import ascii_fold, shown_path

if TYPE_CHECKING:
    import pyarrow

POLL_SECONDS = 0.05
# Names that DuckDB keeps for itself as catalogs.
RESERVED_CATALOGS = {"main", "memory", "system", "temp"}


class DuckDBEngine:
    """One DuckDB connection and the scratch tables of a run. Made by :mod:`.duckdb_opening`."""

    def __init__(
        self,
        connection: Any,
        *,
        where: str,
        owned: bool,
        default_schema: tuple[str, str],
        temp_directory: Path | None = None,
        tracer: Tracer | None = None,
        lanes: int = 1,
    ) -> None:
        self.connection = connection
        self.lanes = lanes
        self.where = where
        self._owned = owned
        self._default_schema = default_schema
        # Also where nobody closes a kept engine: it is gone with its result, at the latest when Python ends.
        self._forget_spilled = (
            weakref.finalize(self, shutil.rmtree, temp_directory, ignore_errors=True)
            if temp_directory
            else None
        )
        self._tracer = tracer
        self._scratch: list[str] = []
        self._registered: list[str] = []
        # Set when somebody still reads from this engine after the run: closing is then theirs.
        self.kept = False
        self._prefix = "kanon_" if owned else f"kanon_{secrets.token_hex(4)}_"
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="kanon-sql")
        # More connections to the same database, opened when statements are first run side by side.
        self._beside: list[tuple[Any, ThreadPoolExecutor]] = []

    # -- running --------------------------------------------------------------------------------------

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> list[Row]:
        """Run one statement and give its rows (see :class:`~kanon_sql.backends.base.Engine`)."""
        with self._traced(statement.name, statement.sql) as counted:
            rows: list[Row] = self._call(lambda: self._fetch(statement), statement.name, progress)
            counted(len(rows))
        return rows

    def run_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run statements that only read, side by side (see :class:`~kanon_sql.backends.base.Engine`)."""
        if self.lanes == 1 or len(statements) <= 1:
            return [self.run(each) for each in statements]
        while len(self._beside) < self.lanes:
            self._beside.append((self.connection.cursor(), ThreadPoolExecutor(1, "kanon-sql")))

        def fetch(connection: Any, each: Statement) -> tuple[list[Row], float]:
            started = time.perf_counter()
            return self._fetch(each, connection), time.perf_counter() - started

        running: list[tuple[Future[tuple[list[Row], float]], Any]] = []
        try:
            for each, (connection, worker) in zip(statements, cycle(self._beside), strict=False):
                running.append((worker.submit(fetch, connection, each), connection))
            while wait([future for future, _ in running], timeout=POLL_SECONDS).not_done:
                pass
        except KeyboardInterrupt:
            self._stop(running)
            raise
        answers = []
        for each, (future, _) in zip(statements, running, strict=True):
            try:
                rows, seconds = future.result()
            except Exception as error:
                raise translate(error, self.where, each.name) from error
            if self._tracer:
                self._tracer(Executed(each.name, each.sql, seconds, len(rows)))
            answers.append(rows)
        return answers

    @contextlib.contextmanager
    def _traced(self, name: str, sql: str) -> Iterator[Callable[[int], None]]:
        """Tell the tracer of a statement when it is done, or has failed."""
        started, rows = time.perf_counter(), 0

        def counted(number: int) -> None:
            nonlocal rows
            rows = number

        def tell(failed: bool) -> None:
            if self._tracer:
                self._tracer(Executed(name, sql, time.perf_counter() - started, rows, failed))

        try:
            yield counted
        except BaseException:
            tell(failed=True)
            raise
        tell(failed=False)

    def arrow(self, statement: Statement) -> pyarrow.Table:
        """Run one query and give its whole result as an Arrow table."""

        def fetch() -> Any:
            return self.connection.sql(statement.sql).to_arrow_table()

        return self._call(fetch, statement.name, None)

    def reader(self, statement: Statement, batch_size: int) -> pyarrow.RecordBatchReader:
        """Run one query and give its result as Arrow batches, as they are asked for."""

        def fetch() -> Any:
            return self.connection.sql(statement.sql).to_arrow_reader(batch_size)

        return self._call(fetch, statement.name, None)

    def _fetch(self, statement: Statement, beside: Any = None) -> list[Row]:
        connection = self.connection if beside is None else beside
        parameters = dict(statement.parameters)
        result = (
            connection.execute(statement.sql, parameters) if parameters else connection.execute(statement.sql)
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
            raise translate(error, self.where, name) from error

    def _wait(self, future: Future[Any], progress: Callable[[float], None] | None) -> Any:
        try:
            while True:
                try:
                    return future.result(timeout=POLL_SECONDS)
                except TimeoutError:
                    if future.done():
                        # It ended between the time-out and this line.
                        return future.result()
                    if progress:
                        percent = float(self.connection.query_progress())
                        progress(min(max(percent, 0.0), 100.0))
        except KeyboardInterrupt:
            self._stop([(future, self.connection)])
            raise

    def _wait_out(self, future: Future[Any]) -> Any:
        """Wait for work that must not be stopped half-way: a commit. Ctrl-C comes too late for it."""
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                continue

    def _stop(self, running: Sequence[tuple[Future[Any], Any]]) -> None:
        """Interrupt connections until each has let go of its work; a second Ctrl-C changes nothing."""
        while True:
            try:
                left = [connection for future, connection in running if not future.done()]
                if not left:
                    return
                for connection in left:
                    connection.interrupt()
                time.sleep(POLL_SECONDS / 5)
            except KeyboardInterrupt:
                continue

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: committed at the end of the block, rolled back on any exception."""
        self._control("begin", self.connection.begin)
        committed = False
        try:
            yield
            with self._traced("commit", "COMMIT"):
                self._call(self.connection.commit, "commit", None, stoppable=False)
                committed = True
        except BaseException as error:
            if committed:
                if isinstance(error, KeyboardInterrupt):
                    raise InterruptedLate from error
                raise
            with contextlib.suppress(Exception):
                self._control("rollback", self.connection.rollback)
            raise

    def _control(self, word: str, work: Callable[[], Any]) -> None:
        with self._traced(word, word.upper()):
            self._call(work, word, None)

    # -- catalog --------------------------------------------------------------------------------------

    def tables(self) -> Sequence[Catalogued]:
        """Every table and view of the catalog but the run's own scratch tables."""
        # Only scratch of this run is hidden, never a table of the user's that happens to be called alike.
        own = {(home, name) for home in ("memory", "temp") for name in self._scratch}
        return [
            Catalogued((catalog, schema, name), kind, temporary)
            for catalog, schema, name, temporary, kind in self.run(statement("catalog/tables.sql.j2"))
            if (catalog, name) not in own
        ]

    def schemas(self) -> Sequence[tuple[str, str]]:
        """Every (catalog, schema)."""
        return [(catalog, schema) for catalog, schema in self.run(statement("catalog/schemas.sql.j2"))]

    def columns(self, relation: Relation) -> list[tuple[str, str]]:
        """The columns of a table, view or file, in order: (name, type)."""
        if isinstance(relation, FileScan):
            return file_columns(self, relation)
        names = dict(zip(("catalog", "schema", "name"), relation, strict=True))
        return [(name, kind) for name, kind in self.run(statement("catalog/columns.sql.j2", {**names}))]

    @property
    def default_schema(self) -> tuple[str, str]:
        """The (catalog, schema) that an unqualified name points into."""
        return self._default_schema

    def register(self, table: Any) -> tuple[str, str, str]:
        """Give an object of the caller's (an Arrow table, a data frame, a DuckDB relation) a name to select from.

        Raises:
            SpecError: it is no kind of table that the engine knows, or a relation of another connection.
        """
        name = self.scratch("source")
        # Not by a relation's own SQL: on another connection its names may mean other tables.
        relation = hasattr(table, "sql_query")
        if hasattr(table, "read_all"):
            # A reader can be read once, and a run reads its source several times.
            table = table.read_all()
        try:
            self._call(lambda: self.connection.register(name, table), "register", None)
        except (DatabaseError, TypeError) as error:
            if relation:
                raise SpecError(
                    "the relation cannot be read on this connection",
                    where="table",
                    values=getattr(error, "values", ()),
                    mend="pass the connection that it belongs to as the database",
                ) from error
            raise SpecError(
                f"a {type(table).__name__} is no kind of table that DuckDB knows",
                where="table",
                mend="pass a name, an Arrow table, a pandas or polars frame, or a DuckDB relation",
            ) from error
        self._registered.append(name)
        return ("temp", "main", name)

    def attach(self, path: Path, *, write: bool, shown: Path | None = None) -> str:
        """Attach one more database file and give the catalog's name; errors call the file ``shown``."""
        alias = catalog_name(path, {ascii_fold(catalog) for catalog, _ in self.schemas()})
        try:
            self.run(statement("engine/attach.sql.j2", path=str(path), alias=alias, read_only=not write))
        except DatabaseError as error:
            where = shown_path(shown or path)
            raise DatabaseError(error.what, where=where, mend=error.mend, values=error.values) from error
        return alias

    def detach(self, alias: str) -> None:
        """Let go of an attached database file."""
        self.run(statement("engine/detach.sql.j2", alias=alias))

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
        """Drop the scratch tables, close what is ours; never raises, and Ctrl-C does not stop it."""
        with deaf_to_interrupts():
            self._close()

    def _close(self) -> None:
        for connection, worker in self._beside:
            with contextlib.suppress(Exception):
                connection.close()
            worker.shutdown(wait=True)
        if not self._owned:
            for name in self._registered:
                with contextlib.suppress(Exception):
                    self.connection.unregister(name)
            for table in self._scratch:
                for template in ("engine/drop.sql.j2", "engine/drop_view.sql.j2"):
                    with contextlib.suppress(Exception):
                        self.run(statement(template, table=table))
        else:
            with contextlib.suppress(Exception):
                self.connection.close()
        self._worker.shutdown(wait=True)
        if self._forget_spilled is not None:
            self._forget_spilled()


@contextlib.contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: only a program's main thread can, and only there is it heard."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.default_int_handler)


def catalog_name(path: Path, taken: AbstractSet[str] = frozenset()) -> str:
    """What a database file is called once it is attached: its stem, as DuckDB itself would, or nearly so.

    >>> catalog_name(Path("warehouse.duckdb")), catalog_name(Path("memory.duckdb"))
    ('warehouse', 'memory_2')
    """
    stem = path.stem or "database"
    names = (stem if i == 1 else f"{stem}_{i}" for i in count(1))
    return next(name for name in names if ascii_fold(name) not in taken | RESERVED_CATALOGS)
