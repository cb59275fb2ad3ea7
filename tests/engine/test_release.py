"""What a release is: its columns, its rows, where it goes, and when there is none (DESIGN 5.5 to 5.13)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.api import Phase
from kanon_sql.errors import (
    DataError,
    HierarchyError,
    KanonError,
    NoSolutionError,
    SpecError,
    VerificationError,
)
from tests.engine.support import World, digest, lines, make, query, quoted, tables, types, world

AGES = ["1;young;*", "2;young;*", "3;old;*", "4;old;*"]
ROWS = (
    "CREATE TABLE t AS SELECT 1 + i % 4 AS age, 'v' || i AS visit, 'name ' || i AS name, i AS row_number,"
    " 'd' || i % 3 AS diagnosis, i // 3 AS patient FROM range(40) AS numbers(i)"
)


@pytest.fixture
def patients(tmp_path: Path) -> World:
    return world(tmp_path, ROWS, qi={"age": {"lines": AGES, "header": False}}, k=5)


# ---------------------------------------------------------------- columns


def test_undeclared_columns_stay_and_are_listed(patients: World) -> None:
    result = patients.run(keep=["visit"], sensitive=["diagnosis"], identifiers=["name"])
    assert types(patients.path, "released") == {"age": "BIGINT", "visit": "VARCHAR", "diagnosis": "VARCHAR"}
    assert {"row_number", "patient"} <= set(result.left_out)
    assert not {"age", "visit", "diagnosis"} & set(result.left_out)


def test_kept_columns_are_unchanged_row_by_row(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 2 AS age, [i, NULL] AS list, {'a': i, 'b': 'x'} AS struct,"
        " CAST(i / 7 AS DECIMAL(9, 3)) AS number, TIMESTAMPTZ '2024-01-01 00:00:00+00' + i * INTERVAL 1 HOUR AS at,"
        " CAST(CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS ENUM('a', 'b')) AS label,"
        " CAST('x' || i AS BLOB) AS bytes, CASE WHEN i % 3 > 0 THEN i END AS gap, i AS id FROM range(12) AS n(i)",
        qi={"age": {"lines": AGES, "header": False}},
        vector="age=1",
    )
    kept = ["list", "struct", "number", "at", "label", "bytes", "gap", "id"]
    here.run(keep=kept)
    columns = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in kept)
    assert here.released(columns) == here.released(columns, "t")
    found, source = types(here.path, "released"), types(here.path, "t")
    assert found == {"age": "VARCHAR", **{name: source[name] for name in kept}}


def test_columns_keep_the_order_of_the_table(patients: World) -> None:
    patients.run(keep=["diagnosis", "visit"])
    assert list(types(patients.path, "released")) == ["age", "visit", "diagnosis"]


@pytest.mark.parametrize(
    "roles",
    [
        {"keep": ["age"]},
        {"keep": ["AGE"]},
        {"sensitive": ["visit"], "keep": ["VISIT"]},
        {"identifiers": ["name"], "keep": ["name"]},
        {"person": "patient", "keep": ["patient"]},
        {"person": "age"},
        {"identifiers": ["age"]},
    ],
)
def test_a_column_in_two_roles_is_refused(patients: World, roles: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as refused:
        patients.run(**roles)
    assert refused.value.exit_code == 2
    assert tables(patients.path) == ["t"]


def test_a_column_found_by_its_hierarchy_is_in_two_roles_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(tmp_path, ROWS, qi={})
    (tmp_path / "hierarchies").mkdir()
    lines(tmp_path / "hierarchies" / "age.csv", *AGES)
    monkeypatch.chdir(tmp_path)
    del here.words["quasi_identifiers"]
    assert here.run().vector == {"age": 0}
    result = here.run(keep=["age"], quasi_identifiers=["patient"], output="other")
    assert list(result.vector) == ["patient"]  # a role takes it off the folder's hands


# ---------------------------------------------------------------- names


def test_names_match_as_duckdb_matches_them(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        'CREATE TABLE "Patients" ("Age" INTEGER, "Größe" INTEGER, "Note" VARCHAR)',
        "INSERT INTO \"Patients\" VALUES (1, 2, 'x'), (1, 2, 'y')",
        qi={"aGE": {"lines": AGES, "header": False}, "grÖßE".replace("Ö", "ö"): None},
        table="pATIENTS",
    )
    result = here.run(keep=["NOTE"])
    assert list(result.vector) == ["Age", "Größe"]
    assert list(types(here.path, "released")) == ["Age", "Größe", "Note"]
    with pytest.raises(DataError, match="Größe"):
        here.run(quasi_identifiers=["GRÖSSE".replace("SS", "ß")], output="other")


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"table": "tt"}, "t"),
        ({"quasi_identifiers": ["agee"]}, "'age'"),
        ({"keep": ["visitt"]}, "'visit'"),
        ({"person": "pationt"}, "'patient'"),
        ({"identifiers": ["nam"]}, "'name'"),
    ],
)
def test_a_miss_names_the_near_match(patients: World, wrong: dict[str, Any], hint: str) -> None:
    with pytest.raises(DataError) as refused:
        patients.run(**wrong)
    assert hint in str(refused.value)
    assert refused.value.exit_code == 4


@pytest.mark.parametrize("file", ["main.duckdb", "temp.duckdb", "system.duckdb", "memory.duckdb", "TEMP.db",
                                  "it's.duckdb", 'a"b.duckdb', "a b", "pg_catalog.duckdb", "t.duckdb",
                                  "information_schema.db", "source.duckdb", ".duckdb"])  # fmt: skip
def test_a_file_of_any_name(tmp_path: Path, file: str) -> None:
    path = make(tmp_path / "made", ROWS).rename(tmp_path / file)
    words: dict[str, Any] = {"table": "t", "k": 5, "quasi_identifiers": ["age"], "output": "released"}
    result = kanon_sql.anonymize(path, **words)
    assert (result.table, result.output, result.released) == ("t", "released", 40)
    assert tables(path) == ["released", "t"]
    assert result.to_arrow().num_rows == 40


# ---------------------------------------------------------------- order


def positions(visits: list[str]) -> list[int]:
    return [int(visit[1:]) for visit in visits]


def test_the_order_of_rows_is_secret(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT i % 2 AS age, 'v' || i AS visit FROM range(3000) AS numbers(i)",
        qi={"age": None},
        keep=["visit"],
    )
    orders = []
    for name in ("first", "second"):
        assert here.run(output=name).vector == {"age": 0}
        orders.append(positions([v for (v,) in query(here.path, f"SELECT visit FROM {name}")]))
    first, second = orders
    assert sorted(first) == sorted(second) == list(range(3000))
    assert first != second
    for order in orders:
        # In a random order one row in 3,000 has its old successor behind it.
        assert sum(b - a == 1 for a, b in pairwise(order)) < 20
        assert sum(abs(at - was) < 30 for at, was in enumerate(order)) < 200
        assert 0.3 < sum(a < b for a, b in pairwise(order)) / 3000 < 0.7


# ---------------------------------------------------------------- where it goes


def test_an_output_that_exists_is_not_touched(patients: World) -> None:
    make(patients.path, "CREATE TABLE released AS SELECT 'old' AS was")
    with pytest.raises(SpecError, match="exists already") as refused:
        patients.run()
    assert refused.value.exit_code == 2
    assert patients.released() == [("old",)]
    with pytest.raises(SpecError, match="exists already"):
        patients.run(output="RELEASED")
    assert patients.run(overwrite=True).released == 40
    assert len(patients.released()) == 40
    assert tables(patients.path) == ["released", "t"]


def test_a_failing_overwrite_keeps_the_old_release(patients: World) -> None:
    make(patients.path, "CREATE TABLE released AS SELECT 'old' AS was")
    before = digest(patients.path)
    for wrong in (
        {"k": 41},
        {"k": 11, "vector": "age=0"},
        {"max_suppression": 40},
        {"where": "random() < 2"},
    ):
        with pytest.raises(KanonError):
            patients.run(overwrite=True, **wrong)
    assert patients.released() == [("old",)]
    assert digest(patients.path) == before


@pytest.mark.parametrize("output", ["t", "T", "main.t", "w.main.t"])
def test_the_source_is_no_output(patients: World, output: str) -> None:
    with pytest.raises(SpecError):
        patients.run(output=output, overwrite=True)
    assert len(patients.released("age", "t")) == 40


def test_a_view_is_no_output(patients: World) -> None:
    make(patients.path, "CREATE VIEW released AS SELECT 1 AS x")
    with pytest.raises(SpecError, match="view"):
        patients.run(overwrite=True)


@pytest.mark.parametrize("name", ["kanon_map_age", "kanon_digits_age", "kanon_frequency"])
def test_an_output_with_the_name_of_a_scratch_table(patients: World, name: str) -> None:
    make(patients.path, f"CREATE TABLE {name} AS SELECT 'old' AS was")
    with pytest.raises(SpecError, match="exists already"):
        patients.run(output=name)
    assert patients.run(output=name, overwrite=True).released == 40


def test_the_default_name_and_another_schema(patients: World) -> None:
    make(patients.path, "CREATE SCHEMA open")
    del patients.words["output"]
    assert patients.run().output == "t_k5"
    assert patients.run(output="open.t").output == "open.t"
    assert query(patients.path, "SELECT COUNT(*) FROM open.t") == [(40,)]
    with pytest.raises(DataError, match="no such schema"):
        patients.run(output="opn.t")


def test_a_view_is_a_source(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        ROWS.replace("TABLE t", "TABLE base"),
        "CREATE VIEW t AS SELECT age, visit FROM base WHERE row_number < 20",
        qi={"age": {"lines": AGES, "header": False}},
        keep=["visit"],
    )
    assert here.run().rows == 20
    renamed = here.path.rename(tmp_path / "other name.duckdb")
    assert World(renamed, here.words).run(overwrite=True).rows == 20


def test_a_dry_run_writes_nothing(patients: World) -> None:
    before, stat = digest(patients.path), patients.path.stat()
    beside = sorted(patients.path.parent.iterdir())
    result = patients.run(dry_run=True)
    assert (result.output, result.released, result.classes) == (None, 40, 4)
    assert digest(patients.path) == before
    assert patients.path.stat().st_mtime_ns == stat.st_mtime_ns
    assert sorted(patients.path.parent.iterdir()) == beside
    with pytest.raises(SpecError, match="dry run"):
        result.to_arrow()


def test_a_dry_run_can_read_a_file_that_cannot_be_written(patients: World) -> None:
    patients.path.chmod(0o444)
    assert patients.run(dry_run=True).released == 40


def test_to_arrow_is_the_release(patients: World) -> None:
    table = patients.run(keep=["visit"]).to_arrow()
    assert table.column_names == ["age", "visit"]
    assert sorted(zip(*(column.to_pylist() for column in table.columns), strict=True)) == patients.released()


# ---------------------------------------------------------------- none at all


@pytest.mark.parametrize(
    ("words", "error", "exit_code"),
    [
        ({"k": 41}, DataError, 4),
        ({"max_suppression": 40}, SpecError, 2),
        ({"max_suppression": "100%"}, SpecError, 2),
        ({"max_suppression": "0.01"}, SpecError, 2),
        ({"k": 11, "vector": "age=0"}, NoSolutionError, 5),
        ({"k": 41, "allow_empty": True}, DataError, 4),
        ({"vector": "age=3"}, SpecError, 2),
        ({"person": "patient", "k": 15}, DataError, 4),
    ],
)
def test_what_cannot_be_released(
    patients: World, words: dict[str, Any], error: type[KanonError], exit_code: int
) -> None:
    with pytest.raises(error) as refused:
        patients.run(**words)
    assert refused.value.exit_code == exit_code
    assert tables(patients.path) == ["t"]


def test_an_empty_table_is_an_error(tmp_path: Path) -> None:
    here = world(tmp_path, ROWS.replace("range(40)", "range(0)"), qi={"age": None})
    with pytest.raises(DataError, match="no rows"):
        here.run()


def test_nothing_satisfies_names_the_nearest_vector(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES ('a'), ('a'), ('zz'), ('yy')) AS r(x)",
        qi={"x": {"lines": ["a;A;*"], "header": False, "unmapped": "suppress"}},
        max_suppression=1,
    )
    with pytest.raises(NoSolutionError, match=r"x=2.*2 rows"):
        here.run()


def test_an_empty_release_is_refused_unless_allowed(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES ('zz'), ('yy'), ('xx')) AS r(x)",
        qi={"x": {"lines": ["a;A;*"], "header": False, "unmapped": "suppress"}},
    )
    with pytest.raises(NoSolutionError):
        here.run(max_suppression=2)
    with pytest.raises(SpecError):
        here.run(max_suppression=3)
    result = here.run(max_suppression=3, allow_empty=True)
    assert (result.rows, result.released, result.suppressed, result.classes) == (3, 0, 3, 0)
    assert here.released() == []


def test_exactly_max_suppression_is_allowed(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES (1), (1), (1), (2), (3)) AS r(x)",
        qi={"x": None},
        overwrite=True,
    )
    assert here.run(max_suppression=2).vector == {"x": 0}
    assert here.run(max_suppression="40%").suppressed == 2
    assert here.run(max_suppression="39.9%").vector == {"x": 1}


# ---------------------------------------------------------------- persons


def test_a_class_of_one_patient_has_size_one(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1), ('a', 1), ('a', 1), ('b', 2), ('b', 3)) AS r(x, who)",
        qi={"x": None},
        overwrite=True,
    )
    assert here.run().suppressed == 0
    result = here.run(person="who", max_suppression=3)
    assert (result.vector, result.released, result.suppressed) == ({"x": 0}, 2, 3)
    assert any("1 of 3 persons" in warning for warning in result.warnings)
    assert result.manifest["person_level"] == {"persons": 3, "released": 2, "lost": 1, "smallest_class": 2}
    assert types(here.path, "released") == {"x": "VARCHAR"}
    assert here.run(person="who").vector == {"x": 1}


def test_a_null_person_is_an_error(patients: World) -> None:
    make(patients.path, "UPDATE t SET patient = NULL WHERE row_number IN (3, 4)")
    with pytest.raises(DataError, match="NULL in 2 row"):
        patients.run(person="patient")
    assert patients.run(person="patient", where="patient IS NOT NULL").rows == 38


# ---------------------------------------------------------------- a vector that is asked for


def test_a_vector_that_satisfies_is_released_as_asked(patients: World) -> None:
    result = patients.run(vector={"AGE": 1})
    assert (result.vector, result.proven_minimal) == ({"age": 1}, False)
    assert {age for (age,) in patients.released("age")} == {"young", "old"}


def test_a_vector_that_does_not_says_by_how_much(patients: World) -> None:
    make(patients.path, "DELETE FROM t WHERE age = 4 AND row_number > 8")
    with pytest.raises(NoSolutionError, match="2 rows would be suppressed, 1 may be"):
        patients.run(vector="age=0", max_suppression=1)
    assert patients.run(vector="age=0", max_suppression=2).suppressed == 2


# ---------------------------------------------------------------- verification


def shifting(tmp_path: Path) -> tuple[World, Path]:
    """A source that somebody may change meanwhile: a view over a CSV file; with an older release."""
    source = lines(tmp_path / "source.csv", "age,visit", *(f"{1 + i % 4},v{i}" for i in range(40)))
    here = world(
        tmp_path,
        f"CREATE VIEW t AS FROM read_csv('{source}', header = true)",
        "CREATE TABLE released AS SELECT 'old' AS was",
        qi={"age": {"lines": AGES, "header": False}},
        overwrite=True,
        keep=["visit"],
    )
    return here, source


CHANGED = {
    "a row more": [f"{1 + i % 4},v{i}" for i in range(41)],
    "a row less": [f"{1 + i % 4},v{i}" for i in range(39)],
    "another class": [f"{1 + i % 3},v{i}" for i in range(39)] + ["4,v39"],
    "an unmapped value": [f"{1 + i % 4},v{i}" for i in range(39)] + ["9,v39"],
    "nothing left": [],
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_source_that_changes_after_the_search_is_rolled_back(tmp_path: Path, change: str) -> None:
    here, source = shifting(tmp_path)

    def meddle(event: object) -> None:
        if event == Phase("release"):
            lines(source, "age,visit", *CHANGED[change])

    with pytest.raises(VerificationError) as refused:
        here.run(progress=meddle)
    assert refused.value.exit_code == 7
    assert here.released() == [("old",)]
    assert tables(here.path) == ["released", "t"]


@pytest.mark.parametrize("persons", [False, True])
def test_a_source_that_changes_after_the_release_is_rolled_back(tmp_path: Path, persons: bool) -> None:
    here, source = shifting(tmp_path)
    if persons:
        here.words |= {"person": "visit", "keep": []}

    def meddle(event: object) -> None:
        if event == Phase("verification"):
            lines(source, "age,visit", *CHANGED["another class" if persons else "a row more"])

    with pytest.raises(VerificationError):
        here.run(progress=meddle)
    assert here.released() == [("old",)]


def test_an_unchanged_source_verifies(tmp_path: Path) -> None:
    here, _ = shifting(tmp_path)
    assert here.run().released == 40
    assert len(here.released()) == 40


def test_an_error_in_a_callback_leaves_the_old_release(tmp_path: Path) -> None:
    here, _ = shifting(tmp_path)

    class Stop(Exception):
        pass

    def fail(event: object) -> None:
        if event == Phase("verification"):
            raise Stop

    with pytest.raises(Stop):
        here.run(progress=fail)
    assert here.released() == [("old",)]
    assert here.run().released == 40  # and the file is free


# ---------------------------------------------------------------- messages


def test_hierarchy_errors_name_file_and_line(tmp_path: Path) -> None:
    here = world(tmp_path, ROWS, qi={"age": {"lines": ["1;a;*", "2;b;*", "3;c;+"], "header": False}})
    with pytest.raises(HierarchyError, match=r"age\.csv:3") as refused:
        here.run()
    assert refused.value.exit_code == 3


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        kanon_sql.anonymize(tmp_path / "none.duckdb", table="t", quasi_identifiers=["x"])
    assert not list(tmp_path.iterdir())
