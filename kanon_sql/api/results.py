"""What the jobs give: plain data, ready for JSON, and the release itself on demand."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kanon_sql.api.checking_models import ModelVerdict
from kanon_sql.api.explaining import Explanation
from kanon_sql.api.losing import Lost
from kanon_sql.binding import Bound
from kanon_sql.compiler import Relation, questions
from kanon_sql.errors import SpecError
from kanon_sql.risk import ClassSizes
from kanon_sql.search import SearchProgress

if TYPE_CHECKING:
    import pyarrow

    from kanon_sql.backends.duckdb import DuckDBEngine


# For how many k, from 2 upwards, a check says what would fall below.
MOST_KS = 1_000


@dataclass(frozen=True)
class Phase:
    """A phase of a run has begun: hierarchies, frequency_set, search, advice, lost, release or
    verification."""

    name: str


@dataclass(frozen=True)
class StatementProgress:
    """How much of the running statement is done, by the engine's own estimate: 0 to 100."""

    percent: float


ProgressEvent = Phase | StatementProgress | SearchProgress
Progress = Callable[[ProgressEvent], None]


@dataclass(frozen=True)
class ReleasePlace:
    """Where a release can be read again.

    Attributes:
        relation: the table, view or file.
        open: opens an engine in which the relation can be read.
        kept: an engine whose own memory holds the release.
    """

    relation: Relation
    open: Callable[[], DuckDBEngine]
    kept: DuckDBEngine | None = None

    @contextmanager
    def reading(self) -> Iterator[DuckDBEngine]:
        """An engine in which the release can be read, closed afterwards if it was opened for that."""
        if self.kept is not None:
            yield self.kept
            return
        engine = self.open()
        try:
            yield engine
        finally:
            engine.close()


@dataclass(frozen=True)
class Result:
    """What a run found and, but for a dry run, released.

    Attributes:
        table, output: the source and the release, by name (``output`` None after a dry run).
        k, max_suppression_rows: what was asked, MaxSup in rows.
        quasi_identifiers, heights: in the order of the vector; the heights are those of the hierarchies.
        vector: level per quasi-identifier; ``height`` is their sum.
        proven_minimal: whether no vector of smaller height satisfies, of those allowed, proven by the search.
        rows, released, suppressed: rows in, out, and left out: rows = released + suppressed.
        sizes: the sizes of the released classes, in rows; ``classes`` counts them.
        measures: accuracy and completeness; every one where a policy or an objective chose the vector.
        vectors_evaluated: how many vectors the engine was asked about.
        seconds: per phase, and ``total``.
        sql: the statement that makes the release.
        warnings: what a reader should know.
        left_out: columns of the source that have no role that releases them.
        dropped: quasi-identifiers that ended at their top and are not in the release for that.
        bound: the spec bound to the table, for reports.
        manifest: everything that explains the release, ready for JSON.
        examples: per quasi-identifier a common value before and after, or None.
        models: every privacy model that each released class satisfies, in words.
        search: ``method`` and ``why``: which search found the vector; with an objective ``value``, ``proven``,
            ``bound`` and ``gap``; with a choice among several vectors ``policy``, ``chosen_from`` and ``complete``.
        explanation: what the search did and what it cost.
        lost: where the suppressed rows came from.
    """

    table: str
    output: str | None
    k: int
    max_suppression_rows: int
    quasi_identifiers: tuple[str, ...]
    heights: tuple[int, ...]
    vector: dict[str, int]
    height: int
    proven_minimal: bool
    rows: int
    released: int
    suppressed: int
    sizes: ClassSizes
    measures: dict[str, float]
    vectors_evaluated: int
    seconds: dict[str, float]
    sql: str
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]
    bound: Bound
    manifest: dict[str, object]
    dropped: tuple[str, ...] = ()
    examples: tuple[tuple[str, str] | None, ...] = ()
    place: ReleasePlace | None = field(default=None, repr=False, compare=False)
    models: tuple[str, ...] = ()
    search: dict[str, object] = field(default_factory=dict)
    explanation: Explanation | None = field(default=None, repr=False, compare=False)
    lost: Lost = field(default_factory=Lost)

    @property
    def classes(self) -> int:
        """How many equivalence classes were released."""
        return self.sizes.classes

    @property
    def class_size(self) -> dict[str, float | int | None]:
        """min, median and max of the released classes, in rows."""
        return self.sizes.summary()

    def to_json(self) -> dict[str, object]:
        """The object that ``kanon-sql run --json`` prints."""
        return {
            "table": self.table,
            "output": self.output,
            "k": self.k,
            "max_suppression_rows": self.max_suppression_rows,
            # The search keeps to them, and what was written is verified.
            "max_suppression_per": [
                {"column": per.column, "share": per.shown_share, "kept": True}
                for per in self.bound.spec.max_suppression_per
            ],
            "quasi_identifiers": list(self.quasi_identifiers),
            "heights": list(self.heights),
            "vector": self.vector,
            "height": self.height,
            "proven_minimal": self.proven_minimal,
            "rows": self.rows,
            "released": self.released,
            "suppressed": self.suppressed,
            "classes": self.classes,
            "class_size": self.class_size,
            "models": list(self.models),
            "vectors_evaluated": self.vectors_evaluated,
            "search": self.search,
            "measures": self.measures,
            "lost": {name: [each.to_json() for each in values] for name, values in self.lost.values.items()},
            "lost_held_back": list(self.lost.held_back),
            "left_out": list(self.left_out),
            "restricted": {name: list(levels) for name, levels in self.bound.restricted.items()},
            "dropped": list(self.dropped),
            "warnings": list(self.warnings),
            "seconds": self.seconds,
        }

    def to_arrow(self) -> pyarrow.Table:
        """The release as an Arrow table.

        Raises:
            SpecError: nothing was released (a dry run).
        """
        place = self._place("to_arrow()")
        with place.reading() as engine:
            table: pyarrow.Table = engine.arrow(questions.read_release(place.relation))
            return table

    def to_reader(self, batch_size: int = 100_000) -> pyarrow.RecordBatchReader:
        """The release as Arrow batches, read as they are asked for; the database stays open until then.

        Args:
            batch_size: rows per batch.

        Raises:
            SpecError: nothing was released (a dry run).
        """
        place = self._place("to_reader()")
        engine = place.kept or place.open()
        reader: Any = engine.reader(questions.read_release(place.relation), batch_size)
        if place.kept is None:
            weakref.finalize(reader, engine.close)
        return reader

    def _place(self, asked: str) -> ReleasePlace:
        if self.place is None:
            raise SpecError("nothing was released: this was a dry run", where=asked)
        return self.place


