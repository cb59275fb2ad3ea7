"""The rules of a hierarchy as pure checks: a tree, one row per ground value, up to one top value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_sql.hierarchy.csvtext import BLANK_LINE, Row
from kanon_sql.hierarchy.faults import Fault

if TYPE_CHECKING:
    from kanon_sql.hierarchy.model import Hierarchy


def check_tree(
    rows: Sequence[Row],
    lines: Sequence[int],
    *,
    add_top: bool = False,
    header_possible: bool = False,
) -> list[Fault]:
    """All faults of the rows of a hierarchy, in the order of their lines; none means that it is a tree.

    Args:
        rows: one path per ground value, ground first.
        lines: the line of the file on which each row starts.
        add_top: a top level is still to be added, so the last column need not hold one value.
        header_possible: the first row is the file's first line and might have been meant as a header.

    >>> check_tree([("a", "*"), ("b", "*")], [1, 2])
    []
    >>> [fault.what for fault in check_tree([("a", "*"), ("b", "*"), ("a", "*")], [1, 2, 3])]
    ['this row repeats that of line 1']
    """
    width = common_width(rows)
    faults = _ragged(rows, lines, width)
    if faults:
        pairs = [(row, line) for row, line in zip(rows, lines, strict=True) if len(row) == width]
        rows, lines = [row for row, _ in pairs], [line for _, line in pairs]
    columns = list(zip(*rows, strict=True))
    if columns:
        faults += _repeated_ground(rows, lines)
        for level, column in enumerate(columns):
            if level or (width == 1 and not add_top):
                faults += _blank(column, lines, level)
        for level in range(1, width - 1):
            faults += _two_parents(columns[level], columns[level + 1], lines, level)
        if not add_top:
            faults += _two_tops(columns[-1], lines, width, header_possible)
    return sorted(faults, key=lambda fault: fault.line)


def common_width(rows: Sequence[Row]) -> int:
    """The number of cells that most rows have, blank lines aside; of two as common, the first seen.

    >>> common_width([("a", "*"), ("b",), ("c", "*")])
    2
    """
    widths = Counter(len(row) for row in rows if row != BLANK_LINE) or Counter(map(len, rows))
    return max(widths, key=widths.__getitem__, default=0)


def levels_that_merge_nothing(rows: Sequence[Row]) -> list[int]:
    """The levels with as many values as the level below them, so that going up to them gains nothing.

    >>> levels_that_merge_nothing([("a", "A", "*"), ("b", "B", "*")])
    [1]
    """
    sizes = [len(set(column)) for column in zip(*rows, strict=True)]
    return [level for level in range(1, len(sizes)) if sizes[level] == sizes[level - 1]]


def top_below_top(hierarchy: Hierarchy) -> int | None:
    """The lowest level at which the top label stands with a parent other than itself, if there is one.

    Values that are placed at the top (``unmapped: top``) bear the top label at every level, so it must
    not mean something narrower at one of them.
    """
    top = hierarchy.top
    for level in range(hierarchy.height):
        if any(row[level] == top and row[level + 1] != top for row in hierarchy.rows):
            return level
    return None


def is_blank(cell: str | None) -> bool:
    """Whether a cell is NULL, empty or whitespace alone.

    >>> is_blank(None), is_blank(" "), is_blank("*")
    (True, True, False)
    """
    return cell is None or not cell.strip()


def cells(count: int) -> str:
    """A number of cells in words.

    >>> cells(1), cells(3)
    ('1 cell', '3 cells')
    """
    return f"{count} cell{'s' if count != 1 else ''}"


def _ragged(rows: Sequence[Row], lines: Sequence[int], width: int) -> list[Fault]:
    if all(len(row) == width for row in rows):
        return []
    faults = []
    for row, line in zip(rows, lines, strict=True):
        if row == BLANK_LINE and width > 1:
            faults.append(Fault(line, "a blank line", "remove it"))
        elif len(row) != width:
            mend = "give every line one cell per level, and put cells that hold the delimiter in quotes"
            faults.append(Fault(line, f"{cells(len(row))} where the other lines have {width}", mend))
    return faults


def _repeated_ground(rows: Sequence[Row], lines: Sequence[int]) -> list[Fault]:
    if len({row[0] for row in rows}) == len(rows):
        return []
    faults = []
    first: dict[str | None, int] = {}
    for index, row in enumerate(rows):
        before = first.setdefault(row[0], index)
        if before == index:
            continue
        mend = "remove one of the two" if row == rows[before] else "keep the one whose path is right"
        if row[0] is None:
            what = f"a second row for NULL, the first is on line {lines[before]}"
            mend += '; an empty cell is NULL, and `""` is the empty string'
        elif row == rows[before]:
            what = f"this row repeats that of line {lines[before]}"
        else:
            what = f"a second row for a ground value, the first is on line {lines[before]}"
        faults.append(Fault(lines[index], what, mend, () if row[0] is None else (row[0],)))
    return faults


def _blank(column: Sequence[str | None], lines: Sequence[int], level: int) -> list[Fault]:
    blanks = {label for label in set(column) if is_blank(label)}
    if not blanks:
        return []
    what = f"the cell of level {level} is blank" if level else "the only cell is the top, and is blank"
    return [
        Fault(line, what, "write a label there; only a ground value may be blank")
        for label, line in zip(column, lines, strict=True)
        if label in blanks
    ]


def _two_parents(
    labels: Sequence[str | None], parents: Sequence[str | None], lines: Sequence[int], level: int
) -> list[Fault]:
    if len(set(zip(labels, parents, strict=True))) == len(set(labels)):
        return []
    faults = {}
    first: dict[str | None, tuple[str | None, int]] = {}
    for label, parent, line in zip(labels, parents, lines, strict=True):
        if is_blank(label) or is_blank(parent):
            continue
        first_parent, first_line = first.setdefault(label, (parent, line))
        if parent != first_parent and label not in faults:
            what = (
                f"a label of level {level} has two parents at level {level + 1},"
                f" on lines {first_line} and {line} (label, parent, other parent)"
            )
            mend = "give it one parent, or tell the two apart by name"
            faults[label] = Fault(line, what, mend, (label, first_parent, parent))
    return list(faults.values())


def _two_tops(
    column: Sequence[str | None], lines: Sequence[int], width: int, header_possible: bool
) -> list[Fault]:
    counts = Counter(label for label in column if not is_blank(label))
    if len(counts) < 2:
        return []
    commonest = max(counts, key=counts.__getitem__)
    mend = "end every line with the same value, or say `add_top: true` for a level `*` above these"
    if header_possible and not is_blank(column[0]) and len(set(column[1:])) == 1:
        commonest = str(column[1])
        mend = f"say `header: true` if line {lines[0]} is a header, else end it as the other lines end"
    elif width == 1:
        mend = "say `delimiter:` if this is more than one column, or `add_top: true` for a level `*` above it"
    odd = next(index for index, label in enumerate(column) if label in counts and label != commonest)
    what = f"{len(counts)} top values in the last column, where there must be one"
    return [Fault(lines[odd], what, mend, (commonest, *(label for label in counts if label != commonest)))]
