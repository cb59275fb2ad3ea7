"""CSV text cut into records, with the line on which each starts.

Python's ``csv`` cannot tell an empty field from ``""``. Here, as for DuckDB with
``allow_quoted_nulls=false``, an empty field is NULL (``None``) and ``""`` is the empty string. Otherwise
RFC 4180: a field that starts with a quote is quoted, and may hold delimiters, line breaks and doubled
quotes; a quote further inside an unquoted field (``5" pipe``) is an ordinary character. A line ends with
LF, CRLF or CR. Nothing is trimmed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.hierarchy.faults import Fault

Row = tuple[str | None, ...]

BLANK_LINE: Row = (None,)
"""What a line without a single character is read as; in a file of one column, a row of its own."""

_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')
_LINE_WITHOUT_QUOTES = re.compile(r'([^"\r\n]*+)(?:\r\n|\r|\n|\Z)')
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a text, or those before its first fault."""

    rows: Sequence[Row]
    lines: Sequence[int]
    fault: Fault | None = None


def parse(text: str, delimiter: str) -> Records:
    """Cut a text into records; blank lines at its end are left out.

    >>> parse('a;"x;y"\\n\\n;""\\n\\n', ";")
    Records(rows=[('a', 'x;y'), (None,), (None, '')], lines=[1, 2, 3], fault=None)
    """
    records = _parse_quoted(text, delimiter) if '"' in text else _parse_plain(text, delimiter)
    count = len(records.rows)
    while count and records.rows[count - 1] == BLANK_LINE:
        count -= 1
    return Records(records.rows[:count], records.lines[:count], records.fault)


def count_line_breaks(text: str) -> int:
    """How many lines end in a text.

    >>> count_line_breaks("a\\r\\nb\\rc\\nd")
    3
    """
    return len(_LINE_BREAK.findall(text))


def _parse_plain(text: str, delimiter: str) -> Records:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    rows = [_split(line, delimiter) for line in text.split("\n")]
    return Records(rows, range(1, len(rows) + 1))


def _split(line: str, delimiter: str) -> Row:
    cells = line.split(delimiter)
    return tuple([cell or None for cell in cells]) if "" in cells else tuple(cells)


def _parse_quoted(text: str, delimiter: str) -> Records:
    mark = re.escape(delimiter)
    field = re.compile(rf'(?:{_QUOTED.pattern}|((?!")[^{mark}\r\n]*+))({mark}|\r\n|\r|\n|\Z)')
    rows: list[Row] = []
    lines: list[int] = []
    position, line = 0, 1
    while position < len(text):
        lines.append(line)
        if whole := _LINE_WITHOUT_QUOTES.match(text, position):
            rows.append(_split(whole[1], delimiter))
            position, line = whole.end(), line + 1
            continue
        cells: list[str | None] = []
        ended_by = delimiter
        while ended_by == delimiter:
            found = field.match(text, position)
            if found is None:
                return Records(rows, lines[:-1], _quote_fault(text, position, line))
            quoted, plain, ended_by = found.groups()
            if quoted is None:
                cells.append(plain or None)
            else:
                if "\n" in quoted or "\r" in quoted:
                    line += count_line_breaks(quoted)
                cells.append(quoted.replace('""', '"'))
            position = found.end()
        rows.append(tuple(cells))
        line += 1
    return Records(rows, lines)


def _quote_fault(text: str, position: int, line: int) -> Fault:
    closed = _QUOTED.match(text, position)
    if closed is None:
        return Fault(line, "a quote opens here and is never closed", 'close it with `"`')
    line += count_line_breaks(closed[1])
    return Fault(line, "text after a closing quote", 'a quote inside a quoted cell is written twice, `""`')
