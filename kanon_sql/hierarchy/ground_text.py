"""Does a text lose anything when it becomes a value of a column's type (DESIGN 5.2)? Pure checks.

The engine casts, and says as text what came of it; here the two texts are compared as what they mean. Each
type has the forms that are understood; whatever else the engine may read into a text counts as a loss,
because what it drops differs between its versions (``2024-01-05 10:00+02`` as a TIMESTAMP, say).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

_NUMBERS = {
    "TINYINT", "SMALLINT", "INT", "BIGINT", "INT128", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
    "UINT128", "BIGNUM", "DECIMAL",
}  # fmt: skip
# Of two texts that the engine gives back letter for letter, these types hold two values: one text each.
_ONE_TEXT_EACH = _NUMBERS - {"BIGNUM", "DECIMAL"} | {"DATE"}
_DATE = r"(?P<year>\d{1,7})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?P<bc> \(BC\))?"
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:\.(?P<fraction>\d+))?)?"
_MOMENT = re.compile(rf"{_DATE}(?:[ T]{_TIME})?", re.ASCII)
_CLOCK = re.compile(_TIME, re.ASCII)
_ZONED = re.compile(
    rf"{_DATE}(?:[ T]{_TIME}\ ?"
    r"(?P<zone>[Zz]|(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d)(?::(?P<seconds>\d\d))?)?"
    r"|(?<= )[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*)?)?",
    re.ASCII,
)
_INFINITE = {"infinity", "-infinity"}
_MICROSECOND = 1
_SECOND = 1_000_000 * _MICROSECOND
_DAY = 86_400 * _SECOND
# In an INTERVAL a month equals 30 days and a day 24 hours: so DuckDB compares them.
_UNITS = {
    "microsecond": _MICROSECOND, "us": _MICROSECOND, "millisecond": 1000, "ms": 1000,
    "second": _SECOND, "sec": _SECOND, "s": _SECOND, "minute": 60 * _SECOND, "min": 60 * _SECOND,
    "m": 60 * _SECOND, "hour": 3600 * _SECOND, "hr": 3600 * _SECOND, "h": 3600 * _SECOND,
    "day": _DAY, "d": _DAY, "week": 7 * _DAY, "w": 7 * _DAY, "month": 30 * _DAY, "mon": 30 * _DAY,
    "quarter": 90 * _DAY, "year": 360 * _DAY, "yr": 360 * _DAY, "y": 360 * _DAY, "decade": 3600 * _DAY,
    "century": 36_000 * _DAY, "centurie": 36_000 * _DAY, "millennium": 360_000 * _DAY,
}  # fmt: skip
_SPAN = re.compile(
    r"\s*(?:(?P<minus>[+-]?)(?P<hour>\d+):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2}(?:\.\d+)?))?"
    r"|(?P<count>[+-]?\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z]+))",
    re.ASCII,
)


def keeps_apart(sql_type: str) -> bool:
    """Whether texts that differ, and that the type gives back as they are, are different values of it.

    >>> keeps_apart("DATE"), keeps_apart("DOUBLE")  # -0.0 and 0.0 are equal
    (True, False)
    """
    return sql_type in _ONE_TEXT_EACH


def loses(sql_type: str, cell: str, cast_text: str) -> bool:
    """Whether a text loses something by becoming a value of a type.

    Args:
        sql_type: the type, as sqlglot writes it.
        cell: the text as it stands in the file.
        cast_text: the value it became, as text.

    >>> loses("INT", "007", "7"), loses("INT", "34.5", "35"), loses("INT", " 7 ", "7")
    (False, True, True)
    >>> loses("DATE", "2024-1-5", "2024-01-05"), loses("DATE", "2024-01-05 23:00", "2024-01-05")
    (False, True)
    >>> loses("REAL", "0.10", "0.1"), loses("REAL", "16777217", "16777216.0")
    (False, True)
    """
    if cell == cast_text:
        return False
    family = "DECIMAL" if sql_type.startswith("DECIMAL") else sql_type
    if family in _NUMBERS:
        number = _number(cell)
        return number is None or number != Decimal(cast_text)
    same = _SAME.get(family)
    return same is None or not same(cell, cast_text)


@dataclass(frozen=True)
class Moment:
    """A text that names a moment: what its clock shows, and where that clock hangs.

    Attributes:
        local: date and time, as DuckDB writes a TIMESTAMP.
        zone: the zone that the text names, or None.
        offset: the seconds that its clock is ahead of UTC, or None where it gives none.
    """

    local: str
    zone: str | None = None
    offset: int | None = None


def read_moment(cell: str) -> Moment | None:
    """The moment that a text means, or None where it is none (nothing is asked about the calendar).

    Raises:
        ValueError: it is finer than a microsecond, which a TIMESTAMPTZ is not.

    >>> read_moment("2024-01-05 21:00+02")
    Moment(local='2024-01-05 21:00:00.000000', zone=None, offset=7200)
    >>> read_moment("2024-01-05T21:00:00.5Z").offset, read_moment("2024-01-05").offset
    (0, None)
    >>> read_moment("2024-01-05 21:00 Europe/Berlin").zone, read_moment("late") is None
    ('Europe/Berlin', True)
    """
    word = cell.lower()
    if word in _INFINITE or word == "epoch":
        return Moment("1970-01-01 00:00:00" if word == "epoch" else word, offset=0)
    found = _ZONED.fullmatch(cell)
    if found is None:
        return None
    fraction = (found["fraction"] or "").rstrip("0")
    if len(fraction) > 6:
        raise ValueError(cell)
    date = f"{int(found['year']):04}-{int(found['month']):02}-{int(found['day']):02}{found['bc'] or ''}"
    clock = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    local = f"{date} {':'.join(f'{part:02}' for part in clock)}.{fraction.ljust(6, '0')}"
    zone = found["zone"]
    if zone is None:
        return Moment(local)
    if zone.upper() in ("Z", "UTC"):
        return Moment(local, offset=0)
    if found["sign"] is None:
        return Moment(local, zone=zone)
    parts = [int(found[part] or 0) for part in ("hours", "minutes", "seconds")]
    if parts[0] > 15 or parts[1] > 59 or parts[2] > 59:
        return None
    ahead = parts[0] * 3600 + parts[1] * 60 + parts[2]
    return Moment(local, offset=-ahead if found["sign"] == "-" else ahead)


def _number(cell: str) -> Decimal | None:
    """What a number's text is worth, exactly; None where it is none (blanks around it are no part of it)."""
    if cell != cell.strip():
        return None
    try:
        return Decimal(cell.replace("_", ""))
    except InvalidOperation:
        try:
            return Decimal(int(cell, 0))
        except ValueError:
            return None


