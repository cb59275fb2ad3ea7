"""``search: all``, ``search: optimal``, policies and budgets: whole runs against the oracle over entire lattices."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.api import pipeline
from kanon_sql.api.clock import Clock
from kanon_sql.api.preparing import prepare
from kanon_sql.api.searching import Searched, search
from kanon_sql.binding import bind
from kanon_sql.catalog import find_source
from kanon_sql.errors import NoSolutionError
from kanon_sql.search import POLICIES
from kanon_sql.spec.words import OBJECTIVES
from tests.engine.model_support import build_models
from tests.engine.support import Built, build, engine_at, lines, make
from tests.engine.test_against_oracle import examples
from tests.engine.test_measures import of_data
from tests.engine.test_restricted import words_of
from tests.engine.test_rollup import RULES, forced
from tests.oracle import BETTER
from tests.oracle.by_models import BISECTION_IS_WRONG, SmallCase
from tests.oracle.choice import Optimum, WholeLattice, order
from tests.oracle.model import Vector
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.search import height
from tests.oracle.strategies import Case, cases
from tests.search.support import CHANCE, allow_some, ladders, small_stretches, ticking
from tests.search.test_restricted import drawn_range

# Those of the spec are above 0.
WEIGHTS = (Fraction(1), Fraction(3), Fraction(1, 2), Fraction(2))
# What is best under these is exact, ties and all; the others have roots and logarithms.
EXACT = set(OBJECTIVES) - {"gcp_geometric", "non_uniform_entropy"}


@contextmanager
def kept() -> Iterator[list[Searched]]:
    """What the searches of runs found, beside what the runs tell of it."""
    found: list[Searched] = []

    def keeping(search: Callable[..., Searched]) -> Callable[..., Searched]:
        def run(*args: Any) -> Searched:
            found.append(search(*args))
            return found[-1]

        return run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "search", keeping(pipeline.search))
        yield found


class Asked:
    """A case with the words of a run, the levels allowed, and the oracle over those."""

    def __init__(self, drawn: Case | ModelCase, folder: Path, chance: random.Random, **more: Any) -> None:
        drawn = with_leaves(drawn)
        self.case = case = drawn.case if isinstance(drawn, ModelCase) else drawn
        self.built: Built = (
            build_models(drawn, folder) if isinstance(drawn, ModelCase) else build(drawn, folder)
        )
        self.words: dict[str, Any] = {**self.built.words, "allow_empty": True, **more}
        low: Vector | None = None
        high: Vector | None = None
        if chance.random() < 0.3:
            low, high = drawn_range(case.heights, chance)
            self.words |= words_of(tuple(case.columns), case.heights, low, high, chance)
        oracle = drawn.oracle() if isinstance(drawn, ModelCase) else drawn.by_grouping()
        self.whole = whole = WholeLattice(oracle, case.max_sup, low, high)
        allow_some(whole, chance)
        self.words["max_suppression"] = whole.max_sup

    @property
    def is_possible(self) -> bool:
        """Whether there are as many persons as k asks for; without, a run is refused before it searches."""
        return self.case.persons is None or self.case.k <= len(set(self.case.persons))

    def run(self, **more: Any) -> tuple[kanon_sql.Result, Searched]:
        """A run; what it tells, and what its search found."""
        with kept() as found:
            return kanon_sql.anonymize(self.built.path, **{**self.words, "dry_run": True, **more}), found[0]

    @contextmanager
    def searching(self) -> Iterator[Callable[..., Searched]]:
        """Searches of one frequency set, one after another: what a run does before it releases."""
        engine, spec = engine_at(self.built.path, self.words, self.built.path.parent)
        try:
            prepared = prepare(engine, bind(engine, spec, find_source(engine, spec)), Clock(None))

            def searched(**more: Any) -> Searched:
                asked = replace(prepared.bound.spec, **more)
                return search(
                    engine, replace(prepared, bound=replace(prepared.bound, spec=asked)), None, None
                )

            yield searched
        finally:
            engine.close()


def with_leaves(drawn: Case | ModelCase) -> Case | ModelCase:
    """The case with the leaves of columns without a hierarchy being the values that there are."""
    if isinstance(drawn, Case):
        return of_data(drawn)
    return replace(drawn, case=of_data(drawn.case, drawn.population))


@contextmanager
def piecemeal(rule: str, size: int) -> Iterator[None]:
    """By one of the rules of counting, if any, and so many vectors of the lattice at once."""
    with forced(rule) if rule else nullcontext(), small_stretches(size):
        yield


DRAWN = st.one_of(cases(max_columns=3, max_rows=30), model_cases(max_rows=25), ladders(), ladders())
HOW = st.sampled_from(["", "", "", *RULES])
SIZES = st.sampled_from([1, 3, 1 << 10])


# ---------------------------------------------------------------- every minimal vector, and policies


POLICY = st.lists(st.sampled_from(sorted(POLICIES)), unique=True, max_size=3)


@examples(16)
@given(
    DRAWN,
    st.sampled_from(["all", "all", "minimal"]),
    st.lists(POLICY, min_size=3, max_size=3),
    HOW,
    SIZES,
    CHANCE,
)
def test_all_and_policies(
    drawn: Case | ModelCase,
    search: str,
    policies: list[list[str]],
    rule: str,
    size: int,
    chance: random.Random,
) -> None:
    """The set is the oracle's, and of it that vector is released which the policies prefer one after another."""
    policy = policies[0]
    words = {"search": search, **({"policy": policy} if policy else {})}
    with tempfile.TemporaryDirectory() as name, piecemeal(rule, size):
        asked = Asked(drawn, Path(name), chance, **words)
        whole = asked.whole
        if not asked.is_possible:
            return
        minimal = sorted(whole.k_minimal(), key=lambda v: order(v, whole.heights))
        event(f"{min(len(minimal), 4)} minimal")
        if not minimal:
            with pytest.raises(NoSolutionError, match="nothing satisfies"):
                asked.run()
            return
        result, found = asked.run()
        vector = tuple(result.vector.values())
        assert found.found.vector == vector
        hold_preferred(found, whole, search, policy)
        assert result.suppressed == whole.outcome(vector).suppressed_rows
        assert result.proven_minimal == (height(vector) == height(minimal[0]))
        if search == "all" or policy:
            hold_measures(result, asked, vector)
        with asked.searching() as searched:
            for each in policies[1:]:
                for kind in ("all", "minimal"):
                    hold_preferred(searched(search=kind, policy=tuple(each)), whole, kind, each)