@dataclass(frozen=True)
class CheckResult:
    """Whether a table is k-anonymous as it stands.

    Attributes:
        table, quasi_identifiers, k, person: what was asked.
        sizes: the sizes of its classes, in rows or (with ``person``) in distinct persons.
        null: how NULL was read: ``own value``, or ``wildcard`` (it matches every value).
        marked_rows: rows that were left aside because every quasi-identifier holds the suppression mark.
        hints: what a reader should know.
        models: one verdict per model asked for.
        reached: per sensitive column what the table reaches of every model; None where no number holds.
        distribution: whose distribution of sensitive values was taken for that of the whole.
    """

    table: str
    quasi_identifiers: tuple[str, ...]
    k: int
    person: str | None
    sizes: ClassSizes
    null: str = "own value"
    marked_rows: int = 0
    hints: tuple[str, ...] = ()
    models: tuple[ModelVerdict, ...] = ()
    reached: Mapping[str, Mapping[str, float | int | None]] = field(default_factory=dict)
    distribution: str | None = None

    @property
    def is_k_anonymous(self) -> bool:
        """Whether every class reaches k; vacuously true of an empty table."""
        return self.sizes.smallest is None or self.sizes.smallest >= self.k

    @property
    def satisfied(self) -> bool:
        """Whether every class reaches k and satisfies every model asked for; vacuously true of an empty table."""
        return self.is_k_anonymous and all(verdict.satisfied for verdict in self.models)

    @property
    def k_reached(self) -> int | None:
        """The largest k that holds: the smallest size of a class; None for an empty table."""
        return self.sizes.smallest

    def to_json(self) -> dict[str, object]:
        """The object that ``kanon-sql check --json`` prints."""
        classes, rows = self.sizes.below(self.k)
        return {
            "table": self.table,
            "quasi_identifiers": list(self.quasi_identifiers),
            "k": self.k,
            "person": self.person,
            "satisfied": self.satisfied,
            "k_reached": self.k_reached,
            "rows": self.sizes.rows,
            "classes": self.sizes.classes,
            "classes_below_k": classes,
            "rows_below_k": rows,
            "class_size": self.sizes.summary(),
            "histogram": self.sizes.histogram(self.k),
            "below": [
                {"k": k, "classes": below[0], "rows": below[1]}
                for k in range(2, min(self.k, MOST_KS) + 1)
                for below in [self.sizes.below(k)]
            ],
            "null": self.null,
            "marked_rows": self.marked_rows,
            "models": [verdict.to_json() for verdict in self.models],
            "reached": {column: dict(found) for column, found in self.reached.items()},
            "distribution": self.distribution,
            "vacuous": self.k_reached is None,
            "hints": list(self.hints),
        }
