"""Models beyond k on the Adult table, against facts computed apart from the project (``shared/facts``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from kanon_sql.lattice import DistanceVector
from tests.engine.support import bound_to, make

FILE = "adult_models.tsv"
COLUMNS = ("sex", "age", "race", "marital-status", "education")
ROWS = 30162
VECTORS = 240
MAX_ROWS = (0, 301, 1508)
Model = tuple[str, Any]
Models = tuple[Model, ...]

# The combinations of the file; a test holds the file against this list.
COMBINATIONS: dict[str, Models] = {
    "k 5, distinct 4": (("k", 5), ("distinct", 4)),
    "k 5, entropy 3": (("k", 5), ("entropy", 3)),
    "entropy 4": (("entropy", 4),),
    "k 3, recursive 4, 3": (("k", 3), ("recursive", (4, 3))),
    "recursive 2, 4": (("recursive", (2, 4)),),
    "k 5, t equal 0.35": (("k", 5), ("t_equal", 0.35)),
    "k 5, t hierarchical 0.2": (("k", 5), ("t_hier", 0.2)),
    "k 5, distinct 5, t equal 0.4": (("k", 5), ("distinct", 5), ("t_equal", 0.4)),
}
# What stays monotone when classes are suppressed.
SURE = {"k", "distinct"}
RUNS = [(name, most) for name in COMBINATIONS for most in MAX_ROWS]


@dataclass(frozen=True)
class Fact:
    """One row of the file: what exhaustive enumeration found."""

    minimal_height: int
    satisfying: int
    rising_steps: int
    at_minimal_height: dict[DistanceVector, int]
    """Suppressed rows of every vector that satisfies at the least height."""
    vector: DistanceVector


def _vector(text: str) -> DistanceVector:
    return tuple(map(int, text.split(",")))


def _models(text: str) -> Models:
    return tuple((name, tuple(b) if isinstance(b, list) else b) for name, b in json.loads(text))


def read_facts(shared: Path) -> dict[tuple[Models, int], Fact]:
    """The file, by models and MaxSup."""
    facts = {}
    for line in (shared / "facts" / FILE).read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "models\t")):
            continue
        models, most, height, satisfying, rising, at_height, vector = line.split("\t")
        found = {
            _vector(levels): int(rows)
            for levels, _, rows in (entry.partition(":") for entry in at_height.split())
        }
        facts[_models(models), int(most)] = Fact(
            int(height), int(satisfying), int(rising), found, _vector(vector)
        )
    return facts


@pytest.fixture(scope="module")
def facts(shared: Path) -> dict[tuple[Models, int], Fact]:
    """The file, read once."""
    return read_facts(shared)


@pytest.fixture(scope="module")
def adult(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Adult table in a DuckDB file."""
    source = str(shared / "data" / "adult" / "adult.csv").replace("'", "''")
    path = tmp_path_factory.mktemp("adult") / "adult.duckdb"
    return make(path, f"CREATE TABLE adult AS FROM read_csv('{source}', delim = ';', header = true)")


def words(shared: Path, models: Models, max_rows: int = 0) -> dict[str, Any]:
    """What is asked."""
    folder = shared / "data" / "adult"
    k, said = 1, []
    for name, bound in models:
        match name:
            case "k":
                k = bound
            case "distinct":
                said.append({"distinct_l_diversity": bound})
            case "entropy":
                said.append({"entropy_l_diversity": bound})
            case "recursive":
                said.append({"recursive_cl_diversity": {"c": bound[0], "l": bound[1]}})
            case "t_equal":
                said.append({"t_closeness": {"t": bound, "distance": "equal"}})
            case "t_hier":
                tree = folder / "adult_hierarchy_occupation.csv"
                said.append({"t_closeness": {"t": bound, "distance": "hierarchical", "hierarchy": tree}})
            case _:
                raise ValueError(name)
    return {
        "table": "adult",
        "k": k,
        "max_suppression": max_rows,
        "quasi_identifiers": {
            name: {"hierarchy": folder / f"adult_hierarchy_{name}.csv", "delimiter": ";", "header": False}
            for name in COLUMNS
        },
        "sensitive": {"occupation": said},
    }


