"""Hierarchy files: from bytes to records that know their lines, and from records to a ``Hierarchy``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.errors import HierarchyError, SpecError, did_you_mean
from kanon_sql.hierarchy import delimiter as delimiters
from kanon_sql.hierarchy.csvtext import BLANK_LINE, Row
from kanon_sql.hierarchy.decoding import decode
from kanon_sql.hierarchy.faults import Fault, HierarchyFaults
from kanon_sql.hierarchy.model import FLAT_TOP, Hierarchy
from kanon_sql.hierarchy.rules import cells, check_tree, common_width, is_blank, levels_that_merge_nothing
from kanon_sql.names import ascii_fold

ValueTest = Callable[[str | None], bool]


def read_hierarchy_file(
    path: Path, *, name: str | None = None, delimiter: str | None = None
) -> HierarchyFile:
    """Read the records of a hierarchy's CSV file; ``build`` then makes the hierarchy.

    Args:
        path: the file: UTF-8, cells separated by ``;``, ``,``, tab or ``|``.
        name: how messages show the file; the path if not given.
        delimiter: what separates the cells; recognised if not given.

    Raises:
        HierarchyError: the file cannot be read, is not CSV in UTF-8, or could be read in two ways.
    """
    shown = path.as_posix() if name is None else name
    return read_hierarchy_bytes(_bytes_of(path, shown), name=shown, delimiter=delimiter)


def read_hierarchy_bytes(raw: bytes, *, name: str, delimiter: str | None = None) -> HierarchyFile:
    """The same for the bytes of a file.

    >>> read_hierarchy_bytes(b"f;*\\nm;*\\n", name="sex.csv").build(header=None).rows
    (('f', '*'), ('m', '*'))
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise SpecError(
            f"the delimiter {delimiter!r} is not a single character that can separate cells",
            where=name,
            mend="use ';', ',', '|' or a tab",
        )
    text = decode(raw, name)
    warnings = []
    if delimiter is None:
        reading = delimiters.recognise(text, name)
    else:
        reading = delimiters.read_with(text, delimiter, name)
        separates_nothing = all(len(row) == 1 for row in reading.records.rows)
        if separates_nothing and (others := delimiters.regular_readings(text, without=delimiter)):
            warnings.append(
                f"{name}: the delimiter {delimiters.shown(delimiter)} separates nothing,"
                f" while {delimiters.shown(others[0])} would cut every line alike"
            )
    if not reading.records.rows:
        raise HierarchyError("the file is empty", where=name, mend="write one line per ground value")
    return HierarchyFile(
        name=name,
        rows=tuple(reading.records.rows),
        lines=tuple(reading.records.lines),
        delimiter=reading.delimiter,
        sha256=hashlib.sha256(raw).hexdigest(),
        rival_delimiters=reading.rivals,
        warnings=tuple(warnings),
    )


