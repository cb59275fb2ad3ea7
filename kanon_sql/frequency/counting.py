"""Counts for vectors: what the search asks, answered by one of the two plans.

Both count the same thing: the rows that would be suppressed at a vector (rows with an unmapped value under
``unmapped: suppress`` included, at every vector) and how many classes violate.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends import Engine
from kanon_sql.compiler import Question, Statement, questions
from kanon_sql.frequency.layout import BATCH_BITS, KeyLayout
from kanon_sql.lattice import Counts, DistanceVector


class DirectCounter:
    """The direct plan: one JOIN / GROUP BY / HAVING query over the source per vector."""

    batch_size = 1

    def __init__(self, engine: Engine, question: Question, total: int) -> None:
        self._engine = engine
        self._question = question
        [(mapped,)] = engine.run(questions.mapped_rows(question))
        self.unmapped_rows: int = total - mapped

    def evaluate(self, vectors: Sequence[DistanceVector]) -> list[Counts]:
        """The counts of each vector."""
        answers = []
        for vector in vectors:
            [row] = self._engine.run(questions.check_direct(self._question, vector))
            answers.append(counts_of(row, self.unmapped_rows))
        return answers


class FrequencyCounter:
    """The frequency plan: the source is scanned once into encoded keys; a batch of vectors is one statement.

    Attributes:
        unmapped_rows: rows of the source that are not in the frequency set.
        entries: how many entries the frequency set has.
        layout: where the digits of the trie codes stand.
    """

    batch_size = 48

    def __init__(self, engine: Engine, question: Question, total: int) -> None:
        self._engine = engine
        self._question = question
        self.table = engine.scratch("frequency")
        self.layout = build_codes(engine, question)
        for column in question.sensitive:
            engine.run(questions.dictionary(question, column))
        engine.run(questions.encode(question, self.table, self.layout.words()))
        population = engine.scratch("population") if question.population is not None else None
        if population is not None:
            engine.run(questions.encode_population(question, population, self.layout.words()))
        [(rows, self.entries)] = engine.run(questions.frequency_size(self.table))
        self.unmapped_rows: int = total - rows
        self._statement = questions.evaluate(
            question, self.table, population, self.layout.word_count, self.layout.id_factor
        )

    def evaluate(self, vectors: Sequence[DistanceVector]) -> list[Counts]:
        """The counts of each vector, in the same order."""
        answers: list[Counts] = []
        size = min(self.batch_size, 1 << BATCH_BITS)
        for start in range(0, len(vectors), size):
            answers += self._batch(vectors[start : start + size])
        return answers

    def statement(self, vectors: Sequence[DistanceVector]) -> Statement:
        """The one statement that answers a batch of at most 64 vectors."""
        masks = list(zip(*(self.layout.mask(vector) for vector in vectors), strict=True))
        parameters: dict[str, object] = {
            "ids": [i * self.layout.id_factor for i in range(len(vectors))],
            **{f"mask_{word}": list(values) for word, values in enumerate(masks)},
        }
        return Statement(self._statement.name, self._statement.sql, parameters)

    def _batch(self, vectors: Sequence[DistanceVector]) -> list[Counts]:
        rows = self._engine.run(self.statement(vectors))
        found = {row[0]: counts_of(row[1:], self.unmapped_rows) for row in rows}
        # A vector without a row has no class at all: every row is unmapped.
        return [found.get(i, Counts(self.unmapped_rows, 0)) for i in range(len(vectors))]


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


def build_codes(engine: Engine, question: Question) -> KeyLayout:
    """Create the trie codes of every quasi-identifier and lay out the key."""
    largest: list[list[int]] = []
    for column in question.columns:
        engine.run(questions.digits(question, column))
        if column.height:
            [sizes] = engine.run(questions.digit_sizes(column))
            largest.append([size or 0 for size in sizes])
        else:
            largest.append([])
    layout = KeyLayout.pack(largest)
    for i, column in enumerate(question.columns):
        engine.run(questions.codes(question, column, layout.places(i)))
    return layout
