"""Vectors side by side: every k-minimal one, or those that somebody names, each with what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kanon_sql.api.clock import Clock
from kanon_sql.api.opening import Given, opened
from kanon_sql.api.preparing import Prepared, prepare, refuse_direct_measures
from kanon_sql.api.results import Progress
from kanon_sql.api.searching import nothing_in_time, nothing_satisfies, values_of
from kanon_sql.api.source import table_name
from kanon_sql.backends import Engine, Tracer
from kanon_sql.binding import Bound, bind, vector_of
from kanon_sql.compiler import questions
from kanon_sql.errors import SpecError
from kanon_sql.lattice import DistanceVector, height, named
from kanon_sql.measures import Facts, measures
from kanon_sql.release import fresh_shuffle_key
from kanon_sql.search import POLICIES, Budget, NothingSatisfies, OutOfTime, find_minimal, prefer
from kanon_sql.spec import read_vector


@dataclass(frozen=True)
class Candidate:
    """A vector, and what a release at it would lose.

    Attributes:
        vector: level per quasi-identifier; ``height`` is their sum.
        satisfies: whether it keeps to MaxSup, and no value of a column loses more than it may.
        released, suppressed: rows; ``classes`` counts the released equivalence classes.
        measures: by word, every one that has a value there.
    """

    vector: Mapping[str, int]
    height: int
    satisfies: bool
    released: int
    suppressed: int
    classes: int
    measures: Mapping[str, float]

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "vector": dict(self.vector),
            "height": self.height,
            "satisfies": self.satisfies,
            "released": self.released,
            "suppressed": self.suppressed,
            "classes": self.classes,
            "measures": dict(self.measures),
        }


@dataclass(frozen=True)
class Comparison:
    """Vectors of one table, the preferred one first where a search found them.

    Attributes:
        table, k, max_suppression_rows: what was asked, MaxSup in rows.
        quasi_identifiers, heights: in the order of the vectors; the heights are those of the hierarchies.
        rows: of the source.
        candidates: the vectors.
        complete: whether these are all k-minimal vectors, proven; None where the vectors were named.
        lattice_size, vectors_evaluated: vectors allowed, and those of them that the engine was asked about.
        seconds: per phase, and ``total``.
        warnings: what a reader should know.
        bound: the spec bound to the table.
    """

    table: str
    k: int
    max_suppression_rows: int
    quasi_identifiers: tuple[str, ...]
    heights: tuple[int, ...]
    rows: int
    candidates: tuple[Candidate, ...]
    complete: bool | None
    lattice_size: int
    vectors_evaluated: int
    seconds: Mapping[str, float]
    warnings: tuple[str, ...]
    bound: Bound = field(repr=False, compare=False)

    def sql(self, candidate: Candidate) -> str:
        """The query of the release at one of the vectors, to be read or pasted."""
        vector = tuple(candidate.vector[name] for name in self.quasi_identifiers)
        # A key of the reader's own: whoever runs the printed query gets an order that nobody else knows.
        release = questions.release(
            self.bound.question_at(vector), vector, None, shuffle_key=fresh_shuffle_key()
        )
        return release.inlined()

    def to_json(self) -> dict[str, object]:
        """The object that ``kanon-sql lattice --json`` and ``compare --json`` print."""
        return {
            "table": self.table,
            "k": self.k,
            "max_suppression_rows": self.max_suppression_rows,
            "quasi_identifiers": list(self.quasi_identifiers),
            "heights": list(self.heights),
            "rows": self.rows,
            "complete": self.complete,
            "lattice_size": self.lattice_size,
            "vectors_evaluated": self.vectors_evaluated,
            "vectors": [candidate.to_json() for candidate in self.candidates],
            "seconds": dict(self.seconds),
            "warnings": list(self.warnings),
        }

    def to_rows(self) -> tuple[list[str], list[list[object]]]:
        """The same as a table: its header, and one row per vector; a measure without a value is None.

        A quasi-identifier's level stands in a column ``level of`` it, so that no name of the user's can be taken
        for one of ours.
        """
        words = list(measures())
        header = [f"level of {name}" for name in self.quasi_identifiers]
        header += ["height", "satisfies", "released", "suppressed", "classes", *words]
        rows: list[list[object]] = []
        for each in self.candidates:
            counted = [each.height, each.satisfies, each.released, each.suppressed, each.classes]
            rows.append([*each.vector.values(), *counted, *(each.measures.get(word) for word in words)])
        return header, rows


def minimal_vectors(
    given: Given, *, progress: Progress | None = None, tracer: Tracer | None = None
) -> Comparison:
    """Every k-minimal vector (see :func:`kanon_sql.minimal_vectors`)."""
    clock, spec = Clock(progress), given.spec
    refuse_direct_measures(given.spec)
    with opened(given, write=False, tracer=tracer) as (engine, source):
        bound = bind(engine, spec, source)
        prepared = prepare(engine, bound, clock)
        budget = Budget(float(spec.time_budget)) if spec.time_budget is not None else None
        with clock.phase("search"):
            try:
                minimal = find_minimal(
                    bound.lattice, prepared.counter, prepared.max_suppressed, progress=progress, budget=budget
                )
            except OutOfTime:
                raise nothing_in_time() from None
            except NothingSatisfies as nothing:
                raise nothing_satisfies(prepared, nothing) from None
        with clock.phase("measures"):
            facts = dict(zip(minimal.vectors, _facts(engine, prepared, minimal.vectors), strict=True))
        policies = [POLICIES[word] for word in spec.policy]
        vectors = list(minimal.vectors)
        if vectors:
            first = prefer(bound.lattice, vectors, policies, facts)
            vectors = [first, *(vector for vector in vectors if vector != first)]
        return _comparison(
            prepared,
            table_name(source, engine),
            [facts[vector] for vector in vectors],
            clock,
            complete=minimal.complete,
            evaluated=minimal.evaluated,
        )


def compare(
    given: Given,
    vectors: Sequence[str | Mapping[str, int]],
    *,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
) -> Comparison:
    """Some vectors, side by side (see :func:`kanon_sql.compare`)."""
    clock = Clock(progress)
    refuse_direct_measures(given.spec)
    if not vectors:
        raise SpecError(
            "no vector is given", where="--vector", mend="name two or more, as in --vector age=1,zip=2"
        )
    with opened(given, write=False, tracer=tracer) as (engine, source):
        bound = bind(engine, given.spec, source)
        asked = [vector_of(bound, read_vector(each, "--vector"), as_allowed=False) for each in vectors]
        prepared = prepare(engine, bound, clock)
        with clock.phase("measures"):
            facts = _facts(engine, prepared, asked)
        return _comparison(
            prepared,
            table_name(source, engine),
            facts,
            clock,
            complete=None,
            evaluated=len(set(asked)),
        )


def _facts(engine: Engine, prepared: Prepared, vectors: Sequence[DistanceVector]) -> list[Facts]:
    return prepared.valuer(engine).facts(vectors, measures().values())


def _comparison(
    prepared: Prepared,
    table: str,
    facts: Sequence[Facts],
    clock: Clock,
    *,
    complete: bool | None,
    evaluated: int,
) -> Comparison:
    bound = prepared.bound
    withheld = {each.vector: prepared.withheld(each.vector) is not None for each in facts}
    return Comparison(
        table,
        bound.spec.k,
        prepared.max_suppressed,
        bound.names,
        bound.lattice.heights,
        prepared.rows,
        tuple(
            _candidate(bound, each, prepared.max_suppressed, withheld=withheld[each.vector]) for each in facts
        ),
        complete,
        bound.lattice.size,
        evaluated,
        clock.rounded(),
        prepared.warnings,
        bound,
    )


def _candidate(bound: Bound, facts: Facts, max_suppressed: int, *, withheld: bool) -> Candidate:
    return Candidate(
        named(facts.vector, bound.names),
        height(facts.vector),
        facts.suppressed <= max_suppressed and not withheld,
        facts.released,
        facts.suppressed,
        facts.classes or 0,
        values_of(facts),
    )
