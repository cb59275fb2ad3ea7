"""Which character separates the cells: recognised where only one reading makes sense, else asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy.csvtext import BLANK_LINE, Records, Row, parse
from kanon_sql.hierarchy.faults import HierarchyFaults

CANDIDATES = (";", ",", "\t", "|")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read with one delimiter, and the other delimiters it might have been written with.

    The rivals lost because only this delimiter gives the last column one single value. That argument
    does not hold for a file whose top is still to be added.
    """

    delimiter: str
    records: Records
    rivals: tuple[str, ...] = ()


def shown(delimiter: str) -> str:
    """A delimiter as messages show it.

    >>> shown(";"), shown("\\t")
    ("';'", 'tab')
    """
    return "tab" if delimiter == "\t" else f"'{delimiter}'"


def in_doubt(name: str, delimiters: Sequence[str]) -> HierarchyError:
    """The error for a file that more than one delimiter fits."""
    listed = " or ".join(shown(delimiter) for delimiter in sorted(delimiters, key=CANDIDATES.index))
    return HierarchyError(
        f"the file could be read with {listed}", where=name, mend="say which is meant with `delimiter:`"
    )


def read_with(text: str, delimiter: str, name: str) -> Reading:
    """Read a text with the delimiter that was asked for."""
    return _faultless(Reading(delimiter, parse(text, delimiter)), name)


def recognise(text: str, name: str) -> Reading:
    """Read a text with the delimiter that fits it.

    A delimiter fits when every record has the same number of cells, two or more, and the last column
    below the first line holds one single value. Where exactly one fits, it is taken; where two do, it is
    refused. Where none does (a top that is missing), a delimiter under which every record has the same
    number of cells is taken, provided no other comes near that. Otherwise the file is broken, and is
    read with the most regular delimiter so that the rules can name its lines. A text without any of the
    four has one column.

    >>> recognise("22;[20,30[;*\\n34;[30,40[;*\\n41;>=40;*\\n", "age.csv").delimiter
    ';'
    """
    seen = [_Profile.of(text, delimiter) for delimiter in CANDIDATES if delimiter in text]
    regular = [profile for profile in seen if profile.regular]
    topped = [profile for profile in regular if profile.one_top]
    near = [profile for profile in seen if profile.nearly_regular]
    if len(topped) == 1:
        rivals = tuple(profile.delimiter for profile in near if profile is not topped[0])
        return Reading(topped[0].delimiter, topped[0].records, rivals)
    if topped:
        raise in_doubt(name, [profile.delimiter for profile in topped])
    if regular:
        if len(near) > 1:
            raise in_doubt(name, [profile.delimiter for profile in near])
        return Reading(regular[0].delimiter, regular[0].records)
    best = max(seen, key=lambda profile: profile.agreeing, default=None)
    if best is not None and best.agreeing:
        return _faultless(Reading(best.delimiter, best.records), name)
    broken = [profile.records.fault for profile in seen if profile.records.fault]
    if broken:
        raise HierarchyFaults(name, [max(broken, key=lambda fault: fault.line)])
    return read_with(text, ",", name)


def regular_readings(text: str, *, without: str) -> list[str]:
    """The delimiters, but for one, under which every record has the same number of cells, two or more."""
    others = [delimiter for delimiter in CANDIDATES if delimiter != without and delimiter in text]
    return [delimiter for delimiter in others if _Profile.of(text, delimiter).regular]


@dataclass(frozen=True, slots=True)
class _Profile:
    delimiter: str
    records: Records
    filled: Sequence[Row]
    agreeing: int  # records with the commonest number of cells, of those with two cells or more

    @classmethod
    def of(cls, text: str, delimiter: str) -> _Profile:
        records = parse(text, delimiter)
        filled = [row for row in records.rows if row != BLANK_LINE]
        widths = Counter(map(len, filled))
        agreeing = max((count for width, count in widths.items() if width >= 2), default=0)
        return cls(delimiter, records, filled, agreeing)

    @property
    def regular(self) -> bool:
        return self.records.fault is None and 0 < self.agreeing == len(self.filled)

    @property
    def nearly_regular(self) -> bool:
        """Regular but for one record, or one in ten: how a file with a slip in it looks."""
        odd = len(self.filled) - self.agreeing
        return odd < self.agreeing and odd <= max(1, len(self.filled) // 10)

    @property
    def one_top(self) -> bool:
        return len({row[-1] for row in self.filled[1:]}) <= 1


def _faultless(reading: Reading, name: str) -> Reading:
    if reading.records.fault:
        raise HierarchyFaults(name, [reading.records.fault])
    return reading
