"""Every k-minimal vector: those that satisfy and stand above no other that does (Samarati 2001, definition 4).

The heights are decided from the least upwards. At a height everything above a minimal vector of a lower height is
left out, whatever it does: it is not minimal. The rest is decided as a search decides a height: a vector above that
fails decides all below it (by floors, where a model is not monotone under suppression; see :mod:`.samarati`), and
a vector that is asked itself decides itself. What satisfies here is minimal, for every smaller vector has been
decided, and none that satisfies lies below it. That rests on nothing but the floors, so it holds for every model:
k-minimal is meant against every smaller vector, and not the direct predecessors alone. The heights end where
everything stands above a minimal vector: so does all that is higher.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from kanon_sql.lattice import Counts, DistanceVector, Lattice
from kanon_sql.search.base import Counter, SearchProgress
from kanon_sql.search.budget import Budget, OutOfTime
from kanon_sql.search.knowledge import Knowledge
from kanon_sql.search.pruned import Pruned


@dataclass(frozen=True)
class MinimalSet:
    """The k-minimal vectors.

    Attributes:
        vectors: them, by height and within it in the order of DESIGN 5.11.
        evaluated, tagged: vectors asked of the engine, and decided without asking.
        complete: whether these are all, proven; a search that ran out of time has those below ``decided_below``, or
            the lowest vector that satisfies of those it had asked.
        decided_below: the height below which everything is decided.
        heights: the heights that were decided, in order.
        known: what was learnt (of the floors, where there are any).
        asked: the counts of every vector that was asked.
    """

    vectors: tuple[DistanceVector, ...]
    evaluated: int
    tagged: int
    complete: bool
    decided_below: int
    heights: tuple[int, ...] = ()
    known: Knowledge = field(default_factory=Knowledge, repr=False)
    asked: Mapping[DistanceVector, Counts] = field(default_factory=dict, repr=False)


class _Every(Pruned):
    """Decides height after height."""

    def __init__(
        self,
        lattice: Lattice,
        counter: Counter,
        max_suppressed: int,
        progress: Callable[[SearchProgress], None] | None,
        budget: Budget | None,
    ) -> None:
        super().__init__(lattice, counter, max_suppressed, progress, budget=budget)
        self.found: list[DistanceVector] = []
        self.decided_below = lattice.least_height

    def every(self, least_height_only: bool) -> None:
        least = self.least_height()
        for level in range(least, self.lattice.height + 1):
            self.low = self.decided_below = level
            self.probed.append(level)
            new, is_open = self._minimal_at(level)
            if not is_open:
                return
            self.found += new
            if least_height_only and new:
                return
        self.decided_below = self.lattice.height + 1

    def _minimal_at(self, level: int) -> tuple[list[DistanceVector], bool]:
        """The minimal vectors of a height, and whether any vector of it stands above none of a lower height."""
        minimal: list[DistanceVector] = []
        is_open = False
        for done, stretch in self.stretches(level):
            above = reduce(or_, map(stretch.above, self.found), 0)
            is_open = is_open or above != stretch.everything
            satisfying = self.decide(stretch, stretch.everything & ~above, done)
            minimal += [vector for i, vector in enumerate(stretch.vectors) if satisfying >> i & 1]
        return minimal, is_open


def find_minimal(
    lattice: Lattice,
    counter: Counter,
    max_suppressed: int,
    *,
    least_height_only: bool = False,
    progress: Callable[[SearchProgress], None] | None = None,
    budget: Budget | None = None,
) -> MinimalSet:
    """Every k-minimal vector of a lattice.

    Args:
        lattice: the lattice; where it is restricted, minimal is meant within it.
        counter: asked for the counts of vectors.
        max_suppressed: MaxSup, in rows.
        least_height_only: leave out those above the least height at which a vector satisfies.
        progress: told how far the search is.
        budget: the time there is; when it is up, what was found so far is given, not complete.

    Raises:
        NothingSatisfies: no vector does.
    """
    search = _Every(lattice, counter, max_suppressed, progress, budget)
    complete = True
    try:
        search.begin()
        search.every(least_height_only)
    except OutOfTime:
        complete = False
        lowest = search.lowest_satisfying()
        if not search.found and lowest is not None:
            search.found = [lowest]
    if complete and not search.found:
        raise search.nearest()
    return MinimalSet(
        tuple(search.found),
        len(search.counts),
        search.tagged,
        complete,
        search.decided_below,
        tuple(search.probed),
        search.known,
        search.counts,
    )