@dataclass(frozen=True, slots=True)
class HierarchyFile:
    """The records of a file, a header still among them, and nothing checked yet but the quoting.

    Attributes:
        name: how messages show the file.
        rows: the records; an empty field is ``None`` (NULL), ``""`` the empty string.
        lines: the line on which each record starts.
        delimiter: what separates the cells (``,`` where there is one column).
        sha256: of the file's bytes, in hexadecimal.
        rival_delimiters: delimiters that lost only because this one gives the file a single top value.
        warnings: what is worth saying about how the file was read.
    """

    name: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    delimiter: str
    sha256: str
    rival_delimiters: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def build(
        self,
        *,
        header: bool | None,
        first_cell_is_a_value: ValueTest | None = None,
        add_top: bool = False,
    ) -> Hierarchy:
        """Check the rules and make the hierarchy.

        Whether the first line is a header: ``header`` decides. Where it is None,

        * without ``add_top``, it is one when its last cell differs from the top that all other lines
          share and its first cell is no value of the column;
        * with ``add_top`` there is no shared top to go by: it is one when its first cell is no value of
          the column and none of its cells occurs elsewhere in the same column.

        With no database to ask (``first_cell_is_a_value`` is None), a first line some of whose cells
        occur again in their columns is a row. Otherwise it is taken for a header, with a warning, where
        its last cell differs from the shared top, and with ``add_top`` the header must be stated. So a
        first line is never both dropped and unmentioned unless the column was asked.

        Args:
            header: whether the first line is a header; None to recognise it.
            first_cell_is_a_value: asks the database whether the column holds this value. Called at most
                once, and only where the answer matters.
            add_top: add a last level ``*``.

        Raises:
            HierarchyFaults: the rows break the rules; all faults are in its ``faults``.
            HierarchyError: there are no rows, or header or delimiter cannot be told and must be stated.
        """
        if add_top and self.rival_delimiters:
            raise delimiters.in_doubt(self.name, (self.delimiter, *self.rival_delimiters))
        has_header, warnings = self._find_header(header, first_cell_is_a_value, add_top)
        rows, lines = self.rows[has_header:], self.lines[has_header:]
        if not rows:
            raise HierarchyError(
                "the file has a header and no rows", where=self.name, mend="write one line per ground value"
            )
        width = common_width(rows)
        faults = self._check_header(width, stated=header is not None) if has_header else []
        faults += check_tree(rows, lines, add_top=add_top, header_possible=header is None and not has_header)
        if faults:
            raise HierarchyFaults(self.name, faults)
        names = _level_names(self.rows[0] if has_header else (None,) * width)
        if add_top:
            rows = tuple([(*row, FLAT_TOP) for row in rows])
            names = (*names, f"level_{width}")
        return Hierarchy(
            name=self.name,
            level_names=names,
            rows=rows,
            lines=lines,
            has_header=has_header,
            delimiter=self.delimiter,
            sha256=self.sha256,
            warnings=(*self.warnings, *warnings, *self._idle_levels(rows, names, add_top)),
        )

    def _find_header(
        self, header: bool | None, first_cell_is_a_value: ValueTest | None, add_top: bool
    ) -> tuple[bool, list[str]]:
        first, rest = self.rows[0], self.rows[1:]
        if header is not None:
            return header, []
        if not rest or len(first) != common_width(rest):
            return False, []  # a first line of another width is a fault, whatever it was meant to be
        if not add_top:
            tops = {row[-1] for row in rest}
            if len(tops) > 1 or first[-1] in tops:
                return False, []
        recurring = any(
            not is_blank(cell) and any(cell == row[level] for row in rest if len(row) > level)
            for level, cell in enumerate(first)
        )
        if recurring and (add_top or first_cell_is_a_value is None):
            return False, []
        line = f"{self.name}:{self.lines[0]}"
        if first_cell_is_a_value is None:
            if add_top:
                raise HierarchyError(
                    "the first line may be a header or a row",
                    where=line,
                    mend="say which with `header: true` or `header: false`",
                )
            return True, [f"{line}: taken as a header, because its last cell is not the top of the others"]
        if first_cell_is_a_value(first[0]):
            return False, []
        if recurring:
            return True, [f"{line}: taken as a header, though some of its cells occur again as labels"]
        if add_top:
            return True, [f"{line}: taken as a header, because its first cell is no value of the column"]
        return True, []

    def _check_header(self, width: int, *, stated: bool) -> list[Fault]:
        names, line = self.rows[0], self.lines[0]
        if names == BLANK_LINE and width > 1:
            return [Fault(line, "a blank line where the header should be", "remove it")]
        if len(names) != width:
            what = f"{cells(len(names))} in the header where the other lines have {width}"
            return [Fault(line, what, "name every level once")]
        seen: set[str] = set()
        for name in _level_names(names):
            if ascii_fold(name) in seen:
                what = "a level name stands twice in the header"
                mend = "give each level its own name" + ("" if stated else ", or say `header: false`")
                return [Fault(line, what, mend, (name,))]
            seen.add(ascii_fold(name))
        return []

    def _idle_levels(self, rows: tuple[Row, ...], names: tuple[str, ...], add_top: bool) -> list[str]:
        warnings = []
        for level in levels_that_merge_nothing(rows):
            named = names[level] != f"level_{level}"
            shown = f"level {level} ({names[level]})" if named else f"level {level}"
            if add_top and level == len(names) - 1:
                why = "`add_top` added it above a column that already held one value"
            else:
                why = f"it has as many values as level {level - 1}"
            warnings.append(f"{self.name}: {shown} merges nothing: {why}")
        return warnings


def _level_names(header: Row) -> tuple[str, ...]:
    return tuple(
        f"level_{level}" if name is None or is_blank(name) else name for level, name in enumerate(header)
    )


def _bytes_of(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise HierarchyError("no such file", where=name, mend=_near_file(path)) from None
    except IsADirectoryError:
        raise HierarchyError("this is a directory", where=name, mend="name a CSV file") from None
    except PermissionError:
        raise HierarchyError("no permission to read the file", where=name, mend="make it readable") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise HierarchyError(f"the file cannot be read: {reason}", where=name) from error


def _near_file(path: Path) -> str | None:
    try:
        return did_you_mean(path.name, (entry.name for entry in path.parent.iterdir()))
    except OSError:
        return None
