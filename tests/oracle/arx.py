"""Where ARX 3.9.2 defines a measure otherwise than DESIGN 7: for comparing numbers, never for answers.

Read from ``metric/v2`` of arx-deidentifier/arx @ aacd487f, gs-factor 0.5; the rest of arx_semantics.md agrees
with ``tests.oracle.measures`` as it stands. ARX's weights are 0.5 for each QI unless set, and are divided by
the greatest; then each QI's loss is multiplied by its weight. A weight of 1 everywhere is none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from tests.oracle.measures import Number, Outcome, Weights, entropies, weighed
from tests.oracle.model import typed


def normalized(weights: Weights | None, count: int) -> list[Fraction]:
    """The weights over their greatest (AbstractMetricMultiDimensional)."""
    exact = weighed(weights, count)
    return [weight / max(exact) for weight in exact]


def arithmetic_mean(per_qi: Sequence[Number], weights: Weights | None = None) -> float:
    """Σ w·x / n (ILMultiDimensionalArithmeticMean): the weighted mean times Σ w / n, so of the same optimum."""
    exact = normalized(weights, len(per_qi))
    return math.fsum(float(w * Fraction(x)) for w, x in zip(exact, per_qi, strict=True)) / len(per_qi)


def geometric_mean(per_qi: Sequence[Number], weights: Weights | None = None) -> float:
    """Π (1 + w·x)^(1/n) − 1 (ILMultiDimensionalGeometricMean)."""
    exact = normalized(weights, len(per_qi))
    factors = [float(1 + w * Fraction(x)) for w, x in zip(exact, per_qi, strict=True)]
    return float(math.prod(factor ** (1 / len(factors)) for factor in factors)) - 1


def average_class_size(outcome: Outcome) -> Fraction:
    """Input rows / (classes released + 1 if anything is suppressed) (MetricSDAECS)."""
    return Fraction(len(outcome.rows), len(outcome.released) + bool(outcome.suppressed_rows))


def discernibility_star(outcome: Outcome) -> int:
    """Σ |E|² over all classes, those that leave as well (MetricSDDiscernability): it never falls with d."""
    every = [*outcome.released.values(), *outcome.suppressed_classes.values()]
    return sum(len(members) ** 2 for members in every)


def non_uniform_entropies(outcome: Outcome) -> list[float]:
    """Per QI: every row at its generalized value, and suppressed rows once more (MetricMDNUNMEntropyPrecomputed).

    Once more: −log₂(c / s) for each, where s rows are suppressed and c of those have its generalized value.
    DESIGN 7 puts a suppressed row at the top of the whole column instead, and never counts less.
    """
    nothing_leaves = Outcome(
        outcome.rows,
        outcome.hierarchies,
        outcome.vector,
        {**outcome.released, **outcome.suppressed_classes},
        {},
    )
    gone = [index for members in outcome.suppressed_classes.values() for index in members]
    bits = []
    for qi, (h, level) in enumerate(zip(outcome.hierarchies, outcome.vector, strict=True)):
        became = Counter(typed(h.generalize(outcome.rows[index][qi], level)) for index in gone)
        bits.append(-math.fsum(count * math.log2(count / len(gone)) for count in became.values()))
    return [kept + more for kept, more in zip(entropies(nothing_leaves), bits, strict=True)]
