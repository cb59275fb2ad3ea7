"""What every job asks of its source first."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends import Engine
from kanon_sql.catalog import SourceTable
from kanon_sql.compiler import Source, questions
from kanon_sql.errors import DataError
from kanon_sql.spec import TableName


def refuse_null_persons(engine: Engine, source: Source, shown: str) -> tuple[int, int | None]:
    """The rows of a source, and its persons where they are counted.

    Raises:
        DataError: a row's person is NULL.
    """
    [(rows, persons, without)] = engine.run(questions.totals(source))
    if without:
        raise DataError(
            f"the person column {source.person} is NULL in {without} row(s): whose they are is unknown",
            where=shown,
            mend="fill it in, or leave those rows out with a row filter",
        )
    return rows, persons if source.person is not None else None


def table_name(table: SourceTable, engine: Engine) -> str:
    """A source as its user would name it."""
    return shown_table(table.catalogued.path, engine) if table.catalogued is not None else table.shown


def shown_table(path: Sequence[str], engine: Engine) -> str:
    """A table as its user would name it: without the default catalog and schema."""
    default = engine.default_schema
    if tuple(path[:2]) == default or path[0] == "temp":
        return str(TableName((path[2],)))
    return str(TableName(tuple(path[1:]) if path[0] == default[0] else tuple(path)))
