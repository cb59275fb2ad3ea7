"""What comes before every search: the source measured, the hierarchies loaded, the counter built."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kanon_sql.api.clock import Clock
from kanon_sql.api.source import refuse_null_persons
from kanon_sql.backends import Engine
from kanon_sql.binding import Bound
from kanon_sql.errors import DataError, SpecError
from kanon_sql.frequency import (
    DirectCounter,
    FrequencyCounter,
    ShareCounter,
    Valuer,
    load_mappings,
    load_sensitive,
)
from kanon_sql.frequency.mapping import refuse_unmapped
from kanon_sql.lattice import DistanceVector
from kanon_sql.measures import whole_weights
from kanon_sql.spec import Spec

Counter = DirectCounter | FrequencyCounter


@dataclass(frozen=True)
class Prepared:
    """A table that can be searched.

    Attributes:
        bound: the spec bound to it; its question knows what loading the hierarchies has shown.
        rows, persons: how many there are (persons where they are counted).
        max_suppressed: MaxSup, in rows.
        counter: answers for vectors.
        warnings: what a reader should know.
    """

    bound: Bound
    rows: int
    persons: int | None
    max_suppressed: int
    counter: Counter
    warnings: tuple[str, ...]

    def withheld(self, vector: DistanceVector) -> str | None:
        """What is withheld at a vector, in words: of which columns how many values would lose more than they may;
        None where nothing is. No value is named: it may be that of fewer than k rows."""
        if not isinstance(self.counter, ShareCounter):
            return None
        [found] = self.counter.exceeding([vector])
        said = [
            f"{each.values} value(s) of {per.column} would lose more than {per.shown_share} of their rows"
            for per, each in zip(self.bound.spec.max_suppression_per, found, strict=True)
            if each.values
        ]
        return " and ".join(said) or None

    def valuer(self, engine: Engine) -> Valuer:
        """What answers for the measures of vectors.

        Raises:
            SpecError: the plan is direct, which has no frequency set to ask.
        """
        counter = self.counter
        if not isinstance(counter, FrequencyCounter):
            raise _direct_has_not("measures are asked of")
        return Valuer(
            engine,
            self.bound.question,
            counter.layout,
            counter.table,
            rows=self.rows,
            unmapped_rows=counter.unmapped_rows,
            hierarchies=self.bound.hierarchies,
            population=counter.population,
            weights=whole_weights([column.spec.weight for column in self.bound.columns]),
            max_suppressed=self.max_suppressed,
            below=counter.hubs.below,
        )


def prepare(engine: Engine, bound: Bound, clock: Clock) -> Prepared:
    """Measure the source, load the hierarchies and build the counter.

    Raises:
        KanonError: no release could be made of the source, or a hierarchy does not fit it.
    """
    rows, persons, max_suppressed = _measure_source(engine, bound)
    with clock.phase("hierarchies"):
        loaded = load_mappings(engine, bound.question, bound.hierarchies)
        bound, warnings = replace(bound, question=loaded.question), [*bound.notes, *loaded.warnings]
        warnings += load_sensitive(engine, bound.question, bound.taxonomies)
    with clock.phase("frequency_set"):
        counter = _counter(engine, bound, rows, max_suppressed)
        refuse_unmapped(engine, bound.question, bound.hierarchies, counter.unmapped_rows)
    return Prepared(bound, rows, persons, max_suppressed, counter, tuple(warnings))


def refuse_direct_shares(spec: Spec) -> None:
    """Refuse the direct plan where what the values of a column lose is to be counted.

    Raises:
        SpecError: so it is.
    """
    if spec.plan == "direct" and spec.max_suppression_per:
        raise _direct_has_not("max_suppression_per is counted beside")


def refuse_direct_measures(spec: Spec) -> None:
    """Refuse the direct plan where measures are to be asked.

    Raises:
        SpecError: so it is.
    """
    if spec.plan == "direct":
        raise _direct_has_not("measures are asked of")


def _direct_has_not(what: str) -> SpecError:
    return SpecError(
        f"{what} the frequency set, which plan: direct has not", where="--plan", mend="leave the plan out"
    )


def _counter(engine: Engine, bound: Bound, rows: int, max_suppressed: int) -> Counter:
    if bound.spec.plan == "direct":
        return DirectCounter(engine, bound.question, rows)
    if bound.question.shares:
        return ShareCounter(engine, bound.question, rows, max_suppressed)
    return FrequencyCounter(engine, bound.question, rows)


def _measure_source(engine: Engine, bound: Bound) -> tuple[int, int | None, int]:
    """Rows, persons (where counted) and MaxSup in rows; refused where no release could be made."""
    spec, shown = bound.spec, bound.source.shown
    rows, persons = refuse_null_persons(engine, bound.question.source, shown)
    if not rows:
        raise DataError(
            "the table has no rows" + (" that the filter keeps" if spec.where else ""), where=shown
        )
    size = persons if persons is not None else rows
    if spec.k > size:
        unit = "persons" if persons is not None else "rows"
        raise DataError(
            f"k is {spec.k} but there are only {size} {unit}: no class can be that large",
            where=shown,
            mend="ask for a smaller k",
        )
    max_suppressed = spec.max_suppression.rows_of(rows)
    if max_suppressed >= rows and not spec.allow_empty:
        raise SpecError(
            f"max_suppression allows all {rows} rows to be suppressed",
            where="--max-suppression",
            mend="allow fewer, or say --allow-empty (allow_empty: true)",
        )
    return rows, persons, max_suppressed
