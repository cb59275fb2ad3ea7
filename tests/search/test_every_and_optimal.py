"""Every minimal vector and the best one, without SQL: whole lattices, restricted or not, decided in small pieces."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from kanon_sql.lattice import Lattice
from kanon_sql.search import NothingSatisfies, find_minimal, find_optimum
from tests.engine.test_against_oracle import examples
from tests.oracle.choice import WholeLattice, optimum, order
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.search import height
from tests.oracle.strategies import Case, cases
from tests.search.support import (
    CHANCE,
    AnyCounts,
    MadeUp,
    OracleCounter,
    OracleValuer,
    allow_some,
    counter_of,
    ladders,
    small_stretches,
)
from tests.search.test_restricted import drawn_range, found_in

HOW = ("tight", "loose", "counted", "none")


def pieces(chance: random.Random) -> AbstractContextManager[None]:
    """Lattices in small pieces, or not."""
    return small_stretches(chance.choice([1, 3])) if chance.random() < 0.7 else nullcontext()


def hold_minimal(whole: WholeLattice, lattice: Lattice, counter: OracleCounter, least: bool) -> None:
    """The minimal set is the oracle's, in order, and no vector is asked twice."""
    expected = sorted(whole.k_minimal(), key=lambda v: order(v, whole.heights))
    if not expected:
        event("nothing satisfies")
        with pytest.raises(NothingSatisfies) as caught:
            find_minimal(lattice, counter, whole.max_sup, least_height_only=least)
        assert caught.value.vector in lattice
        return
    if least:
        expected = [v for v in expected if height(v) == height(expected[0])]
    found = find_minimal(lattice, counter, whole.max_sup, least_height_only=least)
    event(f"{min(len(expected), 3)} minimal")
    assert list(found.vectors) == expected
    assert found.complete
    assert found.decided_below >= height(expected[-1])
    assert found.evaluated == len(found.asked) == len(counter.asked) == len(set(counter.asked))
    for vector in expected:
        assert found.asked[vector].outliers == whole.outcome(vector).suppressed_rows


@examples(80)
@given(st.one_of(cases(), ladders(models=False)), st.booleans(), CHANCE)
def test_every_minimal_vector(case: Case, least: bool, chance: random.Random) -> None:
    low, high = (
        drawn_range(case.heights, chance) if chance.random() < 0.5 else ((0,) * len(case.heights), None)
    )
    lattice = Lattice(case.heights, low, high)
    whole = WholeLattice(case.by_grouping(), case.max_sup, low, high)
    allow_some(whole, chance)
    with pieces(chance):
        hold_minimal(whole, lattice, counter_of(whole, rising=False, chance=chance), least)


@examples(80)
@given(st.one_of(model_cases(), ladders(models=True)), st.booleans(), CHANCE)
def test_every_minimal_vector_where_suppression_may_rise(
    drawn: ModelCase, least: bool, chance: random.Random
) -> None:
    heights = drawn.case.heights
    low, high = drawn_range(heights, chance) if chance.random() < 0.3 else ((0,) * len(heights), None)
    whole = WholeLattice(drawn.oracle(), drawn.case.max_sup, low, high)
    allow_some(whole, chance)
    with pieces(chance):
        hold_minimal(whole, Lattice(heights, low, high), counter_of(whole, rising=True, chance=chance), least)


@examples(120)
@given(
    st.one_of(cases(), model_cases(), ladders(), ladders()),
    st.sampled_from(["low", "high"]),
    st.sampled_from(HOW),
    CHANCE,
)
def test_the_best_value_of_a_made_up_measure(
    drawn: Case | ModelCase, better: Literal["high", "low"], how: str, chance: random.Random
) -> None:
    """Values that tie often, or are missing; bounds that are tight, loose, known late, or not there."""
    case = drawn.case if isinstance(drawn, ModelCase) else drawn
    oracle = drawn.oracle() if isinstance(drawn, ModelCase) else drawn.by_grouping()
    low, high = (
        drawn_range(case.heights, chance) if chance.random() < 0.4 else ((0,) * len(case.heights), None)
    )
    whole = WholeLattice(oracle, case.max_sup, low, high)
    allow_some(whole, chance)
    lattice = Lattice(case.heights, low, high)
    hold_best(whole, lattice, better, how, rising=isinstance(drawn, ModelCase), chance=chance)


def hold_best(
    whole: WholeLattice,
    lattice: Lattice,
    better: Literal["high", "low"],
    how: str,
    *,
    rising: bool,
    chance: random.Random,
) -> None:
    """The best value of a made-up measure is found, and of those that tie the first in order."""
    measure = MadeUp.drawn(whole, better, how, chance)  # type: ignore[arg-type]
    counter = counter_of(whole, rising=rising, chance=chance)
    expected = optimum(whole.satisfying(), lambda v: measure.values[v], better, whole.heights)
    with pieces(chance):
        if expected is None:
            event("nothing has a value")
            with pytest.raises(NothingSatisfies):
                find_optimum(lattice, counter, whole.max_sup, OracleValuer(whole), measure)
            return
        found = find_optimum(lattice, counter, whole.max_sup, OracleValuer(whole), measure)
    event(f"{min(len(expected.vectors), 3)} tie")
    assert found.vector == expected.vector
    assert found.value == found.bound == expected.value
    assert (found.proven, found.gap) == (True, 0.0)
    assert found.counts is not None
    assert found.counts.outliers == whole.outcome(expected.vector).suppressed_rows
    assert found.evaluated == len(found.asked) == len(counter.asked) == len(set(counter.asked))


@examples(150)
@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=4),
    st.sampled_from(["low", "high"]),
    st.sampled_from(HOW),
    CHANCE,
)
def test_whatever_rises(
    heights: list[int], better: Literal["high", "low"], how: str, chance: random.Random
) -> None:
    """Sound for any counts with a floor, more wayward than those of models."""
    whole = AnyCounts(heights[: 3 if 3 in heights else 4], chance)
    lattice = Lattice(whole.heights)
    with pieces(chance):
        hold_minimal(whole, lattice, counter_of(whole, rising=True, chance=chance), chance.random() < 0.5)
        found_in(whole, lattice, counter_of(whole, rising=True, chance=chance), pruning=chance.random() < 0.7)
    hold_best(whole, lattice, better, how, rising=True, chance=chance)
