"""Whether a value of a column would lose more of its rows than it may (`max_suppression_per`).

The suppressed rows of a value never get more as the vector rises where every model is monotone under suppression: a
row that is released at a vector is in a class that satisfies; above, its class is made of whole classes, that one
among them, and satisfies too. Unmapped rows are lost at every vector. So where a value loses too much, it does at
every smaller vector. Where a model is not monotone, that holds of the rows in classes that violate a condition which
is: they prove that what lies below fails, and the others only that the vector itself does.

Only vectors whose outliers are within MaxSup are asked, and of those only what they suppress is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.backends import Engine
from kanon_sql.compiler import Question, ShareColumn, Statement, questions
from kanon_sql.frequency.batches import batch_of, pieces
from kanon_sql.frequency.counting import FrequencyCounter
from kanon_sql.lattice import Counts, DistanceVector


@dataclass(frozen=True)
class Exceeding:
    """How many values of a column lose more than they may at a vector; ``surely`` so there and everywhere below."""

    values: int
    surely: int


class ShareCounter(FrequencyCounter):
    """The frequency plan, with what the values of some columns lose.

    Args:
        max_suppressed: MaxSup, in rows: of vectors beyond it nothing is asked.
    """

    def __init__(self, engine: Engine, question: Question, total: int, max_suppressed: int) -> None:
        super().__init__(engine, question, total)
        self._engine = engine
        self._question = question
        self._max_suppressed = max_suppressed
        # Per column, how many values unmapped rows alone overdraw.
        self._overdrawn = [self._load(share) for share in question.shares]
        self._statements: dict[str, str] = {}

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        """The counts of each vector, in the same order; those within MaxSup say whether a value is withheld."""
        found = super().evaluate(vectors, enough, expected)
        asked = [
            vector
            for vector, counts in zip(vectors, found, strict=True)
            if counts.estimate is None and counts.outliers <= self._max_suppressed
        ]
        exceeding = dict(zip(asked, self.exceeding(asked), strict=True))
        return [
            replace(
                counts,
                withheld=any(each.values for each in exceeding.get(vector, ())),
                withheld_below=any(each.surely for each in exceeding.get(vector, ())),
            )
            for vector, counts in zip(vectors, found, strict=True)
        ]

    def exceeding(self, vectors: Sequence[DistanceVector]) -> list[list[Exceeding]]:
        """Of each vector, in the same order, per column how many values lose more than they may."""
        asked = sorted(set(vectors))
        batches = pieces(asked, batch_of(len(asked), self._engine.lanes))
        answers = self._engine.run_all([self._asking(batch) for batch in batches])
        found = {vector: [Exceeding(n, n) for n in self._overdrawn] for vector in asked}
        for batch, rows in zip(batches, answers, strict=True):
            for at, number, values, *surely in rows:
                of_vector = found[batch[number]]
                overdrawn = self._overdrawn[at]
                of_vector[at] = Exceeding(overdrawn + values, overdrawn + (surely[0] if surely else values))
        return [found[vector] for vector in vectors]

    def _load(self, share: ShareColumn) -> int:
        engine, question = self._engine, self._question
        engine.run(questions.dictionary(question, share.column))
        engine.run(questions.encode_share(question, share, self.layout.words(), grouped=self.is_grouped))
        # Of n rows in all, values have at most √(2n) different numbers of rows.
        sizes = [rows for (rows,) in engine.run(questions.value_sizes(share))]
        engine.run(questions.limits(question, share, sizes))
        [(overdrawn,)] = engine.run(questions.values_overdrawn(share))
        return int(overdrawn)

    def _asking(self, vectors: Sequence[DistanceVector]) -> Statement:
        table = self.hubs.below(vectors)
        text = self._statements.get(table)
        if text is None:
            text = questions.shares(
                self._question, table, self.population, self.layout.word_count, self.layout.id_factor
            ).sql
            self._statements[table] = text
        return Statement("frequency/shares", text, self.layout.batch(vectors))
