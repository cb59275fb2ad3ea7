"""What follows from several models: a class must hold values that make up enough of the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from kanon_sql.privacy.base import SensitiveModel
from kanon_sql.privacy.numbers import plain


@dataclass(frozen=True)
class SourceMass(SensitiveModel):
    """The source shares of the values that a class holds sum to at least ``least``.

    Not a word of the spec: other models imply it. A merged class holds the values of both, so it is monotone
    under generalization and suppression, whatever is counted.

    Attributes:
        of: what a share is a share of: the ``mass`` (the sum of the counts), or the ``total`` (rows, or persons,
            of which one may hold several values).
        rows_template: the template of the model that implies it, where that has the rows it needs.
    """

    least: Fraction
    of: Literal["mass", "total"] = "mass"
    rows_template: str | None = None
    template: ClassVar[str] = "privacy/source_mass.sql.j2"
    monotone_under_generalization: ClassVar[bool] = True
    monotone_under_suppression: ClassVar[bool] = True
    regardless_of_counts: ClassVar[bool] = True

    @classmethod
    def at_least(
        cls, least: Fraction, of: Literal["mass", "total"] = "mass", rows_template: str | None = None
    ) -> tuple[SensitiveModel, ...]:
        """The condition, or none where every class satisfies it."""
        return (cls(least, of, rows_template),) if least > 0 else ()

    @property
    def word(self) -> str:
        """It has none in the spec."""
        return "source_mass"

    def parameters(self) -> Mapping[str, object]:
        """The least share."""
        return {"least": plain(self.least)}
