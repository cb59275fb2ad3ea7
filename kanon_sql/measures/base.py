"""What a measure is given, and what it must say of itself.

Whole numbers all the way: shares, sums of losses and weights are integers over a common denominator, and one
division at the end makes the number that people see. So two vectors that tie do so exactly, whatever order an
engine adds in, and what the search prunes by a bound is not at the mercy of a last digit (DESIGN 5.11).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Literal, Protocol

from kanon_sql.lattice import DistanceVector, Lattice


@dataclass(frozen=True)
class LabelLoss:
    """A loss that a cell has by what its value became: one number per quasi-identifier, level and label.

    Its template, below ``sql/`` (``package:path`` for one that another package brings), defines macros,
    whose results are whole numbers, never NULL:

    * ``loss(given, kind)``: what a row loses whose value became the label, by the columns of relation ``l``:
      ``level``, ``height``, ``leaves`` (ground values of the hierarchy under the label), ``all_leaves`` (under
      the top), ``source_rows`` (rows of the source that became the label), ``all_rows`` (its rows). ``kind`` says
      what the value was: ``leaf`` (the hierarchy lists it), ``null`` (a NULL without a row there), or ``placed``
      (put at the top by `unmapped: top`). It must never fall as the level rises.
    * ``most(given)``: what a suppressed row loses, no less than any other; by ``all_leaves`` and ``all_rows`` of
      ``l`` alone.
    * ``original(given)``, where ``of_source`` is set: what a row is taken to have lost before anything was done, by
      ``o.n``, the rows that have its original value; it is subtracted from every row.

    Attributes:
        word: its name among the losses.
        template: where the macros are.
        unit: how many units, as the macros count, a loss of 1 has, for those whose losses are no whole numbers.
        of_source: whether ``source_rows`` and ``original`` are made use of, which costs a look at the source.
    """

    word: str
    template: str
    unit: int = 1
    of_source: bool = False


@dataclass(frozen=True)
class Losses:
    """The sums of a label loss, per quasi-identifier, in its own units.

    Attributes:
        released: over the released rows.
        everything: over all rows, as though no class left; an unmapped row is suppressed all the same.
        most: what one suppressed row loses.
        original: what all rows together are taken to have lost at the start.
    """

    released: tuple[int, ...]
    everything: tuple[int, ...]
    most: tuple[int, ...]
    original: tuple[int, ...]


@dataclass(frozen=True)
class Facts:
    """What is known of a vector and the release at it. What nobody has counted is None.

    Attributes:
        lattice: the lattice of the vector.
        vector: the vector.
        rows: of the input.
        released: of those, the rows that leave.
        weights: per quasi-identifier, whole (see :func:`whole_weights`); empty where all weigh the same.
        k: the least number of rows in a released class.
        max_suppressed: how many rows may be suppressed; a bound speaks of vectors that keep to it.
        unmapped: rows that are suppressed at every vector.
        classes: released classes.
        squares: Σ |E|² over them.
        all_classes: every class, those that are suppressed too.
        all_squares: Σ |E|² over them.
        losses: by the word of a :class:`LabelLoss`.
    """

    lattice: Lattice
    vector: DistanceVector
    rows: int
    released: int
    weights: tuple[int, ...] = ()
    k: int = 1
    max_suppressed: int = 0
    unmapped: int = 0
    classes: int | None = None
    squares: int | None = None
    all_classes: int | None = None
    all_squares: int | None = None
    losses: Mapping[str, Losses] = field(default_factory=dict)

    @property
    def suppressed(self) -> int:
        """The rows that do not leave, unmapped ones included."""
        return self.rows - self.released

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Per quasi-identifier level / height, as (numerator, denominator); 0 of a height of 0."""
        return [(v, top) if top else (0, 1) for v, top in zip(self.vector, self.lattice.heights, strict=True)]

    def mean(self, shares: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """The weighted mean Σ w·x / Σ w of one share per quasi-identifier, as (numerator, denominator).

        >>> Facts(Lattice((1, 2)), (0, 0), 1, 1, weights=(1, 3)).mean([(1, 1), (1, 2)])
        (5, 8)
        """
        listed = list(shares)
        weights = self.weights or (1,) * len(listed)
        unit = lcm(*(denominator for _, denominator in listed))
        total = sum(w * a * (unit // b) for w, (a, b) in zip(weights, listed, strict=True))
        return total, unit * sum(weights)


class Measure(Protocol):
    """A number about a release. Another package adds one by the entry point group ``kanon_sql.measures``."""

    @property
    def word(self) -> str:
        """The measure's word in the spec and in results."""
        ...

    @property
    def better(self) -> Literal["high", "low"]:
        """Which way is better."""
        ...

    @property
    def range(self) -> str:
        """Which numbers it can be, for people."""
        ...

    @property
    def loss(self) -> LabelLoss | None:
        """The label loss that it is made of, if it is."""
        ...

    def value(self, facts: Facts) -> float | None:
        """The measure of a release; None where it has none (a mean over no class).

        Raises:
            ValueError: the facts lack what it is made of.
        """
        ...

    def bound(self, facts: Facts) -> float | None:
        """What no vector at or above that of the facts beats, of those that suppress no more than
        ``max_suppressed`` rows; None where nothing is known. It reads of the facts only what is the same for every
        privacy model: never ``released``, ``classes``, ``squares``, nor released losses.
        """
        ...


def whole_weights(weights: Sequence[Fraction | float | int]) -> tuple[int, ...]:
    """Weights as the smallest whole numbers with the same ratios; empty where all are the same.

    >>> whole_weights([1, 0.5, Fraction(3, 4)]), whole_weights([0.1, 0.1])
    ((4, 2, 3), ())

    Raises:
        ValueError: a weight is negative or no number, or all are 0.
    """
    exact = [Fraction(str(weight)) for weight in weights]
    if min(exact, default=Fraction()) < 0 or not any(exact):
        raise ValueError("weights are not negative, and not all 0")
    unit = lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * unit) for weight in exact]
    return tuple(weight // gcd(*whole) for weight in whole) if len(set(whole)) > 1 else ()


def known(number: int | None, what: str) -> int:
    """A number of the facts that must have been counted.

    Raises:
        ValueError: it was not.
    """
    if number is None:
        raise ValueError(f"the facts do not say how many {what}")
    return number


def losses_of(facts: Facts, loss: LabelLoss) -> Losses:
    """The sums of a label loss that must have been counted.

    Raises:
        ValueError: they were not.
    """
    found = facts.losses.get(loss.word)
    if found is None:
        raise ValueError(f"the facts do not say the losses of {loss.word}")
    return found
