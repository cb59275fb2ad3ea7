"""Form a: generalize every row and group (Samarati 2001, Knowl 4; DESIGN 5.1, 5.3, 5.5, 5.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.oracle.model import OracleHierarchy, Value, Vector, as_text, checked, typed

ClassKey = tuple[tuple[str, Value], ...]
"""The generalized values of a class, each with its type's name."""


class ByGrouping:
    """Minimal required suppression at a vector: the classes below k leave whole, and nothing else does."""

    def __init__(
        self,
        rows: Sequence[tuple[Value, ...]],
        hierarchies: Sequence[OracleHierarchy],
        k: int,
        persons: Sequence[Value] | None = None,
    ) -> None:
        checked(rows, hierarchies, k, persons)
        self.rows = list(rows)
        self.hierarchies = list(hierarchies)
        self.k = k
        self.persons = None if persons is None else list(persons)
        self.left_before = [self._leaves(row) for row in self.rows]
        self._kept_rows = [index for index, left in enumerate(self.left_before) if not left]
        self._columns: dict[tuple[int, int], list[int]] = {}
        self._names: list[tuple[str, Value]] = []
        self._numbers: dict[tuple[str, Value], int] = {}

    @property
    def heights(self) -> Vector:
        return tuple(h.height for h in self.hierarchies)

    def classes(self, vector: Sequence[int]) -> dict[ClassKey, list[int]]:
        """Every class at the vector, violating or not, with the indexes of its rows."""
        if len(vector) != len(self.hierarchies):
            raise ValueError("a vector has one level per QI")
        grouped: dict[tuple[int, ...], list[int]] = {}
        columns = [self._column(qi, level) for qi, level in enumerate(vector)]
        for index, key in zip(self._kept_rows, zip(*columns, strict=True), strict=True):
            grouped.setdefault(key, []).append(index)
        return {tuple(self._names[number] for number in key): members for key, members in grouped.items()}

    def size(self, members: Sequence[int]) -> int:
        """What k counts in a class: rows, or distinct persons (DESIGN 5.8)."""
        if self.persons is None:
            return len(members)
        return len({typed(self.persons[index]) for index in members})

    def class_sizes(self, vector: Sequence[int]) -> dict[ClassKey, int]:
        """The size, as k counts it, of every class at the vector."""
        return {key: self.size(members) for key, members in self.classes(vector).items()}

    def released_classes(self, vector: Sequence[int]) -> dict[ClassKey, list[int]]:
        """The classes that hold, with the indexes of their rows."""
        return {key: members for key, members in self.classes(vector).items() if self.size(members) >= self.k}

    def released_indexes(self, vector: Sequence[int]) -> list[int]:
        """The indexes of the rows released, ascending."""
        return sorted(index for members in self.released_classes(vector).values() for index in members)

    def outliers(self, vector: Sequence[int]) -> int:
        """How many ROWS are suppressed at the vector, those that left before classes formed included."""
        return len(self.rows) - sum(len(members) for members in self.released_classes(vector).values())

    def persons_lost(self, vector: Sequence[int]) -> int:
        """How many persons of the input have no row in the release."""
        if self.persons is None:
            raise ValueError("no persons given")
        kept = {typed(self.persons[index]) for index in self.released_indexes(vector)}
        return len({typed(person) for person in self.persons}) - len(kept)

    def released(
        self, vector: Sequence[int], payload: Sequence[tuple[Value, ...]] | None = None, text: bool = False
    ) -> list[tuple[Value, ...]]:
        """The released rows in the order of the input: generalized QIs, then the payload columns of that row.

        With ``text`` every QI is as a cast to VARCHAR gives it. Compare so where a column may have turned
        VARCHAR at level 0 (DESIGN 5.10).
        """
        listed = []
        for index in self.released_indexes(vector):
            row: tuple[Value, ...] = tuple(
                h.generalize(value, level)
                for h, value, level in zip(self.hierarchies, self.rows[index], vector, strict=True)
            )
            if text:
                row = tuple(as_text(value) for value in row)
            listed.append(row if payload is None else row + tuple(payload[index]))
        return listed

    def released_rows(
        self, vector: Sequence[int], payload: Sequence[tuple[Value, ...]] | None = None, text: bool = False
    ) -> Counter[tuple[Value, ...]]:
        """``released`` as a multiset: the order of rows is secret (DESIGN 5.9)."""
        return Counter(self.released(vector, payload, text))

    def _leaves(self, row: tuple[Value, ...]) -> bool:
        """Whether the row leaves before classes form. Every cell is looked at: one may be an error (5.3)."""
        leaving = [h.suppresses(value) for h, value in zip(self.hierarchies, row, strict=True)]
        return any(leaving)

    def _column(self, qi: int, level: int) -> list[int]:
        """One column at one level, over the rows that have not left; kept, as many vectors ask for it.

        Each generalized value stands there as a number, one per distinct typed value: quicker to group.
        """
        if (qi, level) not in self._columns:
            generalize = self.hierarchies[qi].generalize
            self._columns[qi, level] = [
                self._number(typed(generalize(self.rows[index][qi], level))) for index in self._kept_rows
            ]
        return self._columns[qi, level]

    def _number(self, value: tuple[str, Value]) -> int:
        if value not in self._numbers:
            self._numbers[value] = len(self._names)
            self._names.append(value)
        return self._numbers[value]