def _same_float(cell: str, cast_text: str, *, single: bool) -> bool:
    """Equal as the number that the column prints, or as the one that it stores."""
    if cast_text.lstrip("-") in ("nan", "inf"):
        written = cell.lower().removeprefix("+")
        return written.replace("infinity", "inf") == cast_text
    number = _number(cell)
    if number is None:
        return False
    stored = float(cast_text)
    if single:
        [stored] = struct.unpack("f", struct.pack("f", stored))
    return number in (Decimal(cast_text), Decimal(stored))


def _clock(found: re.Match[str]) -> tuple[int, int, int, str]:
    hour, minute, second = (int(found[part] or 0) for part in ("hour", "minute", "second"))
    return hour, minute, second, (found["fraction"] or "").rstrip("0")


def _moment(text: str) -> tuple[object, ...] | None:
    found = _MOMENT.fullmatch(text)
    if found is None:
        return (text.lower(),) if text.lower() in _INFINITE else None
    return (*(int(found[part]) for part in ("year", "month", "day")), found["bc"], *_clock(found))


def _same_moment(cell: str, cast_text: str) -> bool:
    if cell.lower() == "epoch":
        return cast_text.startswith("1970-01-01")
    moment = _moment(cell)
    return moment is not None and moment == _moment(cast_text)


def _same_time(cell: str, cast_text: str) -> bool:
    found, after = _CLOCK.fullmatch(cell), _CLOCK.fullmatch(cast_text)
    return found is not None and after is not None and _clock(found) == _clock(after)


def _span(text: str) -> Fraction | None:
    """The microseconds of an interval's text, a month taken as 30 days."""
    words, sign = text.strip(), 1
    if words.lower().endswith(" ago"):
        words, sign = words[:-4], -1
    total, at = Fraction(0), 0
    while at < len(words):
        found = _SPAN.match(words, at)
        if found is None:
            return None
        at = found.end()
        if found["unit"]:
            unit = found["unit"].lower()
            size = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s"))
            if size is None:
                return None
            total += Fraction(found["count"]) * size
        else:
            clock = int(found["hour"]) * 3600 + int(found["minute"]) * 60 + Fraction(found["second"] or 0)
            total += clock * _SECOND * (-1 if found["minus"] == "-" else 1)
    return sign * total if words else None


def _same_span(cell: str, cast_text: str) -> bool:
    span = _span(cell)
    return span is not None and span == _span(cast_text)


def _same_uuid(cell: str, cast_text: str) -> bool:
    return re.sub("[{}-]", "", cell).lower() == cast_text.replace("-", "")


def _bytes(text: str) -> bytes:
    found = re.split(r"\\x([0-9A-Fa-f]{2})", text)
    return b"".join(
        bytes.fromhex(part) if i % 2 else part.encode(errors="replace") for i, part in enumerate(found)
    )


_SAME: dict[str, Callable[[str, str], bool]] = {
    "REAL": lambda cell, text: _same_float(cell, text, single=True),
    "DOUBLE": lambda cell, text: _same_float(cell, text, single=False),
    "DATE": _same_moment,
    "TIMESTAMP": _same_moment,
    "TIMESTAMP_S": _same_moment,
    "TIMESTAMP_MS": _same_moment,
    "TIMESTAMP_NS": _same_moment,
    "TIME": _same_time,
    "TIME_NS": _same_time,
    "INTERVAL": _same_span,
    # It has two values: however a text spells one of them, nothing more was said.
    "BOOLEAN": lambda cell, text: True,
    "UUID": _same_uuid,
    "BLOB": lambda cell, text: _bytes(cell) == _bytes(text),
}
