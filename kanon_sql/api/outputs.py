"""Where a release goes: the words of the output become a target, refused where something may not be replaced."""

from __future__ import annotations

import hashlib
import json
from glob import glob
from pathlib import Path

from kanon_sql._version import __version__
from kanon_sql.api.opening import Given
from kanon_sql.api.results import ReleasePlace
from kanon_sql.api.source import shown_table
from kanon_sql.backends.duckdb import DuckDBEngine, catalog_name
from kanon_sql.backends.duckdb_opening import open_file, open_memory, wrap
from kanon_sql.binding import Bound
from kanon_sql.catalog import MEMORY, resolve_column, resolve_output
from kanon_sql.compiler import Relation, TableHierarchy
from kanon_sql.errors import DataError, NoSolutionError, SpecError
from kanon_sql.lattice import DistanceVector
from kanon_sql.release.database_file import DatabaseFile
from kanon_sql.release.materialize import Promise
from kanon_sql.release.target import FileTarget, TableTarget, Target, ViewTarget
from kanon_sql.spec import Spec, TableName


def refuse_odd_outputs(given: Given) -> None:
    """Words of the output that contradict each other."""
    spec = given.spec
    if spec.output_file is not None and spec.output_db is not None:
        raise SpecError(
            "the release is a file and goes into a database too", where="--output-db", mend="choose"
        )
    if spec.output_as == "view" and (spec.output_file or spec.output_db or given.needs_none):
        raise SpecError(
            "a view needs its source in the same database",
            where="--as",
            mend="name a table of a database, and release into that database",
        )
    if spec.partition_by and (spec.output_file is None or spec.output_file.suffix.lower() != ".parquet"):
        raise SpecError(
            "only a Parquet release is partitioned", where="--partition-by", mend="name a .parquet output"
        )


def choose_target(engine: DuckDBEngine, bound: Bound, elsewhere: DatabaseFile | None) -> Target:
    """Where the release goes; refused when something stands there that may not be replaced."""
    spec, source = bound.spec, bound.source
    if spec.output_file is not None:
        file = FileTarget(spec.output_file, spec.overwrite, _file_metadata(spec), _partitions(bound))
        if spec.table_file is not None and spec.output_file.resolve() in _files_named(spec.table_file):
            raise SpecError("the output is the source itself", where="--output", mend="name another file")
        if spec.output_file.resolve() in [
            c.spec.hierarchy.resolve() for c in bound.columns if c.spec.hierarchy
        ]:
            raise SpecError("the output is a hierarchy's file", where="--output", mend="name another file")
        file.refuse_unwritable()
        return file
    database = elsewhere.alias if elsewhere is not None else None
    path, existing = resolve_output(engine, _output_name(bound, database), source, database=database)
    wanted = "view" if spec.output_as == "view" else "table"
    shown = shown_table(path, engine) if elsewhere is None else str(_in_file(path))
    if path in [each.relation for each in bound.hierarchies if isinstance(each, TableHierarchy)]:
        raise SpecError(f"{shown} holds a hierarchy", where="--output", mend="name another table")
    if existing is not None and existing.kind != wanted:
        raise SpecError(f"{shown} is a {existing.kind}", where="--output", mend="name another table")
    if existing is not None and not spec.overwrite:
        raise SpecError(
            f"the output {shown} exists already",
            where="--output",
            mend="say --overwrite to replace it, or name another table",
        )
    if wanted == "table":
        return TableTarget(path, shown, spec.overwrite)
    view = ViewTarget(path, shown, spec.overwrite)
    if source.catalogued is None or source.catalogued.temporary:
        raise SpecError("a view cannot read a temporary table", where="--as", mend="release a table")
    for name in view.mapping_names(bound.question):
        beside = TableName((*path[:2], name))
        _, taken = resolve_output(engine, beside, source)
        if taken is not None and (existing is None or taken.kind != "table"):
            raise SpecError(
                f"the view's mapping table {name} exists already",
                where="--output",
                mend="name another view",
            )
    return view


def _files_named(path: Path) -> set[Path]:
    """The files that a path or a glob names."""
    return {path.resolve(), *(Path(each).resolve() for each in glob(str(path), recursive=True))}  # noqa: PTH207


