"""What a table reaches of every model, without being asked for thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp

from kanon_sql.privacy.base import SensitiveModel
from kanon_sql.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK, BetaLikeness, DeltaDisclosure, EnhancedBetaLikeness
from kanon_sql.privacy.t_closeness import EqualTCloseness, NumericTCloseness, OrderedTCloseness

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Figure:
    """One number about a sensitive column of a table.

    Attributes:
        name: its key in JSON.
        about: what it says, for people; ``{}`` is the number.
        model: the model whose bound it is; the parameters of the bound are not looked at.
    """

    name: str
    about: str
    model: SensitiveModel

    def value(self, found: float | int | None) -> float | int | None:
        """The number of what the engine answered: an entropy as the number of equally frequent values, to twelve
        digits, since five of them must not read 4.999999999999999."""
        if found is None or not isinstance(self.model, EntropyLDiversity):
            return found
        return float(f"{exp(found):.12g}")


def figures(*, ranked: bool, numeric: bool) -> Sequence[Figure]:
    """What is asked of a sensitive column.

    Args:
        ranked: whether its values have an order that means something.
        numeric: whether they are numbers or dates.
    """
    return (
        Figure("distinct_l", "distinct l-diversity, l", DistinctLDiversity(1)),
        Figure("entropy_l", "entropy l-diversity, l", EntropyLDiversity(_ONE)),
        Figure("recursive_c_for_l_2", "recursive (c, 2)-diversity, c above", RecursiveCLDiversity(_ONE, 2)),
        Figure("recursive_c_for_l_3", "recursive (c, 3)-diversity, c above", RecursiveCLDiversity(_ONE, 3)),
        Figure("t_equal", "t-closeness, equal distance, t", EqualTCloseness(_ZERO)),
        *(
            [Figure("t_ordered", "t-closeness, ordered distance, t", OrderedTCloseness(_ZERO))]
            if ranked
            else []
        ),
        *(
            [Figure("t_numeric", "t-closeness, numeric distance, t", NumericTCloseness(_ZERO))]
            if numeric
            else []
        ),
        Figure("alpha", "(alpha, k)-anonymity, alpha", AlphaK(_ONE)),
        Figure("basic_beta", "basic beta-likeness, beta", BetaLikeness(_ZERO)),
        Figure("enhanced_beta", "enhanced beta-likeness, beta", EnhancedBetaLikeness(_ZERO)),
        Figure("delta", "delta-disclosure, delta above", DeltaDisclosure(_ONE)),
    )
