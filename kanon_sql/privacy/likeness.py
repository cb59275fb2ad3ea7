"""Bounds on how much a class may raise, or change, the share of a value: α, β and δ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from kanon_sql.privacy.base import ModelWord, Parameter, SensitiveModel
from kanon_sql.privacy.l_diversity import DistinctLDiversity
from kanon_sql.privacy.numbers import at_least, plain
from kanon_sql.privacy.source_mass import SourceMass


@dataclass(frozen=True)
class AlphaK(SensitiveModel):
    """No value, or none of those named, has a share above α in a class ((α, k)-anonymity, Wong, Li, Fu and Wang,
    KDD 2006).

    The share of a merged class lies between those of its parts: monotone under generalization, not under
    suppression.

    Attributes:
        alpha: the share of every value, or None.
        shares: value (as text) to its share, where only some are bounded.
    """

    alpha: Fraction | None = None
    shares: tuple[tuple[str, Fraction], ...] = ()
    declared: ClassVar[ModelWord]
    monotone_under_generalization: ClassVar[bool] = True
    reaches: ClassVar[Literal["least", "most"] | None] = "most"

    @property
    def template(self) -> str:  # type: ignore[override]
        """One for every value, another for those named."""
        return "privacy/alpha_k.sql.j2" if self.alpha is not None else "privacy/alpha_k_named.sql.j2"

    @property
    def named_values(self) -> tuple[str, ...]:
        """The values that are bounded."""
        return tuple(value for value, _ in self.shares)

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """Shares of at most α that sum to 1 or more are at least 1/α many."""
        if self.alpha is None:
            return ()
        return (DistinctLDiversity(at_least(1 / (self.alpha + Fraction(1, 10**8)))),)

    def parameters(self) -> Mapping[str, object]:
        """The share, or the shares by value."""
        if self.alpha is not None:
            return {"alpha": plain(self.alpha)}
        shares = self.share_of()
        # A value that is called as a parameter is must not be taken for it.
        return {"shares": shares} if {"alpha", "shares"} & shares.keys() else shares

    def share_of(self) -> Mapping[str, int | float]:
        """The largest share of each value that is named."""
        return {value: plain(share) for value, share in self.shares}


@dataclass(frozen=True)
class BetaLikeness(SensitiveModel):
    """For every value whose share p in a class is above its share q in the source, (p − q)/q ≤ β; the enhanced
    form bounds it by min(β, −ln q) (Cao and Karras, PVLDB 5(11), 2012).

    A cap on the share of each value, which depends on the source alone: monotone under generalization, not
    under suppression.
    """

    beta: Fraction
    declared: ClassVar[ModelWord]
    reaches: ClassVar[Literal["least", "most"] | None] = "most"
    enhanced: ClassVar[bool] = False
    template: ClassVar[str] = "privacy/beta_likeness.sql.j2"
    monotone_under_generalization: ClassVar[bool] = True

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """Shares of at most (1 + β)·q that sum to 1 or more: the values hold at least 1/(1 + β) of the source."""
        return SourceMass.at_least(1 / (1 + self.beta), "total")

    def parameters(self) -> Mapping[str, object]:
        """β."""
        return {"b": plain(self.beta)}


@dataclass(frozen=True)
class EnhancedBetaLikeness(BetaLikeness):
    """β-likeness with the tighter bound for values that are common already."""

    enhanced: ClassVar[bool] = True


@dataclass(frozen=True)
class DeltaDisclosure(SensitiveModel):
    """|ln(p/q)| < δ for every value that a class holds (Brickell and Shmatikov, KDD 2008).

    A value that only one part of a merged class holds loses share in it, so the model is monotone in neither way.
    """

    delta: Fraction
    declared: ClassVar[ModelWord]
    template: ClassVar[str] = "privacy/delta_disclosure.sql.j2"
    reaches: ClassVar[Literal["least", "most"] | None] = "most"

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """Shares below e^δ·q that sum to 1 or more: the values hold more than e^−δ of the source."""
        return SourceMass.at_least(Fraction(math.exp(-self.delta)), "total")

    def parameters(self) -> Mapping[str, object]:
        """δ."""
        return {"d": plain(self.delta)}


def _alpha(alpha: Fraction | None = None, shares: Mapping[str, Fraction] | None = None) -> SensitiveModel:
    if shares is not None:
        return AlphaK(None, tuple(shares.items()))
    return AlphaK(alpha)


_SHARE = Parameter("alpha", "number", "the largest share", least=0, most=1, above=True, required=False)

AlphaK.declared = ModelWord(
    "alpha_k",
    "no value, or none of those named, has a share above alpha",
    (_SHARE, Parameter("shares", "shares", "value to largest share", least=0, most=1, required=False)),
    _alpha,
    scalar="alpha",
    alternative="shares",
)
BetaLikeness.declared = ModelWord(
    "basic_beta_likeness",
    "no value's share rises by more than b times that of the source",
    (Parameter("b", "number", "how much a share may rise", least=0),),
    lambda b: BetaLikeness(b),
    scalar="b",
)
EnhancedBetaLikeness.declared = ModelWord(
    "enhanced_beta_likeness",
    "the same, and less for values that are common",
    (Parameter("b", "number", "how much a share may rise", least=0),),
    lambda b: EnhancedBetaLikeness(b),
    scalar="b",
)
DeltaDisclosure.declared = ModelWord(
    "delta_disclosure",
    "no share is multiplied or divided by e^d or more",
    (Parameter("d", "number", "the bound on |ln(p/q)|", least=0, above=True),),
    lambda d: DeltaDisclosure(d),
    scalar="d",
)