def _in_file(path: tuple[str, str, str]) -> TableName:
    """A table of another file, without that file's catalog."""
    return TableName(path[2:] if path[1] == "main" else path[1:])


def same_file(database: object, other: Path | None) -> bool:
    """Whether the release's database is the source's."""
    if other is None or not isinstance(database, str | Path):
        return False
    return Path(database).resolve() == other.resolve()


def foreseen(engine: DuckDBEngine, bound: Bound) -> list[str]:
    """What a dry run can say of the output that the run itself would refuse."""
    if bound.spec.output_db is not None:
        return []
    try:
        choose_target(engine, bound, None)
    except (SpecError, DataError) as error:
        return [f"the run itself would be refused: {error}"]
    return []


def _output_name(bound: Bound, database: str | None) -> TableName:
    spec, catalogued = bound.spec, bound.source.catalogued
    if spec.output is not None:
        return spec.output
    stem = bound.source.shown.partition(".")[0] if catalogued is None else catalogued.path[2]
    default = f"{stem}_k{spec.k}"
    if catalogued is None or catalogued.temporary or database is not None:
        return TableName((default,))
    return TableName((*catalogued.path[:2], default))


def _partitions(bound: Bound) -> tuple[str, ...]:
    """The columns that a release is partitioned by: columns of the release, but not all of them.

    Raises:
        DataError, SpecError: one is not released, or nothing would be left beside them.
    """
    released = [column.name for column in bound.question.release]
    columns = tuple(
        resolve_column(name, released, role="partition_by", table="the release")
        for name in bound.spec.partition_by
    )
    if columns and len(columns) == len(released):
        raise SpecError("no column would be left in the files", where="--partition-by", mend="name fewer")
    return columns


def refuse_dropped(bound: Bound, vector: DistanceVector) -> None:
    """What cannot be released once quasi-identifiers are dropped at their tops.

    Raises:
        NoSolutionError: no column would be left.
        SpecError: the release is partitioned by one of them, or would have no column beside what partitions it.
    """
    dropped = bound.dropped_at(vector)
    if not dropped:
        return
    mend = "leave --drop-at-top (drop_at_top) out, or allow more suppressed rows"
    left = [column.name for column in bound.question_at(vector).release]
    if not left:
        raise NoSolutionError(
            "the release would have no column: every quasi-identifier ended at its top, and nothing else is released",
            where=bound.source.shown,
            mend=mend,
        )
    partitions = _partitions(bound)
    gone = [name for name in partitions if name in dropped]
    if gone or (partitions and len(partitions) == len(left)):
        what = (
            f"{', '.join(gone)} ended at its top and is dropped: the release cannot be partitioned by it"
            if gone
            else f"no column would be left in the files, since {', '.join(dropped)} ended at the top"
        )
        raise SpecError(what, where="--partition-by", mend=mend)


def _file_metadata(spec: Spec) -> dict[str, str]:
    """What a Parquet release says of itself; the vector joins when it is known."""
    text = json.dumps(spec.as_manifest(), sort_keys=True, default=str)
    return {
        "kanon_sql": __version__,
        "kanon_k": str(spec.k),
        "kanon_spec_sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def place_of(
    given: Given,
    engine: DuckDBEngine,
    target: Target | None,
    elsewhere: DatabaseFile | None,
    promise: Promise,
) -> ReleasePlace | None:
    """Where the release can be read again; an in-memory database that holds it stays open."""
    if target is None:
        return None
    if isinstance(target, FileTarget):
        scan = target.scan(promise.columns())
        return ReleasePlace(scan, lambda: open_memory(where=target.shown))
    assert isinstance(target, TableTarget | ViewTarget)
    relation: Relation = target.path
    if elsewhere is not None:
        file = elsewhere.path
        return ReleasePlace((catalog_name(file), *target.path[1:]), lambda: open_file(file))
    if target.path[0] == MEMORY and given.needs_none:
        engine.kept = True
        return ReleasePlace(relation, lambda: engine, engine)
    if given.is_path:
        return ReleasePlace(relation, lambda: open_file(Path(given.database)))
    return ReleasePlace(relation, lambda: wrap(given.database))
