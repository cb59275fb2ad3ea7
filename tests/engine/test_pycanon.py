"""What a table reaches, against pyCANON (PyPI): the same where pyCANON is right; where it is wrong, both figures.

Its releases pin the very versions of what they need (typer 0.23.2 among them), which rules them out beside
kanon-sql; what is used here needs numpy and pandas alone: ``pip install --no-deps pycanon==1.3.6``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kanon_sql
from tests.oracle.model import Value
from tests.oracle.privacy import (
    Alpha,
    BasicBeta,
    Counts,
    Delta,
    Distinct,
    EnhancedBeta,
    Entropy,
    Model,
    Recursive,
    TEqual,
    TNumeric,
    TOrdered,
    counted,
)
from tests.sources.support import sql

pandas = pytest.importorskip("pandas")
pycanon = pytest.importorskip("pycanon.anonymity")

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")  # of pandas, about pyCANON

Row = tuple[Value, ...]
ROUNDING = 1e-9
STEP = 1e-6


@dataclass(frozen=True)
class Table:
    """A table: quasi-identifiers, and one sensitive column at its end."""

    columns: tuple[str, ...]
    rows: Sequence[Row]

    @property
    def qis(self) -> list[str]:
        return list(self.columns[:-1])

    @property
    def sensitive(self) -> str:
        return self.columns[-1]

    @property
    def frame(self) -> Any:
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    def check(self, *models: dict[str, Any], k: int = 1) -> kanon_sql.CheckResult:
        """The package's answer."""
        return kanon_sql.check(
            table=self.frame, k=k, quasi_identifiers=self.qis, sensitive={self.sensitive: list(models)}
        )

    def reached(self) -> dict[str, Any]:
        """What the package says that the sensitive column reaches."""
        return dict(self.check().reached[self.sensitive])

    def pycanon(self, name: str) -> Any:
        """What pyCANON says."""
        return getattr(pycanon, name)(self.frame, self.qis, [self.sensitive])

    @property
    def source(self) -> Counts:
        """The counts of the sensitive column, by the oracle."""
        return counted([row[-1] for row in self.rows])

    @property
    def classes(self) -> list[Counts]:
        """Those of each class."""
        found = defaultdict(list)
        for row in self.rows:
            found[row[:-1]].append(row[-1])
        return [counted(values) for values in found.values()]

    def holds(self, model: Model) -> bool:
        """Whether every class satisfies a model of the oracle."""
        return all(model.satisfied(each, self.source) for each in self.classes)


def generated(seed: int, *, numbers: bool = False) -> Table:
    """A table of two quasi-identifiers whose classes are unlike each other."""
    draw = Random(seed)
    values: Sequence[Value] = (1, 2, 4, 8, 30) if numbers else ("flu", "cold", "ulcer", "gout", "mumps")
    rows: list[Row] = []
    for age in range(3):
        for sex in "fm":
            weights = [draw.randint(1, 9) for _ in values]
            size = draw.randint(20, 60)
            rows += [(age, sex, value) for value in draw.choices(values, weights, k=size)]
    draw.shuffle(rows)
    return Table(("age", "sex", "pay" if numbers else "diagnosis"), rows)


@pytest.fixture(params=[("texts", 1), ("texts", 2), ("numbers", 3), ("numbers", 4)], ids=str)
def table(request: pytest.FixtureRequest) -> Table:
    kind, seed = request.param
    return generated(seed, numbers=kind == "numbers")


def adult(shared: Path, column: str) -> Table:
    """The Adult table with few classes, since pyCANON filters all of it once per value and class."""
    source = str(shared / "data" / "adult" / "adult.csv").replace("'", "''")
    names = ("sex", "race", column)
    columns = ", ".join(f'"{name}"' for name in names)
    rows = sql(f"SELECT {columns} FROM read_csv('{source}', delim = ';', header = true)")
    return Table(names, rows)


# ---------------------------------------------------------------- where it is right


RIGHT = {
    "distinct_l": ("l_diversity", None),
    "alpha": ("alpha_k_anonymity", 0),
    "basic_beta": ("basic_beta_likeness", None),
    "delta": ("delta_disclosure", None),
}


def agree(table: Table) -> None:
    """All that pyCANON is right about."""
    checked = table.check()
    reached = checked.reached[table.sensitive]
    assert checked.k_reached == pycanon.k_anonymity(table.frame, table.qis)
    assert checked.k_reached == table.pycanon("alpha_k_anonymity")[1]
    for figure, (name, part) in RIGHT.items():
        theirs = table.pycanon(name)
        theirs = theirs if part is None else theirs[part]
        assert reached[figure] == pytest.approx(float(theirs), rel=ROUNDING), figure
    distance = table.pycanon("t_closeness")
    numbers = isinstance(table.rows[0][-1], int)
    # Which distance it is depends on the column's type alone: ranks for numbers, equal for texts.
    assert reached["t_ordered" if numbers else "t_equal"] == pytest.approx(distance, rel=ROUNDING)
    assert ("t_ordered" in reached) == ("t_numeric" in reached) == numbers


