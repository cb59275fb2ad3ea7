"""Non-uniform entropy: how many bits it would take to tell the original values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kanon_sql.measures.base import Facts, LabelLoss, Losses, losses_of

# −log₂(original / generalized) is log₂(generalized) − log₂(original): the first is a loss of the label, the second
# the same at every vector. Bits are counted in units of 2⁻⁴⁴, so that sums do not depend on the order of adding.
BITS = LabelLoss("non_uniform_entropy", "measures/non_uniform_entropy.sql.j2", unit=1 << 44, of_source=True)


@dataclass(frozen=True)
class NonUniformEntropy:
    """Σ over rows and quasi-identifiers of −log₂(count(original value) / count(generalized value)), in bits.

    Weighted: n·Σ w·x / Σ w over the n quasi-identifiers, which is the sum where weights are equal.

    Both counts are over the whole column of the input, before anything is suppressed. A suppressed row stands at the
    top, where every row does. A. Gionis, T. Tassa, "k-Anonymization with minimal loss of information", ESA 2007.
    """

    word: str = "non_uniform_entropy"
    better: Literal["high", "low"] = "low"
    range: str = "0 (the table as it was) to the bits of all columns (everything suppressed or at its top)"
    loss: LabelLoss | None = BITS

    def value(self, facts: Facts) -> float:
        """The bits lost in a release."""
        losses = losses_of(facts, BITS)
        gone = facts.suppressed
        sums = [lost + gone * most for lost, most in zip(losses.released, losses.most, strict=True)]
        return self._bits(facts, sums, losses)

    def bound(self, facts: Facts) -> float:
        """The bits lost if no class left.

        Proof. Let v ≥ u. As many rows or more have a row's generalized value at v as at u, and no value has more than
        the top, where suppressed rows stand; unmapped rows stand there at both. What is subtracted is the same. It
        needs the sums per quasi-identifier and level, once, and no count of the vector.
        """
        losses = losses_of(facts, BITS)
        return self._bits(facts, losses.everything, losses)

    def _bits(self, facts: Facts, sums: Sequence[int], losses: Losses) -> float:
        lost, whole = facts.mean(
            [(end - start, BITS.unit) for end, start in zip(sums, losses.original, strict=True)]
        )
        return len(sums) * lost / whole
