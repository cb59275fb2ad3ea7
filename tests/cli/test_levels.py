"""Levels and weights: which vectors a run may choose, said in every face and every account of it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.errors import NoSolutionError, SpecError
from tests.cli.warehouse import HEIGHTS, QIS, RUN, outliers, query, run

LEVELS = {"age": (1, 2), "zip": (0, 2), "sex": (1, 1)}
FLAGS = ("--min-level", "age=1", "--max-level", "age=2,zip=2", "--level", "sex=1")
FILE = """\
quasi_identifiers:
  age: {min_level: 1, max_level: 2, weight: 2.5}
  zip: {max_level: 2}
  sex: {level: 1}
"""


def least(k: int, max_suppressed: int) -> dict[str, int]:
    """The vector of DESIGN 5.11 among the levels allowed, by brute force."""
    every = itertools.product(*(range(low, high + 1) for low, high in LEVELS.values()))
    order = sorted(every, key=lambda v: (sum(v), v[0] + v[1] + 3 * v[2], v))
    return dict(zip(QIS, next(v for v in order if outliers(v, k) <= max_suppressed), strict=True))


def ran(*more: str) -> dict[str, Any]:
    result = run(*RUN, "--max-suppression", "10%", "--json", *more)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("face", ["file", "flags", "flags with names", "over a file"])
@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_the_least_vector_of_those_allowed(folder: Path, face: str, plan: str) -> None:
    more: tuple[str, ...] = FLAGS
    if face == "file":
        Path("kanon.yml").write_text(FILE)
        more = ()
    elif face == "flags with names":
        more = (*FLAGS, "--qi", "age,zip,sex")
    elif face == "over a file":
        # A level takes the place of what the file says of the same column's levels; the weight stays.
        Path("kanon.yml").write_text(FILE.replace("{level: 1}", "{min_level: 0, max_level: 0}"))
        more = ("--level", "sex=1")
    found = ran(*more, "--plan", plan, "--explain", "--manifest", "m.json")
    assert found["vector"] == least(5, 30)
    assert found["heights"] == list(HEIGHTS)
    assert found["height"] == sum(found["vector"].values())
    assert found["proven_minimal"] is True
    assert found["restricted"] == {"age": [1, 2], "zip": [0, 2], "sex": [1, 1]}
    assert found["explanation"]["restricted"] == found["restricted"]
    assert found["explanation"]["vectors"]["lattice"] == 2 * 3 * 1
    accuracy = 1 - sum(level / top for level, top in zip(found["vector"].values(), HEIGHTS, strict=True)) / 3
    assert found["measures"]["accuracy"] == pytest.approx(accuracy)
    manifest = json.loads(Path("m.json").read_text())
    assert manifest["search"]["lattice_size"] == 6
    assert manifest["restricted"] == found["restricted"]
    assert {each["quasi_identifier"]: tuple(each["allowed"]) for each in manifest["levels"]} == LEVELS
    said = manifest["spec"]["quasi_identifiers"]
    assert said["sex"]["level"] == 1
    assert (said["age"]["min_level"], said["age"]["max_level"]) == (1, 2)
    assert said["age"].get("weight", 1) == (2.5 if "file" in face else 1)


def test_what_is_printed(folder: Path) -> None:
    result = run(*RUN, "--max-suppression", "10%", *FLAGS)
    assert "proven least of the levels allowed" in result.stdout
    assert "levels allowed: age 1 to 2, zip 0 to 2, sex 1\n" in result.stdout
    assert " of 6 vectors evaluated" in result.stdout
    plain = run(*RUN, "--max-suppression", "10%", "--dry-run").stdout
    assert "allowed:" not in plain and "of the levels allowed" not in plain


def test_python(folder: Path) -> None:
    words: dict[str, Any] = {"table": "patients", "max_suppression": "10%", "dry_run": True}
    apart = kanon_sql.anonymize(
        "warehouse.duckdb", **words, min_level={"age": 1}, max_level={"age": 2, "zip": 2}, level={"sex": 1}
    )
    within = kanon_sql.anonymize(
        "warehouse.duckdb",
        **words,
        quasi_identifiers={
            "age": {"min_level": 1, "max_level": 2},
            "zip": {"hierarchy": "hierarchies/zip.csv", "max_level": 2},
            "sex": {"level": 1},
        },
    )
    assert apart.vector == within.vector == least(5, 30)


def test_nothing_satisfies_among_those_allowed(folder: Path) -> None:
    result = run(*RUN, "--max-level", "age=1,zip=1,sex=0")
    assert result.exit_code == 5
    rows = outliers((1, 1, 0), 5)
    assert f"age=1, zip=1, sex=0, would suppress {rows} rows" in result.stderr
    assert "allow higher levels" in result.stderr


def test_one_vector_alone_is_allowed(folder: Path) -> None:
    found = ran("--level", "age=2,zip=3", "--level", "sex=1", "--explain")
    assert found["vector"] == {"age": 2, "zip": 3, "sex": 1}
    assert (found["proven_minimal"], found["vectors_evaluated"]) == (True, 1)


def test_a_vector_that_is_asked_for_must_be_allowed(folder: Path) -> None:
    result = run(*RUN, "--vector", "age=0,zip=3,sex=1", "--min-level", "age=1")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: --vector: level 0 of age is not allowed; allowed is 1 to 3: choose another level, or allow this one\n"
    )
    result = run(*RUN, "--vector", "age=3,zip=3,sex=1", "--level", "sex=0")
    assert "level 1 of sex is not allowed; allowed is 0:" in result.stderr
    found = ran("--vector", "age=3,zip=3,sex=1", "--min-level", "age=1")
    assert found["proven_minimal"] is False
    assert (
        ran("--vector", "age=3,zip=3,sex=1", "--level", "age=3,zip=3,sex=1", "--overwrite")["proven_minimal"]
        is True
    )


def test_any_vector_may_be_looked_at(folder: Path) -> None:
    Path("kanon.yml").write_text(FILE)
    for more in ((), ("--release",)):
        looked = run(
            "sql", "--db", "warehouse.duckdb", "--table", "patients", "--vector", "age=0,zip=3,sex=0", *more
        )
        assert looked.exit_code == 0, looked.stderr
    Path("kanon.yml").write_text(FILE.replace("{max_level: 2}", "{max_level: 4}"))
    refused = run("sql", "--table", "patients", "--vector", "age=0,zip=3,sex=0")
    assert (refused.exit_code, "max_level 4 of zip" in refused.stderr) == (2, True)


def test_a_check_has_no_levels(folder: Path) -> None:
    Path("kanon.yml").write_text(FILE)
    assert run(*RUN, "--max-suppression", "10%").exit_code == 0
    assert run("check", "--db", "warehouse.duckdb", "--table", "patients_k5").exit_code == 0


def test_levels_of_a_column_that_was_not_found(folder: Path) -> None:
    result = run(*RUN, "--min-level", "aeg=1")
    assert result.exit_code == 2
    assert result.stderr == "error: --min-level: 'aeg' is not a quasi-identifier; did you mean 'age'?\n"
    with pytest.raises(SpecError, match="'ward' is not a quasi-identifier; they are: age, zip, sex"):
        kanon_sql.anonymize("warehouse.duckdb", table="patients", weight={"ward": 1})
    # A hierarchy names quasi-identifiers, so that the others are none.
    result = run(*RUN, "--hierarchy", "age=hierarchies/age.csv", "--max-level", "zip=1")
    assert result.exit_code == 2 and "column 'zip' of max_level is no quasi-identifier" in result.stderr


def test_case_makes_no_difference(folder: Path) -> None:
    assert ran("--level", "AGE=3", "--dry-run")["vector"]["age"] == 3


# -- dropping what says nothing -------------------------------------------------------------------------------


def columns(table: str) -> list[str]:
    return [row[0] for row in query(f'DESCRIBE "{table}"')]


def test_what_ended_at_the_top_is_dropped(folder: Path) -> None:
    words = ("--level", "age=3,sex=1", "--sensitive", "diagnosis", "--overwrite")
    kept = ran(*words)
    found = ran(*words, "--drop-at-top", "--output", "dropped", "--manifest", "m.json")
    assert found["vector"] == kept["vector"]
    assert kept["dropped"] == [] and columns("patients_k5") == ["age", "zip", "sex", "diagnosis"]
    assert found["dropped"] == ["age", "sex"] and columns("dropped") == ["zip", "diagnosis"]
    assert found["left_out"] == kept["left_out"] and "age" not in found["left_out"]
    for same in ("released", "suppressed", "classes", "class_size", "measures", "heights"):
        assert found[same] == kept[same]
    rows = query("SELECT zip, diagnosis FROM dropped ORDER BY ALL")
    assert rows == query("SELECT zip, diagnosis FROM patients_k5 ORDER BY ALL")
    manifest = json.loads(Path("m.json").read_text())
    assert {each["quasi_identifier"]: each["dropped"] for each in manifest["levels"]} == {
        "age": True,
        "zip": False,
        "sex": True,
    }
    assert manifest["spec"]["drop_at_top"] is True
    assert ' AS "zip"' in manifest["release_sql"] and ' AS "sex"' not in manifest["release_sql"]
    printed = run(*RUN, *words, "--max-suppression", "10%", "--drop-at-top", "--output", "dropped").stdout
    assert "dropped, since at the top: age, sex\n" in printed


def test_nothing_is_dropped_below_the_top(folder: Path) -> None:
    found = ran("--max-level", "age=2,zip=2,sex=0", "--max-suppression", "50%", "--drop-at-top")
    assert (found["dropped"], columns("patients_k5")) == ([], list(QIS))


@pytest.mark.parametrize(
    "more",
    [
        {"output": "out.parquet"},
        {"output": "out.csv"},
        {"output": "out.parquet", "partition_by": "ward"},
        {"output": "seen", "as_": "view"},
        {"output_db": "other.duckdb"},
        {"person": "patient_id"},
        {"models": ["diagnosis=distinct_l_diversity: 2"]},
        {"models": ["diagnosis=entropy_l_diversity: 1.5"], "person": "patient_id"},
        {"k_map": "k=2,population=patients"},
    ],
    ids=str,
)
@pytest.mark.parametrize("levels", ["age=3", "age=3,zip=3,sex=1"])
def test_every_target_and_every_way_to_verify(folder: Path, more: dict[str, Any], levels: str) -> None:
    result = kanon_sql.anonymize(
        "warehouse.duckdb",
        table="patients",
        level=levels,
        max_suppression="60%",
        drop_at_top=True,
        keep=["ward"] if "models" in more else ["ward", "diagnosis"],
        **more,
    )
    table = result.to_arrow()
    assert set(table.column_names) == {"ward", "diagnosis", *QIS} - set(result.dropped)
    assert set(result.dropped) >= ({"age"} if levels == "age=3" else set(QIS))
    assert table.num_rows == result.released > 0


def test_no_column_would_be_left(folder: Path) -> None:
    result = run(*RUN, "--level", "age=3,zip=3,sex=1", "--drop-at-top")
    assert result.exit_code == 5
    assert "the release would have no column: every quasi-identifier ended at its top" in result.stderr
    assert "--drop-at-top" in result.stderr
    with pytest.raises(NoSolutionError):
        kanon_sql.anonymize(
            "warehouse.duckdb", table="patients", level="age=3,zip=3,sex=1", drop_at_top=True, dry_run=True
        )


def test_what_partitions_is_not_dropped(folder: Path) -> None:
    words = (*RUN, "--level", "age=3,sex=1", "--max-suppression", "10%", "--drop-at-top")
    result = run(*words, "--output", "out.parquet", "--partition-by", "sex")
    assert result.exit_code == 2
    assert "--partition-by: sex ended at its top and is dropped" in result.stderr
    result = run(*words, "--output", "out.parquet", "--partition-by", "zip")
    assert result.exit_code == 2 and "no column would be left" in result.stderr
    assert not Path("out.parquet").exists()


def test_the_printed_query_drops_too(folder: Path) -> None:
    words = (
        "sql",
        "--db",
        "warehouse.duckdb",
        "--table",
        "patients",
        "--release",
        "--vector",
        "age=3,zip=0,sex=0",
    )
    assert ' AS "age"' in run(*words).stdout
    assert ' AS "age"' not in run(*words, "--drop-at-top").stdout
