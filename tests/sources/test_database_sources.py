"""Tables, views, schemas and attached databases as sources: the same people, the same answer."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import duckdb
import pytest

from kanon_sql.backends.duckdb_errors import translate
from kanon_sql.errors import DatabaseError, DataError
from tests.sources.support import PEOPLE, Answer, People, answer, command, invoke, only_line, sql

# The Python of an environment with another version of DuckDB, where there is one (.ci/run makes it).
OTHER_DUCKDB = os.environ.get("KANON_OTHER_PYTHON")


@pytest.mark.parametrize(
    ("made", "table"),
    [
        ("CREATE VIEW seen AS FROM people", "seen"),
        ("CREATE SCHEMA clinic; CREATE TABLE clinic.visits AS FROM people", "clinic.visits"),
        ('CREATE SCHEMA "a.b"; CREATE VIEW "a.b"."c d" AS FROM main.people', '"a.b"."c d"'),
        ("CREATE SCHEMA clinic; CREATE VIEW clinic.people AS FROM main.people", "clinic.people"),
        ("SELECT 1", "w.main.people"),
        ("SELECT 1", "w.people"),
        ("SELECT 1", "PEOPLE"),
    ],
)
def test_every_name_in_a_database(people: People, expected: Answer, made: str, table: str) -> None:
    sql(made, people.database)
    assert answer(people.run(people.database, table=table, output="released")) == expected


def test_a_table_named_like_a_file_is_the_table(people: People, expected: Answer) -> None:
    sql('CREATE TABLE "people.csv" AS FROM people', people.database)
    (people.folder / "people.csv").write_text("age,zip,sex\n1,2,3\n")
    found = people.run(people.database, table='"people.csv"', output="released")
    assert answer(found) == expected


def test_tables_of_an_attached_database(people: People, expected: Answer) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{people.database}' AS far (READ_ONLY)")
        connection.execute("CREATE SCHEMA here")
        for table in ("far.main.people", "far.people"):
            found = people.run(connection, table=table, output="memory.here.released", overwrite=True)
            assert answer(found) == expected
        with pytest.raises(DataError, match="far"):
            people.run(connection, table="far.main.peopel", output="memory.here.released")


def test_a_view_over_an_attached_database(people: People, expected: Answer) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{people.database}' AS far (READ_ONLY)")
        connection.execute("CREATE VIEW near AS FROM far.people")
        assert answer(people.run(connection, table="near", output="released")) == expected


def test_a_temporary_view_as_a_source(people: People, expected: Answer) -> None:
    with duckdb.connect(str(people.database)) as connection:
        connection.execute("CREATE TEMP VIEW mine AS FROM people")
        assert answer(people.run(connection, table="mine", output="released")) == expected


def test_a_view_of_another_schema_that_leaves_out_the_schema_of_its_table(people: People) -> None:
    """DuckDB itself finds such a table only where the file is the current database: a limit, said clearly."""
    sql("CREATE SCHEMA clinic; CREATE VIEW clinic.seen AS FROM people", people.database)
    with pytest.raises(DatabaseError, match="people does not exist"):
        people.run(people.database, table="clinic.seen", output="released")
    with duckdb.connect(str(people.database)) as connection:
        assert people.run(connection, table="clinic.seen", output="released").released == 387


def test_a_view_that_does_not_work_any_more(people: People) -> None:
    sql("CREATE TABLE gone AS FROM people; CREATE VIEW seen AS FROM gone; DROP TABLE gone", people.database)
    with pytest.raises(DatabaseError, match="gone"):
        people.run(people.database, table="seen", output="released")


# ---------------------------------------------------------------- files of other versions


def test_a_file_in_the_format_of_duckdb_1_5(people: People, expected: Answer) -> None:
    old = people.folder / "old.duckdb"
    sql(f"ATTACH '{old}' AS old (STORAGE_VERSION 'v1.5.0'); CREATE TABLE old.people AS {PEOPLE}; DETACH old")
    before = _tags(old)
    assert answer(people.run(old, table="people", output="released")) == expected
    assert _tags(old) == before, "the file was upgraded"


if OTHER_DUCKDB:

    def test_a_file_that_another_duckdb_wrote(people: People, expected: Answer) -> None:
        old = people.folder / "old.duckdb"
        script = f"import duckdb; duckdb.connect({str(old)!r}).execute('''CREATE TABLE people AS {PEOPLE}''')"
        subprocess.run([OTHER_DUCKDB, "-c", script], check=True, timeout=60)
        assert answer(people.run(old, table="people", output="released")) == expected

    def test_a_file_of_this_duckdb_under_another(people: People) -> None:
        flags = people.flags(db=str(people.database), table="people")
        process = subprocess.run(
            [OTHER_DUCKDB, "-m", "kanon_sql", "run", *flags],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert process.returncode == 6
        line = only_line(process)
        assert "w.duckdb" in line
        assert "another version of DuckDB" in line
        assert "version number 69" in line


def test_the_words_of_duckdb_1_5_about_a_newer_file() -> None:
    """What 1.5.6 says of a file of 2.0, word for word, as a person is told of it."""
    said = (
        "IO Error: Trying to read a database file with version number 69, but we can only read versions between"
        " 64 and 68.\nThe database file was created with a newer version of DuckDB.\n\nThe storage of DuckDB is"
    )
    error = translate(duckdb.IOException(said), "w.duckdb", "engine/attach")
    assert isinstance(error, DatabaseError)
    assert (error.exit_code, "\n" in str(error)) == (6, False)
    assert str(error).startswith("w.duckdb: the file was written by another version of DuckDB")
    assert "version number 69, but we can only read versions between 64 and 68" in str(error)


@pytest.mark.parametrize("damage", ["header", "cut", "other"])
def test_a_file_that_is_damaged(people: People, damage: str) -> None:
    content = bytearray(people.database.read_bytes())
    if damage == "header":
        content[12] = 250
    elif damage == "cut":
        del content[len(content) // 3 :]
    else:
        content[:] = b"SQLite format 3\0" + bytes(4080)
    people.database.write_bytes(content)
    flags = people.flags(db=str(people.database), table="people", output="released")
    refused = invoke("run", *flags)
    assert refused.returncode == 6, (refused.stdout, refused.stderr)
    assert "w.duckdb" in only_line(refused)
    assert people.database.read_bytes() == bytes(content)


def test_the_command_line_over_an_old_file(people: People) -> None:
    old = people.folder / "old.duckdb"
    sql(f"ATTACH '{old}' AS old (STORAGE_VERSION 'v1.5.0'); CREATE TABLE old.people AS {PEOPLE}")
    flags = people.flags(db=str(old), table="people", output="released")
    done = command("run", *flags, "--json", cwd=people.folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["released"] == 387


def _tags(path: Path) -> int:
    """The storage version in a file's header."""
    return path.read_bytes()[12]
