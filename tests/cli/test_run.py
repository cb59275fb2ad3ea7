"""``kanon-sql run``: what it does without a word of spec, and what every flag adds."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli import warehouse
from tests.cli.warehouse import (
    HEIGHTS,
    QIS,
    ROWS,
    RUN,
    least,
    outliers,
    query,
    released,
    run,
    spawn,
    spawn_anew,
    tables,
)

pytestmark = pytest.mark.usefixtures("folder")


def json_of(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def vector_of(answer: dict[str, Any]) -> tuple[int, ...]:
    return tuple(answer["vector"][name] for name in QIS)


def in_release(output: str = "patients_k5", columns: str = "age, zip, sex") -> Counter[tuple[Any, ...]]:
    return Counter(query(f"SELECT {columns} FROM {output}"))


# -- without a spec -----------------------------------------------------------------------------------


def test_without_a_spec_it_works_as_it_stands() -> None:
    result = run(*RUN)
    assert result.exit_code == 0, result.output
    vector = least(5, 0)
    assert in_release() == Counter({tuple(k): n for k, n in released(vector, 5).items()})
    assert query("DESCRIBE patients_k5")[0][0] == "age"
    assert [row[0] for row in query("DESCRIBE patients_k5")] == ["age", "zip", "sex"]


def test_the_quasi_identifiers_stand_in_table_order_not_in_that_of_the_folder() -> None:
    answer = json_of(*RUN)
    assert answer["quasi_identifiers"] == ["age", "zip", "sex"]
    assert list(answer["vector"]) == ["age", "zip", "sex"]
    assert answer["heights"] == list(HEIGHTS)


def test_a_hierarchy_of_a_column_that_is_not_there_is_passed_over() -> None:
    Path("hierarchies/shoe_size.csv").write_text("40;*\n41;*\n")
    assert json_of(*RUN)["quasi_identifiers"] == ["age", "zip", "sex"]


def test_the_source_is_left_as_it_was() -> None:
    before = tables(), query("FROM patients ORDER BY ALL")
    assert run(*RUN).exit_code == 0
    after = tables()
    assert after.pop("main.patients_k5") == ROWS
    assert (after, query("FROM patients ORDER BY ALL")) == before


def test_two_runs_give_the_same_rows_in_different_orders() -> None:
    orders = []
    for output in ("one", "two"):
        assert run(*RUN, "--output", output, "--keep", "ward", "--sensitive", "diagnosis").exit_code == 0
        orders.append(query(f"FROM {output}"))
    assert Counter(orders[0]) == Counter(orders[1])
    assert orders[0] != orders[1]


# -- JSON ---------------------------------------------------------------------------------------------

KEYS: dict[str, type | tuple[type, ...]] = {
    "table": str,
    "output": str,
    "k": int,
    "max_suppression_rows": int,
    "max_suppression_per": list,
    "quasi_identifiers": list,
    "heights": list,
    "vector": dict,
    "height": int,
    "proven_minimal": bool,
    "rows": int,
    "released": int,
    "suppressed": int,
    "classes": int,
    "class_size": dict,
    "vectors_evaluated": int,
    "seconds": dict,
    "measures": dict,
}
PHASES = {"hierarchies", "frequency_set", "search", "release", "total"}


@pytest.mark.parametrize("plan", ["frequency", "direct"])
@pytest.mark.parametrize(("k", "max_suppression", "allowed"), [(5, "0", 0), (3, "1%", 3), (10, "7%", 21)])
def test_the_json_is_what_sql_says_of_the_release(
    plan: str, k: int, max_suppression: str, allowed: int
) -> None:
    answer = json_of(*RUN, "--k", str(k), "--max-suppression", max_suppression, "--plan", plan)
    for key, kind in KEYS.items():
        assert isinstance(answer[key], kind), key
        assert kind is bool or not isinstance(answer[key], bool), key
    assert (answer["table"], answer["output"], answer["k"]) == ("patients", f"patients_k{k}", k)
    assert answer["max_suppression_rows"] == allowed
    vector = vector_of(answer)
    assert vector == least(k, allowed)
    assert answer["height"] == sum(vector)
    assert answer["proven_minimal"] is True
    assert answer["rows"] == ROWS == answer["released"] + answer["suppressed"]
    assert answer["suppressed"] == outliers(vector, k)
    sizes = [
        row[0] for row in query(f"SELECT COUNT(*) AS n FROM patients_k{k} GROUP BY age, zip, sex ORDER BY n")
    ]
    assert sum(sizes) == answer["released"]
    assert len(sizes) == answer["classes"]
    assert set(answer["class_size"]) == {"min", "median", "max"}
    assert answer["class_size"]["min"] == sizes[0] >= k
    assert answer["class_size"]["max"] == sizes[-1]
    middle = sizes[(len(sizes) - 1) // 2 : len(sizes) // 2 + 1]
    assert answer["class_size"]["median"] == sum(middle) / len(middle)
    assert 1 <= answer["vectors_evaluated"] <= 32
    assert set(answer["seconds"]) >= PHASES
    assert all(isinstance(value, float) and value >= 0 for value in answer["seconds"].values())
    relative = sum(level / height for level, height in zip(vector, HEIGHTS, strict=True)) / 3
    assert answer["measures"]["accuracy"] == pytest.approx(1 - relative)
    assert answer["measures"]["completeness"] == pytest.approx(answer["released"] / ROWS)


def test_both_plans_release_the_same_rows() -> None:
    assert run(*RUN, "--max-suppression", "2%", "--plan", "direct", "--output", "d").exit_code == 0
    assert run(*RUN, "--max-suppression", "2%", "--plan", "frequency", "--output", "f").exit_code == 0
    assert in_release("d") == in_release("f")


def test_json_is_the_only_thing_on_stdout(folder: Path) -> None:
    process = spawn_anew(*RUN, "--json", cwd=folder)
    assert process.returncode == 0
    assert isinstance(json.loads(process.stdout), dict)
    assert process.stderr == ""


def test_the_json_of_a_dry_run_has_no_output() -> None:
    answer = json_of(*RUN, "--dry-run")
    assert answer["output"] is None
    assert vector_of(answer) == least(5, 0)
    assert "main.patients_k5" not in tables()


# -- flags ----------------------------------------------------------------------------------------------


def test_k() -> None:
    answer = json_of(*RUN, "--k", "40")
    assert answer["k"] == 40
    assert answer["output"] == "patients_k40"
    assert vector_of(answer) == least(40, 0)


@pytest.mark.parametrize(("written", "rows"), [("2", 2), ("1%", 3), ("0.5%", 1), ("0", 0), ("0%", 0)])
def test_max_suppression_is_rows_or_a_floored_share(written: str, rows: int) -> None:
    answer = json_of(*RUN, "--max-suppression", written)
    assert answer["max_suppression_rows"] == rows
    assert vector_of(answer) == least(5, rows)


@pytest.mark.parametrize(
    "written", [["--qi", "age,sex"], ["--qi", "age", "--qi", "sex"], ["--qi", "AGE,Sex"]]
)
def test_qi(written: list[str]) -> None:
    answer = json_of(*RUN, *written)
    assert answer["quasi_identifiers"] == ["age", "sex"]
    assert [row[0] for row in query("DESCRIBE patients_k5")] == ["age", "sex"]


def test_qi_order_is_that_of_the_vector_while_the_release_keeps_table_order() -> None:
    assert json_of(*RUN, "--qi", "sex,zip,age")["quasi_identifiers"] == ["sex", "zip", "age"]
    assert [row[0] for row in query("DESCRIBE patients_k5")] == ["age", "zip", "sex"]


def test_a_qi_without_a_hierarchy_has_two_levels() -> None:
    answer = json_of(*RUN, "--qi", "age,ward")
    assert answer["heights"] == [3, 1]


def test_hierarchy_names_a_file_and_makes_the_column_a_quasi_identifier() -> None:
    Path("other").mkdir()
    Path("other/by ward.csv").write_text("A,all,*\nB,all,*\n")
    answer = json_of(*RUN, "--hierarchy", "ward=other/by ward.csv")
    assert answer["quasi_identifiers"] == ["ward"]
    assert answer["heights"] == [2]
    answer = json_of(*RUN, "--qi", "age,ward", "--hierarchy", "ward=other/by ward.csv", "--output", "x")
    assert answer["heights"] == [3, 2]


def test_sensitive_and_keep_release_columns_as_they_are() -> None:
    answer = json_of(*RUN, "--sensitive", "diagnosis", "--keep", "ward", "--identifier", "name,patient_id")
    assert query("DESCRIBE patients_k5")[3][0] == "diagnosis"
    assert [row[0] for row in query("DESCRIBE patients_k5")] == ["age", "zip", "sex", "diagnosis", "ward"]
    expected = released(vector_of(answer), 5, ("diagnosis", "ward"))
    assert in_release(columns="age, zip, sex, diagnosis, ward") == expected
    assert answer["left_out"] == ["patient_id", "name"]


def test_what_is_not_declared_is_left_out_and_the_run_says_so() -> None:
    text = run(*RUN).stdout
    left_out = next(line for line in text.splitlines() if "left out" in line)
    for column in ("patient_id", "name", "diagnosis", "ward"):
        assert column in left_out
    assert "--keep" in text


def test_identifier_takes_a_column_with_a_hierarchy_out_of_the_quasi_identifiers() -> None:
    assert json_of(*RUN, "--identifier", "zip")["quasi_identifiers"] == ["age", "sex"]


def test_person_counts_persons() -> None:
    answer = json_of(*RUN, "--person", "patient_id", "--max-suppression", "2%")
    assert "patient_id" in answer["left_out"]
    maps = [warehouse.paths(name) for name in QIS]
    members: dict[tuple[Any, ...], set[int]] = {}
    for *values, person in query("SELECT CAST(age AS VARCHAR), zip, sex, patient_id FROM patients"):
        at = enumerate(vector_of(answer))
        key = tuple(maps[i][values[i]][level] for i, level in at)
        members.setdefault(key, set()).add(person)
    kept = {key for key, persons in members.items() if len(persons) >= 5}
    assert set(in_release()) == kept


def test_where_filters_the_rows() -> None:
    answer = json_of(*RUN, "--where", "ward = 'A' AND age < 100")
    [(rows,)] = query("SELECT COUNT(*) FROM patients WHERE ward = 'A' AND age < 100")
    assert answer["rows"] == rows == answer["released"]
    assert vector_of(answer) == least(5, 0, "ward = 'A' AND age < 100")


@pytest.mark.parametrize(
    ("written", "found"),
    [("release", "main.release"), ("clinic.release", "clinic.release"), ('"a b"."c.d"', "a b.c.d")],
)
def test_output(written: str, found: str) -> None:
    warehouse.change('CREATE SCHEMA "a b"')
    answer = json_of(*RUN, "--output", written)
    assert answer["output"] == written
    assert tables()[found] == ROWS


def test_overwrite() -> None:
    assert run(*RUN, "--max-suppression", "2").exit_code == 0
    assert run(*RUN).exit_code == 2
    assert tables()["main.patients_k5"] < ROWS
    assert run(*RUN, "--overwrite").exit_code == 0
    assert tables()["main.patients_k5"] == ROWS


def test_a_dry_run_writes_nothing_at_all(folder: Path) -> None:
    before = (folder / "warehouse.duckdb").read_bytes()
    result = run(*RUN, "--dry-run")
    assert result.exit_code == 0
    assert "nothing was written" in result.stdout
    assert (folder / "warehouse.duckdb").read_bytes() == before
    assert {path.name for path in folder.iterdir()} == {"warehouse.duckdb", "hierarchies"}


def test_a_dry_run_does_not_mind_that_the_output_exists() -> None:
    assert run(*RUN).exit_code == 0
    assert run(*RUN, "--dry-run").exit_code == 0


def test_vector_is_released_if_it_satisfies() -> None:
    assert outliers((3, 2, 1), 5) == 2
    answer = json_of(*RUN, "--vector", "zip=2,AGE=3,sex=1", "--max-suppression", "2")
    assert answer["vector"] == {"age": 3, "zip": 2, "sex": 1}
    assert answer["proven_minimal"] is False
    assert (answer["suppressed"], answer["vectors_evaluated"]) == (2, 1)
    assert in_release() == released((3, 2, 1), 5)


def test_allow_empty() -> None:
    args = (*RUN, "--max-suppression", "100%", "--vector", "age=0,zip=0,sex=0", "--k", "50")
    assert run(*args).exit_code == 2
    answer = json_of(*args, "--allow-empty")
    assert (answer["released"], answer["suppressed"], answer["classes"]) == (0, ROWS, 0)
    assert tables()["main.patients_k50"] == 0


def test_allow_empty_is_printed_as_text_too() -> None:
    args = ("--max-suppression", "100%", "--vector", "age=0,zip=0,sex=0", "--k", "50", "--allow-empty")
    result = run(*RUN, *args)
    assert result.exit_code == 0, result.output
    assert "300 suppressed" in result.stdout


def test_quiet_prints_nothing_but_errors(folder: Path) -> None:
    process = spawn(*RUN, "--quiet", cwd=folder)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
    process = spawn(*RUN, "--quiet", cwd=folder)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.startswith("error: ")


def test_no_progress_is_taken(folder: Path) -> None:
    process = spawn(*RUN, "--no-progress", cwd=folder)
    assert (process.returncode, process.stderr) == (0, "")


def test_debug_shows_the_traceback_and_still_the_one_line() -> None:
    result = run("run", "--db", "nowhere.duckdb", "--table", "patients", "--debug")
    assert result.exit_code == 4
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("error: ")


def test_redact_quotes_no_value() -> None:
    warehouse.change("INSERT INTO patients VALUES (1, 'n', 101, '02130', 'f', 'flu', 'A')")
    shown, redacted = run(*RUN), run(*RUN, "--redact")
    assert shown.exit_code == redacted.exit_code == 4
    assert "'101'" in shown.stderr
    assert "101" not in redacted.stderr
    assert redacted.stderr.startswith("error: ")


@pytest.mark.parametrize("args", [["--version"], ["--version", "run"]])
def test_version(args: list[str], folder: Path) -> None:
    from kanon_sql import __version__

    process = spawn(*args, cwd=folder)
    assert (process.returncode, process.stdout) == (0, f"kanon-sql {__version__}\n")


def test_the_released_types_are_those_of_design_5_10() -> None:
    assert run(*RUN, "--vector", "age=0,zip=2,sex=1", "--max-suppression", "99%", "--k", "2").exit_code == 0
    assert [row[:2] for row in query("DESCRIBE patients_k2")] == [
        ("age", "INTEGER"),
        ("zip", "VARCHAR"),
        ("sex", "VARCHAR"),
    ]


def test_zips_keep_their_leading_zeros() -> None:
    args = ("--vector", "age=3,zip=0,sex=1", "--max-suppression", "2")
    assert run(*RUN, *args).exit_code == 0
    assert {row[0] for row in query("SELECT DISTINCT zip FROM patients_k5")} == {
        f"02{block}{digit}" for block in (13, 14, 15) for digit in range(4)
    }


def test_a_view_is_a_source_too() -> None:
    answer = json_of("run", "--db", "warehouse.duckdb", "--table", "everyone")
    assert answer["output"] == "everyone_k5"
    assert tables()["main.everyone_k5"] == ROWS


def test_a_table_of_another_schema_is_released_into_that_schema() -> None:
    warehouse.change("CREATE TABLE clinic.patients AS FROM main.patients WHERE age < 100")
    answer = json_of("run", "--db", "warehouse.duckdb", "--table", "clinic.patients")
    assert (answer["table"], answer["output"]) == ("clinic.patients", "clinic.patients_k5")
    assert tables()["clinic.patients_k5"] == ROWS - 2


# -- kanon.yml ----------------------------------------------------------------------------------------

SPEC = """\
db: warehouse.duckdb
table: patients
k: 4
max_suppression: 1%
quasi_identifiers:
  age: hierarchies/age.csv
  sex:
    hierarchy: hierarchies/sex.csv