def hold_preferred(found: Searched, whole: WholeLattice, search: str, policy: list[str]) -> None:
    """The minimal set is the oracle's, and so is the vector that policies prefer."""
    minimal = sorted(whole.k_minimal(), key=lambda v: order(v, whole.heights))
    if search == "minimal":
        minimal = [v for v in minimal if height(v) == height(minimal[0])]
        assert found.found.vector == whole.minimal(policy)
    else:
        assert found.found.vector == whole.preferred_of_all(policy)
    assert found.found.counts.outliers == whole.outcome(found.found.vector).suppressed_rows
    assert (found.minimal is None) == (search == "minimal" and not policy)
    if found.minimal is not None:
        assert list(found.minimal.vectors) == minimal
        assert found.minimal.complete


def hold_measures(result: kanon_sql.Result, asked: Asked, vector: Vector) -> None:
    """What is said of the vector is what the oracle says."""
    for word in OBJECTIVES:
        value = asked.whole.measure(word, vector)
        if value is None:
            assert word not in result.measures
        else:
            assert result.measures[word] == pytest.approx(float(value), rel=1e-9, abs=1e-9), word


@pytest.mark.parametrize("case", BISECTION_IS_WRONG, ids=lambda case: str(case.model))
@pytest.mark.parametrize("search", [{"search": "all"}, {"search": "optimal", "objective": "completeness"}])
def test_where_bisection_is_wrong(tmp_path: Path, case: SmallCase, search: dict[str, str]) -> None:
    """A vector above one that fails satisfies, and one above one that satisfies fails."""
    persons = case.persons or (0,) * len(case.rows)
    values = ", ".join(f"('{qi}', '{s}', {who})" for (qi, s), who in zip(case.rows, persons, strict=True))
    path = make(
        tmp_path / "w.duckdb",
        "CREATE TABLE t (qi VARCHAR, diag VARCHAR, who INTEGER)",
        f"INSERT INTO t VALUES {values}",
    )
    file = lines(tmp_path / "qi.csv", *(";".join(map(str, path)) for path in case.hierarchy.paths.values()))
    with kept() as found:
        result = kanon_sql.anonymize(
            path,
            table="t",
            k=1,
            max_suppression=case.max_sup,
            quasi_identifiers={"qi": {"hierarchy": file, "delimiter": ";", "header": False}},
            sensitive={"diag": list(case.column_spec)},
            dry_run=True,
            **search,
            **({"person": "who"} if case.persons else {}),
        )
    whole = WholeLattice(case.oracle(), case.max_sup)
    if found[0].minimal is not None:
        assert found[0].minimal.vectors == tuple(sorted(whole.k_minimal()))
        assert result.height == case.least_height
    else:
        best = whole.optimal("completeness")
        assert best is not None
        assert tuple(result.vector.values()) == best.vector


