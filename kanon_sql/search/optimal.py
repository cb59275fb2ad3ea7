"""The best release: the vector whose measure is best over the whole lattice, proven (DESIGN 7).

Branch and bound. A measure says of a vector what no vector at or above it can beat (:meth:`Measure.bound`), in the
easy case without a question to the engine: what all rows would lose, were none suppressed. Vectors are visited by
ascending bound, from ⊥ upwards: as bounds never fall with the vector, one that was not reached yet has no better
bound than those that were, and once a bound is worse than the best value found, that value is the optimum.

Of those that are visited, the ones that fail are not asked one by one: a vector above them that fails decides them
all, as in a search for the least height (see :mod:`.cover`; by floors where a model is not monotone under
suppression). Of those that satisfy the value is asked. What is decided without being asked fails or is no better.

Where a measure has no such bound, all vectors are visited; a bound that needs a count (of classes, say) then leaves
out what lies above the vectors that were counted.

Equal values are decided by height and the order of DESIGN 5.11: only what is worse than the best is left out.

When the time is up, the best vector so far is given with the least bound of those not decided: no vector is better
than that, and the gap between the two is what was not proven.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from heapq import heappop, heappush
from itertools import chain, islice
from operator import or_
from typing import Protocol

from kanon_sql.lattice import Counts, DistanceVector, Lattice
from kanon_sql.measures import Facts, Measure
from kanon_sql.search.base import STRETCH, Counter, SearchProgress
from kanon_sql.search.budget import Budget, OutOfTime
from kanon_sql.search.knowledge import Knowledge, Stretch, lowest_bit
from kanon_sql.search.policies import order
from kanon_sql.search.pruned import Pruned

# A vector that satisfies with this chance is worth its value being asked at once, and so many of a batch.
LIKELY = 0.3
LIKELY_OF_A_BATCH = 8
# The first vectors that are visited: a good value found among few leaves out many of the rest.
FIRST = 1 << 10


class Valuer(Protocol):
    """Answers what measures need to know of vectors."""

    def prospect(self, vector: DistanceVector, measures: Iterable[Measure]) -> Facts:
        """The facts of a vector if no class left, as far as they are known without a question."""
        ...

    def facts(self, vectors: Sequence[DistanceVector], measures: Iterable[Measure]) -> list[Facts]:
        """The facts of each vector, in the same order, with all that the measures need."""
        ...


@dataclass(frozen=True)
class Optimum:
    """What a search for the best value found.

    Attributes:
        vector: the vector; None where time was up before any was found.
        value: its measure.
        bound: no vector has a better value than that; None where nothing is known.
        proven: whether the vector is the best one of the lattice.
        counts: what the engine counted at it.
        evaluated, tagged: vectors asked of the engine, and decided without asking.
        known: what was learnt (of the floors, where there are any).
        asked: the counts of every vector that was asked.
    """

    vector: DistanceVector | None
    value: float | None
    bound: float | None
    proven: bool
    counts: Counts | None
    evaluated: int
    tagged: int
    known: Knowledge = field(default_factory=Knowledge, repr=False)
    asked: Mapping[DistanceVector, Counts] = field(default_factory=dict, repr=False)

    @property
    def gap(self) -> float | None:
        """How far the value may be from the best one; 0 where it is proven."""
        if self.proven:
            return 0.0
        return None if self.value is None or self.bound is None else abs(self.value - self.bound)


class _Optimal(Pruned):
    """Visits vectors by ascending bound. A cost is the measure, negated where a high value is better."""

    def __init__(
        self,
        lattice: Lattice,
        counter: Counter,
        max_suppressed: int,
        valuer: Valuer,
        measure: Measure,
        progress: Callable[[SearchProgress], None] | None,
        budget: Budget | None,
    ) -> None:
        super().__init__(lattice, counter, max_suppressed, progress, budget=budget)
        self.valuer = valuer
        self.measure = measure
        self.sign = 1 if measure.better == "low" else -1
        # The best so far: its cost, and the vector.
        self.best: tuple[float, DistanceVector] | None = None
        self.valued: set[DistanceVector] = set()
        # The least bound of what was not decided yet, as a cost.
        self.open_bound: float | None = None
        self.visited = 0
        # What no vector at or above a counted one beats, as a cost: the bounds that need a count.
        self.counted_bounds: dict[DistanceVector, float] = {}

    def run(self) -> None:
        self.open_bound = self._bound(self.lattice.bottom)
        self.begin()
        self._seed()
        self.value_known()
        vectors = self._by_bound()
        size = FIRST
        while visited := list(islice(vectors, size)):
            self.open_bound = visited[0][0]
            if self._is_worse(visited[0][0]):
                return
            self._decide_all(visited)
            self.visited += len(visited)
            size = STRETCH

    def value_known(self) -> None:
        """Ask the measure of what was asked so far and satisfies."""
        self._value([vector for vector in self.counts if self.satisfies(vector)])

    def report(self, done: int) -> None:
        """How much of the whole lattice is decided: heights say nothing here."""
        if self.progress:
            size = self.lattice.size
            self.progress(
                SearchProgress(self.low, self.high, self.high, size, done, len(self.counts), self.tagged)
            )

    # -- bounds -----------------------------------------------------------------------------------------------

    def _bound(self, vector: DistanceVector) -> float | None:
        """What no vector at or above this one beats, as a cost, if that is known without asking."""
        bound = self.measure.bound(self.valuer.prospect(vector, [self.measure]))
        return None if bound is None else self.sign * bound

    def _is_worse(self, cost: float | None) -> bool:
        return self.best is not None and cost is not None and cost > self.best[0]

    def _by_bound(self) -> Iterator[tuple[float | None, DistanceVector]]:
        """Every vector with its bound, by ascending bound; by height where there is none."""
        first = self._bound(self.lattice.bottom)
        if first is None:
            heights = range(self.lattice.least_height, self.lattice.height + 1)
            yield from ((None, v) for v in chain.from_iterable(map(self.lattice.at_height, heights)))
            return
        # Every vector comes from one other, by a step in the last quasi-identifier that was raised or a later one.
        waiting = [(first, self.lattice.bottom, 0)]
        while waiting:
            bound, vector, last = heappop(waiting)
            yield bound, vector
            for position in range(last, len(vector)):
                if vector[position] < self.lattice.top[position]:
                    raised = (*vector[:position], vector[position] + 1, *vector[position + 1 :])
                    above = self._bound(raised)
                    assert above is not None
                    # Sums of floats may fall in their last digit; a bound of what is below holds above as well.
                    heappush(waiting, (max(above, bound), raised, position))

    # -- deciding ---------------------------------------------------------------------------------------------

    def _decide_all(self, visited: Sequence[tuple[float | None, DistanceVector]]) -> None:
        """Decide vectors, given by ascending bound: each fails, is valued, or is no better than the best."""
        bounds = [bound for bound, _ in visited]
        stretch = Stretch(self.lattice, [vector for _, vector in visited])
        failing = reduce(or_, map(stretch.below, self.known.failing), 0)
        undecided = stretch.everything & ~failing & ~stretch.among(self.counts.keys())
        self._value([v for v in stretch.vectors if v in self.counts and self.satisfies(v)])
        while True:
            undecided &= self._worth_it(bounds)
            undecided &= ~reduce(or_, map(stretch.above, self._hopeless()), 0)
            self.report(self.visited + len(visited) - undecided.bit_count())
            if not undecided:
                return
            self.open_bound = bounds[lowest_bit(undecided)]
            new = self._choose(stretch, undecided, certain=1.0)
            likely = [vector for vector in self._likely(stretch, undecided) if vector not in new]
            new = [*likely, *new][: self.counter.batch_size]
            self._ask_and_observe(new)
            for vector in new:
                if not self.admits(vector):
                    undecided &= ~stretch.below(vector)
            undecided &= ~stretch.among(set(new))
            self._value([vector for vector in new if self.satisfies(vector)])

    def _worth_it(self, bounds: Sequence[float | None]) -> int:
        """Those (bits) whose bound is not worse than the best value."""
        if self.best is None or bounds[0] is None:
            return (1 << len(bounds)) - 1
        return (1 << bisect_right(bounds, self.best[0])) - 1  # type: ignore[type-var]

    def _hopeless(self) -> list[DistanceVector]:
        """Vectors at and above which nothing is better than the best, by what was counted of them."""
        return [vector for vector, cost in self.counted_bounds.items() if self._is_worse(cost)]

    def _likely(self, stretch: Stretch, undecided: int) -> list[DistanceVector]:
        """The first undecided vectors, of the best bounds, that may well satisfy."""
        likely: list[DistanceVector] = []
        for _ in range(self.counter.batch_size):
            if not undecided or len(likely) == LIKELY_OF_A_BATCH:
                break
            vector = stretch.vectors[lowest_bit(undecided)]
            if 1 - self.model.chance_to_fail(self.model.predict(vector)) > LIKELY:
                likely.append(vector)
            undecided &= undecided - 1
        return likely

    def _value(self, vectors: Sequence[DistanceVector]) -> None:
        """Ask the measure of vectors that satisfy, where their bound leaves them a chance."""
        new = [v for v in vectors if v not in self.valued and not self._is_worse(self._bound(v))]
        if not new:
            return
        self.valued.update(new)
        for facts in self.valuer.facts(new, [self.measure]):
            value = self.measure.value(facts)
            bound = self.measure.bound(facts)
            if bound is not None and self.open_bound is None:
                self.counted_bounds[facts.vector] = self.sign * bound
            if value is None:
                continue
            found = (self.sign * value, facts.vector)
            if self.best is None or self._ranks(found) < self._ranks(self.best):
                self.best = found

    def _ranks(self, found: tuple[float, DistanceVector]) -> tuple[object, ...]:
        return (found[0], *order(self.lattice, found[1]))


def find_optimum(
    lattice: Lattice,
    counter: Counter,
    max_suppressed: int,
    valuer: Valuer,
    measure: Measure,
    *,
    progress: Callable[[SearchProgress], None] | None = None,
    budget: Budget | None = None,
) -> Optimum:
    """The vector of a lattice that satisfies and has the best value of a measure.

    Args:
        lattice: the lattice, restricted or not.
        counter: asked for the counts of vectors.
        max_suppressed: MaxSup, in rows.
        valuer: asked for what the measure is made of.
        measure: the objective.
        progress: told how far the search is.
        budget: the time there is; when it is up, the best so far is given, not proven.

    Raises:
        NothingSatisfies: no vector does.
    """
    search = _Optimal(lattice, counter, max_suppressed, valuer, measure, progress, budget)
    proven = True
    try:
        search.run()
    except OutOfTime:
        proven = False
        # What was asked before the first vector was visited has no value yet.
        search.value_known()
    if proven and search.best is None:
        raise search.nearest()
    cost, vector = search.best if search.best is not None else (None, None)
    value = None if cost is None else search.sign * cost
    bound = value if proven else None if search.open_bound is None else search.sign * search.open_bound
    return Optimum(
        vector,
        value,
        bound,
        proven,
        search.counts[vector] if vector is not None else None,
        len(search.counts),
        search.tagged,
        search.known,
        search.counts,
    )
