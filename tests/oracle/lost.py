"""Where the suppressed rows came from, and how much any value may lose (DESIGN 7, issue 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.measures import Outcome
from tests.oracle.model import Value, typed

TypedValue = tuple[str, Value]

UNPLACED: TypedValue = ("no level", None)
"""Where rows stand whose own value in the QI is unmapped and leaves before classes form (DESIGN 5.3)."""


@dataclass(frozen=True)
class Lost:
    """Of the rows that have a value, how many were suppressed."""

    suppressed: int
    rows: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.suppressed, self.rows)


def lost_by(values: Sequence[TypedValue], released: Collection[int]) -> dict[TypedValue, Lost]:
    """Per value of a column parallel to the rows of the input: rows with it, and how many are not released."""
    kept = set(released)
    rows = Counter(values)
    left = Counter(value for index, value in enumerate(values) if index not in kept)
    return {value: Lost(left[value], count) for value, count in rows.items()}


def lost_by_qi(outcome: Outcome, qi: int) -> dict[TypedValue, Lost]:
    """Per value that a QI has at the released level, over the whole input, suppressed rows at that level too.

    Every count stands here: what a report must merge (below k, DESIGN 5.17) is its own affair.
    """
    h, level = outcome.hierarchies[qi], outcome.vector[qi]
    column = [row[qi] for row in outcome.rows]
    became = [UNPLACED if h.suppresses(value) else typed(h.generalize(value, level)) for value in column]
    return lost_by(became, outcome.released_indexes)


@dataclass(frozen=True)
class SuppressionPer:
    """``max_suppression_per: {column, share}``: no value of the column loses more than that share of its rows.

    The values are those of the source, not generalized, parallel to the rows; NULL is a value.
    """

    values: Sequence[Value]
    share: Fraction

    def lost(self, outcome: Outcome) -> dict[TypedValue, Lost]:
        """Per value of the column, what it loses."""
        if len(self.values) != len(outcome.rows):
            raise ValueError("the column is not parallel to the rows")
        return lost_by([typed(value) for value in self.values], outcome.released_indexes)

    def holds(self, outcome: Outcome) -> bool:
        """Suppressed rows of the value ≤ share · rows of the value, for every value, exactly."""
        return all(lost.suppressed <= self.share * lost.rows for lost in self.lost(outcome).values())
