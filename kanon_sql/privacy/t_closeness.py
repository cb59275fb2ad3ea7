"""t-closeness: a class may tell little that the whole table does not (Li, Li and Venkatasubramanian, ICDE
2007). The distance between the distribution p of a class and q of the source is the earth mover's, under one
of four ground distances between values.

All four are convex in p, so a mixture of classes that are close is close: monotone under generalization. None
is monotone under suppression, since a class may merge with one that is far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from kanon_sql.privacy.base import ModelWord, Parameter, SensitiveModel
from kanon_sql.privacy.numbers import plain
from kanon_sql.privacy.source_mass import SourceMass

NullRank = Literal["first", "last"]


@dataclass(frozen=True)
class _TCloseness(SensitiveModel):
    t: Fraction
    declared: ClassVar[ModelWord]
    monotone_under_generalization: ClassVar[bool] = True
    distance: ClassVar[str]

    reaches: ClassVar[Literal["least", "most"] | None] = "most"

    def parameters(self) -> Mapping[str, object]:
        """t and the distance."""
        return {"t": plain(self.t), "distance": self.distance}

    def describe(self) -> str:
        """The model in words."""
        return f"t_closeness ({self.distance}, t {plain(self.t)})"


@dataclass(frozen=True)
class EqualTCloseness(_TCloseness):
    """Every value is as far from every other: ½ Σ |p − q| ≤ t."""

    distance: ClassVar[str] = "equal"
    template: ClassVar[str] = "privacy/t_closeness_equal.sql.j2"

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """The values of the class hold at least 1 − t of the source: ½ Σ |p − q| = Σ max(q − p, 0), and what
        the class lacks is all in that sum."""
        return SourceMass.at_least(1 - self.t, rows_template=self.template)


@dataclass(frozen=True)
class OrderedTCloseness(_TCloseness):
    """Values apart by their ranks: Σ |cumulative p − cumulative q| / (m − 1) ≤ t over the m ranks; m = 1: 0.

    Attributes:
        given_order: the values from first to last, as text; None for the column's own order.
        null_rank: where NULL stands, which has no rank of its own.
    """

    given_order: tuple[str, ...] | None = None
    null_rank: NullRank | None = None
    distance: ClassVar[str] = "ordered"
    template: ClassVar[str] = "privacy/t_closeness_ordered.sql.j2"

    @property
    def order(self) -> tuple[str, ...] | None:
        """The values from first to last."""
        return self.given_order

    @property
    def places_null(self) -> bool:
        """Only with a rank."""
        return self.null_rank is not None

    def parameters(self) -> Mapping[str, object]:
        """t, the distance, and what was said of the order."""
        said: dict[str, object] = dict(super().parameters())
        if self.given_order is not None:
            said["order"] = list(self.given_order)
        if self.null_rank is not None:
            said["null_rank"] = self.null_rank
        return said


@dataclass(frozen=True)
class NumericTCloseness(_TCloseness):
    """Values apart by their difference: ∫ |F_p − F_q| / (max − min) ≤ t; one value alone: 0. Dates count too."""

    distance: ClassVar[str] = "numeric"
    template: ClassVar[str] = "privacy/t_closeness_ordered.sql.j2"

    @property
    def places_null(self) -> bool:
        """NULL lies nowhere between numbers."""
        return False

    @property
    def numeric(self) -> bool:
        """Numbers or dates."""
        return True


@dataclass(frozen=True)
class HierarchicalTCloseness(_TCloseness):
    """Values apart by the level of their lowest common ancestor, over the hierarchy's height.

    The distance is Σ over inner nodes of (level / height) · min(surplus, deficit of its children), where the
    extra of a node is the sum of p − q below it, and surplus and deficit sum its positive and negative parts
    (Li et al. 2007, section 5.2). With A_L = Σ max(extra, 0) over the nodes of level L, a node N of level L has
    min(surplus, deficit) = surplus − max(extra(N), 0), so the sum is Σ_{L=1..H} (L/H)·(A_{L−1} − A_L), which is
    (1/H) · Σ_{L=0..H−1} A_L as A_H = 0: the mean, over the levels below the top, of the equal distance between
    the two distributions generalized to that level. That is what the SQL computes.
    """

    over: str = ""
    distance: ClassVar[str] = "hierarchical"
    template: ClassVar[str] = "privacy/t_closeness_hierarchical.sql.j2"

    @property
    def hierarchy(self) -> str | None:
        """The hierarchy over the sensitive values."""
        return self.over

    def implied(self, height: int | None) -> tuple[SensitiveModel, ...]:
        """The mean over H levels is at least a part 1/H of the ground level's distance: as for the equal one,
        with H·t for t."""
        return SourceMass.at_least(1 - self.t * height) if height else ()

    def parameters(self) -> Mapping[str, object]:
        """t, the distance and the hierarchy."""
        return {**super().parameters(), "hierarchy": self.over}


def _make(
    t: Fraction,
    distance: str,
    order: tuple[str, ...] | None = None,
    null_rank: NullRank | None = None,
    hierarchy: str | None = None,
) -> SensitiveModel:
    if distance != "ordered" and (order is not None or null_rank is not None):
        raise ValueError(f"order and null_rank are for distance: ordered, not {distance}")
    if distance != "hierarchical" and hierarchy is not None:
        raise ValueError(f"hierarchy is for distance: hierarchical, not {distance}")
    if distance == "equal":
        return EqualTCloseness(t)
    if distance == "ordered":
        return OrderedTCloseness(t, order, null_rank)
    if distance == "numeric":
        return NumericTCloseness(t)
    if hierarchy is None:
        raise ValueError("distance: hierarchical needs hierarchy:, a file over the values of the column")
    return HierarchicalTCloseness(t, hierarchy)


_TCloseness.declared = ModelWord(
    "t_closeness",
    "every class is distributed as the source, within t",
    (
        Parameter("t", "number", "how far a class may be", least=0, most=1),
        Parameter(
            "distance",
            "choice",
            "how far two values are apart",
            choices=("equal", "ordered", "numeric", "hierarchical"),
        ),
        Parameter("order", "texts", "the values from first to last", required=False),
        Parameter("null_rank", "choice", "where NULL stands", required=False, choices=("first", "last")),
        Parameter("hierarchy", "hierarchy", "a hierarchy over the values", required=False),
    ),
    _make,
)
