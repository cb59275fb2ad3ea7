"""What measures need to know of vectors, asked of the encoded frequency set.

A loss of labels is known once per quasi-identifier, level and label: a table of them is made when a measure first
asks (``sql/measures/labels.sql.j2``). What released rows lose at a vector is then what all rows lose at its levels,
known beforehand, but for the rows of classes that leave: only those are looked up, in the statement that counts
classes anyway. All of it is whole numbers, so that nothing depends on the order of adding.

Most values of a label lose the same. Those without a leaf in the hierarchy, where they share a label with others,
may lose more (a NULL in a hierarchy of one leaf; a value that `unmapped: top` placed where the hierarchy has the top
label below the top), and a key need not tell them apart. Their rows have a small frequency set of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from kanon_sql.backends import Engine
from kanon_sql.backends.base import Row
from kanon_sql.compiler import AnyHierarchy, Question, Statement, TableHierarchy, questions
from kanon_sql.compiler.questions import Lost
from kanon_sql.frequency.layout import KeyLayout
from kanon_sql.lattice import DistanceVector, Lattice
from kanon_sql.measures import Facts, LabelLoss, Losses, Measure
from kanon_sql.privacy import KAnonymity

# How many vectors one statement asks, at the most, and at the least where several run side by side.
BATCH = 48
LEAST_IN_A_LANE = 8

_numbers = count()


@dataclass(frozen=True)
class _Strays:
    """Rows whose value in a quasi-identifier has no leaf, and which lose more than others of their label.

    Attributes:
        table: their frequency set.
        rows: how many there are.
        more: how much more each loses, per level.
    """

    table: str
    rows: int
    more: tuple[int, ...]


@dataclass(frozen=True)
class _OfColumn:
    """A label loss of one quasi-identifier.

    Attributes:
        lost: the table of what its labels lose.
        totals: per level, what all rows of the frequency set lose, as though every value were a leaf.
        most: what a suppressed row loses.
        original: what all rows of the source are taken to have lost before.
        strays: the rows that lose more.
    """

    lost: Lost
    totals: tuple[int, ...]
    most: int
    original: int
    strays: tuple[_Strays, ...]

    def released(self, level: int, lost: int, gone: Sequence[int]) -> int:
        """What released rows lose, when suppressed ones (of the strays, so many) lose this."""
        more = sum(
            each.more[level] * (each.rows - left) for each, left in zip(self.strays, gone, strict=True)
        )
        return self.totals[level] - lost + more

    def everything(self, level: int) -> int:
        """What all rows of the frequency set lose."""
        return self.released(level, 0, [0] * len(self.strays))


class Valuer:
    """Fills :class:`~kanon_sql.measures.Facts` for vectors.

    Args:
        engine: where the frequency set is.
        question: what is asked; `placed` of its columns must say what loading the hierarchies has shown.
        layout: where the digits of the trie codes stand.
        frequency: the frequency set's name.
        rows: the rows of the source.
        unmapped_rows: those that are not in the frequency set, suppressed at every vector.
        hierarchies: per quasi-identifier its hierarchy, or None for value and top alone.
        population: the encoded population, where one is asked about.
        weights: per quasi-identifier, whole; empty where all weigh the same.
        max_suppressed: how many rows may be suppressed; bounds lean on it.
        below: gives a table to ask about some vectors: the frequency set, rolled up to no more than their meet.
    """

    def __init__(
        self,
        engine: Engine,
        question: Question,
        layout: KeyLayout,
        frequency: str,
        *,
        rows: int,
        unmapped_rows: int,
        hierarchies: Sequence[AnyHierarchy | None],
        population: str | None = None,
        weights: tuple[int, ...] = (),
        max_suppressed: int = 0,
        below: Callable[[Sequence[DistanceVector]], str] | None = None,
    ) -> None:
        self._engine = engine
        self._question = question
        self._layout = layout
        self._frequency = frequency
        self._rows = rows
        self._unmapped = unmapped_rows
        self._hierarchies = hierarchies
        self._population = population
        self._weights = weights
        self._max_suppressed = max_suppressed
        self._below = below or (lambda _: frequency)
        self._lattice = Lattice(tuple(column.height for column in question.columns))
        self._k = max((model.k for model in question.models if isinstance(model, KAnonymity)), default=1)
        self._own_nulls: list[bool] | None = None
        self._losses: dict[LabelLoss, tuple[_OfColumn, ...]] = {}
        self._texts: dict[tuple[str, tuple[LabelLoss, ...]], str] = {}

    def totals(self, loss: LabelLoss) -> list[list[int]]:
        """Per quasi-identifier, per level, what all rows lose if no class leaves; an unmapped row is suppressed."""
        return [
            [each.everything(level) + self._unmapped * each.most for level in range(len(each.totals))]
            for each in self._of(loss)
        ]

    def prospect(self, vector: DistanceVector, measures: Iterable[Measure]) -> Facts:
        """The facts of a vector if no class left, without a question to the engine (but for the first of a label
        loss). Bounds that need no count of classes are made of them."""
        losses = {
            loss.word: self._sums(
                loss, vector, [0] * len(vector), [[0] * len(c.strays) for c in self._of(loss)]
            )
            for loss in _label_losses(measures)
        }
        return self._facts(vector, self._rows - self._unmapped, losses)

    def facts(self, vectors: Sequence[DistanceVector], measures: Iterable[Measure]) -> list[Facts]:
        """The facts of each vector, in the same order, with all that the measures need."""
        losses = _label_losses(measures)
        for loss in losses:
            self._of(loss)
        asked = sorted(set(vectors))
        size = min(BATCH, max(-(-len(asked) // self._engine.lanes), LEAST_IN_A_LANE))
        pieces = [asked[at : at + size] for at in range(0, len(asked), size)]
        found: dict[DistanceVector, Facts] = {}
        answers = self._engine.run_all([self._statement(piece, losses) for piece in pieces]) if pieces else []
        for piece, rows in zip(pieces, answers, strict=True):
            # A vector without a row has no class at all: every row is unmapped.
            answered = {row[0]: row[1:] for row in rows}
            for i, vector in enumerate(piece):
                found[vector] = self._answered(vector, answered.get(i), losses)
        return [found[vector] for vector in vectors]

    # -- asking -----------------------------------------------------------------------------------------------

    def _statement(self, vectors: Sequence[DistanceVector], losses: tuple[LabelLoss, ...]) -> Statement:
        table = self._below(vectors)
        columns = [each for loss in losses for each in self._of(loss)]
        text = self._texts.get((table, losses))
        if text is None:
            text = questions.facts(
                self._question,
                table,
                self._population,
                self._layout.word_count,
                self._layout.id_factor,
                [each.lost for each in columns],
                [strays.table for each in columns for strays in each.strays],
            ).sql
            self._texts[table, losses] = text
        masks = list(zip(*(self._layout.mask(vector) for vector in vectors), strict=True))
        parameters: dict[str, object] = {
            "ids": [i * self._layout.id_factor for i in range(len(vectors))],
            **{f"mask_{word}": list(values) for word, values in enumerate(masks)},
            **{f"level_{qi}": [vector[qi] for vector in vectors] for qi in {c.lost.qi for c in columns}},
        }
        return Statement("measures/facts", text, parameters)

    def _answered(self, vector: DistanceVector, row: Row | None, losses: tuple[LabelLoss, ...]) -> Facts:
        """The facts that a row of the answer tells."""
        outliers, violating, all_classes, squares, all_squares, *sums = row or (0,) * 5
        # What no suppressed row adds to is NULL.
        listed = iter([int(each or 0) for each in sums] if row else [])
        lost = {loss: [next(listed, 0) for _ in self._of(loss)] for loss in losses}
        gone = {loss: [[next(listed, 0) for _ in c.strays] for c in self._of(loss)] for loss in losses}
        return self._facts(
            vector,
            self._rows - self._unmapped - outliers,
            {loss.word: self._sums(loss, vector, lost[loss], gone[loss]) for loss in losses},
            classes=all_classes - violating,
            squares=int(squares or 0),
            all_classes=all_classes,
            all_squares=int(all_squares or 0),
        )

    def _facts(
        self, vector: DistanceVector, released: int, losses: Mapping[str, Losses], **counted: int
    ) -> Facts:
        return Facts(
            self._lattice,
            vector,
            self._rows,
            released,
            weights=self._weights,
            k=self._k,
            max_suppressed=self._max_suppressed,
            unmapped=self._unmapped,
            losses=losses,
            **counted,
        )

    def _sums(
        self, loss: LabelLoss, vector: DistanceVector, lost: Sequence[int], gone: Sequence[Sequence[int]]
    ) -> Losses:
        columns = self._of(loss)
        return Losses(
            released=tuple(
                column.released(level, out, strays)
                for column, level, out, strays in zip(columns, vector, lost, gone, strict=True)
            ),
            everything=tuple(
                c.everything(level) + self._unmapped * c.most
                for c, level in zip(columns, vector, strict=True)
            ),
            most=tuple(c.most for c in columns),
            original=tuple(c.original for c in columns),
        )

    # -- label losses -----------------------------------------------------------------------------------------

    def _of(self, loss: LabelLoss) -> tuple[_OfColumn, ...]:
        """A label loss of every quasi-identifier; its tables are made when it is first asked for."""
        if loss not in self._losses:
            self._losses[loss] = tuple(self._of_column(loss, qi) for qi in range(len(self._question.columns)))
        return self._losses[loss]

    def _of_column(self, loss: LabelLoss, qi: int) -> _OfColumn:
        column, part = self._question.columns[qi], self._layout.part(qi)
        lost = Lost(qi, self._engine.scratch(f"labels_{next(_numbers)}"), tuple(part), tuple(part.values()))
        self._engine.run(
            questions.labels_lost(
                self._question,
                lost,
                loss,
                self._frequency,
                [tuple(self._layout.part(qi, level).values()) for level in range(column.height + 1)],
                own_null=self._lists_null(qi),
                from_source=loss.of_source and self._unmapped > 0,
                rows=self._rows,
            )
        )
        levels = self._engine.run(questions.total_lost(lost.labels))
        original = 0
        if loss.of_source:
            [(summed,)] = self._engine.run(questions.original_lost(self._question, column, loss))
            original = int(summed or 0)
        strays = (
            self._strays(qi, "null", [row[2] for row in levels]),
            self._strays(qi, "placed", [row[3] for row in levels]),
        )
        return _OfColumn(
            lost,
            tuple(int(row[1]) for row in levels),
            levels[0][4],
            original,
            tuple(each for each in strays if each is not None),
        )

    def _strays(self, qi: int, kind: Literal["null", "placed"], more: Sequence[int | None]) -> _Strays | None:
        """The rows without a leaf that lose more than their label says, if there are such."""
        if not any(more):
            return None
        table = self._engine.scratch(f"strays_{next(_numbers)}")
        self._engine.run(questions.encode_strays(self._question, table, self._layout.words(), qi, kind))
        [(rows, _)] = self._engine.run(questions.frequency_size(table))
        return _Strays(table, rows, tuple(each or 0 for each in more)) if rows else None

    def _lists_null(self, qi: int) -> bool:
        """Whether a quasi-identifier's hierarchy lists NULL: otherwise it has no leaf there."""
        if self._own_nulls is None:
            self._own_nulls = [self._has_null(hierarchy) for hierarchy in self._hierarchies]
        return self._own_nulls[qi]

    def _has_null(self, hierarchy: AnyHierarchy | None) -> bool:
        if isinstance(hierarchy, TableHierarchy):
            return bool(self._engine.run(questions.lists_null(hierarchy))[0][0])
        return hierarchy is not None and any(row[0] is None for row in hierarchy.rows)


def _label_losses(measures: Iterable[Measure]) -> tuple[LabelLoss, ...]:
    """The label losses that measures are made of, each once."""
    return tuple(dict.fromkeys(measure.loss for measure in measures if measure.loss is not None))
