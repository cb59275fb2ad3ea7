"""Which vector of a lattice: every k-minimal one, the preferred one, the best one (DESIGN 5.11, 7).

All of it looks at every vector and leans on nothing monotone. Ties end in the order of 5.11 with the height
before it: smaller height, smaller relative distance (exact, over the hierarchies' own heights even in a
restricted lattice), smaller vector in QI order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tests.oracle.by_grouping import ByGrouping
from tests.oracle.by_models import WithModels
from tests.oracle.lost import SuppressionPer
from tests.oracle.measures import BETTER, Number, Outcome, Weights, measure
from tests.oracle.model import Vector
from tests.oracle.search import ExhaustiveSearch, height, relative_distance

Better = Literal["high", "low"]
OutcomeAt = Callable[[Vector], Outcome]


def below(low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether the first vector is strictly smaller: nowhere above, and not the same."""
    return tuple(low) != tuple(high) and all(a <= b for a, b in zip(low, high, strict=True))


def k_minimal(satisfying: Iterable[Sequence[int]]) -> set[Vector]:
    """Of the vectors that satisfy, those above no other that does (Knowl 5), against every one of them.

    By ascending height and against the minimal ones found so far: what is above any vector that satisfies is
    above a minimal one.
    """
    minimal: list[Vector] = []
    for vector in sorted({tuple(vector) for vector in satisfying}, key=height):
        if not any(below(other, vector) for other in minimal):
            minimal.append(vector)
    return set(minimal)


def order(vector: Vector, heights: Sequence[int]) -> tuple[int, Fraction, Vector]:
    """Where ties end: height, relative distance, the vector itself (DESIGN 5.11)."""
    return height(vector), relative_distance(vector, heights), vector


# ---------------------------------------------------------------- policies


def absolute_distance(outcome: Outcome) -> int:
    """Σ d (Knowl 9: minimum absolute distance)."""
    return height(outcome.vector)


def relative_distance_of(outcome: Outcome) -> Fraction:
    """Σ d/h, a QI of height 0 counting 0 (Knowl 9: minimum relative distance)."""
    return relative_distance(outcome.vector, outcome.heights)


def distribution(outcome: Outcome) -> int:
    """Less the distinct tuples of the release, which are its classes (Knowl 9: maximum distribution)."""
    return -len(outcome.released)


def suppression(outcome: Outcome) -> int:
    """The rows suppressed: fewest is most rows kept (Knowl 9: minimum suppression)."""
    return outcome.suppressed_rows


POLICIES: dict[str, Callable[[Outcome], int | Fraction]] = {
    "absolute_distance": absolute_distance,
    "relative_distance": relative_distance_of,
    "distribution": distribution,
    "suppression": suppression,
}
"""Each gives a number of which the smaller is preferred."""


def preferred(
    vectors: Iterable[Vector], policies: Sequence[str], heights: Sequence[int], outcome_at: OutcomeAt
) -> Vector | None:
    """The vector that the first policy prefers, ties by the next one, at last by ``order``; None of none."""

    def key(vector: Vector) -> tuple[list[Fraction], tuple[int, Fraction, Vector]]:
        return [Fraction(POLICIES[policy](outcome_at(vector))) for policy in policies], order(vector, heights)

    return min(vectors, key=key, default=None)


# ---------------------------------------------------------------- the best value


@dataclass(frozen=True)
class Optimum:
    """The best value of an objective, and every vector that has it, in the order in which ties end."""

    value: Number
    vectors: tuple[Vector, ...]

    @property
    def vector(self) -> Vector:
        """The one to be released."""
        return self.vectors[0]


def optimum(
    vectors: Iterable[Vector],
    value: Callable[[Vector], Number | None],
    better: Better,
    heights: Sequence[int],
    tolerance: float = 1e-12,
) -> Optimum | None:
    """The best value over the vectors; a vector without a value is none of the best. None where none has one.

    Exact values tie if they are equal. Floats tie within the tolerance, relative to the best.
    """
    asked = {vector: value(vector) for vector in vectors}
    values = {vector: number for vector, number in asked.items() if number is not None}
    if not values:
        return None
    best = min(values.values()) if better == "low" else max(values.values())

    def ties(number: Number) -> bool:
        near = tolerance * max(1.0, abs(float(best)))
        return number == best or (isinstance(best, float) and abs(float(number) - best) <= near)

    tied = [vector for vector, number in values.items() if ties(number)]
    return Optimum(best, tuple(sorted(tied, key=lambda vector: order(vector, heights))))


# ---------------------------------------------------------------- a whole lattice


class WholeLattice:
    """What each ``search:`` must answer, by asking at every vector of a lattice, restricted or not.

    A vector satisfies when at most ``max_sup`` rows are suppressed at it and every ``max_suppression_per``
    holds. ``weights`` enter objectives, nothing else; ``k`` is what c_avg divides by.
    """

    def __init__(
        self,
        oracle: ByGrouping | WithModels,
        max_sup: int,
        low: Sequence[int] | None = None,
        high: Sequence[int] | None = None,
        per: Sequence[SuppressionPer] = (),
        weights: Weights | None = None,
    ) -> None:
        self.oracle = oracle
        self.max_sup = max_sup
        self.per = list(per)
        self.weights = weights
        self.k = (oracle.grouping if isinstance(oracle, WithModels) else oracle).k
        self.heights = oracle.heights
        self.vectors = ExhaustiveSearch(oracle.outliers, self.heights, low, high).vectors()
        self._outcomes: dict[Vector, Outcome] = {}

    def outcome(self, vector: Sequence[int]) -> Outcome:
        """What becomes of the rows at the vector."""
        key = tuple(vector)
        if key not in self._outcomes:
            self._outcomes[key] = Outcome.at(self.oracle, key)
        return self._outcomes[key]

    def satisfies(self, vector: Sequence[int]) -> bool:
        """Whether the vector may be released."""
        outcome = self.outcome(vector)
        return outcome.suppressed_rows <= self.max_sup and all(per.holds(outcome) for per in self.per)

    def satisfying(self) -> list[Vector]:
        """Every vector that satisfies, in QI order."""
        return [vector for vector in self.vectors if self.satisfies(vector)]

    def k_minimal(self) -> set[Vector]:
        """``search: all``: every k-minimal vector of the (restricted) lattice."""
        return k_minimal(self.satisfying())

    def measure(self, word: str, vector: Sequence[int]) -> Number | None:
        """A measure at a vector, with the weights given."""
        return measure(word, self.outcome(vector), self.weights, self.k)

    def minimal(self, policies: Sequence[str] = ()) -> Vector | None:
        """``search: minimal``: of the least height; there by policy, at last by 5.11."""
        satisfying = self.satisfying()
        least = min(map(height, satisfying), default=None)
        lowest = [vector for vector in satisfying if height(vector) == least]
        return preferred(lowest, policies, self.heights, self.outcome)

    def preferred_of_all(self, policies: Sequence[str] = ()) -> Vector | None:
        """``search: all``: the k-minimal vector that is released; without a policy the answer of 5.11."""
        return preferred(self.k_minimal(), policies, self.heights, self.outcome)

    def optimal(self, objective: str) -> Optimum | None:
        """``search: optimal``: the best value of the objective over all vectors that satisfy."""
        return optimum(
            self.satisfying(), lambda v: self.measure(objective, v), BETTER[objective], self.heights
        )
