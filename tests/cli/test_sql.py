"""``kanon-sql sql``: what it prints runs in a plain DuckDB, and says what ``run`` says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cli.warehouse import change, outliers, query, released, run, tables

pytestmark = pytest.mark.usefixtures("folder")
SQL = ("sql", "--db", "warehouse.duckdb", "--table", "patients")
VECTORS = [(0, 0, 0), (2, 3, 0), (3, 2, 1), (1, 1, 1), (3, 3, 1)]


@pytest.fixture
def plain() -> Iterator[Any]:
    """A connection as any client would make it: in memory, the warehouse attached under its file stem."""
    with duckdb.connect() as connection:
        connection.execute("ATTACH 'warehouse.duckdb' (READ_ONLY)")
        yield connection


def printed(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def words(vector: tuple[int, ...]) -> str:
    return "age={},zip={},sex={}".format(*vector)


@pytest.mark.parametrize("vector", VECTORS)
def test_the_check_query_counts_what_run_counts(plain: Any, vector: tuple[int, ...]) -> None:
    plain.execute(printed(*SQL, "--setup"))
    [(found, classes)] = plain.execute(printed(*SQL, "--vector", words(vector))).fetchall()
    assert found == outliers(vector, 5)
    result = run(
        "run", *SQL[1:], "--vector", words(vector), "--max-suppression", "99%", "--json", "--dry-run"
    )
    if outliers(vector, 5) < 298:
        assert json.loads(result.stdout)["suppressed"] == found
    assert bool(found) == bool(classes)


@pytest.mark.parametrize("vector", VECTORS)
def test_the_frequency_plan_counts_the_same(plain: Any, vector: tuple[int, ...]) -> None:
    plain.execute(printed(*SQL, "--setup", "--plan", "frequency"))
    rows = plain.execute(printed(*SQL, "--plan", "frequency", "--vector", words(vector))).fetchall()
    [(_, found, classes)] = rows
    plain.execute("DROP TABLE kanon_map_age; DROP TABLE kanon_map_zip; DROP TABLE kanon_map_sex")
    plain.execute(printed(*SQL, "--setup"))
    assert plain.execute(printed(*SQL, "--vector", words(vector))).fetchall() == [(found, classes)]


@pytest.mark.parametrize("vector", [(3, 2, 1), (2, 3, 0), (1, 3, 0)])
def test_the_release_query_gives_the_rows_that_run_releases(plain: Any, vector: tuple[int, ...]) -> None:
    roles = ("--sensitive", "diagnosis", "--keep", "ward")
    plain.execute(printed(*SQL, "--setup"))
    sql = printed(*SQL, "--release", "--vector", words(vector), *roles)
    rows = plain.execute(sql).fetchall()
    assert Counter(rows) == released(vector, 5, ("diagnosis", "ward"))
    plain.execute("DETACH warehouse")
    flags = ("--vector", words(vector), "--max-suppression", "99%")
    assert run("run", *SQL[1:], *roles, *flags).exit_code == 0
    assert Counter(rows) == Counter(query("FROM patients_k5"))


def test_every_printing_of_the_release_query_has_an_order_of_its_own(plain: Any) -> None:
    plain.execute(printed(*SQL, "--setup"))
    flags = ("--release", "--vector", words((3, 2, 1)), "--keep", "ward", "--sensitive", "diagnosis")
    orders = [plain.execute(printed(*SQL, *flags)).fetchall() for _ in range(2)]
    assert Counter(orders[0]) == Counter(orders[1])
    assert orders[0] != orders[1]


@pytest.mark.parametrize("more", [["--k", "12"], ["--person", "patient_id"], ["--where", "age < 50"]])
@pytest.mark.parametrize("plan", ["direct", "frequency"])
def test_k_person_and_where(plain: Any, more: list[str], plan: str) -> None:
    vector = ("--vector", words((3, 2, 0)))
    plain.execute(printed(*SQL, "--setup", "--plan", plan, *more))
    found = plain.execute(printed(*SQL, *vector, "--plan", plan, *more)).fetchall()[0][-2]
    flags = ("--max-suppression", "99%", "--json", "--dry-run")
    result = run("run", *SQL[1:], *vector, *more, *flags)
    assert json.loads(result.stdout)["suppressed"] == found


def test_unmapped_values(plain: Any) -> None:
    plain.execute("DETACH warehouse")
    change("INSERT INTO patients VALUES (1, 'n', 101, '02130', 'f', 'flu', 'A')")
    for unmapped, more in (("suppress", 1), ("top", 0)):
        Path("kanon.yml").write_text(
            "db: warehouse.duckdb\ntable: patients\nquasi_identifiers:\n"
            f"  age: {{hierarchy: hierarchies/age.csv, unmapped: {unmapped}}}\n"
        )
        with duckdb.connect() as connection:
            connection.execute("ATTACH 'warehouse.duckdb' (READ_ONLY)")
            connection.execute(printed("sql", "--setup"))
            rows = connection.execute(printed("sql", "--release", "--vector", "age=2")).fetchall()
        result = run("run", "--vector", "age=2", "--max-suppression", "50", "--json", "--dry-run")
        answer = json.loads(result.stdout)
        assert answer["released"] == len(rows)
        assert answer["suppressed"] >= more


def test_without_a_database_the_hierarchies_folder_is_enough(plain: Any) -> None:
    plain.execute(printed(*SQL, "--setup"))
    plain.execute("CREATE VIEW patients AS FROM warehouse.patients")
    vector = ("--vector", "age=3,sex=1,zip=2")
    sql = printed("sql", "--table", "patients", *vector)
    assert plain.execute(sql).fetchall()[0][0] == outliers((3, 2, 1), 5)
    sql = printed("sql", "--table", "patients", *vector, "--release", "--keep", "ward")
    rows = plain.execute(f"SELECT age, zip, sex, ward FROM ({sql.strip().rstrip(';')})")
    assert Counter(rows.fetchall()) == released((3, 2, 1), 5, ("ward",))


def test_without_a_database_kanon_yml_is_enough(plain: Any) -> None:
    Path("kanon.yml").write_text(
        "table: patients\nk: 9\nquasi_identifiers:\n"
        "  age: hierarchies/age.csv\n  zip: hierarchies/zip.csv\n  sex: hierarchies/sex.csv\n"
    )
    plain.execute(printed(*SQL, "--setup"))
    plain.execute("CREATE VIEW patients AS FROM warehouse.patients")
    sql = printed("sql", "--vector", words((2, 2, 0)))
    assert plain.execute(sql).fetchall()[0][0] == outliers((2, 2, 0), 9)


def test_a_kanon_yml_that_names_the_database_is_enough(plain: Any) -> None:
    Path("kanon.yml").write_text("db: warehouse.duckdb\ntable: patients\n")
    plain.execute(printed("sql", "--setup"))
    sql = printed("sql", "--vector", words((2, 3, 0)))
    assert plain.execute(sql).fetchall()[0][0] == outliers((2, 3, 0), 5)


def test_it_is_laid_out_for_reading() -> None:
    sql = printed(*SQL, "--vector", words((1, 2, 0)))
    assert sql.startswith("/* kanon: check age=1, zip=2, sex=0 */\n")
    assert sql.rstrip().endswith(";")
    assert sql.count("\n") > 10
    for word in ("JOIN", "GROUP BY", "HAVING", "SUM("):
        assert word in sql


def test_nothing_is_written() -> None:
    before = tables(), Path("warehouse.duckdb").read_bytes()
    for more in (["--setup"], ["--vector", words((1, 1, 1))], ["--release", "--vector", words((1, 1, 1))]):
        printed(*SQL, *more)
        printed(*SQL, *more, "--plan", "frequency")
    assert (tables(), Path("warehouse.duckdb").read_bytes()) == before
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["hierarchies", "warehouse.duckdb"]


def test_no_row_and_no_key_of_the_data_is_printed() -> None:
    sql = "".join(
        printed(*SQL, "--plan", plan, *more)
        for plan in ("direct", "frequency")
        for more in (["--setup"], ["--vector", words((1, 1, 1))])
    )
    assert "Patient No" not in sql
    assert "Quux" not in sql
