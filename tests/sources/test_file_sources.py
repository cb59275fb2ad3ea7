"""Parquet and CSV files as sources, without a database."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.errors import DataError, SpecError
from tests.sources.support import KEPT, PEOPLE, QIS, Answer, People, answer, invoke, only_line, rows_of, sql


@pytest.fixture
def away(people: People, monkeypatch: pytest.MonkeyPatch) -> People:
    """The people without their database, and their folder the current one."""
    people.database.unlink()
    monkeypatch.chdir(people.folder)
    return people


def write(path: str, options: str = "", query: str = PEOPLE) -> None:
    sql(f"COPY ({query}) TO '{path}' ({options or 'HEADER'})")


# ---------------------------------------------------------------- Parquet


def test_a_parquet_file(away: People, expected: Answer) -> None:
    write("people.parquet", "FORMAT PARQUET")
    assert answer(away.run(table="people.parquet")) == expected
    assert answer(away.run(table=Path("people.parquet").resolve())) == expected


def test_a_glob_of_parquet_files(away: People, expected: Answer) -> None:
    Path("parts").mkdir()
    for i in range(3):
        write(f"parts/p{i}.parquet", "FORMAT PARQUET", f"FROM ({PEOPLE}) WHERE id % 3 = {i}")
    assert answer(away.run(table="parts/*.parquet")) == expected


def test_a_glob_that_matches_nothing(away: People) -> None:
    with pytest.raises(DataError, match="no such file") as refused:
        away.run(table="parts/*.parquet")
    assert refused.value.exit_code == 4


def test_a_missing_file_names_the_near_match(away: People) -> None:
    write("people.parquet", "FORMAT PARQUET")
    with pytest.raises(DataError, match=r"did you mean 'people\.parquet'"):
        away.run(table="poeple.parquet")


def test_a_file_whose_name_is_quoted_and_global(away: People, expected: Answer) -> None:
    write("it''s.parquet", "FORMAT PARQUET")
    assert answer(away.run(table="it's.parquet")) == expected


def test_a_partitioned_folder(away: People, expected: Answer) -> None:
    """What we write with --partition-by, others write too: the partition column is one of the table's."""
    write("people", "FORMAT PARQUET, PARTITION_BY (sex), WRITE_PARTITION_COLUMNS TRUE")
    assert answer(away.run(table="people/*/*.parquet")) == expected


def test_what_is_no_parquet_file(away: People) -> None:
    Path("people.parquet").write_text("age,zip\n1,2\n")
    with pytest.raises(DataError, match="cannot be read as Parquet") as refused:
        away.run(table="people.parquet")
    assert refused.value.exit_code == 4
    write("good.parquet", "FORMAT PARQUET")
    Path("cut.parquet").write_bytes(Path("good.parquet").read_bytes()[:-40])
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        away.run(table="cut.parquet")


# ---------------------------------------------------------------- CSV


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("people.csv", "HEADER"),
        ("people.csv", "HEADER, DELIMITER ';'"),
        ("people.csv", "HEADER, DELIMITER '|', QUOTE ''''"),
        ("people.tsv", "HEADER, DELIMITER '\t'"),
        ("people.csv.gz", "HEADER, COMPRESSION gzip"),
        ("people.tsv.gz", "HEADER, DELIMITER '\t', COMPRESSION gzip"),
        ("people.csv.zst", "HEADER, COMPRESSION zstd"),
        ("people.CSV", "HEADER, FORMAT CSV"),
    ],
)
def test_a_csv_file(away: People, expected: Answer, name: str, options: str) -> None:
    write(name, options)
    assert answer(away.run(table=name)) == expected


def test_a_glob_of_csv_files(away: People, expected: Answer) -> None:
    """One file may be named by a pattern; several may be cut in several ways, and are refused."""
    for i in range(2):
        write(f"p{i}.csv", "HEADER")
    with pytest.raises(DataError, match="2 CSV files"):
        away.run(table="p*.csv")
    assert answer(away.run(table="p1*.csv")) == expected


