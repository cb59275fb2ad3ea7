"""Several runs in one process, and runs outside the main thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

import kanon_sql
from kanon_sql.errors import DatabaseError
from tests.embedding.support import run, state
from tests.sources.support import PEOPLE, Answer, People, answer, make_people, sql

Connection = duckdb.DuckDBPyConnection


def together(*jobs: Callable[[], kanon_sql.Result]) -> list[kanon_sql.Result | Exception]:
    """Start the jobs at the same moment, each in a thread of its own."""
    gate = threading.Barrier(len(jobs))

    def start(job: Callable[[], kanon_sql.Result]) -> kanon_sql.Result | Exception:
        gate.wait()
        try:
            return job()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(start, jobs))


def test_two_cursors_of_one_database(connection: Connection) -> None:
    before = state(connection)
    cursors = [connection.cursor() for _ in range(4)]
    found = together(
        *(
            lambda cursor=cursor, i=i: run(cursor, output=f"released_{i}", k=2 + i)  # type: ignore[misc]
            for i, cursor in enumerate(cursors)
        )
    )
    assert [result.released for result in found if isinstance(result, kanon_sql.Result)] == [400] * 4
    after = state(connection)
    added = {row[2] for row in set(after["tables"]) - set(before["tables"])}
    assert added == {f"released_{i}" for i in range(4)}
    for i, cursor in enumerate(cursors):
        assert state(cursor)["tables"] == after["tables"], i


def test_two_cursors_with_one_output(connection: Connection) -> None:
    """One of them wins; the other is refused in words, and what stands there is whole."""
    cursors = [connection.cursor() for _ in range(2)]
    found = together(
        *(lambda cursor=cursor: run(cursor) for cursor in cursors)  # type: ignore[misc]
    )
    won = [result for result in found if isinstance(result, kanon_sql.Result)]
    lost = [error for error in found if not isinstance(error, kanon_sql.Result)]
    assert won
    for error in lost:
        assert isinstance(error, kanon_sql.KanonError), error
    assert connection.execute("SELECT COUNT(*) FROM released").fetchall() == [(400,)]


def test_two_files(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    both = [make_people(folder) for folder in folders]
    found = together(
        *(
            lambda each=each: each.run(each.database, table="people", output="released")  # type: ignore[misc]
            for each in both
        )
    )
    answers: list[Answer] = [answer(result) for result in found if isinstance(result, kanon_sql.Result)]
    assert len(answers) == 2, found
    assert answers[0] == answers[1]


def test_two_runs_over_one_file(tmp_path: Path) -> None:
    """Reading shares the file; writing into it does not, and says so."""
    people = make_people(tmp_path)
    dry = together(*[lambda: people.run(people.database, table="people", dry_run=True)] * 3)
    assert all(isinstance(result, kanon_sql.Result) for result in dry), dry
    files = together(
        *(
            lambda i=i: people.run(people.database, table="people", output=tmp_path / f"out{i}.parquet")  # type: ignore[misc]
            for i in range(2)
        )
    )
    assert all(isinstance(result, kanon_sql.Result) for result in files), files
    writing = together(
        *(
            lambda i=i: people.run(people.database, table="people", output=f"released_{i}")  # type: ignore[misc]
            for i in range(2)
        )
    )
    for error in writing:
        if not isinstance(error, kanon_sql.Result):
            assert isinstance(error, DatabaseError), error
            assert "this very process" in str(error)
    assert any(isinstance(result, kanon_sql.Result) for result in writing)


def test_a_run_in_a_thread(tmp_path: Path) -> None:
    people = make_people(tmp_path)
    kept: list[kanon_sql.Result] = []
    thread = threading.Thread(
        target=lambda: kept.append(people.run(people.database, table="people", output="released"))
    )
    thread.start()
    thread.join()
    assert kept[0].released == 387
    assert kept[0].to_arrow().num_rows == 387  # read in another thread than it was made in


def test_a_result_in_memory_of_another_thread(tmp_path: Path) -> None:
    people = make_people(tmp_path, "people.parquet")
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(lambda: people.run(table=tmp_path / "people.parquet")).result()
    assert result.to_arrow().num_rows == 387
    assert sum(batch.num_rows for batch in result.to_reader(batch_size=50)) == 387


def test_threads_leave_no_threads(tmp_path: Path) -> None:
    people = make_people(tmp_path)
    before = {thread.name for thread in threading.enumerate()}
    for _ in range(3):
        people.run(people.database, table="people", dry_run=True)
    left = {thread.name for thread in threading.enumerate() if thread.name.startswith("kanon-sql")}
    assert left <= before


def test_a_run_inside_a_callback_of_a_run(connection: Connection, tmp_path: Path) -> None:
    """A program may look at its own data from a callback."""
    other = tmp_path / "other.duckdb"
    sql(f"CREATE TABLE people AS {PEOPLE}", other)
    inner: list[int] = []

    def progress(event: object) -> None:
        if not inner:
            inner.append(run(other).released)

    assert run(connection, progress=progress).released == 400
    assert inner == [400]


def make(tmp_path: Path) -> People:
    return make_people(tmp_path)
