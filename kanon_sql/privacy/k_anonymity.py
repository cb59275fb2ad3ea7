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
    template: str = "privacy/k_anonymity.sql.j2"
    monotone_under_generalization: bool = True
    monotone_under_suppression: bool = True

    def describe(self) -> str:
        """The model in words."""
        return f"k {self.k}"


@dataclass(frozen=True)
class KMap:
    """Every class has at least ``k`` rows in the population table, generalized alike (Sweeney 2001; El Emam &
    Dankar 2008).

    The rows of a class in the population never get fewer when classes merge: monotone in both ways.

    Attributes:
        population: the table, as the spec names it.
    """

    k: int
    population: str
    word: str = "k_map"
    template: str = "privacy/k_map.sql.j2"
    monotone_under_generalization: bool = True
    monotone_under_suppression: bool = True

    def describe(self) -> str:
        """The model in words."""
        return f"k_map {self.k} (population {self.population})"
