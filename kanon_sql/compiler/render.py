"""The one place where a template of ``sql/`` becomes a statement.

A template prints a name only through a filter: ``ident`` and ``path`` quote identifiers, ``literal`` writes
a value, ``sql`` marks text that is SQL already (a type of the catalog, a filter that sqlglot has read).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kanon_sql import resources, sqltext
from kanon_sql.compiler.model import FileScan, Question, Relation, Statement

if TYPE_CHECKING:
    from jinja2 import Environment


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The Jinja environment over ``sql/``: strict about undefined names, with the quoting filters."""
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, FunctionLoader, StrictUndefined

    env = Environment(
        loader=ChoiceLoader([FileSystemLoader(resources.sql_folder()), FunctionLoader(_of_another_package)]),
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
    env.globals["judgements"] = _judgements
    env.globals["reads_source"] = _reads_source
    env.globals["names"] = numbered
    return env


def numbered(prefix: str, things: Collection[object]) -> list[str]:
    """A name for each of some things.

    >>> numbered("qi_", (0, 3))
    ['qi_0', 'qi_1']
    """
    return [f"{prefix}{i}" for i in range(len(things))]


def _reads_source(question: Question, column: int) -> bool:
    from kanon_sql.compiler.judging import reads_source

    return reads_source(question, column)


def _judgements(question: Question) -> object:
    from kanon_sql.compiler.judging import judgements

    return judgements(question)


def _of_another_package(template: str) -> str | None:
    """The text of ``package:path``, a template that another package brings with its model."""
    package, colon, path = template.partition(":")
    return files(package).joinpath(path).read_text(encoding="utf-8") if colon else None


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
