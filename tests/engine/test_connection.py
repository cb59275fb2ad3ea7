"""A connection that is passed in is left as it was found, but for the release (DESIGN 5.13)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.api import Phase
from kanon_sql.errors import DataError, KanonError, NoSolutionError, SpecError
from tests.engine.support import lines

Connection = duckdb.DuckDBPyConnection


@pytest.fixture
def connection() -> Iterator[Connection]:
    with duckdb.connect() as made:
        made.execute("CREATE TABLE t AS SELECT i % 4 AS age, 'v' || i AS visit FROM range(40) AS n(i)")
        made.execute("CREATE TEMP TABLE mine AS SELECT 1 AS x")
        made.execute("CREATE SCHEMA other")
        yield made


def run(connection: Any, **words: Any) -> kanon_sql.Result:
    asked: dict[str, Any] = {"table": "t", "k": 5, "quasi_identifiers": ["age"], "output": "released"}
    return kanon_sql.anonymize(connection, **{**asked, **words})


def state(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """All of a connection that a run might leave something in."""
    questions = {
        "tables": "SELECT database_name, schema_name, table_name, temporary FROM duckdb_tables() ORDER BY ALL",
        "views": "SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
        "settings": "SELECT name, value FROM duckdb_settings() ORDER BY ALL",
        "databases": "SELECT database_name, path FROM duckdb_databases() ORDER BY ALL",
        "schemas": "SELECT database_name, schema_name FROM duckdb_schemas() ORDER BY ALL",
        "types": "SELECT type_name FROM duckdb_types() WHERE NOT internal ORDER BY ALL",
        "macros": "SELECT function_name FROM duckdb_functions() WHERE NOT internal ORDER BY ALL",
        "session": "SELECT current_database(), current_schema(), current_schemas(true)",
        "variables": "SELECT name FROM duckdb_variables() ORDER BY ALL",
        "prepared": "SELECT name FROM duckdb_prepared_statements() ORDER BY ALL",
    }
    return {name: connection.execute(sql).fetchall() for name, sql in questions.items()}


def test_only_the_release_stays(connection: Connection) -> None:
    connection.execute("SET search_path = 'other,main'")
    connection.execute("USE other")
    connection.execute("SET threads = 2")
    connection.execute("CREATE TABLE other.t AS FROM main.t")
    before = state(connection)
    result = run(connection)
    assert result.output == "released"
    after = state(connection)
    assert set(after["tables"]) - set(before["tables"]) == {("memory", "other", "released", False)}
    assert {k: v for k, v in after.items() if k != "tables"} == {
        k: v for k, v in before.items() if k != "tables"
    }
    assert result.to_arrow().num_rows == 40
    assert state(connection) == after


@pytest.mark.parametrize(
    "words",
    [
        {"k": 41},
        {"k": 11, "vector": "age=0"},
        {"where": "random() < 1"},
        {"where": "nonsense(age)"},
        {"quasi_identifiers": ["agee"]},
        {"output": "t"},
        {"dry_run": True},
        {"plan": "direct", "dry_run": True},
    ],
)
def test_a_run_that_releases_nothing_leaves_nothing(connection: Connection, words: dict[str, Any]) -> None:
    before = state(connection)
    try:
        run(connection, **words)
    except KanonError:
        assert not words.get("dry_run")
    else:
        assert words.get("dry_run")
    assert state(connection) == before


@pytest.mark.parametrize("phase", ["hierarchies", "frequency_set", "search", "release", "verification"])
def test_a_run_that_breaks_leaves_nothing(connection: Connection, phase: str) -> None:
    before = state(connection)

    def fail(event: object) -> None:
        if event == Phase(phase):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(connection, progress=fail)
    assert state(connection) == before
    connection.begin()  # no transaction is open
    connection.rollback()
    assert run(connection).released == 40


def test_an_open_transaction_is_refused_and_stays_open(connection: Connection) -> None:
    connection.begin()
    connection.execute("CREATE TABLE pending AS SELECT 1 AS x")
    with pytest.raises(SpecError, match="open transaction") as refused:
        run(connection)
    assert refused.value.exit_code == 2
    connection.rollback()
    with pytest.raises(duckdb.CatalogException):
        connection.execute("FROM pending")


def test_an_open_transaction_that_has_failed_is_refused(connection: Connection) -> None:
    connection.begin()
    with pytest.raises(duckdb.Error):
        connection.execute("SELECT CAST('x' AS INTEGER)")
    with pytest.raises(KanonError):
        run(connection)
    connection.rollback()
    assert run(connection).released == 40


def test_a_closed_connection_and_no_connection_at_all(connection: Connection) -> None:
    connection.close()
    with pytest.raises(KanonError):
        run(connection)
    with pytest.raises(SpecError):
        run(object())
    with pytest.raises(SpecError):
        run(None)


def test_a_seed_does_not_fix_the_order(connection: Connection) -> None:
    connection.execute("SET threads = 1")
    orders = []
    for name in ("first", "second"):
        connection.execute("SELECT setseed(0.25)")
        run(connection, output=name, keep=["visit"])
        orders.append(connection.execute(f"SELECT visit FROM {name}").fetchall())
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]
    assert orders[0] != sorted(orders[0], key=lambda row: int(row[0][1:]))


def test_a_cursor_and_a_wrapper_will_do(connection: Connection) -> None:
    assert run(connection.cursor(), output="one").released == 40

    class Wrapper:
        def __getattr__(self, name: str) -> Any:
            return getattr(connection, name)

    assert run(Wrapper(), output="two").released == 40


def test_a_temporary_table_is_a_source(connection: Connection) -> None:
    connection.execute("CREATE TEMP TABLE visits AS SELECT i % 2 AS age FROM range(20) AS n(i)")
    connection.execute("CREATE TABLE main.visits AS SELECT 1 AS age")  # hidden by the temporary one
    assert run(connection, table="visits").rows == 20


def test_an_attached_database_is_a_source_and_a_target(connection: Connection, tmp_path: Path) -> None:
    connection.execute(f"ATTACH '{tmp_path / 'far.duckdb'}' AS \"far away\"")
    connection.execute('CREATE TABLE "far away".main.t AS SELECT 1 AS age FROM range(9)')
    before = state(connection)
    assert run(connection, table='"far away".main.t', output='"far away".main.out').released == 9
    assert run(connection, table='"far away".t').released == 9
    added = set(state(connection)["tables"]) - set(before["tables"])
    assert added == {("far away", "main", "out", False), ("memory", "main", "released", False)}


def test_hierarchies_on_a_connection(connection: Connection, tmp_path: Path) -> None:
    file = lines(tmp_path / "age.csv", "0;low;*", "1;low;*", "2;high;*", "3;high;*")
    result = run(connection, quasi_identifiers={"age": {"hierarchy": file, "header": False}}, k=20)
    assert result.vector == {"age": 1}
    assert connection.execute("SELECT DISTINCT age FROM released ORDER BY 1").fetchall() == [
        ("high",),
        ("low",),
    ]


def test_a_read_only_connection(connection: Connection, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as made:
        made.execute("CREATE TABLE t AS SELECT i % 2 AS age FROM range(20) AS n(i)")
    with duckdb.connect(str(tmp_path / "w.duckdb"), read_only=True) as reading:
        before = state(reading)
        assert run(reading, dry_run=True).released == 20
        with pytest.raises(KanonError):
            run(reading)
        assert state(reading) == before


def test_a_pending_result_is_the_callers(connection: Connection) -> None:
    """What the caller has not fetched yet is either still there, or the run is refused."""
    pending = connection.cursor()
    pending.execute("SELECT i FROM range(100000) AS n(i)")
    assert pending.fetchone() == (0,)
    assert run(connection).released == 40
    assert pending.fetchone() == (1,)


def test_check_and_compile_leave_nothing(connection: Connection) -> None:
    before = state(connection)
    assert kanon_sql.check(connection, table="t", quasi_identifiers=["age"], k=5).satisfied
    kanon_sql.compile(connection, table="t", quasi_identifiers=["age"], what="setup", plan="frequency")
    assert state(connection) == before


def test_errors_name_the_near_match(connection: Connection) -> None:
    with pytest.raises(DataError, match="mine"):
        run(connection, table="mien")
    with pytest.raises(NoSolutionError):
        run(connection, k=11, vector="age=0")
