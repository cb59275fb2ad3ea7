"""``tracer=`` and ``--trace``: every statement, in order, and nothing of the data."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot

import kanon_sql
from kanon_sql.backends import Executed
from kanon_sql.errors import KanonError
from tests.embedding.support import run
from tests.sources.support import People, command, invoke, make_people, sql

Connection = duckdb.DuckDBPyConnection


class Listening:
    """A connection that writes down what it is asked to do, and how many rows came of it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, sql: str, bindings: Any = None) -> Any:
        self.asked.append(sql)
        return self._connection.execute(sql) if bindings is None else self._connection.execute(sql, bindings)

    def begin(self) -> Any:
        self.asked.append("BEGIN")
        return self._connection.begin()

    def commit(self) -> Any:
        self.asked.append("COMMIT")
        return self._connection.commit()

    def rollback(self) -> Any:
        self.asked.append("ROLLBACK")
        return self._connection.rollback()


@pytest.mark.parametrize("words", [{}, {"plan": "direct"}, {"as_": "view"}, {"person": "id"}], ids=str)
def test_a_tracer_sees_every_statement_in_order(connection: Connection, words: dict[str, Any]) -> None:
    listening, seen = Listening(connection), []
    run(listening, tracer=seen.append, **words)
    assert [event.sql for event in seen] == listening.asked
    assert len(seen) > 20
    assert [event.sql for event in seen if event.sql in ("BEGIN", "COMMIT", "ROLLBACK")] == [
        "BEGIN",
        "COMMIT",
    ]


def test_a_tracer_agrees_with_the_log_of_duckdb(connection: Connection) -> None:
    """DuckDB's own log knows nothing of us."""
    connection.execute("CALL enable_logging('QueryLog', storage = 'memory')")
    seen: list[Executed] = []
    run(connection, tracer=seen.append)
    connection.execute("CALL disable_logging()")
    logged = connection.execute("SELECT message FROM duckdb_logs WHERE type = 'QueryLog' ORDER BY timestamp")
    texts = [_plain(text) for (text,) in logged.fetchall()]
    traced = [_plain(event.sql) for event in seen]
    assert [text for text in texts if text in traced] == [text for text in traced if text in texts]
    missed = [text for text in texts if text not in (*traced, "BEGIN TRANSACTION") and "LOGGING" not in text]
    assert not missed, missed[:3]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ;").upper()


def test_what_a_tracer_is_told(connection: Connection) -> None:
    seen: list[Executed] = []
    begun = time.perf_counter()
    run(connection, tracer=seen.append)
    took = time.perf_counter() - begun
    assert all(event.seconds >= 0 for event in seen)
    assert 0 < sum(event.seconds for event in seen) <= took
    assert all(isinstance(event.rows, int) and event.rows >= 0 for event in seen)
    totals = [event for event in seen if event.name == "check/totals"]
    assert totals
    assert all(event.rows == 1 for event in totals)
    assert str(totals[0]) == totals[0].sql


def test_print_is_a_tracer(connection: Connection, capsys: pytest.CaptureFixture[str]) -> None:
    run(connection, tracer=print)
    assert "CREATE TABLE" in capsys.readouterr().out


