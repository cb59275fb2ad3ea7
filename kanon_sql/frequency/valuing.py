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
from kanon_sql.compiler.questions import LevelPlace
from kanon_sql.frequency.batches import batch_of, pieces
from kanon_sql.frequency.layout import KeyLayout
from kanon_sql.lattice import DistanceVector, Lattice
from kanon_sql.measures import Facts, LabelLoss, Losses, Measure
from kanon_sql.privacy import KAnonymity

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
    """A label loss of one quasi-identifier, per level.

    Attributes:
        mapped: what all rows of the frequency set lose.
        everything: what all rows of the source lose, those beside the frequency set being suppressed.
        strays: the rows that lose more than others of their label.
    """

    mapped: tuple[int, ...]
    everything: tuple[int, ...]
    strays: tuple[_Strays, ...]

    def released(self, level: int, lost: int, gone: Sequence[int]) -> int:
        """What released rows lose, when the labels of suppressed ones lose this, and so many of these are strays."""
        more = sum(each.more[level] * left for each, left in zip(self.strays, gone, strict=True))
        return self.mapped[level] - lost - more


@dataclass(frozen=True)
class _OfLoss:
    """A label loss: the table of what labels lose, the quasi-identifiers, and what each of their suppressed rows
    loses, and all of their rows have lost at the start."""

    labels: str
    columns: tuple[_OfColumn, ...]
    most: tuple[int, ...]
    original: tuple[int, ...]


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
        self._order = range(len(question.columns))
        self._places = [
            [LevelPlace(qi, level, top, layout.part(qi, level)) for level in range(top + 1)]
            for qi, top in enumerate(self._lattice.heights)
        ]
        self._losses: dict[LabelLoss, _OfLoss] = {}
        self._texts: dict[tuple[str, tuple[LabelLoss, ...]], str] = {}

    def totals(self, loss: LabelLoss) -> list[list[int]]:
        """Per quasi-identifier, per level, what all rows lose if no class leaves; an unmapped row is suppressed."""
        return [list(column.everything) for column in self._of(loss).columns]

    def prospect(self, vector: DistanceVector, measures: Iterable[Measure]) -> Facts:
        """The facts of a vector if no class left, without a question to the engine (but for the first of a label
        loss). Bounds that need no count of classes are made of them."""
        losses = {}
        for loss in _label_losses(measures):
            found = self._of(loss)
            mapped = tuple(c.mapped[level] for c, level in zip(found.columns, vector, strict=True))
            everything = tuple(c.everything[level] for c, level in zip(found.columns, vector, strict=True))
            losses[loss.word] = Losses(mapped, everything, found.most, found.original)
        return self._facts(vector, self._rows - self._unmapped, losses)

    def facts(self, vectors: Sequence[DistanceVector], measures: Iterable[Measure]) -> list[Facts]:
        """The facts of each vector, in the same order, with all that the measures need."""
        losses = _label_losses(measures)
        for loss in losses:
            self._of(loss)
        asked = sorted(set(vectors))
        batches = pieces(asked, batch_of(len(asked), self._engine.lanes))
        found: dict[DistanceVector, Facts] = {}
        answers = self._engine.run_all([self._statement(batch, losses) for batch in batches])
        for batch, rows in zip(batches, answers, strict=True):
            # A vector without a row has no class at all: every row is unmapped.
            answered: dict[int, list[Row]] = {}
            for row in rows:
                answered.setdefault(row[0], []).append(row[1:])
            for i, vector in enumerate(batch):
                found[vector] = self._answered(vector, answered.get(i, []), losses)
        return [found[vector] for vector in vectors]

    # -- asking -----------------------------------------------------------------------------------------------

    def _statement(self, vectors: Sequence[DistanceVector], losses: tuple[LabelLoss, ...]) -> Statement:
        table = self._below(vectors)
        text = self._texts.get((table, losses))
        if text is None:
            known = [self._of(loss) for loss in losses]
            text = questions.facts(
                self._question,
                table,
                self._population,
                self._layout.word_count,
                self._layout.id_factor,
                [each.labels for each in known],
                [strays.table for each in known for column in each.columns for strays in column.strays],
            ).sql
            self._texts[table, losses] = text
        parameters = self._layout.batch(vectors)
        if losses:
            sought = [
                (i, self._places[qi][vector[qi]]) for i, vector in enumerate(vectors) for qi in self._order
            ]
            parameters["at"] = [i for i, _ in sought]
            parameters["qis"] = [place.qi for _, place in sought]
            parameters["levels"] = [place.level for _, place in sought]
            for word in range(self._layout.word_count):
                parameters[f"part_{word}"] = [place.parts[word] for _, place in sought]
        return Statement("measures/facts", text, parameters)

    def _answered(self, vector: DistanceVector, rows: Sequence[Row], losses: tuple[LabelLoss, ...]) -> Facts:
        """The facts that the rows of a vector tell: one, or one per quasi-identifier."""
        outliers, violating, all_classes, squares, all_squares, *more = rows[0] if rows else (0,) * 5
        counted = iter(more)
        gone = {
            # What no suppressed row adds to is NULL.
            loss: [[next(counted, 0) or 0 for _ in column.strays] for column in self._of(loss).columns]
            for loss in losses
        }
        # The last columns: the quasi-identifier, and what is lost in it, one per loss.
        sums = [row[-len(losses) - 1 :] for row in rows] if losses else []
        lost = {
            loss: {row[0]: int(row[1 + at]) for row in sums if row[0] is not None}
            for at, loss in enumerate(losses)
        }
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
        self,
        loss: LabelLoss,
        vector: DistanceVector,
        lost: Mapping[int, int],
        gone: Sequence[Sequence[int]],
    ) -> Losses:
        """The sums at a vector, given what suppressed rows lose by quasi-identifier, and how many strays they are."""
        found = self._of(loss)
        places = zip(found.columns, vector, gone, strict=True)
        return Losses(
            released=tuple(
                column.released(level, lost.get(qi, 0), strays)
                for qi, (column, level, strays) in enumerate(places)
            ),
            everything=tuple(c.everything[level] for c, level in zip(found.columns, vector, strict=True)),
            most=found.most,
            original=found.original,
        )

    # -- label losses -----------------------------------------------------------------------------------------

    def _of(self, loss: LabelLoss) -> _OfLoss:
        """A label loss; its table is made when it is first asked for."""
        if loss not in self._losses:
            self._losses[loss] = self._made(loss)
        return self._losses[loss]

    def _made(self, loss: LabelLoss) -> _OfLoss:
        labels = self._engine.scratch(f"labels_{next(_numbers)}")
        self._engine.run(
            questions.labels_lost(
                self._question,
                labels,
                loss,
                self._frequency,
                self._layout.words(),
                [place for places in self._places for place in places],
                own_nulls=[self._lists_null(hierarchy) for hierarchy in self._hierarchies],
                from_source=loss.of_source and self._unmapped > 0,
                rows=self._rows,
            )
        )
        by_column: list[list[Row]] = [[] for _ in self._order]
        for row in self._engine.run(questions.total_lost(labels)):
            by_column[row[0]].append(row)
        originals = [0] * len(self._order)
        if loss.of_source:
            summed = self._engine.run(questions.original_lost(self._question, loss))
            originals = [int(bits or 0) for _, bits in summed]
        columns, most = [], []
        for qi, levels in enumerate(by_column):
            found = (
                self._strays(qi, "null", [row[3] for row in levels]),
                self._strays(qi, "placed", [row[4] for row in levels]),
            )
            strays = tuple(each for each in found if each is not None)
            mapped = [
                int(row[2]) + sum(each.rows * each.more[level] for each in strays)
                for level, row in enumerate(levels)
            ]
            most.append(levels[0][5])
            everything = tuple(lost + self._unmapped * most[-1] for lost in mapped)
            columns.append(_OfColumn(tuple(mapped), everything, strays))
        return _OfLoss(labels, tuple(columns), tuple(most), tuple(originals))

    def _strays(self, qi: int, kind: Literal["null", "placed"], more: Sequence[int | None]) -> _Strays | None:
        """The rows without a leaf that lose more than their label says, if there are such."""
        if not any(more):
            return None
        table = self._engine.scratch(f"strays_{next(_numbers)}")
        self._engine.run(questions.encode_strays(self._question, table, self._layout.words(), qi, kind))
        [(rows, _)] = self._engine.run(questions.frequency_size(table))
        return _Strays(table, rows, tuple(each or 0 for each in more)) if rows else None

    def _lists_null(self, hierarchy: AnyHierarchy | None) -> bool:
        """Whether a hierarchy lists NULL: otherwise it has no leaf there."""
        if isinstance(hierarchy, TableHierarchy):
            return bool(self._engine.run(questions.lists_null(hierarchy))[0][0])
        return hierarchy is not None and any(row[0] is None for row in hierarchy.rows)


def _label_losses(measures: Iterable[Measure]) -> tuple[LabelLoss, ...]:
    """The label losses that measures are made of, each once."""
    return tuple(dict.fromkeys(measure.loss for measure in measures if measure.loss is not None))
