"""Measures of vectors, valued from the frequency set, against the oracle's; and their bounds over whole lattices."""

from __future__ import annotations

import csv
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from kanon_sql.binding import bind
from kanon_sql.catalog import find_source
from kanon_sql.compiler import questions
from kanon_sql.frequency import FrequencyCounter, Valuer, layout, load_mappings, load_sensitive, valuing
from kanon_sql.lattice import DistanceVector, dominates
from kanon_sql.measures import OWN, Facts, find_measure, whole_weights
from tests.engine.model_support import build_models
from tests.engine.support import build, engine_at, lines, make
from tests.engine.test_against_oracle import examples
from tests.oracle import BETTER, ByGrouping, OracleHierarchy, Outcome, flat, measure
from tests.oracle.by_models import WithModels
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.strategies import Case, cases

WEIGHTS = (Fraction(1), Fraction(0), Fraction(3), Fraction(1, 2))


@contextmanager
def valuer_of(path: Path, words: dict[str, Any], **more: Any) -> Iterator[tuple[Valuer, FrequencyCounter]]:
    """A valuer over a file, with the frequency set built as a run builds it."""
    engine, spec = engine_at(path, words, path.parent)
    try:
        bound = bind(engine, spec, find_source(engine, spec))
        [(rows, _, _)] = engine.run(questions.totals(bound.question.source))
        question = load_mappings(engine, bound.question, bound.hierarchies).question
        load_sensitive(engine, question, bound.taxonomies)
        counter = FrequencyCounter(engine, question, rows)
        yield (
            Valuer(
                engine,
                question,
                counter.layout,
                counter.table,
                rows=rows,
                unmapped_rows=counter.unmapped_rows,
                hierarchies=bound.hierarchies,
                population=counter.population,
                **more,
            ),
            counter,
        )
    finally:
        engine.close()


def of_data(case: Case) -> Case:
    """The case with the leaves of columns without a hierarchy being the values that the data has."""
    hierarchies = tuple(
        h if has_file else flat(case.column_values(i))
        for i, (h, has_file) in enumerate(zip(case.hierarchies, case.has_file, strict=True))
    )
    return replace(case, hierarchies=hierarchies)


def hold_against(
    found: Sequence[Facts],
    oracle: ByGrouping | WithModels,
    vectors: Sequence[DistanceVector],
    weights: Sequence[Fraction],
    k: int,
) -> None:
    """Every measure at every vector is the oracle's."""
    for facts, vector in zip(found, vectors, strict=True):
        outcome = Outcome.at(oracle, vector)
        assert facts.suppressed == outcome.suppressed_rows
        for each in OWN:
            value, expected = each.value(facts), measure(each.word, outcome, weights, k)
            if value is None or expected is None:
                assert (value, expected) == (None, None), (each.word, vector)
            else:
                assert value == pytest.approx(float(expected), rel=1e-9, abs=1e-9), (each.word, vector)


def hold_bounds(found: Sequence[Facts], prospects: Sequence[Facts], max_suppressed: int) -> None:
    """No vector above beats a bound, of those that keep to MaxSup; what bounds need is known beforehand."""
    for facts, prospect in zip(found, prospects, strict=True):
        above = [f for f in found if dominates(f.vector, facts.vector) and f.suppressed <= max_suppressed]
        blind = replace(facts, released=-1, classes=-1, squares=-1)
        for each in OWN:
            bound, early = each.bound(facts), each.bound(prospect)
            assert each.bound(blind) == bound
            assert early == bound or (early is None and each.word in CLASS_BOUND), each.word
            assert bound is not None
            values = [value for f in above if (value := each.value(f)) is not None]
            if each.better == "low":
                assert all(value >= bound for value in values), each.word
            else:
                assert all(value <= bound for value in values), each.word


# Bounds that need the classes of the vector counted.
CLASS_BOUND = {"discernibility", "discernibility_star", "average_class_size", "c_avg"}


@contextmanager
def narrow(bits: int) -> Iterator[None]:
    """Keys of few bits to the word, so that small tables need several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "ONE_WORD_BITS", bits)
        patch.setattr(layout, "WORD_BITS", bits)
        yield


@examples(40)
@given(
    cases(max_columns=3), st.lists(st.sampled_from(WEIGHTS), min_size=3, max_size=3), st.sampled_from([57, 2])
)
def test_every_measure_at_every_vector_is_the_oracle_s(case: Case, drawn: list[Fraction], bits: int) -> None:
    case = of_data(case)
    weights = drawn[: len(case.columns)]
    if not any(weights):
        weights[0] = Fraction(1)
    vectors = case.search().vectors()
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(valuing, "BATCH", 7)
        built = build(case, Path(name))
        more = {"weights": whole_weights(weights), "max_suppressed": case.max_sup}
        words = {**built.words, "keep": []}
        with narrow_if(bits), valuer_of(built.path, words, **more) as (valuer, counter):
            event(f"{counter.layout.word_count} words")
            found = valuer.facts(vectors, OWN)
            hold_against(found, case.by_grouping(), vectors, weights, case.k)
            prospects = [valuer.prospect(vector, OWN) for vector in vectors]
            hold_bounds(found, prospects, case.max_sup)
            for columns in valuer._losses.values():
                for strays in (each for column in columns for each in column.strays):
                    event("strays")


@contextmanager
def narrow_if(bits: int) -> Iterator[None]:
    if bits == 57:
        yield
        return
    with narrow(bits):
        yield
