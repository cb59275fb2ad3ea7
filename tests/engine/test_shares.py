"""`max_suppression_per`: no value of a column loses more than a share of its rows; against the oracle."""

from __future__ import annotations

import random
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.compiler import questions
from kanon_sql.errors import DataError, NoSolutionError, SpecError, VerificationError
from kanon_sql.frequency import ShareCounter, batches, counting, layout
from tests.engine.model_support import build_models
from tests.engine.support import Built, World, bound_to, query, quoted, tables, world
from tests.engine.test_against_oracle import examples
from tests.engine.test_rollup import RULES, forced
from tests.oracle.choice import WholeLattice, below
from tests.oracle.lost import SuppressionPer
from tests.oracle.measures import BETTER
from tests.oracle.model import Value, typed_counter
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.search.test_restricted import drawn_range

SHARES = ("0%", "5%", "25%", "33.3%", "50%", "60%", "75%", "99.99%", "100%")


@dataclass(frozen=True)
class Shared:
    """A drawn case of which columns may lose no more than a share: (name, share, values)."""

    drawn: ModelCase
    region: tuple[str, str, list[Value]]
    asked: list[tuple[str, str, list[Value]]]

    @property
    def per(self) -> list[SuppressionPer]:
        return [
            SuppressionPer(values, Fraction(share.removesuffix("%")) / 100) for _, share, values in self.asked
        ]

    def build(self, folder: Path) -> Built:
        built = build_models(self.drawn, folder, [self.region])
        per = [{"column": name, "share": share} for name, share, _ in self.asked]
        return replace(built, words={**built.words, "max_suppression_per": per})


