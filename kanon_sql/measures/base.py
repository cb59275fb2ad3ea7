"""What a measure is given, and what it must say of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from kanon_sql.lattice import DistanceVector, Lattice


@dataclass(frozen=True)
class Facts:
    """What is known of a release: its vector, and rows in and out."""

    lattice: Lattice
    vector: DistanceVector
    rows: int
    released: int


class Measure(Protocol):
    """A number about a release."""

    @property
    def word(self) -> str:
        """The measure's word in the spec and in results."""
        ...

    @property
    def better(self) -> Literal["high", "low"]:
        """Which way is better."""
        ...

    def value(self, facts: Facts) -> float:
        """The measure of a release."""
        ...
