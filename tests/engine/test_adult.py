"""The Adult table against facts computed apart from the project (``shared/facts``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from kanon_sql.lattice import DistanceVector, dominates
from tests.engine.support import bound_to, make

ROWS = 30162
FILES = ("adult_5qi.tsv", "adult_9qi.tsv")
# k and MaxSup of the rows of the files; a test holds the files against this list.
ASKED = {
    FILES[0]: [(k, most) for k in (2, 5, 10, 100) for most in (0, 301, 1508)],
    FILES[1]: [(k, most) for k in (5, 10) for most in (0, 301, 1508)],
}


@dataclass(frozen=True)
class Fact:
    """One row of a file: what exhaustive enumeration found."""

    k: int
    max_rows: int
    minimal_height: int
    satisfying: int
    k_minimal: int
    at_minimal_height: dict[DistanceVector, tuple[int, int]]
    """Suppressed rows and released classes of every vector that satisfies at the least height."""
    vector: DistanceVector


def _vector(text: str) -> DistanceVector:
    return tuple(map(int, text.split(",")))


@dataclass(frozen=True)
class Facts:
    """One file: its quasi-identifiers and its rows."""

    columns: tuple[str, ...]
    heights: tuple[int, ...]
    rows: dict[tuple[int, int], Fact]


def read_facts(path: Path) -> Facts:
    """A file of facts."""
    comments, rows = [], {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            comments.append(line)
        elif not line.startswith("k\t"):
            k, most, height, satisfying, minimal, at_height, vector = line.split("\t")
            found = {}
            for entry in at_height.split():
                levels, suppressed, classes = entry.split(":")
                found[_vector(levels)] = (int(suppressed), int(classes))
            rows[int(k), int(most)] = Fact(
                int(k), int(most), int(height), int(satisfying), int(minimal), found, _vector(vector)
            )
    columns, _, heights = comments[1].removeprefix("# qi: ").partition("  heights: [")
    return Facts(tuple(columns.split("|")), _vector(heights.split("]")[0]), rows)


@pytest.fixture(scope="module")
def adult(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Adult table in a DuckDB file."""
    source = str(shared / "data" / "adult" / "adult.csv").replace("'", "''")
    path = tmp_path_factory.mktemp("adult") / "adult.duckdb"
    return make(path, f"CREATE TABLE adult AS FROM read_csv('{source}', delim = ';', header = true)")


def words(shared: Path, facts: Facts, k: int, max_rows: int) -> dict[str, Any]:
    """What is asked."""
    folder = shared / "data" / "adult"
    hierarchies = {
        name: {"hierarchy": folder / f"adult_hierarchy_{name}.csv", "delimiter": ";", "header": False}
        for name in facts.columns
    }
    return {"table": "adult", "k": k, "max_suppression": max_rows, "quasi_identifiers": hierarchies}


@pytest.fixture(scope="module", params=FILES)
def file(request: pytest.FixtureRequest) -> str:
    """The name of a file of facts."""
    return str(request.param)


def test_every_row_of_the_files_is_asked(shared: Path, file: str) -> None:
    assert list(read_facts(shared / "facts" / file).rows) == ASKED[file]


@pytest.mark.parametrize(("file", "k", "max_rows"), [(f, *row) for f in FILES for row in ASKED[f]])
def test_a_run_finds_the_vector_of_the_facts(
    shared: Path, adult: Path, file: str, k: int, max_rows: int
) -> None:
    facts = read_facts(shared / "facts" / file)
    fact = facts.rows[k, max_rows]
    result = kanon_sql.anonymize(adult, dry_run=True, **words(shared, facts, k, max_rows))
    assert result.heights == facts.heights
    assert result.height == fact.minimal_height
    assert tuple(result.vector.values()) == fact.vector
    assert (result.rows, result.max_suppression_rows) == (ROWS, max_rows)
    assert (result.suppressed, result.classes) == fact.at_minimal_height[fact.vector]
    assert result.released == ROWS - result.suppressed


@pytest.mark.parametrize(("k", "max_rows"), [(2, 1508), (5, 0), (10, 301), (100, 1508)])
def test_the_direct_plan_finds_the_same(shared: Path, adult: Path, k: int, max_rows: int) -> None:
    facts = read_facts(shared / "facts" / FILES[0])
    result = kanon_sql.anonymize(adult, dry_run=True, plan="direct", **words(shared, facts, k, max_rows))
    assert tuple(result.vector.values()) == facts.rows[k, max_rows].vector
    assert result.suppressed == facts.rows[k, max_rows].at_minimal_height[facts.rows[k, max_rows].vector][0]


@contextmanager
def counted(
    shared: Path, adult: Path, facts: Facts, k: int
) -> Iterator[tuple[FrequencyCounter, DirectCounter, list[DistanceVector]]]:
    """Both plans over Adult, and every vector."""
    with bound_to(adult, words(shared, facts, k, 0)) as (engine, bound, rows):
        lattice = bound.lattice
        vectors = [v for h in range(lattice.height + 1) for v in lattice.at_height(h)]
        yield (
            FrequencyCounter(engine, bound.question, rows),
            DirectCounter(engine, bound.question, rows),
            vectors,
        )


@pytest.mark.parametrize("k", [2, 5, 10, 100])
def test_every_vector_of_five_quasi_identifiers(shared: Path, adult: Path, k: int) -> None:
    facts = read_facts(shared / "facts" / FILES[0])
    with counted(shared, adult, facts, k) as (frequency, direct, vectors):
        counts = dict(zip(vectors, frequency.evaluate(vectors), strict=True))
        sample = vectors[:: 24 if k == 5 else 80]
        assert direct.evaluate(sample) == [counts[v] for v in sample]
    assert len(vectors) == 240
    assert frequency.entries == 6072
    for (k_of_fact, max_rows), fact in facts.rows.items():
        if k_of_fact != k:
            continue
        satisfying = [v for v in vectors if counts[v].outliers <= max_rows]
        assert len(satisfying) == fact.satisfying
        minimal = [v for v in satisfying if not any(w != v and dominates(v, w) for w in satisfying)]
        assert len(minimal) == fact.k_minimal
        least = {v: counts[v].outliers for v in satisfying if sum(v) == fact.minimal_height}
        assert least == {v: suppressed for v, (suppressed, _) in fact.at_minimal_height.items()}
        assert min(map(sum, satisfying)) == fact.minimal_height


@pytest.mark.parametrize("k", [5, 10])
def test_every_vector_at_the_least_height_and_just_below(shared: Path, adult: Path, k: int) -> None:
    """Of nine quasi-identifiers; suppression never rises, so a height without a solution rules out all below."""
    facts = read_facts(shared / "facts" / FILES[1])
    fact = facts.rows[k, 301]
    with counted(shared, adult, facts, k) as (frequency, _, vectors):
        low = [v for v in vectors if sum(v) == fact.minimal_height - 1]
        at = list(fact.at_minimal_height)
        assert all(c.outliers > 301 for c in frequency.evaluate(low))
        found = dict(zip(at, frequency.evaluate(at), strict=True))
        assert {v: c.outliers for v, c in found.items()} == {
            v: s for v, (s, _) in fact.at_minimal_height.items()
        }
        assert frequency.entries == 19502
        level = [v for v in vectors if sum(v) == fact.minimal_height and v not in fact.at_minimal_height]
        assert all(c.outliers > 301 for c in frequency.evaluate(level))
