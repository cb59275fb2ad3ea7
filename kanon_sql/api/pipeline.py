"""A run, from top to bottom: bind, load, search, release, verify, account for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kanon_sql.api.clock import Clock
from kanon_sql.api.explaining import explain
from kanon_sql.api.losing import where_lost
from kanon_sql.api.opening import Given, files_of, opened
from kanon_sql.api.outputs import (
    choose_target,
    foreseen,
    place_of,
    refuse_dropped,
    refuse_odd_outputs,
    same_file,
)
from kanon_sql.api.preparing import Counter, prepare, refuse_direct_shares
from kanon_sql.api.results import Phase, Progress, Result, StatementProgress
from kanon_sql.api.searching import how_searched, search, vector_words
from kanon_sql.api.source import table_name
from kanon_sql.backends import Engine, Tracer
from kanon_sql.backends.duckdb import DuckDBEngine
from kanon_sql.binding import Bound, asked_vector, bind
from kanon_sql.compiler import questions
from kanon_sql.errors import InterruptedLate, NoSolutionError
from kanon_sql.frequency import FrequencyCounter
from kanon_sql.lattice import height, named
from kanon_sql.measures import Facts, measure_all
from kanon_sql.release.database_file import DatabaseFile
from kanon_sql.release.manifest import build_manifest, refuse_unwritable, write_manifest
from kanon_sql.release.materialize import Promise, Released, materialize
from kanon_sql.release.target import FileTarget, Target
from kanon_sql.risk import ClassSizes
from kanon_sql.search import SearchResult
from kanon_sql.search.advice import most_helpful_removal

TIE_BREAK = "relative_distance, then the smaller vector in quasi-identifier order"
VIEW_WARNING = (
    "a view is computed anew at each reading: every class that it shows satisfies, but how many rows it leaves "
    "out is not held to MaxSup again, values that its mapping tables lack are left out, and whoever can read "
    "the database can read its source"
)


def run(
    given: Given,
    *,
    dry_run: bool = False,
    manifest: str | Path | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
) -> Result:
    """Run a resolved spec (see :func:`kanon_sql.anonymize`).

    Raises:
        InterruptedLate: Ctrl-C came when the release stood already.
    """
    standing = _Standing()
    try:
        return _run(given, dry_run, manifest, progress, tracer, standing)
    except KeyboardInterrupt as interrupt:
        if standing.release:
            raise InterruptedLate from interrupt
        raise


@dataclass
class _Standing:
    """Whether the release is in its place."""

    release: bool = False


def _run(
    given: Given,
    dry_run: bool,
    manifest: str | Path | None,
    progress: Progress | None,
    tracer: Tracer | None,
    standing: _Standing,
) -> Result:
    spec = given.spec
    if manifest is not None:
        refuse_unwritable(Path(manifest), files_of(given))
    refuse_odd_outputs(given)
    refuse_direct_shares(spec)
    clock = Clock(progress)
    output_db = None if dry_run or same_file(given.database, spec.output_db) else spec.output_db
    into_source = not dry_run and spec.output_file is None and output_db is None
    with opened(given, write=into_source, tracer=tracer) as (engine, source):
        bound = bind(engine, spec, source)
        elsewhere = DatabaseFile(output_db) if output_db is not None else None
        with elsewhere.attached(engine) if elsewhere else _nothing():
            target = None if dry_run else choose_target(engine, bound, elsewhere)
            asked = asked_vector(bound)
            prepared = prepare(engine, bound, clock)
            bound, counter, warnings = prepared.bound, prepared.counter, [*prepared.warnings]
            rows, persons, max_suppressed = prepared.rows, prepared.persons, prepared.max_suppressed
            with clock.phase("search"):
                searched = search(engine, prepared, asked, clock.progress)
                found = searched.found
                explanation = explain(bound, found, counter)
            with clock.phase("advice"):
                warnings += _warn_of_tops(bound, counter, max_suppressed, found)
            _refuse_empty(bound, found, rows)
            refuse_dropped(bound, found.vector)
            with clock.phase("lost"):
                gone = found.counts.outliers
                lost = where_lost(engine, bound, counter, found.vector, rows=rows, suppressed=gone)
                warnings += lost.warnings(redact=spec.redact)
            with clock.phase("release"):
                promise = _promise(bound, found, rows, max_suppressed)
                released = _release(engine, promise, target, progress)
                standing.release = target is not None and elsewhere is None
                examples = tuple(_example(engine, bound, i, level) for i, level in enumerate(found.vector))
        standing.release = target is not None
        warnings += _last_warnings(bound, persons, released)
        if dry_run:
            warnings += foreseen(engine, bound)
        result = Result(
            table=table_name(source, engine),
            output=target.shown if target is not None else None,
            k=spec.k,
            max_suppression_rows=max_suppressed,
            quasi_identifiers=bound.names,
            heights=bound.lattice.heights,
            vector=named(found.vector, bound.names),
            height=height(found.vector),
            proven_minimal=found.proven_minimal,
            rows=rows,
            released=released.sizes.rows,
            suppressed=rows - released.sizes.rows,
            sizes=released.sizes,
            measures={
                **measure_all(Facts(bound.lattice, found.vector, rows, released.sizes.rows)),
                **searched.measures,
            },
            vectors_evaluated=found.evaluated,
            seconds=clock.rounded(),
            sql=released.statement.sql,
            warnings=tuple(warnings),
            left_out=bound.left_out,
            dropped=bound.dropped_at(found.vector),
            bound=bound,
            manifest={},
            examples=examples,
            place=place_of(given, engine, target, elsewhere, promise),
            models=bound.question.describe_models(),
            search=how_searched(prepared, searched),
            explanation=explanation,
            lost=lost,
        )
        result = replace(result, manifest=_manifest(engine, result, found, released, persons))
    if manifest is not None:
        write_manifest(result.manifest, Path(manifest))
    return result


@contextmanager
def _nothing() -> Iterator[None]:
    yield None


# -- before the release ----------------------------------------------------------------------------------


def _refuse_empty(bound: Bound, found: SearchResult, rows: int) -> None:
    if found.counts.outliers == rows and not bound.spec.allow_empty:
        raise NoSolutionError(
            f"the release would be empty: {vector_words(bound, found.vector)} suppresses all {rows} rows",
            where=bound.source.shown,
            mend="allow fewer suppressed rows, or say --allow-empty (allow_empty: true)",
        )


def _warn_of_tops(bound: Bound, counter: Counter, max_suppressed: int, found: SearchResult) -> list[str]:
    """A warning where more than half of the quasi-identifiers ended at their top (DESIGN 5.20)."""
    at_top = bound.at_top(found.vector)
    if 2 * len(at_top) <= len(bound.names):
        return []
    warning = (
        f"{len(at_top)} of {len(bound.names)} quasi-identifiers ended at their top and say nothing any more: "
        + ", ".join(at_top)
    )
    # The advice costs a search per quasi-identifier: where the heights are asked one after another, too much; and the
    # time for it may be limited.
    cheap = (
        isinstance(counter, FrequencyCounter) and bound.question.is_sure and bound.spec.time_budget is None
    )
    if cheap and len(bound.names) > 1:
        helpful = most_helpful_removal(bound.lattice, counter, max_suppressed, found.known)
        if helpful is not None:
            i, least = helpful
            warning += f"; without {bound.names[i]} the others would reach height {least}"
    if found.vector == bound.lattice.heights and bound.lattice.size > 1:
        warning += "; more suppression (--max-suppression) or fewer quasi-identifiers would keep something"
    return [warning]


# -- the release ------------------------------------------------------------------------------------------


def _promise(bound: Bound, found: SearchResult, rows: int, max_suppressed: int) -> Promise:
    return Promise(
        bound.question_at(found.vector),
        found.vector,
        bound.spec.k,
        rows,
        found.counts.outliers,
        max_suppressed,
        bound.source.types,
    )


def _release(engine: Engine, promise: Promise, target: Target | None, progress: Progress | None) -> Released:
    """Write and verify the release, or (a dry run) only count its classes."""
    if target is None:
        statement = questions.release(promise.question, promise.vector, None)
        sizes = ClassSizes.of(engine.run(questions.vector_class_sizes(promise.question, promise.vector)))
        return Released(statement, sizes)
    if isinstance(target, FileTarget):
        levels = named(promise.vector, [column.column for column in promise.question.columns])
        target = replace(target, metadata={**target.metadata, "kanon_vector": json.dumps(levels)})
    return materialize(
        engine,
        promise,
        target,
        progress=(lambda percent: progress(StatementProgress(percent))) if progress else None,
        verifying=(lambda: progress(Phase("verification"))) if progress else None,
    )


# -- the account ------------------------------------------------------------------------------------------


def _last_warnings(bound: Bound, persons: int | None, released: Released) -> list[str]:
    warnings = []
    if persons is not None and released.persons is not None and released.persons < persons:
        lost = persons - released.persons
        warnings.append(f"{lost} of {persons} persons have no row left in the release")
    if bound.spec.k == 1:
        warnings.append("k is 1: every table satisfies it, and nobody is protected")
    if bound.spec.output_as == "view":
        warnings.append(VIEW_WARNING)
    return warnings


def _example(engine: Engine, bound: Bound, i: int, level: int) -> tuple[str, str] | None:
    """A common value of a quasi-identifier before and after; never one that fewer than k share."""
    rows = engine.run(questions.example(bound.question, i, level, max(bound.spec.k, 2)))
    return (rows[0][0], "NULL" if rows[0][1] is None else rows[0][1]) if rows else None


def _manifest(
    engine: DuckDBEngine, result: Result, found: SearchResult, released: Released, persons: int | None
) -> dict[str, object]:
    bound = result.bound
    numbers = None
    if persons is not None:
        numbers = {
            "persons": persons,
            "released": released.persons,
            "lost": persons - released.persons if released.persons is not None else None,
            "smallest_class": released.smallest_persons,
        }
    return build_manifest(
        bound,
        found.vector,
        result.to_json(),
        sizes=released.sizes,
        search={
            "objective": "least height" if bound.spec.search == "minimal" else "k-minimal",
            "tie_break": TIE_BREAK,
            "plan": bound.spec.plan,
            "asked": bound.spec.vector is not None,
            "lattice_size": bound.lattice.size,
            **result.search,
            "heights_probed": list(found.heights_probed),
            "vectors_evaluated": found.evaluated,
            "vectors_tagged": found.tagged,
        },
        persons=numbers,
        release_sql=released.statement.sql,
        engine=engine.version,
        warnings=result.warnings,
    )
