"""Form b: distance vectors between tuples (Samarati 2001, section 5; Knowl 8).

No row is ever generalized and nothing is grouped by a generalized value. For every distinct tuple x below
k, the tuples y whose distance vector to x is at most the vector asked for are those which fall together with
x; x is suppressed when their counts add up to less than k. With persons (DESIGN 5.8) the sets of persons are
united, as counts of persons do not add up. Uses neither ``by_grouping`` nor ``OracleHierarchy.generalize``.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.model import OracleHierarchy, OracleUnmapped, Value, Vector, checked, typed


class _Tuple:
    """A distinct tuple of the table: its paths, how many rows it has, and who they belong to."""

    def __init__(self, paths: tuple[tuple[tuple[str, Value], ...], ...]) -> None:
        self.paths = paths
        self.rows = 0
        self.persons: set[tuple[str, Value]] = set()


class ByDistanceMatrix:
    """Required suppression from the matrix VT: a row per outlier tuple, a column per tuple."""

    def __init__(
        self,
        rows: Sequence[tuple[Value, ...]],
        hierarchies: Sequence[OracleHierarchy],
        k: int,
        persons: Sequence[Value] | None = None,
    ) -> None:
        checked(rows, hierarchies, k, persons)
        self.k = k
        self.by_person = persons is not None
        self.heights: Vector = tuple(h.height for h in hierarchies)
        self.unmapped_rows = 0
        """Rows that left before any tuple was counted (``unmapped: suppress``, DESIGN 5.3)."""
        found: dict[tuple[tuple[str, Value], ...], _Tuple] = {}
        for index, row in enumerate(rows):
            paths = [_path(h, value) for h, value in zip(hierarchies, row, strict=True)]
            present = tuple(path for path in paths if path is not None)
            if len(present) < len(paths):
                self.unmapped_rows += 1
                continue
            entry = found.setdefault(tuple(typed(value) for value in row), _Tuple(present))
            entry.rows += 1
            if persons is not None:
                entry.persons.add(typed(persons[index]))
        self.tuples = list(found.values())
        self.candidates = [x for x in self.tuples if (len(x.persons) if self.by_person else x.rows) < k]
        """The outliers of the table as it stands: only these can ever be suppressed."""
        self.matrix = [[_distance(x, y) for y in self.tuples] for x in self.candidates]

    def cluster_size(self, candidate: int, vector: Sequence[int]) -> int:
        """C_x: the size, as k counts it, of what falls together with the candidate at the vector."""
        near = [
            y
            for y, distance in zip(self.tuples, self.matrix[candidate], strict=True)
            if all(d <= level for d, level in zip(distance, vector, strict=True))
        ]
        if self.by_person:
            return len(set().union(*(y.persons for y in near)))
        return sum(y.rows for y in near)

    def outliers(self, vector: Sequence[int]) -> int:
        """req_sup: how many ROWS must be suppressed at the vector."""
        required = sum(
            x.rows for index, x in enumerate(self.candidates) if self.cluster_size(index, vector) < self.k
        )
        return self.unmapped_rows + required


def _path(hierarchy: OracleHierarchy, value: Value) -> tuple[tuple[str, Value], ...] | None:
    """The value's way up, level 0 to the top; None when its row leaves before tuples are counted."""
    path: tuple[Value, ...]
    known = [p for p in [hierarchy.paths.get(value)] if p is not None and typed(p[0]) == typed(value)]
    if known:
        path = known[0]
    elif value is None:  # an own value until the top takes it in
        path = (None,) * hierarchy.height + (hierarchy.top,)
    elif hierarchy.unmapped == "top":
        path = (hierarchy.top,) * (hierarchy.height + 1)
    elif hierarchy.unmapped == "suppress":
        return None
    else:
        raise OracleUnmapped(repr(value))
    return tuple(typed(label) for label in path)


def _distance(x: _Tuple, y: _Tuple) -> Vector:
    """V_xy: per QI the lowest level at which the two ways up meet (in trees they never part again)."""
    distance = []
    for up, other in zip(x.paths, y.paths, strict=True):
        meeting = [level for level, (a, b) in enumerate(zip(up, other, strict=True)) if a == b]
        if meeting != list(range(meeting[0], len(up))):
            raise ValueError(f"not a tree: {up!r} and {other!r} meet and part")
        distance.append(meeting[0])
    return tuple(distance)
