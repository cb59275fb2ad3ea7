"""The lattice of distance vectors: pure arithmetic on levels, no SQL, no data.

A distance vector holds one level per quasi-identifier, in the order of the quasi-identifiers. Vectors are
ordered coordinate-wise; the height of a vector is the sum of its levels (Samarati 2001, sections 3 and 5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

DistanceVector = tuple[int, ...]

# A level fits a byte: the search packs levels into byte strings.
MAX_LEVEL = 255
# How many vectors of the last quasi-identifiers are held at once, so that a height is listed quickly.
MOST_TAILS = 1 << 12


def height(vector: DistanceVector) -> int:
    """The height of a vector: the sum of its levels.

    >>> height((1, 0, 2))
    3
    """
    return sum(vector)


def dominates(upper: DistanceVector, lower: DistanceVector) -> bool:
    """Whether ``lower`` ≤ ``upper`` in every coordinate.

    >>> dominates((1, 2), (1, 0)), dominates((1, 0), (0, 1))
    (True, False)
    """
    return all(low <= up for low, up in zip(lower, upper, strict=True))


def meet_of(vectors: Sequence[DistanceVector]) -> DistanceVector:
    """The highest vector that is below all of some.

    >>> meet_of([(1, 2), (2, 0)]), meet_of([(1, 2)])
    ((1, 0), (1, 2))
    """
    return tuple(map(min, zip(*vectors, strict=True)))


@dataclass(frozen=True)
class Lattice:
    """All distance vectors between a lowest and a highest one: ⊥ and ⊤.

    Restricting the levels moves ⊥ and ⊤ and nothing else: levels keep their numbers, a vector its height, and
    relative distances are shares of the hierarchies' own heights (DESIGN 7).

    Args:
        heights: the height of each quasi-identifier's hierarchy, in the order of the quasi-identifiers.
        lowest: the lowest level allowed of each; None is the ground.
        highest: the highest level allowed of each; None is the top of its hierarchy.

    >>> lattice = Lattice((1, 4), lowest=(0, 1), highest=(1, 2))
    >>> lattice.bottom, lattice.top, lattice.size, (0, 0) in lattice
    ((0, 1), (1, 2), 4, False)
    """

    heights: tuple[int, ...]
    lowest: DistanceVector | None = None
    highest: DistanceVector | None = None

    def __post_init__(self) -> None:
        ranges = zip(self.bottom, self.top, self.heights, strict=True)
        if not all(0 <= low <= high <= top for low, high, top in ranges):
            raise ValueError("a level lies outside its hierarchy, or the lowest above the highest")

    @property
    def bottom(self) -> DistanceVector:
        """⊥: every quasi-identifier at the lowest level allowed."""
        return (0,) * len(self.heights) if self.lowest is None else self.lowest

    @property
    def top(self) -> DistanceVector:
        """⊤: every quasi-identifier at the highest level allowed."""
        return self.heights if self.highest is None else self.highest

    @property
    def least_height(self) -> int:
        """The height of ⊥."""
        return sum(self.bottom)

    @property
    def height(self) -> int:
        """The height of ⊤."""
        return sum(self.top)

    @property
    def steps(self) -> tuple[int, ...]:
        """How many levels lie between ⊥ and ⊤, per quasi-identifier."""
        return tuple(high - low for low, high in zip(self.bottom, self.top, strict=True))

    def without(self, position: int) -> Lattice:
        """The lattice of the other quasi-identifiers.

        >>> Lattice((1, 4, 2), lowest=(0, 1, 2)).without(1)
        Lattice(heights=(1, 2), lowest=(0, 2), highest=(1, 2))
        """
        return Lattice(*(without(each, position) for each in (self.heights, self.bottom, self.top)))

    @property
    def size(self) -> int:
        """How many vectors the lattice has.

        >>> Lattice((1, 4, 1, 2, 3)).size
        240
        """
        return prod(step + 1 for step in self.steps)

    def __contains__(self, vector: object) -> bool:
        return (
            isinstance(vector, tuple)
            and len(vector) == len(self.heights)
            and all(
                isinstance(v, int) and low <= v <= high
                for v, low, high in zip(vector, self.bottom, self.top, strict=True)
            )
        )

    def count_at(self, level: int) -> int:
        """How many vectors have this height: a coefficient of Π(x^low + … + x^high).

        >>> [Lattice((1, 2)).count_at(h) for h in range(4)]
        [1, 2, 2, 1]
        >>> [Lattice((1, 2), lowest=(0, 1)).count_at(h) for h in range(4)]
        [0, 1, 2, 1]
        """
        above = level - self.least_height
        return self._counts[above] if 0 <= above < len(self._counts) else 0

    @cached_property
    def _counts(self) -> list[int]:
        """How many vectors each height has, from that of ⊥ upwards."""
        counts = [1]
        for steps in self.steps:
            grown = [0] * (len(counts) + steps)
            for at, ways in enumerate(counts):
                for step in range(steps + 1):
                    grown[at + step] += ways
            counts = grown
        return counts

    def relative_distance(self, vector: DistanceVector) -> Fraction:
        """Σ d/h, exact, h being the hierarchy's own height; a quasi-identifier of height 0 counts 0 (Samarati 2001,
        section 6).

        >>> Lattice((1, 2, 0)).relative_distance((1, 1, 0))
        Fraction(3, 2)
        """
        return sum((Fraction(v, top) for v, top in zip(vector, self.heights, strict=True) if top), Fraction())

    def preference(self, vector: DistanceVector) -> tuple[Fraction, DistanceVector]:
        """The sort key among vectors of one height: smaller relative distance, then smaller vector."""
        return (self.relative_distance(vector), vector)

    def at_height(self, level: int) -> Iterator[DistanceVector]:
        """Every vector of this height in order of :meth:`preference`, one at a time, nothing held.

        The distinct relative distances at the height are walked upwards; for each, a depth-first walk in
        order of the quasi-identifiers takes only steps from which the rest can still reach both the height
        and the distance, so the first vector comes at once however large the level is.

        >>> list(Lattice((1, 2)).at_height(2))
        [(0, 2), (1, 1)]
        >>> list(Lattice((1, 2), highest=(1, 1)).at_height(2))
        [(1, 1)]
        """
        if not self.least_height <= level <= self.height:
            return
        ranges = [range(low, high + 1) for low, high in zip(self.bottom, self.top, strict=True)]
        weights, (split, tails) = self._weights, self._tails
        # reach[i]: the (height, scaled distance) pairs that quasi-identifiers i, i+1, … can add up to.
        reach: list[Collection[tuple[int, int]]] = [tails]
        for levels, weight in zip(reversed(ranges[:split]), reversed(weights[:split]), strict=True):
            reach.append({(h + d, r + d * weight) for h, r in reach[-1] for d in levels})
        reach.reverse()

        def walk(at: int, left: int, distance: int, prefix: DistanceVector) -> Iterator[DistanceVector]:
            if at == split:
                for tail in tails[left, distance]:
                    yield prefix + tail
                return
            for step in ranges[at]:
                rest = (left - step, distance - step * weights[at])
                if rest in reach[at + 1]:
                    yield from walk(at + 1, *rest, (*prefix, step))

        for distance in sorted(r for h, r in reach[0] if h == level):
            yield from walk(0, level, distance, ())

    @cached_property
    def _weights(self) -> list[int]:
        """What a step of each quasi-identifier adds to the relative distance, scaled to whole numbers."""
        unit = lcm(*(top for top in self.heights if top), 1)
        return [unit // top if top else 0 for top in self.heights]

    @cached_property
    def _tails(self) -> tuple[int, dict[tuple[int, int], list[DistanceVector]]]:
        """Every vector of the last quasi-identifiers, of so many as make a small table: how many stand before
        them, and by (height, scaled distance) the vectors, in order."""
        split, size = len(self.heights), 1
        tails: dict[tuple[int, int], list[DistanceVector]] = {(0, 0): [()]}
        while split and (size := size * (self.steps[split - 1] + 1)) <= MOST_TAILS:
            split -= 1
            grown: dict[tuple[int, int], list[DistanceVector]] = {}
            for step in range(self.bottom[split], self.top[split] + 1):
                for (h, r), vectors in tails.items():
                    key = (h + step, r + step * self._weights[split])
                    grown.setdefault(key, []).extend((step, *tail) for tail in vectors)
            tails = grown
        return split, tails


def without(vector: DistanceVector, position: int) -> DistanceVector:
    """A vector of the other quasi-identifiers.

    >>> without((1, 4, 2), 1)
    (1, 2)
    """
    return (*vector[:position], *vector[position + 1 :])


def named(vector: DistanceVector, names: Sequence[str]) -> dict[str, int]:
    """A vector as a mapping of quasi-identifier to level.

    >>> named((1, 2), ["age", "zip"])
    {'age': 1, 'zip': 2}
    """
    return dict(zip(names, vector, strict=True))


@dataclass(frozen=True)
class Counts:
    """What an engine found at a vector.

    Attributes:
        outliers: rows that would be suppressed, unmapped rows included.
        violating_classes: how many equivalence classes violate the privacy models.
        proven: a number of rows that is suppressed at the least at this vector and at every smaller one, where
            that is not the number of outliers itself: some models are not monotone under suppression.
        estimate: where only a part of the classes was counted, so that all of the above are there at the least:
            about how many rows the floor is in the whole.
        withheld: whether some value of a column would lose more of its rows than it may; asked only where the
            outliers are within MaxSup.
        withheld_below: whether that is proven of this vector and of every smaller one.
    """

    outliers: int
    violating_classes: int
    proven: int | None = None
    estimate: int | None = None
    withheld: bool = False
    withheld_below: bool = False

    @property
    def floor(self) -> int:
        """How many rows are suppressed at the least at this vector and at every smaller one.

        >>> Counts(7, 2).floor, Counts(7, 2, proven=3).floor
        (7, 3)
        """
        return self.outliers if self.proven is None else self.proven

    @property
    def about(self) -> int:
        """The floor, or about what it is where it was not counted whole."""
        return self.floor if self.estimate is None else self.estimate


@dataclass(frozen=True)
class Prior:
    """What is known of a large table before anything is counted.

    Attributes:
        rows: its rows.
        k: the least size of a class.
        labels: per quasi-identifier, per level, how many labels there are.
    """

    rows: int
    k: int
    labels: Sequence[Sequence[int]]
