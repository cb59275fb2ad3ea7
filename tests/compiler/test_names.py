"""Names of any kind enter a statement as identifiers, and nothing else of it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache

import duckdb
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from kanon_sql.compiler import GeneralizedColumn, Question, SensitiveColumn, Source, Statement, questions
from kanon_sql.compiler.questions import LevelPlace
from kanon_sql.compiler.render import comment_text
from kanon_sql.privacy import KAnonymity, KMap, SensitiveModel
from kanon_sql.privacy.l_diversity import RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK
from kanon_sql.privacy.t_closeness import HierarchicalTCloseness, OrderedTCloseness
from tests.compiler.builders import HOSTILE_NAMES, ZIPS, column, question, sensitive
from tests.compiler.measure_cases import BITS, NCP
from tests.conftest import THOROUGH

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
    """A question all of whose names are given: seven of them, and more for :func:`_of_models`."""
    table, first, second, map_first, map_second, kept, person = names[:7]
    columns = (
        replace(column(first), mapping=map_first, codes=map_first),
        replace(column(second, height=1), mapping=map_second, codes=map_second),
    )
    return question(*columns, table=("warehouse", "main", table), keep=(kept,), person=person)


def _of_models(names: Sequence[str], *, count: str = "rows") -> Question:
    """The same with two sensitive columns and a population, all of whose names are given too."""
    first, second, nodes, population, first_values, second_values = names[7:]
    tenth = Fraction(1, 10)
    columns = (
        replace(sensitive(first, RecursiveCLDiversity(Fraction(2), 2), count=count), dictionary=first_values),
        replace(
            sensitive(
                second, HierarchicalTCloseness(tenth), taxonomy=column(second, height=1, mapping=nodes)
            ),
            dictionary=second_values,
        ),
    )
    return replace(
        _question(names),
        models=(KAnonymity(5), KMap(9, "")),
        sensitive=columns,
        population=Source(("warehouse", "main", population)),
    )


def _standing(names: Sequence[str], *, nulls: str = "value", count: str = "rows") -> Question:
    """What is asked of a table as it stands, with a reference."""
    whole = _of_models(names)
    looked_at = replace(whole.sensitive[0], nulls=nulls, count=count)  # type: ignore[arg-type]
    reference = replace(whole.population or whole.source, person=whole.source.person)
    return replace(
        whole, columns=whole.columns[:1], sensitive=(looked_at,), population=None, reference=reference,
        models=(KAnonymity(5),),
    )  # fmt: skip


RENDERS: dict[str, Render] = {
    "check": lambda names: questions.check_direct(_question(names), (1, 0)),
    "release": lambda names: questions.release(
        _question(names), (1, 0), ("warehouse", "main", names[0]), shuffle_key="secret"
    ),
    "release query": lambda names: questions.release(_question(names), (2, 1), None),
    "evaluate": lambda names: questions.evaluate(_question(names), names[0], None, 2, 1),
    "facts": lambda names: questions.facts(_question(names), names[0], None, 2, 1, [names[3]], [names[4]]),
    "labels": lambda names: _labels(_question(names), names[5], names[6]),
    "strays": lambda names: _strays(_question(names), names[5]),
    "totals": lambda names: questions.total_lost(names[0]),
    "original": lambda names: _original(_question(names)),
    "evaluate one word": lambda names: questions.evaluate(_question(names), names[0], None, 1, 1 << 57),
}
OF_MODELS: dict[str, Render] = {
    "check": lambda names: questions.check_direct(_of_models(names), (1, 0)),
    "check persons": lambda names: questions.check_direct(_of_models(names, count="persons"), (1, 0)),
    "release": lambda names: questions.release(_of_models(names), (2, 1), None),
    "evaluate": lambda names: questions.evaluate(_of_models(names), names[0], names[1], 2, 1),
    "encode": lambda names: questions.encode(_of_models(names), names[0], [[0, 1]]),
    "encode population": lambda names: questions.encode_population(_of_models(names), names[0], [[0, 1]]),
    "dictionary": lambda names: _dictionary(_of_models(names, count="persons")),
    "verify": lambda names: questions.violating_classes(_of_models(names), (1, 0), ("main", names[0])),
    "verify persons": lambda names: questions.person_classes(_of_models(names), (1, 0), ("main", names[0])),
    "violating": lambda names: questions.check_violating(_standing(names), "*"),
    "reached": lambda names: questions.reached(_standing(names, count="persons"), None),
    "values beyond": lambda names: _values_beyond(_standing(names, nulls="ignore")),
    "unlisted": lambda names: questions.unlisted_values(*_source_and_column(names), ["x"]),
    "absent": lambda names: questions.absent_values(*_source_and_column(names), ["x"]),
    "odd": lambda names: questions.odd_values(*_source_and_column(names), numeric=True),
}


def _strays(whole: Question, table: str) -> Statement:
    placed = replace(whole.columns[0], unmapped="top", placed=True)
    whole = replace(whole, columns=(placed, *whole.columns[1:]))
    return questions.encode_strays(whole, table, [[0, 1]], 0, "placed")


def _labels(whole: Question, labels: str, frequency: str) -> Statement:
    levels = [LevelPlace(i, level, 2, (0,)) for i in range(len(whole.columns)) for level in range(3)]
    nulls = [False] * len(whole.columns)
    return questions.labels_lost(
        whole, labels, NCP, frequency, [[0, 1]], levels, own_nulls=nulls, from_source=True, rows=1
    )


def _original(whole: Question) -> Statement:
    return questions.original_lost(whole, BITS)


def _dictionary(whole: Question) -> Statement:
    return questions.dictionary(whole, whole.sensitive[0])


def _values_beyond(whole: Question) -> Statement:
    return questions.values_beyond(whole, whole.sensitive[0])


def _source_and_column(names: Sequence[str]) -> tuple[Source, SensitiveColumn]:
    whole = _of_models(names)
    return whole.source, whole.sensitive[0]


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
    "dictionary": lambda column, whole: questions.dictionary(whole, _looked_at(column)),
    "odd values": lambda column, whole: questions.odd_values(whole.source, _looked_at(column), numeric=False),
    "absent values": lambda column, whole: questions.absent_values(whole.source, _looked_at(column), ()),
    "unlisted values": lambda column, whole: questions.unlisted_values(whole.source, _looked_at(column), ()),
    "values beyond": lambda column, whole: questions.values_beyond(
        replace(whole, reference=whole.source), _looked_at(column)
    ),
    "violating classes": lambda column, whole: questions.check_violating(whole, None),
    "reached": lambda column, whole: questions.reached(replace(whole, sensitive=(_looked_at(column),)), None),
}


def _looked_at(column: GeneralizedColumn) -> SensitiveColumn:
    return sensitive(column.column, AlphaK(Fraction(1, 2)))


PLAIN_NAMES = tuple(f"plain_name_{i}" for i in range(13))


def only_statement(sql: str) -> exp.Expression:
    """The one statement of a text, by sqlglot and by DuckDB's own parser."""
    trees = sqlglot.parse(sql, read="duckdb")
    assert len(trees) == 1
    [tree] = trees
    assert tree is not None
    assert len(duckdb.extract_statements(sql)) == 1
    return tree


