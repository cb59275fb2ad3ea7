"""The search that asks little: a model guesses what to ask, and what is asked decides other vectors with it.

Why it finds what the textbook's search does, see :mod:`.samarati`.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.lattice import DistanceVector, height
from kanon_sql.search.base import Search
from kanon_sql.search.cover import choose_batch
from kanon_sql.search.knowledge import Stretch, lowest_bit
from kanon_sql.search.model import SuppressionModel

# How often guesses are probed before the proof begins.
PROBE_ROUNDS = 3
# A vector that is guessed to satisfy with this chance is worth a place in a batch: should it, the height is decided.
PROMISING = 0.05
# A vector at which a value loses more than it may counts, to the model, as one that suppresses so many times MaxSup.
WITHHELD = 1.5


class Pruned(Search):
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
            satisfying = self.decide(stretch, stretch.everything, done, first=True)
            if satisfying:
                return stretch.vectors[lowest_bit(satisfying)]
        return None

    def decide(self, stretch: Stretch, among: int, done: int, *, first: bool = False) -> int:
        """Which vectors of a stretch satisfy (bits), of some of them: every one is asked that no floor above it rules
        out.

        Args:
            stretch: vectors of one height.
            among: those that matter (bits).
            done: how many vectors of the height come before it.
            first: whether the first that satisfies is enough; of those after it nothing is said then.
        """
        asked = len(self.counts)
        counted = [(1 << i, v) for i, v in enumerate(stretch.vectors) if v in self.counts]
        satisfying = among & sum(bit for bit, vector in counted if self.satisfies(vector))
        undecided = among & ~self.known.failing_in(stretch) & ~sum(bit for bit, _ in counted)
        while True:
            if first and satisfying:
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
        self.tagged += max(len(stretch.vectors) - (len(self.counts) - asked), 0)
        return satisfying

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
        for vector in self.counts:
            self._observe(vector)

    def _seed_exactly(self) -> None:
        """Ask the best guess of every height below the lowest one that has a vector which satisfies."""
        self.model.fit()
        lowest = min(height(vector) for vector in self.known.passing)
        best = [
            vector
            for vector in self.model.best_per_height()[: lowest - self.lattice.least_height]
            if vector not in self.counts
        ]
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
            self._observe(vector)
        self.model.fit()

    def _observe(self, vector: DistanceVector) -> None:
        """Tell the model of a vector that was asked."""
        counts = self.counts[vector]
        withheld = int(WITHHELD * self.max_suppressed) + 1 if counts.withheld_below else 0
        self.model.observe(vector, max(counts.about, withheld))

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
