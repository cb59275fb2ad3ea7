"""The commands. Each collects its flags into the words of the spec; the spec room checks them."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from kanon_sql import resources
from kanon_sql._version import __version__
from kanon_sql.cli import hierarchy as hierarchy_command
from kanon_sql.cli.tracing import tracing
from kanon_sql.errors import InterruptedLate, KanonError, SpecError

SPEC_FILE = "kanon.yml"
# A spec file describes a source; a check may be of the release, which has no person column and no filter.
CHECK_WORDS = frozenset({"db", "table", "k", "quasi_identifiers"})


def examples(*lines: str) -> str:
    """The end of a command's help; the mark keeps the lines as they are, to be copied."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


app = typer.Typer(
    name="kanon-sql",
    help="Make a table k-anonymous inside the database that holds it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Db = Annotated[str | None, typer.Option("--db", metavar="FILE", help="The DuckDB database file.")]
TableOption = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="NAME|FILE",
        help="The table or view: [schema.]table; without --db, a Parquet or CSV file.",
    ),
]
SpecOption = Annotated[
    str | None,
    typer.Option("--spec", metavar="FILE", help="The spec file. Default: kanon.yml, where there is one."),
]
K = Annotated[str | None, typer.Option("--k", metavar="N", help="The least size of a class. Default: 5.")]
MaxSuppressionOption = Annotated[
    str | None,
    typer.Option(
        "--max-suppression", metavar="N|N%", help="How many rows may be suppressed: 120 or 1%. Default: 0."
    ),
]
Qi = Annotated[
    list[str] | None,
    typer.Option("--qi", metavar="A,B", help="The quasi-identifiers. Default: the columns with a hierarchy."),
]
CheckedQi = Annotated[
    list[str] | None,
    typer.Option("--qi", metavar="A,B", help="The quasi-identifiers. Default: those of the spec file."),
]
HierarchyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="COLUMN=FILE",
        help="A quasi-identifier's hierarchy: a CSV or Parquet file, or table:NAME. "
        "Default: hierarchies/COLUMN.csv (.parquet), or else value and *.",
    ),
]
Sensitive = Annotated[
    list[str] | None,
    typer.Option("--sensitive", metavar="A,B", help="Sensitive columns, released as they are."),
]
Keep = Annotated[
    list[str] | None, typer.Option("--keep", metavar="A,B", help="Other columns to release as they are.")
]
Identifier = Annotated[
    list[str] | None, typer.Option("--identifier", metavar="A,B", help="Columns that are never released.")
]
Person = Annotated[
    str | None, typer.Option("--person", metavar="COLUMN", help="Count distinct persons, not rows.")
]
Where = Annotated[
    str | None, typer.Option("--where", metavar="SQL", help="A row filter: one SQL expression over a row.")
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="NAME|FILE",
        help="The release: [schema.]table, or a .parquet or .csv file. Default: <table>_k<k>.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="Accept a release without rows.")]
Vector = Annotated[
    str | None,
    typer.Option("--vector", metavar="A=1,B=2", help="Use this vector instead of searching for one."),
]
PlanOption = Annotated[
    str | None,
    typer.Option(
        "--plan", metavar="PLAN", help="frequency: encoded frequency set; direct: textbook queries."
    ),
]
OutputDb = Annotated[
    str | None,
    typer.Option("--output-db", metavar="FILE", help="Release into this DuckDB file, made if it is missing."),
]
OutputAs = Annotated[
    str | None, typer.Option("--as", metavar="table|view", help="What the release is. Default: table.")
]
PartitionBy = Annotated[
    list[str] | None,
    typer.Option("--partition-by", metavar="A,B", help="Partition a Parquet release by these columns."),
]
Timezone = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        help="Where a hierarchy's times without an offset are read, for a TIMESTAMP WITH TIME ZONE.",
    ),
]
Threads = Annotated[
    str | None, typer.Option("--threads", metavar="N", help="How many threads the engine may use.")
]
MemoryLimit = Annotated[
    str | None, typer.Option("--memory-limit", metavar="SIZE", help="How much memory it may use, as in 6GB.")
]
TempDirectory = Annotated[
    str | None,
    typer.Option("--temp-directory", metavar="DIR", help="Where it spills to when memory is short."),
]
Trace = Annotated[
    str | None,
    typer.Option("--trace", metavar="FILE", help="Write every statement that runs to this file, as it runs."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Redact = Annotated[bool, typer.Option("--redact", help="Quote no value of the data in errors.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the Python traceback of an error.")]

app.add_typer(hierarchy_command.app, name="hierarchy")


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
    ),
)
def run_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    k: K = None,
    max_suppression: MaxSuppressionOption = None,
    qi: Qi = None,
    hierarchy: HierarchyOption = None,
    sensitive: Sensitive = None,
    keep: Keep = None,
    identifier: Identifier = None,
    person: Person = None,
    where: Where = None,
    output: Output = None,
    output_db: OutputDb = None,
    output_as: OutputAs = None,
    partition_by: PartitionBy = None,
    overwrite: Overwrite = False,
    allow_empty: AllowEmpty = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Do everything but the release.")] = False,
    vector: Vector = None,
    plan: PlanOption = None,
    manifest: Annotated[
        str | None, typer.Option("--manifest", metavar="FILE", help="Write the manifest (JSON) to this file.")
    ] = None,
    as_json: Json = False,
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
    with _errors(debug=debug, redact=redact):
        from kanon_sql import api
        from kanon_sql.api.opening import files_of

        resolved = _spec(
            spec,
            db=db,
            table=table,
            k=k,
            max_suppression=max_suppression,
            quasi_identifiers=_names(qi),
            hierarchies=_pairs(hierarchy),
            sensitive=_names(sensitive),
            keep=_names(keep),
            identifiers=_names(identifier),
            person=person,
            where=where,
            output=output,
            output_db=output_db,
            partition_by=_names(partition_by),
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

        given = api.given(_default_file(resolved))
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
            _print_json(result.to_json())
        elif not quiet:
            terminal.print_result(result)


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
    keep: Keep = None,
    identifier: Identifier = None,
    person: Person = None,
    where: Where = None,
    timezone: Timezone = None,
    redact: Redact = False,
    debug: Debug = False,
) -> None:
    """Print the SQL of a vector: the check query, the release query, or the set-up. Nothing is written."""
    with _errors(debug=debug, redact=redact):
        from kanon_sql import api

        if release and setup:
            raise SpecError("--release and --setup are two questions", mend="ask one of them")
        resolved = _spec(
            spec,
            db=db,
            table=table,
            k=k,
            quasi_identifiers=_names(qi),
            hierarchies=_pairs(hierarchy),
            sensitive=_names(sensitive),
            keep=_names(keep),
            identifiers=_names(identifier),
            person=person,
            where=where,
            vector=vector,
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
    ),
)
def check_command(
    db: Db = None,
    table: TableOption = None,
    spec: SpecOption = None,
    qi: CheckedQi = None,
    k: K = None,
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
    """Is a table k-anonymous as it stands? Exit 0 when it is, 1 when it is not.

    From a spec file only db, table, k and quasi_identifiers are taken.
    """
    with _errors(debug=debug, redact=redact):
        from kanon_sql import api

        resolved = _spec(
            spec,
            only=CHECK_WORDS,
            names_only=True,
            db=db,
            table=table,
            quasi_identifiers=_names(qi),
            k=k,
            person=person,
            where=where,
        )
        result = api.check(resolved.db, spec=resolved, suppressed_mark=suppressed_mark, null=null)
        if as_json:
            _print_json(result.to_json())
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
    with _errors(debug=debug, redact=False):
        from kanon_sql import api, demo
        from kanon_sql.report import terminal

        files = demo.generate(Path(folder), overwrite=overwrite)
        resolved = _spec(str(files.spec))
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


def _spec(
    file: str | None, *, only: frozenset[str] | None = None, names_only: bool = False, **given: object
) -> Any:
    from kanon_sql.spec import resolve_spec

    # `as` is a keyword of Python.
    given = {name.rstrip("_"): value for name, value in given.items()}
    base = Path.cwd()
    path = Path(file) if file is not None else Path(SPEC_FILE) if (base / SPEC_FILE).is_file() else None
    return resolve_spec(
        file=path,
        given=given,
        face="flag",
        base=base,
        builtins=resources.hierarchies_folder(),
        only=only,
        names_only=names_only,
    )


def _default_file(spec: Any) -> Any:
    """The spec, with a file as its release where the source is one and nothing else is said."""
    from dataclasses import replace

    source = spec.table_file
    if source is None or spec.output_file is not None or spec.output_db is not None:
        return spec
    if spec.output is not None:
        raise SpecError(
            f"the release of a file is a file, and {spec.output} is none",
            where="--output",
            mend="name a .parquet or .csv file, or a database with --output-db",
        )
    stem, dot, ending = source.name.partition(".")
    stem = stem.strip("*?[]") or source.parent.name or "table"
    return replace(spec, output_file=Path.cwd() / f"{stem}_k{spec.k}{dot}{ending}")


def _names(given: list[str] | None) -> list[str] | None:
    """Column names of a repeatable flag, each ``a,b`` or ``a``."""
    if not given:
        return None
    from kanon_sql.spec import split_names

    return [name for each in given for name in split_names(each)]


def _pairs(given: list[str] | None) -> dict[str, str] | None:
    """``column=path`` of a repeatable flag; a column that holds ``=`` is quoted."""
    if not given:
        return None
    from kanon_sql.spec.text import split_pair

    pairs: dict[str, str] = {}
    for each in given:
        column, path = split_pair(each, "--hierarchy")
        if not path:
            raise SpecError(f"no file after {each!r}", where="--hierarchy", mend="write COLUMN=FILE")
        if column in pairs:
            raise SpecError(f"column {column} has two hierarchies", where="--hierarchy", mend="give one")
        pairs[column] = path
    return pairs


def _shell(text: str) -> str:
    import shlex

    return shlex.quote(text)


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@contextmanager
def _errors(*, debug: bool, redact: bool) -> Iterator[None]:
    """One line on stderr and an exit code for every error that has one."""
    try:
        yield
        sys.stdout.flush()
    except KanonError as error:
        if debug:
            traceback.print_exc()
        typer.echo(f"error: {error.redacted() if redact else error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except InterruptedLate:
        typer.echo("interrupted: the release stands, verified; what was to follow was left out", err=True)
        raise typer.Exit(130) from None
    except KeyboardInterrupt:
        if debug:
            traceback.print_exc()
        typer.echo("interrupted: nothing was written", err=True)
        raise typer.Exit(130) from None
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _forget_stdout()
        raise typer.Exit(0) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _forget_stdout()
        typer.echo("error: what was found cannot be printed: no space left behind stdout", err=True)
        raise typer.Exit(6) from None


def _forget_stdout() -> None:
    """Let what is still to be printed go nowhere, so that the end of the program does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


Command = Callable[..., None]
