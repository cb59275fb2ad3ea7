"""A counter that the oracle answers, a measure that is made up, a clock that counts: the search without SQL."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, product
from operator import mul
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from hypothesis import strategies as st

from kanon_sql.lattice import Counts, DistanceVector, Lattice, Prior, dominates
from kanon_sql.measures import Facts, LabelLoss, Measure
from kanon_sql.search import base, budget, optimal
from tests.oracle.choice import WholeLattice
from tests.oracle.model import OracleHierarchy
from tests.oracle.model_strategies import WORDS, ModelCase, _columns
from tests.oracle.search import height
from tests.oracle.strategies import Case


@dataclass
class OracleCounter:
    """Answers for the vectors of a lattice, and for no other.

    Attributes:
        whole: the oracle over the lattice.
        rising: whether a floor is given: suppression may rise with the vector.
        large: whether it says what is known of a large table, so that the search probes.
        batch_size: how many vectors are best asked at once.
        slack: by how much floors are below what is true.
        partly: whether a vector whose floor is above what is enough is only proven to be so.
    """

    whole: WholeLattice
    rising: bool = False
    large: bool = False
    batch_size: int = 48
    slack: int = 0
    partly: bool = False
    asked: list[DistanceVector] = field(default_factory=list)

    @cached_property
    def allowed(self) -> set[DistanceVector]:
        return set(self.whole.vectors)

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        assert expected is None or len(expected) == len(vectors)
        self.asked += vectors
        return [self._at_the_least(self._counts(vector), enough) for vector in vectors]

    def prior(self) -> Prior | None:
        if not self.large:
            return None
        rows = len(self.whole.outcome(self.whole.vectors[0]).rows)
        labels = [[max(2 * (top - level), 1) for level in range(top + 1)] for top in self.whole.heights]
        return Prior(rows, self.whole.k, labels)

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        return [counts.floor + 1 for counts in map(self._counts, vectors)]

    def _counts(self, vector: DistanceVector) -> Counts:
        assert vector in self.allowed, "a vector outside the lattice was asked"
        outliers = self.whole.outcome(vector).suppressed_rows
        if not self.rising:
            return Counts(outliers, 0)
        smaller = [u for u in self.allowed if dominates(vector, u)]
        floor = min(self.whole.outcome(u).suppressed_rows for u in smaller)
        return Counts(outliers, 0, max(floor - self.slack, 0))

    def _at_the_least(self, counts: Counts, enough: int | None) -> Counts:
        if not self.partly or enough is None or counts.floor <= enough:
            return counts
        return Counts(enough + 1, 0, enough + 1 if self.rising else None, estimate=counts.floor)


@dataclass(frozen=True)
class MadeUp:
    """A measure whose value is one of a few per vector, so that many tie; and with it a bound that holds.

    Attributes:
        values: per vector; None where it has none.
        bounds: per vector what nothing at or above it beats, of what satisfies; empty where there is no bound.
        counted: whether a bound is known only of a vector that was counted.
    """

    values: Mapping[DistanceVector, float | None]
    better: Literal["high", "low"]
    bounds: Mapping[DistanceVector, float]
    counted: bool = False
    word: str = "made_up"
    range: str = "anything"
    loss: LabelLoss | None = None

    @classmethod
    def drawn(
        cls,
        whole: WholeLattice,
        better: Literal["high", "low"],
        how: Literal["tight", "loose", "counted", "none"],
        chance: random.Random,
    ) -> MadeUp:
        """A random one for a lattice; its bound is as good as can be, or worse here and there."""
        values = {v: chance.choice([None, 0.0, 1.0, 2.0, 3.0, 5.0, 8.0]) for v in whole.vectors}
        sign = 1 if better == "low" else -1
        bounds: dict[DistanceVector, float] = {}
        for vector in whole.vectors if how != "none" else ():
            above = [values[v] for v in whole.vectors if dominates(v, vector) and whole.satisfies(v)]
            best = min((sign * value for value in above if value is not None), default=9.0)
            bounds[vector] = sign * (best - (0 if how == "tight" else chance.choice([0, 0, 1, 4])))
        return cls(values, better, bounds, how == "counted")

    def value(self, facts: Facts) -> float | None:
        return self.values[facts.vector]

    def bound(self, facts: Facts) -> float | None:
        return None if self.counted and facts.classes is None else self.bounds.get(facts.vector)


@dataclass
class OracleValuer:
    """Tells a made-up measure which vector it is, and counts what satisfies only."""

    whole: WholeLattice

    def prospect(self, vector: DistanceVector, measures: Iterable[Measure]) -> Facts:
        return Facts(Lattice(self.whole.heights), vector, 1, 1)

    def facts(self, vectors: Sequence[DistanceVector], measures: Iterable[Measure]) -> list[Facts]:
        assert all(map(self.whole.satisfies, vectors)), "what fails has no value to ask for"
        return [Facts(Lattice(self.whole.heights), v, 1, 1, classes=1) for v in vectors]


@contextmanager
def small_stretches(size: int = 3) -> Iterator[None]:
    """A search holds so few vectors at once that small lattices are decided in several pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "STRETCH", size)
        patch.setattr(optimal, "WAITING", size)
        yield


