"""Where the suppressed rows came from, against the oracle: at every vector, by both plans; and what may be shown."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from kanon_sql.api.losing import Lost, LostValue, Part, settled, where_lost
from kanon_sql.binding import bind
from kanon_sql.catalog import find_source
from kanon_sql.compiler import questions
from kanon_sql.frequency import DirectCounter, FrequencyCounter, layout, load_mappings, load_sensitive
from tests.engine.model_support import build_models
from tests.engine.support import Built, build, engine_at, world
from tests.engine.test_against_oracle import examples
from tests.oracle import ByGrouping, Outcome
from tests.oracle.by_models import WithModels
from tests.oracle.lost import UNPLACED, lost_by_qi
from tests.oracle.model import as_text
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.strategies import Case, cases

Truth = Counter[tuple[str | None, bool, int, int]]


def truth_of(outcome: Outcome, qi: int) -> Truth:
    """Per value of a quasi-identifier: its text, whether it is the unmapped ones, rows, suppressed rows."""
    return Counter(
        (None if value[1] is None else as_text(value[1]), value == UNPLACED, lost.rows, lost.suppressed)
        for value, lost in lost_by_qi(outcome, qi).items()
    )


def hold_against(built: Built, oracle: ByGrouping | WithModels, case: Case, bits: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if bits < layout.ONE_WORD_BITS:
            patch.setattr(layout, "ONE_WORD_BITS", bits)
            patch.setattr(layout, "WORD_BITS", bits)
        engine, spec = engine_at(built.path, built.words, built.path.parent)
        try:
            bound = bind(engine, spec, find_source(engine, spec))
            [(rows, _, _)] = engine.run(questions.totals(bound.question.source))
            question = load_mappings(engine, bound.question, bound.hierarchies).question
            load_sensitive(engine, question, bound.taxonomies)
            for plan in (DirectCounter, FrequencyCounter):
                counter = plan(engine, question, rows)
                for vector in case.search().vectors():
                    outcome = Outcome.at(oracle, vector)
                    if not outcome.suppressed_rows:
                        continue
                    truths = [truth_of(outcome, i) for i in range(len(vector))]
                    answer = engine.run(counter.lost(vector, 0, 1_000))
                    for i, truth in enumerate(truths):
                        found = [row for row in answer if row[0] == i]
                        assert all(row[1] for row in found)
                        assert Counter((*row[2:4], *row[6:8]) for row in found) == truth, (plan, vector)
                        if case.persons is not None:
                            gone = {
                                who
                                for j, who in enumerate(case.persons)
                                if j not in set(outcome.released_indexes)
                            }
                            assert sum(row[8] for row in found) == len(gone)
                    shown = where_lost(
                        engine, bound, counter, vector, rows=rows, suppressed=outcome.suppressed_rows, most=4
                    )
                    hold_shown(shown, truths, case, outcome)
        finally:
            engine.close()


def hold_shown(shown: Lost, truths: Sequence[Truth], case: Case, outcome: Outcome) -> None:
    """What is shown is true, complete, and no smaller than it may be."""
    least = max(case.k, 2)
    for name, truth in zip(case.columns, truths, strict=True):
        values = shown.values[name]
        assert (values == ()) == (name in shown.held_back)
        if not values:
            event("held back")
            continue
        assert sum(each.rows for each in values) == len(outcome.rows)
        assert sum(each.suppressed for each in values) == outcome.suppressed_rows
        own = Counter(
            (v.value, v.kind == "unmapped", v.rows, v.suppressed) for v in values if v.kind != "others"
        )
        assert own <= truth
        assert [v.kind == "others" for v in values].count(True) == bool(truth - own)
        assert all(v.kind != "others" for v in values[:-1])
        for each in values:
            assert each.rows >= least
            assert not 0 < each.suppressed < least
        event("shown")


@examples(24)
@given(cases(max_columns=3, max_rows=30), st.sampled_from([57, 2]))
def test_what_is_lost_is_what_the_oracle_loses(case: Case, bits: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        hold_against(build(case, Path(name)), case.by_grouping(), case, bits)


@examples(16)
@given(model_cases(max_columns=2, max_rows=20), st.sampled_from([57, 2]))
def test_with_models_persons_and_populations(drawn: ModelCase, bits: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        hold_against(build_models(drawn, Path(name)), drawn.oracle(), drawn.case, bits)


# ---------------------------------------------------------------- what may be shown

COUNTS = st.one_of(st.just(0), st.integers(1, 12), st.integers(1, 4))


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int | None]]]:
    """k, and per value of a quasi-identifier rows released, rows suppressed and persons suppressed."""
    k = draw(st.integers(1, 6))
    least = max(k, 2)
    person = draw(st.booleans())
    values = []
    for _ in range(draw(st.integers(1, 8))):
        suppressed = draw(COUNTS)
        released = draw(st.sampled_from([0, least, least + 3])) or (0 if suppressed else least)
        values.append((released, suppressed, draw(st.integers(0, suppressed)) if person else None))
    return k, values


@examples(300)
@given(tables())
def test_no_small_count_is_shown_or_told(given_: tuple[int, list[tuple[int, int, int | None]]]) -> None:
    k, values = given_
    least, whole = max(k, 2), sum(r + s for r, s, _ in values)
    parts = [
        Part(LostValue("value", str(i), r + s, s, whole), 1, int(s > 0), persons)
        for i, (r, s, persons) in enumerate(values)
    ]
    small = [p for p in parts if not is_large(p, least)]
    others = None
    for part in small:
        others = (
            part + Part(LostValue("others", None, 0, 0, whole), 0, 0, part.persons and 0)
            if others is None
            else others + part
        )
    found = settled([p for p in parts if is_large(p, least)], others, least)
    if found is None:
        event("held back")
        assert small
        return
    event("merged" if small else "as it is")
    assert sum(each.rows for each in found) == whole
    for each in found:
        assert not 0 < each.rows < least
        assert not 0 < each.suppressed < least
    hidden = [p for p in parts if p.lost not in found]
    assert {p.lost.value for p in small} <= {p.lost.value for p in hidden}
    losing = [p.lost.suppressed for p in hidden if p.lost.suppressed]
    if any(p.lost.suppressed and not is_large(p, least) for p in parts):
        # A reader who knows all but who is hidden, and that each of them loses something: from 1 to this many.
        assert len(losing) >= 1 if parts[0].persons is not None else len(losing) >= 2
        assert sum(losing) - len(losing) + 1 >= least
        # Nor, if he takes all of them for too small, is there one answer alone.
        assert sum(losing) != len(losing) * (least - 1)
    else:
        assert len(hidden) == len(small)


def is_large(part: Part, least: int) -> bool:
    lost, persons = part.lost.suppressed, part.persons
    enough = lost >= least and (persons is None or persons >= least)
    return part.lost.rows >= least and (not lost or enough)


@pytest.mark.parametrize(
    ("rows", "k", "expected"),
    [
        # (released, suppressed) per value → what stands alone, and what the others lose; None: held back
        ([(0, 3), (50, 9), (50, 0)], 5, ([(50, 0)], 12)),
        ([(0, 3), (0, 4), (50, 9), (50, 0)], 5, ([(50, 9), (50, 0)], 7)),
        ([(0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (50, 0)], 5, None),
        ([(0, 4), (0, 4), (50, 9)], 5, ([], 17)),
        ([(50, 2), (50, 0)], 5, None),
        ([(50, 5), (50, 0)], 5, ([(50, 5), (50, 0)], None)),
        ([(0, 1), (0, 1), (50, 0)], 2, None),
        ([(0, 1), (50, 0), (0, 2)], 2, ([(50, 0)], 3)),
    ],
)
def test_by_hand(rows: list[tuple[int, int]], k: int, expected: Any) -> None:
    whole = sum(map(sum, rows))
    parts = [Part(LostValue("value", "x", r + s, s, whole), 1, int(s > 0)) for r, s in rows]
    small = [p for p in parts if not is_large(p, k)]
    others = None
    for part in small:
        others = part if others is None else others + part
    found = settled([p for p in parts if is_large(p, k)], others, k)
    if found is None:
        assert expected is None
        return
    alone = [(v.rows - v.suppressed, v.suppressed) for v in found if v.kind == "value"]
    merged = [v.suppressed for v in found if v.kind == "others"]
    assert (alone, *(merged or [None])) == expected


# ---------------------------------------------------------------- whole runs

MINORITY = """CREATE TABLE t AS
  SELECT 'big' AS g, 'a' || (i % 4)::VARCHAR AS q FROM range(400) t(i)
  UNION ALL SELECT 'small', 'b' || i::VARCHAR FROM range(8) t(i)"""


@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_a_minority_that_is_lost_is_told_of(tmp_path: Path, plan: str) -> None:
    made = world(
        tmp_path, MINORITY, qi={"g": None, "q": None}, k=5, max_suppression="2%", vector={"g": 0, "q": 0}
    )
    result = made.run(plan=plan)
    assert result.suppressed == 8
    of_g = result.to_json()["lost"]["g"]  # type: ignore[index]
    assert of_g[0] == {
        "kind": "value", "value": "small", "rows": 8, "suppressed": 8, "share_lost": 1.0, "share_of_all": 8 / 408,
    }  # fmt: skip
    assert [each["suppressed"] for each in of_g] == [8, 0]
    assert result.manifest["lost"] == result.to_json()["lost"]
    assert result.lost.held_back == ("q",)
    assert any("g is lost entirely where it is small: all 8 rows" in each for each in result.warnings)
    assert not any("small" in each for each in made.run(redact=True, overwrite=True, plan=plan).warnings)
    assert "lost" in result.seconds


def test_nothing_suppressed_nothing_said(tmp_path: Path) -> None:
    made = world(tmp_path, MINORITY, qi={"g": None, "q": None}, k=5, dry_run=True)
    result = made.run(output=None)
    assert result.suppressed == 0
    assert result.lost == Lost()
    assert result.to_json()["lost"] == {}


def test_an_unmapped_value_has_an_entry_of_its_own(tmp_path: Path) -> None:
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT CASE WHEN i < 10 THEN 'odd' ELSE 'even' END AS g, i % 2 AS q FROM range(100) t(i)",
        qi={"g": {"lines": ["even,*"], "unmapped": "suppress"}, "q": None},
        k=5,
        max_suppression=10,
    )
    result = made.run(vector={"g": 0, "q": 0})
    kinds = {(each.kind, each.value): (each.rows, each.suppressed) for each in result.lost.values["g"]}
    assert kinds == {("unmapped", None): (10, 10), ("value", "even"): (90, 0)}
    assert {each.value: (each.rows, each.suppressed) for each in result.lost.values["q"]} == {
        "0": (50, 5),
        "1": (50, 5),
    }


def test_one_person_with_many_rows_is_no_crowd(tmp_path: Path) -> None:
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 'one' AS g, 0 AS p FROM range(9) UNION ALL SELECT 'all', i FROM range(99) t(i)",
        qi={"g": None}, k=5, person="p", max_suppression=9, vector={"g": 0},
    )  # fmt: skip
    result = made.run()
    assert result.suppressed == 9
    assert result.lost.values == {"g": ()}
    assert result.lost.held_back == ("g",)


def test_a_source_that_changed_meanwhile_is_not_told_of(tmp_path: Path) -> None:
    made = world(tmp_path, MINORITY, qi={"g": None, "q": None}, k=5, max_suppression="2%")
    engine, spec = engine_at(made.path, {k: v for k, v in made.words.items() if k != "output"}, tmp_path)
    try:
        bound = bind(engine, spec, find_source(engine, spec))
        question = load_mappings(engine, bound.question, bound.hierarchies).question
        counter = DirectCounter(engine, question, 408)
        assert where_lost(engine, bound, counter, (0, 0), rows=408, suppressed=7).held_back == ("g", "q")
        assert where_lost(engine, bound, counter, (0, 0), rows=408, suppressed=8).held_back == ("q",)
    finally:
        engine.close()
