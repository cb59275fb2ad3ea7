"""The user's names meet the catalog: tables, schemas and columns, resolved as DuckDB resolves them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql import sqltext
from kanon_sql.backends import Catalogued, Engine
from kanon_sql.backends.files import file_columns, scan_file
from kanon_sql.compiler import FileScan, Relation, Source, statement
from kanon_sql.errors import DatabaseError, DataError, SpecError, did_you_mean
from kanon_sql.names import find_name
from kanon_sql.spec import Spec, TableName

# The catalog of a run that has no database file.
MEMORY = "memory"
# Give another answer another day, or in another session, though DuckDB lists no function of that name or
# calls it consistent.
_NOT_REPEATABLE = {
    "age(timestamp)",
    "current_date",
    "current_setting",
    "current_time",
    "current_timestamp",
    "get_current_time",
    "getvariable",
    "localtime",
    "localtimestamp",
    "now",
    "random",
    "uuid",
}


# The collations that compare bytes.
_BYTEWISE = {"binary", "c", "posix"}


@dataclass(frozen=True)
class SourceTable:
    """What a run reads, whatever it is.

    Attributes:
        relation: what statements select from.
        shown: what people call it.
        types: its columns in order, with the catalog's word for their types.
        catalogued: its entry in the catalog, where it has one.
    """

    relation: Relation
    shown: str
    types: dict[str, str]
    catalogued: Catalogued | None = None


def find_source(engine: Engine, spec: Spec, named: tuple[str, str, str] | None = None) -> SourceTable:
    """The source of a run: something registered by name, a file, or a table or view of the database.

    Args:
        engine: where it is looked for.
        spec: names the table or the file.
        named: the view that an object of the caller's was registered as.

    Raises:
        SpecError: no table is named.
        DataError: there is no such table or file.
    """
    if named is not None:
        return SourceTable(named, "the table passed in", dict(engine.columns(named)))
    if spec.table_file is not None and (
        spec.table is None or not _look_up(engine, spec.table, engine.tables())
    ):
        scan = scan_file(engine, spec.table_file)
        return SourceTable(scan, scan.name, dict(file_columns(engine, scan)))
    if spec.table is None:
        raise SpecError("no table is named", where="--table", mend="say which table")
    table = resolve_table(engine, spec.table)
    return SourceTable(table.path, table.path[2], dict(engine.columns(table.path)), table)


def resolve_table(engine: Engine, name: TableName, where: str = "--table") -> Catalogued:
    """The table or view that a name means: a temporary one first, then the default schema's.

    ``a.b`` is table b of schema a, or table b of the catalog a's main schema.

    Args:
        engine: where it is looked for.
        name: the name.
        where: the word that names it, for the error.

    Raises:
        DataError: there is none; the near match is named.
    """
    tables = engine.tables()
    found = _look_up(engine, name, tables)
    if found is not None:
        return found
    default = engine.default_schema
    known = [str(TableName(t.path[2:] if t.path[:2] == default else t.path[1:])) for t in tables]
    hint = did_you_mean(str(name), known) or did_you_mean(name.parts[-1], [t.path[2] for t in tables])
    raise DataError(
        f"no such table or view: {name}",
        where=where,
        mend=hint
        or (f"there are: {', '.join(sorted(known)[:8])}" if known else "the database has no tables"),
    )


def _look_up(engine: Engine, name: TableName, tables: Sequence[Catalogued]) -> Catalogued | None:
    parts = name.parts
    homes: list[tuple[str, str] | None] = []
    if len(parts) == 1:
        homes = [None, engine.default_schema]
    elif len(parts) == 2:
        homes = [(engine.default_schema[0], parts[0]), (parts[0], "main")]
    else:
        homes = [(parts[0], parts[1])]
    for home in homes:
        if home is None:
            pool = [t for t in tables if t.temporary]
        else:
            pool = [t for t in tables if find_name(home[0], [t.path[0]]) and find_name(home[1], [t.path[1]])]
        match = find_name(parts[-1], [t.path[2] for t in pool])
        if match is not None:
            return next(t for t in pool if t.path[2] == match)
    return None


def resolve_output(
    engine: Engine, name: TableName, source: SourceTable, *, database: str | None = None
) -> tuple[tuple[str, str, str], Catalogued | None]:
    """Where a release goes, and the table or view that stands there already.

    Args:
        engine: the engine whose catalog is asked.
        name: the name that the user gave.
        source: the source, which may not be the output.
        database: the catalog that the release goes into; by default that of the source.

    Raises:
        DataError: there is no such schema.
        SpecError: the output is the source itself, or lies in another database.
    """
    parts = name.parts
    schemas = list(engine.schemas())
    home: tuple[str, str] | None
    own = (database, "main") if database is not None else engine.default_schema
    if len(parts) == 1:
        home = own
    elif len(parts) == 2:
        home = _schema(schemas, own[0], parts[0]) or _schema(schemas, parts[0], "main")
    else:
        home = _schema(schemas, parts[0], parts[1])
    if home is None:
        known = [schema for catalog, schema in schemas if catalog == own[0]]
        raise DataError(
            f"no such schema: {TableName(parts[:-1])}",
            where="--output",
            mend=did_you_mean(parts[-2], known) or f"create it first, or use one of: {', '.join(known)}",
        )
    # On a connection of the run's own, one database is open for writing.
    if own[0] != home[0] and not engine.temporary_scratch:
        raise SpecError(
            f"the release cannot go into the database {home[0]}",
            where="--output",
            mend=f"name a table of {own[0]}",
        )
    there = [t for t in engine.tables() if t.path[:2] == home]
    taken = find_name(parts[-1], [t.path[2] for t in there])
    existing = next((t for t in there if t.path[2] == taken), None) if taken else None
    if existing is not None and existing.path == source.relation:
        raise SpecError(
            f"the output is the source itself: {name}", where="--output", mend="name another table"
        )
    path = existing.path if existing is not None else (*home, parts[-1])
    return path, existing


def _schema(schemas: Sequence[tuple[str, str]], catalog: str, schema: str) -> tuple[str, str] | None:
    return next(
        (each for each in schemas if find_name(catalog, [each[0]]) and find_name(schema, [each[1]])), None
    )


def resolve_column(column: str, known: Sequence[str], *, role: str, table: str) -> str:
    """The column of the table that a name means.

    Raises:
        DataError: there is none; the near match is named.
    """
    found = find_name(column, known)
    if found is None:
        raise DataError(
            f"no column {column!r} ({role})",
            where=table,
            mend=did_you_mean(column, known) or f"the columns are: {', '.join(known)}",
        )
    return found


def refuse_collations(engine: Engine, table: SourceTable, columns: Sequence[str]) -> None:
    """Refuse text that the engine compares by a collation: it would count as equal what a reader can tell apart.

    Raises:
        DataError: the connection's default collation, or that of one of the columns, is more than the bytes.
    """
    text = [column for column in columns if table.types[column] == "VARCHAR"]
    probe = None
    if text and not isinstance(table.relation, FileScan):
        probe = engine.scratch("collations")
        engine.run(
            statement(
                "catalog/collation_probe.sql.j2",
                probe=probe,
                relation=table.relation,
                columns=text,
                temporary=engine.temporary_scratch,
            )
        )
    [(default, definition)] = engine.run(statement("catalog/collations.sql.j2", {"name": probe}))
    if probe is not None:
        engine.run(statement("engine/drop.sql.j2", table=probe))
    if default and default.lower() not in _BYTEWISE:
        raise DataError(
            f"the connection compares text by the collation {default}, so that text that differs is equal",
            where="default_collation",
            mend="reset default_collation on it, or pass another connection to the same database",
        )
    for at, collation in re.findall(r'\bc(\d+) VARCHAR COLLATE ("[^"]+"|[^\s,;)]+)', definition or ""):
        if collation.strip('"').lower() not in _BYTEWISE:
            raise DataError(
                f"column {text[int(at)]} has the collation {collation}: text that differs is equal in it, and "
                "classes would mix what a reader of the release can tell apart",
                where=table.shown,
                mend=f"make a view in which it is {sqltext.quote(text[int(at)])} COLLATE POSIX (compared by its "
                "bytes), or folded for good, as by lower(), and name that",
            )


def read_filter(engine: Engine, text: str, table: SourceTable, *, where: str = "--where") -> str:
    """A user's row filter, checked against the table and the functions that the engine knows.

    Raises:
        SpecError: it is not one boolean expression, or calls a function whose answer may change.
        DataError: it names a column that the table does not have.
    """
    parsed = sqltext.read_row_filter(text, where=where)
    for column in parsed.columns:
        resolve_column(column, list(table.types), role=where, table=table.shown)
    refused = {name: "volatile" for name in parsed.functions if name in _NOT_REPEATABLE}
    if parsed.functions:
        names = {"names": json.dumps(list(parsed.functions))}
        refused |= dict(engine.run(statement("catalog/functions.sql.j2", {**names})))
    if refused:
        name, reason = next(iter(sorted(refused.items())))
        raise SpecError(
            f"the row filter calls {name}(), "
            + (
                "a macro, whose answer kanon-sql cannot vouch for"
                if reason == "macro"
                else "whose answer may change from one statement to the next"
            ),
            where=where,
            mend="write the value itself, such as DATE '2024-01-01'",
        )
    source = Source(table.relation, parsed.sql)
    try:
        engine.run(statement("catalog/try_filter.sql.j2", source=source))
    except (DatabaseError, DataError) as error:
        raise SpecError(
            "the engine refuses the row filter",
            where=where,
            values=error.values,
            mend="write a condition that is true or false of a row",
        ) from error
    return parsed.sql
