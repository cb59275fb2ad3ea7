"""Real DuckDB files from cases of the oracle, and from a few lines of SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

import kanon_sql
from kanon_sql import resources
from kanon_sql.backends.duckdb import DuckDBEngine
from kanon_sql.backends.duckdb_opening import open_file
from kanon_sql.binding import Bound, bind
from kanon_sql.catalog import find_source
from kanon_sql.compiler import questions
from kanon_sql.frequency import load_mappings, load_sensitive
from kanon_sql.spec import Spec, resolve_spec
from tests.oracle.model import Value, Vector, as_text, typed_counter
from tests.oracle.strategies import Case
from tests.reading import reading

# Names of tables that SQL, the templates, or the engine could stumble over.
TABLES = (
    "patients", "select", 'a"b', "Größe", "two words", 't"; drop table x; --', "it's", "s", "m0", "a.b",
    "kanon_frequency", "satisfying", "temp", "main", "{{ x }}", "$1", "*/ x", "😀", "line\nbreak",
)  # fmt: skip

# A file's name becomes the alias of its database.
FILES = ("w.duckdb", "temp.duckdb", "memory.duckdb", 'it\'s a "w".db', "größe", "a.b.c", "system.db")


def quoted(name: str) -> str:
    """An identifier, quoted by the rule of SQL itself (not by the package)."""
    return '"' + name.replace('"', '""') + '"'


def make(path: Path, *statements: str) -> Path:
    """A database file in which the statements have run."""
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows that a query of a file gives."""
    with reading(path) as connection:
        return connection.execute(sql).fetchall()


def tables(path: Path) -> list[str]:
    """Every table and view of a file, scratch that was left behind included."""
    here = "database_name = current_database()"  # others may be attached beside it
    named = (
        f"SELECT table_name FROM duckdb_tables() WHERE {here} "
        f"UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal AND {here}"
    )
    return sorted(name for (name,) in query(path, named))


def types(path: Path, table: str) -> dict[str, str]:
    """The columns of a table with their types, in order."""
    return {row[0]: row[1] for row in query(path, f"DESCRIBE {quoted(table)}")}


