"""Values and hierarchies as the oracle sees them (DESIGN 5.1, 5.3, 5.4; Samarati 2001, Knowl 2)."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Value = Hashable
"""One cell: None is SQL NULL; else int, str, bool, datetime.date and the like."""

Vector = tuple[int, ...]
Unmapped = Literal["error", "suppress", "top"]


class OracleUnmapped(Exception):
    """A value has no row in the hierarchy and the policy is ``error`` (DESIGN 5.3)."""


def typed(value: Value) -> tuple[str, Value]:
    """The value with its type's name: in Python 1 == True == 1.0, in a database column they never meet.

    >>> typed(1) == typed(True)
    False
    """
    return type(value).__name__, value


def typed_counter(rows: Iterable[Sequence[Value]]) -> Counter[tuple[tuple[str, Value], ...]]:
    """A multiset of rows that tells 1 from True; compare two tables with it, order aside."""
    return Counter(tuple(typed(value) for value in row) for row in rows)


def as_text(value: Value) -> str | None:
    """What a cast to VARCHAR makes of the value: NULL stays NULL, booleans are lower case, dates ISO.

    >>> as_text(True), as_text(7), as_text(datetime.date(2024, 2, 9)), as_text("x "), as_text(None)
    ('true', '7', '2024-02-09', 'x ', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


@dataclass(frozen=True)
class OracleHierarchy:
    """One path per ground value: ``paths[v] == (v, label_1, …, label_height)``; its last entry is ``top``.

    ``top`` is a string, except at height 0, where it is the one ground value itself with its own type.
    The constructor checks that the paths are a tree up to one top (DESIGN 5.4), and raises ValueError if not.
    """

    paths: Mapping[Value, tuple[Value, ...]]
    height: int
    top: Value
    unmapped: Unmapped = "error"

    def __post_init__(self) -> None:
        parents: list[dict[tuple[str, Value], Value]] = [{} for _ in range(self.height)]
        for ground, path in self.paths.items():
            if len(path) != self.height + 1:
                raise ValueError(f"path {path!r} has not {self.height + 1} entries")
            if typed(path[0]) != typed(ground):
                raise ValueError(f"path {path!r} does not start at its ground value {ground!r}")
            if typed(path[-1]) != typed(self.top):
                raise ValueError(f"path {path!r} does not end at the top {self.top!r}")
            for label in path[1:]:
                if not isinstance(label, str) or not label.strip():
                    raise ValueError(f"label {label!r} above level 0 is no text, or blank")
            for level, (child, parent) in enumerate(pairwise(path)):
                if parents[level].setdefault(typed(child), parent) != parent:
                    raise ValueError(f"{child!r} at level {level} has two parents")
        if self.height == 0 and (self.top is None or len(self.paths) > 1):
            raise ValueError("a hierarchy of height 0 has one ground value, not NULL, which is its top")

    @classmethod
    def from_paths(cls, paths: Iterable[tuple[Value, ...]], unmapped: Unmapped = "error") -> OracleHierarchy:
        """Height and top are read off the (non-empty) paths."""
        listed = list(paths)
        return cls({path[0]: path for path in listed}, len(listed[0]) - 1, listed[0][-1], unmapped)

    def mapped(self, value: Value) -> bool:
        """Whether the hierarchy has a row for this very value (of this type)."""
        path = self.paths.get(value)
        return path is not None and typed(path[0]) == typed(value)

    def suppresses(self, value: Value) -> bool:
        """Whether a row with this value leaves before classes form; raises where the policy is ``error``.

        NULL without a row of its own is never unmapped: 5.1 says what becomes of it.
        """
        if value is None or self.mapped(value) or self.unmapped == "top":
            return False
        if self.unmapped == "error":
            raise OracleUnmapped(repr(value))
        return True

    def generalize(self, value: Value, level: int) -> Value:
        """The value at a level (DESIGN 5.1, 5.3). Ask ``suppresses`` first: such a value has no level."""
        if not 0 <= level <= self.height:
            raise ValueError(f"no level {level} in a hierarchy of height {self.height}")
        if self.mapped(value):
            return self.paths[value][level]
        if value is None:
            return self.top if level == self.height else None
        if self.unmapped == "top":
            return self.top
        raise OracleUnmapped(repr(value))


def flat(values: Iterable[Value], top: str = "*") -> OracleHierarchy:
    """The hierarchy of a QI given without one: value and ``*`` (DESIGN 5.4). NULL needs no row of its own."""
    return OracleHierarchy({v: (v, top) for v in values if v is not None}, 1, top)


def checked(
    rows: Sequence[tuple[Value, ...]],
    hierarchies: Sequence[OracleHierarchy],
    k: int,
    persons: Sequence[Value] | None,
) -> None:
    """Refuse a malformed question, so that a test cannot pass by asking nothing."""
    if any(len(row) != len(hierarchies) for row in rows):
        raise ValueError("a row is not as wide as there are hierarchies")
    if k < 1:
        raise ValueError("k is at least 1")
    if persons is not None and len(persons) != len(rows):
        raise ValueError("persons are not parallel to rows")
    if persons is not None and any(person is None for person in persons):
        raise ValueError("a NULL person is an error (DESIGN 5.8)")