@contextmanager
def ticking() -> Iterator[None]:
    """A second goes by with every look at the clock, and none otherwise: n seconds are n - 1 questions."""
    ticks = count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
        yield


def by_height(vectors: Iterable[DistanceVector]) -> dict[int, set[DistanceVector]]:
    """Vectors by their height."""
    found: dict[int, set[DistanceVector]] = {}
    for vector in vectors:
        found.setdefault(height(vector), set()).add(vector)
    return found


def counter_of(whole: WholeLattice, *, rising: bool, chance: random.Random) -> OracleCounter:
    """A counter of one of many kinds."""
    drawn: dict[str, Any] = {
        "large": chance.random() < 0.5,
        "batch_size": chance.choice([1, 3, 48]),
        "partly": chance.random() < 0.5,
        "slack": chance.choice([0, 0, 1, 3]) if rising else 0,
    }
    return OracleCounter(whole, rising=rising, **drawn)


# Hypothesis's own random numbers are mostly small ones, which make for dull lattices.
CHANCE = st.integers(0, 1 << 32).map(random.Random)


@st.composite
def ladders(draw: st.DrawFn, *, models: bool | None = None) -> Case | ModelCase:
    """Two to four quasi-identifiers whose levels all merge something, so that many vectors are minimal; by k alone,
    with persons, or (``models``: always, never, None sometimes) with the models of a sensitive column."""
    chance = draw(CHANCE)
    heights = chance.choice([(2, 3), (3, 3), (1, 2, 3), (2, 2, 2), (1, 1, 2, 1), (2, 1, 2, 1)])
    # Each hierarchy halves the labels at every level but the last.
    rows = [
        tuple(int(2 ** (h + 1) * chance.random() ** chance.choice([1, 2])) for h in heights)
        for _ in range(chance.randint(12, 36))
    ]
    hierarchies = tuple(
        OracleHierarchy.from_paths(
            (v, *(f"{v >> level}/{level}" for level in range(1, h)), "*") for v in range(2 ** (h + 1))
        )
        for h in heights
    )
    persons = [chance.randint(1, len(rows)) for _ in rows] if chance.random() < 0.25 else None
    names = tuple(f"q{i}" for i in range(len(heights)))
    k = chance.choice([1, 2, 2, 3, 4])
    case = Case(names, ("INTEGER",) * len(names), rows, hierarchies, (True,) * len(names), k, 0, persons)
    if chance.random() < 0.4 if models is None else not models:
        return case
    counts = ("rows", "persons") if persons is not None else ("rows",)
    return ModelCase(case, [draw(_columns(case, 0, WORDS, counts, 2))], None, None)  # type: ignore[arg-type]


class AnyCounts(WholeLattice):
    """A lattice without a table: suppressed rows fall with the height, and rise here and there as with models."""

    def __init__(self, heights: Sequence[int], chance: random.Random) -> None:
        self.heights, self.k, self.per, self.weights = tuple(heights), 2, [], None
        self.vectors = list(product(*(range(top + 1) for top in heights)))
        steps = [chance.uniform(0, 8) for _ in heights]
        self._rows = {
            v: max(int(24 - sum(map(mul, steps, v)) + chance.choice([0, 0, 0, 4, 9, 30])), 0)
            for v in self.vectors
        }
        self.max_sup = chance.choice([0, 2, 5, 9])

    def outcome(self, vector: Sequence[int]) -> Any:
        return SimpleNamespace(suppressed_rows=self._rows[tuple(vector)], rows=range(60))


def allow_some(whole: WholeLattice, chance: random.Random) -> None:
    """Mostly, let as many rows be suppressed as some vector suppresses, so that something satisfies."""
    if chance.random() < 0.8:
        whole.max_sup = whole.outcome(chance.choice(whole.vectors)).suppressed_rows
