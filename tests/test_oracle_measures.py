"""The oracle's measures, policies and optima: by hand, on random tables, and against the facts about Adult."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from math import log2, sqrt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.oracle import (
    BISECTION_IS_WRONG,
    ByGrouping,
    ExhaustiveSearch,
    OracleHierarchy,
    arx,
    flat,
    read_hierarchy,
)
from tests.oracle.choice import POLICIES, WholeLattice, below, k_minimal, optimum, order, preferred
from tests.oracle.lost import UNPLACED, Lost, SuppressionPer, lost_by_qi
from tests.oracle.measures import (
    BETTER,
    Outcome,
    accuracy,
    average_class_size,
    c_avg,
    completeness,
    discernibility,
    discernibility_star,
    entropies,
    gcp,
    gcp_geometric,
    level_shares,
    measure,
    ncps,
    non_uniform_entropy,
    prec,
    weighted_mean,
)
from tests.oracle.model import Value, typed
from tests.oracle.model_strategies import ModelCase, model_cases
from tests.oracle.strategies import Case, cases

random_cases = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

# ---------------------------------------------------------------- by hand: race and ZIP

RACE = OracleHierarchy.from_paths([("asian", "person"), ("black", "person"), ("white", "person")])
ZIP = OracleHierarchy.from_paths(
    [
        (94138, "9413*", "941**"),
        (94139, "9413*", "941**"),
        (94141, "9414*", "941**"),
        (94142, "9414*", "941**"),
    ]
)
ROWS: list[tuple[Value, ...]] = [
    *[("asian", 94138)] * 2,
    ("asian", 94139),
    ("asian", 94141),
    ("black", 94138),
    ("black", 94139),
    *[("black", 94141)] * 2,
    ("white", 94138),
    ("white", 94142),
]
TEN = ByGrouping(ROWS, [RACE, ZIP], 2)

# At [0,1] and k = 2, by race: asian 9413* 3 and 9414* 1, black 2 and 2, white 1 and 1. Three rows leave:
# asian 94141, white 94138, white 94142. Classes of 3, 2 and 2 stay.
AT_01 = Outcome.at(TEN, (0, 1))


def close(value: float) -> object:
    return pytest.approx(value, rel=1e-12)


def test_the_outcome_by_hand() -> None:
    assert (AT_01.released_rows, AT_01.suppressed_rows) == (7, 3)
    assert AT_01.released_indexes == [0, 1, 2, 4, 5, 6, 7]
    gone = {
        (("str", "asian"), ("str", "9414*")),
        *((("str", "white"), ("str", z)) for z in ("9413*", "9414*")),
    }
    assert Outcome.of(TEN, (0, 1), gone) == AT_01


def test_measures_of_rows_and_levels_by_hand() -> None:
    assert accuracy(AT_01) == 1 - Fraction(1, 2) * (0 + Fraction(1, 2)) == Fraction(3, 4)
    assert completeness(AT_01) == Fraction(7, 10)
    # race: 7 rows at 0 and 3 at 1; ZIP: 7 rows at 1/2 and 3 at 1
    assert level_shares(AT_01) == [Fraction(3, 10), Fraction(13, 20)]
    assert prec(AT_01) == 1 - Fraction(19, 40)
    # ZIP: 9413* and 9414* have 2 leaves of 4 each, 1/3: (7/3 + 3)/10
    assert ncps(AT_01) == [Fraction(3, 10), Fraction(8, 15)]
    assert gcp(AT_01) == Fraction(5, 12)
    # (13/10 · 23/15)^(1/2) - 1
    assert gcp_geometric(AT_01) == close(sqrt(299 / 150) - 1)


def test_measures_of_classes_by_hand() -> None:
    assert discernibility_star(AT_01) == 3 * 3 + 2 * 2 + 2 * 2
    assert discernibility(AT_01) == 17 + 3 * 10
    assert average_class_size(AT_01) == Fraction(7, 3)
    assert c_avg(AT_01, 2) == Fraction(7, 6)


# Of 10 rows: asian 4, black 4, white 2; 94138 4, 94139 2, 94141 3, 94142 1; 9413* 6, 9414* 4.
RACE_BITS = log2(10 / 4) + 2 * log2(10 / 2)  # what stays is as it was
ZIP_BITS = (
    (2 * log2(6 / 4) + log2(6 / 2))  # asian 9413*
    + (log2(6 / 4) + log2(6 / 2))  # black 9413*
    + 2 * log2(4 / 3)  # black 9414*
    + (log2(10 / 3) + log2(10 / 4) + log2(10 / 1))  # suppressed
)


def test_non_uniform_entropy_by_hand() -> None:
    assert entropies(AT_01) == [close(RACE_BITS), close(ZIP_BITS)]
    assert non_uniform_entropy(AT_01) == close(RACE_BITS + ZIP_BITS)


def test_weights_by_hand() -> None:
    for weights in ([3, 1], [1.5, 0.5], [Fraction(3, 7), Fraction(1, 7)]):
        assert accuracy(AT_01, weights) == 1 - Fraction(1, 2) / 4
        assert prec(AT_01, weights) == 1 - (3 * Fraction(3, 10) + Fraction(13, 20)) / 4 == Fraction(49, 80)
        assert gcp(AT_01, weights) == (3 * Fraction(3, 10) + Fraction(8, 15)) / 4 == Fraction(43, 120)
        assert gcp_geometric(AT_01, weights) == close((1.3**3 * 23 / 15) ** 0.25 - 1)
        assert non_uniform_entropy(AT_01, weights) == close(2 * (3 * RACE_BITS + ZIP_BITS) / 4)
    assert gcp(AT_01, [0, 1]) == Fraction(8, 15)
    for wrong in ([1], [0, 0], [1, -1]):
        with pytest.raises(ValueError, match="one weight per QI"):
            gcp(AT_01, wrong)


def test_what_arx_does_otherwise_by_hand() -> None:
    # weights over their greatest: 1 and 1/3
    assert arx.arithmetic_mean(ncps(AT_01), [3, 1]) == close((3 / 10 + 8 / 45) / 2)
    assert arx.geometric_mean(ncps(AT_01), [3, 1]) == close(sqrt(1.3 * 53 / 45) - 1)
    assert arx.average_class_size(AT_01) == Fraction(10, 4)
    assert arx.discernibility_star(AT_01) == 3 * 3 + 1 + 2 * 2 + 2 * 2 + 1 + 1
    # every row at its generalized value; then 3 suppressed: 1 asian and 2 white, 1 9413* and 2 9414*
    again = log2(3) + 2 * log2(3 / 2)
    everyone = 4 * log2(6 / 4) + 2 * log2(6 / 2) + 3 * log2(4 / 3) + log2(4 / 1)
    assert arx.non_uniform_entropies(AT_01) == [close(again), close(everyone + again)]


def test_nothing_released() -> None:
    outcome = Outcome.at(ByGrouping(ROWS, [RACE, ZIP], 11), (1, 2))
    assert (average_class_size(outcome), c_avg(outcome, 11)) == (None, None)
    assert (completeness(outcome), prec(outcome), gcp(outcome)) == (0, 0, 1)
    assert (discernibility(outcome), discernibility_star(outcome)) == (100, 0)
    assert gcp_geometric(outcome) == close(1)


# ---------------------------------------------------------------- by hand: cells that are no ordinary ones


def one_qi(hierarchy: OracleHierarchy, values: list[Value], level: int, k: int = 1) -> Outcome:
    return Outcome.at(ByGrouping([(value,) for value in values], [hierarchy], k), (level,))


def test_leaves_are_counted_in_the_hierarchy_used_or_not() -> None:
    # 9413* has 94138 and 94139 below it, of 4, though all rows are 94138
    assert gcp(one_qi(ZIP, [94138, 94138], 1)) == Fraction(1, 3)


def test_one_leaf_loses_nothing_unless_suppressed() -> None:
    one = OracleHierarchy.from_paths([("a", "any", "*")])
    assert [gcp(one_qi(one, ["a", "a"], level)) for level in range(3)] == [0, 0, 0]
    assert [gcp(one_qi(one, ["a", "a"], level, k=3)) for level in range(3)] == [1, 1, 1]
    assert prec(one_qi(one, ["a", "a"], 1)) == Fraction(1, 2)
    none = OracleHierarchy({"a": ("a",)}, 0, "a")
    assert (gcp(one_qi(none, ["a"], 0)), prec(one_qi(none, ["a"], 0)), accuracy(one_qi(none, ["a"], 0))) == (
        0,
        1,
        1,
    )
    assert (gcp(one_qi(none, ["a"], 0, k=2)), prec(one_qi(none, ["a"], 0, k=2))) == (1, 0)


def test_null_without_its_own_row_is_lost_at_the_top() -> None:
    assert [ncps(one_qi(ZIP, [None, None], level)) for level in range(3)] == [[0], [0], [1]]
    one = flat(["a"])
    assert [ncps(one_qi(one, ["a", None], level)) for level in range(2)] == [[0], [Fraction(1, 2)]]
    assert ncps(one_qi(OracleHierarchy({"a": ("a",)}, 0, "a"), [None], 0)) == [1]
    # 2 of 4 rows NULL, 2 alike: one bit each at the top, none below
    assert [entropies(one_qi(flat(["a", "b"]), ["a", "a", None, None], level)) for level in (0, 1)] == [
        [0],
        [4],
    ]


def test_null_with_its_own_row_is_a_leaf() -> None:
    h = OracleHierarchy.from_paths([("a", "letter", "*"), ("b", "letter", "*"), (None, "none", "*")])
    assert [ncps(one_qi(h, ["a", None], level)) for level in range(3)] == [[0], [Fraction(1, 4)], [1]]


def test_unmapped_values() -> None:
    paths = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c-", "*")]
    # "x" leaves: 1/3 of the rows count 1; a is one of 3 leaves, ab two of them
    leaves = OracleHierarchy.from_paths(paths, "suppress")
    found = [one_qi(leaves, ["a", "a", "x"], level) for level in range(3)]
    assert [ncps(outcome) for outcome in found] == [[Fraction(1, 3)], [Fraction(2, 3)], [1]]
    assert [level_shares(outcome) for outcome in found] == [[Fraction(1, 3)], [Fraction(2, 3)], [1]]
    x = log2(3)
    assert [entropies(outcome) for outcome in found] == [[close(x)], [close(x)], [close(x + 2 * log2(3 / 2))]]
    assert lost_by_qi(found[1], 0) == {("str", "ab"): Lost(0, 2), UNPLACED: Lost(1, 1)}
    # or it is at the top already; the levels are still the vector's
    tops = OracleHierarchy.from_paths(paths, "top")
    found = [one_qi(tops, ["a", "a", "x"], level) for level in range(3)]
    assert [ncps(outcome) for outcome in found] == [[Fraction(1, 3)], [Fraction(2, 3)], [1]]
    assert [level_shares(outcome) for outcome in found] == [[0], [Fraction(1, 2)], [1]]
    assert [entropies(outcome) for outcome in found] == [[0], [0], [close(x + 2 * log2(3 / 2))]]


# ---------------------------------------------------------------- by hand: where the suppressed rows came from


def test_shares_lost_by_hand() -> None:
    assert lost_by_qi(AT_01, 0) == {
        ("str", "asian"): Lost(1, 4),
        ("str", "black"): Lost(0, 4),
        ("str", "white"): Lost(2, 2),
    }
    assert lost_by_qi(AT_01, 1) == {("str", "9413*"): Lost(1, 6), ("str", "9414*"): Lost(2, 4)}
    assert lost_by_qi(AT_01, 1)["str", "9414*"].share == Fraction(1, 2)


def test_a_share_of_each_value_at_most() -> None:
    at_10 = Outcome.at(TEN, (1, 0))  # only white 94142 leaves: half of white
    race = [row[0] for row in ROWS]
    assert [SuppressionPer(race, Fraction(share, 100)).holds(at_10) for share in (49, 50, 51)] == [
        False,
        True,
        True,
    ]
    assert not SuppressionPer(race, Fraction(99, 100)).holds(AT_01)
    assert SuppressionPer(race, Fraction(0)).holds(Outcome.at(TEN, (1, 1)))
    # a column that is no QI; NULL is a value of it and 1 is not True: the row that leaves is the last
    for column, holds in [
        ([*["x"] * 9, None], False),
        ([*["x"] * 8, None, None], True),
        ([*[True] * 9, 1], False),
        (["x"] * 10, True),
    ]:
        assert SuppressionPer(column, Fraction(1, 2)).holds(at_10) is holds
    with pytest.raises(ValueError, match="parallel"):
        SuppressionPer(race[1:], Fraction(1)).holds(at_10)


# ---------------------------------------------------------------- by hand: whole lattices

# k = 2         [0,0] [1,0] [0,1] [1,1] [0,2] [1,2]
# suppressed      6     1     3     0     0     0
# classes       2,2  4,2,3 3,2,2  6,4  4,4,2   10
# Σ d/h           0     1    1/2  3/2    1     2


def lattice(max_sup: int, **more) -> WholeLattice:
    return WholeLattice(TEN, max_sup, **more)


@pytest.mark.parametrize(
    ("max_sup", "policies", "answer"),
    [
        (3, [], (0, 1)),
        (3, ["absolute_distance"], (0, 1)),
        (3, ["relative_distance"], (0, 1)),
        (3, ["distribution"], (0, 1)),  # three classes each
        (3, ["suppression"], (1, 0)),
        (3, ["distribution", "suppression"], (1, 0)),
        (3, ["relative_distance", "suppression"], (0, 1)),
        # [1,0] and [0,2] are k-minimal, and equally far
        (1, [], (1, 0)),
        (1, ["relative_distance"], (1, 0)),
        (1, ["relative_distance", "suppression"], (0, 2)),
        (1, ["suppression"], (0, 2)),
        # [1,1] and [0,2]
        (0, [], (0, 2)),
        (0, ["distribution"], (0, 2)),
        (0, ["suppression", "absolute_distance"], (0, 2)),
    ],
)
def test_policies_over_all_k_minimal_vectors(max_sup, policies, answer) -> None:
    assert lattice(max_sup).preferred_of_all(policies) == answer


@pytest.mark.parametrize(
    ("max_sup", "policies", "answer"),
    [
        (3, [], (0, 1)),
        (3, ["suppression"], (1, 0)),
        (1, ["suppression"], (1, 0)),
        (0, ["distribution"], (0, 2)),
    ],
)
def test_policies_at_the_least_height(max_sup, policies, answer) -> None:
    assert lattice(max_sup).minimal(policies) == answer


@pytest.mark.parametrize(
    ("max_sup", "objective", "value", "vectors"),
    [
        # race and ZIP: [1,0] 1 and 1/10; [1,1] 1 and 1/3; [0,2] 0 and 1
        (3, "gcp", Fraction(5, 12), [(0, 1)]),
        (2, "gcp", Fraction(1, 2), [(0, 2)]),
        (1, "prec", Fraction(1, 2), [(0, 2)]),
        (1, "accuracy", Fraction(1, 2), [(1, 0), (0, 2)]),
        (3, "completeness", Fraction(1), [(0, 2), (1, 1), (1, 2)]),
        (3, "discernibility", Fraction(36), [(0, 2)]),
        (3, "discernibility_star", Fraction(17), [(0, 1)]),
        (6, "discernibility_star", Fraction(8), [(0, 0)]),
        (3, "average_class_size", Fraction(7, 3), [(0, 1)]),
        (1, "c_avg", Fraction(3, 2), [(1, 0)]),
    ],
)
def test_the_best_value_and_all_that_have_it(max_sup, objective, value, vectors) -> None:
    best = lattice(max_sup).optimal(objective)
    assert best is not None
    assert (best.value, list(best.vectors), best.vector) == (value, vectors, vectors[0])


def test_weights_enter_the_objective() -> None:
    best = lattice(1, weights=[1, 3]).optimal("gcp")  # (1 + 3/10)/4 against 3/4
    assert best is not None
    assert (best.value, best.vector) == (Fraction(13, 40), (1, 0))


def test_floats_tie_within_the_tolerance() -> None:
    values = {(0, 1): 0.1 + 0.2, (1, 0): 0.3, (1, 1): 0.3001, (0, 0): None}
    best = optimum(values, values.get, "low", (1, 1))
    assert best is not None
    assert best.vectors == ((0, 1), (1, 0))
    assert optimum([(0, 0)], values.get, "low", (1, 1)) is None


def test_a_restricted_lattice_has_its_own_minimal_vectors() -> None:
    assert lattice(0, low=(1, 0), high=(1, 1)).k_minimal() == {(1, 1)}
    assert lattice(0, low=(1, 0), high=(1, 1)).minimal() == (1, 1)
    assert lattice(0, low=(1, 2)).k_minimal() == {(1, 2)}
    assert lattice(0, high=(1, 0)).k_minimal() == set()
    assert lattice(0, high=(1, 0)).preferred_of_all() is None
    assert lattice(0, high=(1, 0)).optimal("gcp") is None


def test_no_value_may_lose_more_than_its_share() -> None:
    race = [row[0] for row in ROWS]
    # [0,1] loses all of white, [1,0] half of it
    assert lattice(3).k_minimal() == {(0, 1), (1, 0)}
    assert lattice(3, per=[SuppressionPer(race, Fraction(1, 2))]).k_minimal() == {(1, 0), (0, 2)}
    assert lattice(3, per=[SuppressionPer(race, Fraction(1, 4))]).k_minimal() == {(1, 1), (0, 2)}


def test_minimal_is_against_every_smaller_vector() -> None:
    """Of entropy 2: [0] satisfies, [1] does not, [2] does; its one direct predecessor says nothing."""
    small = BISECTION_IS_WRONG[0]
    search = WholeLattice(small.oracle(), small.max_sup)
    assert search.satisfying() == [(0,), (2,)]
    assert search.k_minimal() == {(0,)}
    assert k_minimal([(0, 2), (1, 1), (1, 2), (2, 0), (2, 1)]) == {(0, 2), (1, 1), (2, 0)}
    assert k_minimal([(0, 0), (3, 3), (0, 5)]) == {(0, 0)}


# ---------------------------------------------------------------- random cases


@random_cases
@given(model_cases(max_columns=2, max_rows=12))
def test_what_holds_at_every_vector(drawn: ModelCase) -> None:
    """Ranges, sums, and gcp once more, cell by cell."""
    oracle = drawn.oracle()
    rows, hierarchies = drawn.case.rows, drawn.case.hierarchies
    for vector in ExhaustiveSearch(oracle.outliers, oracle.heights).vectors():
        outcome = Outcome.at(oracle, vector)
        assert outcome.suppressed_rows == oracle.outliers(vector)
        assert all(0 <= measure(word, outcome) <= 1 for word in ("accuracy", "completeness", "prec", "gcp"))
        assert -1e-12 <= gcp_geometric(outcome) <= float(gcp(outcome)) + 1e-12
        assert non_uniform_entropy(outcome) >= 0
        assert discernibility(outcome) <= len(rows) ** 2
        lost = Fraction(0)
        for index, row in enumerate(rows):
            for h, value, level in zip(hierarchies, row, vector, strict=True):
                lost += _cell(h, value, level) if index in outcome.released_indexes else 1
        assert gcp(outcome) == lost / len(rows) / len(hierarchies)
        for qi in range(len(vector)):
            found = lost_by_qi(outcome, qi).values()
            assert sum(entry.suppressed for entry in found) == outcome.suppressed_rows
            assert sum(entry.rows for entry in found) == len(rows)
        equal = [Fraction(2, 7)] * len(vector)
        for word in BETTER:
            weighed, plain = measure(word, outcome, equal), measure(word, outcome)
            assert (weighed, plain) == (None, None) or weighed == pytest.approx(plain, rel=1e-12)


def _cell(h: OracleHierarchy, value: Value, level: int) -> Fraction:
    """NCP by the set of ground values that the released cell may stand for."""
    if value is None and not h.mapped(value):
        return Fraction(level == h.height)
    if not h.mapped(value):
        return Fraction(len(h.paths) > 1)
    may_be = {typed(g) for g in h.paths if typed(h.generalize(g, level)) == typed(h.generalize(value, level))}
    return Fraction(len(may_be) - 1, max(1, len(h.paths) - 1))


@random_cases
@given(cases(max_columns=3, max_rows=20, policies=("error",)))
def test_what_rises_with_the_vector(case: Case) -> None:
    """Without suppression each of these only grows; and under k alone no value loses more further up."""
    everything = ByGrouping(case.rows, case.hierarchies, 1)
    under_k = case.by_grouping()
    search = case.search()
    for low, high in search.edges():
        before, after = Outcome.at(everything, low), Outcome.at(everything, high)
        assert all(a <= b for a, b in zip(ncps(before), ncps(after), strict=True))
        assert all(a <= b + 1e-9 for a, b in zip(entropies(before), entropies(after), strict=True))
        assert discernibility(before) <= discernibility(after)
        assert prec(before) >= prec(after)
        for qi in range(len(low)):
            per = SuppressionPer(case.column_values(qi), Fraction(1))
            then, now = (per.lost(Outcome.at(under_k, vector)) for vector in (low, high))
            assert all(now[value].suppressed <= then[value].suppressed for value in then)


@random_cases
@given(model_cases(max_columns=3, max_rows=16))
def test_the_answers_hang_together(drawn: ModelCase) -> None:
    search, known = WholeLattice(drawn.oracle(), drawn.case.max_sup), drawn.search()
    minimal = search.k_minimal()
    assert minimal == known.k_minimal(drawn.case.max_sup)
    assert search.minimal() == search.preferred_of_all() == known.vector_of_5_11(drawn.case.max_sup)
    satisfying = set(search.satisfying())
    assert all(v in minimal or any(below(m, v) for m in minimal) for v in satisfying)
    for word in BETTER:
        best = search.optimal(word)
        assert (best is None) == (not satisfying)
        if best is not None:
            assert set(best.vectors) <= satisfying
            assert best.vector == min(best.vectors, key=lambda v: order(v, search.heights))
    for policy, number in POLICIES.items():
        answer = search.preferred_of_all([policy])
        if answer is not None:
            least = min(number(search.outcome(vector)) for vector in minimal)
            assert number(search.outcome(answer)) == least
            assert answer == preferred(
                [v for v in minimal if number(search.outcome(v)) == least], [], search.heights, search.outcome
            )


# ---------------------------------------------------------------- Adult: facts computed apart

QIS = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "salary-class",
)  # fmt: skip


@cache
def adult(shared: Path, qis: tuple[str, ...]) -> ByGrouping:
    folder = shared / "data" / "adult"
    with (folder / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row[qi] for qi in qis) for row in csv.DictReader(file, delimiter=";")]
    return ByGrouping(rows, [read_hierarchy(folder / f"adult_hierarchy_{qi}.csv") for qi in qis], 1)


@cache
def adult_at(shared: Path, qis: tuple[str, ...], k: int, vector: tuple[int, ...]) -> Outcome:
    """The outcome under any k, of one grouping: its columns are made once."""
    grouping = adult(shared, qis)
    released, gone = {}, {}
    for key, members in grouping.classes(vector).items():
        (released if len(members) >= k else gone)[key] = members
    return Outcome(grouping.rows, grouping.hierarchies, vector, released, gone)


def test_the_optima_of_adult(shared: Path) -> None:
    """``loss`` is gcp and ``precision_loss`` 1 − prec, unweighted; scores and suppressed rows as they are listed."""
    text = (shared / "facts" / "adult_optimal.tsv").read_text(encoding="utf-8")
    facts = list(csv.DictReader((x for x in text.splitlines() if not x.startswith("#")), delimiter="\t"))
    assert len(facts) == 16
    for fact in facts:
        vector = tuple(int(level) for level in fact["a_best_vector"].strip("[]").split(","))
        outcome = adult_at(shared, QIS, int(fact["k"]), vector)
        assert outcome.suppressed_rows == int(fact["suppressed_rows"])
        score = gcp(outcome) if fact["measure"] == "loss" else 1 - prec(outcome)
        assert float(score) == pytest.approx(float(fact["best_score"]), abs=1e-12), fact


# What ARX's own tests expect on the same files: src/test/org/deidentifier/arx/test @ aacd487f (Apache-2.0),
# k = 5. The first are of TestAnonymizationGenetic, all nine QIs, loss with the default geometric mean; the
# others of TestUtilityMetrics and TestUtilityMetricsLoss, without occupation.

EIGHT = tuple(qi for qi in QIS if qi != "occupation")


@pytest.mark.parametrize(
    ("vector", "loss"),
    [((0, 3, 0, 0, 2, 1, 1, 1, 0), 0.22041192847984292), ((0, 3, 0, 1, 1, 1, 1, 2, 0), 0.26611081915757495)],
)
def test_loss_of_arx_by_default_is_the_geometric_mean(shared: Path, vector, loss) -> None:
    outcome = adult_at(shared, QIS, 5, vector)
    assert gcp_geometric(outcome) == pytest.approx(loss, abs=1e-9)  # ARX cuts each QI's at ten decimals
    assert arx.geometric_mean(ncps(outcome)) == pytest.approx(loss, abs=1e-9)


def test_other_measures_of_arx(shared: Path) -> None:
    def at(*vector: int) -> Outcome:
        return adult_at(shared, EIGHT, 5, vector)

    nothing, some = at(0, 0, 0, 0, 0, 0, 0, 0), at(0, 3, 1, 0, 0, 0, 0, 1)
    assert float(arx.average_class_size(nothing)) == pytest.approx(29.113899613899616)
    assert arx.discernibility_star(nothing) == 485542 > discernibility_star(nothing)
    assert discernibility(nothing) == 463536157
    assert float(1 - prec(nothing)) == pytest.approx(0.5090179696306611)
    assert sum(arx.non_uniform_entropies(nothing)) == pytest.approx(268778.22471939825)
    assert sum(arx.non_uniform_entropies(some)) == pytest.approx(225818.85565423348)
    assert non_uniform_entropy(some) > sum(arx.non_uniform_entropies(some))
    assert discernibility(at(1, 2, 0, 0, 1, 1, 0, 1)) == 81138574
    assert float(1 - prec(at(0, 4, 0, 1, 1, 1, 0, 0))) == pytest.approx(0.31510399398802025)
    # each QI's loss, greatest first; with weights too (1 to 9 in the order of the file, occupation's 8 unused)
    each = [1.0, 1.0, 0.4441902614, 0.2991180956, 0.287697268, 0.2057865305, 0.1079684853, 0.0187653338]
    assert sorted(map(float, ncps(at(0, 2, 1, 1, 1, 1, 1, 1))))[::-1] == pytest.approx(each, abs=1e-9)
    losses, weights = ncps(at(1, 3, 0, 0, 0, 0, 0, 0)), arx.normalized([1, 2, 3, 4, 5, 6, 7, 9], 8)
    each = [0.1485312645, 0.11552431683333335, 0.1111111111111111, 0.099020843, 0.08251736916666667]
    each += [0.06932099024444444, 0.06601389533333334, 0.0495104215]
    weighed = sorted((float(w * x) for w, x in zip(weights, losses, strict=True)), reverse=True)
    assert weighed == pytest.approx(each, abs=1e-9)
    assert arx.arithmetic_mean(losses, weights) == pytest.approx(sum(weighed) / 8)
    assert float(weighted_mean(losses, weights) * sum(weights)) == pytest.approx(sum(weighed))


def test_policies_among_the_lowest_vectors_of_adult(shared: Path) -> None:
    """k = 5, 301 rows: the facts list rows suppressed and classes of the six lowest; all are at height 10."""
    text = (shared / "facts" / "adult_9qi.tsv").read_text(encoding="utf-8")
    fact = next(line for line in text.splitlines() if line.startswith("5\t301\t")).split("\t")
    listed = {
        tuple(map(int, v.split(","))): (int(s), int(n)) for v, s, n in (x.split(":") for x in fact[5].split())
    }
    outcomes = {vector: adult_at(shared, QIS, 5, vector) for vector in listed}
    assert {v: (o.suppressed_rows, len(o.released)) for v, o in outcomes.items()} == listed

    def prefers(*policies: str) -> str:
        vector = preferred(listed, policies, adult(shared, QIS).heights, outcomes.__getitem__)
        return ",".join(map(str, vector or ()))

    assert prefers() == prefers("absolute_distance") == prefers("relative_distance") == fact[6]
    assert prefers("distribution") == "0,1,1,1,1,2,1,2,1"  # 341 classes
    assert prefers("suppression") == "0,1,1,2,1,2,1,2,0"  # 235 rows
