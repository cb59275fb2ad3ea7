"""Small readings of text that every face shares: how a word is shown, folded, split and counted."""

from __future__ import annotations

import re

from kanon_sql.errors import SpecError, one_line, quote_value

_LONGEST_SHOWN = 80
_LARGEST_WHOLE = 2**63 - 1
_QUOTED = re.compile(r'"((?:[^"]|"")*)"(?!")')
_WHOLE = re.compile(r"0|[1-9][0-9]{0,18}")


def shown(value: object) -> str:
    """A word of the user's as an error shows it: quoted, on one line, never long.

    >>> shown("a\\nb"), shown(True), shown({1})
    ("'a\\\\nb'", 'True', 'a value of type set')
    """
    if isinstance(value, str):
        return quote_value(value if len(value) <= _LONGEST_SHOWN else value[: _LONGEST_SHOWN - 1] + "…")
    if value is None or isinstance(value, (bool, float)):
        return str(value)
    if isinstance(value, int) and abs(value) < 10**_LONGEST_SHOWN:
        return str(value)
    return f"a value of type {one_line(type(value).__name__)}"


def whole(value: object) -> int | None:
    """A whole number from 0 to the largest BIGINT, or None: booleans, floats and ``1e3`` are none.

    >>> whole("5"), whole(5), whole(5.0), whole(True), whole("05"), whole("-1")
    (5, 5, None, None, None, None)
    """
    if isinstance(value, str):
        number = int(value) if _WHOLE.fullmatch(value) else -1
    elif isinstance(value, (bool, float)) or not hasattr(value, "__index__"):
        return None
    else:
        try:
            number = int(value.__index__())
        except TypeError:
            return None
    return number if 0 <= number <= _LARGEST_WHOLE else None


def check_text(text: str, kind: str, where: str | None) -> str:
    """The text itself, unless no database could hold it.

    Raises:
        SpecError: it is empty, holds a NUL, or is not valid Unicode.
    """
    if not text:
        raise SpecError(f"an empty {kind}", where=where, mend="give it or leave it out")
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise SpecError(f"a {kind} that is not valid text: {shown(text)}", where=where)
    return text


def split_names(text: str, where: str | None = None) -> tuple[str, ...]:
    """Column names from comma-separated text; double quotes keep commas and spaces.

    Raises:
        SpecError: an empty name, or a double quote that is not closed.

    >>> split_names('age, "b,c","a ""b"" c"')
    ('age', 'b,c', 'a "b" c')
    """
    names, at = [], 0
    while True:
        name, at = _name_at(text, at, ",", where)
        names.append(name)
        if at == len(text):
            return tuple(names)
        at += 1


def split_pairs(text: str, where: str | None = None) -> tuple[tuple[str, str], ...]:
    """Pairs such as ``age=1,"a=b"=2``, the values stripped of spaces.

    Raises:
        SpecError: a pair without ``=``, an empty name, a double quote that is not closed.

    >>> split_pairs('age=1, "a=b"=2')
    (('age', '1'), ('a=b', '2'))
    """
    pairs, at = [], 0
    while True:
        name, at = _name_at(text, at, "=,", where)
        if text[at : at + 1] != "=":
            raise _no_equals_sign(name, where)
        end = text.find(",", at)
        end = len(text) if end < 0 else end
        pairs.append((name, text[at + 1 : end].strip()))
        if end == len(text):
            return tuple(pairs)
        at = end + 1


def split_pair(text: str, where: str | None = None) -> tuple[str, str]:
    """One pair such as ``age=h/a,b.csv``: all that follows the first ``=`` is the value.

    Raises:
        SpecError: no ``=``, an empty name, a double quote that is not closed.

    >>> split_pair("age=h/a=b.csv")
    ('age', 'h/a=b.csv')
    """
    name, at = _name_at(text, 0, "=", where)
    if at == len(text):
        raise _no_equals_sign(name, where)
    return name, text[at + 1 :]


def _no_equals_sign(name: str, where: str | None) -> SpecError:
    return SpecError(f"no '=' after {shown(name)}", where=where, mend="write column=value")


def _name_at(text: str, at: int, stops: str, where: str | None) -> tuple[str, int]:
    """The name that starts at ``at``, and where the stop or the end of the text stands."""
    while text[at : at + 1].isspace():
        at += 1
    if text[at : at + 1] == '"':
        quoted = _QUOTED.match(text, at)
        if quoted is None:
            raise SpecError(f"a double quote is not closed: {shown(text)}", where=where)
        name, at = quoted[1].replace('""', '"'), quoted.end()
        while text[at : at + 1].isspace():
            at += 1
        if at < len(text) and text[at] not in stops:
            raise SpecError(f"text after the closing double quote: {shown(text)}", where=where)
    else:
        end = min((found for stop in stops if (found := text.find(stop, at)) >= 0), default=len(text))
        name, at = text[at:end].strip(), end
    return check_text(name, "column name", where), at
