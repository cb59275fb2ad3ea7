"""A connection that is passed in: only the release stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.errors import DatabaseError, KanonError, SpecError
from tests.embedding.support import Wrapper, WrapperError, run, state
from tests.outputs.support import at
from tests.sources.support import PEOPLE

Connection = duckdb.DuckDBPyConnection


@pytest.fixture
def lived_in(connection: Connection, tmp_path: Path) -> Connection:
    """A connection with something of every kind in it."""
    for statement in (
        "CREATE SCHEMA other",
        "CREATE TABLE other.people AS FROM main.people",
        "CREATE TEMP TABLE mine AS SELECT 1 AS x",
        "CREATE TEMP VIEW glance AS FROM mine",
        "CREATE VIEW seen AS FROM main.people",
        "CREATE TYPE mood AS ENUM ('good', 'bad')",
        "CREATE MACRO twice(x) AS 2 * x",
        "CREATE TEMP MACRO thrice(x) AS 3 * x",
        "CREATE SEQUENCE counter START 7",
        "CREATE INDEX by_id ON main.people (id)",
        "SET VARIABLE answer = 42",
        "PREPARE asked AS SELECT 1",
        f"ATTACH '{tmp_path / 'far.duckdb'}' AS far",
        "CREATE TABLE far.people AS FROM main.people",
        "SET threads = 2",
        "SET memory_limit = '900MB'",
        "SET preserve_insertion_order = false",
        "SET TimeZone = 'Asia/Kathmandu'",
        "SET default_null_order = 'nulls_first'",
        "SET enable_progress_bar = false",
        "SET search_path = 'main,other'",
        "USE other",
    ):
        connection.execute(statement)
    return connection


@pytest.mark.parametrize(
    "words",
    [
        {},
        {"plan": "direct"},
        {"table": "main.people"},
        {"person": "id"},
        {"where": "age > 21"},
        {"table": "far.people"},
        {"dry_run": True},
        {"output": "{tmp}/out.parquet"},
        {"as_": "view"},
    ],
    ids=str,
)
def test_only_the_release_stays(lived_in: Connection, tmp_path: Path, words: dict[str, Any]) -> None:
    if "output" in words:
        words = {"output": str(tmp_path / "out.parquet")}
    before = state(lived_in)
    result = run(lived_in, **words)
    after = state(lived_in)
    added = {row[2] for row in set(after["tables"]) - set(before["tables"])}
    views = {row[2] for row in set(after["views"]) - set(before["views"])}
    if words.get("dry_run") or "output" in words:
        assert (added, views) == (set(), set())
    elif words.get("as_") == "view":
        assert (added, views) == ({"released_map_zip", "released_map_sex"}, {"released"})
    else:
        assert (added, views) == ({"released"}, set())
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"tables", "views", "constraints"}
    assert set(before["tables"]) <= set(after["tables"])
    if not words.get("dry_run"):
        assert result.to_arrow().num_rows == result.released
        list(result.to_reader(batch_size=7))
        assert state(lived_in) == after


def test_objects_of_the_caller_stay_registered(connection: Connection) -> None:
    arrow = connection.sql("SELECT 1 AS x").to_arrow_table()
    connection.register("given", arrow)
    connection.create_function("plus_one", lambda x: x + 1, ["BIGINT"], "BIGINT")
    before = state(connection)
    run(connection)
    after = state(connection)
    assert after["views"] == before["views"]
    assert after["functions"] == before["functions"]
    assert connection.execute("SELECT plus_one(x) FROM given").fetchall() == [(2,)]


@pytest.mark.parametrize("phase", ["hierarchies", "frequency_set", "search", "release", "verification"])
def test_a_run_that_breaks(lived_in: Connection, phase: str) -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    before = state(lived_in)
    with pytest.raises(Stop):
        run(lived_in, progress=at(phase, stop))
    assert state(lived_in) == before
    lived_in.begin()  # no transaction is open
    lived_in.rollback()


@pytest.mark.parametrize(
    "words",
    [{"k": 401}, {"table": "nothing"}, {"quasi_identifiers": ["nothing"]}, {"output": "people"}, {"k": 0}],
    ids=str,
)
def test_a_run_that_is_refused(lived_in: Connection, words: dict[str, Any]) -> None:
    before = state(lived_in)
    with pytest.raises(KanonError):
        run(lived_in, **words)
    assert state(lived_in) == before


def test_check_and_compile(lived_in: Connection) -> None:
    before = state(lived_in)
    kanon_sql.check(lived_in, table="people", quasi_identifiers=["zip"], k=2)
    for what in ("check", "release", "setup"):
        kanon_sql.compile(
            lived_in,
            table="people",
            quasi_identifiers=["zip"],
            what=what,
            vector={"zip": 1},
            plan="frequency",
        ) if what == "setup" else kanon_sql.compile(
            lived_in, table="people", quasi_identifiers=["zip"], what=what, vector={"zip": 1}
        )
    assert state(lived_in) == before


# ---------------------------------------------------------------- transactions and results


def test_an_open_transaction_is_refused_and_untouched(connection: Connection) -> None:
    connection.begin()
    connection.execute("CREATE TABLE pending AS SELECT 1 AS x")
    before = state(connection)
    with pytest.raises(SpecError, match="open transaction") as refused:
        run(connection)
    assert refused.value.exit_code == 2
    assert "commit or roll back" in str(refused.value)
    assert state(connection) == before
    connection.commit()
    assert connection.execute("FROM pending").fetchall() == [(1,)]
    assert run(connection).released == 400


def test_a_transaction_of_another_cursor_is_none_of_ours(connection: Connection) -> None:
    other = connection.cursor()
    other.begin()
    other.execute("INSERT INTO people SELECT 9999, 1, 'x', 'f', NULL, NULL, NULL FROM range(50)")
    assert run(connection).rows == 400
    other.rollback()


def test_a_pending_result(connection: Connection) -> None:
    """What the caller has not fetched is a result of that connection: DuckDB keeps one at a time."""
    asked = connection.execute("SELECT i FROM range(500000) AS n(i)")
    assert asked.fetchone() == (0,)
    try:
        found = run(connection)
    except DatabaseError as refused:
        assert refused.exit_code == 6
        assert "connection" in str(refused)
        rest = asked.fetchall()
        assert rest[0] == (1,)
        assert len(rest) == 499_999
        found = run(connection)
    assert found.released == 400


def test_a_pending_reader_on_another_cursor(connection: Connection) -> None:
    reader = connection.cursor().sql("SELECT i FROM range(500000) AS n(i)").to_arrow_reader(1000)
    reader.read_next_batch()
    assert run(connection).released == 400
    assert sum(batch.num_rows for batch in reader) == 499_000


def test_a_closed_connection(connection: Connection) -> None:
    closed = connection.cursor()
    closed.close()
    for call in (
        lambda: run(closed),
        lambda: kanon_sql.check(closed, table="people", quasi_identifiers=["zip"], k=2),
        lambda: kanon_sql.compile(closed, table="people", quasi_identifiers=["zip"], what="setup"),
    ):
        with pytest.raises(DatabaseError) as refused:
            call()
        assert refused.value.exit_code == 6
        assert "\n" not in str(refused.value)
        assert "closed" in str(refused.value)


def test_a_connection_that_is_busy_in_another_thread(connection: Connection) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(
            lambda: connection.execute("SELECT SUM(hash(i)) FROM range(400000000) AS n(i)").fetchall()
        )
        try:
            while not busy.running():
                pass
            run(connection)
        except KanonError as refused:
            assert refused.exit_code == 6
        finally:
            while not busy.done():
                connection.interrupt()
    assert run(connection, overwrite=True).released == 400


def test_a_read_only_connection(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(f"CREATE TABLE people AS {PEOPLE}")
    with duckdb.connect(str(path), read_only=True) as reading:
        before = state(reading)
        assert run(reading, dry_run=True).released == 400
        assert run(reading, output=str(tmp_path / "out.parquet")).released == 400
        with pytest.raises(DatabaseError):
            run(reading)
        assert state(reading) == before


# ---------------------------------------------------------------- wrappers


def test_a_cursor_wrapper(connection: Connection) -> None:
    wrapper = Wrapper(connection.cursor())
    before = state(connection)
    assert not isinstance(wrapper, Connection)
    assert run(wrapper).released == 400
    assert {row[2] for row in set(state(connection)["tables"]) - set(before["tables"])} == {"released"}


def test_a_temporary_table_of_a_wrapped_cursor(connection: Connection) -> None:
    cursor = connection.cursor()
    cursor.execute("CREATE TEMP TABLE stage AS FROM people WHERE age > 30")
    found = run(Wrapper(cursor), table="stage")
    assert found.rows == connection.execute("SELECT COUNT(*) FROM people WHERE age > 30").fetchall()[0][0]
    with pytest.raises(KanonError, match="stage"):
        run(connection, table="stage", overwrite=True)


def test_a_relation_of_a_wrapped_cursor(connection: Connection) -> None:
    """What ``dbt.ref()`` gives to a Python model."""
    cursor = connection.cursor()
    relation = cursor.sql('SELECT * FROM "memory"."main"."people"')
    assert run(Wrapper(cursor), table=relation).released == 400


def test_errors_through_a_wrapper(connection: Connection) -> None:
    wrapper = Wrapper(connection.cursor())
    with pytest.raises(KanonError):
        run(wrapper, table="nothing")
    with pytest.raises(KanonError):
        run(wrapper, where="nothing(age)")
    wrapper.close()
    with pytest.raises((KanonError, WrapperError)) as refused:
        run(wrapper)
    assert "closed" in str(refused.value)


@pytest.mark.parametrize("thing", [7, object(), {"a": 1}, [1], pytest, print])
def test_what_is_no_connection(thing: object) -> None:
    with pytest.raises(SpecError, match="connection") as refused:
        run(thing)
    assert refused.value.exit_code == 2
