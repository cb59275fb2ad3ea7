"""``--manifest``: everything that explains a release, and nothing about anybody in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.warehouse import (
    QIS,
    ROWS,
    RUN,
    STRANGE_AGES,
    STRANGE_NAMES,
    STRANGE_ZIPS,
    least,
    query,
    run,
    tables,
)

pytestmark = pytest.mark.usefixtures("folder")


def manifest_of(*args: str) -> dict[str, Any]:
    result = run(*RUN, "--manifest", "manifest.json", *args)
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(Path("manifest.json").read_text(encoding="utf-8"))
    return answer


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(key, path)
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, path)
    else:
        yield path, value


def test_the_spec_as_resolved() -> None:
    spec = manifest_of("--max-suppression", "1%", "--keep", "ward", "--where", "age > 20")["spec"]
    assert (spec["table"], spec["k"], spec["max_suppression"]) == ("patients", 5, "1%")
    assert list(spec["quasi_identifiers"]) == list(QIS)
    assert spec["quasi_identifiers"]["age"]["hierarchy"].endswith("hierarchies/age.csv")
    assert spec["quasi_identifiers"]["age"]["unmapped"] == "error"
    assert spec["insensitive"] == ["ward"]
    assert spec["where"] == "age > 20"


def test_levels_bear_the_names_of_the_header() -> None:
    manifest = manifest_of("--max-suppression", "1%")
    vector = least(5, 3)
    names = {
        "age": ["age", "five_years", "twenty_years", "any_age"],
        "zip": ["zip", "four_digits", "three_digits", "any_zip"],
        "sex": ["level_0", "level_1"],
    }
    for at, (each, column) in enumerate(zip(manifest["levels"], QIS, strict=True)):
        assert each["quasi_identifier"] == column
        assert each["level"] == vector[at]
        assert each["level_name"] == names[column][vector[at]]
        assert each["of"] == len(names[column]) - 1


def test_a_hash_per_hierarchy() -> None:
    for each in manifest_of()["levels"]:
        raw = Path(f"hierarchies/{each['quasi_identifier']}.csv").read_bytes()
        assert each["hierarchy_sha256"] == hashlib.sha256(raw).hexdigest()


def test_counts_sizes_and_measures() -> None:
    manifest = manifest_of("--max-suppression", "1%")
    assert manifest["rows"] == ROWS == manifest["released"] + manifest["suppressed"]
    groups = "SELECT COUNT(*) AS n FROM patients_k5 GROUP BY age, zip, sex ORDER BY n"
    sizes = [n for (n,) in query(groups)]
    assert manifest["class_size"]["min"] == manifest["k_achieved"] == sizes[0]
    assert manifest["class_size"]["max"] == sizes[-1]
    histogram = manifest["class_size_histogram"]
    assert sum(each["classes"] for each in histogram) == len(sizes) == manifest["classes"]
    assert sum(each["rows"] for each in histogram) == sum(sizes)
    for each in histogram:
        low, _, high = each["sizes"].rstrip("+").partition("-")
        inside = [n for n in sizes if int(low) <= n <= int(high or (10**9 if "+" in each["sizes"] else low))]
        assert (len(inside), sum(inside)) == (each["classes"], each["rows"])
    assert manifest["null"] == "own value"
    assert 0 <= manifest["measures"]["accuracy"] <= 1
    assert manifest["measures"]["completeness"] == pytest.approx(sum(sizes) / ROWS)


def test_how_the_vector_was_found() -> None:
    search = manifest_of("--max-suppression", "1%")["search"]
    assert search["lattice_size"] == 4 * 4 * 2
    assert all(isinstance(height, int) and 0 <= height <= 7 for height in search["heights_probed"])
    assert search["heights_probed"]
    assert 1 <= search["vectors_evaluated"] <= 32
    assert 0 <= search["vectors_tagged"] <= 32 - search["vectors_evaluated"]
    assert search["plan"] == "frequency"
    assert search["objective"]
    assert "relative_distance" in search["tie_break"]


def test_versions_and_seconds() -> None:
    import duckdb

    from kanon_sql import __version__

    manifest = manifest_of()
    assert manifest["versions"]["kanon_sql"] == __version__
    assert duckdb.__version__ in manifest["versions"]["engine"]
    assert manifest["versions"]["python"]
    assert set(manifest["seconds"]) >= {"hierarchies", "frequency_set", "search", "release", "total"}


def test_the_release_sql_is_there_and_its_shuffle_key_is_not() -> None:
    sql = manifest_of()["release_sql"]
    assert "CREATE TABLE" in sql
    assert "$shuffle_key" in sql


def test_persons_where_asked() -> None:
    assert manifest_of("--dry-run")["person_level"] is None
    manifest = manifest_of("--person", "patient_id", "--max-suppression", "2%")
    persons = manifest["person_level"]
    [(total,)] = query("SELECT COUNT(DISTINCT patient_id) FROM patients")
    assert persons["persons"] == total == persons["released"] + persons["lost"]
    assert manifest["k_achieved"] == persons["smallest_class"] >= 5
    assert manifest["class_size"]["min"] >= persons["smallest_class"]


@pytest.mark.parametrize("plan", ["frequency", "direct"])
@pytest.mark.parametrize("more", [[], ["--person", "patient_id"]])
def test_nobody_is_in_it(plan: str, more: list[str]) -> None:
    manifest = manifest_of("--max-suppression", "1%", "--sensitive", "diagnosis", "--plan", plan, *more)
    [(gone,)] = query("SELECT COUNT(*) FROM patients_k5 WHERE diagnosis = 'gout'")
    assert gone == 0
    secrets = [*STRANGE_NAMES, *map(str, STRANGE_AGES), *STRANGE_ZIPS, "gout", "9971", "9972"]
    secrets += [name for (name,) in query("SELECT name FROM patients")]
    for path, value in leaves(manifest):
        if isinstance(value, float) or path.endswith("sha256"):
            continue
        assert value not in STRANGE_AGES, path
        assert not any(secret in str(value) for secret in secrets), (path, value)


def test_the_manifest_of_a_dry_run() -> None:
    manifest = manifest_of("--dry-run", "--max-suppression", "1%")
    assert manifest["output"] is None
    assert "CREATE" not in manifest["release_sql"]
    assert manifest["class_size_histogram"]
    assert "main.patients_k5" not in tables()


def test_a_dry_run_and_a_run_say_the_same() -> None:
    changing = ("output", "seconds", "release_sql")
    dry, wet = manifest_of("--dry-run"), manifest_of()
    for each in (dry, wet):
        for key in changing:
            del each[key]
    assert dry == wet


def test_an_older_manifest_is_replaced_and_kept_when_the_run_fails() -> None:
    Path("manifest.json").write_text("old")
    assert run(*RUN, "--manifest", "manifest.json", "--k", "1000").exit_code == 4
    assert Path("manifest.json").read_text() == "old"
    manifest_of()
    assert not list(Path.cwd().glob(".manifest*"))


def test_json_and_manifest_agree() -> None:
    result = run(*RUN, "--manifest", "manifest.json", "--json")
    printed = json.loads(result.stdout)
    written = json.loads(Path("manifest.json").read_text(encoding="utf-8"))
    # The manifest says more of the search than which it was, and why.
    assert printed.pop("search").items() <= written["search"].items()
    assert {key: written[key] for key in printed} == printed
