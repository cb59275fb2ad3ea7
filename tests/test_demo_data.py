"""The demo's data: reproducible, plausible, covered by its hierarchies, and a good demo."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path

import pytest
import yaml

from kanon_sql.demo import DemoFiles, generate
from kanon_sql.demo.files import DATABASE, SPEC
from kanon_sql.errors import DatabaseError, SpecError

duckdb = pytest.importorskip("duckdb")

# The rows of the default seed, in table order, the same on DuckDB 1.5 and 2.0. A new value means that
# everybody's demo has changed: the answers below and those in the README must then be found anew.
CONTENT = "d431a2b5ce0fb827a110fdfe13f79e0933db19983571fa8468ed606c05b6a6c1"

COLUMNS = {
    "patient_id": "INTEGER",
    "name": "VARCHAR",
    "ssn": "VARCHAR",
    "birth_date": "DATE",
    "sex": "VARCHAR",
    "zip": "VARCHAR",
    "marital_status": "VARCHAR",
    "race": "VARCHAR",
    "admission_date": "DATE",
    "ward": "VARCHAR",
    "diagnosis": "VARCHAR",
}
HIERARCHIES = ("birth_date", "sex", "zip", "marital_status", "race", "admission_date")
ARX_FORM = ("sex", "race")

Row = dict[str, object]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoFiles:
    return generate(tmp_path_factory.mktemp("made") / "new" / "demo")


@pytest.fixture(scope="module")
def rows(demo: DemoFiles) -> list[Row]:
    return read_rows(demo.database)


@pytest.fixture(scope="module")
def paths(demo: DemoFiles) -> dict[str, dict[str, list[str]]]:
    """Column -> ground value -> its values from level 0 to the top."""
    return {path.stem: {line[0]: line for line in read_hierarchy(path)} for path in demo.hierarchies}


def query(database: Path, sql: str) -> list[tuple[object, ...]]:
    connection = duckdb.connect(str(database), read_only=True)
    try:
        return list(connection.execute(sql).fetchall())
    finally:
        connection.close()


def read_rows(database: Path) -> list[Row]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in query(database, "SELECT * FROM patients")]


def read_hierarchy(path: Path) -> list[list[str]]:
    arx = path.stem in ARX_FORM
    with path.open(newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file, delimiter=";" if arx else ","))
    return lines if arx else lines[1:]


def content(rows: list[Row]) -> str:
    text = "\n".join("|".join(str(value) for value in row.values()) for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()


def age(row: Row) -> int | None:
    born, seen = row["birth_date"], row["admission_date"]
    if born is None:
        return None
    assert isinstance(born, date) and isinstance(seen, date)
    return seen.year - born.year - ((seen.month, seen.day) < (born.month, born.day))


# --- reproducible -------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_rows_on_every_duckdb(rows: list[Row]) -> None:
    assert content(rows) == CONTENT


def test_a_second_run_writes_the_same_files(demo: DemoFiles, tmp_path: Path) -> None:
    again = generate(tmp_path)
    assert read_rows(again.database) == read_rows(demo.database)
    for first, second in zip(demo.hierarchies, again.hierarchies, strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_another_seed_gives_other_rows(tmp_path: Path) -> None:
    one = read_rows(generate(tmp_path / "1", rows=50, seed=1).database)
    two = read_rows(generate(tmp_path / "2", rows=50, seed=2).database)
    assert len(one) == len(two) == 50
    assert one != two


def test_the_database_is_readable_by_duckdb_1_5(demo: DemoFiles) -> None:
    # Bytes 12 to 19 of the header: the storage version, 64 to 68 in DuckDB 1.x.
    assert int.from_bytes(demo.database.read_bytes()[12:20], "little") <= 68


# --- plausible ----------------------------------------------------------------------------------------


def test_columns_and_number_of_rows(demo: DemoFiles, rows: list[Row]) -> None:
    described = query(demo.database, "DESCRIBE patients")
    assert {name: kind for name, kind, *_ in described} == COLUMNS
    assert len(rows) == 20_000
    assert query(demo.database, "SELECT table_name FROM information_schema.tables") == [("patients",)]


@pytest.mark.parametrize(
    ("column", "least", "most"),
    [
        ("birth_date", 0.0005, 0.004),
        ("zip", 0.003, 0.012),
        ("marital_status", 0.015, 0.04),
        ("race", 0.02, 0.06),
    ],
)
def test_some_values_are_missing(rows: list[Row], column: str, least: float, most: float) -> None:
    assert least <= sum(row[column] is None for row in rows) / len(rows) <= most


def test_nothing_else_is_missing(rows: list[Row]) -> None:
    may_be_null = {"birth_date", "zip", "marital_status", "race"}
    assert not [
        row for row in rows if any(row[column] is None for column in COLUMNS if column not in may_be_null)
    ]


def test_one_patient_in_ten_came_two_to_five_times(rows: list[Row]) -> None:
    visits = Counter(row["patient_id"] for row in rows)
    assert set(visits.values()) == {1, 2, 3, 4, 5}
    assert 0.08 < sum(count > 1 for count in visits.values()) / len(visits) < 0.12


def test_a_patient_is_the_same_person_at_every_visit(rows: list[Row]) -> None:
    of_the_person = ("name", "ssn", "birth_date", "sex", "zip", "marital_status", "race")
    people = defaultdict(set)
    for row in rows:
        people[row["patient_id"]].add(tuple(row[column] for column in of_the_person))
    assert all(len(seen) == 1 for seen in people.values())
    assert len({row["ssn"] for row in rows}) == len(people)


def test_no_ssn_can_belong_to_anybody(rows: list[Row]) -> None:
    # Areas 900 to 999 are never issued; taxpayer numbers share them, but with groups of 50 and more.
    assert all(re.fullmatch(r"9\d\d-(0[1-9]|[1-4]\d)-(?!0000)\d{4}", str(row["ssn"])) for row in rows)


def test_dates(rows: list[Row]) -> None:
    assert min(str(row["admission_date"]) for row in rows) >= "2023-01-01"
    assert max(str(row["admission_date"]) for row in rows) <= "2025-12-31"
    ages = [years for row in rows if (years := age(row)) is not None]
    assert min(ages) == 0
    assert max(ages) > 95
    assert sum(years >= 50 for years in ages) > len(ages) / 2


def test_zips_are_text_some_with_a_leading_zero_some_rare(rows: list[Row]) -> None:
    zips = Counter(str(row["zip"]) for row in rows if row["zip"] is not None)
    assert all(re.fullmatch(r"\d{5}", value) for value in zips)
    assert 0.2 < sum(n for value, n in zips.items() if value.startswith("0")) / len(rows) < 0.5
    areas = Counter(str(row["zip"])[:3] for row in rows if row["zip"] is not None)
    assert 24 <= len(areas) <= 36
    assert max(areas.values()) > 50 * min(areas.values())


def test_marital_status_depends_on_age(rows: list[Row]) -> None:
    children = {row["marital_status"] for row in rows if (years := age(row)) is not None and years < 15}
    assert children == {"never married", None}
    old = Counter((row["sex"], row["marital_status"]) for row in rows if (age(row) or 0) >= 80)
    assert old["female", "widowed"] > old["female", "married"]
    assert old["male", "married"] > old["male", "widowed"]


def test_diagnosis_depends_on_age_and_sex(rows: list[Row]) -> None:
    for row in rows:
        match row["diagnosis"]:
            case "childbirth" | "pregnancy complication":
                assert row["sex"] == "female"
                assert age(row) is None or 15 <= (age(row) or 0) <= 49
                assert row["ward"] in ("maternity", "emergency")
            case "prostate cancer":
                assert row["sex"] == "male"
            case "dementia":
                assert age(row) is None or (age(row) or 0) >= 50
            case "complications of prematurity" | "infant feeding problem":
                assert age(row) in (0, None)
    assert 30 <= len({row["diagnosis"] for row in rows}) <= 36


def test_race_depends_on_the_place(rows: list[Row]) -> None:
    def share_of_white(prefix: str) -> float:
        there = [row["race"] for row in rows if str(row["zip"]).startswith(prefix) and row["race"]]
        return there.count("white") / len(there)

    assert share_of_white("104") < 0.5 < 0.9 < share_of_white("127")


# --- hierarchies --------------------------------------------------------------------------------------


def test_the_files_are_where_they_are_said_to_be(demo: DemoFiles) -> None:
    assert [path.relative_to(demo.folder).as_posix() for path in demo.hierarchies] == [
        f"hierarchies/{column}.csv" for column in HIERARCHIES
    ]
    assert demo.database == demo.folder / DATABASE
    assert demo.spec == demo.folder / SPEC
    found = {path.relative_to(demo.folder) for path in demo.folder.rglob("*") if path.is_file()}
    assert found == {path.relative_to(demo.folder) for path in (demo.database, demo.spec, *demo.hierarchies)}


@pytest.mark.parametrize("column", HIERARCHIES)
def test_every_value_is_covered(rows: list[Row], paths: dict[str, dict[str, list[str]]], column: str) -> None:
    assert {str(row[column]) for row in rows if row[column] is not None} <= paths[column].keys()


@pytest.mark.parametrize("column", HIERARCHIES)
def test_every_hierarchy_is_a_tree(demo: DemoFiles, column: str) -> None:
    lines = read_hierarchy(demo.folder / "hierarchies" / f"{column}.csv")
    assert len({len(line) for line in lines}) == 1
    assert len({line[0] for line in lines}) == len(lines)
    assert {line[-1] for line in lines} == {"*"}
    assert all(cell for line in lines for cell in line)
    for level in range(len(lines[0]) - 1):
        parents = defaultdict(set)
        for line in lines:
            parents[line[level]].add(line[level + 1])
        assert all(len(above) == 1 for above in parents.values())
        assert len({line[level] for line in lines}) > len({line[level + 1] for line in lines})


def test_every_day_of_birth_has_a_line(paths: dict[str, dict[str, list[str]]]) -> None:
    days = paths["birth_date"]
    assert len(days) == (date(2026, 1, 1) - date(1915, 1, 1)).days
    assert days["1938-02-28"] == ["1938-02-28", "1938-02", "1938", "1935-1939", "before 1940", "*"]
    assert days["2000-02-29"] == ["2000-02-29", "2000-02", "2000", "2000-2004", "2000s", "*"]


def test_both_forms_of_hierarchy_files_are_shown(demo: DemoFiles) -> None:
    first_lines = {path.stem: path.read_text("utf-8").splitlines()[0] for path in demo.hierarchies}
    assert first_lines == {
        "birth_date": "birth_date,month,year,five_years,decade,any",
        "sex": "female;*",
        "zip": "zip,four_digits,three_digits,two_digits,any",
        "marital_status": "marital_status,partnership,any",
        "race": "Asian;*",
        "admission_date": "admission_date,month,quarter,year,any",
    }


# --- the spec, and what it will find ------------------------------------------------------------------


def test_the_spec_names_what_is_there(demo: DemoFiles) -> None:
    spec = yaml.safe_load(demo.spec.read_text("utf-8"))
    assert (demo.folder / spec["db"]) == demo.database
    assert (spec["table"], spec["k"], spec["max_suppression"], spec["output"]) == (
        "patients",
        5,
        "1%",
        "patients_k5",
    )
    files = [
        entry["hierarchy"] if isinstance(entry, dict) else entry
        for entry in spec["quasi_identifiers"].values()
    ]
    assert all((demo.folder / file).is_file() for file in files)
    roles = [*spec["quasi_identifiers"], *spec["sensitive"], *spec["insensitive"], *spec["identifiers"]]
    assert len(roles) == len(set(roles))
    assert set(COLUMNS) - set(roles) == {"admission_date"}


def outliers(
    rows: list[Row], paths: dict[str, dict[str, list[str]]], vector: dict[str, int], k: int = 5
) -> int:
    """Rows in classes below k: brute force, NULL a value of its own below the top."""

    def generalized(row: Row, column: str, level: int) -> str | None:
        if level == len(next(iter(paths[column].values()))) - 1:
            return "*"
        return None if row[column] is None else paths[column][str(row[column])][level]

    classes = Counter(tuple(generalized(row, c, level) for c, level in vector.items()) for row in rows)
    return sum(n for n in classes.values() if n < k)


def below(vector: dict[str, int]) -> list[dict[str, int]]:
    return [{**vector, column: level - 1} for column, level in vector.items() if level]


def test_the_spec_has_an_answer_in_the_middle(
    rows: list[Row], paths: dict[str, dict[str, list[str]]]
) -> None:
    answer = {"birth_date": 4, "sex": 0, "zip": 3, "marital_status": 0, "race": 1}
    assert outliers(rows, paths, answer) == 190
    assert all(outliers(rows, paths, smaller) > 200 for smaller in below(answer))


def test_without_suppression_there_is_an_answer_below_the_top(
    rows: list[Row], paths: dict[str, dict[str, list[str]]]
) -> None:
    answer = {"birth_date": 5, "sex": 0, "zip": 4, "marital_status": 0, "race": 1, "admission_date": 2}
    assert outliers(rows, paths, answer) == 0
    assert all(outliers(rows, paths, smaller) > 0 for smaller in below(answer))


# --- refusals, and nothing half done ------------------------------------------------------------------


@pytest.mark.parametrize("name", [DATABASE, SPEC, "hierarchies/zip.csv", f"{DATABASE}.wal"])
def test_existing_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(SpecError, match=f"already holds {name}") as refused:
        generate(tmp_path, rows=10)
    assert "--overwrite" in str(refused.value)
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_overwrite_replaces_the_demo_and_leaves_the_rest(tmp_path: Path) -> None:
    generate(tmp_path, rows=10)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "hierarchies" / "icd.csv").write_text("mine")
    (tmp_path / f"{DATABASE}.wal").write_text("of the old database")
    again = generate(tmp_path, rows=20, overwrite=True)
    assert len(read_rows(again.database)) == 20
    assert (
        (tmp_path / "notes.txt").read_text() == (tmp_path / "hierarchies" / "icd.csv").read_text() == "mine"
    )
    assert not (tmp_path / f"{DATABASE}.wal").exists()
    assert not list(tmp_path.glob(".kanon-demo-*"))


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "demo").write_text("mine")
    with pytest.raises(SpecError, match="not a folder"):
        generate(tmp_path / "demo", rows=10, overwrite=overwrite)


@pytest.mark.parametrize("number", [0, -1, 10_000_001])
def test_a_number_of_rows_out_of_range_is_refused(tmp_path: Path, number: int) -> None:
    with pytest.raises(SpecError, match="rows"):
        generate(tmp_path, rows=number)
    assert not list(tmp_path.iterdir())


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kanon_sql.demo.files._write_hierarchy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        generate(tmp_path / "new" / "demo", rows=10)
    assert not list(tmp_path.iterdir())


def test_a_rename_that_fails_puts_back_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = generate(tmp_path, rows=10)
    before = {path: path.read_bytes() for path in (old.database, old.spec, *old.hierarchies)}
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name == SPEC and ".kanon-demo-" in self.parent.name:
            raise OSError(28, "No space left on device", str(target))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(DatabaseError, match="No space left"):
        generate(tmp_path, rows=20, overwrite=True)
    assert {path: path.read_bytes() for path in before} == before
    assert not list(tmp_path.glob(".kanon-demo-*"))