sensitive:
  diagnosis: []
insensitive: [ward]
identifiers: [name, patient_id]
output: from_the_file
"""


def test_kanon_yml_beside_you_is_read() -> None:
    Path("kanon.yml").write_text(SPEC)
    answer = json_of("run")
    assert answer["quasi_identifiers"] == ["age", "sex"]
    assert (answer["k"], answer["max_suppression_rows"], answer["output"]) == (4, 3, "from_the_file")
    assert [row[0] for row in query("DESCRIBE from_the_file")] == ["age", "sex", "diagnosis", "ward"]


def test_a_flag_beats_the_file() -> None:
    Path("kanon.yml").write_text(SPEC)
    answer = json_of(
        "run", "--k", "7", "--max-suppression", "5", "--output", "flagged", "--qi", "zip,age", "--keep", "sex"
    )
    assert answer["quasi_identifiers"] == ["zip", "age"]
    assert (answer["k"], answer["max_suppression_rows"], answer["output"]) == (7, 5, "flagged")
    assert [row[0] for row in query("DESCRIBE flagged")] == ["age", "zip", "sex", "diagnosis"]


def test_spec_names_another_file_whose_paths_are_relative_to_it(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    for name in ("warehouse.duckdb", "hierarchies"):
        (folder / name).rename(inner / name)
    (inner / "other.yml").write_text(SPEC)
    (folder / "kanon.yml").write_text("k: nonsense that is not read\n")
    answer = json_of("run", "--spec", "inner/other.yml")
    assert answer["k"] == 4
    assert tables(inner / "warehouse.duckdb")["main.from_the_file"] == answer["released"]


def test_the_manifest_is_relative_to_where_you_are(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (folder / "kanon.yml").rename(inner / "kanon.yml") if (folder / "kanon.yml").exists() else None
    for name in ("warehouse.duckdb", "hierarchies"):
        (folder / name).rename(inner / name)
    (inner / "kanon.yml").write_text(SPEC)
    assert run("run", "--spec", "inner/kanon.yml", "--manifest", "m.json").exit_code == 0
    assert (folder / "m.json").is_file()
