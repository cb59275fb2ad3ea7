"""What a search has learnt about the lattice, and what follows from it without asking.

Both rules rest on one fact: the number of suppressed rows never rises with the vector (Samarati 2001,
section 4: classes only merge, so a class that satisfies stays in a class that satisfies). They are sound for
models that are monotone under suppression, k-anonymity among them, and for no others.

* fail pruning: if ``c`` suppresses more than MaxSup, so does every ``v`` ≤ ``c``.
* pass pruning: if ``p`` suppresses at most MaxSup, so does every ``v`` ≥ ``p``.

A :class:`Stretch` of vectors holds one bit per vector for "its level of this quasi-identifier is at most t",
so that the vectors below (or above) a known one are found by a few ANDs of long integers, however many
vectors there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, reduce
from operator import and_, itemgetter, or_

from kanon_sql.lattice import MAX_LEVEL, DistanceVector, Lattice, height

# How many failing vectors above one are looked at for the best.
_LOOKED_AT = 8


@lru_cache(maxsize=MAX_LEVEL + 1)
def _at_most(level: int) -> bytes:
    """A table that turns a level into the digit 1 if it is at most this one, else 0."""
    return bytes(ord("1") if value <= level else ord("0") for value in range(256))


class Stretch:
    """Some vectors of one height, in order, as bit sets: bit i stands for ``vectors[i]``.

    >>> stretch = Stretch(Lattice((1, 2)), [(0, 2), (1, 1)])
    >>> stretch.below((1, 1)), stretch.above((0, 1))
    (2, 3)
    """

    def __init__(self, lattice: Lattice, vectors: Sequence[DistanceVector]) -> None:
        self.vectors = vectors
        self.height = height(vectors[0])
        self.everything = (1 << len(vectors)) - 1
        self._at_most: list[list[int]] = []
        for position, (low, high, top) in enumerate(
            zip(lattice.bottom, lattice.top, lattice.heights, strict=True)
        ):
            levels = bytes(map(itemgetter(position), vectors))[::-1]
            between = [int(levels.translate(_at_most(t)), 2) for t in range(low, high)]
            # A level outside a restricted lattice has its place too: something may be known of it.
            self._at_most.append([0] * low + between + [self.everything] * (top - high + 1))

    def below(self, vector: DistanceVector) -> int:
        """The vectors that are ≤ this one."""
        return reduce(and_, (sets[v] for sets, v in zip(self._at_most, vector, strict=True)))

    def below_one_up(self, vector: DistanceVector, among: int) -> list[int]:
        """Per quasi-identifier: those ``among`` the vectors that are ≤ this one, were it one level higher there.

        At the top of a quasi-identifier there is no such level: the vectors that are ≤ this one.
        """
        # All but the one quasi-identifier: the ANDs over those before it and over those after it.
        found = []
        for sets, level in zip(self._at_most, vector, strict=True):
            found.append(among)
            among &= sets[level]
        after = self.everything
        for position in range(len(vector) - 1, -1, -1):
            sets, level = self._at_most[position], vector[position]
            found[position] &= after & sets[min(level + 1, len(sets) - 1)]
            after &= sets[level]
        return found

    def above(self, vector: DistanceVector) -> int:
        """The vectors that are ≥ this one."""
        lower = (sets[v - 1] for sets, v in zip(self._at_most, vector, strict=True) if v)
        return self.everything & ~reduce(or_, lower, 0)

    def among(self, known: AbstractSet[DistanceVector]) -> int:
        """The vectors that are in this set."""
        if not known:
            return 0
        return sum(1 << i for i, vector in enumerate(self.vectors) if vector in known)


def lowest_bit(bits: int) -> int:
    """The position of the lowest bit that is set.

    >>> lowest_bit(12)
    2
    """
    return (bits & -bits).bit_length() - 1


class UpperSet:
    """The vectors that are at or above any of some.

    >>> upper = UpperSet(Lattice((2, 2)), [(0, 1)])
    >>> (0, 2) in upper, (2, 0) in upper
    (True, False)
    """

    def __init__(self, lattice: Lattice, vectors: Iterable[DistanceVector] = ()) -> None:
        # Bit i of [position][t]: the i-th vector's level there is at most t.
        self._at_most = [[0] * (top + 1) for top in lattice.heights]
        self._size = 0
        for vector in vectors:
            self.add(vector)

    def add(self, vector: DistanceVector) -> None:
        """Put a vector in, and everything above it."""
        if vector in self:
            return
        bit = 1 << self._size
        self._size += 1
        for sets, level in zip(self._at_most, vector, strict=True):
            for at in range(level, len(sets)):
                sets[at] |= bit

    def __contains__(self, vector: DistanceVector) -> bool:
        below = (1 << self._size) - 1
        for sets, level in zip(self._at_most, vector, strict=True):
            below &= sets[level]
            if not below:
                return False
        return bool(below)


class LowerSet:
    """The vectors that are at or below any of some, and of those some the one that rules a vector out best.

    >>> lower = LowerSet(Lattice((2, 2)), [(0, 1), (1, 0)])
    >>> lower.above((0, 1)), lower.above((1, 1))
    ((0, 1), None)
    """

    def __init__(self, lattice: Lattice, vectors: Iterable[DistanceVector] = ()) -> None:
        # Bit i of [position][t]: the i-th vector's level there is at least t.
        self._at_least = [[0] * (top + 1) for top in lattice.heights]
        self._vectors: list[DistanceVector] = []
        for vector in vectors:
            self.add(vector)

    def add(self, vector: DistanceVector) -> None:
        """Put a vector in, and everything below it."""
        bit = 1 << len(self._vectors)
        self._vectors.append(vector)
        for sets, level in zip(self._at_least, vector, strict=True):
            for at in range(level + 1):
                sets[at] |= bit

    def above(self, vector: DistanceVector) -> DistanceVector | None:
        """Of the vectors that were put in, the highest that is at or above this one; the last of several."""
        found = (1 << len(self._vectors)) - 1
        for sets, level in zip(self._at_least, vector, strict=True):
            found &= sets[level]
            if not found:
                return None
        best: DistanceVector | None = None
        # The last ones that were asked are those near the boundary; the best of a few will do.
        for _ in range(_LOOKED_AT):
            if not found:
                break
            last = found.bit_length() - 1
            found ^= 1 << last
            if best is None or height(self._vectors[last]) > height(best):
                best = self._vectors[last]
        return best


class Knowledge:
    """The vectors known to fail and to satisfy, by height.

    >>> known = Knowledge()
    >>> known.learn((1, 1), passes=False); known.learn((2, 1), passes=True)
    >>> stretch = Stretch(Lattice((2, 2)), [(0, 1), (1, 0)])
    >>> known.failing_in(stretch), known.passing_in(stretch)
    (3, 0)
    """

    def __init__(
        self, failing: Iterable[DistanceVector] = (), passing: Iterable[DistanceVector] = ()
    ) -> None:
        self._failing: dict[int, set[DistanceVector]] = defaultdict(set)
        self._passing: dict[int, set[DistanceVector]] = defaultdict(set)
        for vector in failing:
            self.learn(vector, passes=False)
        for vector in passing:
            self.learn(vector, passes=True)

    def learn(self, vector: DistanceVector, *, passes: bool) -> None:
        """Take in the verdict on one vector."""
        (self._passing if passes else self._failing)[height(vector)].add(vector)

    @property
    def failing(self) -> list[DistanceVector]:
        """Every vector known to fail."""
        return [vector for vectors in self._failing.values() for vector in vectors]

    @property
    def passing(self) -> list[DistanceVector]:
        """Every vector known to satisfy."""
        return [vector for vectors in self._passing.values() for vector in vectors]

    def failing_in(self, stretch: Stretch) -> int:
        """The vectors of a stretch that provably fail: those at or below one that fails."""
        above = [v for level, vectors in self._failing.items() if level > stretch.height for v in vectors]
        # At the same height a vector is below itself alone.
        same = stretch.among(self._failing.get(stretch.height, set()))
        return reduce(or_, map(stretch.below, above), same)

    def passing_in(self, stretch: Stretch) -> int:
        """The vectors of a stretch that provably satisfy: those at or above one that satisfies."""
        below = [v for level, vectors in self._passing.items() if level < stretch.height for v in vectors]
        same = stretch.among(self._passing.get(stretch.height, set()))
        return reduce(or_, map(stretch.above, below), same)
