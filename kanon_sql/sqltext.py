"""The only room that knows sqlglot: quoting, literals, a user's filter, pretty-printing, transpiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kanon_sql.errors import SpecError

DIALECT = "duckdb"

# What a row filter may not hold: anything that reads another table, changes something, or sees more
# than one row.
_NOT_IN_A_FILTER: tuple[type[Any], ...] = (
    exp.Query,
    exp.Command,
    exp.DDL,
    exp.DML,
    exp.Window,
    exp.AggFunc,
    exp.Star,
    exp.Placeholder,
    exp.Parameter,
)


@dataclass(frozen=True)
class RowFilter:
    """A user's row filter: one boolean expression over one row.

    Attributes:
        sql: the expression as sqlglot prints it, in DuckDB's dialect.
        columns: the columns that it names, as written.
        functions: the functions that it calls, lower case, as DuckDB calls them; one that reads the clock only
            when it is given one argument (``age``) is called ``age(timestamp)`` then.
    """

    sql: str
    columns: tuple[str, ...]
    functions: tuple[str, ...]


@lru_cache(maxsize=4096)
def quote(name: str) -> str:
    """An identifier, always quoted.

    >>> quote('a"b')
    '"a""b"'
    """
    return exp.to_identifier(name, quoted=True).sql(dialect=DIALECT)


def quote_path(parts: Sequence[str]) -> str:
    """A dotted name, each part quoted.

    >>> quote_path(["main", "Marital Status"])
    '"main"."Marital Status"'
    """
    return ".".join(quote(part) for part in parts)


def literal(value: str | int | float | bool | None) -> str:
    """A value as a SQL literal.

    >>> literal("it's"), literal(5), literal(None), literal(True)
    ("'it''s'", '5', 'NULL', 'TRUE')
    """
    return exp.convert(value).sql(dialect=DIALECT)


def read_row_filter(text: str, *, where: str = "where") -> RowFilter:
    """Parse a user's filter and refuse whatever is not one expression over one row.

    Args:
        text: the filter as the user wrote it, DuckDB's dialect.
        where: how errors name the place it came from.

    Raises:
        SpecError: it does not parse, or holds a query, a command, an aggregate, a window or a parameter.

    >>> read_row_filter("age > 30 AND upper(ward) = 'A'").columns
    ('age', 'ward')
    """
    try:
        parsed = [tree for tree in sqlglot.parse(f"SELECT 1 WHERE ({text}\n)", read=DIALECT) if tree]
    except SqlglotError as error:
        details = getattr(error, "errors", None) or [{}]
        near = details[0].get("highlight") or ""
        hint = f" near {near!r}" if near else ""
        raise SpecError(
            f"the row filter does not parse{hint}", where=where, mend="write one SQL expression"
        ) from None
    clause = parsed[0].args.get("where") if len(parsed) == 1 and isinstance(parsed[0], exp.Select) else None
    inner = clause.this if clause is not None else None
    whole = parsed[0] if parsed else None
    if (
        not isinstance(inner, exp.Paren)
        or not isinstance(whole, exp.Select)
        or {name for name, value in whole.args.items() if value} - {"expressions", "where", "kind"}
    ):
        raise SpecError(
            "the row filter is not one expression",
            where=where,
            mend="write one condition over the columns of one row, such as admitted >= DATE '2024-01-01'",
        )
    tree = inner.this
    for forbidden in _NOT_IN_A_FILTER:
        found = tree.find(forbidden)
        if found is not None:
            raise SpecError(
                f"the row filter may not hold {_describe(found)}",
                where=where,
                mend="filter on the columns of one row; make a view for anything more",
            )
    columns = dict.fromkeys(column.name for column in tree.find_all(exp.Column))
    functions = dict.fromkeys(_function_name(function) for function in tree.find_all(exp.Func))
    return RowFilter(tree.sql(dialect=DIALECT, comments=False), tuple(columns), tuple(functions))


def _describe(node: exp.Expression) -> str:
    kinds: list[tuple[type[Any], str]] = [
        (exp.Query, "a query"),
        (exp.Window, "a window function"),
        (exp.AggFunc, "an aggregate"),
        (exp.Star, "a star"),
        (exp.Placeholder, "a parameter"),
        (exp.Parameter, "a parameter"),
    ]
    return next((words for kind, words in kinds if isinstance(node, kind)), "a command")


def _function_name(function: exp.Func) -> str:
    name = _plain_function_name(function)
    arguments = [value for value in function.args.values() if isinstance(value, exp.Expression)]
    arguments += function.expressions
    return f"{name}(timestamp)" if name == "age" and len(arguments) == 1 else name


def _plain_function_name(function: exp.Func) -> str:
    if isinstance(function, exp.Anonymous):
        return str(function.this).lower()
    rendered = function.sql(dialect=DIALECT)
    head = rendered.split("(", 1)[0].strip().lower()
    return head if head.replace("_", "").isalnum() else function.sql_name().lower()


def pretty(sql: str, dialect: str = DIALECT) -> str:
    """One statement, parsed and laid out for reading; refuses anything but one query or one CREATE.

    Raises:
        ValueError: the text is not exactly one SELECT, INSERT or CREATE (a fault of a template).
    """
    trees = [tree for tree in sqlglot.parse(sql, read=DIALECT) if tree is not None]
    if len(trees) != 1 or not isinstance(trees[0], exp.Query | exp.Create | exp.Insert):
        raise ValueError(f"not one query or one CREATE: {sql}")
    return trees[0].sql(dialect=dialect, pretty=True)


def inline_parameters(sql: str, parameters: Mapping[str, object]) -> str:
    """The statement with every named parameter (``$name``) replaced by its value as a literal."""
    tree = sqlglot.parse_one(sql, read=DIALECT)

    def fill(node: exp.Expression) -> exp.Expression:
        if isinstance(node, exp.Parameter | exp.Placeholder):
            name = node.name or node.this
            if name in parameters:
                return cast(exp.Expression, exp.convert(parameters[name]))
        return node

    return tree.transform(fill).sql(dialect=DIALECT, pretty=True)


def data_type(text: str) -> str:
    """A type of the catalog, parsed and written anew, so that no foreign text enters a statement.

    Raises:
        ValueError: it is not one type.

    >>> data_type("DECIMAL(5,2)"), data_type("TIMESTAMP WITH TIME ZONE")
    ('DECIMAL(5, 2)', 'TIMESTAMPTZ')
    """
    try:
        kind = exp.DataType.build(text, dialect=DIALECT)
    except SqlglotError:
        raise ValueError(f"not a type: {text}") from None
    return kind.sql(dialect=DIALECT)


def first_words(sql: str) -> str:
    """A statement without the comments that it starts with.

    >>> first_words("/* kanon: x */ CREATE TABLE t AS SELECT 1")[:12]
    'CREATE TABLE'
    """
    text = sql.lstrip()
    while text.startswith("/*"):
        text = text.partition("*/")[2].lstrip()
    return text
