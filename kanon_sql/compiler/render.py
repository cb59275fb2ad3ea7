"""The one place where a template of ``sql/`` becomes a statement.

A template prints a name only through a filter: ``ident`` and ``path`` quote identifiers, ``literal`` writes
a value, ``sql`` marks text that is SQL already (a type of the catalog, a filter that sqlglot has read).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kanon_sql import resources, sqltext
from kanon_sql.compiler.model import FileScan, Relation, Statement

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The Jinja environment over ``sql/``: strict about undefined names, with the quoting filters."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(resources.sql_folder()),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    env.filters["ident"] = sqltext.quote
    env.filters["path"] = sqltext.quote_path
    env.filters["relation"] = relation
    env.filters["literal"] = sqltext.literal
    env.filters["comment"] = comment_text
    env.filters["sql"] = str
    return env


def relation(value: Relation) -> str:
    """What a statement selects from: a quoted name, or a scan of a file."""
    return (
        render("engine/scan.sql.j2", scan=value) if isinstance(value, FileScan) else sqltext.quote_path(value)
    )


def comment_text(text: str) -> str:
    """Text made safe to stand inside ``/* … */``: no comment can be closed or opened by it.

    Nor is a quotation mark left in it: DuckDB looks for marks even in comments when it sets about turning
    Unicode's spaces outside of quotes into plain ones, and one too many turns those of names.

    >>> comment_text("a */ b"), comment_text("it's")
    ('a * / b', 'it’s')
    """
    safe = str(text).replace("*/", "* /").replace("/*", "/ *")
    return safe.replace("'", "’").replace('"', "”")


def render(template: str, **context: object) -> str:
    """The text of a template, e.g. ``render("check/direct.sql.j2", question=…, vector=(1, 0))``."""
    return environment().get_template(template).render(**context).strip()


def statement(template: str, parameters: dict[str, object] | None = None, **context: object) -> Statement:
    """A statement: the rendered template with the values to bind, named after the template's path."""
    return Statement(template.removesuffix(".sql.j2"), render(template, **context), parameters or {})
