"""Preference policies: which of several vectors that satisfy is released (Samarati 2001, section 6; DESIGN 7).

Every policy gives a vector a number, of which less is preferred. Several are chained: the second decides among
those that the first finds equal. What they leave open is decided by the order of DESIGN 5.11 with the height before
it, so that the choice never depends on the order of asking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kanon_sql.lattice import DistanceVector, Lattice, height
from kanon_sql.measures import Facts


@dataclass(frozen=True)
class Policy:
    """A preference among vectors.

    Attributes:
        word: its word in the spec.
        says: what it prefers, for people.
        cost: a vector's number; less is preferred.
        counts: whether it looks at what is released at the vector, which must then be counted.
    """

    word: str
    says: str
    cost: Callable[[Lattice, DistanceVector, Facts | None], Fraction | int]
    counts: bool = False


def _classes(facts: Facts | None) -> int:
    if facts is None or facts.classes is None:
        raise ValueError("the policy needs the classes of every vector")
    return facts.classes


def _released(facts: Facts | None) -> int:
    if facts is None:
        raise ValueError("the policy needs the rows that every vector releases")
    return facts.released


POLICIES: Mapping[str, Policy] = {
    policy.word: policy
    for policy in (
        Policy("absolute_distance", "the smallest Σ d", lambda _, vector, __: height(vector)),
        Policy(
            "relative_distance",
            "the smallest Σ d/h",
            lambda lattice, vector, _: lattice.relative_distance(vector),
        ),
        Policy("distribution", "the most distinct tuples", lambda _, __, facts: -_classes(facts), True),
        Policy("suppression", "the most rows kept", lambda _, __, facts: -_released(facts), True),
    )
}


def order(lattice: Lattice, vector: DistanceVector) -> tuple[int, Fraction, DistanceVector]:
    """The sort key that leaves nothing open: less height, then the order of DESIGN 5.11.

    >>> sorted([(1, 0), (0, 1), (0, 0)], key=lambda each: order(Lattice((1, 2)), each))
    [(0, 0), (0, 1), (1, 0)]
    """
    return (height(vector), *lattice.preference(vector))


def prefer(
    lattice: Lattice,
    vectors: Iterable[DistanceVector],
    policies: Sequence[Policy],
    facts: Mapping[DistanceVector, Facts] | None = None,
) -> DistanceVector:
    """The vector that policies, one after another, prefer.

    Args:
        lattice: the lattice of the vectors.
        vectors: at least one.
        policies: the first decides, the next among those that it finds equal; none leaves the order to decide.
        facts: of every vector, where a policy looks at them.

    >>> prefer(Lattice((1, 4)), [(1, 0), (0, 1)], [POLICIES["relative_distance"]])
    (0, 1)
    """
    known = facts or {}
    return min(
        vectors,
        key=lambda vector: (
            *(policy.cost(lattice, vector, known.get(vector)) for policy in policies),
            *order(lattice, vector),
        ),
    )
