"""Accuracy and completeness (Samarati 2001, section 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kanon_sql.measures.base import Facts, Measure


@dataclass(frozen=True)
class Accuracy:
    """1 − (1/n) Σ d/h: what generalization left, 1 for ⊥ and 0 for ⊤; a height of 0 loses nothing."""

    word: str = "accuracy"
    better: Literal["high", "low"] = "high"

    def value(self, facts: Facts) -> float:
        """The accuracy of a vector, in 0 … 1."""
        return float(1 - facts.lattice.relative_distance(facts.vector) / len(facts.vector))


@dataclass(frozen=True)
class Completeness:
    """released / input rows: what suppression left."""

    word: str = "completeness"
    better: Literal["high", "low"] = "high"

    def value(self, facts: Facts) -> float:
        """The completeness of a release, in 0 … 1."""
        return facts.released / facts.rows


MEASURES: tuple[Measure, ...] = (Accuracy(), Completeness())


def measure_all(facts: Facts) -> dict[str, float]:
    """Every measure of a release, by word."""
    return {measure.word: measure.value(facts) for measure in MEASURES}
