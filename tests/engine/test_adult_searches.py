"""Every k-minimal vector and the best ones of Adult, against facts computed apart from the project."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import kanon_sql
from kanon_sql.frequency import FrequencyCounter
from kanon_sql.lattice import dominates, height
from kanon_sql.search import find_minimal
from tests.engine.support import bound_to, make
from tests.engine.test_adult import ASKED, FILES, ROWS, Facts, read_facts, words

# Of the 16 rows two vectors tie in one; the measure's word here, and how its score is made of it.
MEASURES = {"loss": ("gcp", float), "precision_loss": ("prec", lambda prec: 1 - prec)}


@pytest.fixture(scope="module")
def adult(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Adult table in a DuckDB file."""
    source = str(shared / "data" / "adult" / "adult.csv").replace("'", "''")
    path = tmp_path_factory.mktemp("adult") / "adult.duckdb"
    return make(path, f"CREATE TABLE adult AS FROM read_csv('{source}', delim = ';', header = true)")


@pytest.mark.parametrize(("file", "k"), [(file, k) for file in FILES for k in dict(ASKED[file])])
def test_every_minimal_vector(shared: Path, adult: Path, file: str, k: int) -> None:
    """As many as the facts say, and of them those of the least height; none above another."""
    facts = read_facts(shared / "facts" / file)
    with bound_to(adult, words(shared, facts, k, 0)) as (engine, bound, rows):
        assert (rows, bound.lattice.heights) == (ROWS, facts.heights)
        counter = FrequencyCounter(engine, bound.question, rows)
        for most in (most for of_k, most in ASKED[file] if of_k == k):
            fact = facts.rows[k, most]
            found = find_minimal(bound.lattice, counter, most)
            assert found.complete
            assert len(found.vectors) == fact.k_minimal
            assert found.vectors[0] == fact.vector
            lowest = [v for v in found.vectors if height(v) == fact.minimal_height]
            assert {v: found.asked[v].outliers for v in lowest} == {
                v: suppressed for v, (suppressed, _) in fact.at_minimal_height.items()
            }
            assert all(found.asked[v].outliers <= most for v in found.vectors)
            assert not any(
                v != w and dominates(v, w) for i, v in enumerate(found.vectors) for w in found.vectors[:i]
            )


def test_a_run_for_all_and_for_policies(shared: Path, adult: Path) -> None:
    """Of the vectors of the least height the facts say rows and classes: what policies must prefer."""
    facts = read_facts(shared / "facts" / FILES[1])
    fact = facts.rows[5, 301]
    asked = words(shared, facts, 5, 301)
    result = kanon_sql.anonymize(adult, dry_run=True, search="all", **asked)
    assert tuple(result.vector.values()) == fact.vector
    assert (result.suppressed, result.classes) == fact.at_minimal_height[fact.vector]
    kept = kanon_sql.anonymize(adult, dry_run=True, policy="suppression", **asked)
    assert kept.suppressed == min(rows for rows, _ in fact.at_minimal_height.values())
    distinct = kanon_sql.anonymize(adult, dry_run=True, policy="distribution", **asked)
    assert distinct.classes == max(classes for _, classes in fact.at_minimal_height.values())
    for preferred in (kept, distinct):
        found = fact.at_minimal_height[tuple(preferred.vector.values())]
        assert (preferred.suppressed, preferred.classes) == found
        assert preferred.proven_minimal


def optimal_facts(shared: Path) -> tuple[Facts, list[dict[str, str]]]:
    """The quasi-identifiers, and the rows of the file."""
    text = (shared / "facts" / "adult_optimal.tsv").read_text(encoding="utf-8").splitlines()
    listed = [line for line in text if not line.startswith("#")]
    names = text[0].partition("qi: ")[2].partition(";")[0].split("|")
    return Facts(tuple(names), (), {}), list(csv.DictReader(listed, delimiter="\t"))


@pytest.mark.parametrize("k", [5, 10])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("share", ["0", "0.01", "0.05", "0.1"])
def test_the_best_values(shared: Path, adult: Path, k: int, measure: str, share: str) -> None:
    facts, rows = optimal_facts(shared)
    assert len(rows) == 16
    [fact] = [r for r in rows if (r["k"], r["measure"], r["max_suppression"]) == (str(k), measure, share)]
    objective, score = MEASURES[measure]
    result = kanon_sql.anonymize(
        adult,
        dry_run=True,
        search="optimal",
        objective=objective,
        **words(shared, facts, k, int(float(share) * ROWS)),
    )
    assert score(result.measures[objective]) == pytest.approx(float(fact["best_score"]), abs=1e-6)
    if fact["vectors_that_tie"] == "1":
        assert list(result.vector.values()) == json.loads(fact["a_best_vector"])
        assert result.suppressed == int(fact["suppressed_rows"])
