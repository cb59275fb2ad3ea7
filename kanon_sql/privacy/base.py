"""What a privacy model must say of itself."""

from __future__ import annotations

from typing import Protocol


class PrivacyModel(Protocol):
    """A condition on every equivalence class of a release.

    The predicate template is given ``model`` (this object) and ``size`` (the SQL aggregate that is the
    class's size: rows, or distinct persons) and renders a boolean expression that is true when the class
    violates the model. A NULL counts as a violation.
    """

    @property
    def word(self) -> str:
        """The model's word in the spec."""
        ...

    @property
    def violation_template(self) -> str:
        """The template of the predicate that marks a class as violating."""
        ...

    @property
    def monotone_under_generalization(self) -> bool:
        """Whether merging classes that satisfy gives a class that satisfies."""
        ...

    @property
    def monotone_under_suppression(self) -> bool:
        """Whether merging a class that satisfies with ANY other gives a class that satisfies, so that the
        number of suppressed rows never rises with the vector."""
        ...
