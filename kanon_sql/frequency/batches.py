"""How many vectors one statement asks: the rule for everything that asks a frequency set about many."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frequency.layout import BATCH_BITS
from kanon_sql.lattice import DistanceVector

# At the most, and at the least where several statements run side by side.
BATCH = 48
LEAST_IN_A_LANE = 8


def largest_batch() -> int:
    """How many vectors a statement takes: no more than there are numbers for beside a key."""
    return min(BATCH, 1 << BATCH_BITS)


def batch_of(many: int, lanes: int) -> int:
    """How many vectors each of the statements should ask that answer for so many, side by side in so many lanes.

    >>> batch_of(40, 2), batch_of(5, 2), batch_of(1000, 2)
    (20, 8, 48)
    """
    return min(largest_batch(), max(-(-many // lanes), LEAST_IN_A_LANE))


def pieces(vectors: Sequence[DistanceVector], size: int) -> list[Sequence[DistanceVector]]:
    """Vectors in pieces of nearly the same length, none longer than this.

    >>> pieces([(0,), (1,), (2,)], 2)
    [[(0,)], [(1,), (2,)]]
    """
    number = -(-len(vectors) // size)
    return [vectors[len(vectors) * i // number : len(vectors) * (i + 1) // number] for i in range(number)]
