"""Random tables, hierarchies and names: the engine against brute force in plain Python."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import DataError, NoSolutionError
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from tests.engine.support import FILES, TABLES, bound_to, build, lines, make, quoted, tables, types
from tests.oracle import ByGrouping, OracleHierarchy, accuracy, completeness, height
from tests.oracle.strategies import Case, cases

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "")
THOROUGH = PROFILE == "thorough"


def examples(normal: int) -> settings:
    """The settings of a property: ``HYPOTHESIS_PROFILE=thorough`` looks at twenty times as many cases, and at
    larger ones; ``ci`` at the same cases every time."""
    return settings(
        max_examples=normal * 20 if THOROUGH else normal,
        deadline=None,
        derandomize=PROFILE == "ci",
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )


@st.composite
def layouts(draw: st.DrawFn) -> dict[str, object]:
    """How a case is written to disk."""
    return {
        "table": draw(st.sampled_from(TABLES)),
        "file": draw(st.sampled_from(FILES)),
        "delimiter": draw(st.sampled_from(";,|\t")),
        "header": draw(st.booleans()),
        "decoys": draw(st.booleans()),
    }


# ---------------------------------------------------------------- counts


@examples(36)
@given(cases(max_columns=4 if THOROUGH else 3), layouts())
def test_both_plans_count_what_the_oracle_counts_at_every_vector(
    case: Case, layout: dict[str, object]
) -> None:
    oracle, vectors = case.by_grouping(), case.search().vectors()
    expected = [
        (oracle.outliers(v), sum(size < case.k for size in oracle.class_sizes(v).values())) for v in vectors
    ]
    with tempfile.TemporaryDirectory() as name:
        built = build(case, Path(name), **layout)  # type: ignore[arg-type]
        with bound_to(built.path, built.words) as (engine, bound, rows):
            assert rows == len(case.rows)
            assert bound.lattice.heights == case.heights
            for plan in (FrequencyCounter, DirectCounter):
                found = plan(engine, bound.question, rows).evaluate(vectors)
                counted = [(c.outliers, c.violating_classes) for c in found]
                assert dict(zip(vectors, counted, strict=True)) == dict(
                    zip(vectors, expected, strict=True)
                ), plan


# ---------------------------------------------------------------- whole runs


@examples(40)
@given(cases(), layouts(), st.sampled_from(["frequency", "frequency", "direct"]))
def test_a_run_finds_and_releases_what_the_oracle_does(
    case: Case, layout: dict[str, object], plan: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        built = build(case, Path(name), **layout)  # type: ignore[arg-type]
        words = {**built.words, "output": '"the ""release"""', "plan": plan}
        before = tables(built.path)
        if case.persons is not None and case.k > len(set(case.persons)):
            event("more than there are persons")
            with pytest.raises(DataError, match="only"):
                kanon_sql.anonymize(built.path, **words)
            assert tables(built.path) == before
            return
        search = case.search()
        vector = search.vector_of_5_11(case.max_sup)
        if vector is None:
            event("nothing satisfies")
            with pytest.raises(NoSolutionError) as refused:
                kanon_sql.anonymize(built.path, **words)
            assert str(search.fewest_outliers()) in str(refused.value)
            assert tables(built.path) == before
            return
        event("a release")
        result = kanon_sql.anonymize(built.path, **words)
        assert result.height == search.least_height(case.max_sup) == height(vector)
        assert tuple(result.vector.values()) == vector
        assert tuple(result.vector) == case.columns
        assert result.heights == case.heights
        assert result.proven_minimal
        suppressed = search.outliers(vector)
        assert (result.rows, result.suppressed) == (len(case.rows), suppressed)
        assert result.released == result.rows - suppressed
        classes = case.by_grouping().released_classes(vector)
        assert result.classes == len(classes)
        sizes = sorted(len(members) for members in classes.values())
        assert (result.class_size["min"], result.class_size["max"]) == (sizes[0], sizes[-1])
        assert result.measures["accuracy"] == pytest.approx(float(accuracy(vector, case.heights)))
        assert result.measures["completeness"] == pytest.approx(float(completeness(result.rows, suppressed)))
        if case.persons is not None:
            persons = result.manifest["person_level"]
            assert isinstance(persons, dict)
            assert persons["lost"] == case.by_grouping().persons_lost(vector)
            assert persons["smallest_class"] == min(
                size for size in case.by_grouping().class_sizes(vector).values() if size >= case.k
            )
        output = 'the "release"'
        assert tables(built.path) == sorted([*before, output])
        found_types = types(built.path, output)
        assert set(found_types) == {*case.columns, built.payload}
        for column, allowed in zip(case.columns, built.expected_types(vector), strict=True):
            assert found_types[column] in allowed, column
        assert built.found(built.path, output, vector) == built.expected(vector)


@examples(18)
@given(cases(max_columns=3, max_rows=25), st.randoms(use_true_random=False))
def test_a_vector_that_is_asked_for_is_released_or_refused(case: Case, chance: random.Random) -> None:
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    vector = tuple(chance.randint(0, h) for h in case.heights)
    with tempfile.TemporaryDirectory() as name:
        built = build(case, Path(name))
        words = {**built.words, "vector": dict(zip(case.columns, vector, strict=True)), "output": "released"}
        outliers = case.by_grouping().outliers(vector)
        if outliers > case.max_sup:
            with pytest.raises(NoSolutionError, match=f"{outliers} rows"):
                kanon_sql.anonymize(built.path, **words)
            return
        result = kanon_sql.anonymize(built.path, **words)
        assert (tuple(result.vector.values()), result.suppressed) == (vector, outliers)
        assert built.found(built.path, "released", vector) == built.expected(vector)