def test_the_same_on_tables_made_up(table: Table) -> None:
    agree(table)


@pytest.mark.parametrize("column", ["occupation", "age"])
def test_the_same_on_adult(shared: Path, column: str) -> None:
    agree(adult(shared, column))


# Of each model: what pyCANON says is reached, the words with a bound, and on which side of it a class passes.
BOUNDS: dict[str, tuple[Callable[[Table], float], Callable[[float], dict[str, Any]], int]] = {
    "alpha": (lambda t: t.pycanon("alpha_k_anonymity")[0], lambda b: {"alpha_k": b}, 1),
    "basic beta": (lambda t: t.pycanon("basic_beta_likeness"), lambda b: {"basic_beta_likeness": b}, 1),
    "delta": (lambda t: t.pycanon("delta_disclosure"), lambda b: {"delta_disclosure": b}, 1),
    "t equal": (
        lambda t: t.pycanon("t_closeness"),
        lambda b: {"t_closeness": {"t": b, "distance": "equal"}},
        1,
    ),
}


@pytest.mark.parametrize("seed", [1, 2, 7])
@pytest.mark.parametrize("model", BOUNDS)
def test_a_model_passes_at_what_it_says_and_not_beyond(model: str, seed: int) -> None:
    table = generated(seed)
    theirs, words, side = BOUNDS[model]
    bound = float(theirs(table))
    assert table.check(words(bound + side * STEP)).satisfied
    assert not table.check(words(bound - side * STEP)).satisfied
    # The bound itself passes; that of delta is strict.
    assert table.check(words(bound)).satisfied == (model != "delta")


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_whole_bounds_pass_at_what_it_says_and_not_beyond(seed: int) -> None:
    table = generated(seed)
    l, k = table.pycanon("l_diversity"), pycanon.k_anonymity(table.frame, table.qis)  # noqa: E741
    assert table.check({"distinct_l_diversity": l}, k=k).satisfied
    assert not table.check({"distinct_l_diversity": l + 1}).satisfied
    assert not table.check(k=k + 1).satisfied


# ---------------------------------------------------------------- against the oracle, whatever pyCANON says


def test_all_that_is_reached_is_what_the_oracle_says(table: Table) -> None:
    """Each figure is the bound: the oracle's model passes there, and does not on the other side of a step."""
    reached = table.reached()
    at_least: dict[str, Callable[[Fraction], Model]] = {
        "distinct_l": lambda b: Distinct(math.ceil(b)),
        "entropy_l": Entropy,
    }
    at_most: dict[str, Callable[[Fraction], Model]] = {
        "recursive_c_for_l_2": lambda b: Recursive(b, 2),
        "recursive_c_for_l_3": lambda b: Recursive(b, 3),
        "t_equal": TEqual,
        "t_ordered": TOrdered,
        "t_numeric": TNumeric,
        "alpha": Alpha,
        "basic_beta": BasicBeta,
        "enhanced_beta": EnhancedBeta,
        "delta": Delta,
    }
    for figure, found in reached.items():
        if found is None:
            # Only of enhanced beta: a value above its own bound, -ln q, whatever beta is.
            assert figure == "enhanced_beta"
            assert not table.holds(EnhancedBeta(Fraction(10**6)))
            continue
        bound, step = Fraction(found), Fraction(STEP)
        if figure in at_least:
            assert table.holds(at_least[figure](bound - step)), figure
            assert not table.holds(at_least[figure](bound + step)), figure
        else:
            assert table.holds(at_most[figure](bound + step)), figure
            assert not table.holds(at_most[figure](bound - step)), figure
    assert reached.keys() - {"t_ordered", "t_numeric"} == at_least.keys() | (
        at_most.keys() - {"t_ordered", "t_numeric"}
    )


# ---------------------------------------------------------------- where pyCANON is wrong


def test_entropy_l_is_truncated_after_rounding_below(table: Table) -> None:
    """l may be fractional; pyCANON drops the fraction."""
    found = table.reached()["entropy_l"]
    theirs = table.pycanon("entropy_l_diversity")
    assert theirs == math.floor(found) < found
    assert table.holds(Entropy(Fraction(found)))


UNIFORM = {3: 2, 4: 3, 9: 9, 10: 9, 14: 13}


@pytest.mark.parametrize("l", UNIFORM)
def test_entropy_l_of_a_uniform_class(l: int) -> None:  # noqa: E741
    """e ** (ln 3) is a little below 3, and pyCANON says 2: a class that is 3-diverse is not."""
    table = Table(("q", "s"), [(1, f"v{i}") for i in range(l)])
    assert table.holds(Entropy(Fraction(l)))
    assert table.reached()["entropy_l"] == pytest.approx(l, rel=ROUNDING)
    assert table.check({"entropy_l_diversity": l}).satisfied
    assert not table.check({"entropy_l_diversity": l + STEP}).satisfied
    assert table.pycanon("entropy_l_diversity") == UNIFORM[l] <= l


