"""The SQL of a run, laid out for reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kanon_sql.api.opening import Given, opened
from kanon_sql.api.source import refuse_null_persons
from kanon_sql.backends import Engine, Tracer
from kanon_sql.binding import Bound, asked_vector, bind, unbound
from kanon_sql.compiler import Statement, questions
from kanon_sql.errors import SpecError
from kanon_sql.frequency import FrequencyCounter, load_mappings, load_sensitive
from kanon_sql.lattice import DistanceVector
from kanon_sql.release import fresh_shuffle_key


def compile_spec(given: Given, *, what: str, tracer: Tracer | None = None) -> list[Statement]:
    """Compile a resolved spec (see :func:`kanon_sql.compile`)."""
    if what not in ("check", "release", "setup"):
        raise SpecError(f"unknown kind of SQL {what!r}", mend="one of: check, release, setup")
    frequency = given.spec.plan == "frequency"
    if not given.has_database:
        if what == "setup" or frequency:
            raise SpecError(
                "the types of the columns are needed",
                where="--setup" if what == "setup" else "--plan frequency",
                mend="give the database with --db",
            )
        return [_statement(unbound(given.spec), what)]
    with opened(given, write=False, tracer=tracer) as (engine, table):
        bound = bind(engine, given.spec, table)
        if what == "setup" or (frequency and what == "check"):
            return _tried_out(engine, bound, what)
        return [_statement(bound, what)]


def _statement(bound: Bound, what: str) -> Statement:
    vector = _required_vector(bound)
    if what == "release":
        # A key of the reader's own: whoever runs the printed query gets an order that nobody else knows.
        return questions.release(bound.question_at(vector), vector, None, shuffle_key=fresh_shuffle_key())
    return questions.check_direct(bound.question, vector).pretty()


def _required_vector(bound: Bound) -> DistanceVector:
    # To look at a vector is no release: any one may be looked at.
    vector = asked_vector(bound, as_allowed=False)
    if vector is None:
        raise SpecError(
            "no vector is given",
            where="--vector",
            mend="say which, such as --vector " + ",".join(f"{name}=0" for name in bound.names),
        )
    return vector


def _tried_out(engine: Engine, bound: Bound, what: str) -> list[Statement]:
    """The statements that make the mapping tables and the frequency set, or the frequency plan's query.

    The places of digits in a key follow from the hierarchies and the data, so the set-up is made in scratch
    tables, and its statements are kept.
    """
    recorder = _Recorder(engine)
    load_mappings(recorder, bound.question, bound.hierarchies)
    load_sensitive(recorder, bound.question, bound.taxonomies)
    if bound.spec.plan == "frequency":
        rows, _ = refuse_null_persons(engine, bound.question.source, bound.source.shown)
        counter = FrequencyCounter(recorder, bound.question, rows)
        if what == "check":
            return [counter.statement([_required_vector(bound)]).pretty()]
    return [each.pretty() for each in recorder.creations]


class _Recorder:
    """An engine that keeps the statements that create or fill scratch tables."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.creations: list[Statement] = []

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> Any:
        if statement.creates:
            self.creations.append(statement)
        return self._engine.run(statement, progress)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)
