"""Privacy models beyond k: the engine against brute force in plain Python, every vector, with suppression."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import event, given

import kanon_sql
from kanon_sql.errors import DataError, NoSolutionError
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from tests.engine.model_support import build_models
from tests.engine.support import bound_to, lines, make, query, quoted, tables
from tests.engine.test_against_oracle import THOROUGH, examples
from tests.oracle.by_models import BISECTION_IS_WRONG, SmallCase
from tests.oracle.model_strategies import ModelCase, model_cases

# ---------------------------------------------------------------- counts


@examples(40)
@given(model_cases(max_rows=40 if THOROUGH else 30))
def test_both_plans_count_what_the_oracle_counts_at_every_vector(drawn: ModelCase) -> None:
    oracle, search = drawn.oracle(), drawn.search()
    vectors = search.vectors()
    expected = {v: (oracle.outliers(v), oracle.violating_classes(v)) for v in vectors}
    with tempfile.TemporaryDirectory() as name:
        built = build_models(drawn, Path(name))
        with bound_to(built.path, built.words) as (engine, bound, rows):
            floors = []
            for plan in (FrequencyCounter, DirectCounter):
                found = plan(engine, bound.question, rows).evaluate(vectors)
                counted = {v: (c.outliers, c.violating_classes) for v, c in zip(vectors, found, strict=True)}
                wrong = {
                    v: (counted[v], expected[v], oracle.violations(v))
                    for v in vectors
                    if counted[v] != expected[v]
                }
                assert not wrong, plan
                floors.append([c.floor for c in found])
            assert floors[0] == floors[1]
            if bound.question.is_sure:
                event("monotone under suppression")
                assert floors[0] == [expected[v][0] for v in vectors]
    # The floor is what the search prunes on: no vector below may suppress fewer rows.
    for vector, floor in zip(vectors, floors[0], strict=True):
        below = [u for u in vectors if all(a <= b for a, b in zip(u, vector, strict=True))]
        assert floor <= min(expected[u][0] for u in below), vector


# ---------------------------------------------------------------- whole runs


@examples(40)
@given(model_cases())
def test_a_run_finds_and_releases_what_the_oracle_does(drawn: ModelCase) -> None:
    oracle, search = drawn.oracle(), drawn.search()
    case = drawn.case
    with tempfile.TemporaryDirectory() as name:
        built = build_models(drawn, Path(name))
        words = {
            **built.words,
            "output": "released",
            "plan": "direct" if len(case.rows) % 3 == 0 else "frequency",
        }
        if case.persons is not None and case.k > len(set(case.persons)):
            with pytest.raises(DataError, match="only"):
                kanon_sql.anonymize(built.path, **words)
            return
        vector = search.vector_of_5_11(case.max_sup)
        if vector is None:
            event("nothing satisfies")
            with pytest.raises(NoSolutionError, match="nothing satisfies"):
                kanon_sql.anonymize(built.path, **words)
            assert "released" not in tables(built.path)
            return
        if not oracle.released_indexes(vector):
            event("empty")
            with pytest.raises(NoSolutionError, match="empty"):
                kanon_sql.anonymize(built.path, **words)
            return
        result = kanon_sql.anonymize(built.path, **words)
        event(result.search["method"])
        if search.bisected_height(case.max_sup) != result.height:
            event("naive bisection is wrong")
        assert tuple(result.vector.values()) == vector
        assert result.proven_minimal
        assert result.suppressed == oracle.outliers(vector)
        kept = query(built.path, f"SELECT {quoted(built.payload)} FROM released ORDER BY 1")
        assert [row[0] for row in kept] == sorted(f"p{i}" for i in oracle.released_indexes(vector))


@examples(18)
@given(model_cases(population=False))
def test_a_release_passes_the_check_of_its_own_models(drawn: ModelCase) -> None:
    case = drawn.case
    if any("persons" in str(column.entries) for column in drawn.columns):
        return
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    with tempfile.TemporaryDirectory() as name:
        built = build_models(drawn, Path(name))
        try:
            result = kanon_sql.anonymize(built.path, **built.words, output="released")
        except NoSolutionError:
            return
        checked = kanon_sql.check(
            built.path,
            table="released",
            k=1,
            quasi_identifiers=list(case.columns),
            sensitive=built.words["sensitive"],
            reference=case_table(built.words),
        )
        assert checked.satisfied, [verdict for verdict in checked.models if not verdict.satisfied]
        assert checked.sizes.rows == result.released


def case_table(words: dict[str, object]) -> str:
    """The name of the source."""
    return str(words["table"])


# ---------------------------------------------------------------- the trap


@pytest.mark.parametrize("case", BISECTION_IS_WRONG, ids=lambda case: str(case.model))
@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_the_least_height_is_found_where_bisection_is_wrong(
    tmp_path: Path, case: SmallCase, plan: str
) -> None:
    persons = case.persons or (0,) * len(case.rows)
    values = ", ".join(f"('{qi}', '{s}', {who})" for (qi, s), who in zip(case.rows, persons, strict=True))
    path = make(
        tmp_path / "w.duckdb",
        "CREATE TABLE t (qi VARCHAR, diag VARCHAR, who INTEGER)",
        f"INSERT INTO t VALUES {values}",
    )
    file = lines(tmp_path / "qi.csv", *(";".join(map(str, path)) for path in case.hierarchy.paths.values()))
    result = kanon_sql.anonymize(
        path,
        table="t",
        k=1,
        max_suppression=case.max_sup,
        quasi_identifiers={"qi": {"hierarchy": file, "delimiter": ";", "header": False}},
        sensitive={"diag": list(case.column_spec)},
        output="released",
        plan=plan,
        **({"person": "who"} if case.persons else {}),
    )
    assert result.height == case.least_height != case.bisected_height
    assert result.search["method"] == "height by height"
    assert result.suppressed == case.outliers[result.height]