@lru_cache(maxsize=32)
def identifiers(sql: str) -> list[tuple[str, bool]]:
    """Every identifier of a statement, in the order of its tree, and whether it is quoted."""
    return [
        (str(each.this), bool(each.args.get("quoted")))
        for each in only_statement(sql).find_all(exp.Identifier)
    ]


@cache
def _plain_identifiers(ask: str) -> list[tuple[str, bool]]:
    return identifiers(RENDERS[ask](PLAIN_NAMES[:7]).sql)


@cache
def _plain_identifiers_of_models(ask: str) -> list[tuple[str, bool]]:
    return identifiers(OF_MODELS[ask](PLAIN_NAMES).sql)


def assert_only_names_differ(sql: str, plain: list[tuple[str, bool]], names: list[str]) -> None:
    """The statement is the plain one with other names, and these are quoted."""
    given_names = dict(zip(PLAIN_NAMES, names, strict=False))
    assert identifiers(sql) == [(given_names.get(name, name), quoted) for name, quoted in plain]
    assert all(quoted for name, quoted in plain if name in given_names)


@pytest.mark.parametrize("ask", RENDERS)
@settings(settings.default, deadline=None, **({} if THOROUGH else {"max_examples": 40}))
@given(names=st.lists(NAMES, min_size=7, max_size=7))
def test_any_names_stand_as_identifiers_and_change_nothing_else(ask: str, names: list[str]) -> None:
    statement = RENDERS[ask](names)
    assert_only_names_differ(statement.sql, _plain_identifiers(ask), names)
    # Nor when it is laid out.
    assert identifiers(statement.pretty().sql) == identifiers(statement.sql)


