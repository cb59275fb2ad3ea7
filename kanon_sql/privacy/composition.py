"""What several models say together: which of their conditions a search may prune on (DESIGN 6, the trap)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from kanon_sql.privacy.base import PrivacyModel, SensitiveModel


@dataclass(frozen=True)
class Condition:
    """One condition on a class.

    Attributes:
        model: what it is.
        stated: whether the user asked for it; otherwise it follows from what was asked, and only bounds.
        sure: whether it is monotone under suppression: the rows in classes that violate it never get more as
            the vector rises.
        general: whether it is monotone under generalization: a class that violates it contains, at every
            smaller vector, a class that violates it.
    """

    model: PrivacyModel
    stated: bool
    sure: bool
    general: bool


def conditions_of_classes(models: Iterable[PrivacyModel]) -> tuple[Condition, ...]:
    """The conditions of models that look at no sensitive column."""
    return tuple(
        Condition(m, True, m.monotone_under_suppression, m.monotone_under_generalization) for m in models
    )


def conditions_of_values(
    models: Iterable[tuple[SensitiveModel, int | None]], count: Literal["rows", "persons"]
) -> tuple[Condition, ...]:
    """The conditions of models of one sensitive column, with what follows from them.

    Persons do not add up when classes merge (one may be in both), so where they are counted only a model that
    looks at no number stays monotone.

    Args:
        models: each with the height of its hierarchy, where it has one.
        count: what the column's numbers count.
    """
    found: dict[tuple[SensitiveModel, bool], Condition] = {}
    for model, height in models:
        for each, stated in [(model, True), *((implied, False) for implied in model.implied(height))]:
            keeps = count == "rows" or each.regardless_of_counts
            sure = keeps and each.monotone_under_suppression
            condition = Condition(each, stated, sure, keeps and each.monotone_under_generalization)
            # What follows and is not monotone after all bounds nothing; a model that is sure needs no bound.
            if stated or (sure and not (model.monotone_under_suppression and keeps)):
                found[each, stated] = condition
    return tuple(found.values())
