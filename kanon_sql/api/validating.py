"""Is a hierarchy sound, and does it fit its column? Everything that is wrong with it, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql import resources
from kanon_sql.api.opening import opened, resolve
from kanon_sql.api.source import table_name
from kanon_sql.backends import Tracer
from kanon_sql.binding import Bound, bind, read_hierarchy
from kanon_sql.catalog import SourceTable
from kanon_sql.compiler import AnyHierarchy, TableHierarchy, questions, statement
from kanon_sql.errors import MAX_QUOTED_VALUES, DataError, HierarchyError, KanonError, SpecError
from kanon_sql.frequency import load_mappings
from kanon_sql.frequency.mapping import refuse_unmapped, unmapped_hints
from kanon_sql.frequency.table_hierarchy import TableFaults, level_sizes
from kanon_sql.hierarchy import HierarchyFaults, read_hierarchy_file
from kanon_sql.names import find_name, shown_path
from kanon_sql.spec import Spec, is_parquet, resolve_spec

if TYPE_CHECKING:
    from kanon_sql.backends.duckdb import DuckDBEngine

# The stand-in for a column where the hierarchy is looked at alone.
_NO_COLUMN = "column"


@dataclass(frozen=True)
class HierarchyFault:
    """One thing wrong with a hierarchy.

    Attributes:
        line: the line of the file, where it is one and the fault has one.
        what, mend: what is wrong, and how to mend it.
        values: the labels or values that it concerns, at most five or so.
    """

    line: int | None
    what: str
    mend: str | None = None
    values: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class HierarchyLevel:
    """One level: its name, and how many distinct labels it has (NULL being one)."""

    name: str
    labels: int


@dataclass(frozen=True)
class ColumnFit:
    """How a hierarchy fits a column.

    Attributes:
        table, column, sql_type: which column.
        missing_values, missing_rows: how many of its values have no row in the hierarchy, in how many rows.
        missing: up to five of them.
        hints: how some of them would match after all.
        unused: how many ground values of the hierarchy no row of the table holds.
    """

    table: str
    column: str
    sql_type: str
    missing_values: int
    missing_rows: int
    missing: tuple[str | None, ...]
    hints: tuple[str, ...]
    unused: int


@dataclass(frozen=True)
class HierarchyReport:
    """What is to be said of a hierarchy.

    Attributes:
        name: the file or the table.
        rows: how many rows it has, a header aside; None where it could not be read.
        levels: its levels, ground first; none where it has faults.
        has_header: whether the first line was read as a header; None where there is no such line, or where
            faults left it open.
        delimiter: what separates the cells of a CSV file.
        warnings: what is allowed but worth saying.
        faults: what is wrong, by line.
        fit: how it fits the column, where one was named and the hierarchy is sound.
    """

    name: str
    rows: int | None = None
    levels: tuple[HierarchyLevel, ...] = ()
    has_header: bool | None = None
    delimiter: str | None = None
    warnings: tuple[str, ...] = ()
    faults: tuple[HierarchyFault, ...] = ()
    fit: ColumnFit | None = None

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong: a run that uses it would not be refused for its sake."""
        return not self.faults

    def redacted(self) -> HierarchyReport:
        """The same without a single quoted value."""
        return replace(
            self,
            faults=tuple(replace(fault, values=()) for fault in self.faults),
            fit=None if self.fit is None else replace(self.fit, missing=()),
        )

    def to_json(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        fit = self.fit
        return {
            "name": self.name,
            "valid": self.valid,
            "rows": self.rows,
            "levels": [{"name": level.name, "labels": level.labels} for level in self.levels],
            "header": self.has_header,
            "delimiter": self.delimiter,
            "warnings": list(self.warnings),
            "faults": [
                {"line": fault.line, "what": fault.what, "mend": fault.mend, "values": list(fault.values)}
                for fault in self.faults
            ],
            "column": None
            if fit is None
            else {
                "table": fit.table,
                "column": fit.column,
                "type": fit.sql_type,
                "missing_values": fit.missing_values,
                "missing_rows": fit.missing_rows,
                "missing": list(fit.missing),
                "hints": list(fit.hints),
                "unused": fit.unused,
            },
        }


def validate_hierarchies(
    paths: Sequence[str | Path],
    database: str | Path | Any = None,
    *,
    table: Any = None,
    column: str | None = None,
    where: str | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    add_top: bool = False,
    tracer: Tracer | None = None,
) -> list[HierarchyReport]:
    """Several hierarchies in one go (see :func:`kanon_sql.validate_hierarchy`)."""
    if column is not None and table is None:
        raise SpecError("a column is named and no table", where="--column", mend="say which table holds it")
    words: dict[str, object] = {}
    if header is not None:
        words["header"] = header
    if delimiter is not None:
        words["delimiter"] = delimiter
    if add_top:
        words["add_top"] = True
    with _engine(database, table, tracer) as (engine, source):
        reports = []
        for path in paths:
            name = path if isinstance(path, str) else path.as_posix()
            wanted = _NO_COLUMN if source is None else column or _column_of(name, source)
            try:
                spec = _spec(path, wanted, where, words)
            except HierarchyError as error:
                reports.append(HierarchyReport(name, faults=_faults(error, name)))
                continue
            reports.append(_validate(engine, source, spec, name))
        return reports


@contextmanager
def _engine(
    database: Any, table: Any, tracer: Tracer | None
) -> Iterator[tuple[DuckDBEngine, SourceTable | None]]:
    """An engine, and the table in it where one is named."""
    from kanon_sql.backends.duckdb_opening import open_file, open_memory, wrap

    if table is not None:
        with opened(resolve(database, None, {"table": table}), write=False, tracer=tracer) as both:
            yield both
        return
    if database is None:
        engine = open_memory(where="hierarchy validate", tracer=tracer)
    elif isinstance(database, str | Path):
        engine = open_file(Path(database), tracer=tracer)
    else:
        engine = wrap(database, tracer=tracer)
    try:
        yield engine, None
    finally:
        engine.close()


def _column_of(name: str, source: SourceTable) -> str:
    """The column that a hierarchy is named after.

    Raises:
        DataError: the table has none of that name.
    """
    kind, _, rest = name.partition(":")
    stem = rest.rpartition(".")[2].strip('"') if kind in ("table", "builtin") and rest else Path(name).stem
    found = find_name(stem, source.types)
    if found is None:
        raise DataError(
            f"no column {stem!r}, after which {name} would be named",
            where=source.shown,
            mend="say which column it belongs to with --column",
        )
    return found


def _spec(path: str | Path, column: str, where: str | None, words: dict[str, object]) -> Spec:
    return resolve_spec(
        given={
            "table": _NO_COLUMN,
            "where": where,
            "quasi_identifiers": {column: {"hierarchy": path, **words}},
        },
        base=Path.cwd(),
        builtins=resources.hierarchies_folder(),
    )


def _validate(engine: DuckDBEngine, source: SourceTable | None, spec: Spec, name: str) -> HierarchyReport:
    [asked] = spec.quasi_identifiers
    if asked.hierarchy is not None and not asked.builtin:
        name = shown_path(asked.hierarchy)
    bound: Bound | None = None
    try:
        if source is None:
            hierarchy = read_hierarchy(engine, asked, None)
        else:
            bound = bind(engine, spec, source)
            [hierarchy] = bound.hierarchies
    except HierarchyError as error:
        return _faulty(spec, name, error)
    assert hierarchy is not None, "the spec names one"
    report = _sound(engine, hierarchy, add_top=asked.add_top)
    if bound is None or source is None:
        return report
    try:
        return _fitted(engine, bound, table_name(source, engine), report)
    finally:
        for each in bound.question.columns:
            engine.run(statement("engine/drop.sql.j2", table=each.mapping))


def _sound(engine: DuckDBEngine, hierarchy: AnyHierarchy, *, add_top: bool) -> HierarchyReport:
    if isinstance(hierarchy, TableHierarchy):
        rows, delimiter = hierarchy.rows, None
        sizes = [*level_sizes(engine, hierarchy.relation, hierarchy.columns), *([1] if add_top else [])]
    else:
        rows, delimiter = len(hierarchy.rows), hierarchy.delimiter
        sizes = [len(set(labels)) for labels in zip(*hierarchy.rows, strict=True)]
    levels = [HierarchyLevel(*each) for each in zip(hierarchy.level_names, sizes, strict=True)]
    return HierarchyReport(
        hierarchy.name,
        rows,
        tuple(levels),
        hierarchy.has_header,
        delimiter,
        hierarchy.warnings,
    )


def _fitted(engine: DuckDBEngine, bound: Bound, table: str, report: HierarchyReport) -> HierarchyReport:
    """The report, with what the column says of the hierarchy."""
    question, hierarchies = bound.question, bound.hierarchies
    [column] = question.columns
    try:
        warnings = load_mappings(engine, question, hierarchies).warnings
    except (HierarchyError, DataError) as error:
        return replace(report, faults=_faults(error, report.name))
    missing = engine.run(questions.unmapped(question, column))
    faults: tuple[HierarchyFault, ...] = ()
    if missing:
        try:
            refuse_unmapped(engine, question, hierarchies, 1)
        except DataError as error:
            faults = _faults(error, report.name)
    [(unused,)] = engine.run(questions.hierarchy_unused(question, column))
    fit = ColumnFit(
        table=table,
        column=column.column,
        sql_type=bound.source.types[column.column],
        missing_values=missing[0][1] if missing else 0,
        missing_rows=missing[0][2] if missing else 0,
        missing=tuple(row[0] for row in missing[:MAX_QUOTED_VALUES]),
        hints=tuple(unmapped_hints(missing)),
        unused=unused,
    )
    return replace(report, warnings=warnings, faults=faults, fit=fit)


def _faulty(spec: Spec, name: str, error: HierarchyError) -> HierarchyReport:
    """The report of a hierarchy that breaks the rules, with what can be said of it all the same."""
    [asked] = spec.quasi_identifiers
    report = HierarchyReport(name, faults=_faults(error, name))
    if asked.hierarchy is None or is_parquet(asked.hierarchy):
        return report
    with suppress(KanonError):
        file = read_hierarchy_file(asked.hierarchy, name=name, delimiter=asked.delimiter)
        rows = len(file.rows) - bool(asked.header)
        report = replace(report, rows=rows, has_header=asked.header, delimiter=file.delimiter)
    return report


def _faults(error: KanonError, name: str) -> tuple[HierarchyFault, ...]:
    if isinstance(error, HierarchyFaults | TableFaults):
        return tuple(
            HierarchyFault(fault.line or None, fault.what, fault.mend, fault.values) for fault in error.faults
        )
    place = (error.where or "").removeprefix(f"{name}:")
    line = int(place) if place.isdecimal() else None
    return (HierarchyFault(line, error.what, error.mend, error.values),)
