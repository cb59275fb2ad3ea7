"""What a release loses, by the formulas of DESIGN 7, at one vector of one table.

Shares and sums are exact fractions; what needs a root or a logarithm is a float. Rows of the input are
counted: persons (DESIGN 5.8) decide which classes leave, and nothing here. A row that left before classes
formed (``unmapped: suppress``, 5.3) is a suppressed row.

Weights, one per QI, none negative, not all 0. A measure that is a mean over the QIs becomes the weighted mean
Σ w·x / Σ w; only their ratios matter, and equal weights are no weights. ``non_uniform_entropy`` is a sum over
the n QIs: n times the weighted mean. Measures of classes and of rows have no use for weights.

How ARX does it (arx_semantics.md and ``metric/v2`` of ARX 3.9.2) is in ``tests.oracle.arx``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from tests.oracle.by_grouping import ByGrouping, ClassKey
from tests.oracle.by_models import WithModels
from tests.oracle.model import OracleHierarchy, Value, Vector, typed
from tests.oracle.search import accuracy as plain_accuracy
from tests.oracle.search import completeness as plain_completeness

Number = Fraction | float
Weights = Sequence[int | float | Fraction]
Classes = Mapping[ClassKey, Sequence[int]]
"""Classes by their generalized values, with the indexes of their rows."""


@dataclass(frozen=True)
class Outcome:
    """What became of every row of a table at one vector."""

    rows: Sequence[tuple[Value, ...]]
    """The whole input."""
    hierarchies: Sequence[OracleHierarchy]
    vector: Vector
    released: Classes
    suppressed_classes: Classes
    """Those that left whole; rows that left before classes formed are in no class."""

    @classmethod
    def of(cls, grouping: ByGrouping, vector: Sequence[int], suppressed: Collection[ClassKey]) -> Outcome:
        """The outcome when exactly the named classes of the vector leave."""
        classes = grouping.classes(vector)
        if not set(suppressed) <= set(classes):
            raise ValueError("what leaves is a class at the vector")
        return cls(
            grouping.rows,
            grouping.hierarchies,
            tuple(vector),
            {key: rows for key, rows in classes.items() if key not in suppressed},
            {key: rows for key, rows in classes.items() if key in suppressed},
        )

    @classmethod
    def at(cls, oracle: ByGrouping | WithModels, vector: Sequence[int]) -> Outcome:
        """The outcome under minimal required suppression, by k alone or with models."""
        grouping = oracle.grouping if isinstance(oracle, WithModels) else oracle
        kept = oracle.released_classes(vector)
        gone = {key: rows for key, rows in grouping.classes(vector).items() if key not in kept}
        return cls(grouping.rows, grouping.hierarchies, tuple(vector), kept, gone)

    @property
    def heights(self) -> Vector:
        return tuple(h.height for h in self.hierarchies)

    @cached_property
    def released_indexes(self) -> list[int]:
        """The indexes of the rows released, ascending."""
        return sorted(index for members in self.released.values() for index in members)

    @property
    def released_rows(self) -> int:
        return sum(map(len, self.released.values()))

    @property
    def suppressed_rows(self) -> int:
        """Input = released + suppressed (DESIGN 5.5)."""
        return len(self.rows) - self.released_rows


# ---------------------------------------------------------------- weights


def weighed(weights: Weights | None, count: int) -> list[Fraction]:
    """The weights as exact numbers (0.1 is a tenth, as it is written), 1 each where none are given."""
    exact = [Fraction(str(weight)) for weight in weights] if weights is not None else [Fraction(1)] * count
    if len(exact) != count or min(exact) < 0 or not any(exact):
        raise ValueError("one weight per QI, none negative, not all 0")
    return exact


def weighted_mean(per_qi: Sequence[Number], weights: Weights | None = None) -> Number:
    """Σ w·x / Σ w over the QIs."""
    exact = weighed(weights, len(per_qi))
    if all(isinstance(x, Fraction) for x in per_qi):
        return sum((w * x for w, x in zip(exact, per_qi, strict=True)), Fraction(0)) / sum(exact)
    return math.fsum(float(w) * x for w, x in zip(exact, per_qi, strict=True)) / float(sum(exact))


# ---------------------------------------------------------------- of the vector, of the rows


def accuracy(outcome: Outcome, weights: Weights | None = None) -> Number:
    """1 − (1/n) Σ d/h over the QIs, a QI of height 0 counting 0 (Samarati 2001, Knowl 9). Blind to suppression.

    Weighted: 1 − Σ w·d/h / Σ w.
    """
    if weights is None:
        return plain_accuracy(outcome.vector, outcome.heights)
    steps = [_steps(d, h) for d, h in zip(outcome.vector, outcome.heights, strict=True)]
    return 1 - weighted_mean(steps, weights)


def completeness(outcome: Outcome) -> Fraction:
    """Released over input (Samarati 2001, Knowl 9)."""
    return plain_completeness(len(outcome.rows), outcome.suppressed_rows)


# ---------------------------------------------------------------- mean over rows and QIs


def level_shares(outcome: Outcome) -> list[Fraction]:
    """Per QI, level/height averaged over all rows of the input, a suppressed row counting 1.

    The level is the vector's, whatever the cell's value (a NULL, a value that ``unmapped: top`` placed). In a
    hierarchy of height 0 a released row counts 0, as ARX has it (MetricMDNMPrecision); a suppressed one 1.
    """
    n, kept = len(outcome.rows), outcome.released_rows
    return [
        (kept * _steps(d, h) + outcome.suppressed_rows) / n
        for d, h in zip(outcome.vector, outcome.heights, strict=True)
    ]


def prec(outcome: Outcome, weights: Weights | None = None) -> Number:
    """1 − mean over rows and QIs of level/height, a suppressed row counting level = height.

    L. Sweeney, "Achieving k-anonymity privacy protection using generalization and suppression", IJUFKS 10(5),
    2002. Weighted: 1 − weighted mean over the QIs. ``1 - prec`` is ARX's precision with weights 1.
    """
    return 1 - weighted_mean(level_shares(outcome), weights)


def ncp(hierarchy: OracleHierarchy, value: Value, level: int) -> Fraction:
    """NCP of one released cell: (leaves(v) − 1)/(leaves − 1), v being what the value became.

    Leaves are ground values of the hierarchy, whether the table has them or not. One leaf: 0. A NULL without
    its own mapping row: 0 below the top, 1 at it, in a hierarchy of height 0 or of one leaf as well. A value
    that ``unmapped: top`` placed is at the top at every level.

    Xu et al., "Utility-based anonymization using local recoding", KDD 2006 (there leaves(v)/leaves, and 0 for
    a leaf); with the ones subtracted, as here, Iyengar's LM, KDD 2002.
    """
    if not hierarchy.mapped(value) and value is None:
        return Fraction(int(level == hierarchy.height))
    leaves = len(hierarchy.paths)
    if leaves == 1:
        return Fraction(0)
    if not hierarchy.mapped(value):
        hierarchy.generalize(value, level)  # raises where such a value has no level
        return Fraction(1)
    node = typed(hierarchy.generalize(value, level))
    under = sum(typed(path[level]) == node for path in hierarchy.paths.values())
    return Fraction(under - 1, leaves - 1)


def ncps(outcome: Outcome) -> list[Fraction]:
    """Per QI, NCP averaged over all rows of the input, a suppressed row counting 1."""
    kept = outcome.released_indexes
    means = []
    for qi, (h, level) in enumerate(zip(outcome.hierarchies, outcome.vector, strict=True)):
        cells = _counted(outcome.rows[index][qi] for index in kept)
        lost = sum((n * ncp(h, value, level) for (_, value), n in cells.items()), Fraction(0))
        means.append((lost + outcome.suppressed_rows) / len(outcome.rows))
    return means


def gcp(outcome: Outcome, weights: Weights | None = None) -> Number:
    """Global certainty penalty: the mean of NCP over rows and QIs. Weighted: the weighted mean over the QIs.

    ARX's loss with ``ARITHMETIC_MEAN`` and gs-factor 0.5, where weights are 1.
    """
    return weighted_mean(ncps(outcome), weights)


def gcp_geometric(outcome: Outcome, weights: Weights | None = None) -> float:
    """Π (1 + NCP of the QI)^(w / Σ w) − 1: ARX's loss as it is by default, where weights are equal.

    The weights are exponents, so that, as with a mean, only their ratios matter. ARX multiplies the NCPs
    instead (``arx.geometric_mean``), which is another measure and may have another optimum.
    """
    means = ncps(outcome)
    exact = weighed(weights, len(means))
    logs = math.fsum(float(w) * math.log1p(x) for w, x in zip(exact, means, strict=True))
    return math.expm1(logs / float(sum(exact)))


# ---------------------------------------------------------------- classes


def discernibility_star(outcome: Outcome) -> Fraction:
    """Σ |E|² over the classes released; what is suppressed counts nothing (DESIGN 7: no second term).

    So it likes suppression: alone, it is least where least is released. ARX's DM* also counts the classes
    that leave (``arx.discernibility_star``), and never falls as a vector rises.
    """
    return Fraction(sum(len(members) ** 2 for members in outcome.released.values()))


def discernibility(outcome: Outcome) -> Fraction:
    """Σ |E|² over the classes released + suppressed rows · input rows (Bayardo & Agrawal, ICDE 2005)."""
    return discernibility_star(outcome) + outcome.suppressed_rows * len(outcome.rows)


def average_class_size(outcome: Outcome) -> Fraction | None:
    """Released rows / classes released (LeFevre et al. 2006); None when nothing is released."""
    return Fraction(outcome.released_rows, len(outcome.released)) if outcome.released else None


def c_avg(outcome: Outcome, k: int) -> Fraction | None:
    """The average class size over k: 1 is as good as can be."""
    average = average_class_size(outcome)
    return None if average is None else average / k


# ---------------------------------------------------------------- non-uniform entropy


def entropies(outcome: Outcome) -> list[float]:
    """Per QI, Σ over all rows of −log₂(count(original value) / count(generalized value)), in bits.

    Both counts are over the whole column of the input, before anything is suppressed: how many rows have the
    original value, how many have one that becomes the same. Of a suppressed row, whatever it left for, the
    second is all rows: it stands at the top, where every row does.
    """
    n, kept = len(outcome.rows), outcome.released_indexes
    bits = []
    for qi, (h, level) in enumerate(zip(outcome.hierarchies, outcome.vector, strict=True)):
        original = _counted(row[qi] for row in outcome.rows)
        became = {key: _became(h, key[1], level) for key in original}
        generalized: Counter[object] = Counter()
        for key, count in original.items():
            generalized[became[key]] += count
        if level == h.height:
            generalized[typed(h.top)] = n
        released = _counted(outcome.rows[index][qi] for index in kept)
        bits.append(
            math.fsum(
                released[key] * math.log2(generalized[became[key]] / count)
                + (count - released[key]) * math.log2(n / count)
                for key, count in original.items()
            )
        )
    return bits


def non_uniform_entropy(outcome: Outcome, weights: Weights | None = None) -> float:
    """Σ over rows and QIs of −log₂(count(original value) / count(generalized value)); see ``entropies``.

    Gionis & Tassa, "k-Anonymization with minimal loss of information", ESA 2007. Weighted: n Σ w·x / Σ w over
    the n QIs, which is the sum itself where weights are equal.
    """
    bits = entropies(outcome)
    return len(bits) * float(weighted_mean(bits, weights))


def _counted(cells: Iterable[Value]) -> Counter[tuple[type, Value]]:
    """How often each value stands there, 1 and True apart; as ``typed_counter``, but quick."""
    listed = list(cells)
    return Counter(zip(map(type, listed), listed, strict=True))


def _steps(level: int, height: int) -> Fraction:
    return Fraction(level, height) if height else Fraction(0)


def _became(hierarchy: OracleHierarchy, value: Value, level: int) -> object:
    """What the value is at the level; a value whose rows leave before classes form becomes nothing."""
    return None if hierarchy.suppresses(value) else typed(hierarchy.generalize(value, level))


# ---------------------------------------------------------------- all of them by name

BETTER: Mapping[str, Literal["high", "low"]] = {
    "accuracy": "high",
    "completeness": "high",
    "prec": "high",
    "gcp": "low",
    "gcp_geometric": "low",
    "discernibility": "low",
    "discernibility_star": "low",
    "average_class_size": "low",
    "c_avg": "low",
    "non_uniform_entropy": "low",
}

_WEIGHTED: Mapping[str, Callable[[Outcome, Weights | None], Number]] = {
    "accuracy": accuracy,
    "prec": prec,
    "gcp": gcp,
    "gcp_geometric": gcp_geometric,
    "non_uniform_entropy": non_uniform_entropy,
}
_PLAIN: Mapping[str, Callable[[Outcome], Fraction | None]] = {
    "completeness": completeness,
    "discernibility": discernibility,
    "discernibility_star": discernibility_star,
    "average_class_size": average_class_size,
}


def measure(word: str, outcome: Outcome, weights: Weights | None = None, k: int = 1) -> Number | None:
    """The measure of that name; None where it has no value (a mean over no classes)."""
    if word == "c_avg":
        return c_avg(outcome, k)
    return _WEIGHTED[word](outcome, weights) if word in _WEIGHTED else _PLAIN[word](outcome)
