"""Samarati's search: the least height of the lattice at which a vector satisfies.

``Find_vector`` (Samarati 2001, section 5) is a binary search over heights: if no vector of a height
satisfies, none below does, because the number of suppressed rows never rises with the vector. At each
height that it tries, vectors are asked in the order of DESIGN 5.11 (smaller relative distance, then smaller
vector), so the first that satisfies at the least height is the very vector that 5.11 names. That is
:class:`_Textbook`.

:class:`_Pruned` gives the same vector with far fewer questions. It does not bisect: a model (see
:mod:`.model`) guesses a good vector for every height, so that the lowest one that satisfies stands at the
least height or a little above it. Then the height below is proven empty, or a vector found there takes its
place, until a height is proven empty. Why the answer is the same:

* The height h that it ends with has a vector that satisfies (it was asked). Height h − 1 is empty: every one
  of its vectors was asked and failed, or lies below one that was asked and failed. So no lower height has
  one either, by the same fact that the bisection rests on, and h is the least height.
* Within h it takes the first vector in the order of 5.11 of which it knows that it satisfies, once every
  vector before it is known to fail.

The model decides only what is asked next; nothing follows from it.

All this rests on the number of suppressed rows never rising with the vector, which some privacy models do not
grant once violating classes are suppressed (DESIGN section 6, the trap): a class that satisfies may merge with
one that does not, and be suppressed with it. For those a counter gives, beside the outliers, a floor: rows that
are suppressed at the least at a vector and at every smaller one (:class:`kanon_sql.lattice.Counts`). The floor
never rises with the vector, so "the floor is within MaxSup" is a condition for which everything above holds,
and what satisfies also fulfils it. So the search is run on the floor first, which proves that no vector below a
height can satisfy, and an ascent then asks, height by height, every vector that the floor of no vector
above it rules out. The first height with one that satisfies is the least, since all lower ones were asked or
ruled out, and the first such vector in order is that of 5.11.

(No violating class at a vector would let everything above it pass, where every model is monotone under
generalization. The ascent has no use for that: it ends at the height of the first vector that satisfies.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from kanon_sql.lattice import Counts, DistanceVector, Lattice, Prior, height
from kanon_sql.search.cover import choose_batch
from kanon_sql.search.knowledge import Knowledge, Stretch, UpperSet, lowest_bit
from kanon_sql.search.model import SuppressionModel

# How many vectors of a height are held at once: a height may have billions.
STRETCH = 1 << 14
# How often guesses are probed before the proof begins.
PROBE_ROUNDS = 3
# A vector that is guessed to satisfy with this chance is worth a place in a batch: should it, the height is decided.
PROMISING = 0.05


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


class _Search:
    """The state of one search: what was asked and learnt."""

    def __init__(
        self,
        lattice: Lattice,
        counter: Counter,
        max_suppressed: int,
        progress: Callable[[SearchProgress], None] | None,
        known: Knowledge | None,
    ) -> None:
        self.lattice = lattice
        self.counter = counter
        self.max_suppressed = max_suppressed
        self.progress = progress
        self.known = known or Knowledge()
        self.admitted = UpperSet(lattice, self.known.passing)
        self.counts: dict[DistanceVector, Counts] = {}
        # About how many rows a vector's floor is, where there is a guess.
        self.guess: Callable[[DistanceVector], float] | None = None
        self.tagged = 0
        self.probed: list[int] = []
        self.low, self.high, self.trying = lattice.least_height, lattice.height, lattice.height

    def ask(self, vectors: Sequence[DistanceVector], *, exactly: bool = False) -> None:
        expected = [self.guess(vector) for vector in vectors] if self.guess is not None else None
        found = self.counter.evaluate(vectors, None if exactly else self.max_suppressed, expected)
        for vector, counts in zip(vectors, found, strict=True):
            self.counts[vector] = counts
            self.known.learn(vector, passes=self.admits(vector))
            if self.admits(vector):
                self.admitted.add(vector)

    def admits(self, vector: DistanceVector) -> bool:
        """Whether the floor is within MaxSup; where the outliers are the floor, that is to satisfy."""
        return self.counts[vector].floor <= self.max_suppressed

    def satisfies(self, vector: DistanceVector) -> bool:
        return self.counts[vector].outliers <= self.max_suppressed

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
        """The vector that came nearest; the highest of several."""
        counted = [vector for vector, counts in self.counts.items() if counts.estimate is None]
        vector = min(counted, key=lambda each: (self.counts[each].outliers, -height(each), each))
        return NothingSatisfies(vector, self.counts[vector])


class _Textbook(_Search):
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


class _Pruned(_Search):
    """The same answer with few questions: guess the height, prove the one below it empty, find the first."""

    def least_height(self) -> int:
        self._seed()
        while self.low < self.high:
            trying = self.high - 1
            self.probed.append(trying)
            if self._walk(trying, first=False) is None:
                self.low = self.high
            else:
                self.high = trying
        return self.high

    def first_admitted(self, level: int) -> DistanceVector | None:
        self.probed.append(level)
        return self._walk(level, first=True)

    def first_satisfying(self, level: int) -> DistanceVector | None:
        for done, stretch in self.stretches(level):
            found = self._first_satisfying(stretch, done)
            if found is not None:
                return found
        return None

    def _first_satisfying(self, stretch: Stretch, done: int) -> DistanceVector | None:
        """Ask every vector of a stretch that no floor above it rules out, until the first that satisfies."""
        asked = len(self.counts)
        counted = [(1 << i, v) for i, v in enumerate(stretch.vectors) if v in self.counts]
        satisfying = sum(bit for bit, vector in counted if self.satisfies(vector))
        undecided = stretch.everything & ~self.known.failing_in(stretch) & ~sum(bit for bit, _ in counted)
        while True:
            if satisfying:
                undecided &= (1 << lowest_bit(satisfying)) - 1
            if not undecided:
                break
            new = self._choose(stretch, undecided, certain=1.0)
            self._ask_and_observe(new)
            for vector in new:
                if not self.admits(vector):
                    undecided &= ~stretch.below(vector)
                elif height(vector) == stretch.height:
                    bit = stretch.below(vector)
                    undecided &= ~bit
                    satisfying |= bit if self.satisfies(vector) else 0
            self.report(done + len(stretch.vectors) - undecided.bit_count())
        self.tagged += max(len(stretch.vectors) - undecided.bit_count() - (len(self.counts) - asked), 0)
        return stretch.vectors[lowest_bit(satisfying)] if satisfying else None

    def _seed(self) -> None:
        """Fit the model to some counts, and lower ``high`` to a height at which a vector satisfies."""
        prior = self.counter.prior()
        if prior is not None:
            self.model = SuppressionModel.of_prior(self.lattice, self.max_suppressed, prior)
            self.guess = self.model.guess
            self._seed_by_probes()
        else:
            self._fit_to_corners()
            self._seed_exactly()
        self.high = min(height(vector) for vector in self.known.passing)

    def opening(self) -> list[DistanceVector]:
        top = self.lattice.top
        asks_many_at_once = self.counter.prior() is None and self.counter.batch_size > 1
        return list(dict.fromkeys([top, *self._corners()])) if asks_many_at_once else [top]

    def _corners(self) -> list[DistanceVector]:
        """Where one quasi-identifier is at its top, or all others are: they tell the model what each is worth."""
        bottom, top = self.lattice.bottom, self.lattice.top
        corners = [bottom]
        for i, highest in enumerate(top):
            corners.append((*bottom[:i], highest, *bottom[i + 1 :]))
            corners.append((*top[:i], bottom[i], *top[i + 1 :]))
        return list(dict.fromkeys(corners))

    def _fit_to_corners(self) -> None:
        new = [vector for vector in self._corners() if vector not in self.counts]
        if new:
            self.ask(new)
        most = max(counts.about for counts in self.counts.values())
        self.model = SuppressionModel.of_rows(self.lattice, self.max_suppressed, most)
        self.guess = self.model.guess
        for vector, counts in self.counts.items():
            self.model.observe(vector, counts.about)

    def _seed_exactly(self) -> None:
        """Ask the best guess of every height below the lowest one that has a vector which satisfies."""
        self.model.fit()
        lowest = min(height(vector) for vector in self.known.passing)
        best = [vector for vector in self.model.best_per_height()[:lowest] if vector not in self.counts]
        if best:
            self._ask_and_observe(best)

    def _seed_by_probes(self) -> None:
        """Where a vector is dear: probe the best guesses around MaxSup, then ask the lowest that seems to satisfy,
        and higher ones until one does."""
        probed: set[DistanceVector] = set()
        for _ in range(PROBE_ROUNDS):
            best = self.model.best_per_height()
            lowest = next(i for i, v in enumerate(best) if self._seems_to_satisfy(v) or i == len(best) - 1)
            near = [v for v in best[max(lowest - 1, 0) : lowest + 2] if v not in probed | self.counts.keys()]
            if not near:
                break
            probed |= set(near)
            for vector, about in zip(near, self.counter.probe(near), strict=True):
                self.model.observe(vector, about)
            self.model.fit()
        for vector in self.model.best_per_height():
            if self._seems_to_satisfy(vector) and vector not in self.counts:
                self._ask_and_observe([vector])
            if vector in self.counts and self.admits(vector):
                return

    def _seems_to_satisfy(self, vector: DistanceVector) -> bool:
        return self.model.predict(vector) <= self.model.threshold

    def _promising(
        self, stretch: Stretch, undecided: int, batch: list[DistanceVector]
    ) -> list[DistanceVector]:
        """The batch with the best guess of the height before it, where that may well satisfy."""
        best = self.model.best_per_height()[stretch.height - self.lattice.least_height]
        chance = 1 - self.model.chance_to_fail(self.model.predict(best))
        if chance <= PROMISING or not stretch.below(best) & undecided or best in batch:
            return batch
        return [best, *batch][: self.counter.batch_size]

    def _choose(self, stretch: Stretch, undecided: int, *, certain: float = 0.0) -> list[DistanceVector]:
        return choose_batch(
            stretch, undecided, self.model, self.admitted, self.counter.batch_size, certain=certain
        )

    def _ask_and_observe(self, vectors: Sequence[DistanceVector]) -> None:
        self.ask(vectors)
        for vector in vectors:
            self.model.observe(vector, self.counts[vector].about)
        self.model.fit()

    def _walk(self, level: int, *, first: bool) -> DistanceVector | None:
        """A vector of a height that satisfies, or None: any (``first=False``), or the first in order."""
        for done, stretch in self.stretches(level):
            found = self._walk_stretch(stretch, done, first=first)
            if found is not None:
                return found
        return None

    def _walk_stretch(self, stretch: Stretch, done: int, *, first: bool) -> DistanceVector | None:
        asked = len(self.counts)
        undecided = stretch.everything & ~self.known.failing_in(stretch)
        satisfying = self.known.passing_in(stretch)
        while True:
            if satisfying:
                if not first:
                    break
                # Only a vector before the first known one can still be the one.
                undecided &= (1 << lowest_bit(satisfying)) - 1
            if not undecided:
                break
            new = self._choose(stretch, undecided)
            if not first:
                new = self._promising(stretch, undecided, new)
            self._ask_and_observe(new)
            for vector in new:
                if not self.admits(vector):
                    undecided &= ~stretch.below(vector)
                elif height(vector) == stretch.height:
                    satisfying |= stretch.above(vector)
            self.report(done + len(stretch.vectors) - undecided.bit_count())
        self.tagged += max(len(stretch.vectors) - undecided.bit_count() - (len(self.counts) - asked), 0)
        return stretch.vectors[lowest_bit(satisfying)] if satisfying else None


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

    Sound for every privacy model: the number of suppressed rows may rise with the vector where the counter
    says so, by counts whose floor is not the number of outliers.

    Args:
        lattice: the lattice to search.
        counter: asked for the counts of vectors.
        max_suppressed: MaxSup, in rows.
        pruning: decide vectors by what is known of others; without it the search is the textbook's.
        progress: told how far the search is.
        known: what is known of the lattice beforehand (it is added to); where there is a floor, of the floors.

    Raises:
        NothingSatisfies: no vector does.
    """
    kind = _Pruned if pruning else _Textbook
    search = kind(lattice, counter, max_suppressed, progress, known)
    search.ask(search.opening(), exactly=True)
    if not search.admits(lattice.top):
        raise search.nearest()
    least = search.least_height()
    ascended = search.counts[lattice.top].proven is not None
    found = search.ascend(least) if ascended else search.first_admitted(least)
    if found is None:
        raise search.nearest()
    return search.result(found, ascended=ascended)
