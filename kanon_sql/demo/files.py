"""Make the demo's files. DuckDB draws the rows with ``sql/demo/*.sql.j2``; Python only hands it the facts.

Same rows, same seed: same table, on every version of DuckDB and any machine, since every draw is an md5
(``people.sql.j2``) and every weight a whole number.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.compiler import render
from kanon_sql.demo import facts
from kanon_sql.errors import DatabaseError, SpecError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DEFAULT_ROWS = 20_000
DEFAULT_SEED = 2026
MOST_ROWS = 10_000_000

DATABASE = "warehouse.duckdb"
SPEC = "kanon.yml"
HIERARCHIES = "hierarchies"


@dataclass(frozen=True)
class DemoFiles:
    """Where the demo's files are."""

    folder: Path
    database: Path
    hierarchies: tuple[Path, ...]
    spec: Path


@dataclass(frozen=True)
class _HierarchyFile:
    """A hierarchy of the demo: the query that lists it, and whether it has ARX's form (no header, ``;``)."""

    column: str
    template: str
    parameters: tuple[str, ...] = ()
    arx: bool = False

    @property
    def name(self) -> str:
        return f"{self.column}.csv"


_HIERARCHY_FILES = (
    _HierarchyFile("birth_date", "demo/birth_date_hierarchy.sql.j2"),
    _HierarchyFile("sex", "demo/flat_hierarchy.sql.j2", ("question",), arx=True),
    _HierarchyFile("zip", "demo/zip_hierarchy.sql.j2"),
    _HierarchyFile("marital_status", "demo/marital_status_hierarchy.sql.j2", ("states",)),
    _HierarchyFile("race", "demo/flat_hierarchy.sql.j2", ("question",), arx=True),
    _HierarchyFile("admission_date", "demo/admission_date_hierarchy.sql.j2"),
)


def generate(
    folder: Path, *, rows: int = DEFAULT_ROWS, seed: int = DEFAULT_SEED, overwrite: bool = False
) -> DemoFiles:
    """Make the demo in ``folder``, which is made if it is missing.

    Everything is written in a hidden folder beside its place and renamed at the end, so that an
    interruption leaves what was there before.

    Raises:
        SpecError: the folder already holds files of these names (unless ``overwrite``), or ``rows`` is
            out of range.
        DatabaseError: the files cannot be written.
    """
    if not 1 <= rows <= MOST_ROWS:
        raise SpecError(
            f"the demo cannot have {rows:,} rows", where="rows", mend=f"ask for 1 to {MOST_ROWS:,} rows"
        )
    names = [DATABASE, *(f"{HIERARCHIES}/{file.name}" for file in _HIERARCHY_FILES), SPEC]
    if folder.exists() and not folder.is_dir():
        raise SpecError("this is not a folder", where=str(folder), mend="choose another folder")
    if not overwrite:
        _refuse_existing(folder, names)
    try:
        _write(folder, names, rows, seed)
    except OSError as error:
        raise DatabaseError(
            f"the demo cannot be written: {error.strerror or error}",
            where=str(error.filename or folder),
            mend="choose a folder that you may write to",
        ) from error
    return DemoFiles(
        folder=folder,
        database=folder / DATABASE,
        hierarchies=tuple(folder / HIERARCHIES / file.name for file in _HIERARCHY_FILES),
        spec=folder / SPEC,
    )


def _refuse_existing(folder: Path, names: Sequence[str]) -> None:
    # A write-ahead log without its database would be replayed into the new one.
    there = [name for name in (*names, f"{DATABASE}.wal") if (folder / name).exists()]
    if there:
        raise SpecError(
            f"the folder already holds {', '.join(there)}",
            where=str(folder),
            mend="choose another folder, or overwrite these files with --overwrite",
        )


def _write(folder: Path, names: Sequence[str], rows: int, seed: int) -> None:
    made = [path for path in (folder / HIERARCHIES, folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".kanon-demo-", dir=folder) as staging_name:
            staging = Path(staging_name)
            (staging / HIERARCHIES).mkdir()
            _write_database_and_hierarchies(staging, rows, seed)
            shutil.copyfile(Path(__file__).with_name(SPEC), staging / SPEC)
            _put_in_place(staging, folder, names)
    except BaseException:
        for path in made:
            if path.exists() and not any(path.iterdir()):
                path.rmdir()
        raise


def _write_database_and_hierarchies(staging: Path, rows: int, seed: int) -> None:
    import duckdb

    try:
        connection = duckdb.connect(
            str(staging / DATABASE),
            config={"storage_compatibility_version": "v1.5.0"},  # else 1.5 cannot read what 2.0 wrote
        )
        try:
            _fill(connection, rows, seed)
            for file in _HIERARCHY_FILES:
                _write_hierarchy(connection, file, staging / HIERARCHIES / file.name)
        finally:
            connection.close()
    except duckdb.Error as error:
        raise DatabaseError(
            f"DuckDB could not make the demo: {error}", where=str(staging.parent), mend="see DuckDB's message"
        ) from error


def _fill(connection: DuckDBPyConnection, rows: int, seed: int) -> None:
    choices = [{"position": position, **choice._asdict()} for position, choice in enumerate(facts.choices())]
    bands = [{"band": band, "first_age": first, "last_age": last} for band, first, last in facts.AGE_BANDS]
    draw = {"seed": str(seed), "bands": json.dumps(bands)}
    connection.execute(render("demo/choices.sql.j2"), {"choices": json.dumps(choices)})
    # As many people as rows are surely enough: each comes at least once.
    connection.execute(render("demo/people.sql.j2"), {**draw, "people": rows})
    connection.execute(render("demo/patients.sql.j2"), {**draw, "rows": rows})


def _write_hierarchy(connection: DuckDBPyConnection, file: _HierarchyFile, path: Path) -> None:
    states = [
        {"marital_status": state, "partnership": partnership} for state, partnership in facts.MARITAL_STATUS
    ]
    values: dict[str, Any] = {"question": file.column, "states": json.dumps(states)}
    parameters = {name: values[name] for name in file.parameters}
    relation = connection.sql(render(file.template), params=parameters)
    relation.write_csv(str(path), sep=";" if file.arx else ",", header=not file.arx)


def _put_in_place(staging: Path, folder: Path, names: Sequence[str]) -> None:
    """Rename every file to its place; if one cannot be, put back what had been there."""
    replaced = staging / "replaced"
    (replaced / HIERARCHIES).mkdir(parents=True)
    (folder / HIERARCHIES).mkdir(exist_ok=True)
    moves = [
        (folder / name, replaced / name) for name in (f"{DATABASE}.wal", *names) if (folder / name).exists()
    ]
    moves += [(staging / name, folder / name) for name in names]
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            source.rename(target)
            done.append((source, target))
    except BaseException:
        for source, target in reversed(done):
            target.rename(source)
        raise
