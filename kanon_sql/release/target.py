"""Where a release goes: a table, a view, a Parquet or CSV file, a folder of partitions.

Every target does the same three things: it writes the release where nobody looks for it yet, hands it out to
be verified, and only then puts it in its place; whatever goes wrong before that leaves what was there.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from kanon_sql import sqltext
from kanon_sql.backends import Engine
from kanon_sql.compiler import FileScan, Question, Relation, Statement, questions
from kanon_sql.errors import DataError, InterruptedLate, SpecError
from kanon_sql.lattice import DistanceVector
from kanon_sql.names import shown_path

Columns = Sequence[tuple[str, str]]
Percent = Callable[[float], None]

# What Parquet makes of types that it does not have.
_PARQUET_TYPES = {
    "TIMESTAMP_S": "TIMESTAMP",
    "TIMESTAMP_MS": "TIMESTAMP",
    "BIT": "TEXT",
    "BIGNUM": "TEXT",
}
# What it would lose, whole columns or parts of nested ones.
_NOT_IN_PARQUET = {
    "INT128": "it would become a DOUBLE",
    "UINT128": "it would become a DOUBLE",
    "INTERVAL": "Parquet has intervals of whole milliseconds, and none below zero",
    "TIMETZ": "Parquet drops its offset",
    "UNION": "it would become a STRUCT",
    "GEOMETRY": "it would become a BLOB",
    "TUPLE": "it would become a STRUCT",
}
_ZONED_TYPE = "TIMESTAMPTZ"
_INTERVAL = "INTERVAL"  # may do, by itself: its values are looked at
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True)
class Written:
    """A release that is written but not in its place yet.

    Attributes:
        relation: where it can be read for now.
        statement: the statement that made it, without its shuffle key.
        columns: the columns that it must have: (name, type).
        ordered: whether they must stand in this order.
    """

    relation: Relation
    statement: Statement
    columns: Columns
    ordered: bool = True


class Target(Protocol):
    """Where a release goes."""

    @property
    def shown(self) -> str:
        """What people call it."""
        ...

    def writing(
        self,
        engine: Engine,
        question: Question,
        vector: DistanceVector,
        columns: Columns,
        progress: Percent | None,
    ) -> AbstractContextManager[Written]:
        """Write the release; put it in its place when the block ends well, take it away when it does not."""
        ...


@dataclass(frozen=True)
class TableTarget:
    """A table of a database: written, verified and committed in one transaction."""

    path: tuple[str, str, str]
    shown: str
    replace: bool

    @contextmanager
    def writing(
        self,
        engine: Engine,
        question: Question,
        vector: DistanceVector,
        columns: Columns,
        progress: Percent | None,
    ) -> Iterator[Written]:
        """See :class:`Target`."""
        statement = questions.release(
            question, vector, self.path, shuffle_key=fresh_shuffle_key(), replace=self.replace
        )
        with engine.transaction():
            engine.run(statement, progress)
            yield Written(self.path, _without_key(statement), columns)


@dataclass(frozen=True)
class ViewTarget:
    """A view, with the mapping tables that it reads beside it.

    A view is computed anew at each reading, so it promises less than a table: every class that it shows
    satisfies, always; but how many rows it leaves out, and that no lower vector would do, was true of the
    data on the day that it was made. Its rows are ordered by what they show.
    """

    path: tuple[str, str, str]
    shown: str
    replace: bool

    def mapping_names(self, question: Question) -> list[str]:
        """The names of the tables beside the view that hold the mappings of its quasi-identifiers, and those over
        sensitive values that models need."""
        view = self.path[2]
        return [f"{view}_map_{column.column}" for column in question.columns] + [
            f"{view}_values_{i}_{column.column}" for i, column in enumerate(question.taxonomies)
        ]

    @contextmanager
    def writing(
        self,
        engine: Engine,
        question: Question,
        vector: DistanceVector,
        columns: Columns,
        progress: Percent | None,
    ) -> Iterator[Written]:
        """See :class:`Target`."""
        mapped = (*question.columns, *question.taxonomies)
        kept = {
            column.mapping_path: replace(column, mapping=name, mapping_home=self.path[:2])
            for column, name in zip(mapped, self.mapping_names(question), strict=True)
        }
        beside = question.with_mappings(lambda column: kept[column.mapping_path])
        statement = questions.release(beside, vector, self.path, replace=self.replace, view=True)
        with engine.transaction():
            for column in mapped:
                path = kept[column.mapping_path].mapping_path
                engine.run(questions.view_mapping(column, path, replace=self.replace))
            engine.run(statement, progress)
            yield Written(self.path, statement, columns)


@dataclass(frozen=True)
class FileTarget:
    """A Parquet or CSV file, or a folder of Parquet partitions: written beside its place, then renamed.

    Attributes:
        path: where it goes.
        overwrite: whether it may replace what is there.
        metadata: what a Parquet file says of itself.
        partition_by: released columns whose values become folders (``column=value/``).
    """

    path: Path
    overwrite: bool
    metadata: Mapping[str, str]
    partition_by: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What people call it."""
        return shown_path(self.path)

    @property
    def kind(self) -> Literal["parquet", "csv"]:
        """What is written: the file's ending decides."""
        return file_kind(self.path)

    @contextmanager
    def writing(
        self,
        engine: Engine,
        question: Question,
        vector: DistanceVector,
        columns: Columns,
        progress: Percent | None,
    ) -> Iterator[Written]:
        """See :class:`Target`."""
        self.refuse_unwritable()
        held = self._columns(columns)
        if self.kind == "parquet":
            self._refuse_cut_intervals(engine, question, columns)
        # The ending stays what it is: DuckDB goes by it.
        beside = self.path.with_name(f".kanon-{secrets.token_hex(6)}-{self.path.name}")
        statement = questions.export(
            question,
            vector,
            str(beside),
            shuffle_key=fresh_shuffle_key(),
            kind=self.kind,
            delimiter=self.delimiter,
            compression=_COMPRESSIONS.get(self.path.suffix.lower(), "none"),
            metadata=self.metadata,
            partition_by=self.partition_by,
            utc_text=self._utc_text(columns),
        )
        written = False
        try:
            engine.run(statement, progress)
            written = beside.exists()
            shown = replace(self, path=beside)
            yield Written(
                shown.scan(columns),
                Statement(statement.name, statement.sql.replace(str(beside), str(self.path))),
                held,
                ordered=not self.partition_by,
            )
            _put_in_place(beside, self.path, overwrite=self.overwrite)
        except KeyboardInterrupt as interrupt:
            # Nothing but the renaming takes it away from beside its place.
            if written and not beside.exists():
                raise InterruptedLate from interrupt
            raise
        finally:
            _remove(beside)

    @property
    def delimiter(self) -> str:
        """What stands between the cells of a CSV file."""
        return "\t" if ".tsv" in self.path.name.lower() else ","

    def scan(self, columns: Columns) -> FileScan:
        """The file as something to read."""
        if self.partition_by:
            types = {name: kind for name, kind in columns if name in self.partition_by}
            return FileScan(
                "parquet", f"{self.path}/**/*.parquet", columns=tuple(types.items()), partitioned=True
            )
        if self.kind == "parquet":
            return FileScan("parquet", str(self.path))
        return FileScan("csv", str(self.path), columns=tuple(columns), delimiter=self.delimiter)

    def refuse_unwritable(self) -> None:
        """Say early that the file could not be written.

        Raises:
            SpecError: its folder is missing, something stands there, or its ending is not known.
        """
        file_kind(self.path)
        if not self.path.parent.is_dir():
            raise SpecError("no such folder", where=str(self.path.parent), mend="make it first")
        if self.path.is_dir() and not self.partition_by:
            raise SpecError("this is a folder, not a file", where=str(self.path), mend="name a file")
        if self.path.exists() and not self.overwrite:
            raise SpecError(
                f"the output {self.path} exists already",
                where="--output",
                mend="say --overwrite to replace it, or name another file",
            )

    def _refuse_cut_intervals(self, engine: Engine, question: Question, columns: Columns) -> None:
        names = [name for name, kind in columns if _normal(kind) == _INTERVAL]
        counts = engine.run(questions.cut_intervals(question.source, names))[0] if names else ()
        for name, rows in zip(names, counts, strict=True):
            if rows:
                raise self._unfit(name, _INTERVAL)

    def _unfit(self, name: str, kind: str, word: str = _INTERVAL) -> DataError:
        return DataError(
            f"column {name} is of type {kind}, which Parquet cannot hold exactly: {_NOT_IN_PARQUET[word]}",
            where=self.shown,
            mend="release a table or a CSV file, or cast the column in a view of the source",
        )

    def _utc_text(self, columns: Columns) -> list[str]:
        """The columns that become text, in CSV cells or names of folders, and would show the session's zone."""
        return [
            name
            for name, kind in columns
            if _normal(kind) == _ZONED_TYPE and (self.kind == "csv" or name in self.partition_by)
        ]

    def _columns(self, columns: Columns) -> Columns:
        """The columns as the file can hold them.

        Raises:
            DataError: a column's type does not survive in Parquet.
        """
        if self.kind == "csv":
            return columns
        kept = []
        for name, kind in columns:
            normal = _normal(kind)
            lost = next((word for word in re.findall(r"[A-Z_0-9]+", normal) if word in _NOT_IN_PARQUET), None)
            if normal.startswith("ENUM"):
                kept.append((name, "TEXT"))
            elif lost is None or normal == _INTERVAL:
                # An array of a fixed length becomes a list.
                kept.append((name, _PARQUET_TYPES.get(normal, re.sub(r"\[\d+\]", "[]", normal))))
            else:
                raise self._unfit(name, kind, lost)
        return kept


