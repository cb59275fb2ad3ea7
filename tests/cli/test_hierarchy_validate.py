"""``kanon-sql hierarchy validate``: every fault of a hierarchy, and how it fits its column."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.errors import DataError, SpecError
from tests.cli.warehouse import change, run

pytestmark = pytest.mark.usefixtures("folder")
VALIDATE = ("hierarchy", "validate")
DB = ("--db", "warehouse.duckdb")
PATIENTS = (*DB, "--table", "patients")


def json_of(*args: str, exit_code: int = 0) -> list[dict[str, Any]]:
    result = run(*VALIDATE, *args, "--json")
    assert result.exit_code == exit_code, result.output
    assert result.stderr == ""
    answer = json.loads(result.stdout)
    assert answer["valid"] is (exit_code == 0)
    hierarchies: list[dict[str, Any]] = answer["hierarchies"]
    return hierarchies


def write(path: str, text: str | bytes) -> str:
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def faults(report: dict[str, Any]) -> list[tuple[int | None, str]]:
    return [(fault["line"], fault["what"]) for fault in report["faults"]]


# -- sound ------------------------------------------------------------------------------------------------


def test_sound_files_in_one_go() -> None:
    result = run(*VALIDATE, "hierarchies/age.csv", "hierarchies/sex.csv")
    assert result.exit_code == 0
    assert result.stderr == ""
    first, *rest = result.stdout.splitlines()
    assert first == "hierarchies/age.csv: sound (62 rows, 4 levels, header, delimiter ,)"
    assert [line.split() for line in rest[:4]] == [
        ["0", "age", "62", "labels"],
        ["1", "five_years", "14", "labels"],
        ["2", "twenty_years", "5", "labels"],
        ["3", "any_age", "1", "label"],
    ]
    # No column is asked, so that taking the first line for a header is worth a word.
    assert rest[4].startswith("  warning: hierarchies/age.csv:1: taken as a header")
    assert rest[5] == "hierarchies/sex.csv: sound (2 rows, 2 levels, no header, delimiter ;)"


def test_against_the_columns_that_the_files_are_named_after() -> None:
    files = [f"hierarchies/{name}.csv" for name in ("age", "zip", "sex")]
    result = run(*VALIDATE, *files, *PATIENTS)
    assert result.exit_code == 0, result.output
    assert "warning" not in result.stdout
    assert "  patients.age (INTEGER): no value is missing, " in result.stdout
    assert "  patients.sex (VARCHAR): no value is missing, 0 are not used" in result.stdout
    age, zip_, sex = json_of(*files, *PATIENTS)
    with duckdb.connect("warehouse.duckdb", read_only=True) as connection:
        [(ages,)] = connection.execute("SELECT COUNT(DISTINCT age) FROM patients").fetchall()
    assert age["column"] == {
        "table": "patients",
        "column": "age",
        "type": "INTEGER",
        "missing_values": 0,
        "missing_rows": 0,
        "missing": [],
        "hints": [],
        "unused": 62 - ages,
    }
    assert (zip_["header"], sex["header"], sex["delimiter"]) == (True, False, ";")
    assert zip_["levels"][0] == {"name": "zip", "labels": 14}


def test_add_top_and_a_column_of_another_name() -> None:
    write("wards.csv", "A,north\nB,south\n")
    args = ("wards.csv", "--add-top", "--header", "false")
    [report] = json_of(*args, *PATIENTS, "--column", "WARD")
    assert [level["labels"] for level in report["levels"]] == [2, 2, 1]
    assert report["column"]["column"] == "ward"
    assert any("level 1 merges nothing" in warning for warning in report["warnings"])


# -- faults -----------------------------------------------------------------------------------------------


def test_every_fault_of_every_file_with_its_line() -> None:
    write("bad.csv", "a,A,*\nb,B,*\nb,B,*\n\nc,,*\nd,A,**\ne\n")
    write("good.csv", "a,*\nb,*\n")
    result = run(*VALIDATE, "bad.csv", "good.csv", "nowhere.csv")
    assert result.exit_code == 3
    assert result.stderr == ""
    heads = [line for line in result.stdout.splitlines() if not line.startswith(" ")]
    assert heads == [
        "bad.csv: 6 faults (7 rows, delimiter ,)",
        "good.csv: sound (2 rows, 2 levels, no header, delimiter ,)",
        "nowhere.csv: 1 fault",
    ]
    for line in (3, 4, 5, 6, 7):
        assert f"  bad.csv:{line}: " in result.stdout
    bad, good, nowhere = json_of("bad.csv", "good.csv", "nowhere.csv", exit_code=3)
    assert [line for line, _ in faults(bad)] == [3, 4, 5, 6, 6, 7]
    assert (bad["levels"], bad["rows"], good["valid"], nowhere["rows"]) == ([], 7, True, None)
    assert "no such hierarchy file" in nowhere["faults"][0]["what"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the file is empty"),
        (b"PK\x03\x04\x00", "a zip archive"),
        ('a,"*\n', "a quote opens here and is never closed"),
        ("a,x;*\nb,x;*\nc,x;*\n", "the file could be read with"),
        ("a,A,*\nb,A,*\nc,B,*\nd,A,all\n", "2 top values"),
    ],
)
def test_what_cannot_be_read_is_a_fault(text: str | bytes, what: str) -> None:
    write("odd.csv", text)
    [report] = json_of("odd.csv", exit_code=3)
    assert any(what in fault["what"] for fault in report["faults"]), report


def test_values_that_are_missing_and_how_they_would_match() -> None:
    change(
        "UPDATE patients SET zip = ' ' || zip WHERE zip = '02131'",
        "UPDATE patients SET sex = 'F' WHERE sex = 'f'",
    )
    zip_, sex = json_of("hierarchies/zip.csv", "hierarchies/sex.csv", *PATIENTS, exit_code=3)
    with duckdb.connect("warehouse.duckdb", read_only=True) as connection:
        [(padded, upper)] = connection.execute(
            "SELECT COUNT(*) FILTER (zip LIKE ' %'), COUNT(*) FILTER (sex = 'F') FROM patients"
        ).fetchall()
    fit = zip_["column"]
    assert (fit["missing_values"], fit["missing_rows"], fit["missing"]) == (1, padded, [" 02131"])
    assert fit["hints"] == ["trimmed of spaces"]
    assert sex["column"]["hints"] == ["in another letter case"]
    assert sex["column"]["unused"] == 1
    [(line, what)] = faults(sex)
    assert line is None
    assert f"column sex has 1 value(s) in {upper} row(s) without a row in hierarchies/sex.csv" in what
    [report] = json_of("hierarchies/sex.csv", *PATIENTS, "--where", "sex <> 'F'")
    assert report["column"]["missing_rows"] == 0


def test_five_missing_values_are_shown_and_all_are_counted() -> None:
    write("age.csv", "20,*\n21,*\n")
    [report] = json_of("age.csv", *PATIENTS, exit_code=3)
    with duckdb.connect("warehouse.duckdb", read_only=True) as connection:
        [(ages,)] = connection.execute(
            "SELECT COUNT(DISTINCT age) FROM patients WHERE age NOT IN (20, 21)"
        ).fetchall()
    assert report["column"]["missing_values"] == ages > 5
    assert len(report["column"]["missing"]) == 5


def test_redacted_no_value_is_quoted() -> None:
    write("age.csv", "20,*\n21,*\n")
    write("sex.csv", "Quux,*\nQuux,*\nf,*\n")
    for json_too in ((), ("--json",)):
        result = run(*VALIDATE, "age.csv", "sex.csv", *PATIENTS, "--redact", *json_too)
        assert result.exit_code == 3
        assert "Quux" not in result.stdout
        assert "913" not in result.stdout
    assert "Quux" in run(*VALIDATE, "sex.csv").stdout


def test_a_ground_value_that_the_column_would_change_is_a_fault_with_its_line() -> None:
    write("age.csv", "20,*\n21.5,*\n22,*\n")
    [report] = json_of("age.csv", *PATIENTS, exit_code=3)
    [(line, what)] = faults(report)
    assert line == 2
    assert "column age (INT)" in what
    assert report["faults"][0]["values"][0] == "21.5"


# -- how a file is cut ------------------------------------------------------------------------------------


def test_another_delimiter_a_mark_and_latin_1() -> None:
    write("mark.csv", "\ufefffrüh;*\nspät;*\n")
    [report] = json_of("mark.csv")
    assert (report["rows"], report["delimiter"]) == (2, ";")
    write("pipe.csv", "a:1|A|*\nb:2|A|*\n")
    assert json_of("pipe.csv")[0]["delimiter"] == "|"
    assert json_of("pipe.csv", "--delimiter", "|", "--header", "false")[0]["header"] is False
    write("tabs.csv", "a\tA,B\t*\nb\tA,B\t*\n")
    for delimiter in ("tab", "\\t", "\t"):
        [report] = json_of("tabs.csv", "--delimiter", delimiter)
        assert [level["labels"] for level in report["levels"]] == [2, 1, 1]
    assert "delimiter tab" in run(*VALIDATE, "tabs.csv", "--delimiter", "tab").stdout
    write("old.csv", "a;*\nfrüh;*\n".encode("latin-1"))
    [report] = json_of("old.csv", exit_code=3)
    [(line, what)] = faults(report)
    assert (line, "it looks like Latin-1" in what) == (2, True)


def test_a_header_is_what_is_said() -> None:
    write("sex.csv", "sex,any\nf,*\nm,*\n")
    [report] = json_of("sex.csv", *PATIENTS)
    assert (report["header"], report["rows"], report["warnings"]) == (True, 2, [])
    [report] = json_of("sex.csv", "--header", "false", exit_code=3)
    assert (report["header"], report["rows"]) == (False, 3)
    result = run(*VALIDATE, "sex.csv", "--header", "yes")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--header: malformed 'yes'; write true or false" in result.stderr
    assert run(*VALIDATE, "sex.csv", "--delimiter", ";;").exit_code == 2


# -- tables and Parquet -----------------------------------------------------------------------------------


def test_a_table_and_a_parquet_file() -> None:
    change(
        'CREATE TABLE clinic."age levels" AS '
        "SELECT DISTINCT age, (age // 10)::VARCHAR AS ten, '*' AS top FROM patients",
        "CREATE TABLE ward AS FROM (VALUES ('A', '*'), ('B', '*'), (NULL, '*')) AS v(ward, top)",
        "COPY ward TO 'ward.parquet' (FORMAT PARQUET)",
    )
    name = 'table:clinic."age levels"'
    [report] = json_of(name, *DB)
    assert (report["name"], report["header"], report["delimiter"]) == (name, None, None)
    assert [level["name"] for level in report["levels"]] == ["age", "ten", "top"]
    [report] = json_of(name, *PATIENTS, "--column", "age")
    assert (report["column"]["missing_values"], report["column"]["unused"]) == (0, 0)
    table, file, csv = json_of("table:ward", "ward.parquet", "hierarchies/age.csv", *PATIENTS)
    assert table["levels"] == file["levels"] == [{"name": "ward", "labels": 3}, {"name": "top", "labels": 1}]
    assert table["column"] == file["column"]
    assert csv["column"]["column"] == "age"
    assert json_of("ward.parquet")[0]["rows"] == 3


def test_all_faults_of_a_table() -> None:
    change("CREATE TABLE ward AS FROM (VALUES ('A', '*'), ('A', NULL), ('B', 'any')) AS v(ward, top)")
    [report] = json_of("table:ward", *DB, exit_code=3)
    assert faults(report) == [
        (None, "1 ground value with more than one row"),
        (None, "level 1 (top) is blank in 1 row"),
        (None, "2 top values in the last column (top), where there must be one"),
    ]
    result = run(*VALIDATE, "table:ward", *DB)
    assert result.exit_code == 3
    assert "  table:ward: 1 ground value with more than one row: 'A'; " in result.stdout
    [report] = json_of("table:nowhere", *DB, exit_code=3)
    assert "no such table or view" in report["faults"][0]["what"]


# -- what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "exit_code", "words"),
    [
        (("table:ward",), 4, "no such table or view: ward"),
        (("hierarchies/age.csv", "--column", "age"), 2, "a column is named and no table"),
        (("hierarchies/age.csv", "hierarchies/zip.csv", *PATIENTS, "--column", "age"), 2, "one by one"),
        (("hierarchies/age.csv", "--db", "nowhere.duckdb"), 4, "no such database file"),
        (("hierarchies/age.csv", *DB, "--table", "nobodies"), 4, "no such table or view: nobodies"),
        (("hierarchies/age.csv", *PATIENTS, "--column", "ages"), 4, "did you mean 'age'?"),
        (("other.csv", *PATIENTS), 4, "say which column it belongs to with --column"),
        (("hierarchies/age.csv", "--table", "patients"), 2, "no database is given"),
        (("table:nobody", *DB, "--header", "true"), 2, "header is for a CSV file"),
        (("table:nobody", *DB, "--delimiter", ","), 2, "delimiter is for a CSV file"),
    ],
)
def test_what_is_refused(args: tuple[str, ...], exit_code: int, words: str) -> None:
    write("other.csv", "a,*\n")
    result = run(*VALIDATE, *args)
    if args == ("table:ward",):  # an empty database has no such table
        assert result.exit_code == 3
        assert words in result.stdout
        return
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert words in result.stderr


def test_nothing_is_written() -> None:
    before = Path("warehouse.duckdb").read_bytes()
    assert run(*VALIDATE, "hierarchies/age.csv", *PATIENTS).exit_code == 0
    assert Path("warehouse.duckdb").read_bytes() == before


# -- in Python --------------------------------------------------------------------------------------------


def test_the_python_face() -> None:
    report = kanon_sql.validate_hierarchy(Path("hierarchies/zip.csv"), "warehouse.duckdb", table="patients")
    assert isinstance(report, kanon_sql.HierarchyReport)
    assert report.valid
    assert (report.rows, report.levels[0].labels, report.levels[1].name) == (14, 14, "four_digits")
    assert report.fit is not None
    assert (report.fit.table, report.fit.column, report.fit.missing_rows) == ("patients", "zip", 0)
    [from_cli] = json_of("hierarchies/zip.csv", *PATIENTS)
    assert report.to_json() == from_cli
    with pytest.raises(DataError):
        kanon_sql.validate_hierarchy(
            "hierarchies/zip.csv", "warehouse.duckdb", table="patients", column="zap"
        )
    with pytest.raises(SpecError):
        kanon_sql.validate_hierarchy("hierarchies/zip.csv", column="zip")


def test_a_connection_is_left_as_it_was() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('f'), ('m'), ('x')) AS v(sex)")
        report = kanon_sql.validate_hierarchy("hierarchies/sex.csv", connection, table="t")
        assert report.fit is not None
        assert report.fit.missing == ("x",)
        assert [fault.values for fault in report.faults] == [("x",)]
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]
        assert not kanon_sql.validate_hierarchy("table:t", connection).valid
