"""The best release: the vector whose measure is best over the whole lattice, proven (DESIGN 7).

Branch and bound. A measure says of a vector what no vector at or above it can beat (:meth:`Measure.bound`), in the
easy case without a question to the engine: what all rows would lose, were none suppressed. A vector stands for
itself and all above it, and the search begins with ⊥. The one of the best bound is taken, and

* if it lies at or below a vector f that is known to fail, it fails, and with it everything of its that is not
  higher than f in some quasi-identifier: it is replaced by the vectors that are raised above f, in one
  quasi-identifier each. Whatever satisfies at or above it is at or above one of these;
* if it is known and does not fail, its value is asked where it satisfies, and it is replaced by the vectors one
  step above it;
* if nothing is known of it, it waits for others of its kind, for which vectors above them are asked that are likely
  to fail, as a search for the least height does (see :mod:`.cover`; by floors where a model is not monotone under
  suppression): one that fails decides many.

Once the best bound that is left is worse than the best value that was found, that value is the optimum. Bounds never
fall with the vector, so what replaces a vector has at least its bound; a bound that needs a count (of classes, say)
is known once a vector was counted, and holds for what replaces it. Where a measure has no bound, all that may
satisfy is visited.

Before that the first vector that satisfies is improved by small steps, downwards and sideways: a good value leaves
out much of the lattice, and is what one gets where time is short.

Equal values are decided by height and the order of DESIGN 5.11: only what is worse than the best is left out.

When the time is up, the best vector so far is given with the best bound of those not decided: no vector is better
than that, and the gap between the two is what was not proven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import islice
from math import inf, isfinite
from typing import Protocol

from kanon_sql.lattice import Counts, DistanceVector, Lattice, height
from kanon_sql.measures import Facts, Measure
from kanon_sql.search.base import Counter, SearchProgress
from kanon_sql.search.budget import Budget, OutOfTime
from kanon_sql.search.knowledge import Knowledge, LowerSet, Stretch
from kanon_sql.search.policies import order
from kanon_sql.search.pruned import Pruned

# A vector that is not decided: what nothing at or above it beats (as a cost), its height, and itself.
_Node = tuple[float, int, DistanceVector]
# A vector that satisfies with this chance is worth asking before it is proven to fail, and so many of a batch.
LIKELY = 0.3
LIKELY_OF_A_BATCH = 8
# How many unknown vectors wait before some are asked: many that fail are decided by one question.
WAITING = 512
# How many steps improve the first vector at the most.
MOST_STEPS = 100


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
    """Takes vectors by ascending bound. A cost is the measure, negated where a high value is better."""

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
        self.failing = LowerSet(lattice)
        # What no vector at or above a counted one beats, as a cost: the bounds that need a count.
        self.counted_bounds: dict[DistanceVector, float] = {}
        # The least bound of what was not decided yet, as a cost.
        self.open_bound = -inf
        self.first_bound = -inf
        self.seen = {lattice.bottom}

    def run(self) -> None:
        bottom = self.lattice.bottom
        self.open_bound = self.first_bound = self._bound(bottom)
        self.begin()
        self._seed()
        self.value_known()
        self._improve()
        left = [(self.open_bound, height(bottom), bottom)]
        while left:
            waiting: list[_Node] = []
            while left and len(waiting) < WAITING:
                node = heappop(left)
                if self._is_worse(node[0]):
                    left.clear()
                    break
                replacing = self._replace(node)
                if replacing is None:
                    waiting.append(node)
                for each in replacing or ():
                    heappush(left, each)
            if waiting:
                self.open_bound = min(waiting[0][0], left[0][0] if left else inf)
                self._ask_for([vector for _, _, vector in waiting])
                for node in waiting:
                    heappush(left, node)

    def value_known(self) -> None:
        """Ask the measure of what was asked so far and satisfies."""
        self._value([vector for vector in self.counts if self.satisfies(vector)])

    def ask(self, vectors: Sequence[DistanceVector], *, exactly: bool = False) -> None:
        super().ask(vectors, exactly=exactly)
        for vector in vectors:
            if not self.admits(vector):
                self.failing.add(vector)

    def report(self, done: int) -> None:
        """How near the bound has come to the best value: heights say nothing here."""
        if self.progress and self.best is not None and isfinite(self.open_bound):
            way = self.best[0] - self.first_bound
            share = min((self.open_bound - self.first_bound) / way, 1.0) if way > 0 else 1.0
            size = self.lattice.size
            self.progress(
                SearchProgress(
                    self.low, self.high, self.high, size, int(share * size), len(self.counts), self.tagged
                )
            )

    # -- bounds -----------------------------------------------------------------------------------------------

    def _bound(self, vector: DistanceVector) -> float:
        """What no vector at or above this one beats, as a cost, as far as it is known without asking."""
        bound = self.measure.bound(self.valuer.prospect(vector, [self.measure]))
        return -inf if bound is None else self.sign * bound

    def _is_worse(self, cost: float) -> bool:
        return self.best is not None and cost > self.best[0]

    # -- branches ---------------------------------------------------------------------------------------------

    def _replace(self, node: _Node) -> list[_Node] | None:
        """The vectors that take the place of one that is known; None where nothing is known of it."""
        bound, _, vector = node
        failing = self.failing.above(vector)
        if failing is not None:
            raised = [(position, level + 1) for position, level in enumerate(failing)]
        elif vector in self.counts:
            if self.satisfies(vector):
                self._value([vector])
            bound = max(bound, self.counted_bounds.get(vector, -inf))
            raised = [(position, level + 1) for position, level in enumerate(vector)]
        else:
            return None
        nodes: list[_Node] = []
        for position, level in raised:
            if level > self.lattice.top[position]:
                continue
            above = (*vector[:position], level, *vector[position + 1 :])
            if above in self.seen:
                continue
            # Sums of floats may fall in their last digit; a bound of what is below holds above as well.
            least = max(bound, self._bound(above))
            if not self._is_worse(least):
                self.seen.add(above)
                nodes.append((least, height(above), above))
        return nodes

    def _ask_for(self, vectors: list[DistanceVector]) -> None:
        """Ask what is likely to decide the most of some unknown vectors, the first ones above all."""
        stretch = Stretch(self.lattice, vectors)
        covers = self._choose(stretch, stretch.everything, certain=1.0)
        likely = [vector for vector in self._likely(vectors) if vector not in covers]
        new = [*likely, *covers][: self.counter.batch_size]
        self._ask_and_observe(new)
        self._value([vector for vector in new if self.satisfies(vector)])
        self.report(0)

    def _likely(self, vectors: Sequence[DistanceVector]) -> list[DistanceVector]:
        """The first vectors, of the best bounds, that may well satisfy."""
        likely = (v for v in vectors[: self.counter.batch_size] if self._may_satisfy(v))
        return list(islice(likely, LIKELY_OF_A_BATCH))

    def _may_satisfy(self, vector: DistanceVector) -> bool:
        return 1 - self.model.chance_to_fail(self.model.predict(vector)) > LIKELY

    # -- values -----------------------------------------------------------------------------------------------

    def _value(self, vectors: Sequence[DistanceVector]) -> None:
        """Ask the measure of vectors that satisfy, where their bound leaves them a chance."""
        new = [v for v in vectors if v not in self.valued and not self._is_worse(self._bound(v))]
        if not new:
            return
        self.valued.update(new)
        for facts in self.valuer.facts(new, [self.measure]):
            value, bound = self.measure.value(facts), self.measure.bound(facts)
            if bound is not None:
                self.counted_bounds[facts.vector] = self.sign * bound
            if value is None:
                continue
            found = (self.sign * value, facts.vector)
            if self.best is None or self._ranks(found) < self._ranks(self.best):
                self.best = found

    def _ranks(self, found: tuple[float, DistanceVector]) -> tuple[object, ...]:
        return (found[0], *order(self.lattice, found[1]))

    def _improve(self) -> None:
        """From the best vector so far step down in one quasi-identifier, or down in one and up in another, as long as
        a step is better."""
        for _ in range(MOST_STEPS):
            if self.best is None:
                return
            before = self.best
            for candidates in (self._down(before[1]), self._sideways(before[1])):
                new = [v for v in candidates if v not in self.counts and self.failing.above(v) is None]
                worth = [(bound, v) for v in new if not self._is_worse(bound := self._bound(v))]
                asked = [vector for _, vector in sorted(worth)[: self.counter.batch_size]]
                if asked:
                    self._ask_and_observe(asked)
                    self._value([vector for vector in asked if self.satisfies(vector)])
                    self.report(0)
                if self.best != before:
                    break
            else:
                return

    def _down(self, vector: DistanceVector) -> list[DistanceVector]:
        lowest = self.lattice.bottom
        return [
            (*vector[:i], level - 1, *vector[i + 1 :]) for i, level in enumerate(vector) if level > lowest[i]
        ]

    def _sideways(self, vector: DistanceVector) -> list[DistanceVector]:
        top = self.lattice.top
        raised = [
            (*vector[:i], level + 1, *vector[i + 1 :]) for i, level in enumerate(vector) if level < top[i]
        ]
        return [
            lower
            for each in raised
            for lower in self._down(each)
            if lower != vector and self._may_satisfy(lower)
        ]


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
        # Of what was asked last, nobody has asked the value yet.
        search.value_known()
    if proven and search.best is None:
        raise search.nearest()
    cost, vector = search.best if search.best is not None else (None, None)
    value = None if cost is None else search.sign * cost
    bound = value if proven else search.sign * search.open_bound if isfinite(search.open_bound) else None
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
