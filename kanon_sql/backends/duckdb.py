"""DuckDB, embedded: a file attached to an in-memory database of the run, or a connection passed in.

A statement runs in a worker thread while the caller's thread waits in short steps, so that Ctrl-C is seen
at once and the statement can be interrupted (DuckDB 2.0 itself looks for signals only when a query ends).
"""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import signal
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.backends.base import Catalogued, Executed, Row, Settings, Tracer
from kanon_sql.backends.duckdb_errors import translate
from kanon_sql.backends.files import file_columns
from kanon_sql.compiler import FileScan, Relation, Statement, statement
from kanon_sql.errors import DatabaseError, DataError, InterruptedLate, SpecError, did_you_mean
from kanon_sql.names import ascii_fold, shown_path

if TYPE_CHECKING:
    import pyarrow

POLL_SECONDS = 0.05
# Names that DuckDB keeps for itself as catalogs.
# A macro of this name on a connection that is passed in would take the function's place in our statements.
FUNCTIONS_IN_USE = (
    *(
        "bool_or",
        "cast_to_type",
        "coalesce",
        "concat",
        "count",
        "dense_rank",
        "from_json",
        "json_array_length",
    ),
    *("list_transform", "lower", "ltrim", "max", "md5", "md5_number_lower", "min", "normalized_interval"),
    *("range", "regexp_matches", "row_number", "sha256", "string_agg", "sum", "trim", "unnest"),
    *("abs", "epoch_ns", "epoch_us", "greatest", "hash", "isfinite", "lead", "least", "ln", "nullif"),
    *("md5_number", "uuid"),
)
RESERVED_CATALOGS = {"main", "memory", "system", "temp"}


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

    # -- running --------------------------------------------------------------------------------------

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> list[Row]:
        """Run one statement and give its rows (see :class:`~kanon_sql.backends.base.Engine`)."""
        with self._traced(statement.name, statement.sql) as counted:
            rows: list[Row] = self._call(lambda: self._fetch(statement), statement.name, progress)
            counted(len(rows))
        return rows

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
        with _deaf_to_interrupts():
            self._close()

    def _close(self) -> None:
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
def _deaf_to_interrupts() -> Iterator[None]:
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


def open_memory(
    *, where: str, settings: Settings | None = None, tracer: Tracer | None = None
) -> DuckDBEngine:
    """Open an in-memory database, for a source that is a file or an object of the caller's.

    Raises:
        SpecError: a setting that the engine does not take.
        DatabaseError: the temporary directory cannot be written.
    """
    # Until an engine owns it, nobody would take the folder for spilled data away.
    with _deaf_to_interrupts():
        engine = _memory_engine(where, settings or Settings(), tracer)
    # A row filter, or a view that is the source, sees the same times on every machine.
    try:
        for name, value in (
            ("enable_progress_bar", True),
            ("enable_progress_bar_print", False),
            ("TimeZone", "UTC"),
        ):
            engine.run(statement("engine/setting.sql.j2", name=name, value=value))
    except BaseException:
        engine.close()
        raise
    return engine


def _memory_engine(where: str, settings: Settings, tracer: Tracer | None) -> DuckDBEngine:
    import duckdb

    try:
        temp_directory = Path(tempfile.mkdtemp(prefix="kanon-sql-", dir=settings.temp_directory))
    except OSError as error:
        raise DatabaseError(
            f"the temporary directory cannot be written to ({error.strerror})",
            where=str(settings.temp_directory or tempfile.tempdir or "TMPDIR"),
            mend="name another one: temp_directory, --temp-directory",
        ) from None
    config: dict[str, Any] = {"temp_directory": str(temp_directory)}
    if settings.threads is not None:
        config["threads"] = settings.threads
    if settings.memory_limit is not None:
        config["memory_limit"] = settings.memory_limit
    try:
        connection = duckdb.connect(":memory:", config=config)
    except duckdb.Error as error:
        shutil.rmtree(temp_directory, ignore_errors=True)
        raise SpecError(
            "a setting of the engine is refused",
            where="--memory-limit, --threads",
            values=(str(error).split("\n", 1)[0],),
            mend="write a number of threads, and a size such as 6GB",
        ) from None
    return DuckDBEngine(
        connection,
        where=where,
        owned=True,
        default_schema=("memory", "main"),
        temp_directory=temp_directory,
        tracer=tracer,
    )


def open_file(
    path: Path,
    *,
    write: bool = False,
    settings: Settings | None = None,
    tracer: Tracer | None = None,
) -> DuckDBEngine:
    """Open a database file beside an in-memory database that holds the run's scratch tables.

    Args:
        path: an existing DuckDB file.
        write: whether the release goes into that very file; otherwise it is opened read-only.
        settings: what the engine may use.
        tracer: called with every statement that ran.

    Raises:
        DataError: there is no such file.
        DatabaseError: it is not a DuckDB database, is locked, or was written by a newer version.
    """
    shown = shown_path(path)
    if not path.exists():
        near = None
        if path.parent.is_dir():
            near = did_you_mean(path.name, [each.name for each in path.parent.iterdir()])
        raise DataError("no such database file", where=shown, mend=near or "check the path given as --db")
    if path.is_dir():
        raise DatabaseError("this is a folder, not a database file", where=shown)
    try:
        with path.open("rb") as file:
            file.read(1)
    except OSError as error:
        raise DatabaseError(f"the database file cannot be read ({error.strerror})", where=shown) from None
    engine = open_memory(where=shown, settings=settings, tracer=tracer)
    try:
        engine._default_schema = (engine.attach(path, write=write), "main")
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
        names = {"names": json.dumps(FUNCTIONS_IN_USE)}
        shadows = [
            name
            for name, reason in engine.run(statement("catalog/functions.sql.j2", {**names}))
            if reason == "macro"
        ]
        if shadows:
            raise SpecError(
                f"macros of the connection stand in the way of functions that the SQL uses: {', '.join(shadows)}",
                where="connection",
                mend="drop them, or rename them",
            )
    except BaseException:
        engine.close()
        raise
    engine._default_schema = (catalog, schema)
    return engine
