"""The readable pipeline: anonymize, check, compile. The command line and Python both come through here.

:mod:`~kanon_sql.api.pipeline` is a run from top to bottom, :mod:`~kanon_sql.api.results` what it gives,
:mod:`~kanon_sql.api.opening` where databases, files and data frames become an engine with a source in it,
:mod:`~kanon_sql.api.checking`, :mod:`~kanon_sql.api.comparing` and :mod:`~kanon_sql.api.printing` the smaller jobs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kanon_sql.api import comparing
from kanon_sql.api.checking import check_spec
from kanon_sql.api.comparing import Candidate, Comparison
from kanon_sql.api.opening import Given, resolve
from kanon_sql.api.pipeline import run
from kanon_sql.api.printing import compile_spec
from kanon_sql.api.results import CheckResult, Phase, Progress, ProgressEvent, Result, StatementProgress
from kanon_sql.api.validating import HierarchyReport, validate_hierarchies
from kanon_sql.backends import Tracer
from kanon_sql.compiler import Statement
from kanon_sql.spec import Spec, TableName

__all__ = [
    "Candidate",
    "CheckResult",
    "Comparison",
    "HierarchyReport",
    "Phase",
    "Progress",
    "ProgressEvent",
    "Result",
    "StatementProgress",
    "anonymize",
    "check",
    "compare",
    "compile",
    "minimal_vectors",
    "run",
    "validate_hierarchy",
]


def anonymize(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    dry_run: bool = False,
    manifest: str | Path | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> Result:
    """Make a table k-anonymous and release it, verified.

    Args:
        database: the path of a DuckDB file, or an open DuckDB connection, which is left as it was found but
            for the release. Default: the spec's ``db``; none is needed where the table is a file or an
            object.
        spec: a kanon.yml; keyword arguments beat it.
        dry_run: do everything but the release.
        manifest: a file to write the manifest to.
        progress: told of phases, of the search and of the release.
        tracer: called with every statement that ran (``print`` will do).
        **words: the words of the spec: table (a name, a Parquet or CSV file, an Arrow table, a pandas or
            polars frame, a DuckDB relation), k, max_suppression, quasi_identifiers, hierarchies, sensitive,
            keep, identifiers, person, where, output, overwrite, allow_empty, vector, plan, min_level, max_level,
            level, drop_at_top, and so on.

    Raises:
        KanonError: one of the tree in :mod:`kanon_sql.errors`; nothing was released.

    Example:
        ``anonymize("warehouse.duckdb", table="patients", k=5, hierarchies={"age": "age.csv"})``
    """
    given = resolve(database, spec, words)
    return run(given, dry_run=dry_run, manifest=manifest, progress=progress, tracer=tracer)


def minimal_vectors(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> Comparison:
    """Every k-minimal vector of a table, with what each loses, the one that the policy prefers first; nothing is
    written.

    Args:
        database, spec, progress, tracer: as for :func:`anonymize`.
        **words: the words of the spec; ``policy`` and ``time_budget`` among them.

    Raises:
        KanonError: one of the tree in :mod:`kanon_sql.errors`.

    Example:
        ``minimal_vectors("warehouse.duckdb", table="patients", k=5).candidates[0].measures["gcp"]``
    """
    return comparing.minimal_vectors(resolve(database, spec, words), progress=progress, tracer=tracer)


def compare(
    database: str | Path | Any = None,
    *,
    vectors: Sequence[str | Mapping[str, int]],
    spec: str | Path | Spec | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> Comparison:
    """What releases at some vectors would lose, side by side; nothing is written, and they need not satisfy.

    Args:
        vectors: each ``"age=1,zip=2"`` or a mapping of every quasi-identifier to a level.
        database, spec, progress, tracer: as for :func:`anonymize`.
        **words: the words of the spec.

    Raises:
        KanonError: one of the tree in :mod:`kanon_sql.errors`.

    Example:
        ``compare("warehouse.duckdb", table="patients", vectors=["age=1,zip=2", "age=2,zip=1"])``
    """
    return comparing.compare(resolve(database, spec, words), vectors, progress=progress, tracer=tracer)


def check(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    suppressed_mark: str | None = None,
    null: str = "own",
    reference: str | TableName | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> CheckResult:
    """Whether a table is k-anonymous as it stands, and satisfies the models that are named.

    Args:
        database: a path or an open connection, as for :func:`anonymize`.
        spec: a kanon.yml.
        suppressed_mark: rows that hold this text in every quasi-identifier, as other tools leave suppressed
            rows, are not a class.
        null: ``own`` (NULL is a value of its own), or ``wildcard`` (it matches every value, as sdcMicro reads
            it).
        reference: the table whose distribution of sensitive values is that of the whole: what a release was made
            from. Default: the table that is checked.
        tracer: called with every statement that ran.
        **words: table, quasi_identifiers, k, person, where; sensitive, models and k_map for models beyond k.

    Raises:
        KanonError: the table or a column is missing, or the words are wrong.
    """
    given = resolve(database, spec, words, names_only=True)
    return check_spec(given, suppressed_mark=suppressed_mark, null=null, reference=reference, tracer=tracer)


def compile(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    what: str = "check",
    tracer: Tracer | None = None,
    **words: Any,
) -> list[Statement]:
    """The SQL of a run, laid out for reading, without running it.

    Args:
        database: a path or an open connection. Without one, names are taken as written and only the check
            query and the release query can be compiled.
        spec: a kanon.yml.
        what: ``check`` (the query of the vector), ``release``, or ``setup`` (mapping tables, and with
            ``plan="frequency"`` the frequency set).
        tracer: called with every statement that ran (a set-up is tried out in scratch tables).
        **words: as for :func:`anonymize`; ``vector`` for check and release. The default plan is ``direct``.

    Raises:
        KanonError: the words are wrong, or a database is needed and none is given.
    """
    if not isinstance(spec, Spec):
        words.setdefault("plan", "direct")
    return compile_spec(resolve(database, spec, words), what=what, tracer=tracer)


def validate_hierarchy(
    path: str | Path,
    database: str | Path | Any = None,
    *,
    table: Any = None,
    column: str | None = None,
    where: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    add_top: bool = False,
    tracer: Tracer | None = None,
) -> HierarchyReport:
    """Everything that is wrong with a hierarchy, in one pass; nothing is raised for it.

    Args:
        path: a CSV or Parquet file, ``table:[schema.]name``, or ``builtin:name``.
        database: a path or an open connection, as for :func:`anonymize`; needed for a table.
        table: hold the hierarchy against a column of this table too: a value without a row is a fault.
        column: which column; the one that the file is named after where none is given.
        where: which rows of the table count.
        header: whether the first line of a CSV file is a header; recognised if not given.
        delimiter: what separates the cells of a CSV file; recognised if not given.
        add_top: put the level ``*`` on top.
        tracer: called with every statement that ran.

    Raises:
        KanonError: the words are wrong, or the database, the table or the column is missing.
    """
    [report] = validate_hierarchies(
        [path],
        database,
        table=table,
        column=column,
        where=where,
        header=header,
        delimiter=delimiter,
        add_top=add_top,
        tracer=tracer,
    )
    return report


def given(spec: Spec, database: Any = None) -> Given:
    """A resolved spec and its database, as the three jobs take them."""
    return Given(spec, database if database is not None else spec.db)
