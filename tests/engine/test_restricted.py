"""Levels that are allowed, and quasi-identifiers that are dropped at their tops: whole runs against the oracle."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import NoSolutionError
from tests.engine.model_support import build_models
from tests.engine.support import Built, query, quoted, tables, types
from tests.engine.test_against_oracle import examples
from tests.engine.test_rollup import RULES, forced
from tests.oracle.by_models import WithModels
from tests.oracle.choice import WholeLattice
from tests.oracle.model import Vector, typed_counter
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.search.test_restricted import drawn_range


def words_of(
    columns: tuple[str, ...], heights: Vector, low: Vector, high: Vector, chance: random.Random
) -> dict[str, dict[str, int]]:
    """The keyword arguments that allow these levels, in one of the ways to say it."""
    words: dict[str, dict[str, int]] = {"min_level": {}, "max_level": {}, "level": {}}
    for name, top, a, b in zip(columns, heights, low, high, strict=True):
        if a == b and chance.random() < 0.5:
            words["level"][name] = a
            continue
        if a or chance.random() < 0.5:
            words["min_level"][name] = a
        if b < top or chance.random() < 0.5:
            words["max_level"][name] = b
    return {word: levels for word, levels in words.items() if levels}


@examples(30)
@given(
    model_cases(),
    st.sampled_from(["frequency", "frequency", "direct", *RULES]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_a_run_keeps_to_the_levels_allowed(
    drawn: ModelCase, how: str, drop: bool, chance: random.Random
) -> None:
    case, oracle = drawn.case, drawn.oracle()
    if case.persons is not None and case.k > len(set(case.persons)):
        return
    low, high = drawn_range(case.heights, chance)
    whole = WholeLattice(oracle, case.max_sup, low, high)
    vector = whole.minimal()
    with tempfile.TemporaryDirectory() as name:
        built = build_models(drawn, Path(name))
        words = {
            **built.words,
            **words_of(tuple(case.columns), case.heights, low, high, chance),
            "plan": how if how not in RULES else "frequency",
            "drop_at_top": drop,
            "output": "released",
        }
        if how in RULES:
            with forced(how):
                _hold(built, drawn, oracle, whole, vector, words)
        else:
            _hold(built, drawn, oracle, whole, vector, words)


def _hold(
    built: Built,
    drawn: ModelCase,
    oracle: WithModels,
    whole: WholeLattice,
    vector: Vector | None,
    words: dict[str, Any],
) -> None:
    case = drawn.case
    if vector is None:
        event("nothing satisfies")
        with pytest.raises(NoSolutionError, match="nothing satisfies"):
            kanon_sql.anonymize(built.path, **words)
        assert "released" not in tables(built.path)
        return
    result = kanon_sql.anonymize(built.path, **words, allow_empty=True)
    assert tuple(result.vector.values()) == vector
    assert result.heights == case.heights
    assert result.proven_minimal
    kept = oracle.released_indexes(vector)
    assert result.released == len(kept)
    dropped = [
        column
        for column, level, top in zip(case.columns, vector, case.heights, strict=True)
        if words["drop_at_top"] and level == top > 0
    ]
    event(f"{min(len(dropped), 2)} dropped")
    assert list(result.dropped) == dropped
    names = [column for column in types(built.path, "released") if column != built.payload]
    assert [each for each in case.columns if each not in dropped] == [e for e in names if e in case.columns]
    rows = query(built.path, f"SELECT {quoted(built.payload)} FROM released")
    assert typed_counter(rows) == typed_counter([(f"p{i}",) for i in kept])
