"""Restricted lattices, without SQL: what the lattice holds, and what the search finds in it (DESIGN 5.11, 7)."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_sql.lattice import Lattice, height
from kanon_sql.search import NothingSatisfies, find_vector
from kanon_sql.search.advice import most_helpful_removal
from kanon_sql.search.model import SuppressionModel
from tests.engine.test_against_oracle import examples
from tests.oracle.choice import WholeLattice, order
from tests.oracle.model import Vector
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.strategies import Case, cases
from tests.search.support import OracleCounter


def drawn_range(heights: Vector, chance: random.Random) -> tuple[Vector, Vector]:
    """A lowest and a highest level of each quasi-identifier."""
    pairs = [sorted((chance.randint(0, top), chance.randint(0, top))) for top in heights]
    return tuple(low for low, _ in pairs), tuple(high for _, high in pairs)


@examples(200)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_vectors_of_every_height_in_order(heights: list[int], chance: random.Random) -> None:
    low, high = drawn_range(tuple(heights), chance)
    lattice = Lattice(tuple(heights), low, high)
    every = list(product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))))
    assert (lattice.size, lattice.bottom, lattice.top) == (len(every), low, high)
    assert (lattice.least_height, lattice.height) == (sum(low), sum(high))
    for level in range(-1, sum(heights) + 2):
        expected = sorted((v for v in every if height(v) == level), key=lambda v: order(v, heights))
        assert list(lattice.at_height(level)) == expected
        assert lattice.count_at(level) == len(expected)
    for vector in product(*(range(-1, top + 2) for top in heights[:3])):
        assert (vector in Lattice(tuple(heights[:3]), low[:3], high[:3])) == all(
            a <= level <= b for level, a, b in zip(vector, low, high, strict=False)
        )


def test_a_lattice_is_refused_whose_levels_do_not_fit() -> None:
    for words in ({"lowest": (-1, 0)}, {"highest": (1, 3)}, {"lowest": (1, 2), "highest": (0, 2)}):
        with pytest.raises(ValueError, match="outside"):
            Lattice((1, 2), **words)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="argument"):
        Lattice((1, 2), lowest=(0,))


@examples(60)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_best_guess_of_every_height_is_allowed(heights: list[int], chance: random.Random) -> None:
    low, high = drawn_range(tuple(heights), chance)
    lattice = Lattice(tuple(heights), low, high)
    model = SuppressionModel.of_rows(lattice, 3, 100)
    for _ in range(4):
        model.observe(
            tuple(chance.randint(a, b) for a, b in zip(low, high, strict=True)), chance.randint(0, 100)
        )
    model.fit()
    best = model.best_per_height()
    assert [height(vector) for vector in best] == list(range(sum(low), sum(high) + 1))
    for vector in best:
        assert vector in lattice
        least = min(map(model.predict, lattice.at_height(height(vector))))
        assert model.predict(vector) == pytest.approx(least)


def found_in(whole: WholeLattice, lattice: Lattice, counter: OracleCounter, *, pruning: bool) -> None:
    """The search finds what the oracle does, or nothing as it does."""
    expected = whole.minimal()
    if expected is None:
        with pytest.raises(NothingSatisfies) as caught:
            find_vector(lattice, counter, whole.max_sup, pruning=pruning)
        assert caught.value.vector in lattice
        return
    found = find_vector(lattice, counter, whole.max_sup, pruning=pruning)
    assert found.vector == expected
    assert found.counts.outliers == whole.outcome(expected).suppressed_rows
    assert found.proven_minimal


@examples(60)
@given(cases(), st.booleans(), st.booleans(), st.sampled_from([1, 3, 48]), st.randoms(use_true_random=False))
def test_the_least_vector_of_a_restricted_lattice(
    case: Case, pruning: bool, large: bool, batch: int, chance: random.Random
) -> None:
    low, high = drawn_range(case.heights, chance)
    whole = WholeLattice(case.by_grouping(), case.max_sup, low, high)
    counter = OracleCounter(whole, large=large, batch_size=batch)
    found_in(whole, Lattice(case.heights, low, high), counter, pruning=pruning)


@examples(60)
@given(model_cases(), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_the_least_vector_of_a_restricted_lattice_where_suppression_may_rise(
    drawn: ModelCase, pruning: bool, large: bool, chance: random.Random
) -> None:
    heights = drawn.case.heights
    low, high = drawn_range(heights, chance)
    whole = WholeLattice(drawn.oracle(), drawn.case.max_sup, low, high)
    counter = OracleCounter(whole, rising=True, large=large)
    found_in(whole, Lattice(heights, low, high), counter, pruning=pruning)


class _Anywhere(OracleCounter):
    """Answers for a whole lattice: a quasi-identifier that is left out stands at the top of its hierarchy."""

    def __init__(self, case: Case) -> None:
        super().__init__(WholeLattice(case.by_grouping(), case.max_sup))


@examples(60)
@given(cases(max_columns=3), st.randoms(use_true_random=False))
def test_the_advice_keeps_to_the_levels_allowed(case: Case, chance: random.Random) -> None:
    low, high = drawn_range(case.heights, chance)
    lattice, counter = Lattice(case.heights, low, high), _Anywhere(case)
    try:
        found = find_vector(lattice, counter, case.max_sup)
    except NothingSatisfies:
        return
    if len(case.heights) < 2:
        return
    expected = []
    for i, top in enumerate(case.heights):
        at_top = (
            WholeLattice(
                case.by_grouping(),
                case.max_sup,
                (*low[:i], top, *low[i + 1 :]),
                (*high[:i], top, *high[i + 1 :]),
            ).minimal(),
            top,
        )
        if at_top[0] is not None:
            expected.append((height(at_top[0]) - top, i))
    least = min(expected, default=None)
    assert most_helpful_removal(lattice, counter, case.max_sup, found.known) == (least and least[::-1])
