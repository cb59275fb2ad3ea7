"""The commands. Each collects its flags into the words of the spec; the spec room checks them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kanon_sql._version import __version__
from kanon_sql.cli import hierarchy as hierarchy_command
from kanon_sql.cli import vectors
from kanon_sql.cli.flags import (
    AllowEmpty,
    CheckedQi,
    Db,
    Debug,
    DropAtTop,
    HierarchyOption,
    Identifier,
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
    Objective,
    Output,
    OutputAs,
    OutputDb,
    Overwrite,
    PartitionBy,
    Person,
    PlanOption,
    Policy,
    Qi,
    Redact,
    Reference,
    Search,
    Sensitive,
    SpecOption,
    TableOption,
    TempDirectory,
    Threads,
    TimeBudget,
    Timezone,
    Trace,
    Vector,
    Weight,
    Where,
)
from kanon_sql.cli.shared import (
    examples,
    names_of,
    one_line_errors,
    pairs_of,
    print_json,
    resolved_spec,
    with_default_file,
)
from kanon_sql.cli.tracing import tracing
from kanon_sql.errors import SpecError

# A spec file describes a source; a check may be of the release, which has no person column and no filter.
CHECK_WORDS = frozenset({"db", "table", "k", "quasi_identifiers", "sensitive"})


app = typer.Typer(
    name="kanon-sql",
    help="Make a table k-anonymous inside the database that holds it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


app.add_typer(hierarchy_command.app, name="hierarchy")
app.command("lattice", epilog=vectors.LATTICE_EXAMPLES)(vectors.lattice_command)
app.command("compare", epilog=vectors.COMPARE_EXAMPLES)(vectors.compare_command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kanon-sql {__version__}")
        raise typer.Exit()


@app.callback(
    epilog="Start with: kanon-sql demo. A kanon.yml beside you is read by every command; a flag beats it."
)
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Make a table k-anonymous inside the database that holds it."""


@app.command(
    "run",
    epilog=examples(
        "kanon-sql run --db warehouse.duckdb --table patients",
        "kanon-sql run --k 10 --max-suppression 1% --qi age,zip --hierarchy age=age.csv --dry-run",
        "kanon-sql run --table patients.parquet --qi age,zip --sensitive diagnosis",
        "kanon-sql run --dry-run --explain",
        "kanon-sql run --min-level age=1 --max-level zip=3 --level sex=0 --drop-at-top",
        "kanon-sql run --model 'diagnosis=entropy_l_diversity: 2.5' --model 'diagnosis=alpha_k: 0.5'",
    ),
)
def run_command(
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
    search: Search = None,
    objective: Objective = None,
    policy: Policy = None,
    time_budget: TimeBudget = None,
    sensitive: Sensitive = None,
    model: Model = None,
    k_map: KMap = None,
    keep: Keep = None,
    identifier: Identifier = None,
    person: Person = None,
    where: Where = None,
    output: Output = None,
    output_db: OutputDb = None,
    output_as: OutputAs = None,
    partition_by: PartitionBy = None,
    drop_at_top: DropAtTop = False,
    overwrite: Overwrite = False,
    allow_empty: AllowEmpty = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything but the release.")] = False,
    vector: Vector = None,
    plan: PlanOption = None,
    manifest: Annotated[
        str | None, typer.Option("--manifest", metavar="FILE", help="Write the manifest (JSON) to this file.")
    ] = None,
    as_json: Json = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what the search asked, what it was spared, and the time.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress bar.")] = False,
    timezone: Timezone = None,
    threads: Threads = None,
    memory_limit: MemoryLimit = None,
    temp_directory: TempDirectory = None,
    trace: Trace = None,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """Make a table k-anonymous: search, release, verify."""
    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql import api
        from kanon_sql.api.opening import files_of

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
            search=search,
            objective=objective,
            policy=names_of(policy),
            time_budget=time_budget,
            drop_at_top=drop_at_top or None,
            sensitive=names_of(sensitive),
            models=model or None,
            k_map=k_map,
            keep=names_of(keep),
            identifiers=names_of(identifier),
            person=person,
            where=where,
            output=output,
            output_db=output_db,
            partition_by=names_of(partition_by),
            timezone=timezone,
            threads=threads,
            memory_limit=memory_limit,
            temp_directory=temp_directory,
            as_=output_as,
            overwrite=overwrite or None,
            allow_empty=allow_empty or None,
            vector=vector,
            plan=plan,
            redact=redact or None,
        )
        from kanon_sql.report import terminal

        given = api.given(with_default_file(resolved))
        with (
            terminal.progress_bar(not (quiet or no_progress)) as progress,
            tracing(trace, files_of(given)) as tracer,
        ):
            result = api.run(
                given,
                dry_run=dry_run,
                manifest=manifest,
                progress=progress,
                tracer=tracer,
            )
        if as_json:
            told = result.to_json()
            if explain and result.explanation is not None:
                told["explanation"] = result.explanation.to_json()
            print_json(told)
        elif not quiet:
            terminal.print_result(result)
            if explain:
                terminal.print_explanation(result)