def test_windows_lines_and_a_byte_order_mark(away: People, expected: Answer) -> None:
    write("people.csv", "HEADER", PEOPLE.replace("two\\nlines", "one line"))
    text = Path("people.csv").read_text().replace("\n", "\r\n")
    Path("people.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    vector, suppressed, _ = answer(away.run(table="people.csv"))
    assert (vector, suppressed) == expected[:2]


def small(*rows: str, header: str = "age,code", name: str = "t.csv") -> str:
    Path(name).write_text("".join(f"{line}\n" for line in (header, *rows) if line))
    return name


def types(result: kanon_sql.Result) -> dict[str, str]:
    return {field.name: str(field.type) for field in result.to_arrow().schema}


def test_leading_zeros_stay_text(away: People) -> None:
    table = small(*["1,00501"] * 3, *["2,10501"] * 3, *["3,-07"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert types(result) == {"age": "int64", "code": "string"}
    assert set(rows_of(result, ("age", "code"))) == {(1, "00501"), (2, "10501"), (3, "-07")}


def test_zero_itself_and_decimals_are_numbers(away: People) -> None:
    table = small(*["0,0.5"] * 3, *["7,0.25"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert types(result) == {"age": "int64", "code": "double"}


def test_types_come_from_all_of_the_rows(away: People) -> None:
    """DuckDB's own sniffer looks at 20,480 rows: here the first that is no number comes later."""
    table = small(*["1,1"] * 60_000, *["2,x"] * 3, *["2,00501"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert types(result)["code"] == "string"
    assert rows_of(result, ("age", "code")) == {(1, "1"): 60_000, (2, "x"): 3, (2, "00501"): 3}


def test_late_leading_zeros_stay_text(away: People) -> None:
    table = small(*["1,501"] * 60_000, *["2,00501"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert rows_of(result, ("age", "code")) == {(1, "501"): 60_000, (2, "00501"): 3}


def test_an_empty_field_is_null_and_a_quoted_one_is_not(away: People) -> None:
    table = small(*["1,"] * 3, *['1,""'] * 3, *["1,x"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert rows_of(result, ("age", "code")) == {(1, None): 3, (1, ""): 3, (1, "x"): 3}


def test_the_words_null_and_nan_are_text(away: People) -> None:
    table = small(*["1,NULL"] * 3, *["1,NA"] * 3, *["1,nan"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert set(rows_of(result, ("age", "code"))) == {(1, "NULL"), (1, "NA"), (1, "nan")}


def test_spaces_are_kept(away: People) -> None:
    table = small(*["1, x"] * 3, *["1,x "] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert set(rows_of(result, ("age", "code"))) == {(1, " x"), (1, "x ")}


def test_a_csv_file_without_a_header(away: People) -> None:
    table = small(*["1,00501"] * 3, *["2,10501"] * 3, header="")
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["column0", "column1"])
    assert rows_of(result, ("column0", "column1")) == {(1, "00501"): 3, (2, "10501"): 3}


def test_a_file_of_text_alone(away: People) -> None:
    """A header cannot be told from values by their types: nothing may be lost or invented silently."""
    table = small(*["a,x"] * 3, *["b,y"] * 3, header="first,second")
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["first", "second"])
    assert rows_of(result, ("first", "second")) == {("a", "x"): 3, ("b", "y"): 3}


def test_dates_and_times_in_other_writings(away: People) -> None:
    table = small(*["1,31/12/2023"] * 3, *["2,01/02/2024"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    found = {str(code) for _, code in rows_of(result, ("age", "code"))}
    assert found in ({"2023-12-31", "2024-02-01"}, {"31/12/2023", "01/02/2024"})


@pytest.mark.parametrize(
    "content",
    [
        b"age,code\n1,2\n1,2,3,4\n1,2\n",
        b"age,code\n1,2\n3,4,5\n",
        b"# a note\nage,code\n1,2\n1,2\n",
        b"age,code,more\n1,2\n1,2\n",
        b'age,code\n1,"x\n2,y\n3,"a,b"\n',
        b"\n\nage,code\n1,2\n1,2\n",
        b"age,code\n1,\xff\xfe\n" * 3,
        b"",
        b"PAR1\x00\x00\x01\x02garbage\x00\xff\n\x00",
    ],
    ids=[
        "ragged",
        "last line differs",
        "note",
        "long header",
        "open quote",
        "blank lines",
        "not UTF-8",
        "empty",
        "binary",
    ],
)
def test_a_malformed_csv_file(away: People, content: bytes) -> None:
    Path("t.csv").write_bytes(content)
    refused = invoke("run", "--table", "t.csv", "--qi", "age,code", "--k", "2")
    assert refused.returncode == 4, (refused.stdout, refused.stderr)
    assert "t.csv" in only_line(refused)
    assert sorted(p.name for p in away.folder.glob("*k2*")) == []


def test_lines_that_look_like_comments_are_rows(away: People) -> None:
    table = small(*["1,2"] * 3, *["#x,3"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert rows_of(result, ("age", "code")) == {("1", 2): 3, ("#x", 3): 3}


def test_a_quote_that_is_never_closed_loses_nothing(away: People) -> None:
    table = small(*['1,"never closed'] * 3, *["2,x"] * 3)
    result = kanon_sql.anonymize(table=table, k=3, quasi_identifiers=["age", "code"])
    assert rows_of(result, ("age", "code")) == {(1, '"never closed'): 3, (2, "x"): 3}


def test_a_malformed_line_that_comes_late(away: People) -> None:
    table = small(*["1,2"] * 40_000, "1,2,3,4,5")
    refused = invoke("run", "--table", table, "--qi", "age,code", "--k", "2")
    assert refused.returncode == 4, (refused.stdout, refused.stderr)
    assert "t.csv" in only_line(refused)


def test_a_gzip_file_that_is_none(away: People) -> None:
    Path("t.csv.gz").write_text("age,code\n1,2\n")
    refused = invoke("run", "--table", "t.csv.gz", "--qi", "age,code", "--k", "1")
    assert refused.returncode == 4, refused.stderr
    assert "t.csv.gz" in only_line(refused)
    Path("cut.csv.gz").write_bytes(gzip.compress(b"age,code\n" + b"1,2\n" * 9)[:-9])
    refused = invoke("run", "--table", "cut.csv.gz", "--qi", "age,code", "--k", "1")
    assert refused.returncode in (0, 4), refused.stderr


def test_an_empty_table_in_a_file(away: People) -> None:
    write("none.parquet", "FORMAT PARQUET", f"FROM ({PEOPLE}) LIMIT 0")
    with pytest.raises(DataError, match="no rows"):
        away.run(table="none.parquet")
    write("none.csv", "HEADER", f"FROM ({PEOPLE}) LIMIT 0")
    with pytest.raises(DataError, match="no rows"):
        away.run(table="none.csv")


def test_an_unknown_kind_of_file(away: People) -> None:
    Path("people.xlsx").write_bytes(b"PK")
    with pytest.raises((SpecError, DataError)):
        away.run(table="people.xlsx")


def test_a_folder_named_like_a_file(away: People) -> None:
    Path("people.csv").mkdir()
    with pytest.raises(DataError) as refused:
        away.run(table="people.csv")
    assert refused.value.exit_code == 4


# ---------------------------------------------------------------- a file beside a database


def test_a_file_with_a_database_as_destination(people: People, expected: Answer) -> None:
    source = people.folder / "people.parquet"
    write(str(source), "FORMAT PARQUET")
    found = people.run(people.database, table=source, output="released")
    assert (found.output, answer(found)) == ("released", expected)
    assert sql("SELECT COUNT(*) FROM released", people.database) == [(387,)]


def test_a_file_with_another_database_as_destination(away: People, expected: Answer) -> None:
    write("people.csv")
    found = away.run(table="people.csv", output_db="new.duckdb", output="released")
    assert answer(found) == expected
    assert sql("SELECT COUNT(*) FROM released", "new.duckdb") == [(387,)]


def test_the_command_line_over_a_file(away: People) -> None:
    write("people.parquet", "FORMAT PARQUET")
    done = invoke("run", *away.flags(table="people.parquet"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["output"] == "people_k5.parquet"
    assert sql("SELECT COUNT(*) FROM 'people_k5.parquet'") == [(387,)]
    checked = invoke("check", "--table", "people_k5.parquet", "--qi", ",".join(QIS), "--k", "5", "--json")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["rows"] == 387


def test_the_command_line_over_a_glob(away: People) -> None:
    Path("parts").mkdir()
    for i in range(2):
        write(f"parts/p{i}.parquet", "FORMAT PARQUET", f"FROM ({PEOPLE}) WHERE id % 2 = {i}")
    done = invoke("run", *away.flags(table="parts/p*.parquet", output="out.csv"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["released"] == 387


def test_a_file_is_only_read(away: People) -> None:
    write("people.csv")
    Path("people.csv").chmod(0o444)
    before = Path("people.csv").read_bytes()
    away.run(table="people.csv", output="out.csv")
    assert Path("people.csv").read_bytes() == before
    shutil.rmtree(away.folder / "parts", ignore_errors=True)
    assert set(KEPT) <= set(before.decode().split("\n")[0].split(","))
