"""Measures of the classes: how many rows one cannot tell from each other. Weights are no use to them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from kanon_sql.measures.base import Facts, LabelLoss, known

_CLASSES, _SQUARES = "classes there are", "rows there are in classes, squared"


@dataclass(frozen=True)
class Discernibility:
    """Σ |E|² over the released classes + suppressed rows · input rows.

    R. Bayardo, R. Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.
    """

    word: str = "discernibility"
    better: Literal["high", "low"] = "low"
    range: str = "rows (every row by itself) to rows² (one class, or none left)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float:
        """The discernibility of a release, a whole number."""
        return known(facts.squares, _SQUARES) + facts.suppressed * facts.rows

    def bound(self, facts: Facts) -> float | None:
        """Σ |E|² over all classes of the vector + unmapped rows · input rows.

        Proof. Let v ≥ u. A suppressed row costs all rows, and so a suppressed class at least |E|²: the value at v is
        at least Σ |E|² over all of its classes, and unmapped rows. These are unions of classes of u, and the square
        of a sum is at least the sum of the squares.
        """
        if facts.all_squares is None:
            return None
        return facts.all_squares + facts.unmapped * facts.rows


@dataclass(frozen=True)
class DiscernibilityStar:
    """Σ |E|² over the released classes alone: what is suppressed counts nothing, so that it likes suppression.

    Bayardo & Agrawal 2005 without the second term. (ARX's measure of this name counts suppressed classes too.)
    """

    word: str = "discernibility_star"
    better: Literal["high", "low"] = "low"
    range: str = "0 (nothing released) to rows² (one class)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float:
        """The sum of squares of a release, a whole number."""
        return known(facts.squares, _SQUARES)

    def bound(self, facts: Facts) -> float | None:
        """The larger of two, s being the rows that may be suppressed beside unmapped ones.

        Proof. Let v ≥ u suppress at most ``max_suppressed`` rows. Suppressed classes have at most s rows together,
        and so at most s² as the sum of their squares; all classes of v have at least ``all_squares`` of u (see
        :meth:`Discernibility.bound`). And at least rows − ``max_suppressed`` rows are released, in classes of at
        least k rows each, so the sum over classes of |E|·|E| is at least k times that.
        """
        if facts.all_squares is None:
            return None
        free = max(facts.max_suppressed - facts.unmapped, 0)
        return max(facts.all_squares - free**2, facts.k * max(facts.rows - facts.max_suppressed, 0))


@dataclass(frozen=True)
class AverageClassSize:
    """Released rows / released classes; no value where there is no class.

    K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006.
    """

    word: str = "average_class_size"
    better: Literal["high", "low"] = "low"
    range: str = "k (no class larger) to rows (one class)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float | None:
        """The average class of a release."""
        classes = known(facts.classes, _CLASSES)
        return facts.released / classes if classes else None

    def bound(self, facts: Facts) -> float | None:
        """(rows − ``max_suppressed``) / all classes of the vector, or k, whichever is larger.

        Proof. Let v ≥ u suppress at most ``max_suppressed`` rows. It releases the others, in no more classes than v
        has, nor than u has, of which its classes are unions. And no released class has fewer than k rows: where
        persons are counted, k of them have at least k rows.
        """
        if facts.all_classes is None:
            return None
        if not facts.all_classes:
            return inf  # every row is unmapped: nothing above has a class
        return max(max(facts.rows - facts.max_suppressed, 0) / facts.all_classes, float(facts.k))


@dataclass(frozen=True)
class CAvg:
    """The average class size over k (LeFevre et al. 2006): 1 is as good as can be."""

    word: str = "c_avg"
    better: Literal["high", "low"] = "low"
    range: str = "1 (every class of k rows) to rows / k (one class)"
    loss: LabelLoss | None = None

    def value(self, facts: Facts) -> float | None:
        """The normalized average class of a release."""
        classes = known(facts.classes, _CLASSES)
        return facts.released / (classes * facts.k) if classes else None

    def bound(self, facts: Facts) -> float | None:
        """The bound of the average class size, over k."""
        if facts.all_classes is None:
            return None
        if not facts.all_classes:
            return inf
        return max(max(facts.rows - facts.max_suppressed, 0) / (facts.all_classes * facts.k), 1.0)
