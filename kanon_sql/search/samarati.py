"""Samarati's search: the least height of the lattice at which a vector satisfies.

``Find_vector`` (Samarati 2001, section 5) is a binary search over heights: if no vector of a height
satisfies, none below does, because the number of suppressed rows never rises with the vector. At each
height that it tries, vectors are asked in the order of DESIGN 5.11 (smaller relative distance, then smaller
vector), so the first that satisfies at the least height is the very vector that 5.11 names.

With pruning, a vector whose verdict follows from what is known already (see :mod:`.knowledge`) is not asked,
and the others are asked in batches. The answer is the same as the textbook's, one question per vector:

* a vector is skipped only when it provably fails, and counted as satisfying only when it provably does;
* a batch holds vectors in order, and of those that satisfy the first is taken; every earlier one of that
  height has failed, in this batch or before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from kanon_sql.lattice import Counts, DistanceVector, Lattice
from kanon_sql.search.knowledge import Knowledge, Stretch, lowest_bit

# How many vectors of a height are held at once: a height may have billions.
STRETCH = 1 << 14


class Counter(Protocol):
    """Answers how many rows would be suppressed at each of some vectors."""

    @property
    def batch_size(self) -> int:
        """How many vectors are best asked at once."""
        ...

    def evaluate(self, vectors: Sequence[DistanceVector]) -> list[Counts]:
        """The counts of each vector, in the same order."""
        ...


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is.

    Attributes:
        low, high: the least height lies in between, both included.
        trying: the height that is being asked.
        at_height: how many vectors that height has; ``done`` of them are decided.
        evaluated, tagged: vectors asked of the engine, and decided without asking, so far.
    """

    low: int
    high: int
    trying: int
    at_height: int
    done: int
    evaluated: int
    tagged: int


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes:
        vector: the vector of DESIGN 5.11.
        counts: what the engine counted at it.
        evaluated, tagged: vectors asked of the engine, and decided without asking.
        heights_probed: the heights tried, in order.
        known: every vector known to fail or to satisfy.
        proven_minimal: whether no vector of smaller height satisfies, proven.
    """

    vector: DistanceVector
    counts: Counts
    evaluated: int
    tagged: int
    heights_probed: tuple[int, ...]
    known: Knowledge = field(default_factory=Knowledge)
    proven_minimal: bool = True


class NothingSatisfies(Exception):
    """Not even ⊤ satisfies; since suppression never rises with the vector, ⊤ came nearest.

    Attributes:
        vector: ⊤.
        counts: what the engine counted at it.
    """

    def __init__(self, vector: DistanceVector, counts: Counts) -> None:
        super().__init__(vector, counts)
        self.vector = vector
        self.counts = counts


class _Search:
    """The state of one search: what was asked and learnt."""

    def __init__(
        self,
        lattice: Lattice,
        counter: Counter,
        max_suppressed: int,
        pruning: bool,
        progress: Callable[[SearchProgress], None] | None,
        known: Knowledge | None,
    ) -> None:
        self.lattice = lattice
        self.counter = counter
        self.max_suppressed = max_suppressed
        self.pruning = pruning
        self.progress = progress
        self.known = known or Knowledge()
        self.counts: dict[DistanceVector, Counts] = {}
        self.tagged = 0
        self.low, self.high, self.trying = 0, lattice.height, lattice.height

    def ask(self, vectors: Sequence[DistanceVector]) -> None:
        for vector, counts in zip(vectors, self.counter.evaluate(vectors), strict=True):
            self.counts[vector] = counts
            self.known.learn(vector, passes=self.satisfies(vector))

    def satisfies(self, vector: DistanceVector) -> bool:
        return self.counts[vector].outliers <= self.max_suppressed

    def report(self, done: int) -> None:
        if self.progress:
            self.progress(
                SearchProgress(
                    self.low,
                    self.high,
                    self.trying,
                    self.lattice.count_at(self.trying),
                    done,
                    len(self.counts),
                    self.tagged,
                )
            )

    def first_at(self, level: int) -> DistanceVector | None:
        """The first vector of a height that satisfies, in the order of DESIGN 5.11, or None."""
        self.trying = level
        vectors = self.lattice.at_height(level)
        done = 0
        self.report(done)
        while stretch := list(islice(vectors, STRETCH)):
            found = self._first_in(Stretch(self.lattice, stretch), done)
            if found is not None:
                return found
            done += len(stretch)
            self.report(done)
        return None

    def _first_in(self, stretch: Stretch, done: int) -> DistanceVector | None:
        undecided, first = stretch.everything, None
        if self.pruning:
            undecided &= ~self.known.failing_in(stretch)
            satisfying = self.known.passing_in(stretch)
            if satisfying:
                first = lowest_bit(satisfying)
                # Only a vector before it in the order can still be the one.
                undecided &= (1 << first) - 1
            self.tagged += len(stretch.vectors) - undecided.bit_count()
        while undecided:
            batch: list[int] = []
            while undecided and len(batch) < self.counter.batch_size:
                batch.append(lowest_bit(undecided))
                undecided &= undecided - 1
            self.ask([stretch.vectors[i] for i in batch])
            passed = [i for i in batch if self.satisfies(stretch.vectors[i])]
            if passed:
                # Everything before the batch failed, and within it everything before the first that passed.
                return stretch.vectors[passed[0]]
            self.report(done + len(stretch.vectors) - undecided.bit_count())
        return stretch.vectors[first] if first is not None else None


def find_vector(
    lattice: Lattice,
    counter: Counter,
    max_suppressed: int,
    *,
    pruning: bool = True,
    progress: Callable[[SearchProgress], None] | None = None,
    known: Knowledge | None = None,
) -> SearchResult:
    """The vector of least height that suppresses at most ``max_suppressed`` rows (DESIGN 5.11).

    Sound only where the number of suppressed rows never rises with the vector: k-anonymity, for rows and for
    persons.

    Args:
        lattice: the lattice to search.
        counter: asked for the counts of vectors.
        max_suppressed: MaxSup, in rows.
        pruning: skip vectors whose verdict is known; without it the search is the textbook's.
        progress: told how far the search is.
        known: what is known of the lattice beforehand (it is added to).

    Raises:
        NothingSatisfies: not even ⊤ satisfies.
    """
    search = _Search(lattice, counter, max_suppressed, pruning, progress, known)
    search.ask([lattice.top])
    if not search.satisfies(lattice.top):
        raise NothingSatisfies(lattice.top, search.counts[lattice.top])
    found, probed = lattice.top, []
    while search.low < search.high:
        trying = (search.low + search.high) // 2
        probed.append(trying)
        first = search.first_at(trying)
        if first is not None:
            found, search.high = first, trying
        else:
            search.low = trying + 1
    if found not in search.counts:
        search.ask([found])
    return SearchResult(
        found, search.counts[found], len(search.counts), search.tagged, tuple(probed), search.known
    )
