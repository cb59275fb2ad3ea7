"""Answering for vectors from the smallest set of entries that will do.

Two rules make a large frequency set cheap to ask, and both are exact.

* Roll-up (LeFevre et al. 2005, the roll-up property; DESIGN 6.3). The classes of v are made of whole classes of any
  u ≤ v, so the counts of v follow from the entries of u. A *hub* is the frequency set of some u that was kept. It
  holds what the question looks at beside the key (sensitive values, persons), so that nothing is lost for any
  model.
* Partition lower bound (DESIGN 6.4). Of the classes of v those are looked at whose key has a hash in one of P parts:
  whole classes, so every row and every violating class that is found there is there in the whole. More than MaxSup
  proves that v fails, and (by the floor, see :class:`kanon_sql.lattice.Counts`) everything below it, for any model:
  the outliers that are found are a number of the outliers, the floor that is found a part of the floor. Nothing
  else is concluded: where the part does not prove it, the whole is asked.

P comes from a guess at the outliers, by whoever asks; a bad guess costs a question and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import expm1

from kanon_sql.backends import Engine
from kanon_sql.backends.base import Row
from kanon_sql.compiler import Question, Statement, questions
from kanon_sql.frequency.batches import batch_of, largest_batch, pieces
from kanon_sql.frequency.layout import KeyLayout
from kanon_sql.lattice import Counts, DistanceVector, Prior, dominates, height, meet_of

# From so many entries on, a vector is asked by itself: what a statement costs beside its rows is little then.
LARGE = 150_000
# A hub is kept when it is at most this share of what it was rolled up from.
WORTH_KEEPING = 0.5
# It is made where the labels of its levels promise this share.
WORTH_MAKING = 0.4
# A hub below many vectors at once is made where they are at least so many, and kept at most at this share.
WORTH_A_MEET = 16
MEET_WORTH_KEEPING = 0.75
# How many hubs are kept.
MOST_HUBS = 24
# What a guess at the outliers is divided by, so that the part still holds enough of them.
MARGIN = 1.3
MOST_PARTS = 1 << 12
LEAST_PARTS = 3
# One class in so many is looked at for a guess.
PROBED_PARTS = 32
# How often a larger part is asked before the whole is.
MOST_ROUNDS = 3


@dataclass(frozen=True)
class Hub:
    """The frequency set of a vector, as a table."""

    vector: DistanceVector
    table: str
    entries: int


@dataclass
class Work:
    """What answering has cost, and what the two rules did.

    Attributes:
        statements: statements that asked for counts.
        counted_whole: vectors counted exactly.
        asked_in_part: times that a part of a vector's classes was asked.
        proven_by_part: vectors that a part proved to fail.
        rolled_up: hubs made.
        entries_read: entries of the frequency set and its hubs that were read, once per vector.
    """

    statements: int = 0
    counted_whole: int = 0
    asked_in_part: int = 0
    proven_by_part: int = 0
    rolled_up: int = 0
    entries_read: int = 0


# The largest number that whoever searches a large set should ask before it thinks again.
BATCH_OF_LARGE = 6


class Hubs:
    """The hubs of one frequency set, and the statements that ask them.

    Args:
        engine: what runs them.
        question: what is asked.
        layout: of the key.
        root: the frequency set itself.
        population: the encoded population, where one is asked about.
        prior: how many rows and labels there are.
        unmapped_rows: rows that are suppressed at every vector.
    """

    def __init__(
        self,
        engine: Engine,
        question: Question,
        layout: KeyLayout,
        root: Hub,
        population: str | None,
        prior: Prior,
        unmapped_rows: int,
    ) -> None:
        self._engine = engine
        self._question = question
        self._layout = layout
        self._population = population
        self._labels = prior.labels
        self._rows = prior.rows
        self._unmapped_rows = unmapped_rows
        self._hubs = [root]
        self._made = 0
        # Vectors whose roll-up was not worth keeping; nor is that of any smaller one.
        self._not_worth: list[DistanceVector] = []
        self._texts: dict[tuple[str, bool], str] = {}
        self.work = Work()

    @property
    def batch_size(self) -> int:
        """How many vectors are best asked at once."""
        return BATCH_OF_LARGE if self.is_large else largest_batch()

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        """The counts of each vector, in the same order.

        Args:
            vectors: what is asked.
            enough: where a vector has more outliers than that, a number above it will do.
            expected: about how many outliers each has, by somebody's guess; None where nobody has one.
        """
        self._let_go()
        found: dict[DistanceVector, Counts] = {}
        if enough is not None and self.is_large:
            found = self._bounds(vectors, enough, expected)
        rest = sorted({v for v in vectors if v not in found}, key=lambda v: (height(v), v))
        small: dict[Hub, list[DistanceVector]] = {}
        for vector in rest:
            hub = self._smallest_below(vector)
            if hub.entries < LARGE:
                small.setdefault(hub, []).append(vector)
                continue
            rolled = self._roll_up(vector, hub)
            found |= self._ask(rolled, [vector])
            self._keep(rolled, hub, WORTH_KEEPING)
        found |= self._ask_small(small)
        return [found[vector] for vector in vectors]

    @property
    def is_large(self) -> bool:
        """Whether a vector is dear to ask."""
        return self._hubs[0].entries >= LARGE

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        """About how large the floor of each vector is, by a part of its classes."""
        asked: dict[Hub, dict[DistanceVector, int]] = {}
        for vector in vectors:
            asked.setdefault(self._smallest_below(vector), {})[vector] = PROBED_PARTS
        found: dict[DistanceVector, Counts] = {}
        for hub, parts_of in asked.items():
            found |= self._ask(hub, list(parts_of), parts_of)
        unmapped = self._unmapped_rows
        return [unmapped + (found[vector].floor - unmapped) * PROBED_PARTS for vector in vectors]

    def below(self, vectors: Sequence[DistanceVector]) -> str:
        """The table to ask about vectors: the smallest frequency set that there is, or is worth making, below all. It
        stands until the next call of :meth:`evaluate`."""
        hub = self._smallest_below(meet_of(vectors))
        return (self._under_all(hub, vectors) if hub.entries < LARGE else hub).table

    def statement(self, vectors: Sequence[DistanceVector]) -> Statement:
        """The one statement that answers a batch of at most 64 vectors, from the frequency set itself."""
        return self._statement(self._hubs[0], vectors)

    # -- bounds -----------------------------------------------------------------------------------------------

    def _bounds(
        self, vectors: Sequence[DistanceVector], enough: int, expected: Sequence[float] | None
    ) -> dict[DistanceVector, Counts]:
        """What a part of the classes proves: counts above ``enough``, of some of the vectors.

        What a part holds is also the best guess at the whole, so a vector that is not proven is asked for a larger
        part as long as that promises to prove it.
        """
        budget = max(enough - self._unmapped_rows, 1)
        guesses = dict(zip(vectors, expected or [float(self._rows)] * len(vectors), strict=True))
        found: dict[DistanceVector, Counts] = {}
        before: dict[DistanceVector, int] = {}
        for _ in range(MOST_ROUNDS):
            asked: dict[Hub, dict[DistanceVector, int]] = {}
            for vector, guess in guesses.items():
                parts = min(int(max(guess - self._unmapped_rows, 0) / (MARGIN * budget)), MOST_PARTS)
                hub = self._smallest_below(vector)
                if LEAST_PARTS <= parts < before.get(vector, 2 * MOST_PARTS) and hub.entries >= LARGE:
                    asked.setdefault(hub, {})[vector] = parts
            guesses = {}
            for hub, parts_of in asked.items():
                before |= parts_of
                for vector, counts in self._ask(hub, list(parts_of), parts_of).items():
                    seen = counts.floor - self._unmapped_rows
                    guess = self._unmapped_rows + seen * parts_of[vector]
                    if counts.floor > enough:
                        found[vector] = replace(counts, estimate=guess)
                    else:
                        guesses[vector] = guess
            if not guesses:
                break
        self.work.proven_by_part += len(found)
        return found

    # -- hubs -------------------------------------------------------------------------------------------------

    def _smallest_below(self, vector: DistanceVector) -> Hub:
        return min((hub for hub in self._hubs if dominates(vector, hub.vector)), key=lambda hub: hub.entries)

    def _under_all(self, hub: Hub, vectors: Sequence[DistanceVector]) -> Hub:
        """The best hub below many vectors that a small hub answers for: that of their meet, if it is worth it."""
        if len(vectors) < WORTH_A_MEET:
            return hub
        meet = meet_of(vectors)
        hub = self._smallest_below(meet)
        if meet == hub.vector or self._is_not_worth(meet):
            return hub
        rolled = self._make(meet, hub)
        self._keep(rolled, hub, MEET_WORTH_KEEPING)
        return rolled if rolled in self._hubs else hub

    def _is_not_worth(self, vector: DistanceVector) -> bool:
        return any(dominates(tried, vector) for tried in self._not_worth)

    def _roll_up(self, vector: DistanceVector, hub: Hub) -> Hub:
        """The hub of a vector, made of another one; that other one where it would hardly be smaller."""
        if self._is_not_worth(vector) or self._classes_about(vector) > WORTH_MAKING * hub.entries:
            return hub
        return self._make(vector, hub)

    def _make(self, vector: DistanceVector, hub: Hub) -> Hub:
        table = self._engine.scratch(f"hub_{self._made}")
        self._made += 1
        self._engine.run(questions.roll_up(self._question, hub.table, table, self._layout.mask(vector)))
        [(_, entries)] = self._engine.run(questions.frequency_size(table))
        self.work.rolled_up += 1
        self.work.entries_read += hub.entries
        return Hub(vector, table, entries)

    def _classes_about(self, vector: DistanceVector) -> float:
        """How many classes a vector may have: rows thrown at random into every combination of its labels."""
        cells = 1.0
        for labels, level in zip(self._labels, vector, strict=True):
            cells *= labels[level]
        return cells * -expm1(-self._rows / cells) if cells else 0.0

    def _keep(self, rolled: Hub, hub: Hub, share: float) -> None:
        """Keep a hub that is worth it; drop it otherwise."""
        if rolled is hub:
            return
        if rolled.entries > share * hub.entries:
            self._not_worth.append(rolled.vector)
            self._engine.run(questions.drop(rolled.table))
            return
        self._hubs.append(rolled)

    def _let_go(self) -> None:
        """Drop the largest hubs beyond so many; only before new ones are looked for: what was planned needs them."""
        while len(self._hubs) > MOST_HUBS:
            largest = max(self._hubs[1:], key=lambda each: each.entries)
            self._hubs.remove(largest)
            self._engine.run(questions.drop(largest.table))

    # -- asking -----------------------------------------------------------------------------------------------

    def _ask(
        self,
        hub: Hub,
        vectors: Sequence[DistanceVector],
        parts: dict[DistanceVector, int] | None = None,
    ) -> dict[DistanceVector, Counts]:
        found: dict[DistanceVector, Counts] = {}
        for batch in pieces(vectors, largest_batch()):
            rows = self._engine.run(self._statement(hub, batch, parts))
            found |= self._answers(hub, batch, rows, in_part=parts is not None)
        return found

    def _ask_small(self, asked: dict[Hub, list[DistanceVector]]) -> dict[DistanceVector, Counts]:
        """Ask small hubs, in several statements side by side where the engine can: one has no use for two threads."""
        size = batch_of(sum(map(len, asked.values())), self._engine.lanes)
        # In order of the vectors, those that share their first levels, and so a higher meet, come together.
        parts = [(hub, piece) for hub, vectors in asked.items() for piece in pieces(sorted(vectors), size)]
        tasks = [(self._under_all(hub, piece), piece) for hub, piece in parts]
        found: dict[DistanceVector, Counts] = {}
        answers = self._engine.run_all([self._statement(hub, piece) for hub, piece in tasks])
        for (hub, piece), rows in zip(tasks, answers, strict=True):
            found |= self._answers(hub, piece, rows)
        return found

    def _answers(
        self, hub: Hub, batch: Sequence[DistanceVector], rows: Sequence[Row], *, in_part: bool = False
    ) -> dict[DistanceVector, Counts]:
        self.work.statements += 1
        self.work.entries_read += hub.entries * len(batch)
        if in_part:
            self.work.asked_in_part += len(batch)
        else:
            self.work.counted_whole += len(batch)
        answered = {row[0]: counts_of(row[1:], self._unmapped_rows) for row in rows}
        # A vector without a row has no class at all: every row is unmapped.
        return {v: answered.get(i, Counts(self._unmapped_rows, 0)) for i, v in enumerate(batch)}

    def _statement(
        self,
        hub: Hub,
        vectors: Sequence[DistanceVector],
        parts: dict[DistanceVector, int] | None = None,
    ) -> Statement:
        text = self._texts.get((hub.table, parts is not None))
        if text is None:
            text = questions.evaluate(
                self._question,
                hub.table,
                self._population,
                self._layout.word_count,
                self._layout.id_factor,
                partitioned=parts is not None,
            ).sql
            self._texts[hub.table, parts is not None] = text
        parameters = self._layout.batch(vectors)
        if parts is not None:
            parameters["parts"] = [parts[vector] for vector in vectors]
        return Statement("frequency/evaluate", text, parameters)


def counts_of(row: Sequence[int], unmapped_rows: int) -> Counts:
    """The counts that an engine answered: outliers, violating classes and, where not all that is asked is
    monotone under suppression, the rows and the classes that a bound can be made of.

    The bound (DESIGN 6, the trap) is the larger of two. The rows in classes that violate a condition which is
    monotone under suppression: they never get more as the vector rises. And the number of classes that
    violate one which is monotone under generalization: each of them contains, at every smaller vector, a
    class that violates it too (were all that it contains satisfied, so were it), of one row at the least.
    """
    outliers, classes, *bounds = row
    proven = unmapped_rows + max(bounds) if bounds else None
    return Counts(unmapped_rows + outliers, classes, proven)
