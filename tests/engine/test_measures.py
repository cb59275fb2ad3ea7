"""Measures of vectors, valued from the frequency set, against the oracle's; and their bounds over whole lattices."""

from __future__ import annotations

import csv
import json
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
from kanon_sql.frequency import FrequencyCounter, Valuer, batches, layout, load_mappings, load_sensitive
from kanon_sql.lattice import DistanceVector, dominates
from kanon_sql.measures import OWN, Facts, find_measure, whole_weights
from kanon_sql.measures.certainty import NCP
from kanon_sql.measures.entropy import BITS
from tests.engine.model_support import build_models
from tests.engine.support import build, engine_at, make
from tests.engine.test_against_oracle import examples
from tests.oracle import BETTER, ByGrouping, OracleHierarchy, Outcome, flat, measure
from tests.oracle.by_models import WithModels
from tests.oracle.model import Value
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


def of_data(case: Case, population: Sequence[tuple[Value, ...]] | None = None) -> Case:
    """The case with the leaves of columns without a hierarchy being the values that there are."""
    hierarchies = tuple(
        h if has_file else flat([*case.column_values(i), *(row[i] for row in population or ())])
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
    assert {each.word: each.better for each in OWN} == BETTER
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
        unknown = {word: replace(losses, released=()) for word, losses in facts.losses.items()}
        blind = replace(facts, released=-1, classes=None, squares=None, losses=unknown)
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
def words_of(bits: int) -> Iterator[None]:
    """Keys of so many bits to the word, so that small tables need several; few vectors to a statement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "BATCH", 7)
        if bits < layout.ONE_WORD_BITS:
            patch.setattr(layout, "ONE_WORD_BITS", bits)
            patch.setattr(layout, "WORD_BITS", bits)
        yield


def weights_of(chosen: Sequence[Fraction], count: int) -> list[Fraction]:
    """A weight per quasi-identifier, not all 0."""
    weights = list(chosen[:count])
    return weights if any(weights) else [Fraction(1), *weights[1:]]


@examples(36)
@given(
    cases(max_columns=3),
    st.lists(st.sampled_from(WEIGHTS), min_size=3, max_size=3),
    st.sampled_from([57, 2]),
)
def test_every_measure_at_every_vector(case: Case, chosen: list[Fraction], bits: int) -> None:
    case = of_data(case)
    weights = weights_of(chosen, len(case.columns))
    vectors = case.search().vectors()
    more = {"weights": whole_weights(weights), "max_suppressed": case.max_sup}
    with tempfile.TemporaryDirectory() as name, words_of(bits):
        built = build(case, Path(name))
        with valuer_of(built.path, built.words, **more) as (valuer, counter):
            event(f"{counter.layout.word_count} words")
            found = valuer.facts(vectors, OWN)
            hold_against(found, case.by_grouping(), vectors, weights, case.k)
            hold_bounds(found, [valuer.prospect(vector, OWN) for vector in vectors], case.max_sup)


@examples(24)
@given(model_cases(max_columns=2, max_rows=20), st.lists(st.sampled_from(WEIGHTS), min_size=2, max_size=2))
def test_with_models_persons_and_populations(drawn: ModelCase, chosen: list[Fraction]) -> None:
    drawn = replace(drawn, case=of_data(drawn.case, drawn.population))
    case = drawn.case
    weights = weights_of(chosen, len(case.columns))
    vectors = drawn.search().vectors()
    more = {"weights": whole_weights(weights), "max_suppressed": case.max_sup}
    with tempfile.TemporaryDirectory() as name:
        built = build_models(drawn, Path(name))
        with valuer_of(built.path, built.words, **more) as (valuer, _):
            found = valuer.facts(vectors, OWN)
            hold_against(found, drawn.oracle(), vectors, weights, case.k)
            hold_bounds(found, [valuer.prospect(vector, OWN) for vector in vectors], case.max_sup)


# ---------------------------------------------------------------- values without a leaf, by hand

TWO = OracleHierarchy.from_paths([("a", "ab", "*"), ("b", "ab", "*"), ("c", "c-", "*")])
# A label of more than one kind: the top below the top, as the label of a value, and of a ground value itself.
LOW_TOP = OracleHierarchy.from_paths([("a", "*", "*"), ("b", "*", "*"), ("c", "c-", "*")], unmapped="top")
STARRED = OracleHierarchy.from_paths([("a", "ab", "*"), ("b", "ab", "*"), ("*", "*", "*")], unmapped="top")
ONE_LEAF = OracleHierarchy.from_paths([("a", "a-", "*")])
ONE_LEAF_TOP = OracleHierarchy.from_paths([("a", "a-", "*")], unmapped="top")
OWN_NULL = OracleHierarchy.from_paths([("a", "*"), (None, "*")])
HEIGHT_0 = OracleHierarchy.from_paths([("a",)])
HEIGHT_0_TOP = OracleHierarchy.from_paths([("a",)], unmapped="top")


@pytest.mark.parametrize("bits", [57, 2])
@pytest.mark.parametrize(
    ("hierarchy", "values", "strays"),
    [
        (LOW_TOP, ["a", "x", "x", "y", "c", "b", None], True),
        (STARRED, ["a", "*", "x", "*", "y", "b", None], True),
        (ONE_LEAF, ["a", "a", None, "a", None, None, None], True),
        (ONE_LEAF_TOP, ["a", "x", None, "y", None, "x", "x"], True),
        (OWN_NULL, ["a", None, None, "a", "a", None, None], False),
        (HEIGHT_0, ["a", None, "a", "a", None, None, "a"], True),
        (HEIGHT_0_TOP, ["a", None, "x", "y", None, "x", "a"], True),
        (HEIGHT_0, [None] * 7, True),
        (flat([]), [None] * 7, False),
        (flat(["a"]), ["a", None, "a", "a", None, None, "a"], True),
    ],
)
def test_values_without_a_leaf(
    tmp_path: Path, hierarchy: OracleHierarchy, values: list[Value], strays: bool, bits: int
) -> None:
    """A NULL in a hierarchy of one leaf loses at the top alone, a placed value always, whoever has their label."""
    others = ["a", "a", "b", "c", "a", "c", "b"]
    case = Case(
        ("q", "r"), ("VARCHAR", "VARCHAR"), list(zip(values, others, strict=True)), (hierarchy, TWO),
        (hierarchy.height != 1 or None in hierarchy.paths, True), 2, 3, None,
    )  # fmt: skip
    built = build(case, tmp_path)
    vectors = case.search().vectors()
    with words_of(bits), valuer_of(built.path, built.words, max_suppressed=3) as (valuer, _):
        found = valuer.facts(vectors, OWN)
        hold_against(found, case.by_grouping(), vectors, [Fraction(1)] * 2, 2)
        hold_bounds(found, [valuer.prospect(vector, OWN) for vector in vectors], 3)
        assert any(column.strays for column in valuer._of(NCP).columns) == strays
        assert not any(column.strays for column in valuer._of(BITS).columns)


# ---------------------------------------------------------------- more ways of asking


def test_a_hierarchy_that_is_a_table_and_may_list_null(tmp_path: Path) -> None:
    """Of two levels, NULL with a row of its own and NULL without one have the same row in the mapping table."""
    path = make(
        tmp_path / "w.duckdb",
        "CREATE TABLE t AS SELECT unnest(['a', 'a', NULL, NULL, 'b', NULL]) AS q, unnest([1, 1, 2, 2, 2, 1]) AS r",
        "CREATE TABLE without AS SELECT unnest(['a', 'b']) AS l0, '*' AS l1",
        "CREATE TABLE listed AS FROM without UNION ALL SELECT NULL, '*'",
    )
    for table, leaves in (("without", 2), ("listed", 3)):
        words = {"table": "t", "k": 2, "quasi_identifiers": {"q": {"hierarchy": f"table:{table}"}, "r": None}}
        with valuer_of(path, words) as (valuer, _):
            [facts] = valuer.facts([(1, 0)], [find_measure("gcp")])
            assert facts.losses["gcp"].most == (leaves - 1, 1)


def test_from_a_table_that_was_rolled_up(tmp_path: Path) -> None:
    case = of_data(Case(("q", "r"), ("VARCHAR", "VARCHAR"), ROWS, (TWO, TWO), (True, True), 3, 4, None))
    built = build(case, tmp_path)
    with valuer_of(built.path, built.words) as (valuer, counter):
        engine, question = counter.hubs._engine, counter.hubs._question
        engine.run(questions.roll_up(question, counter.table, "rolled", counter.layout.mask((1, 0))))
        vectors = [v for v in case.search().vectors() if v[0] >= 1]
        plain = valuer.facts(vectors, OWN)
        valuer._below = lambda asked: "rolled" if all(v[0] >= 1 for v in asked) else counter.table
        assert valuer.facts(vectors, OWN) == plain
        again = valuer.facts([*vectors, (0, 0), *vectors[:2]], OWN)
        assert again[: len(vectors)] == plain
        assert again[-2:] == plain[:2]
        assert valuer.facts([], OWN) == []


ROWS = [(a, b) for a in "aabcc" for b in "abbc"]


def test_what_is_asked_for_is_what_is_counted(tmp_path: Path) -> None:
    case = Case(("q", "r"), ("VARCHAR", "VARCHAR"), ROWS, (TWO, TWO), (True, True), 3, 4, None)
    built = build(case, tmp_path)
    with valuer_of(built.path, built.words) as (valuer, _):
        prec, gcp, entropy = map(find_measure, ("prec", "gcp", "non_uniform_entropy"))
        [facts] = valuer.facts([(1, 1)], [prec])
        assert facts.losses == {}
        with pytest.raises(ValueError, match="gcp"):
            gcp.value(facts)
        [facts] = valuer.facts([(1, 1)], [gcp])
        assert set(facts.losses) == {"gcp"}
        with pytest.raises(ValueError, match="entropy"):
            entropy.value(facts)
        prospect = valuer.prospect((1, 1), [gcp])
        with pytest.raises(ValueError, match="classes"):
            find_measure("c_avg").value(prospect)
        assert [sums[1] for sums in valuer.totals(NCP)] == list(prospect.losses["gcp"].everything)


# ---------------------------------------------------------------- Adult


def test_the_optima_of_adult(shared: Path, tmp_path: Path) -> None:
    """``loss`` is gcp, ``precision_loss`` 1 − prec: scores and suppressed rows at the vectors of the facts."""
    text = (shared / "facts" / "adult_optimal.tsv").read_text(encoding="utf-8").splitlines()
    names = text[0].partition("qi: ")[2].partition(";")[0].split("|")
    facts = list(csv.DictReader((line for line in text if not line.startswith("#")), delimiter="\t"))
    assert len(facts) == 16
    folder = shared / "data" / "adult"
    source = str(folder / "adult.csv").replace("'", "''")
    path = make(
        tmp_path / "adult.duckdb",
        f"CREATE TABLE adult AS FROM read_csv('{source}', delim = ';', header = true)",
    )
    hierarchies = {
        name: {"hierarchy": folder / f"adult_hierarchy_{name}.csv", "delimiter": ";", "header": False}
        for name in names
    }
    for k in {fact["k"] for fact in facts}:
        words = {"table": "adult", "k": int(k), "quasi_identifiers": hierarchies}
        of_k = [fact for fact in facts if fact["k"] == k]
        vectors = [tuple(json.loads(fact["a_best_vector"])) for fact in of_k]
        with valuer_of(path, words) as (valuer, _):
            for fact, found in zip(of_k, valuer.facts(vectors, OWN), strict=True):
                assert found.suppressed == int(fact["suppressed_rows"])
                gcp, prec = find_measure("gcp").value(found), find_measure("prec").value(found)
                score = gcp if fact["measure"] == "loss" else 1 - prec
                assert score == pytest.approx(float(fact["best_score"]), abs=1e-12)