@st.composite
def shared_cases(draw: st.DrawFn) -> Shared:
    """Columns that are quasi-identifiers, sensitive, or have no role and hold NULLs; one or two of them. MaxSup is
    often large, so that shares decide."""
    monotone = model_cases(max_rows=24, words=("distinct_l_diversity",), counts=("rows",))
    drawn = draw(st.one_of(model_cases(max_rows=24), monotone))
    case = drawn.case
    chance = draw(st.randoms(use_true_random=False))
    rows = len(case.rows)
    max_sup = chance.choice([case.max_sup, rows // 2, rows - 1, rows - 1])
    drawn = replace(drawn, case=replace(case, max_sup=max_sup))
    kind, pool = chance.choice(
        [
            ("VARCHAR", ["a", "A", "", None]),
            ("INTEGER", [1, 2, None]),
            ("DOUBLE", [0.0, -0.0, 1.5, None]),
        ]
    )
    name = case.fresh_name("region")
    region = (name, kind, [chance.choice(pool) for _ in case.rows])
    known: list[tuple[str, list[Value]]] = [
        (name, [0.0 if v == 0 and kind == "DOUBLE" else v for v in region[2]])
    ]
    known += [(column, case.column_values(i)) for i, column in enumerate(case.columns)]
    known += [(column.name, column.values) for column in drawn.columns]
    chosen = chance.sample(known, min(chance.choice([1, 1, 2]), len(known)))
    if chance.random() < 0.5 and known[0] not in chosen:
        chosen[0] = known[0]
    return Shared(drawn, region, [(name, chance.choice(SHARES), values) for name, values in chosen])


@examples(30)
@given(shared_cases(), st.sampled_from(["", "", *RULES]), st.booleans(), st.randoms(use_true_random=False))
def test_every_vectors_verdict(shared: Shared, rule: str, grouped: bool, chance: random.Random) -> None:
    whole = WholeLattice(shared.drawn.oracle(), shared.drawn.case.max_sup, per=shared.per)
    with (
        tempfile.TemporaryDirectory() as name,
        forced(rule) if rule else nullcontext(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(batches, "BATCH", chance.choice([1, 3, 48]))
        patch.setattr(batches, "LEAST_IN_A_LANE", 1)
        bits = chance.choice([57, 57, 2])
        patch.setattr(layout, "ONE_WORD_BITS", bits)
        patch.setattr(layout, "WORD_BITS", max(bits, 2))
        if not grouped:
            patch.setattr(counting, "_repeats", lambda *_: False)
        built = shared.build(Path(name))
        with bound_to(built.path, built.words) as (engine, bound, rows):
            counter = ShareCounter(engine, bound.question, rows, whole.max_sup)
            assert counter.is_grouped is grouped or rule
            event(
                f"{min(counter.layout.word_count, 2)} words, {'monotone' if bound.question.is_sure else 'not'}"
            )
            asked = chance.sample(whole.vectors, min(len(whole.vectors), 30))
            enough = chance.choice([None, whole.max_sup])
            found = counter.evaluate(asked, enough)
            exceeding = counter.exceeding(asked)
            for vector, counts, values in zip(asked, found, exceeding, strict=True):
                outcome = whole.outcome(vector)
                beyond = [
                    sum(lost.suppressed > per.share * lost.rows for lost in per.lost(outcome).values())
                    for per in whole.per
                ]
                assert [each.values for each in values] == beyond
                if counts.estimate is None:
                    within = counts.outliers <= whole.max_sup
                    assert counts.withheld == (within and any(beyond))
                    assert (within and not counts.withheld) == whole.satisfies(vector)
                assert all(each.surely <= each.values for each in values)
                if bound.question.is_sure:
                    assert all(each.surely == each.values for each in values)
                if any(each.surely for each in values):
                    event("fails everything below")
                    lower = [u for u in whole.vectors if below(u, vector)]
                    assert not any(whole.satisfies(u) for u in lower)
            for vector in asked:
                for per, at in zip(bound.question.shares, whole.per, strict=True):
                    lost = engine.run(questions.shares_lost(bound.question, vector, per))
                    expected: dict[int, int] = {}
                    for each in at.lost(whole.outcome(vector)).values():
                        expected[each.rows] = max(expected.get(each.rows, 0), each.suppressed)
                    assert dict(lost) == expected


@examples(30)
@given(
    shared_cases(),
    st.sampled_from(["minimal", "all", "optimal"]),
    st.sampled_from(["", "", *RULES]),
    st.randoms(use_true_random=False),
)
def test_a_run_finds_what_the_oracle_does(
    shared: Shared, search: str, rule: str, chance: random.Random
) -> None:
    case = shared.drawn.case
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    low, high = (
        drawn_range(case.heights, chance)
        if chance.random() < 0.3
        else ((0,) * len(case.heights), case.heights)
    )
    whole = WholeLattice(shared.drawn.oracle(), case.max_sup, low, high, shared.per)
    objective = chance.choice([word for word in ("gcp", "prec", "discernibility") if word in BETTER])
    satisfying = whole.satisfying()
    with tempfile.TemporaryDirectory() as name, forced(rule) if rule else nullcontext():
        built = shared.build(Path(name))
        words: dict[str, Any] = {**built.words, "search": search, "output": "released", "allow_empty": True}
        words["min_level"] = dict(zip(case.columns, low, strict=True))
        words["max_level"] = dict(zip(case.columns, high, strict=True))
        if search == "optimal":
            words["objective"] = objective
        if not satisfying:
            event("nothing satisfies")
            with pytest.raises(NoSolutionError, match="nothing satisfies"):
                kanon_sql.anonymize(built.path, **words)
            assert "released" not in tables(built.path)
            return
        event(search)
        result = kanon_sql.anonymize(built.path, **words)
        vector = tuple(result.vector.values())
        if search == "minimal":
            assert vector == whole.minimal()
            assert result.proven_minimal
        elif search == "all":
            assert vector == whole.preferred_of_all()
            every = kanon_sql.minimal_vectors(
                built.path, **{k: v for k, v in words.items() if k not in _OF_RUN}
            )
            assert {tuple(each.vector.values()) for each in every.candidates} == whole.k_minimal()
        else:
            best = whole.optimal(objective)
            assert best is not None
            assert vector in best.vectors
            assert result.search["proven"]
        kept = whole.oracle.released_indexes(vector)
        rows = query(built.path, f"SELECT {quoted(built.payload)} FROM released")
        assert typed_counter(rows) == typed_counter([(f"p{i}",) for i in kept])
        said = result.to_json()["max_suppression_per"]
        assert [each["kept"] for each in said] == [True] * len(shared.asked)  # type: ignore[attr-defined]


_OF_RUN = ("output", "allow_empty", "search")


# -- small tables, by hand -----------------------------------------------------------------------------------


def regions(folder: Path, **words: Any) -> World:
    """Twelve people of one age in the north and eight of other ages; region 'far' has two people, one odd."""
    return world(
        folder,
        "CREATE TABLE t (age INTEGER, region VARCHAR, note VARCHAR[])",
        "INSERT INTO t SELECT 30, 'north', NULL FROM range(12)",
        "INSERT INTO t SELECT 31, 'south', NULL FROM range(6)",
        "INSERT INTO t VALUES (31, 'far', NULL), (99, 'far', NULL)",
        qi={"age": ["30,young,*", "31,young,*", "99,old,*"]},
        **{"max_suppression": 5, **words},
    )


def test_a_minority_is_not_left_out_for_the_others(tmp_path: Path) -> None:
    every = regions(tmp_path)
    assert every.run(dry_run=True).vector == {"age": 0}
    asked = regions_at(every, "50%")
    assert asked.vector == {"age": 0}
    kept = regions_at(every, "49.9%")
    assert kept.vector == {"age": 2}
    assert kept.suppressed == 0
    assert kept.to_json()["max_suppression_per"] == [{"column": "region", "share": "49.9%", "kept": True}]
    assert kept.manifest["max_suppression_per"] == kept.to_json()["max_suppression_per"]


def regions_at(every: World, share: str, **words: Any) -> kanon_sql.Result:
    return every.run(max_suppression_per={"column": "REGION", "share": share}, dry_run=True, **words)


def test_a_vector_that_is_asked_for_says_what_is_withheld(tmp_path: Path) -> None:
    with pytest.raises(NoSolutionError) as caught:
        regions_at(regions(tmp_path), "5%", vector={"age": 1})
    assert str(caught.value) == (
        "--vector: the vector age=1 does not satisfy: 1 value(s) of region would lose more than 5% of their rows; "
        "choose another vector, allow a larger share (--max-suppression-per), or leave the vector out to search for "
        "one"
    )
    assert "far" not in str(caught.value)


def test_nothing_satisfies_says_what_is_withheld(tmp_path: Path) -> None:
    with pytest.raises(NoSolutionError) as caught:
        regions_at(regions(tmp_path), "5%", max_level={"age": 1})
    assert str(caught.value).endswith(
        "nothing satisfies: at the nearest vector, age=1, 1 value(s) of region would lose more than 5% of their "
        "rows; allow a larger share (--max-suppression-per), or allow higher levels, or ask for a smaller k"
    )


def test_compare_says_which_vectors_satisfy(tmp_path: Path) -> None:
    every = regions(tmp_path)
    words = {word: given for word, given in every.words.items() if word != "output"}
    found = kanon_sql.compare(
        every.path, vectors=["age=1", "age=2"], max_suppression_per="column=region,share=5%", **words
    )
    assert [each.satisfies for each in found.candidates] == [False, True]


def test_rows_without_a_mapping_count_for_their_values(tmp_path: Path) -> None:
    every = regions(tmp_path, quasi_identifiers=None)
    path = tmp_path / "age.csv"
    path.write_text("30,young,*\n31,young,*\n")
    every.words["quasi_identifiers"] = {"age": {"hierarchy": path, "unmapped": "suppress"}}
    with pytest.raises(NoSolutionError, match=r"1 value\(s\) of region would lose more than 5%"):
        regions_at(every, "5%")
    assert regions_at(every, "50%").suppressed == 1


def test_the_direct_plan_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="max_suppression_per is counted beside the frequency set") as caught:
        regions_at(regions(tmp_path), "5%", plan="direct")
    assert (caught.value.where, caught.value.mend) == ("--plan", "leave the plan out")


def test_a_column_without_plain_values_is_refused(tmp_path: Path) -> None:
    every = regions(tmp_path)
    with pytest.raises(
        DataError, match=r"column note is of type VARCHAR\[\], whose values max_suppression_per cannot"
    ):
        every.run(max_suppression_per={"column": "note", "share": "5%"})
    with pytest.raises(DataError, match="regoin"):
        every.run(max_suppression_per={"column": "regoin", "share": "5%"})


def test_nothing_stands_where_a_value_lost_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is made to say that all is well: the verification finds out."""
    every = regions(tmp_path)
    monkeypatch.setattr(ShareCounter, "exceeding", lambda _, vectors: [[] for _ in vectors])
    monkeypatch.setattr(
        "kanon_sql.api.preparing.ShareCounter.exceeding", lambda _, vectors: [[] for _ in vectors]
    )
    with pytest.raises(VerificationError, match="values of region lose a larger share"):
        every.run(max_suppression_per={"column": "region", "share": "5%"})
    assert "released" not in tables(every.path)


def test_on_a_connection_scratch_is_temporary(tmp_path: Path) -> None:
    every = regions(tmp_path)
    with duckdb.connect(str(every.path)) as connection:
        result = every.run(connection, max_suppression_per={"column": "region", "share": "5%"})
        assert result.vector == {"age": 2}
        assert connection.sql(
            "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name LIKE 'kanon%'"
        ).fetchall() == [(0,)]
    assert tables(every.path) == ["released", "t"]