# ---------------------------------------------------------------- keys of several words


def _splitting(bits: int, steps: int, prefix: str) -> OracleHierarchy:
    """A hierarchy whose trie code takes just that many bits, in ``steps`` digits.

    The last child of the top is not there: NULL, which has a code of its own, takes its place.
    """
    cuts = [bits * step // steps for step in range(steps + 1)]
    paths = {}
    for value in range(2**bits - 2 ** cuts[-2]):
        labels = [f"{prefix}{step}:{value >> cuts[step]}" for step in range(1, steps)]
        paths[value] = (value, *labels, "*")
    return OracleHierarchy(paths, steps, "*")


# The bits of all digits, and the least words that they need. A word has 63 bits, 57 with a number beside it.
@pytest.mark.parametrize(("bits", "words"), [(57, 1), (58, 1), (60, 1), (63, 1), (64, 2), (110, 2), (140, 3)])
@pytest.mark.parametrize("persons", [False, True])
def test_a_key_of_several_words(tmp_path: Path, bits: int, words: int, persons: bool) -> None:
    chance = random.Random(bits)
    widths = [11] * (bits // 11) + ([bits % 11] if bits % 11 else [])
    hierarchies = [_splitting(w, 1 + (i % 2 and w > 1), f"c{i}_") for i, w in enumerate(widths)]
    people = [[int(chance.random() ** 3 * len(h.paths)) for h in hierarchies] for _ in range(150)]
    rows = [tuple(v if chance.random() < 0.9 else 0 for v in chance.choice(people)) for _ in range(1500)]
    who = [chance.randrange(400) for _ in rows] if persons else None
    names = [f"q{i}" for i in range(len(widths))]
    for i, hierarchy in enumerate(hierarchies):
        lines(tmp_path / f"h{i}.csv", *(";".join(map(str, path)) for path in hierarchy.paths.values()))
    source = lines(
        tmp_path / "rows.csv",
        ",".join([*names, "who"]),
        *(",".join(map(str, [*row, who[i] if who else 0])) for i, row in enumerate(rows)),
    )
    path = make(tmp_path / "w.duckdb", f"CREATE TABLE t AS FROM read_csv('{source}', header = true)")
    spec = {
        "table": "t",
        "k": 4,
        "quasi_identifiers": {
            name: {"hierarchy": tmp_path / f"h{i}.csv", "delimiter": ";", "header": False}
            for i, name in enumerate(names)
        },
        **({"person": "who"} if persons else {}),
    }
    oracle = ByGrouping(rows, hierarchies, 4, who)
    drawn = {tuple(chance.randint(0, h) for h in oracle.heights) for _ in range(50)}
    drawn |= {oracle.heights, (0,) * len(widths)}
    for i, h in enumerate(oracle.heights):  # every digit by itself
        drawn |= {(*oracle.heights[:i], level, *oracle.heights[i + 1 :]) for level in range(h)}
    vectors = sorted(drawn)
    with bound_to(path, spec) as (engine, bound, total):
        frequency = FrequencyCounter(engine, bound.question, total)
        assert sum(place.width for places in frequency.layout.bits for place in places) == bits
        assert frequency.layout.word_count >= words
        found = [(c.outliers, c.violating_classes) for c in frequency.evaluate(vectors)]
    expected = [
        (oracle.outliers(v), sum(size < 4 for size in oracle.class_sizes(v).values())) for v in vectors
    ]
    assert dict(zip(vectors, found, strict=True)) == dict(zip(vectors, expected, strict=True))
    assert len(set(expected)) > 5  # a question whose answers differ


def test_a_wide_key_against_the_direct_plan_at_every_vector(tmp_path: Path) -> None:
    chance = random.Random(1)
    widths, steps = [13, 14, 13, 14, 12], [1, 2, 1, 3, 2]
    spec: dict[str, object] = {"table": "t", "k": 3}
    spec["quasi_identifiers"] = {}
    for i, (width, step) in enumerate(zip(widths, steps, strict=True)):
        paths = _splitting(width, step, f"c{i}_").paths.values()
        file = lines(tmp_path / f"h{i}.csv", *(";".join(map(str, path)) for path in paths))
        spec["quasi_identifiers"][f"q{i}"] = {"hierarchy": file, "delimiter": ";", "header": False}
    rows = [[int(chance.random() ** 4 * 2 ** (w - 1)) for w in widths] for _ in range(400)]
    names = [f"q{i}" for i in range(5)]
    values = ", ".join(f"({', '.join(map(str, row))})" for row in rows + rows[:200])
    path = make(
        tmp_path / "w.duckdb",
        f"CREATE TABLE t ({', '.join(f'{quoted(n)} INTEGER' for n in names)})",
        f"INSERT INTO t VALUES {values}",
    )
    with bound_to(path, spec) as (engine, bound, total):
        vectors = [v for h in range(bound.lattice.height + 1) for v in bound.lattice.at_height(h)]
        frequency = FrequencyCounter(engine, bound.question, total)
        assert frequency.layout.word_count == 2
        assert len(vectors) == 2 * 3 * 2 * 4 * 3
        direct = DirectCounter(engine, bound.question, total)
        assert frequency.evaluate(vectors) == direct.evaluate(vectors)
