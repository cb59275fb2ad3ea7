"""Hubs and partition bounds: the rules that make a large frequency set cheap, forced upon small tables."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import NoSolutionError
from kanon_sql.frequency import FrequencyCounter, batches, counting, rollup
from tests.engine.model_support import build_models
from tests.engine.support import bound_to, build, make
from tests.engine.test_against_oracle import examples
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.strategies import Case, cases

RULES = ("hubs", "parts", "both", "meets")


@contextmanager
def forced(rule: str) -> Iterator[None]:
    """Every table is large, and only the rule, or both, is used; or every table is small, and has a hub below any two
    vectors, asked side by side."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollup, "MOST_HUBS", 2 if rule == "meets" else 3)
        if rule == "meets":
            patch.setattr(rollup, "WORTH_A_MEET", 2)
            patch.setattr(rollup, "MEET_WORTH_KEEPING", 1.0)
            patch.setattr(batches, "LEAST_IN_A_LANE", 1)
            patch.setattr(batches, "BATCH", 3)
            yield
            return
        patch.setattr(counting, "LARGE", 1)
        patch.setattr(rollup, "LARGE", 1)
        if rule == "parts":
            patch.setattr(rollup.Hubs, "_roll_up", lambda self, vector, hub: hub)
        else:
            patch.setattr(rollup, "WORTH_KEEPING", 1.0)
        if rule == "hubs":
            patch.setattr(rollup.Hubs, "_bounds", lambda *_: {})
        else:
            patch.setattr(rollup, "LEAST_PARTS", 2)
            patch.setattr(rollup, "MARGIN", 0.2)
        yield


@examples(28)
@given(model_cases(), st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_what_is_counted_is_there_at_the_least(drawn: ModelCase, rule: str, chance: random.Random) -> None:
    """Models and persons too: exact counts are those of the oracle; others prove no more than is true."""
    oracle, vectors = drawn.oracle(), drawn.search().vectors()
    outliers = {v: oracle.outliers(v) for v in vectors}
    enough = chance.choice([0, drawn.case.max_sup])
    with tempfile.TemporaryDirectory() as name, forced(rule):
        built = build_models(drawn, Path(name))
        with bound_to(built.path, built.words) as (engine, bound, rows):
            counter = FrequencyCounter(engine, bound.question, rows)
            for _ in range(3):
                asked = chance.sample(vectors, min(len(vectors), 8))
                guesses = [float(chance.choice([0, outliers[v], rows, 50 * rows])) for v in asked]
                for v, counts in zip(asked, counter.evaluate(asked, enough, guesses), strict=True):
                    below = min(
                        outliers[u] for u in vectors if all(a <= b for a, b in zip(u, v, strict=True))
                    )
                    assert counts.floor <= below
                    if counts.estimate is None:
                        assert (counts.outliers, counts.violating_classes) == (
                            outliers[v],
                            oracle.violating_classes(v),
                        )
                    else:
                        event("proven by a part")
                        assert counts.floor > enough
                        assert counts.outliers <= outliers[v]
            if counter.hubs.work.rolled_up:
                event("rolled up")


@examples(16)
@given(cases(), st.sampled_from(RULES))
def test_a_run_finds_what_the_oracle_does(case: Case, rule: str) -> None:
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    search = case.search()
    vector = search.vector_of_5_11(case.max_sup)
    with tempfile.TemporaryDirectory() as name, forced(rule):
        built = build(case, Path(name))
        if vector is None:
            with pytest.raises(NoSolutionError, match=str(search.fewest_outliers())):
                kanon_sql.anonymize(built.path, **built.words, dry_run=True)
            return
        result = kanon_sql.anonymize(built.path, **built.words, dry_run=True)
        assert tuple(result.vector.values()) == vector
        assert result.suppressed == search.outliers(vector)


@examples(16)
@given(model_cases(), st.sampled_from(RULES))
def test_a_run_with_models_finds_what_the_oracle_does(drawn: ModelCase, rule: str) -> None:
    case = drawn.case
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    vector = drawn.search().vector_of_5_11(case.max_sup)
    with tempfile.TemporaryDirectory() as name, forced(rule):
        built = build_models(drawn, Path(name))
        if vector is None or not drawn.oracle().released_indexes(vector):
            with pytest.raises(NoSolutionError):
                kanon_sql.anonymize(built.path, **built.words, dry_run=True)
            return
        result = kanon_sql.anonymize(built.path, **built.words, dry_run=True)
        assert tuple(result.vector.values()) == vector


def test_a_large_table_uses_both_and_finds_the_same(tmp_path: Path) -> None:
    """Two hundred thousand nearly unique rows, without anything forced; the direct plan says the same."""
    path = make(
        tmp_path / "w.duckdb",
        "CREATE TABLE t AS SELECT hash(i) % 4000 AS a, hash(i + 7) % 900 AS b, hash(i * 3) % 3 AS c"
        " FROM range(200000) AS n(i)",
        "CREATE TABLE ha AS SELECT DISTINCT a AS l0, CAST(a // 20 AS VARCHAR) AS l1,"
        " 'd' || (a // 400) AS l2, '*' AS l3 FROM t",
        "CREATE TABLE hb AS SELECT DISTINCT b AS l0, CAST(b // 30 AS VARCHAR) AS l1, '*' AS l2 FROM t",
    )
    words = {
        "table": "t",
        "k": 5,
        "max_suppression": "1%",
        "quasi_identifiers": {"a": {"hierarchy": "table:ha"}, "b": {"hierarchy": "table:hb"}, "c": None},
        "dry_run": True,
    }
    statements: list[str] = []
    result = kanon_sql.anonymize(path, **words, tracer=lambda ran: statements.append(ran.sql))
    direct = kanon_sql.anonymize(path, **words, plan="direct")
    assert (result.vector, result.suppressed) == (direct.vector, direct.suppressed)
    assert any("$parts" in sql for sql in statements)
    assert any("kanon: roll up" in sql for sql in statements)