def file_kind(path: Path) -> Literal["parquet", "csv"]:
    """Parquet or CSV, by the ending of a file's name.

    Raises:
        SpecError: neither.
    """
    name = path.name.lower()
    if name.endswith(".parquet"):
        return "parquet"
    if name.endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")):
        return "csv"
    raise SpecError(
        f"unknown kind of file {path.name}", where="--output", mend="name a .parquet or a .csv file"
    )


def _normal(kind: str) -> str:
    """A type in one spelling, where there is one."""
    try:
        return sqltext.data_type(kind)
    except ValueError:
        return kind


def _put_in_place(beside: Path, place: Path, *, overwrite: bool) -> None:
    if place.exists() and not overwrite:
        raise SpecError(f"{place} has come into being meanwhile", where="--output", mend="say --overwrite")
    if beside.is_file():
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        beside.replace(place)
        return
    # A folder cannot be renamed over another: the old one steps aside, and comes back if that fails.
    aside = place.with_name(f"{beside.name}-old")
    try:
        if place.exists():
            place.rename(aside)
        beside.rename(place)
    finally:
        if place.exists():
            _remove(aside)
        elif aside.exists():
            aside.rename(place)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def fresh_shuffle_key() -> str:
    """The secret that the order of a release's rows hangs on.

    It comes from the operating system: no setting of the connection can repeat the order of rows. 14 bytes are 19
    letters, which fill one block of MD5 together with the 36 of a UUID.
    """
    return secrets.token_urlsafe(14)


def _without_key(statement: Statement) -> Statement:
    return Statement(statement.name, statement.sql)