# ---------------------------------------------------------------- the best value


@examples(16)
@given(
    DRAWN,
    st.sampled_from(OBJECTIVES),
    st.one_of(st.none(), st.lists(st.sampled_from(WEIGHTS), min_size=4, max_size=4)),
    HOW,
    SIZES,
    CHANCE,
)
def test_optimal(
    drawn: Case | ModelCase,
    objective: str,
    chosen: list[Fraction] | None,
    rule: str,
    size: int,
    chance: random.Random,
) -> None:
    """Of one objective a whole run, of the others the search."""
    with tempfile.TemporaryDirectory() as name, piecemeal(rule, size):
        asked = Asked(drawn, Path(name), chance, search="optimal", objective=objective)
        whole = asked.whole
        if not asked.is_possible:
            return
        if chosen is not None:
            whole.weights = weights = chosen[: len(asked.case.columns)]
            named = zip(asked.case.columns, weights, strict=True)
            asked.words["weight"] = {column: str(float(weight)) for column, weight in named}
        event(f"{min(len(whole.satisfying()), 4)} satisfy")
        expected = whole.optimal(objective)
        if expected is None:
            event("nothing has a value")
            message = f"has a value of {objective}" if whole.satisfying() else "nothing satisfies"
            with pytest.raises(NoSolutionError, match=message):
                asked.run()
            return
        result, found = asked.run()
        vector = tuple(result.vector.values())
        assert found.found.vector == vector
        assert result.suppressed == whole.outcome(vector).suppressed_rows
        assert not result.proven_minimal or vector == whole.minimal()
        hold_measures(result, asked, vector)
        hold_best(found, whole, objective, expected)
        with asked.searching() as searched:
            for other in chance.sample(OBJECTIVES, 4):
                expected = whole.optimal(other)
                if expected is not None:
                    hold_best(searched(objective=other), whole, other, expected)


def hold_best(found: Searched, whole: WholeLattice, objective: str, expected: Optimum) -> None:
    """The value is the oracle's optimum, and so is the vector where ties are exact."""
    best = found.optimum
    assert best is not None
    assert best.vector is not None
    assert best.proven
    assert best.value == best.bound == pytest.approx(float(expected.value), rel=1e-9, abs=1e-9)
    assert whole.satisfies(best.vector)
    if objective in EXACT:
        event(f"{objective}: {min(len(expected.vectors), 3)} tie")
        assert best.vector == expected.vector
    else:
        value = whole.measure(objective, best.vector)
        assert value is not None
        assert float(value) == pytest.approx(float(expected.value), rel=1e-9, abs=1e-9)
    assert found.found.counts.outliers == whole.outcome(best.vector).suppressed_rows


