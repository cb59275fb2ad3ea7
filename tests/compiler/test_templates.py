"""The templates of ``sql/``: each says what it asks, and none prints a name that is not quoted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import meta, nodes

from kanon_sql import resources
from kanon_sql.compiler.render import environment
from tests.compiler.cases import CASES, Case
from tests.compiler.template_rules import FILTERS, header, marked_as_sql, raw_values

FOLDER = resources.sql_folder()
TEMPLATES = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.j2"))}
ASKING = {name: path for name, path in TEMPLATES.items() if name != "macros.sql.j2"}
MACRO_FILES = {"macros.sql.j2", "privacy/k_anonymity.sql.j2"}

# What may enter a statement as it is: it was written by sqlglot, by the catalog through sqlglot, or by us.
SQL_ALREADY = {
    "back_type",
    "column.level(i)",  # level_<number>, in the name of a parameter
    "column.sql_type",
    "ground",  # a quoted column in its canonical form
    "name",  # of an engine's option, a constant of the package
    "query",  # the release's query, rendered; or what a DuckDB relation says its SQL is
    "question.source.row_filter",
    "size",  # an aggregate that a macro spelled
    "source.row_filter",
    "sql_type",
    "value",  # what a macro is given: a quoted column, or a cast of one
}


def test_there_are_templates() -> None:
    assert len(TEMPLATES) >= 40


def test_every_file_in_the_folder_is_a_template() -> None:
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == set(TEMPLATES.values())


def test_the_filters_are_those_of_the_environment() -> None:
    assert set(environment().filters) >= FILTERS


# -- what it says of itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_starts_with_a_comment(name: str) -> None:
    assert header(TEMPLATES[name].read_text(encoding="utf-8")).strip()


@pytest.mark.parametrize("name", ASKING)
def test_its_comment_says_what_it_asks(name: str) -> None:
    said = header(ASKING[name].read_text(encoding="utf-8"))
    assert re.match(r"\W*(Question|Step): \S", said)


@pytest.mark.parametrize("name", ASKING)
def test_its_comment_names_its_inputs(name: str) -> None:
    source = ASKING[name].read_text(encoding="utf-8")
    said = header(source)
    tree = environment().parse(source)
    own = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    inputs = meta.find_undeclared_variables(tree) - own
    if inputs:
        assert "Inputs:" in said
    for each in inputs:
        assert re.search(rf"\b{each}\b", said), f"{each} is an input, and the comment does not name it"


@pytest.mark.parametrize("name", CASES)
def test_its_comment_names_its_parameters(name: str) -> None:
    said = header(ASKING[f"{Case(name).template}.sql.j2"].read_text(encoding="utf-8"))
    for parameter in re.findall(r"\$(\w+)", Case(name).statement().sql):
        # $level_3 is one of `$level_0 … $level_<height>`.
        first = re.sub(r"\d+$", "0", parameter)
        assert f"${parameter}" in said or f"${first} …" in said, f"${parameter} is not named"


@pytest.mark.parametrize("name", CASES)
def test_its_comment_says_what_comes_out(name: str) -> None:
    said = header(ASKING[f"{Case(name).template}.sql.j2"].read_text(encoding="utf-8"))
    code = re.sub(r"/\*.*?\*/|--[^\n]*", "", Case(name).statement().sql, flags=re.DOTALL).split()
    if code[0] in {"ATTACH", "COPY", "DETACH", "DROP", "INSERT", "SET"}:
        return  # gives no rows and makes no table
    assert re.search(r"\bOutput\b", said)


# -- what it prints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_prints_no_raw_value(name: str) -> None:
    assert raw_values(TEMPLATES[name].read_text(encoding="utf-8")) == []


def test_little_is_marked_as_sql_already() -> None:
    marked = set[str]().union(
        *(marked_as_sql(path.read_text(encoding="utf-8")) for path in TEMPLATES.values())
    )
    assert marked == SQL_ALREADY


@pytest.mark.parametrize(
    "planted",
    [
        "SELECT {{ column }}",
        'SELECT "{{ column.column }}"',
        "SELECT {{ columns[0] }}",
        "SELECT {{ column | upper }}",
        "SELECT {{ column | ident | upper }}",
        "SELECT {{ column.level(1) }}",
        "SELECT {{ describe(column) }}",
        'SELECT {{ "a" ~ column }}',
        'SELECT {{ column if quoted else "a" }}',
        'SELECT {{ "a" if quoted else column }}',
        "{% set name = column %}SELECT {{ name }}",
        "{% for column in columns %}{{ column }}{% endfor %}",
        "{% macro one(column) %}{{ column }}{% endmacro %}{{ one(x) }}",
        '{% import "macros.sql.j2" as m %}{{ other.source(x) }}',
        "{% filter upper %}{{ column | ident }}{% endfilter %}",
        "{{ 'x' % column }}",
        "{{ column + '' }}",
    ],
)
def test_a_planted_raw_value_is_found(planted: str) -> None:
    assert raw_values(planted)


@pytest.mark.parametrize(
    "good",
    [
        "SELECT {{ column | ident }}",
        "SELECT {{ column.column | ident }}, {{ 5 | literal }} FROM {{ table | path }}",
        '{{ "," if not loop.last }}',
        "{{ column.top | literal if top else 'NULL' }}",
        '{{ "class // " ~ (factor | literal) }}',
        '{% import "macros.sql.j2" as m %}{{ m.source(question) }}',
        '{% from "macros.sql.j2" import source as s %}{{ s(question) }}',
        "{% macro one(column) %}{{ column | ident }}{% endmacro %}{{ one(x) }}",
    ],
)
def test_what_is_quoted_is_let_through(good: str) -> None:
    assert raw_values(good) == []


# -- who asks it ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ASKING)
def test_the_package_asks_it(name: str) -> None:
    package = Path(resources.__file__).parent
    assert any(f'"{name}"' in path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
