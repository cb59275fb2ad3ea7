"""Measures of the vector and of the rows: what needs no more than two counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kanon_sql.measures.base import Facts, LabelLoss


@dataclass(frozen=True)
class Accuracy:
    """1 − Σ w·d/h / Σ w: what generalization left; a height of 0 loses nothing; blind to suppression.

    P. Samarati, "Protecting Respondents' Identities in Microdata Release", IEEE TKDE 13(6), 2001, section 6.
    """

    word: str = "accuracy"
    better: Literal["high", "low"] = "high"
    range: str = "0 (everything at its top) to 1 (nothing generalized)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float:
        """The accuracy of a vector."""
        lost, whole = facts.mean(facts.steps)
        return (whole - lost) / whole

    def bound(self, facts: Facts) -> float:
        """The accuracy of the vector itself: no d/h is less at a larger vector. It asks no engine."""
        return self.value(facts)


@dataclass(frozen=True)
class Completeness:
    """released / input rows: what suppression left (Samarati 2001, section 6)."""

    word: str = "completeness"
    better: Literal["high", "low"] = "high"
    range: str = "0 (every row suppressed) to 1 (none)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float:
        """The completeness of a release."""
        return facts.released / facts.rows

    def bound(self, facts: Facts) -> float:
        """What is left when only unmapped rows go: those go at every vector. Larger vectors may well release more
        rows, so nothing of the vector itself bounds them."""
        return (facts.rows - facts.unmapped) / facts.rows


@dataclass(frozen=True)
class Prec:
    """1 − weighted mean over rows and quasi-identifiers of level/height, a suppressed row counting 1.

    A released row of a height of 0 counts 0. L. Sweeney, "Achieving k-anonymity privacy protection using
    generalization and suppression", IJUFKS 10(5), 2002.
    """

    word: str = "prec"
    better: Literal["high", "low"] = "high"
    range: str = "0 (everything suppressed or at its top) to 1 (the table as it was)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float:
        """The precision of a release."""
        return self._left(facts, facts.released)

    def bound(self, facts: Facts) -> float:
        """The precision if no class left.

        Proof. At v ≥ u a row that is released loses d(v)/h ≥ d(u)/h, one that is suppressed 1 ≥ d(u)/h; and
        unmapped rows lose 1 at both. It asks no engine.
        """
        return self._left(facts, facts.rows - facts.unmapped)

    def _left(self, facts: Facts, kept: int) -> float:
        shares = [((kept * d + (facts.rows - kept) * h), facts.rows * h) for d, h in facts.steps]
        lost, whole = facts.mean(shares)
        return (whole - lost) / whole
