"""l-diversity: a class must hold well represented sensitive values (Machanavajjhala, Gehrke, Kifer and
Venkitasubramaniam, ICDE 2006)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from kanon_sql.privacy.base import ModelWord, Parameter, SensitiveModel
from kanon_sql.privacy.numbers import at_least, plain


@dataclass(frozen=True)
class DistinctLDiversity(SensitiveModel):
    """Every class holds at least ``l`` distinct values.

    A merged class holds the values of both, so the model is monotone under generalization and suppression,
    whatever is counted.
    """

    l: int  # noqa: E741 - the field's name for it
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "privacy/distinct_l_diversity.sql.j2"
    reaches: ClassVar[Literal["least", "most"] | None] = "least"
    monotone_under_generalization: ClassVar[bool] = True
    monotone_under_suppression: ClassVar[bool] = True
    regardless_of_counts: ClassVar[bool] = True

    def parameters(self) -> Mapping[str, object]:
        """l."""
        return {"l": self.l}


@dataclass(frozen=True)
class EntropyLDiversity(SensitiveModel):
    """The entropy of the values in every class is at least ln ``l`` (``l`` may be fractional).

    Entropy is concave, so a mixture of classes that satisfy satisfies: monotone under generalization. Not
    under suppression: a class that satisfies may merge with one that holds a single value many times.
    """

    l: Fraction  # noqa: E741
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "privacy/entropy_l_diversity.sql.j2"
    reaches: ClassVar[Literal["least", "most"] | None] = "least"
    monotone_under_generalization: ClassVar[bool] = True

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """At least ⌈l⌉ distinct values: m values have an entropy of at most ln m."""
        # The predicate allows for rounding, and so must what follows from it.
        return (DistinctLDiversity(at_least(self.l - Fraction(1, 10**8))),)

    def parameters(self) -> Mapping[str, object]:
        """l."""
        return {"l": plain(self.l)}


@dataclass(frozen=True)
class RecursiveCLDiversity(SensitiveModel):
    """With the counts of the values in descending order, r₁ < ``c`` · (r_l + … + r_m); false when m < ``l``.

    Monotone under generalization (Machanavajjhala et al. 2006, section 4.3), not under suppression.
    """

    c: Fraction
    l: int  # noqa: E741
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "privacy/recursive_cl_diversity.sql.j2"
    reaches: ClassVar[Literal["least", "most"] | None] = "most"
    monotone_under_generalization: ClassVar[bool] = True

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """At least l distinct values."""
        return (DistinctLDiversity(self.l),)

    def parameters(self) -> Mapping[str, object]:
        """c and l."""
        return {"c": plain(self.c), "l": self.l}


_L = Parameter("l", "whole", "how many distinct values", least=1)

DistinctLDiversity.declared = ModelWord(
    "distinct_l_diversity", "at least l distinct values in every class", (_L,), DistinctLDiversity, scalar="l"
)
EntropyLDiversity.declared = ModelWord(
    "entropy_l_diversity",
    "an entropy of at least ln l in every class",
    (Parameter("l", "number", "how many values, well represented", least=1),),
    EntropyLDiversity,
    scalar="l",
)
RecursiveCLDiversity.declared = ModelWord(
    "recursive_cl_diversity",
    "no value too frequent against the rarer ones: c and l",
    (Parameter("c", "number", "how much the commonest may outweigh", least=0, above=True), _L),
    RecursiveCLDiversity,
)
