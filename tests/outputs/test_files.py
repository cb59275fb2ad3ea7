"""Parquet and CSV files as releases."""

from __future__ import annotations

import csv
import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.errors import DataError, KanonError, SpecError
from tests.outputs.support import digest, write_source
from tests.sources.support import PEOPLE, Answer, People, answer, invoke, only_line, sql

COLUMNS = "age, zip, sex, diagnosis, admitted, weight"


def rows(relation: str) -> Counter[tuple[Any, ...]]:
    return Counter(sql(f"SELECT {COLUMNS} FROM {relation}"))


# ---------------------------------------------------------------- Parquet


@pytest.mark.parametrize("database", [False, True])
def test_a_parquet_file(people: People, expected: Answer, database: bool) -> None:
    source = {"table": "people"} if database else {"table": "people.parquet"}
    found = people.run(people.database if database else None, **source, output="out.parquet")
    assert found.output is not None
    assert found.output.endswith("out.parquet")
    assert answer(found) == expected
    assert rows("'out.parquet'") == expected[2]


def metadata(file: str) -> dict[str, str]:
    found = sql(f"SELECT key, value FROM parquet_kv_metadata('{file}')")
    return {key.decode(): value.decode() for key, value in found}


def test_a_parquet_file_says_what_it_is(people: People) -> None:
    found = people.run(table="people.parquet", output="out.parquet")
    said = metadata("out.parquet")
    assert json.loads(said["kanon_vector"]) == found.vector
    assert said["kanon_k"] == "5"
    assert said["kanon_sql"] == kanon_sql.__version__
    assert len(said["kanon_spec_sha256"]) == 64
    people.run(table="people.parquet", output="out.parquet", overwrite=True, k=6)
    other = metadata("out.parquet")
    assert other["kanon_k"] == "6"
    assert other["kanon_spec_sha256"] != said["kanon_spec_sha256"]


def test_the_same_words_have_the_same_hash(people: People) -> None:
    hashes = set()
    for _ in range(2):
        people.run(table="people.parquet", output="out.parquet", overwrite=True)
        hashes.add(metadata("out.parquet")["kanon_spec_sha256"])
    assert len(hashes) == 1


def test_a_parquet_file_holds_no_shuffle_key_and_no_row_number(people: People) -> None:
    people.run(table="people.parquet", output="out.parquet")
    assert set(metadata("out.parquet")) == {"kanon_sql", "kanon_k", "kanon_spec_sha256", "kanon_vector"}
    names = [
        name for (name,) in sql("SELECT name FROM parquet_schema('out.parquet') WHERE num_children IS NULL")
    ]
    assert sorted(names) == sorted(COLUMNS.split(", "))


def test_types_survive_in_parquet(people: People) -> None:
    kept = {
        "t": "TIME '01:02:03.456'",
        "ts": "TIMESTAMP '2024-01-01 01:02:03.456789'",
        "ns": "TIMESTAMP_NS '2024-01-01 01:02:03.456789123'",
        "tz": "TIMESTAMPTZ '2024-01-01 00:00:00+00'",
        "u": "uuid()::VARCHAR::UUID",
        "b": "'ab'::BLOB",
        "n": "CAST(1.25 AS DECIMAL(18, 3))",
        "f": "CAST(0.1 AS REAL)",
        "i": "CAST(7 AS UTINYINT)",
        "l": "[1, NULL]",
        "s": "{'a': 1}",
        "e": "CAST('x' AS ENUM('x', 'y'))",
        "v": "INTERVAL 2 DAY",
    }
    columns = ", ".join(f"{expression} AS {name}" for name, expression in kept.items())
    write_source(people.folder / "types.parquet", f"SELECT 1 AS age, {columns} FROM range(9)")
    found = kanon_sql.anonymize(
        table="types.parquet", k=2, quasi_identifiers=["age"], keep=list(kept), output="out.parquet"
    )
    assert found.released == 9
    names = ", ".join(f"CAST({name} AS VARCHAR)" for name in kept)
    assert sql(f"SELECT {names} FROM 'out.parquet' ORDER BY ALL") == sql(
        f"SELECT {names} FROM 'types.parquet' ORDER BY ALL"
    )


