"""Names of any kind enter a statement as identifiers, and nothing else of it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import duckdb
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from kanon_sql.compiler import GeneralizedColumn, Question, Statement, questions
from kanon_sql.compiler.render import comment_text
from tests.compiler.cases import HOSTILE_NAMES, ZIPS, column, question

NASTY = [
    '"',
    '""',
    "'",
    "*/",
    "/*",
    "--",
    ";",
    "\n",
    "\\",
    "$",
    "$$",
    "{{",
    "}}",
    "{%",
    "#}",
    "%",
    ".",
    " ",
    "/",
    "*",
]
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
NAMES = st.one_of(
    ANY_TEXT,
    st.lists(
        st.sampled_from([*NASTY, "a", "drop table x", "SELECT", "level_0", "ß"]), min_size=1, max_size=6
    ).map("".join),
    st.sampled_from([*HOSTILE_NAMES, "*/ drop table x; /*", "s", "m0", "row_count", "qi_0"]),
)

Render = Callable[[Sequence[str]], Statement]


def _question(names: Sequence[str]) -> Question:
    """A question all of whose names are given: seven of them."""
    table, first, second, map_first, map_second, kept, person = names
    columns = (
        replace(column(first), mapping=map_first),
        replace(column(second, height=1), mapping=map_second),
    )
    return question(*columns, table=("warehouse", "main", table), keep=(kept,), person=person)


RENDERS: dict[str, Render] = {
    "check": lambda names: questions.check_direct(_question(names), (1, 0)),
    "release": lambda names: questions.release(
        _question(names), (1, 0), ("warehouse", "main", names[0]), shuffle_key="secret"
    ),
    "release query": lambda names: questions.release(_question(names), (2, 1), None),
    "evaluate": lambda names: questions.evaluate(_question(names), names[0], 2, 1),
    "evaluate one word": lambda names: questions.evaluate(_question(names), names[0], 1, 1 << 57),
}
# The statements that name a column or a table in their comment.
COMMENTED: dict[str, Callable[[GeneralizedColumn, Question], Statement]] = {
    "check": lambda column, whole: questions.check_direct(whole, (1,)),
    "release": lambda column, whole: questions.release(whole, (1,), None),
    "class sizes of a vector": lambda column, whole: questions.vector_class_sizes(whole, (1,)),
    "class sizes": lambda column, whole: questions.class_sizes(whole.source, [column.column]),
    "example": lambda column, whole: questions.example(whole, 0, 1, 5),
    "flat": lambda column, whole: questions.mapping_flat(whole, column),
    "from file": lambda column, whole: questions.mapping_from_file(whole, column, ZIPS),
    "unmapped": lambda column, whole: questions.unmapped(whole, column),
    "unmapped to top": lambda column, whole: questions.unmapped_to_top(whole, column),
    "top in data": lambda column, whole: questions.top_in_data(whole, column, flat=True),
    "value present": lambda column, whole: questions.value_present(
        whole.source, column.column, "VARCHAR", "x"
    ),
    "digits": lambda column, whole: questions.digits(whole, column),
    "digit sizes": lambda column, whole: questions.digit_sizes(column),
    "codes": lambda column, whole: questions.codes(whole, column, ()),
}
PLAIN_NAMES = tuple(f"plain_name_{i}" for i in range(7))


def only_statement(sql: str) -> exp.Expression:
    """The one statement of a text, by sqlglot and by DuckDB's own parser."""
    trees = sqlglot.parse(sql, read="duckdb")
    assert len(trees) == 1
    [tree] = trees
    assert tree is not None
    assert len(duckdb.extract_statements(sql)) == 1
    return tree


def identifiers(sql: str) -> list[tuple[str, bool]]:
    """Every identifier of a statement, in the order of its tree, and whether it is quoted."""
    return [
        (str(each.this), bool(each.args.get("quoted")))
        for each in only_statement(sql).find_all(exp.Identifier)
    ]


@cache
def _plain_identifiers(ask: str) -> list[tuple[str, bool]]:
    return identifiers(RENDERS[ask](PLAIN_NAMES).sql)


@pytest.mark.parametrize("ask", RENDERS)
@settings(deadline=None)
@given(names=st.lists(NAMES, min_size=7, max_size=7))
def test_any_names_stand_as_identifiers_and_change_nothing_else(ask: str, names: list[str]) -> None:
    given_names = dict(zip(PLAIN_NAMES, names, strict=True))
    plain = _plain_identifiers(ask)
    assert identifiers(RENDERS[ask](names).sql) == [
        (given_names.get(name, name), quoted) for name, quoted in plain
    ]
    assert all(quoted for name, quoted in plain if name in given_names)


@pytest.mark.parametrize("ask", RENDERS)
@settings(deadline=None)
@given(names=st.lists(NAMES, min_size=7, max_size=7))
def test_laying_a_statement_out_changes_no_name(ask: str, names: list[str]) -> None:
    statement = RENDERS[ask](names)
    assert identifiers(statement.pretty().sql) == identifiers(statement.sql)


@pytest.mark.parametrize(
    "name",
    [
        "*/ drop table x; /*",
        "*/ drop table x; --",
        "/* */ drop table x; /* */",
        "**//**/ drop table x; /**//*",
        "*/*/ drop table x",
        "*",
        "/",
        "\n*/\ndrop table x;\n/*\n",
        "+ ordered",
    ],
)
@pytest.mark.parametrize("ask", COMMENTED)
def test_a_name_cannot_break_out_of_a_comment(name: str, ask: str) -> None:
    quasi_identifier = column(name, unmapped="top")
    statement = COMMENTED[ask](quasi_identifier, question(quasi_identifier, table=(name,)))
    for sql in (statement.sql, statement.pretty().sql):
        tree = only_statement(sql)
        assert not list(tree.find_all(exp.Drop))
        assert isinstance(tree, exp.Select | exp.Create | exp.Insert)


@given(text=st.one_of(st.text(), st.text(alphabet="*/ \n-")))
def test_text_in_a_comment_neither_opens_nor_closes_one(text: str) -> None:
    safe = comment_text(text)
    assert "*/" not in safe
    assert "/*" not in safe
    assert "'" not in safe
    assert '"' not in safe
    assert comment_text(safe) == safe
    marks = str.maketrans("'\"", "’”")
    assert safe.replace(" ", "") == text.translate(marks).replace(" ", "")
