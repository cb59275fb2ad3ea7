"""A hierarchy as it stands in memory: one row per ground value, from level 0 up to one top value."""

from __future__ import annotations

from dataclasses import dataclass

FLAT_TOP = "*"
"""The top of a quasi-identifier given without a hierarchy, and the level that ``add_top`` adds.

Such a flat quasi-identifier has two levels, the value itself and this. It has no ``Hierarchy``: its
ground values are those of the data, so its mapping table is made by a query, not from a file.
"""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A tree of values up to one top value.

    Whoever makes one has checked it with ``rules.check_tree``; nothing is checked again here.

    Attributes:
        name: how it is shown in messages, e.g. ``hierarchies/age.csv``.
        level_names: one name per level, ground first; ``level_0`` … where the file has no header.
        rows: one path per ground value, ground first, ``height + 1`` cells. Only the ground cell may be
            ``None``, which is SQL's NULL; ``""`` is the empty string.
        lines: the line of the file on which each row starts.
        has_header: whether the first line of the file was read as a header.
        delimiter: what separates the cells of the file.
        sha256: of the file's bytes, in hexadecimal.
        warnings: what is allowed but worth saying, each a line of its own.

    >>> sex = Hierarchy("sex.csv", ("level_0", "level_1"), (("f", "*"), ("m", "*")), (1, 2), False, ";", "")
    >>> sex.height, sex.level_count, sex.top, sex.ground_values
    (1, 2, '*', ('f', 'm'))
    """

    name: str
    level_names: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    lines: tuple[int, ...]
    has_header: bool
    delimiter: str
    sha256: str
    warnings: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """The number of the top level: how many steps lead from the ground to the top."""
        return len(self.level_names) - 1

    @property
    def level_count(self) -> int:
        """How many levels there are, ground and top included."""
        return len(self.level_names)

    @property
    def top(self) -> str:
        """The one value of the top level."""
        top = self.rows[0][-1]
        assert top is not None, "check_tree lets no NULL stand at the top"
        return top

    @property
    def ground_values(self) -> tuple[str | None, ...]:
        """The values of level 0, in the order of the file."""
        return tuple(row[0] for row in self.rows)