@pytest.mark.parametrize("ask", OF_MODELS)
@settings(deadline=None, max_examples=8)  # these statements are long
@given(names=st.lists(NAMES, min_size=13, max_size=13))
def test_any_names_of_sensitive_columns_change_nothing_else(ask: str, names: list[str]) -> None:
    statement = OF_MODELS[ask](names)
    assert_only_names_differ(statement.sql, _plain_identifiers_of_models(ask), names)
    # Laid out, booleans are cast to booleans, so that the trees differ, but not in their names.
    assert sorted(identifiers(statement.pretty().sql)) == sorted(identifiers(statement.sql))


@lru_cache(maxsize=32)
def _texts(sql: str) -> list[str]:
    return [str(each.this) for each in only_statement(sql).find_all(exp.Literal) if each.is_string]


@settings(deadline=None, max_examples=20)
@given(values=st.lists(st.one_of(NAMES, st.just("")), min_size=2, max_size=4, unique=True))
def test_any_values_that_a_model_names_stand_as_texts(values: list[str]) -> None:
    plain_values = [f"x{i}" for i in range(len(values))]
    given_values = dict(zip(plain_values, values, strict=True))
    for naming in (_ordering, _bounding):
        plain, named = naming(plain_values), naming(values)
        assert _texts(named) == [given_values.get(each, each) for each in _texts(plain)]
        assert identifiers(named) == identifiers(plain)


def _ordering(values: Sequence[str]) -> str:
    return _check(OrderedTCloseness(Fraction(1, 2), tuple(values)))


def _bounding(values: Sequence[str]) -> str:
    return _check(AlphaK(None, tuple((value, Fraction(1, 2)) for value in values)))


def _check(model: SensitiveModel) -> str:
    looked_at = (sensitive("diagnosis", model),)
    return questions.check_direct(replace(question(column("age")), sensitive=looked_at), (1,)).sql


BREAKING = (
    "*/ drop table x; /*",
    "*/ drop table x; --",
    "/* */ drop table x; /* */",
    "**//**/ drop table x; /**//*",
    "*/*/ drop table x",
    "*",
    "/",
    "\n*/\ndrop table x;\n/*\n",
    "+ ordered",
)


@pytest.mark.parametrize("ask", COMMENTED)
def test_a_name_cannot_break_out_of_a_comment(ask: str) -> None:
    for name in BREAKING:
        quasi_identifier = column(name, unmapped="top")
        statement = COMMENTED[ask](quasi_identifier, question(quasi_identifier, table=(name,)))
        for sql in (statement.sql, statement.pretty().sql):
            tree = only_statement(sql)
            assert not list(tree.find_all(exp.Drop)), name
            assert isinstance(tree, exp.Select | exp.Create | exp.Insert), name


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
