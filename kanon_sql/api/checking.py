"""Is a table k-anonymous as it stands?"""

from __future__ import annotations

import re

from kanon_sql.api.checking_models import CheckedModels, check_models
from kanon_sql.api.opening import Given, opened
from kanon_sql.api.results import CheckResult
from kanon_sql.api.source import refuse_null_persons, table_name
from kanon_sql.backends import Engine, Tracer
from kanon_sql.catalog import read_filter, refuse_collations, resolve_column
from kanon_sql.compiler import Source, questions
from kanon_sql.errors import SpecError
from kanon_sql.risk import ClassSizes
from kanon_sql.spec import TableName

NULL_READINGS = ("own", "wildcard")
# Names under which a column is likely to tell persons apart.
_PERSON_NAME = re.compile(
    r"(^|_)(id|person|patient|customer|client|member|user|subject|respondent|ssn|nhs|mrn)(_|$|id$|no$)",
    re.IGNORECASE,
)


def check_spec(
    given: Given,
    *,
    suppressed_mark: str | None = None,
    null: str = "own",
    reference: str | TableName | None = None,
    tracer: Tracer | None = None,
) -> CheckResult:
    """Check a table (see :func:`kanon_sql.check`)."""
    spec = given.spec
    if null not in NULL_READINGS:
        raise SpecError(f"unknown reading of NULL {null!r}", where="--null", mend="own, or wildcard")
    wildcard = null == "wildcard"
    if wildcard and spec.person is not None:
        raise SpecError(
            "persons are not counted where NULL is a wildcard", where="--null", mend="leave --person out"
        )
    if wildcard and (spec.models or spec.k_map is not None):
        raise SpecError(
            "models are not judged where NULL is a wildcard", where="--null", mend="check them without it"
        )
    if reference is not None and not spec.sensitive:
        raise SpecError(
            "a reference is for the models of sensitive columns, and none is named",
            where="--reference",
            mend="name them with --sensitive or --model",
        )
    if isinstance(reference, str):
        reference = TableName.parse(reference, "--reference")
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
        refuse_collations(engine, table, [*columns, *([person] if person is not None else [])])
        row_filter = read_filter(engine, spec.where, table) if spec.where is not None else None
        source = Source(table.relation, row_filter, person)
        rows, _ = refuse_null_persons(engine, source, shown)
        sizes = ClassSizes.of(
            engine.run(questions.class_sizes(source, columns, mark=suppressed_mark, wildcard=wildcard))
        )
        checked = CheckedModels()
        if not wildcard:
            checked = check_models(
                engine, spec, table, source, columns, mark=suppressed_mark, reference=reference
            )
        others = [name for name in known if name not in columns]
        return CheckResult(
            table_name(table, engine),
            tuple(columns),
            spec.k,
            person,
            sizes,
            "wildcard" if wildcard else "own value",
            rows - sizes.rows,
            (*checked.hints, *(_person_hints(engine, source, others, rows) if person is None else ())),
            checked.verdicts,
            checked.reached,
            checked.distribution,
        )


def _person_hints(engine: Engine, source: Source, columns: list[str], rows: int) -> tuple[str, ...]:
    """Columns that look as if they told persons apart, of which some persons have several rows."""
    likely = [name for name in columns if _PERSON_NAME.search(name)]
    if not likely:
        return ()
    [distinct] = engine.run(questions.distinct_values(source, likely))
    return tuple(
        f"{name} has {values} values in {rows} rows: if it tells persons apart, --person {name} counts persons"
        for name, values in zip(likely, distinct, strict=True)
        if 1 < values < rows
    )
