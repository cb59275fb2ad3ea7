"""A table, column, level or value that carries SQL is only a name or a value, from end to end."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cli.warehouse import change, query, run, spawn, tables

pytestmark = pytest.mark.usefixtures("folder")

TABLE = 't"; drop table patients; --'
QUOTED = '"t""; drop table patients; --"'
COLUMNS = ("select", 'a"b', "größe", "Marital Status")
# As the command line takes them: commas separate, double quotes are doubled inside double quotes.
WRITTEN = 'select,"a""b",größe,Marital Status'
VALUES = (
    "'; drop table patients; --",
    '"; drop table patients; --',
    "*/ drop table patients; /*",
    "$shuffle_key",
    "{{ 7 * 7 }}{% raw %}",
    "two\nlines",
    "ends with a space ",
    "\\",
    "日本, 🏥",
    "NULL",
)
RUN = ("run", "--db", "warehouse.duckdb", "--table", TABLE)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.fixture(autouse=True)
def hostile(folder: Path) -> None:
    columns = ", ".join(f"{quoted(name)} VARCHAR" for name in COLUMNS)
    change(f'CREATE TABLE {QUOTED} ({columns}, "keep;me" VARCHAR, "name\'" VARCHAR)')
    rows = [
        (value, VALUES[(i + j) % 2], VALUES[j % 5], value, VALUES[-1 - i], f"{value} {j}")
        for i, value in enumerate(VALUES)
        for j in range(12)
    ]
    with duckdb.connect("warehouse.duckdb") as connection:
        connection.executemany(f"INSERT INTO {QUOTED} VALUES (?, ?, ?, ?, ?, ?)", rows)
    for column in COLUMNS[:3]:
        with Path("hierarchies", f"{column}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow([column, "'); drop table patients; --", "top"])
            writer.writerows([value, f"{value[:1]}'); drop table patients; --", "*"] for value in VALUES)


def json_of(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.mark.parametrize("plan", ["frequency", "direct"])
@pytest.mark.parametrize("k", [5, 20])
def test_run(plan: str, k: int) -> None:
    before = tables(), query("FROM patients ORDER BY ALL")
    roles = ("--sensitive", "keep;me", "--plan", plan, "--k", str(k), "--manifest", "m.json")
    answer = json_of(*RUN, "--qi", WRITTEN, *roles)
    assert answer["quasi_identifiers"] == list(COLUMNS)
    assert answer["output"] == quoted(f"{TABLE}_k{k}")
    after = tables()
    released = after.pop(f"main.{TABLE}_k{k}")
    assert (after, query("FROM patients ORDER BY ALL")) == before
    assert released == answer["released"] == 120
    names = ", ".join(map(quoted, COLUMNS))
    [(least,)] = query(f"SELECT MIN(n) FROM (SELECT COUNT(*) n FROM {answer['output']} GROUP BY {names})")
    assert least >= k
    assert [row[0] for row in query(f"DESCRIBE {answer['output']}")] == [*COLUMNS, "keep;me"]
    check = ("check", "--db", "warehouse.duckdb", "--table", answer["output"], "--qi", WRITTEN)
    assert run(*check, "--k", str(k)).exit_code == 0
    assert json.loads(Path("m.json").read_text(encoding="utf-8"))["table"] == quoted(TABLE)


def test_the_columns_are_found_by_their_files() -> None:
    assert json_of(*RUN)["quasi_identifiers"] == list(COLUMNS[:3])


def test_values_come_out_as_they_went_in() -> None:
    vector = 'select=0,"a""b"=2,größe=2,Marital Status=1'
    json_of(*RUN, "--qi", WRITTEN, "--vector", vector, "--output", "out")
    assert Counter(query('SELECT "select" FROM out')) == {(value,): 12 for value in VALUES}


def test_level_labels_come_out_as_they_are() -> None:
    vector = 'select=1,"a""b"=2,größe=2'
    json_of(*RUN, "--vector", vector, "--output", "out")
    labels = {f"{value[:1]}'); drop table patients; --" for value in VALUES}
    assert {value for (value,) in query('SELECT DISTINCT "select" FROM out')} == labels


def test_the_text_of_a_run_and_a_check(folder: Path) -> None:
    process = spawn(*RUN, "--qi", WRITTEN, cwd=folder)
    assert process.returncode == 0, process.stderr
    assert "drop table patients" in process.stdout
    assert "größe" in process.stdout
    process = spawn("check", "--db", "warehouse.duckdb", "--table", TABLE, "--qi", WRITTEN, cwd=folder)
    assert process.returncode == 1
    assert "is not 5-anonymous" in process.stdout


@pytest.mark.parametrize("plan", ["direct", "frequency"])
def test_the_printed_sql_runs_and_drops_nothing(plan: str) -> None:
    vector = ("--vector", 'select=0,"a""b"=2,größe=0,Marital Status=1')
    source = ("--db", "warehouse.duckdb", "--table", TABLE, "--qi", WRITTEN, "--plan", plan, "--k", "3")
    texts = {
        more: run("sql", *source, *flags).stdout
        for more, flags in (
            ("setup", ["--setup"]),
            ("check", [*vector]),
            ("release", ["--release", *vector, "--keep", "keep;me"]),
        )
    }
    before = tables()
    with duckdb.connect() as connection:
        connection.execute("ATTACH 'warehouse.duckdb'")
        connection.execute(texts["setup"])
        [row] = connection.execute(texts["check"]).fetchall()
        rows = connection.execute(texts["release"]).fetchall()
    assert len(rows) == 120 - row[-2] == 60
    assert tables() == before
    answer = json_of("run", *source, *vector, "--max-suppression", "90%", "--dry-run")
    assert answer["suppressed"] == row[-2]


def test_where_with_hostile_names_and_values() -> None:
    answer = json_of(*RUN, "--where", "\"a\"\"b\" = '''; drop table patients; --' AND größe IS NOT NULL")
    [(rows,)] = query(f"SELECT COUNT(*) FROM {QUOTED} WHERE \"a\"\"b\" = '''; drop table patients; --'")
    assert answer["rows"] == rows


def test_person_sensitive_and_identifier() -> None:
    answer = json_of(*RUN, "--qi", "größe", "--person", "name'", "--sensitive", "keep;me", "--output", "out")
    assert answer["released"] == 120
    assert [row[0] for row in query("DESCRIBE out")] == ["größe", "keep;me"]


POPULATION = '"voters""; drop table patients; --"'


def every_model() -> tuple[str, ...]:
    """Every model of a hostile column, with hostile values, over a hostile hierarchy; and a hostile population."""
    change(f"CREATE TABLE {POPULATION} AS FROM {QUOTED}")
    with Path("t'); drop.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerows([value, f"{value[:1]}'); drop table patients; --", "*"] for value in VALUES)
    shares = json.dumps(dict.fromkeys(VALUES, 0.9), ensure_ascii=False)
    order = json.dumps(VALUES, ensure_ascii=False)
    models = (
        "distinct_l_diversity: 1",
        "entropy_l_diversity: 1",
        "recursive_cl_diversity: {c: 99, l: 1}",
        "t_closeness: {t: 1, distance: equal}",
        f"t_closeness: {{t: 1, distance: ordered, order: {order}}}",
        't_closeness: {t: 1, distance: hierarchical, hierarchy: "t\'); drop.csv"}',
        f"alpha_k: {shares}",
        "basic_beta_likeness: 99",
        "enhanced_beta_likeness: 99",
        "delta_disclosure: 99",
    )
    flags = [part for model in models for part in ("--model", f"keep;me={model}")]
    return (*flags, "--k-map", f"k=1,population={POPULATION}")


@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_models_of_them(plan: str) -> None:
    models = every_model()
    before = tables()
    vector = ("--vector", "größe=1")
    args = ("--qi", "größe", "--plan", plan, "--max-suppression", "50%", *vector)
    answer = json_of(*RUN, *args, *models, "--output", "out", "--manifest", "m.json")
    assert answer["released"] > 0
    assert len(answer["models"]) == 12
    assert {name: rows for name, rows in tables().items() if name != "main.out"} == before
    written = json.loads(Path("m.json").read_text(encoding="utf-8"))["spec"]["sensitive"]["keep;me"]
    assert {"alpha_k": dict.fromkeys(VALUES, 0.9)} in written
    check = run("check", "--db", "warehouse.duckdb", "--table", "out", "--qi", "größe", *models[:-2])
    assert (check.exit_code, check.stderr) == (0, ""), check.output
    source = ("--db", "warehouse.duckdb", "--table", TABLE, "--qi", "größe", "--plan", plan, *models)
    setup, judged, release = (
        run("sql", *source, *more).stdout for more in (["--setup"], [*vector], ["--release", *vector])
    )
    with duckdb.connect() as connection:
        connection.execute("ATTACH 'warehouse.duckdb'")
        connection.execute(setup)
        relation = connection.sql(judged.strip().rstrip(";"))
        [row] = relation.fetchall()
        assert dict(zip(relation.columns, row, strict=True))["outliers"] == answer["suppressed"]
        rows = connection.execute(release).fetchall()
    assert Counter(rows) == Counter(query("FROM out"))


def test_a_schema_with_a_hostile_name() -> None:
    change('CREATE SCHEMA "s""; drop table patients; --"')
    output = '"s""; drop table patients; --"."o; drop table patients"'
    assert json_of(*RUN, "--output", output)["output"] == output
    assert tables()['s"; drop table patients; --.o; drop table patients'] == 120


def test_errors_about_them_are_one_line() -> None:
    change(f"INSERT INTO {QUOTED} (\"select\") VALUES ('new\n''; drop table patients')")
    result = run(*RUN)
    assert result.exit_code == 4
    [line] = result.stderr.splitlines()
    assert "column select" in line
    assert r"'new\n\'; drop table patients'" in line
    result = run("run", "--db", "warehouse.duckdb", "--table", "t\nx")
    assert result.exit_code == 4
    assert len(result.stderr.splitlines()) == 1
    result = run(*RUN, "--qi", "a\x1b[31mb\nc")
    assert result.exit_code == 4
    assert len(result.stderr.splitlines()) == 1
    assert "\x1b" not in result.stderr


def test_a_column_with_an_equals_sign_takes_a_hierarchy() -> None:
    change("CREATE TABLE sums AS SELECT 'v' AS \"a=b\" FROM range(9)")
    Path("h.csv").write_text("v,w,*\n")
    args = ("run", "--db", "warehouse.duckdb", "--table", "sums", "--qi", "a=b", "--hierarchy", '"a=b"=h.csv')
    assert json_of(*args)["heights"] == [2]


def test_a_table_whose_name_breaks_lines_is_one_line_in_errors() -> None:
    change('CREATE TABLE "two\nlines" (a INTEGER)')
    for args in (["--qi", "b"], ["--qi", "a"], ["--qi", "a", "--output", "two\nlines"]):
        result = run("run", "--db", "warehouse.duckdb", "--table", '"two\nlines"', *args)
        assert result.exit_code in (2, 4)
        assert len(result.stderr.splitlines()) == 1, result.stderr


def test_a_column_whose_name_breaks_lines_is_one_line_in_errors() -> None:
    change('CREATE TABLE colours (a INTEGER, "red\x1b[31m\nline" VARCHAR)')
    for qi in ("b", "a"):
        result = run("run", "--db", "warehouse.duckdb", "--table", "colours", "--qi", qi)
        assert result.exit_code == 4
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert "\x1b" not in result.stderr


@pytest.mark.parametrize("stem", ["ware house", "a.b", 'w"h', "select", "memory", "main", "temp", "größe"])
def test_a_database_file_of_any_name(stem: str) -> None:
    Path("warehouse.duckdb").rename(f"{stem}.duckdb")
    result = run("run", "--db", f"{stem}.duckdb", "--table", "patients", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert (answer["table"], answer["output"]) == ("patients", "patients_k5")
    assert tables(f"{stem}.duckdb")["main.patients_k5"] == 300
