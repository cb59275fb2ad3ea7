"""``lattice`` and ``compare``: vectors side by side, with what each loses. Nothing is written."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from kanon_sql.cli.flags import (
    Db,
    Debug,
    HierarchyOption,
    Json,
    K,
    Keep,
    KMap,
    Level,
    MaxLevel,
    MaxSuppressionOption,
    MaxSuppressionPer,
    MemoryLimit,
    MinLevel,
    Model,
    Person,
    Policy,
    Qi,
    Redact,
    Sensitive,
    SpecOption,
    TableOption,
    TempDirectory,
    Threads,
    TimeBudget,
    Timezone,
    Trace,
    Weight,
    Where,
)
from kanon_sql.cli.shared import examples, names_of, one_line_errors, pairs_of, print_json, resolved_spec
from kanon_sql.cli.tracing import tracing
from kanon_sql.errors import SpecError

Csv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values, one line per vector.")]
Sql = Annotated[bool, typer.Option("--sql", help="Print the release query of every vector.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")]
Vectors = Annotated[
    list[str] | None,
    typer.Option("--vector", metavar="A=1,B=2", help="A vector to look at; name several."),
]


def lattice_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    k: K = None,
    max_suppression: MaxSuppressionOption = None,
    max_suppression_per: MaxSuppressionPer = None,
    qi: Qi = None,
    hierarchy: HierarchyOption = None,
    min_level: MinLevel = None,
    max_level: MaxLevel = None,
    level: Level = None,
    weight: Weight = None,
    policy: Policy = None,
    time_budget: TimeBudget = None,
    sensitive: Sensitive = None,
    model: Model = None,
    k_map: KMap = None,
    keep: Keep = None,
    person: Person = None,
    where: Where = None,
    as_json: Json = False,
    as_csv: Csv = False,
    as_sql: Sql = False,
    no_progress: NoProgress = False,
    timezone: Timezone = None,
    threads: Threads = None,
    memory_limit: MemoryLimit = None,
    temp_directory: TempDirectory = None,
    trace: Trace = None,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """List every k-minimal vector with what it loses, the preferred one first."""
    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql.api import comparing

        _told_once(as_json, as_csv, as_sql)
        resolved = resolved_spec(
            spec,
            db=db,
            table=table,
            k=k,
            max_suppression=max_suppression,
            max_suppression_per=max_suppression_per or None,
            quasi_identifiers=names_of(qi),
            hierarchies=pairs_of(hierarchy),
            min_level=min_level or None,
            max_level=max_level or None,
            level=level or None,
            weight=weight or None,
            # Of a spec file that names an objective, the search alone is another one.
            search="all",
            policy=names_of(policy),
            time_budget=time_budget,
            sensitive=names_of(sensitive),
            models=model or None,
            k_map=k_map,
            keep=names_of(keep),
            person=person,
            where=where,
            timezone=timezone,
            threads=threads,
            memory_limit=memory_limit,
            temp_directory=temp_directory,
            redact=redact or None,
        )
        _print(resolved, comparing.minimal_vectors, trace, no_progress, as_json, as_csv, as_sql)


def compare_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    vector: Vectors = None,
    k: K = None,
    max_suppression: MaxSuppressionOption = None,
    max_suppression_per: MaxSuppressionPer = None,
    qi: Qi = None,
    hierarchy: HierarchyOption = None,
    weight: Weight = None,
    sensitive: Sensitive = None,
    model: Model = None,
    k_map: KMap = None,
    keep: Keep = None,
    person: Person = None,
    where: Where = None,
    as_json: Json = False,
    as_csv: Csv = False,
    as_sql: Sql = False,
    timezone: Timezone = None,
    threads: Threads = None,
    memory_limit: MemoryLimit = None,
    temp_directory: TempDirectory = None,
    trace: Trace = None,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """Show what releases at some vectors would lose, side by side."""
    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql.api import comparing

        _told_once(as_json, as_csv, as_sql)
        resolved = resolved_spec(
            spec,
            db=db,
            table=table,
            k=k,
            max_suppression=max_suppression,
            max_suppression_per=max_suppression_per or None,
            quasi_identifiers=names_of(qi),
            hierarchies=pairs_of(hierarchy),
            weight=weight or None,
            sensitive=names_of(sensitive),
            models=model or None,
            k_map=k_map,
            keep=names_of(keep),
            person=person,
            where=where,
            timezone=timezone,
            threads=threads,
            memory_limit=memory_limit,
            temp_directory=temp_directory,
            redact=redact or None,
        )

        def compared(given: Any, **words: Any) -> Any:
            return comparing.compare(given, vector or [], **words)

        _print(resolved, compared, trace, True, as_json, as_csv, as_sql)


def _told_once(as_json: bool, as_csv: bool, as_sql: bool) -> None:
    if as_json + as_csv + as_sql > 1:
        raise SpecError("--json, --csv and --sql are three answers", mend="ask for one of them")


def _print(
    resolved: Any,
    asked: Callable[..., Any],
    trace: str | None,
    no_progress: bool,
    as_json: bool,
    as_csv: bool,
    as_sql: bool,
) -> None:
    from kanon_sql import api
    from kanon_sql.api.opening import files_of
    from kanon_sql.report import terminal, vectors

    given = api.given(resolved)
    with terminal.progress_bar(not no_progress) as progress, tracing(trace, files_of(given)) as tracer:
        comparison = asked(given, progress=progress, tracer=tracer)
    if as_json:
        print_json(comparison.to_json())
    elif as_csv:
        header, rows = comparison.to_rows()
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    elif as_sql:
        for candidate in comparison.candidates:
            typer.echo(comparison.sql(candidate) + ";\n")
    else:
        vectors.print_comparison(comparison)


LATTICE_EXAMPLES = examples(
    "kanon-sql lattice --db warehouse.duckdb --table patients --max-suppression 1%",
    "kanon-sql lattice --policy suppression --csv",
    "kanon-sql lattice --time-budget 60s --json",
)
COMPARE_EXAMPLES = examples(
    "kanon-sql compare --vector age=1,zip=2 --vector age=2,zip=1",
    "kanon-sql compare --vector age=1,zip=2 --sql",
)