def test_a_type_that_parquet_cannot_hold(people: People) -> None:
    sql("CREATE TABLE big AS SELECT 1 AS age, 1::HUGEINT << 100 AS huge FROM range(9)", people.database)
    words = {"table": "big", "k": 2, "quasi_identifiers": ["age"], "keep": ["huge"]}
    with pytest.raises(DataError, match="huge"):
        kanon_sql.anonymize(people.database, **words, output="out.parquet")
    assert not Path("out.parquet").exists()
    assert kanon_sql.anonymize(people.database, **words, output="out.csv").released == 9


# ---------------------------------------------------------------- CSV


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.csv.gz", "out.tsv.gz", "out.csv.zst", "OUT.CSV"])
def test_a_csv_file(people: People, expected: Answer, name: str) -> None:
    found = people.run(table="people.parquet", output=name)
    assert answer(found) == expected
    assert Path(name).exists()


@pytest.mark.parametrize(("name", "delimiter"), [("out.csv", ","), ("out.tsv", "\t"), ("out.csv.gz", ",")])
def test_null_and_the_empty_string_survive(
    people: People, expected: Answer, name: str, delimiter: str
) -> None:
    """As any reader of CSV sees it that tells an empty field from a quoted one."""
    people.run(table="people.parquet", output=name)
    content = Path(name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    header, *lines = text.split("\n")
    assert header.split(delimiter) == COLUMNS.split(", ")
    nulls = sum(f"{delimiter}{delimiter}2024" in line for line in lines)
    empty = sum(f'{delimiter}""{delimiter}2024' in line for line in lines)
    diagnoses = Counter(row[3] for row in expected[2].elements())
    assert (nulls, empty) == (diagnoses[None], diagnoses[""])
    assert min(nulls, empty) > 10
    read = list(csv.DictReader(text.splitlines(keepends=True), delimiter=delimiter))
    assert len(read) == expected[2].total()
    assert {row["diagnosis"] for row in read} == {"", 'a "b", c', "flu", "two\nlines", "größe"}


def test_a_csv_release_can_be_a_source_again(people: People, expected: Answer) -> None:
    people.run(table="people.parquet", output="out.csv")
    again = kanon_sql.anonymize(
        table="out.csv",
        k=5,
        quasi_identifiers=["age", "zip", "sex"],
        keep=["diagnosis", "admitted", "weight"],
        vector={"age": 0, "zip": 0, "sex": 0},
    )
    assert (again.suppressed, answer(again)[2]) == (0, expected[2])


def test_text_that_looks_like_a_formula_or_a_header_stays(people: People) -> None:
    sql(
        "CREATE TABLE odd AS SELECT 1 AS age, x AS word"
        " FROM (VALUES ('=1+1'), ('word'), (' a '), (E'\\t'), ('\"'), ('NULL')) AS v(x)",
        people.database,
    )
    found = kanon_sql.anonymize(
        people.database, table="odd", k=2, quasi_identifiers=["age"], keep=["word"], output="odd.csv"
    )
    with Path("odd.csv").open(newline="") as file:
        words = {row["word"] for row in csv.DictReader(file)}
    assert words == {"=1+1", "word", " a ", "\t", '"', "NULL"}
    assert set(found.to_arrow()["word"].to_pylist()) == words


# ---------------------------------------------------------------- partitions


def test_a_partitioned_folder(people: People, expected: Answer) -> None:
    found = people.run(table="people.parquet", output="out.parquet", partition_by=["sex"])
    assert answer(found) == expected
    assert sorted(p.name for p in Path("out.parquet").iterdir()) == ["sex=f", "sex=m"]
    assert rows("read_parquet('out.parquet/*/*.parquet', hive_partitioning = TRUE)") == expected[2]


def test_partitions_by_a_generalized_column_and_by_a_sensitive_one(people: People, expected: Answer) -> None:
    found = people.run(table="people.parquet", output="out.parquet", partition_by=["age", "admitted"])
    assert answer(found) == expected


def test_partitions_of_null_and_awkward_values(people: People) -> None:
    values = ["NULL", "'a/b'", "'a=b'", "'x y'", "'100%'", "'größe'", "'.'", "'..'", "'007'", "'../up'"]
    made = " UNION ALL ".join(f"SELECT 1 AS age, {value} AS word FROM range(3)" for value in values)
    sql(f"CREATE TABLE odd AS {made}", people.database)
    found = kanon_sql.anonymize(
        people.database,
        table="odd",
        k=3,
        quasi_identifiers=["word"],
        keep=["age"],
        output="odd.parquet",
        partition_by=["word"],
    )
    kept = Counter(found.to_arrow()["word"].to_pylist())
    assert kept == {value.strip("'") if value != "NULL" else None: 3 for value in values}
    outside = [p for p in people.folder.rglob("*.parquet") if p.is_file() and "odd.parquet" not in p.parts]
    assert outside == [people.folder / "people.parquet"], "a value has left the folder"


def test_an_empty_string_is_no_null_in_a_partition(people: People) -> None:
    """Partitions are folders: if '' cannot be told from NULL there, the run must say so, not mix them."""
    sql(
        "CREATE TABLE odd AS SELECT 1 AS age, [NULL, '', 'x'][1 + i % 3] AS word FROM range(30) n(i)",
        people.database,
    )
    try:
        found = kanon_sql.anonymize(
            people.database,
            table="odd",
            k=2,
            quasi_identifiers=["age", "word"],
            output="odd.parquet",
            partition_by=["word"],
        )
    except KanonError:
        assert not Path("odd.parquet").exists()
    else:
        assert Counter(found.to_arrow()["word"].to_pylist()) == {None: 10, "": 10, "x": 10}


def test_partitions_are_replaced_whole(people: People) -> None:
    Path("out.parquet").mkdir()
    (Path("out.parquet") / "sex=x").mkdir()
    write_source(Path("out.parquet") / "sex=x" / "old.parquet")
    with pytest.raises(SpecError, match="exists already"):
        people.run(table="people.parquet", output="out.parquet", partition_by=["sex"])
    people.run(table="people.parquet", output="out.parquet", partition_by=["sex"], overwrite=True)
    assert sorted(p.name for p in Path("out.parquet").iterdir()) == ["sex=f", "sex=m"]


def test_a_file_replaces_no_folder_and_a_folder_a_file(people: People) -> None:
    people.run(table="people.parquet", output="out.parquet", partition_by=["sex"])
    before = digest(Path("out.parquet"))
    with pytest.raises(SpecError, match="folder"):
        people.run(table="people.parquet", output="out.parquet", overwrite=True)
    assert digest(Path("out.parquet")) == before
    people.run(table="people.parquet", output="file.parquet")
    people.run(table="people.parquet", output="file.parquet", overwrite=True, partition_by=["sex"])
    assert Path("file.parquet").is_dir()


@pytest.mark.parametrize(
    ("columns", "output"),
    [
        (["nothing"], "o.parquet"),
        (["id"], "o.parquet"),
        (["sex"], "o.csv"),
        (["sex"], "o"),
        (["sex", "SEX"], "o.parquet"),
    ],
)
def test_partitions_that_cannot_be(people: People, columns: list[str], output: str) -> None:
    with pytest.raises((SpecError, DataError)):
        people.run(table="people.parquet", output=output, partition_by=columns)
    assert not Path(output).exists()


def test_no_column_would_be_left(people: People) -> None:
    with pytest.raises(SpecError, match="no column would be left"):
        people.run(table="people.parquet", output="o.parquet", keep=[], partition_by=["age", "zip", "sex"])


# ---------------------------------------------------------------- places


@pytest.mark.parametrize("name", ["people.parquet", "./people.parquet", "link.parquet", "hard.parquet"])
def test_the_source_is_no_output(people: People, name: str) -> None:
    Path("link.parquet").symlink_to("people.parquet")
    os.link("people.parquet", "hard.parquet")
    before = digest(Path("people.parquet"))
    if name == "hard.parquet":  # another name of the same file: it is replaced, and the source stays
        people.run(table="people.parquet", output=name, overwrite=True)
    else:
        with pytest.raises(SpecError, match="source"):
            people.run(table="people.parquet", output=name, overwrite=True)
    assert digest(Path("people.parquet")) == before


def test_a_file_of_a_glob_that_is_the_source_is_no_output(people: People) -> None:
    Path("parts").mkdir()
    for i in range(2):
        write_source(Path(f"parts/p{i}.parquet"), f"FROM ({PEOPLE}) WHERE id % 2 = {i}")
    before = digest(Path("parts"))
    for table in ("parts/*.parquet", "parts/p?.parquet", "*/*.parquet", "**/p*.parquet"):
        with pytest.raises(SpecError, match="source"):
            people.run(table=table, output="parts/p1.parquet", overwrite=True)
        assert digest(Path("parts")) == before


def test_the_database_of_the_source_is_no_file_to_write(people: People) -> None:
    before = digest(people.database)
    Path("w.parquet").symlink_to(people.database)
    with pytest.raises(SpecError):
        people.run(people.database, table="people", output="w.duckdb.csv/x.csv", overwrite=True)
    assert digest(people.database) == before


@pytest.mark.parametrize(
    "place", ["nowhere/out.parquet", "age.csv/out.parquet", "/proc/out.parquet", "temporary", "out.xlsx"]
)
@pytest.mark.parametrize("partitioned", [False, True])
def test_a_place_that_cannot_be_written(people: People, place: str, partitioned: bool) -> None:
    more = {"partition_by": "sex"} if partitioned else {}
    flags = people.flags(table="people.parquet", output=place, **more)
    refused = invoke("run", *flags)
    if place in ("temporary", "out.xlsx") and refused.returncode == 0:
        pytest.fail(f"{place} was written: {refused.stdout}")
    assert refused.returncode in (2, 4, 6), (refused.stdout, refused.stderr)
    assert only_line(refused).startswith("error: ")
    assert list(Path("temporary").iterdir()) == []


def test_a_file_that_exists_is_not_touched(people: People) -> None:
    Path("out.parquet").write_bytes(b"mine")
    refused = invoke("run", *people.flags(table="people.parquet", output="out.parquet"))
    assert refused.returncode == 2
    assert "--overwrite" in only_line(refused)
    assert Path("out.parquet").read_bytes() == b"mine"
    people.run(table="people.parquet", output="out.parquet", overwrite=True)
    assert sql("SELECT COUNT(*) FROM 'out.parquet'") == [(387,)]


def test_a_name_with_quotes_and_glob_signs(people: People, expected: Answer) -> None:
    for name in ("it's.parquet", "a b.csv", "größe.parquet", "x*y.parquet", "x[1].csv", "a?b.parquet"):
        found = people.run(table="people.parquet", output=name)
        assert Path(name).is_file(), name
        assert answer(found) == expected, name


def test_the_umask_holds(people: People) -> None:
    old = os.umask(0o077)
    try:
        people.run(table="people.parquet", output="out.parquet")
    finally:
        os.umask(old)
    assert Path("out.parquet").stat().st_mode & 0o077 == 0


def test_a_csv_release_by_the_command_line(people: People) -> None:
    done = invoke("run", *people.flags(table="people.parquet", output="out.csv"), "--json")
    assert done.returncode == 0, done.stderr
    with duckdb.connect() as connection:
        assert connection.sql("FROM 'out.csv'").shape == (387, 6)