def test_the_file_has_just_the_rows_that_are_asked(
    shared: Path, facts: dict[tuple[Models, int], Fact]
) -> None:
    lines = (shared / "facts" / FILE).read_text(encoding="utf-8").splitlines()
    assert lines[0].split("qi: ")[1].split("  ")[0] == "|".join(COLUMNS)
    assert len([line for line in lines if line and line[0] == "["]) == len(RUNS)
    assert list(facts) == [(COMBINATIONS[name], most) for name, most in RUNS]


# ---------------------------------------------------------------- every vector


@contextmanager
def counted(
    shared: Path, adult: Path, models: Models
) -> Iterator[tuple[FrequencyCounter, DirectCounter, list[DistanceVector]]]:
    """Both plans over Adult, and every vector."""
    with bound_to(adult, words(shared, models)) as (engine, bound, rows):
        lattice = bound.lattice
        vectors = [v for h in range(lattice.height + 1) for v in lattice.at_height(h)]
        frequency = FrequencyCounter(engine, bound.question, rows)
        yield frequency, DirectCounter(engine, bound.question, rows), vectors


@pytest.mark.parametrize("name", COMBINATIONS)
def test_every_vector(shared: Path, adult: Path, facts: dict[tuple[Models, int], Fact], name: str) -> None:
    models = COMBINATIONS[name]
    with counted(shared, adult, models) as (frequency, direct, vectors):
        found = dict(zip(vectors, frequency.evaluate(vectors), strict=True))
        # The direct plan asks a query per vector.
        sample = {v for most in MAX_ROWS for v in facts[models, most].at_minimal_height}
        sample |= set(vectors[:: 4 if len(models) == 1 else 12])
        assert dict(zip(sample, direct.evaluate(list(sample)), strict=True)) == {v: found[v] for v in sample}
    assert len(vectors) == VECTORS
    outliers = {vector: counts.outliers for vector, counts in found.items()}
    steps = [(v, (*v[:i], at + 1, *v[i + 1 :])) for v in vectors for i, at in enumerate(v)]
    steps = [(below, above) for below, above in steps if above in outliers]
    rising = sum(outliers[below] < outliers[above] for below, above in steps)
    for max_rows in MAX_ROWS:
        fact = facts[models, max_rows]
        satisfying = [v for v in vectors if outliers[v] <= max_rows]
        assert len(satisfying) == fact.satisfying
        assert min(map(sum, satisfying)) == fact.minimal_height
        least = {v: outliers[v] for v in satisfying if sum(v) == fact.minimal_height}
        assert least == fact.at_minimal_height
        assert rising == fact.rising_steps
    # What the search prunes on: never more than what any vector below suppresses.
    assert all(found[above].floor <= outliers[below] for below, above in steps)
    assert all(found[v].floor == outliers[v] for v in vectors) == ({model for model, _ in models} <= SURE)


# ---------------------------------------------------------------- whole runs


@pytest.mark.parametrize(
    ("name", "max_rows", "plan"),
    [
        *((name, most, "frequency") for name, most in RUNS),
        ("k 5, distinct 4", 301, "direct"),
        ("k 5, entropy 3", 1508, "direct"),
        ("k 5, t equal 0.35", 0, "direct"),
    ],
)
def test_a_run_finds_the_vector_of_the_facts(
    shared: Path, adult: Path, facts: dict[tuple[Models, int], Fact], name: str, max_rows: int, plan: str
) -> None:
    models = COMBINATIONS[name]
    fact = facts[models, max_rows]
    result = kanon_sql.anonymize(adult, dry_run=True, plan=plan, **words(shared, models, max_rows))
    assert result.height == fact.minimal_height
    assert tuple(result.vector.values()) == fact.vector
    assert (result.rows, result.max_suppression_rows) == (ROWS, max_rows)
    assert result.suppressed == fact.at_minimal_height[fact.vector]
    assert result.proven_minimal
    # Binary search is trusted where every model is monotone under suppression, or nothing may be suppressed.
    monotone = {model for model, _ in models} <= SURE
    assert (result.search["method"] == "height by height") == (not monotone and max_rows > 0)
    assert result.search["why"]
