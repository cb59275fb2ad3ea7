"""Other processes: one that holds the database, one that changes the source, one that stops reading."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.support import finished, started
from tests.forked import Forked
from tests.outputs.support import digest, strays, tables, write_source
from tests.sources.support import PEOPLE, People, environment, invoke, make_people, only_line, sql


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.chdir(tmp_path)
    return make_people(tmp_path, "people.parquet")


@contextmanager
def held(path: Path, *, read_only: bool) -> Iterator[int]:
    """Another process that has the database open; gives its id."""
    script = (
        "import duckdb, sys\n"
        f"held = duckdb.connect({str(path)!r}, read_only={read_only})\n"
        "print('open', flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process.pid
    finally:
        process.kill()
        process.communicate()


# ---------------------------------------------------------------- locks


def test_a_database_that_another_process_writes(people: People) -> None:
    flags = people.flags(db="w.duckdb", table="people", output="released")
    with held(people.database, read_only=False) as holder:
        for more in ([], ["--dry-run"], ["--output", "out.parquet"]):
            refused = invoke("run", *flags, *more)
            assert refused.returncode == 6, refused.stderr
            assert f"locked by process {holder} (python" in only_line(refused)
            assert "w.duckdb" in only_line(refused)
    assert tables(people.database) == ["main.people"]
    assert not (people.folder / "out.parquet").exists()


def test_a_reader_beside_a_reader(people: People) -> None:
    flags = people.flags(db="w.duckdb", table="people")
    with held(people.database, read_only=True) as holder:
        dry = invoke("run", *flags, "--dry-run", "--json")
        assert dry.returncode == 0, dry.stderr
        assert json.loads(dry.stdout)["released"] == 387
        check = invoke("check", "--db", "w.duckdb", "--table", "people", "--qi", "sex")
        assert check.returncode == 0, check.stderr
        file = invoke("run", *flags, "--output", "out.parquet")
        assert file.returncode == 0, file.stderr
        writing = invoke("run", *flags, "--output", "released")
        assert writing.returncode == 6
        assert f"process {holder}" in only_line(writing)
        assert "read" in only_line(writing)
    assert tables(people.database) == ["main.people"]


def test_an_output_database_that_another_process_holds(people: People) -> None:
    other = people.folder / "other.duckdb"
    sql("CREATE TABLE released AS SELECT 'old' AS was", other)
    flags = people.flags(db="w.duckdb", table="people", output="released", output_db="other.duckdb")
    with held(other, read_only=True) as holder:
        refused = invoke("run", *flags, "--overwrite")
        assert refused.returncode == 6
        line = only_line(refused)
        assert f"process {holder}" in line
        assert "other.duckdb" in line, "the message names the wrong file"
    assert sql("FROM released", other) == [("old",)]


# ---------------------------------------------------------------- a source that changes


@pytest.mark.parametrize("output", ["out.parquet", "out.csv"])
def test_a_source_that_is_replaced_between_search_and_release(people: People, output: str) -> None:
    (people.folder / output).write_bytes(b"old")
    write_source(people.folder / "next.parquet", f"FROM ({PEOPLE}) WHERE id % 3 > 0")
    flags = people.flags(table="people.parquet", output=output)
    code, text = finished(
        people.folder,
        "run",
        *flags,
        "--overwrite",
        "--no-progress",
        at="@release",
        action=["next.parquet", "people.parquet"],
    )
    assert code == 7, text
    assert "did not verify" in text
    assert len(text.splitlines()) == 1
    assert (people.folder / output).read_bytes() == b"old"
    assert strays(people.folder) == []


def test_a_source_that_is_replaced_and_a_table(people: People) -> None:
    sql("CREATE TABLE released AS SELECT 'old' AS was", people.database)
    write_source(people.folder / "next.parquet", f"FROM ({PEOPLE}) WHERE id % 3 > 0")
    flags = people.flags(table="people.parquet", output="released", output_db="w.duckdb")
    code, text = finished(
        people.folder,
        "run",
        *flags,
        "--overwrite",
        "--no-progress",
        at="@release",
        action=["next.parquet", "people.parquet"],
    )
    assert code == 7, text
    assert sql("FROM released", people.database) == [("old",)]


# ---------------------------------------------------------------- nobody reads on


@pytest.mark.parametrize(
    "arguments",
    [["run", "--json"], ["run"], ["run", "--dry-run"], ["check"], ["sql", "--vector", "age=1,zip=0,sex=0"]],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_stdout_closed_early(people: People, arguments: list[str]) -> None:
    flags = people.flags(db="w.duckdb", table="people")
    if arguments[0] == "check":
        flags = ["--db", "w.duckdb", "--table", "people", "--qi", "sex"]
    if arguments[0] == "sql":
        flags = [flag for flag in flags if flag not in ("--max-suppression", "8%")]
    process = Forked([*arguments, *flags], cwd=people.folder, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(timeout=60) == 0, errors
    assert errors == ""
    if arguments[0] == "run" and "--dry-run" not in arguments:
        assert tables(people.database) == ["main.people", "main.people_k5"]


def test_stdout_that_takes_nothing(people: People) -> None:
    """A full disk behind stdout: the release stands; that it could not be told of is said in one line."""
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [
                sys.executable,
                "-m",
                "kanon_sql",
                "run",
                "--json",
                *people.flags(db="w.duckdb", table="people"),
            ],
            cwd=people.folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert "Traceback" not in process.stderr
    assert process.returncode != 0
    assert tables(people.database) == ["main.people", "main.people_k5"]


def test_no_home_and_no_terminal(people: People) -> None:
    before = digest(people.folder)
    with started(people.folder, "run", *people.flags(db="w.duckdb", table="people"), "--dry-run") as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "387" in output
    assert digest(people.folder) == before
