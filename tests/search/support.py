"""A counter that the oracle answers: the search without SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kanon_sql.lattice import Counts, DistanceVector, Prior
from tests.oracle.choice import WholeLattice


@dataclass
class OracleCounter:
    """Answers for the vectors of a lattice, and for no other.

    Attributes:
        whole: the oracle over the lattice.
        rising: whether a floor is given: suppression may rise with the vector.
        large: whether it says what is known of a large table, so that the search probes.
        batch_size: how many vectors are best asked at once.
    """

    whole: WholeLattice
    rising: bool = False
    large: bool = False
    batch_size: int = 48
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
        return [self._counts(vector) for vector in vectors]

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
        smaller = [u for u in self.allowed if all(a <= b for a, b in zip(u, vector, strict=True))]
        return Counts(outliers, 0, min(self.whole.outcome(u).suppressed_rows for u in smaller))
