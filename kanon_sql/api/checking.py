"""Is a table k-anonymous as it stands?"""

from __future__ import annotations

from kanon_sql.api.opening import Given, opened
from kanon_sql.api.results import CheckResult
from kanon_sql.api.source import refuse_null_persons, table_name
from kanon_sql.backends import Tracer
from kanon_sql.catalog import read_filter, resolve_column
from kanon_sql.compiler import Source, questions
from kanon_sql.errors import SpecError
from kanon_sql.risk import ClassSizes


def check_spec(given: Given, *, tracer: Tracer | None = None) -> CheckResult:
    """Check a table (see :func:`kanon_sql.check`)."""
    spec = given.spec
    if spec.table is None and given.table is None:
        raise SpecError("no table is named", where="--table", mend="say which table to check")
    if not spec.quasi_identifiers:
        raise SpecError("no quasi-identifier is named", where="--qi", mend="name them, as in --qi age,zip")
    with opened(given, write=False, tracer=tracer) as (engine, table):
        known, shown = list(table.types), table.shown
        columns = [
            resolve_column(each.column, known, role="quasi-identifier", table=shown)
            for each in spec.quasi_identifiers
        ]
        person = None
        if spec.person is not None:
            person = resolve_column(spec.person, known, role="person", table=shown)
        row_filter = None
        if spec.where is not None:
            row_filter = read_filter(engine, spec.where, table)
        source = Source(table.relation, row_filter, person)
        refuse_null_persons(engine, source, shown)
        sizes = ClassSizes.of(engine.run(questions.class_sizes(source, columns)))
        return CheckResult(table_name(table, engine), tuple(columns), spec.k, person, sizes)
