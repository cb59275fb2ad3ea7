"""Measures by hand, what their words are, and a measure of another package."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from fractions import Fraction
from math import inf, log2
from pathlib import Path

import pytest

from kanon_sql.errors import SpecError
from kanon_sql.lattice import Lattice
from kanon_sql.measures import (
    OWN,
    Facts,
    Losses,
    find_measure,
    measure_all,
    measures,
    registry,
    whole_weights,
)
from tests.engine.support import lines, make
from tests.engine.test_measures import valuer_of

UNIT = 1 << 44
# Ten rows, one of them unmapped; at (1, 0) five are released, in classes of 2 and 3.
FACTS = Facts(
    Lattice((2, 0)),
    (1, 0),
    rows=10,
    released=5,
    k=2,
    max_suppressed=6,
    unmapped=1,
    classes=2,
    squares=13,
    all_classes=5,
    all_squares=19,
    losses={
        "gcp": Losses((4, 0), (11, 1), (4, 1), (0, 0)),
        "non_uniform_entropy": Losses((5 * UNIT, 0), (9 * UNIT, 2 * UNIT), (3 * UNIT, UNIT), (7 * UNIT, 0)),
    },
)
EXPECTED = {
    "accuracy": (1 - 1 / 4, 1 - 1 / 4),
    "completeness": (5 / 10, 9 / 10),
    # 5 rows at 1/2 and 5 at 1; 5 at 0 and 5 at 1
    "prec": (1 - (75 / 100 + 5 / 10) / 2, 1 - (55 / 100 + 1 / 10) / 2),
    "gcp": ((24 / 40 + 5 / 10) / 2, (11 / 40 + 1 / 10) / 2),
    "gcp_geometric": ((1.6 * 1.5) ** 0.5 - 1, (1.275 * 1.1) ** 0.5 - 1),
    "discernibility": (13 + 50, 19 + 10),
    "discernibility_star": (13, 8),  # 19 − 5², or 2 · (10 − 6)
    "average_class_size": (5 / 2, 2),  # (10 − 6) / 5, or k
    "c_avg": (5 / 4, 1),
    "non_uniform_entropy": (5 + 5 * 3 - 7 + 5, 9 - 7 + 2),
}


@pytest.mark.parametrize("word", EXPECTED)
def test_values_and_bounds_by_hand(word: str) -> None:
    measure = find_measure(word)
    assert (measure.value(FACTS), measure.bound(FACTS)) == pytest.approx(EXPECTED[word])


def test_every_measure_is_looked_at_and_says_what_it_is() -> None:
    assert [measure.word for measure in OWN] == list(EXPECTED) == list(measures())
    for measure in OWN:
        assert measure.range
        assert type(measure).__doc__ and (type(measure).bound.__doc__ or "").strip()


def test_weights_are_ratios() -> None:
    weighed = Facts(Lattice((2, 1)), (1, 1), 4, 4, weights=whole_weights([0.5, 1.5]))
    assert weighed.weights == (1, 3)
    assert find_measure("accuracy").value(weighed) == 1 - (1 / 2 + 3) / 4
    assert whole_weights([Fraction(2, 3), Fraction(2, 3)]) == ()
    assert whole_weights([0, 2]) == (0, 1)
    for wrong in ([1, -1], [0, 0], []):
        with pytest.raises(ValueError, match="weights"):
            whole_weights(wrong)


def test_without_a_class_there_is_no_average() -> None:
    nothing = Facts(Lattice((1,)), (0,), 3, 0, unmapped=3, classes=0, squares=0, all_classes=0, all_squares=0)
    for word in ("average_class_size", "c_avg"):
        assert find_measure(word).value(nothing) is None
        assert find_measure(word).bound(nothing) == inf
    assert find_measure("discernibility").value(nothing) == 9


def test_what_every_result_says() -> None:
    assert measure_all(Facts(Lattice((2,)), (1,), 4, 3)) == {"accuracy": 0.5, "completeness": 0.75}


def test_an_unknown_word_is_refused_with_the_near_one() -> None:
    with pytest.raises(SpecError, match="did you mean 'discernibility'"):
        find_measure("discernability")
    with pytest.raises(SpecError, match="the measures are accuracy, completeness"):
        find_measure("xxx")


# ---------------------------------------------------------------- of another package

CODE = '''
from dataclasses import dataclass
from kanon_sql.measures import LabelLoss
LABELS = LabelLoss("{loss}", "toy_measures:half.sql.j2")

@dataclass(frozen=True)
class Half:
    """Half of the rows of the label, or of all."""
    word: str = "{word}"
    better: str = "{better}"
    range: str = "0 to n"
    loss: object = LABELS

    def value(self, facts):
        found = facts.losses["half"]
        return sum(found.released) + facts.suppressed * sum(found.most)

    def bound(self, facts):
        return sum(facts.losses["half"].everything)
'''
TEMPLATE = """{#
  A row loses the leaves of its label.
#}
{% macro loss(given, kind) %}l.leaves{% endmacro %}
{% macro most(given) %}l.all_leaves{% endmacro %}
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, as site-packages are; what is found there is forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    sys.modules.pop("toy_measures", None)
    importlib.invalidate_caches()
    registry.measures.cache_clear()


def install(
    site: Path, *, word: str = "half", better: str = "low", loss: str = "half", point: str = "half"
) -> None:
    (site / "toy_measures").mkdir()
    code = CODE.format(word=word, better=better, loss=loss)
    (site / "toy_measures" / "__init__.py").write_text(code, encoding="utf-8")
    (site / "toy_measures" / "half.sql.j2").write_text(TEMPLATE, encoding="utf-8")
    info = site / "toy_measures-1.0.dist-info"
    info.mkdir()
    lines(info / "METADATA", "Metadata-Version: 2.1", "Name: toy_measures", "Version: 1.0")
    lines(info / "entry_points.txt", "[kanon_sql.measures]", f"{point} = toy_measures:Half")


def test_a_measure_of_another_package(site: Path) -> None:
    install(site)
    path = make(site / "w.duckdb", "CREATE TABLE t AS SELECT unnest(['a', 'a', 'b']) AS q")
    with valuer_of(path, {"table": "t", "k": 2, "quasi_identifiers": {"q": None}}) as (valuer, _):
        half = find_measure("half")
        bottom, top = valuer.facts([(0,), (1,)], [half])
        assert (half.value(bottom), half.value(top)) == (1 + 1 + 2, 6)
        assert half.bound(bottom) == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"word": "gcp", "point": "gcp"}, "not free"),
        ({"word": "other"}, "not free or not its entry point"),
        ({"better": "larger"}, "all that a measure must"),
        ({"loss": "gcp"}, "another's"),
    ],
)
def test_a_measure_of_another_package_that_is_none(site: Path, wrong: dict[str, str], said: str) -> None:
    install(site, **wrong)
    with pytest.raises(SpecError, match=said):
        measures()


def test_a_measure_that_cannot_be_loaded(site: Path) -> None:
    install(site)
    (site / "toy_measures" / "__init__.py").write_text("raise OSError('gone')", encoding="utf-8")
    forget()
    with pytest.raises(SpecError, match="cannot be loaded: gone"):
        find_measure("half")


def test_bits_are_those_of_the_logarithm(tmp_path: Path) -> None:
    path = make(tmp_path / "w.duckdb", "CREATE TABLE t AS SELECT unnest(['a', 'a', 'b', NULL, NULL]) AS q")
    with valuer_of(path, {"table": "t", "k": 2, "quasi_identifiers": {"q": None}}) as (valuer, _):
        entropy = find_measure("non_uniform_entropy")
        bottom, top = valuer.facts([(0,), (1,)], [entropy])
        assert entropy.value(bottom) == pytest.approx(log2(5), abs=1e-12)
        assert entropy.value(top) == pytest.approx(4 * log2(5 / 2) + log2(5), abs=1e-12)
