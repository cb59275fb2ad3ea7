"""k-anonymity: every class holds at least k rows, or k persons (Samarati 2001, section 2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KAnonymity:
    """Every class has a size of at least ``k``.

    Size is additive over rows and never falls when classes merge, for distinct persons too, so the model
    is monotone under generalization and under suppression (Samarati 2001, section 4).
    """

    k: int
    word: str = "k"
    violation_template: str = "privacy/k_anonymity.sql.j2"
    monotone_under_generalization: bool = True
    monotone_under_suppression: bool = True