def test_a_tracer_that_fails_stops_the_run(connection: Connection) -> None:
    def tracer(event: Executed) -> None:
        if event.name.startswith("release"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(connection, tracer=tracer)
    assert connection.execute("SELECT COUNT(*) FROM duckdb_tables()").fetchall() == [(1,)]


def test_a_statement_that_fails_is_traced_too(connection: Connection) -> None:
    """It is the one that somebody will want to see."""
    connection.execute("CREATE TABLE gone AS FROM people")
    connection.execute("CREATE VIEW seen AS SELECT * REPLACE (CAST(sex AS INTEGER) AS sex) FROM people")
    listening, seen = Listening(connection), []
    with pytest.raises(KanonError):
        run(listening, table="seen", tracer=seen.append)
    # What is dropped at the end is told of as well.
    assert [event.sql for event in seen] == listening.asked
    failed = [event for event in seen if event.failed and event.name != "engine/drop"]
    assert failed
    assert not any(event.failed for event in seen[: seen.index(failed[0])])


def test_check_and_compile_are_traced(connection: Connection) -> None:
    listening, seen = Listening(connection), []
    kanon_sql.check(listening, table="people", quasi_identifiers=["zip"], k=2, tracer=seen.append)
    assert [event.sql for event in seen] == listening.asked
    assert seen


# ---------------------------------------------------------------- --trace


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.chdir(tmp_path)
    return make_people(tmp_path, "people.parquet")


HEAD = re.compile(r"-- (\d+) (\S+): (\d+\.\d+) s, (\d+) row\(s\)")


def trace(people: People, *flags: str, **words: str) -> list[tuple[str, str]]:
    """Name and text of every statement of a trace."""
    done = invoke("run", *people.flags(**words), *flags, "--trace", "trace.sql")
    assert done.returncode == 0, done.stderr
    parts = re.split(r"(?m)^(?=-- \d+ )", Path("trace.sql").read_text())
    found = []
    for i, part in enumerate(parts[1:], 1):
        head, _, text = part.partition("\n")
        matched = HEAD.fullmatch(head)
        assert matched, head
        assert int(matched[1]) == i
        found.append((matched[2], text.strip()))
    assert parts[0] == ""
    return found


def test_a_trace_is_sql(people: People) -> None:
    """Every statement parses, and DuckDB takes every one for a single statement."""
    found = trace(people, db="w.duckdb", table="people", output="released")
    names = [name for name, _ in found]
    assert names.index("begin") < names.index("release/release") < names.index("commit")
    for name, text in found:
        assert len(duckdb.extract_statements(text)) == 1, name
        if name.partition("/")[0] not in ("begin", "commit", "engine"):
            assert sqlglot.parse_one(text, read="duckdb"), name
    assert len(duckdb.extract_statements(Path("trace.sql").read_text())) == len(found)


def test_a_trace_over_files(people: People) -> None:
    found = trace(people, table="people.parquet", output="out.csv")
    assert "release/export" in [name for name, _ in found]
    for name, text in found:
        assert len(duckdb.extract_statements(text)) == 1, name


def test_a_trace_holds_nothing_of_the_data(people: People) -> None:
    """Neither a value that was bound, nor the key of the shuffle, nor a value of a column."""
    sql("UPDATE people SET zip = 'Xq7-secret', diagnosis = 'Zy9-ill' WHERE id = 3", people.database)
    lines = (people.folder / "zip.csv").read_text() + "Xq7-secret;Xq7-group;*\n"
    (people.folder / "zip.csv").write_text(lines)
    trace(people, db="w.duckdb", table="people", output="released")
    text = Path("trace.sql").read_text()
    for secret in ("Xq7", "Zy9", "02130", "flu"):
        assert secret not in text
    assert not re.search(r"[0-9a-f]{64}", text)
    assert "$shuffle_key" in text


def test_a_trace_of_a_run_that_fails_ends_where_it_failed(people: People) -> None:
    done = invoke("run", *people.flags(db="w.duckdb", table="people"), "--k", "401", "--trace", "trace.sql")
    assert done.returncode == 4
    assert "check/totals" in Path("trace.sql").read_text()
    sql("CREATE VIEW seen AS SELECT * REPLACE (CAST(sex AS INTEGER) AS sex) FROM people", people.database)
    done = invoke("run", *people.flags(db="w.duckdb", table="seen"), "--trace", "trace.sql")
    assert done.returncode in (4, 6)
    [failed] = re.findall(r"(?m)^-- \d+ (\S+): [0-9.]+ s, failed$", Path("trace.sql").read_text())
    assert failed


def test_a_trace_grows_while_the_run_runs(people: People) -> None:
    seen: list[int] = []

    def look(event: object) -> None:
        seen.append(Path("trace.sql").stat().st_size)

    from kanon_sql.cli.tracing import tracing

    with tracing("trace.sql") as tracer:
        people.run(people.database, table="people", tracer=tracer, progress=look, dry_run=True)
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[-1]


@pytest.mark.parametrize("file", ["nowhere/trace.sql", ".", "w.duckdb", "age.csv", "people.parquet"])
def test_a_trace_that_cannot_be_written(people: People, file: str) -> None:
    before = Path(file).read_bytes() if Path(file).is_file() else None
    words = {"table": "people.parquet"} if file == "people.parquet" else {"db": "w.duckdb", "table": "people"}
    refused = invoke("run", *people.flags(**words, output="out.csv"), "--trace", file)
    assert refused.returncode == 2
    assert (Path(file).read_bytes() if Path(file).is_file() else None) == before
    assert not Path("out.csv").exists()


def test_a_trace_on_a_full_disk(people: People) -> None:
    """/dev/full takes nothing."""
    refused = command(
        "run", *people.flags(db="w.duckdb", table="people"), "--trace", "/dev/full", cwd=people.folder
    )
    assert refused.returncode in (2, 6), refused.stderr
    assert "Traceback" not in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
