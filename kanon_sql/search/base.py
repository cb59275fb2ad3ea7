"""What every search shares: whom it asks, what it has learnt so far, and what it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from kanon_sql.lattice import Counts, DistanceVector, Lattice, Prior, height
from kanon_sql.search.budget import Budget
from kanon_sql.search.knowledge import Knowledge, Stretch, UpperSet

# How many vectors of a height are held at once: a height may have billions.
STRETCH = 1 << 14


class Counter(Protocol):
    """Answers how many rows would be suppressed at each of some vectors."""

    @property
    def batch_size(self) -> int:
        """How many vectors are best asked at once."""
        ...

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        """The counts of each vector, in the same order.

        Args:
            vectors: what is asked.
            enough: where the floor of a vector is above that, less will do: counts that are there at the least, with
                an estimate. None asks for exact counts.
            expected: about how large the floor of each vector is, by a guess that may be wrong.
        """
        ...

    def prior(self) -> Prior | None:
        """What is known of a large table, of which asking a vector is dear; None for others."""
        ...

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        """About how large the floor of each vector is, by a look at some of its classes."""
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
        known: every vector known to fail or to satisfy (where a floor was needed: whose floor does).
        ascended: whether the heights above the floor's were asked one after another, since the number of
            suppressed rows may rise with the vector.
        asked: the counts of every vector that was asked.
        proven_minimal: whether no vector of smaller height satisfies, proven.
    """

    vector: DistanceVector
    counts: Counts
    evaluated: int
    tagged: int
    heights_probed: tuple[int, ...]
    known: Knowledge = field(default_factory=Knowledge)
    ascended: bool = False
    asked: Mapping[DistanceVector, Counts] = field(default_factory=dict, repr=False)
    proven_minimal: bool = True


class NothingSatisfies(Exception):
    """No vector satisfies.

    Attributes:
        vector: the one that came nearest of those asked: ⊤, where suppression never rises with the vector.
        counts: what the engine counted at it.
    """

    def __init__(self, vector: DistanceVector, counts: Counts) -> None:
        super().__init__(vector, counts)
        self.vector = vector
        self.counts = counts


class Search:
    """The state of one search: what was asked and learnt."""

    def __init__(
        self,
        lattice: Lattice,
        counter: Counter,
        max_suppressed: int,
        progress: Callable[[SearchProgress], None] | None,
        known: Knowledge | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.lattice = lattice
        self.counter = counter
        self.max_suppressed = max_suppressed
        self.progress = progress
        self.known = known or Knowledge()
        self.budget = budget
        self.admitted = UpperSet(lattice, self.known.passing)
        self.counts: dict[DistanceVector, Counts] = {}
        # About how many rows a vector's floor is, where there is a guess.
        self.guess: Callable[[DistanceVector], float] | None = None
        self.tagged = 0
        self.probed: list[int] = []
        self.low, self.high, self.trying = lattice.least_height, lattice.height, lattice.height

    def begin(self) -> None:
        """Ask what is asked before all else.

        Raises:
            NothingSatisfies: it shows that nothing does.
        """
        self.ask(self.opening(), exactly=True)
        if not self.admits(self.lattice.top):
            raise self.nearest()

    @property
    def is_monotone(self) -> bool:
        """Whether the number of suppressed rows never rises with the vector: the outliers are the floor."""
        return self.counts[self.lattice.top].proven is None

    def ask(self, vectors: Sequence[DistanceVector], *, exactly: bool = False) -> None:
        """Ask the counter, and learn from what it answers.

        Raises:
            OutOfTime: the time for the search is up.
        """
        if self.budget is not None:
            self.budget.check()
        expected = [self.guess(vector) for vector in vectors] if self.guess is not None else None
        found = self.counter.evaluate(vectors, None if exactly else self.max_suppressed, expected)
        for vector, counts in zip(vectors, found, strict=True):
            self.counts[vector] = counts
            self.known.learn(vector, passes=self.admits(vector))
            if self.admits(vector):
                self.admitted.add(vector)

    def admits(self, vector: DistanceVector) -> bool:
        """Whether nothing that was counted proves that this vector and every smaller one fail: the floor is within
        MaxSup, and no value is known to lose more than it may at all of them. Where the number of suppressed rows
        never rises with the vector, that is to satisfy (for the values see :mod:`kanon_sql.frequency.shares`)."""
        counts = self.counts[vector]
        return counts.floor <= self.max_suppressed and not counts.withheld_below

    def satisfies(self, vector: DistanceVector) -> bool:
        counts = self.counts[vector]
        return counts.outliers <= self.max_suppressed and not counts.withheld

    def opening(self) -> list[DistanceVector]:
        """What is asked before all else: ⊤, without which nothing satisfies."""
        return [self.lattice.top]

    def least_height(self) -> int:
        """The least height at which a vector is admitted."""
        raise NotImplementedError

    def first_admitted(self, level: int) -> DistanceVector | None:
        """The first vector of a height, in order, that is admitted."""
        raise NotImplementedError

    def first_satisfying(self, level: int) -> DistanceVector | None:
        """The first vector of a height, in order, that satisfies, where not all that are admitted do."""
        raise NotImplementedError

    def ascend(self, level: int) -> DistanceVector | None:
        """The first vector that satisfies at the least height at which one does; none below ``level`` does."""
        for trying in range(level, self.lattice.height + 1):
            self.low = trying
            self.probed.append(trying)
            found = self.first_satisfying(trying)
            if found is not None:
                return found
        return None

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

    def stretches(self, level: int) -> Iterator[tuple[int, Stretch]]:
        """The vectors of a height in order, some at a time, each stretch with the number before it."""
        self.trying = level
        vectors = self.lattice.at_height(level)
        done = 0
        self.report(done)
        while stretch := list(islice(vectors, STRETCH)):
            yield done, Stretch(self.lattice, stretch)
            done += len(stretch)
            self.report(done)

    def result(self, found: DistanceVector, *, ascended: bool) -> SearchResult:
        if found not in self.counts:
            self.ask([found], exactly=True)
        return SearchResult(
            found,
            self.counts[found],
            len(self.counts),
            self.tagged,
            tuple(self.probed),
            self.known,
            ascended,
            self.counts,
        )

    def nearest(self) -> NothingSatisfies:
        """The vector that came nearest, one that satisfies before all others; the highest of several."""
        counted = [vector for vector, counts in self.counts.items() if counts.estimate is None]
        vector = min(
            counted,
            key=lambda each: (not self.satisfies(each), self.counts[each].outliers, -height(each), each),
        )
        return NothingSatisfies(vector, self.counts[vector])

    def lowest_satisfying(self) -> DistanceVector | None:
        """Of the vectors that were counted and satisfy, the one of least height; the first in order of several."""
        satisfying = [v for v, counts in self.counts.items() if counts.estimate is None and self.satisfies(v)]
        return min(satisfying, key=lambda v: (height(v), self.lattice.preference(v)), default=None)
