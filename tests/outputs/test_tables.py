"""Tables as releases: in the database of the source, in one of its schemas, in another file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kanon_sql.errors import DatabaseError, DataError, SpecError
from kanon_sql.release import fresh_shuffle_key
from tests.outputs.support import digest, strays, tables
from tests.sources.support import Answer, People, answer, invoke, only_line, sql

COLUMNS = "age, zip, sex, diagnosis, admitted, weight"


def rows(path: Path, table: str) -> Counter[tuple[Any, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return Counter(connection.execute(f"SELECT {COLUMNS} FROM {table}").fetchall())


def test_a_table_of_the_same_database(people: People, expected: Answer) -> None:
    found = people.run(people.database, table="people", output="released")
    assert found.output == "released"
    assert tables(people.database) == ["main.people", "main.released"]
    assert rows(people.database, "released") == expected[2]


def test_a_table_of_a_schema(people: People, expected: Answer) -> None:
    sql('CREATE SCHEMA "out going"', people.database)
    found = people.run(people.database, table="people", output='"out going".released')
    assert found.output == '"out going".released'
    assert answer(found) == expected
    assert rows(people.database, '"out going".released') == expected[2]


def test_a_schema_that_is_missing(people: People) -> None:
    sql("CREATE SCHEMA clinic", people.database)
    with pytest.raises(DataError, match="did you mean 'clinic'"):
        people.run(people.database, table="people", output="clinc.released")
    assert tables(people.database) == ["main.people"]


def test_the_default_name(people: People) -> None:
    assert people.run(people.database, table="people").output == "people_k5"


# ---------------------------------------------------------------- another database file


def test_a_new_database_file(people: People, expected: Answer) -> None:
    before = digest(people.database)
    other = people.folder / "new.duckdb"
    found = people.run(people.database, table="people", output_db=other, output="released")
    assert answer(found) == expected
    assert tables(other) == ["main.released"]
    assert digest(people.database) == before, "the source's file was written"


def test_a_new_database_file_under_the_default_name(people: People) -> None:
    people.run(people.database, table="people", output_db=people.folder / "new.duckdb")
    assert tables(people.folder / "new.duckdb") == ["main.people_k5"]


def test_a_database_file_that_is_there_already(people: People, expected: Answer) -> None:
    other = people.folder / "other.duckdb"
    sql("CREATE TABLE mine AS SELECT 1 AS x; CREATE SCHEMA s", other)
    found = people.run(people.database, table="people", output_db=other, output="s.released")
    assert answer(found) == expected
    assert tables(other) == ["main.mine", "s.released"]
    assert sql("FROM mine", other) == [(1,)]


def test_the_same_file_as_output_db(people: People, expected: Answer) -> None:
    link = people.folder / "link.duckdb"
    link.symlink_to(people.database)
    for i, other in enumerate((people.database, people.folder / "." / "w.duckdb", link)):
        found = people.run(people.database, table="people", output_db=other, output=f"released{i}")
        assert answer(found) == expected


def test_another_file_of_the_same_name(people: People, expected: Answer) -> None:
    (people.folder / "there").mkdir()
    other = people.folder / "there" / "w.duckdb"
    found = people.run(people.database, table="people", output_db=other, output="people")
    assert answer(found) == expected
    assert tables(other) == ["main.people"]


def test_a_taken_name_in_the_other_database(people: People) -> None:
    other = people.folder / "other.duckdb"
    sql("CREATE TABLE released AS SELECT 'old' AS was", other)
    with pytest.raises(SpecError, match="exists already"):
        people.run(people.database, table="people", output_db=other, output="released")
    assert sql("FROM released", other) == [("old",)]
    people.run(people.database, table="people", output_db=other, output="released", overwrite=True)
    assert sql("SELECT COUNT(*) FROM released", other) == [(387,)]


@pytest.mark.parametrize("kind", ["folder", "no database", "no folder", "a file as folder", "proc"])
def test_an_output_db_that_cannot_be(people: People, kind: str) -> None:
    place = {
        "folder": people.folder / "temporary",
        "no database": people.folder / "age.csv",
        "no folder": people.folder / "nowhere" / "new.duckdb",
        "a file as folder": people.folder / "age.csv" / "new.duckdb",
        "proc": Path("/proc/new.duckdb"),
    }[kind]
    before = digest(place) if place.is_file() else {}
    flags = people.flags(db=str(people.database), table="people", output_db=str(place), output="released")
    refused = invoke("run", *flags)
    assert refused.returncode in (2, 6), (refused.stdout, refused.stderr)
    assert only_line(refused).startswith("error: ")
    assert (digest(place) if place.is_file() else {}) == before
    assert tables(people.database) == ["main.people"]


def test_a_run_that_finds_nothing_makes_no_new_file(people: People) -> None:
    other = people.folder / "new.duckdb"
    with pytest.raises(DataError):
        people.run(people.database, table="people", k=401, output_db=other, output="released")
    with pytest.raises(DataError):
        people.run(people.database, table="people", output_db=other, output="nowhere.released")
    assert not other.exists()


def test_a_dry_run_makes_no_new_file(people: People) -> None:
    other = people.folder / "new.duckdb"
    result = people.run(people.database, table="people", output_db=other, output="released", dry_run=True)
    assert result.output is None
    assert not other.exists()


def test_a_locked_output_db(people: People) -> None:
    other = people.folder / "other.duckdb"
    with duckdb.connect(str(other)) as holder:
        holder.execute("CREATE TABLE mine AS SELECT 1 AS x")
        with pytest.raises(DatabaseError) as refused:
            people.run(people.database, table="people", output_db=other, output="released")
        assert refused.value.exit_code == 6
        assert "this very process" in str(refused.value)
    assert tables(other) == ["main.mine"]


def test_output_db_on_a_connection_is_refused(people: People) -> None:
    with duckdb.connect(str(people.database)) as connection, pytest.raises(SpecError, match="output_db"):
        people.run(connection, table="people", output_db=people.folder / "new.duckdb", output="released")
    assert not (people.folder / "new.duckdb").exists()


def test_no_run_leaves_its_temporary_folder(people: People) -> None:
    people.run(people.database, table="people", output="released")
    people.run(people.database, table="people", output_db=people.folder / "new.duckdb")
    assert list((people.folder / "temporary").iterdir()) == []
    assert strays(people.folder) == []


def test_the_shuffle_key_is_fresh_and_fits_one_block_of_md5_with_a_uuid() -> None:
    keys = {fresh_shuffle_key() for _ in range(100)}
    assert len(keys) == 100
    # A block holds 64 bytes, of which padding and length take 9.
    assert {len(key) + len("00000000-0000-0000-0000-000000000000") for key in keys} == {55}
