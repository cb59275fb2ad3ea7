"""Answers over a lattice, by asking for every vector (Samarati 2001, Knowls 3, 5, 7, 9; DESIGN 5.11, 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from tests.oracle.model import Vector

Outliers = Callable[[Vector], int]


def height(vector: Sequence[int]) -> int:
    """The height of a distance vector: the sum of its levels (Knowl 7)."""
    return sum(vector)


def relative_distance(vector: Sequence[int], heights: Sequence[int]) -> Fraction:
    """Σ d/h as an exact fraction, a QI of height 0 counting 0 (Knowl 9, DESIGN 5.11)."""
    return sum((Fraction(d, h) for d, h in zip(vector, heights, strict=True) if h), Fraction(0))


def accuracy(vector: Sequence[int], heights: Sequence[int]) -> Fraction:
    """1 − (1/n) Σ d/h (Knowl 9, DESIGN 7)."""
    return 1 - relative_distance(vector, heights) / len(heights)


def completeness(rows: int, suppressed: int) -> Fraction:
    """Released over input (Knowl 9, DESIGN 7)."""
    return Fraction(rows - suppressed, rows)


class ExhaustiveSearch:
    """Questions about a lattice, answered by looking at all of it; ``outliers`` is asked once per vector.

    ``low`` and ``high`` restrict the lattice (``min_level``, ``max_level``): levels and heights keep their
    absolute numbers, minimality is that of the restricted lattice (DESIGN 7). Nothing relies on monotonicity.
    """

    def __init__(
        self,
        outliers: Outliers,
        heights: Sequence[int],
        low: Sequence[int] | None = None,
        high: Sequence[int] | None = None,
    ) -> None:
        self.heights: Vector = tuple(heights)
        self.bottom: Vector = tuple(low) if low is not None else (0,) * len(self.heights)
        self.top: Vector = tuple(high) if high is not None else self.heights
        self._outliers = outliers
        self._asked: dict[Vector, int] = {}

    def vectors(self) -> list[Vector]:
        """The whole lattice, in QI order."""
        return list(product(*(range(a, b + 1) for a, b in zip(self.bottom, self.top, strict=True))))

    def outliers(self, vector: Sequence[int]) -> int:
        """The rows suppressed at the vector."""
        key = tuple(vector)
        if key not in self._asked:
            self._asked[key] = self._outliers(key)
        return self._asked[key]

    def satisfying(self, max_sup: int) -> list[Vector]:
        """All vectors that suppress at most max_sup rows (exactly max_sup is allowed), in QI order."""
        return [vector for vector in self.vectors() if self.outliers(vector) <= max_sup]

    def least_height(self, max_sup: int) -> int | None:
        """The least height of a satisfying vector; None when not even the top satisfies."""
        return min(map(height, self.satisfying(max_sup)), default=None)

    def at_least_height(self, max_sup: int) -> list[Vector]:
        """The satisfying vectors of the least height, in QI order; empty when none satisfies."""
        least = self.least_height(max_sup)
        return [vector for vector in self.satisfying(max_sup) if height(vector) == least]

    def vector_of_5_11(self, max_sup: int) -> Vector | None:
        """What ``search: minimal`` answers: least height, then relative distance, then the smaller vector."""
        return min(
            self.at_least_height(max_sup),
            key=lambda vector: (relative_distance(vector, self.heights), vector),
            default=None,
        )

    def k_minimal(self, max_sup: int) -> set[Vector]:
        """The vectors that satisfy while no strictly smaller one does, looking at all (Knowl 5)."""
        satisfying = self.satisfying(max_sup)
        return {
            vector
            for vector in satisfying
            if not any(
                other != vector and all(a <= b for a, b in zip(other, vector, strict=True))
                for other in satisfying
            )
        }

    def fewest_outliers(self) -> int:
        """The fewest rows any vector suppresses: what the vector that came nearest has (DESIGN 5.6)."""
        return min(self.outliers(vector) for vector in self.vectors())

    def edges(self) -> list[tuple[Vector, Vector]]:
        """The edges of the lattice: a vector, and one with one QI one level up."""
        return [
            (vector, (*vector[:qi], vector[qi] + 1, *vector[qi + 1 :]))
            for vector in self.vectors()
            for qi in range(len(vector))
            if vector[qi] < self.top[qi]
        ]

    def rises(self, low: Vector, high: Vector) -> bool:
        """Whether more rows are suppressed at the higher of two vectors."""
        return self.outliers(high) > self.outliers(low)

    def rising_steps(self) -> int:
        """The edges along which more rows are suppressed: none, where a model is monotone (Knowl 6)."""
        return sum(self.rises(low, high) for low, high in self.edges())

    def bisected_height(self, max_sup: int) -> int | None:
        """Where binary search over the height ends (Find_vector, Knowl 7); None when it finds nothing.

        It is the least height where suppression never rises, and may be wrong elsewhere.
        """
        low, high = height(self.bottom), height(self.top)
        while low < high:
            middle = (low + high) // 2
            if any(height(vector) == middle for vector in self.satisfying(max_sup)):
                high = middle
            else:
                low = middle + 1
        return low if any(height(vector) == low for vector in self.satisfying(max_sup)) else None