def digest(path: Path) -> str:
    """A file's bytes, in short."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def lines(path: Path, *text: str) -> Path:
    """A file of these lines."""
    path.write_bytes("".join(f"{line}\n" for line in text).encode())
    return path


def engine_at(path: Path, spec_words: Mapping[str, Any], base: Path) -> tuple[DuckDBEngine, Spec]:
    """An engine over a file, and the resolved spec."""
    spec = resolve_spec(given=spec_words, base=base, builtins=resources.hierarchies_folder())
    return open_file(path), spec


@contextmanager
def bound_to(path: Path, words: Mapping[str, Any]) -> Iterator[tuple[DuckDBEngine, Bound, int]]:
    """An engine with the mapping tables loaded, the bound spec, and the number of rows."""
    engine, spec = engine_at(path, words, path.parent)
    try:
        bound = bind(engine, spec, find_source(engine, spec))
        [(rows, _, _)] = engine.run(questions.totals(bound.question.source))
        load_mappings(engine, bound.question, bound.hierarchies)
        load_sensitive(engine, bound.question, bound.taxonomies)
        yield engine, bound, rows
    finally:
        engine.close()


@dataclass(frozen=True)
class Built:
    """A case of the oracle as a database file with its hierarchy files.

    The table has the case's columns, a person where the case has, ``payload`` (one value per row), and
    ``secret``, which nobody asks for. With ``decoys`` further rows stand in it that ``where`` leaves out.
    """

    case: Case
    path: Path
    words: dict[str, Any]
    payload: str
    secret: str

    def expected(self, vector: Vector) -> Any:
        """The release that the oracle makes at a vector: a typed multiset."""
        kept = [(f"p{i}",) for i in range(len(self.case.rows))]
        rows = self.case.by_grouping().released(vector, kept)
        return typed_counter([self._as_released(row, vector) for row in rows])

    def found(self, path: Path, output: str, vector: Vector) -> Any:
        """The release as it stands in the file, read in the same way."""
        names = ", ".join(quoted(name) for name in (*self.case.columns, self.payload))
        rows = query(path, f"SELECT {names} FROM {quoted(output)}")
        return typed_counter([self._as_released(row, vector) for row in rows])

    def _as_released(self, row: Sequence[Value], vector: Vector) -> tuple[Value, ...]:
        """``unmapped: top`` turns level 0 into text (DESIGN 5.10)."""
        qis = zip(row, vector, self.case.unmapped, strict=False)
        texts = [as_text(value) if policy == "top" and not level else value for value, level, policy in qis]
        return (*texts, *row[len(vector) :])

    def expected_types(self, vector: Vector) -> list[set[str]]:
        """Per quasi-identifier the types that 5.10 allows."""
        allowed = []
        for i, (level, sql_type) in enumerate(zip(vector, self.case.types, strict=True)):
            hierarchy = self.case.hierarchies[i]
            values = [value for value in self.case.column_values(i) if value is not None]
            placed = hierarchy.unmapped == "top" and not all(map(hierarchy.mapped, values))
            if level or placed:
                allowed.append({"VARCHAR"})
            else:
                allowed.append({sql_type, "VARCHAR"} if hierarchy.unmapped == "top" else {sql_type})
        return allowed


def fill(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[tuple[str, str]],
    rows: Sequence[Sequence[Value]],
) -> None:
    """Make a table of columns (name, type) and rows."""
    declared = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns)
    connection.execute(f"CREATE TABLE {quoted(table)} ({declared})")
    if rows:
        places = ", ".join(f"({', '.join('?' * len(columns))})" for _ in rows)
        cells = [cell for row in rows for cell in row]
        connection.execute(f"INSERT INTO {quoted(table)} VALUES {places}", cells)


def build(
    case: Case,
    folder: Path,
    *,
    table: str = "patients",
    file: str = "w.duckdb",
    delimiter: str = ";",
    header: bool = False,
    decoys: bool = False,
    more: Sequence[tuple[str, str, Sequence[Value]]] = (),
    beside: Callable[[duckdb.DuckDBPyConnection], None] = lambda _: None,
) -> Built:
    """Write a case's table into a database file, and its hierarchies into CSV files.

    ``more`` are further columns of the table (name, type, values), ``beside`` makes what stands beside it.
    """
    payload, secret, person = (case.fresh_name(wish) for wish in ("payload", "secret", "person"))
    columns = [*zip(case.columns, case.types, strict=True), (payload, "VARCHAR"), (secret, "BIGINT")]
    rows: list[list[Value]] = [[*row, f"p{i}", i] for i, row in enumerate(case.rows)]
    if case.persons is not None:
        columns.append((person, "BIGINT"))
        rows = [[*row, who] for row, who in zip(rows, case.persons, strict=True)]
    if decoys:
        width = len(columns) - len(case.columns) - 2
        rows += [[*case.rows[0], "decoy", -1, *[None] * width] for _ in range(3)]
        rows += [[*[None] * len(case.columns), "decoy", -1, *[None] * width]]
    for name, kind, values in more:
        columns.append((name, kind))
        rows = [[*row, value] for row, value in zip(rows, values, strict=True)]
    path = folder / file
    with duckdb.connect(str(path)) as connection:
        connection.begin()  # committed at once, which is much quicker on a file
        fill(connection, table, columns, rows)
        beside(connection)
        connection.commit()
    words: dict[str, Any] = {
        "table": quoted(table),
        "k": case.k,
        "max_suppression": case.max_sup,
        "quasi_identifiers": {
            name: _long_form(case, i, folder, delimiter, header) for i, name in enumerate(case.columns)
        },
        "keep": [payload],
    }
    if case.persons is not None:
        words["person"] = person
    if decoys:
        words["where"] = f"{quoted(secret)} >= 0"
    return Built(case, path, words, payload, secret)


def _long_form(case: Case, i: int, folder: Path, delimiter: str, header: bool) -> dict[str, Any] | None:
    if not case.has_file[i]:
        return None
    path = folder / f"h{i}.csv"
    path.write_bytes(case.csv(i, delimiter, header).encode())
    return {"hierarchy": path, "delimiter": delimiter, "header": header, "unmapped": case.unmapped[i]}


@dataclass
class World:
    """A database file, hierarchy files beside it, and the words of a run."""

    path: Path
    words: dict[str, Any]

    def run(self, database: Any = None, **more: Any) -> kanon_sql.Result:
        """A run; what is given beats the words."""
        return kanon_sql.anonymize(self.path if database is None else database, **{**self.words, **more})

    def released(self, columns: str = "*", table: str = "released") -> list[tuple[Any, ...]]:
        """The rows of a release, sorted."""
        return query(self.path, f"SELECT {columns} FROM {quoted(table)} ORDER BY ALL")


def world(folder: Path, *statements: str, qi: Mapping[str, Any], **words: Any) -> World:
    """A database file in which the statements have run; a table ``t`` to release as ``released``, k = 2.

    ``qi`` names the quasi-identifiers. A list of lines becomes a hierarchy file ``<column>.csv``; a mapping
    has them under ``lines``, beside the other words of a quasi-identifier; None is no hierarchy.
    """
    columns: dict[str, Any] = {}
    for column, given in qi.items():
        long = dict(given) if isinstance(given, Mapping) else {"lines": given} if given else {}
        text = long.pop("lines", None)
        if text:
            long["hierarchy"] = lines(folder / f"{column}.csv", *text)
        columns[column] = long or None
    path = make(folder / "w.duckdb", *statements)
    return World(path, {"table": "t", "k": 2, "output": "released", "quasi_identifiers": columns, **words})