def test_recursive_c_is_taken_of_ascending_counts() -> None:
    """Counts 6, 3, 1 with l = 3: c must be above 6/1. pyCANON divides the smallest by the largest: c = 1."""
    table = Table(("q", "s"), [(1, value) for value in "aaaaaabbbc"])
    assert table.pycanon("recursive_c_l_diversity") == (1, 3)
    assert table.reached()["recursive_c_for_l_3"] == 6
    for c, passes in ((1, False), (6, False), (6.001, True)):
        assert table.holds(Recursive(Fraction(str(c)), 3)) == passes
        assert table.check({"recursive_cl_diversity": {"c": c, "l": 3}}).satisfied == passes
    assert table.reached()["recursive_c_for_l_2"] == 6 / 4


def test_enhanced_beta_is_not_bounded_value_by_value() -> None:
    """All of class 1 is 'a', which 3 of 4 rows hold: (p - q)/q = 1/3 is above -ln(3/4) = 0.29, so that no beta
    holds. pyCANON takes the bound of the rarest value instead."""
    table = Table(("q", "s"), [(1, value) for value in "aaaaaa"] + [(2, value) for value in "ababab"])
    theirs = table.pycanon("enhanced_beta_likeness")
    assert theirs == pytest.approx(1)
    assert theirs == table.pycanon("basic_beta_likeness")
    # b rises from 1/4 to 1/2, by 1, and may: -ln(1/4) is 1.39.
    assert not table.holds(EnhancedBeta(Fraction(1000)))
    assert table.reached()["enhanced_beta"] is None
    assert not table.check({"enhanced_beta_likeness": 1000}).satisfied
    assert table.check({"basic_beta_likeness": 1}).satisfied


def test_the_distance_of_t_closeness_depends_on_the_type_of_the_column() -> None:
    """Codes of diagnoses are no ranks. pyCANON says 1/3 of the numbers and 1/2 of the same codes as texts; here each
    distance has its own figure, and who asks says which."""
    codes = [(1, 10), (1, 11), (2, 12), (2, 13)]
    numbers = Table(("q", "s"), codes)
    texts = Table(("q", "s"), [(q, str(code)) for q, code in codes])
    assert numbers.pycanon("t_closeness") == pytest.approx(1 / 3)
    assert texts.pycanon("t_closeness") == pytest.approx(1 / 2)
    assert numbers.reached()["t_equal"] == texts.reached()["t_equal"] == pytest.approx(1 / 2)
    assert numbers.reached()["t_ordered"] == pytest.approx(1 / 3)
    assert numbers.holds(TEqual(Fraction(1, 2)))
    assert numbers.holds(TOrdered(Fraction(1, 3)))
    assert not numbers.check({"t_closeness": {"t": 0.4, "distance": "equal"}}).satisfied
    assert numbers.check({"t_closeness": {"t": 0.4, "distance": "ordered"}}).satisfied
    assert texts.check({"t_closeness": {"t": 0.4, "distance": "ordered"}}).satisfied


def test_numbers_far_apart_are_ranks_to_it() -> None:
    """It has no distance of numbers: 1, 2 and 100 are as far apart as 1, 2 and 3."""
    table = Table(("q", "s"), [(1, 1), (1, 1), (2, 100), (2, 2)])
    assert table.pycanon("t_closeness") == pytest.approx(table.reached()["t_ordered"])
    distances = [TNumeric(Fraction(0)).distance(each, table.source) for each in table.classes]
    assert table.reached()["t_numeric"] == pytest.approx(float(max(distances)))
    assert table.reached()["t_numeric"] != pytest.approx(table.pycanon("t_closeness"), rel=1e-3)


def test_a_single_value_has_no_distance() -> None:
    """pyCANON divides by m - 1."""
    table = Table(("q", "s"), [(i % 2, 7) for i in range(6)])
    with pytest.raises(ZeroDivisionError):
        table.pycanon("t_closeness")
    reached = table.reached()
    assert (reached["t_equal"], reached["t_ordered"], reached["t_numeric"]) == (0, 0, 0)


def test_a_null_in_the_only_quasi_identifier() -> None:
    """pyCANON drops the row, and says 3: it stands alone."""
    rows: list[Row] = [("a", s) for s in "xyz"] + [("b", s) for s in "xyzz"] + [(None, "x")]
    table = Table(("q", "s"), rows)
    assert pycanon.k_anonymity(table.frame, ["q"]) == 3
    assert table.pycanon("l_diversity") == 3
    checked = table.check()
    assert checked.k_reached == 1
    assert checked.reached["s"]["distinct_l"] == 1
    assert not table.holds(Distinct(2))
