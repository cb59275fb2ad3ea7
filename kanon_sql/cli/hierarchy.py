"""``kanon-sql hierarchy``: looking at hierarchies before a run uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.shared import one_line_errors, print_json
from kanon_sql.errors import HierarchyError, SpecError

if TYPE_CHECKING:
    from kanon_sql.api.validating import ColumnFit, HierarchyReport

app = typer.Typer(help="Look at hierarchies before a run uses them.", no_args_is_help=True)


@app.command(
    "validate",
    epilog="\b\nExamples:\n"
    "  kanon-sql hierarchy validate hierarchies/age.csv hierarchies/zip.csv\n"
    "  kanon-sql hierarchy validate age.csv --db w.duckdb --table patients\n"
    "  kanon-sql hierarchy validate table:age_levels --db w.duckdb --table patients --column age --json",
)
def validate_command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="CSV or Parquet files, table:[schema.]name, builtin:name."),
    ],
    db: Annotated[
        str | None, typer.Option("--db", metavar="FILE", help="The DuckDB file that holds the tables.")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="NAME|FILE", help="Hold the hierarchies against this table, too."),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="COLUMN", help="The column. Default: the one named as the file."),
    ] = None,
    where: Annotated[
        str | None, typer.Option("--where", metavar="SQL", help="Which rows of the table count.")
    ] = None,
    header: Annotated[
        str | None,
        typer.Option(
            "--header", metavar="true|false", help="Is the first line a header? Default: looked at."
        ),
    ] = None,
    delimiter: Annotated[
        str | None,
        typer.Option("--delimiter", metavar="CHAR", help="What separates the cells. Default: looked at."),
    ] = None,
    add_top: Annotated[bool, typer.Option("--add-top", help="Put the level * on top.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
    redact: Annotated[bool, typer.Option("--redact", help="Quote no label and no value.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the Python traceback of an error.")] = False,
) -> None:
    """Are hierarchies trees, and do they fit their columns? Every fault is shown, with file and line.

    Exit 0 when all are sound, 3 when one is not. A value of the column that the hierarchy lacks is a fault.
    """

    with one_line_errors(debug=debug, redact=redact):
        from kanon_sql.api.validating import validate_hierarchies

        if column is not None and len(files) > 1:
            raise SpecError(
                "one column and several hierarchies", where="--column", mend="validate them one by one"
            )
        reports = validate_hierarchies(
            files,
            db,
            table=table,
            column=column,
            where=where,
            header=_true_or_false(header),
            delimiter={"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter),
            add_top=add_top,
        )
        if redact:
            reports = [report.redacted() for report in reports]
        valid = all(report.valid for report in reports)
        if as_json:
            print_json({"valid": valid, "hierarchies": [report.to_json() for report in reports]})
        else:
            for report in reports:
                _print(report)
        if not valid:
            raise typer.Exit(HierarchyError.exit_code)


def _true_or_false(text: str | None) -> bool | None:
    if text is None:
        return None
    if text not in ("true", "false"):
        raise SpecError(f"malformed {text!r}", where="--header", mend="write true or false")
    return text == "true"


def _print(report: HierarchyReport) -> None:
    facts = [f"{report.rows:,} rows"] if report.rows is not None else []
    if report.levels:
        facts.append(f"{len(report.levels)} levels")
    if report.has_header is not None:
        facts.append("header" if report.has_header else "no header")
    if report.delimiter is not None:
        facts.append("delimiter " + ("tab" if report.delimiter == "\t" else report.delimiter))
    count = len(report.faults)
    verdict = "sound" if report.valid else f"{count} fault{'s' if count > 1 else ''}"
    typer.echo(f"{report.name}: {verdict}" + (f" ({', '.join(facts)})" if facts else ""))
    wide = max((len(level.name) for level in report.levels), default=0)
    for number, level in enumerate(report.levels):
        labels = "label" if level.labels == 1 else "labels"
        typer.echo(f"  {number}  {level.name:<{wide}}  {level.labels:>9,} {labels}")
    if report.fit is not None:
        _print_fit(report.fit)
    for warning in report.warnings:
        typer.echo(f"  warning: {warning}")
    for fault in report.faults:
        where = f"{report.name}:{fault.line}" if fault.line else report.name
        typer.echo(f"  {HierarchyError(fault.what, where=where, mend=fault.mend, values=fault.values)}")


def _print_fit(fit: ColumnFit) -> None:
    missing = (
        f"{fit.missing_values:,} values in {fit.missing_rows:,} rows are missing"
        if fit.missing_values
        else "no value is missing"
    )
    typer.echo(f"  {fit.table}.{fit.column} ({fit.sql_type}): {missing}, {fit.unused:,} are not used")
