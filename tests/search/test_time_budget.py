"""A search whose time is up after any number of questions: what it gives is true, and called what it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from kanon_sql.lattice import Lattice
from kanon_sql.search import Budget, NothingSatisfies, OutOfTime, find_minimal, find_optimum, find_vector
from tests.engine.test_against_oracle import examples
from tests.oracle.choice import WholeLattice, optimum
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.search import height
from tests.oracle.strategies import Case, cases
from tests.search.support import (
    CHANCE,
    MadeUp,
    OracleCounter,
    OracleValuer,
    allow_some,
    by_height,
    counter_of,
    ladders,
    small_stretches,
    ticking,
)
from tests.search.test_restricted import drawn_range

T = TypeVar("T")


def drawn_lattice(
    drawn: Case | ModelCase, chance: random.Random
) -> tuple[WholeLattice, Lattice, Callable[[], OracleCounter]]:
    """A lattice, restricted or not, and a maker of like counters."""
    is_plain = isinstance(drawn, Case)
    case = drawn if is_plain else drawn.case
    low, high = (
        drawn_range(case.heights, chance) if chance.random() < 0.3 else ((0,) * len(case.heights), None)
    )
    whole = WholeLattice(case.by_grouping() if is_plain else drawn.oracle(), case.max_sup, low, high)
    allow_some(whole, chance)
    first = counter_of(whole, rising=not is_plain, chance=chance)
    words = {word: getattr(first, word) for word in ("rising", "large", "batch_size", "slack", "partly")}
    return whole, Lattice(case.heights, low, high), lambda: OracleCounter(whole, **words)


def at_every_time(search: Callable[[Budget, OracleCounter], T], make: Callable[[], OracleCounter]) -> Any:
    """What a search gives when its time is up after 0, 1, 2, … questions, until it is not; with its counter."""
    for seconds in range(1, 10_000):
        counter = make()
        with ticking():
            budget = Budget(seconds)
            try:
                given: T | OutOfTime = search(budget, counter)
            except OutOfTime as out:
                given = out
            except NothingSatisfies:
                yield None, counter
                return
            yield given, counter
            try:
                budget.check()
            except OutOfTime:
                continue
            return


DRAWN = st.one_of(cases(max_columns=3, max_rows=25), model_cases(max_rows=20), ladders(), ladders())


@examples(40)
@given(DRAWN, st.booleans(), CHANCE)
def test_the_least_height(drawn: Case | ModelCase, pruning: bool, chance: random.Random) -> None:
    whole, lattice, make = drawn_lattice(drawn, chance)
    expected = whole.minimal()
    given = None
    with small_stretches():
        for given, counter in at_every_time(
            lambda budget, counter: find_vector(
                lattice, counter, whole.max_sup, pruning=pruning, budget=budget
            ),
            make,
        ):
            if given is None:
                assert expected is None
            elif isinstance(given, OutOfTime):
                assert not any(map(whole.satisfies, counter.asked))
            else:
                assert whole.satisfies(given.vector)
                assert given.counts.outliers == whole.outcome(given.vector).suppressed_rows
                assert not given.proven_minimal or given.vector == expected
    assert (given is None) == (expected is None)
    assert given is None or given.proven_minimal


@examples(40)
@given(DRAWN, st.booleans(), CHANCE)
def test_every_minimal_vector(drawn: Case | ModelCase, least: bool, chance: random.Random) -> None:
    whole, lattice, make = drawn_lattice(drawn, chance)
    every = by_height(whole.k_minimal())
    first = min(every, default=None)
    expected = {first: every[first]} if least and first is not None else every
    given = None
    with small_stretches():
        for given, counter in at_every_time(
            lambda budget, counter: find_minimal(
                lattice, counter, whole.max_sup, least_height_only=least, budget=budget
            ),
            make,
        ):
            if given is None:
                assert not every
                continue
            assert all(map(whole.satisfies, given.vectors))
            found = by_height(given.vectors)
            if given.complete:
                assert found == expected
                continue
            # Below that height all is said; above it stands at most one vector, when nothing else does.
            event("incomplete")
            below = {level: vectors for level, vectors in every.items() if level < given.decided_below}
            assert {level: v for level, v in found.items() if level < given.decided_below} == below
            assert below == found or (not below and len(given.vectors) == 1)
            if not given.vectors:
                assert not any(map(whole.satisfies, counter.asked))
    assert (given is None) == (not every)
    assert given is None or given.complete


@examples(60)
@given(
    DRAWN,
    st.sampled_from(["low", "high"]),
    st.sampled_from(["tight", "loose", "counted", "none"]),
    CHANCE,
)
def test_the_best_value(
    drawn: Case | ModelCase, better: Literal["high", "low"], how: str, chance: random.Random
) -> None:
    whole, lattice, make = drawn_lattice(drawn, chance)
    measure = MadeUp.drawn(whole, better, how, chance)  # type: ignore[arg-type]
    expected = optimum(whole.satisfying(), lambda v: measure.values[v], better, whole.heights)
    sign = 1 if better == "low" else -1
    given, before = None, None
    with small_stretches():
        for given, counter in at_every_time(
            lambda budget, counter: find_optimum(
                lattice, counter, whole.max_sup, OracleValuer(whole), measure, budget=budget
            ),
            make,
        ):
            if given is None:
                assert expected is None
                continue
            valued = [v for v in counter.asked if whole.satisfies(v) and measure.values[v] is not None]
            if given.vector is None:
                assert not valued, "a vector was found that satisfies"
                assert (given.value, given.counts, given.proven, given.gap) == (None, None, False, None)
            else:
                assert whole.satisfies(given.vector)
                assert given.value == measure.values[given.vector]
                assert given.counts.outliers == whole.outcome(given.vector).suppressed_rows
                assert expected is not None
                # Of what was asked nothing is better; nor is more time.
                assert all(sign * measure.values[v] >= sign * given.value for v in valued)
                assert before is None or sign * given.value <= sign * before
                before = given.value
            if given.proven:
                assert expected is not None
                assert (given.vector, given.bound) == (expected.vector, expected.value)
            elif given.bound is not None and expected is not None:
                event("a bound")
                assert sign * given.bound <= sign * expected.value
                assert given.gap is None or given.gap == sign * (given.value - given.bound) >= 0
            assert how in ("counted", "none") or given.bound is not None or not counter.asked
    assert (given is None) == (expected is None)
    assert given is None or given.proven


def test_no_time_at_all_is_told_from_nothing(tmp_path: object) -> None:
    """Before the first question nothing is known, not even that nothing satisfies."""
    lattice = Lattice((1, 2))

    class _Never:
        batch_size = 1

        def __getattr__(self, name: str) -> Any:
            if name == "prior":
                return lambda: None
            raise AssertionError(name)

    with ticking():
        with pytest.raises(OutOfTime):
            find_vector(lattice, _Never(), 0, budget=Budget(1))
        given = find_minimal(lattice, _Never(), 0, budget=Budget(1))
    assert (given.vectors, given.complete, given.decided_below) == ((), False, 0)
    assert height(lattice.top) == 3
