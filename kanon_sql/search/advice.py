"""Advice after a search: which quasi-identifier costs the others most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.lattice import Counts, DistanceVector, Lattice, Prior, without
from kanon_sql.search.base import Counter, NothingSatisfies
from kanon_sql.search.knowledge import Knowledge
from kanon_sql.search.samarati import find_vector

# Beyond this many vectors the advice would cost more than the search.
_LARGEST_LATTICE = 50_000


class _AtTop:
    """A counter of a lattice without one quasi-identifier: it stands at its top, which says nothing."""

    def __init__(self, counter: Counter, position: int, top: int) -> None:
        self._counter = counter
        self._position = position
        self._top = top
        self.batch_size = counter.batch_size

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        at = self._position
        return self._counter.evaluate([(*v[:at], self._top, *v[at:]) for v in vectors], enough, expected)

    def prior(self) -> Prior | None:
        prior, at = self._counter.prior(), self._position
        return prior and replace(prior, labels=[*prior.labels[:at], *prior.labels[at + 1 :]])

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        at = self._position
        return self._counter.probe([(*v[:at], self._top, *v[at:]) for v in vectors])


def most_helpful_removal(
    lattice: Lattice, counter: Counter, max_suppressed: int, known: Knowledge
) -> tuple[int, int] | None:
    """The quasi-identifier whose removal lets the others stay lowest, and the height that they then need.

    Leaving a quasi-identifier out is the same as fixing it at its top (that of its hierarchy, allowed in the lattice
    or not), so what a search has learnt holds there too: a vector that fails with the quasi-identifier at its
    top, and any vector that satisfies (raised to the top it still does). None where the lattice is too large to
    ask, or nothing satisfies.
    """
    if lattice.size > _LARGEST_LATTICE:
        return None
    best: tuple[int, int] | None = None
    for i, top in enumerate(lattice.heights):
        rest = lattice.without(i)
        learnt = Knowledge(
            [without(vector, i) for vector in known.failing if vector[i] == top],
            [without(vector, i) for vector in known.passing],
        )
        try:
            found = find_vector(rest, _AtTop(counter, i, top), max_suppressed, known=learnt)
        except NothingSatisfies:
            continue
        least = sum(found.vector)
        if best is None or least < best[1]:
            best = (i, least)
    return best
