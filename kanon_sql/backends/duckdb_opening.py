"""Opening DuckDB: a file attached to an in-memory database of the run, or a connection that is passed in."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from kanon_sql.backends.base import Settings, Tracer
from kanon_sql.backends.duckdb import DuckDBEngine, deaf_to_interrupts
from kanon_sql.compiler import statement
from kanon_sql.errors import DatabaseError, DataError, SpecError, did_you_mean
from kanon_sql.names import shown_path

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
    *("list_transform", "lower", "ltrim", "max", "md5", "md5_number", "md5_number_lower", "min"),
    *(
        "normalized_interval",
        "range",
        "regexp_matches",
        "round",
        "row_number",
        "sha256",
        "string_agg",
        "sum",
        "trim",
        "unnest",
        "uuid",
    ),
    *("abs", "epoch_ns", "epoch_us", "greatest", "hash", "isfinite", "lead", "least", "ln", "nullif"),
)
# Statements that run side by side: beyond a few of them, what each costs by itself is more than it saves.
MOST_LANES = 4


def open_memory(
    *, where: str, settings: Settings | None = None, tracer: Tracer | None = None
) -> DuckDBEngine:
    """Open an in-memory database, for a source that is a file or an object of the caller's.

    Raises:
        SpecError: a setting that the engine does not take.
        DatabaseError: the temporary directory cannot be written.
    """
    # Until an engine owns it, nobody would take the folder for spilled data away.
    with deaf_to_interrupts():
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
        lanes=min(settings.threads or os.cpu_count() or 1, MOST_LANES),
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
