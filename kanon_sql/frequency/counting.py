"""Counts for vectors: what the search asks, answered by one of the two plans.

Both count the same thing: the rows that would be suppressed at a vector (rows with an unmapped value under
``unmapped: suppress`` included, at every vector) and how many classes violate.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends import Engine
from kanon_sql.compiler import Question, Statement, questions
from kanon_sql.frequency.layout import KeyLayout
from kanon_sql.frequency.rollup import LARGE, Hub, Hubs, counts_of
from kanon_sql.lattice import Counts, DistanceVector, Prior

# How many rows are looked at to see whether tuples repeat, and the share of distinct ones from which they do not.
FIRST_ROWS = 50_000
NEARLY_UNIQUE = 0.9


class DirectCounter:
    """The direct plan: one JOIN / GROUP BY / HAVING query over the source per vector."""

    batch_size = 1

    def __init__(self, engine: Engine, question: Question, total: int) -> None:
        self._engine = engine
        self._question = question
        [(mapped,)] = engine.run(questions.mapped_rows(question))
        self.unmapped_rows: int = total - mapped

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        """The counts of each vector, always exact."""
        answers = []
        for vector in vectors:
            [row] = self._engine.run(questions.check_direct(self._question, vector))
            answers.append(counts_of(row, self.unmapped_rows))
        return answers

    def lost(self, vector: DistanceVector, least: int, most: int) -> Statement:
        """Where the rows come from that a vector suppresses (see :func:`questions.lost`)."""
        return questions.lost(self._question, vector, strays=self.unmapped_rows > 0, least=least, most=most)

    def prior(self) -> Prior | None:
        """None: what a large table needs is the other plan."""
        return None

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        """The floors themselves: a part of a vector's classes costs as much as all of them."""
        return [counts.floor for counts in self.evaluate(vectors)]


class FrequencyCounter:
    """The frequency plan: the source is scanned once into encoded keys, and asked from there (see
    :mod:`~kanon_sql.frequency.rollup`).

    Attributes:
        unmapped_rows: rows of the source that are not in the frequency set.
        entries: how many entries the frequency set has.
        layout: where the digits of the trie codes stand.
        hubs: what answers for vectors.
        is_grouped: whether it has one entry per tuple; otherwise, where few tuples repeat, one per row.
        table, population: the names of the frequency set, and of that of the population where one is asked about.
    """

    def __init__(self, engine: Engine, question: Question, total: int) -> None:
        self._question = question
        self.layout = build_codes(engine, question)
        for column in question.sensitive:
            engine.run(questions.dictionary(question, column))
        self.table = table = engine.scratch("frequency")
        words = self.layout.words()
        self.is_grouped = _repeats(engine, question, total)
        engine.run(questions.encode(question, table, words, grouped=self.is_grouped))
        population = engine.scratch("population") if question.population is not None else None
        if population is not None:
            engine.run(questions.encode_population(question, population, words))
        self.population = population
        [(rows, self.entries)] = engine.run(questions.frequency_size(table))
        self.unmapped_rows: int = total - rows
        root = Hub((0,) * len(question.columns), table, self.entries)
        least = max(getattr(model, "k", 1) for model in question.models)
        self._prior = Prior(max(rows, 1), least, _labels(engine, question, rows))
        self.hubs = Hubs(engine, question, self.layout, root, population, self._prior, self.unmapped_rows)

    def evaluate(
        self,
        vectors: Sequence[DistanceVector],
        enough: int | None = None,
        expected: Sequence[float] | None = None,
    ) -> list[Counts]:
        """The counts of each vector, in the same order (see :meth:`Hubs.evaluate`)."""
        return self.hubs.evaluate(vectors, enough, expected)

    @property
    def batch_size(self) -> int:
        """How many vectors are best asked at once."""
        return self.hubs.batch_size

    def prior(self) -> Prior | None:
        """What is known of a large table, of which asking a vector is dear; None for others."""
        return self._prior if self.hubs.is_large else None

    def probe(self, vectors: Sequence[DistanceVector]) -> list[int]:
        """About how large the floor of each vector is (see :meth:`Hubs.probe`)."""
        return self.hubs.probe(vectors)

    def lost(self, vector: DistanceVector, least: int, most: int) -> Statement:
        """Where the rows come from that a vector suppresses (see :func:`questions.lost`)."""
        return questions.lost_of_frequencies(
            self._question,
            vector,
            self.table,
            self.population,
            self.layout.mask(vector),
            [
                {word: bits for word, bits in enumerate(self.layout.part(i, level)) if bits}
                for i, level in enumerate(vector)
            ],
            strays=self.unmapped_rows > 0,
            least=least,
            most=most,
        )

    def statement(self, vectors: Sequence[DistanceVector]) -> Statement:
        """The one statement that answers a batch of at most 64 vectors."""
        return self.hubs.statement(vectors)


def _labels(engine: Engine, question: Question, rows: int) -> list[list[int]]:
    """Per quasi-identifier, per level, how many labels its mapping table has; not looked up for small tables."""
    if rows < LARGE:
        return [[1] * (column.height + 1) for column in question.columns]
    return [list(engine.run(questions.labels(column))[0]) for column in question.columns]


def _repeats(engine: Engine, question: Question, total: int) -> bool:
    """Whether tuples repeat so that grouping the frequency set makes it smaller, by its first rows."""
    if total < LARGE:
        return True
    [(rows, tuples)] = engine.run(questions.repeats(question, FIRST_ROWS))
    return bool(tuples < NEARLY_UNIQUE * rows)


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
