"""Certainty penalties: how much of its domain a released value may stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, fsum, log1p
from typing import Literal

from kanon_sql.measures.base import Facts, LabelLoss, Losses, losses_of

# Counted in leaves: a row loses leaves − 1 of the label, and leaves − 1 of the whole when it is suppressed, so
# that everything is a whole number until it is divided. Per quasi-identifier the latter is `Losses.most`.
NCP = LabelLoss("gcp", "measures/gcp.sql.j2")


def _penalties(facts: Facts, sums: Sequence[int], losses: Losses) -> list[tuple[int, int]]:
    """Per quasi-identifier the mean of NCP over all rows, as (numerator, denominator)."""
    return [(lost, facts.rows * most) for lost, most in zip(sums, losses.most, strict=True)]


def _of_release(facts: Facts) -> list[tuple[int, int]]:
    losses = losses_of(facts, NCP)
    gone = facts.suppressed
    sums = [lost + gone * most for lost, most in zip(losses.released, losses.most, strict=True)]
    return _penalties(facts, sums, losses)


def _if_nothing_left(facts: Facts) -> list[tuple[int, int]]:
    losses = losses_of(facts, NCP)
    return _penalties(facts, losses.everything, losses)


@dataclass(frozen=True)
class Gcp:
    """Global certainty penalty: the weighted mean over rows and quasi-identifiers of NCP = (leaves(v) − 1)/(leaves −
    1), v being what the value became; a suppressed row counts 1.

    Leaves are the ground values of the hierarchy's mapping table, used or not; of a quasi-identifier without a
    hierarchy, the values of the data. With one leaf, 0 unless suppressed. A NULL without a row of its own: 0 below
    the top, 1 at it. A value that `unmapped: top` placed: 1.

    Xu et al., "Utility-based anonymization using local recoding", KDD 2006; with the ones subtracted Iyengar's loss
    metric, KDD 2002; ARX's loss with the arithmetic mean.
    """

    word: str = "gcp"
    better: Literal["high", "low"] = "low"
    range: str = "0 (the table as it was) to 1 (everything suppressed or at its top)"
    loss: LabelLoss | None = NCP

    def value(self, facts: Facts) -> float:
        """The penalty of a release."""
        lost, whole = facts.mean(_of_release(facts))
        return lost / whole

    def bound(self, facts: Facts) -> float:
        """The penalty if no class left.

        Proof. Let v ≥ u. What a label stands for at v includes what it stood for at u, so a released row loses no
        less at v than at u; a suppressed one loses 1, which nothing exceeds; and unmapped rows lose 1 at both. It
        needs the sums per quasi-identifier and level, once, and no count of the vector.
        """
        lost, whole = facts.mean(_if_nothing_left(facts))
        return lost / whole


@dataclass(frozen=True)
class GcpGeometric:
    """Π (1 + NCP of the quasi-identifier)^(w / Σ w) − 1: the certainty penalty as a geometric mean.

    ARX's loss as it is by default, where weights are equal (ARX multiplies the penalties by weights; here they are
    exponents, so that, as with a mean, only their ratios matter). NCP as for :class:`Gcp`.
    """

    word: str = "gcp_geometric"
    better: Literal["high", "low"] = "low"
    range: str = "0 (the table as it was) to 1 (everything suppressed or at its top)"
    loss: LabelLoss | None = NCP

    def value(self, facts: Facts) -> float:
        """The penalty of a release."""
        return self._mean(facts, _of_release(facts))

    def bound(self, facts: Facts) -> float:
        """The penalty if no class left: every factor is bounded as in :meth:`Gcp.bound`, and grows with its NCP."""
        return self._mean(facts, _if_nothing_left(facts))

    def _mean(self, facts: Facts, penalties: Sequence[tuple[int, int]]) -> float:
        weights = facts.weights or (1,) * len(penalties)
        logs = fsum(w * log1p(a / b) for w, (a, b) in zip(weights, penalties, strict=True))
        return expm1(logs / sum(weights))
