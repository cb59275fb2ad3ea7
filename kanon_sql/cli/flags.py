"""The flags that commands share: one place for a flag's name and its help."""

from __future__ import annotations

from typing import Annotated

import typer

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
Model = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="COLUMN=MODEL",
        help="A privacy model of a sensitive column, as in 'diagnosis=distinct_l_diversity: 3' or "
        "'diagnosis=t_closeness: {t: 0.2, distance: equal}'.",
    ),
]
KMap = Annotated[
    str | None,
    typer.Option(
        "--k-map",
        metavar="k=N,population=TABLE",
        help="Every class has at least N rows in the population table too.",
    ),
]
Reference = Annotated[
    str | None,
    typer.Option(
        "--reference",
        metavar="TABLE",
        help="Where models take the distribution of the whole from. Default: the table itself.",
    ),
]
MinLevel = Annotated[
    list[str] | None,
    typer.Option("--min-level", metavar="A=1,B=2", help="The lowest level allowed of a quasi-identifier."),
]
MaxLevel = Annotated[
    list[str] | None,
    typer.Option("--max-level", metavar="A=1,B=2", help="The highest level allowed of a quasi-identifier."),
]
Level = Annotated[
    list[str] | None,
    typer.Option("--level", metavar="A=1,B=2", help="The one level allowed of a quasi-identifier."),
]
Weight = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="A=2,B=0.5",
        help="How much a quasi-identifier counts in an objective. Default: 1.",
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        "--search",
        metavar="SEARCH",
        help="minimal: a vector of least height; all: the preferred of all minimal ones; optimal: the best by "
        "--objective. Default: minimal.",
    ),
]
Objective = Annotated[
    str | None,
    typer.Option("--objective", metavar="MEASURE", help="The measure that --search optimal makes best."),
]
Policy = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="A,B",
        help="Which of several minimal vectors is preferred: absolute_distance, relative_distance, distribution, "
        "suppression; the next one where the one before sees no difference.",
    ),
]
MaxSuppressionPer = Annotated[
    list[str] | None,
    typer.Option(
        "--max-suppression-per",
        metavar="column=C,share=N%",
        help="No value of this column may lose a larger share of its rows.",
    ),
]
TimeBudget = Annotated[
    str | None,
    typer.Option(
        "--time-budget",
        metavar="60s|5m|1h",
        help="How long a search may take before it gives the best found.",
    ),
]
DropAtTop = Annotated[
    bool,
    typer.Option("--drop-at-top", help="Leave out of the release what ends at the top of its hierarchy."),
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
