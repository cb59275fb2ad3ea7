"""Find_vector as printed (Samarati 2001, section 5): a binary search over heights, vector by vector."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.lattice import DistanceVector
from kanon_sql.search.base import Search


class Textbook(Search):
    """Find_vector as printed: bisect the heights, ask every vector of a height until one satisfies."""

    def least_height(self) -> int:
        while self.low < self.high:
            trying = (self.low + self.high) // 2
            self.probed.append(trying)
            if self.first_admitted(trying) is not None:
                self.high = trying
            else:
                self.low = trying + 1
        return self.high

    def first_admitted(self, level: int) -> DistanceVector | None:
        return self._first(level, self.admits)

    def first_satisfying(self, level: int) -> DistanceVector | None:
        return self._first(level, self.satisfies)

    def _first(self, level: int, holds: Callable[[DistanceVector], bool]) -> DistanceVector | None:
        for done, stretch in self.stretches(level):
            for i, vector in enumerate(stretch.vectors):
                if vector not in self.counts:
                    self.ask([vector])
                    self.report(done + i)
                if holds(vector):
                    return vector
        return None
