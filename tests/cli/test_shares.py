"""``--max-suppression-per`` on the command line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.warehouse import QIS, RUN, query, run

pytestmark = pytest.mark.usefixtures("folder")

# The two strange people have a diagnosis of their own.
WITHIN = ("--max-suppression", "40", "--keep", "ward", "--sensitive", "diagnosis")


def answer_of(*args: str) -> Any:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def lost(vector: dict[str, int]) -> dict[str | None, tuple[int, int]]:
    """Of each diagnosis how many rows leave, of how many, counted from what was released."""
    before = Counter(row[0] for row in query("SELECT diagnosis FROM patients"))
    after = Counter(row[0] for row in query("SELECT diagnosis FROM patients_k5"))
    return {value: (rows - after[value], rows) for value, rows in before.items()}


def test_no_value_loses_more_than_its_share() -> None:
    answer = answer_of(*RUN, *WITHIN)
    assert any(gone * 10 > rows for gone, rows in lost(answer["vector"]).values())
    kept = answer_of(*RUN, *WITHIN, "--overwrite", "--max-suppression-per", "column=diagnosis,share=10%")
    assert all(gone * 10 <= rows for gone, rows in lost(kept["vector"]).values())
    assert kept["height"] > answer["height"]
    assert kept["max_suppression_per"] == [{"column": "diagnosis", "share": "10%", "kept": True}]
    assert answer["max_suppression_per"] == []


def test_the_manifest_and_the_screen_name_it() -> None:
    per = (
        "--max-suppression-per",
        "column=DIAGNOSIS,share=0.5 %",
        "--max-suppression-per",
        "column=ward,share=30%",
    )
    result = run(*RUN, *WITHIN, *per, "--manifest", "m.json")
    assert result.exit_code == 0, result.output
    assert "no value of diagnosis lost more than 0.5% of its rows" in result.output
    assert "no value of ward lost more than 30% of its rows" in result.output
    manifest = json.loads(Path("m.json").read_text(encoding="utf-8"))
    shares = [{"column": "diagnosis", "share": "0.5%"}, {"column": "ward", "share": "30%"}]
    assert manifest["max_suppression_per"] == [{**each, "kept": True} for each in shares]
    assert manifest["spec"]["max_suppression_per"] == shares


def test_the_spec_file_says_it() -> None:
    Path("kanon.yml").write_text(
        "table: patients\nmax_suppression: 40\nmax_suppression_per: {column: diagnosis, share: 10%}\n"
    )
    found = answer_of("run", "--db", "warehouse.duckdb", "--dry-run")
    assert found["max_suppression_per"] == [{"column": "diagnosis", "share": "10%", "kept": True}]


@pytest.mark.parametrize("command", ["lattice", "compare"])
def test_vectors_side_by_side_keep_to_it(command: str) -> None:
    given = ("--db", "warehouse.duckdb", "--table", "patients", "--max-suppression", "40")
    per = ("--max-suppression-per", "column=diagnosis,share=10%")
    if command == "lattice":
        every, kept = answer_of("lattice", *given), answer_of("lattice", *given, *per)
        assert all(each["satisfies"] for each in kept["vectors"])
        assert every["vectors"] != kept["vectors"]
        return
    least = answer_of(*RUN, *WITHIN, "--dry-run")["vector"]
    vectors = ("--vector", ",".join(f"{name}={least[name]}" for name in QIS), "--vector", "age=3,zip=3,sex=1")
    assert [each["satisfies"] for each in answer_of("compare", *given, *vectors)["vectors"]] == [True, True]
    assert [each["satisfies"] for each in answer_of("compare", *given, *vectors, *per)["vectors"]] == [
        False,
        True,
    ]