def test_a_value_that_nothing_has(tmp_path: Path) -> None:
    """The mean over no class: what satisfies may release nothing, which is not to say that nothing satisfies."""
    path = make(tmp_path / "w.duckdb", "CREATE TABLE t AS SELECT unnest(['a', 'b']) AS q")
    words = {"table": "t", "k": 2, "max_suppression": 2, "quasi_identifiers": {"q": None}, "level": {"q": 0}}
    words |= {"allow_empty": True, "dry_run": True, "search": "optimal"}
    with pytest.raises(NoSolutionError, match="no vector that satisfies has a value of c_avg"):
        kanon_sql.anonymize(path, **words, objective="c_avg")
    assert kanon_sql.anonymize(path, **words, objective="gcp").released == 0


# ---------------------------------------------------------------- time


@examples(16)
@given(
    DRAWN,
    st.sampled_from([("minimal", ""), ("minimal", "suppression"), ("all", ""), ("optimal", "")]),
    st.sampled_from(OBJECTIVES),
    st.integers(1, 6),
    HOW,
    CHANCE,
)
def test_a_run_whose_time_is_up(
    drawn: Case | ModelCase,
    how: tuple[str, str],
    objective: str,
    seconds: int,
    rule: str,
    chance: random.Random,
) -> None:
    """What is given satisfies; nothing is said to be proven that is not; nothing found is refused."""
    search, policy = how
    words: dict[str, Any] = {"search": search, "time_budget": f"{seconds}s"}
    if policy:
        words["policy"] = policy
    if search == "optimal":
        words["objective"] = objective
    with tempfile.TemporaryDirectory() as name, piecemeal(rule, 3), ticking():
        asked = Asked(drawn, Path(name), chance, **words)
        whole = asked.whole
        if not asked.is_possible:
            return
        try:
            result, found = asked.run()
        except NoSolutionError as refused:
            assert refused.exit_code == 5
            event(str(refused)[:18])
            assert not whole.satisfying() or "time was up" in str(refused) or objective in NO_VALUE
            return
        vector = tuple(result.vector.values())
        assert whole.satisfies(vector)
        assert result.suppressed == whole.outcome(vector).suppressed_rows
        least = min(map(height, whole.satisfying()))
        assert not result.proven_minimal or height(vector) == least
        if found.minimal is not None:
            event(f"complete: {found.minimal.complete}")
            minimal = whole.k_minimal()
            if search == "minimal":
                minimal = {v for v in minimal if height(v) == least}
            assert not found.minimal.complete or set(found.minimal.vectors) == minimal
        if found.optimum is not None:
            event(f"proven: {found.optimum.proven}")
            hold_bound(found, whole, objective)


NO_VALUE = {"average_class_size", "c_avg"}


def hold_bound(found: Searched, whole: WholeLattice, objective: str) -> None:
    """No vector has a better value than what is said, nor one that is given a worse value than it is said to have."""
    best, expected = found.optimum, whole.optimal(objective)
    assert best is not None
    assert best.vector is not None
    assert expected is not None
    sign = 1 if BETTER[objective] == "low" else -1
    value = float(whole.measure(objective, best.vector) or 0)
    assert best.value == pytest.approx(value, rel=1e-9, abs=1e-9)
    slack = 1e-9 * max(1.0, abs(value))
    if best.bound is not None:
        assert sign * best.bound <= sign * float(expected.value) + slack
    if best.proven:
        assert value == pytest.approx(float(expected.value), rel=1e-9, abs=1e-9)
