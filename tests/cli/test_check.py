"""``kanon-sql check``: is any table k-anonymous?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.warehouse import RUN, change, outliers, query, run, spawn, tables

pytestmark = pytest.mark.usefixtures("folder")
CHECK = ("check", "--db", "warehouse.duckdb", "--table")
QI = ("--qi", "age,zip,sex")


def json_of(*args: str, exit_code: int = 0) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == exit_code, result.output
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_a_release_passes() -> None:
    assert run(*RUN, "--max-suppression", "1%").exit_code == 0
    result = run(*CHECK, "patients_k5", *QI)
    assert result.exit_code == 0
    assert "is 5-anonymous" in result.stdout
    [(least,)] = query("SELECT MIN(n) FROM (SELECT COUNT(*) AS n FROM patients_k5 GROUP BY age, zip, sex)")
    assert f"k reached: {least}" in result.stdout
    assert run(*CHECK, "patients_k5", *QI, "--k", str(least)).exit_code == 0
    assert run(*CHECK, "patients_k5", *QI, "--k", str(least + 1)).exit_code == 1


def test_the_source_fails_with_exit_1_and_nothing_on_stderr(folder: Path) -> None:
    process = spawn(*CHECK, "patients", *QI, cwd=folder)
    assert process.returncode == 1
    assert process.stderr == ""
    assert "is not 5-anonymous" in process.stdout
    assert "k reached: 1" in process.stdout
    assert f"{outliers((0, 0, 0), 5):,} rows are smaller than 5" in process.stdout


def test_the_json_is_what_sql_says() -> None:
    answer = json_of(*CHECK, "patients", "--qi", "zip,sex", "--k", "10", exit_code=1)
    sizes = [n for (n,) in query("SELECT COUNT(*) AS n FROM patients GROUP BY zip, sex ORDER BY n")]
    assert (answer["table"], answer["k"], answer["person"]) == ("patients", 10, None)
    assert answer["quasi_identifiers"] == ["zip", "sex"]
    assert answer["satisfied"] is False
    assert answer["k_reached"] == sizes[0]
    assert (answer["rows"], answer["classes"]) == (300, len(sizes))
    assert answer["classes_below_k"] == sum(n < 10 for n in sizes)
    assert answer["rows_below_k"] == sum(n for n in sizes if n < 10)
    assert answer["class_size"]["max"] == sizes[-1]
    assert sum(each["classes"] for each in answer["histogram"]) == len(sizes)
    assert sum(each["rows"] for each in answer["histogram"]) == 300


def test_null_is_a_value() -> None:
    [(nulls,)] = query("SELECT COUNT(*) FROM patients WHERE sex IS NULL")
    answer = json_of(*CHECK, "patients", "--qi", "sex", "--k", "1")
    assert (answer["classes"], answer["k_reached"]) == (3, nulls)


def test_person_counts_persons() -> None:
    change("CREATE TABLE visits AS SELECT i // 5 AS p, 'x' AS g FROM range(20) t(i)")
    assert run(*CHECK, "visits", "--qi", "g").exit_code == 0
    answer = json_of(*CHECK, "visits", "--qi", "g", "--person", "p", exit_code=1)
    assert (answer["k_reached"], answer["person"], answer["rows"]) == (4, "p", 20)
    assert (answer["classes_below_k"], answer["rows_below_k"]) == (1, 20)
    assert run(*CHECK, "visits", "--qi", "g", "--person", "p", "--k", "4").exit_code == 0
    assert "persons" in run(*CHECK, "visits", "--qi", "g", "--person", "p").stdout


def test_the_histogram_is_printed() -> None:
    result = run(*CHECK, "patients", "--qi", "sex", "--k", "2")
    [(nulls,)] = query("SELECT COUNT(*) FROM patients WHERE sex IS NULL")
    assert "class size" in result.stdout
    bins = [line.split()[:3] for line in result.stdout.splitlines() if "█" in line]
    assert bins == [["3-4", "1", str(nulls)], ["100-499", "2", str(300 - nulls)]]


def test_no_rows_is_vacuously_anonymous() -> None:
    result = run(*CHECK, "nobody", *QI)
    assert result.exit_code == 0
    assert "no rows" in result.stdout
    answer = json_of(*CHECK, "nobody", *QI)
    assert (answer["satisfied"], answer["k_reached"], answer["rows"], answer["classes"]) == (True, None, 0, 0)
    assert answer["histogram"] == []


def test_where_filters() -> None:
    answer = json_of(*CHECK, "patients", "--qi", "sex", "--where", "sex IS NOT NULL", "--k", "50")
    assert answer["classes"] == 2


def test_kanon_yml_gives_db_table_k_and_quasi_identifiers_and_nothing_else() -> None:
    Path("kanon.yml").write_text(
        "db: warehouse.duckdb\ntable: patients\nk: 3\nperson: patient_id\nwhere: age > 1000\n"
        "output: patients_k5\nsensitive: [diagnosis]\nquasi_identifiers:\n"
        "  age: hierarchies/age.csv\n  sex:\n"
    )
    answer = json_of("check", exit_code=1)
    assert answer["quasi_identifiers"] == ["age", "sex"]
    assert (answer["k"], answer["person"], answer["rows"]) == (3, None, 300)
    answer = json_of("check", "--table", "patients", "--qi", "ward", "--k", "2")
    assert (answer["quasi_identifiers"], answer["k"]) == (["ward"], 2)


def test_a_release_without_the_person_column_can_be_checked_beside_its_spec() -> None:
    Path("kanon.yml").write_text(
        "db: warehouse.duckdb\ntable: patients\nperson: patient_id\nwhere: patient_id > 3\n"
        "quasi_identifiers: {age: hierarchies/age.csv, sex: hierarchies/sex.csv}\n"
    )
    assert run("run").exit_code == 0
    assert run("check", "--table", "patients_k5").exit_code == 0


def test_column_names_match_as_in_duckdb() -> None:
    assert json_of(*CHECK, "PATIENTS", "--qi", "WARD")["quasi_identifiers"] == ["ward"]


def test_a_check_writes_nothing_and_names_nobody() -> None:
    before = tables(), Path("warehouse.duckdb").read_bytes()
    result = run(*CHECK, "patients", "--qi", "name,age")
    assert result.exit_code == 1
    assert "Patient No" not in result.output
    assert "Quux" not in result.output
    assert (tables(), Path("warehouse.duckdb").read_bytes()) == before


def test_a_view_and_another_schema() -> None:
    assert run(*CHECK, "everyone", "--qi", "ward").exit_code == 0
    assert run(*CHECK, "clinic.wards", "--qi", "ward").exit_code == 1
