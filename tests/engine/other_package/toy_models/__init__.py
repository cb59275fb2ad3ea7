"""Privacy models of a package of its own, which knows of kanon_sql only what ``kanon_sql.privacy`` says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from kanon_sql.privacy import ModelWord, Parameter, SensitiveModel


@dataclass(frozen=True)
class AtMostValues(SensitiveModel):
    """Every class holds at most ``n`` distinct values: monotone in no way."""

    n: int
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "toy_models:sql/at_most_values.sql.j2"

    def parameters(self) -> Mapping[str, object]:
        """n."""
        return {"n": self.n}


@dataclass(frozen=True)
class AtLeastCounted(SensitiveModel):
    """Every class holds at least ``n`` rows with a value that counts: monotone in both ways."""

    n: int
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "toy_models:sql/at_least_counted.sql.j2"
    monotone_under_generalization: ClassVar[bool] = True
    monotone_under_suppression: ClassVar[bool] = True

    def parameters(self) -> Mapping[str, object]:
        """n."""
        return {"n": self.n}


@dataclass(frozen=True)
class OfCommonValues(SensitiveModel):
    """Every value of every class has at least a ``share`` of the source; its template makes rows of its own."""

    share: Fraction
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "toy_models:sql/of_common_values.sql.j2"
    monotone_under_generalization: ClassVar[bool] = True

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """At least one value that counts."""
        return (AtLeastCounted(1),)

    def parameters(self) -> Mapping[str, object]:
        """The share."""
        return {"share": float(self.share)}


def _at_most(n: int) -> AtMostValues:
    if n == 13:
        raise ValueError("n brings bad luck")
    return AtMostValues(n)


_N = Parameter("n", "whole", "how many")
AtMostValues.declared = ModelWord("at_most_values", "at most n distinct values", (_N,), _at_most, scalar="n")
AtLeastCounted.declared = ModelWord("at_least_counted", "at least n rows that count", (_N,), AtLeastCounted)
OfCommonValues.declared = ModelWord(
    "of_common_values",
    "every value is common in the source",
    (Parameter("share", "number", "the least share", least=0, most=1),),
    OfCommonValues,
    scalar="share",
)