@app.command(
    "sql",
    epilog=examples(
        "kanon-sql sql --vector age=1,zip=2",
        "kanon-sql sql --vector age=1,zip=2 --release",
        "kanon-sql sql --db warehouse.duckdb --setup --plan frequency",
    ),
)
def sql_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    vector: Vector = None,
    release: Annotated[bool, typer.Option("--release", help="The query of the release.")] = False,
    setup: Annotated[
        bool, typer.Option("--setup", help="The mapping tables; with --plan frequency its tables too.")
    ] = False,
    plan: PlanOption = None,
    k: K = None,
    qi: Qi = None,
    hierarchy: HierarchyOption = None,
    sensitive: Sensitive = None,
    model: Model = None,
    k_map: KMap = None,
    keep: Keep = None,
    identifier: Identifier = None,
    person: Person = None,
    where: Where = None,
    drop_at_top: DropAtTop = False,
    timezone: Timezone = None,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """Print the SQL of a vector: the check query, the release query, or the set-up. Nothing is written."""
    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql import api

        if release and setup:
            raise SpecError("--release and --setup are two questions", mend="ask one of them")
        resolved = resolved_spec(
            spec,
            db=db,
            table=table,
            k=k,
            quasi_identifiers=names_of(qi),
            hierarchies=pairs_of(hierarchy),
            sensitive=names_of(sensitive),
            models=model or None,
            k_map=k_map,
            keep=names_of(keep),
            identifiers=names_of(identifier),
            person=person,
            where=where,
            vector=vector,
            drop_at_top=drop_at_top or None,
            plan=plan or "direct",
            timezone=timezone,
        )
        what = "setup" if setup else "release" if release else "check"
        for statement in api.compile(resolved.db, spec=resolved, what=what):
            typer.echo(statement.inlined() + ";\n")


@app.command(
    "check",
    epilog=examples(
        "kanon-sql check --db w.duckdb --table patients_k5 --qi birth_date,sex,zip --k 5",
        "kanon-sql check --db w.duckdb --table visits --qi age,zip --person patient_id --json",
        "kanon-sql check --table patients_k5 --model 'diagnosis=distinct_l_diversity: 3' --reference patients",
    ),
)
def check_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    qi: CheckedQi = None,
    k: K = None,
    sensitive: Sensitive = None,
    model: Model = None,
    k_map: KMap = None,
    reference: Reference = None,
    person: Person = None,
    where: Where = None,
    suppressed_mark: Annotated[
        str | None,
        typer.Option(
            "--suppressed-mark",
            metavar="TEXT",
            help="Rows with this text in every column are suppressed rows.",
        ),
    ] = None,
    null: Annotated[
        str,
        typer.Option(
            "--null", metavar="own|wildcard", help="NULL is a value of its own, or matches every one."
        ),
    ] = "own",
    as_json: Json = False,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """Is a table k-anonymous as it stands, and do its models hold? Exit 0 when so, 1 when not.

    From a spec file only db, table, k, quasi_identifiers and sensitive are taken. What the table reaches of every
    model is said for each sensitive column.
    """
    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql import api

        resolved = resolved_spec(
            spec,
            only=CHECK_WORDS,
            names_only=True,
            db=db,
            table=table,
            quasi_identifiers=names_of(qi),
            k=k,
            sensitive=names_of(sensitive),
            models=model or None,
            k_map=k_map,
            person=person,
            where=where,
        )
        result = api.check(
            resolved.db, spec=resolved, suppressed_mark=suppressed_mark, null=null, reference=reference
        )
        if as_json:
            print_json(result.to_json())
        else:
            from kanon_sql.report import terminal

            terminal.print_check(result)
        if not result.satisfied:
            raise typer.Exit(1)


@app.command("demo", epilog=examples("kanon-sql demo my-demo"))
def demo_command(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="Where to put it.")] = "kanon-demo",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier demo.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")] = False,
    debug: Debug = False,
) -> None:
    """Generate a made-up hospital and make its patients 5-anonymous."""
    with one_line_errors(debug=debug, redact=False):
        from kanon_sql import api, demo
        from kanon_sql.report import terminal

        files = demo.generate(Path(folder), overwrite=overwrite)
        resolved = resolved_spec(str(files.spec))
        with terminal.progress_bar(not quiet) as progress:
            result = api.run(api.given(resolved), progress=progress)
        if quiet:
            return
        typer.echo(f"{folder}/ holds warehouse.duckdb (made-up patients), hierarchies/ and kanon.yml\n")
        terminal.print_result(result)
        typer.echo(
            "\nNext:\n"
            f"  cd {_shell(folder)}\n"
            "  kanon-sql check --table patients_k5      # is the release 5-anonymous?\n"
            "  kanon-sql check --table patients         # was the table, before?\n"
            f"  kanon-sql sql --release --vector {','.join(f'{n}={v}' for n, v in result.vector.items())}\n"
            "  kanon-sql run --k 20 --dry-run           # what would k = 20 cost?\n"
            "  kanon-sql run --max-suppression 0 --output patients_all\n"
        )


# -- what the commands share ------------------------------------------------------------------------------


def _shell(text: str) -> str:
    import shlex

    return shlex.quote(text)


Command = Callable[..., None]
