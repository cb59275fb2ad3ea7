"""Where the suppressed rows came from: a release that quietly loses a minority misleads.

Per quasi-identifier and value at its released level: how many rows of the source have the value, and how many of them
are suppressed. What of it may be shown (DESIGN 5.17), with least = max(k, 2):

1. A value stands for itself only where it has at least ``least`` rows, and none of them is suppressed or at least
   ``least`` are; where persons are counted, these are rows of at least ``least`` persons. Every other value of the
   quasi-identifier is merged into one entry, ``others``, which names none of them.
2. Totals are public, and so is how many rows of a value are released: what all others lose is one subtraction away.
   That a value is among the others says that it is small, or was needed beside such; how small must not be told. A
   reader who knows this rule knows that each merged value that loses anything loses at least 1: of n such values that
   lose s together, each may have lost anything from 1 to s - (n - 1). Others are shown only if that reaches ``least``
   (one value that is too small never does, nor do five that lose 1 each, of k = 5), and if s is not n (least - 1):
   what n values lose that are all just too small. The same bound of their rows, and of the persons suppressed, each
   counted once.
3. Until it holds, the value that loses fewest of those that lose anything is merged too. If none is left, the detail
   of the quasi-identifier is held back whole: to show that the rest loses nothing would say who lost.

What this does not cover: two quasi-identifiers of which one follows from the other (zip and state), or several runs
over the same table, may be subtracted from each other; k-anonymity promises nothing about the like either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kanon_sql.backends import Engine
from kanon_sql.binding import Bound
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from kanon_sql.lattice import DistanceVector

Kind = Literal["value", "unmapped", "others"]

# Of each quasi-identifier so many values are named, those that lose the greatest shares; a manifest is no table.
MOST_VALUES = 200
# How much more than the whole a value must lose to be shown to a person.
NOTICEABLY = 2
# How many values a warning names.
MOST_NAMED = 5


@dataclass(frozen=True)
class LostValue:
    """What a value of a quasi-identifier lost.

    Attributes:
        kind: ``value``; ``unmapped``, the rows that its mapping table has no row for; ``others``, several together.
        value: the value at the released level as text; None for NULL, and where it is not one value.
        rows: the rows of the source that have it.
        suppressed: how many of them are suppressed.
        whole: the rows of the source.
    """

    kind: Kind
    value: str | None
    rows: int
    suppressed: int
    whole: int

    @property
    def share_lost(self) -> float:
        """How much of its rows is suppressed."""
        return self.suppressed / self.rows

    @property
    def share_of_all(self) -> float:
        """How much of the source it is."""
        return self.rows / self.whole

    @property
    def shown(self) -> str:
        """What it is called in a message."""
        if self.kind == "value":
            return "NULL" if self.value is None else self.value
        return "(unmapped values)" if self.kind == "unmapped" else "(other values)"

    def to_json(self) -> dict[str, object]:
        """The value as results print it."""
        return {
            "kind": self.kind,
            "value": self.value,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "share_lost": self.share_lost,
            "share_of_all": self.share_of_all,
        }


@dataclass(frozen=True)
class Lost:
    """Where the suppressed rows came from.

    Attributes:
        values: per quasi-identifier its values, those that lose the greatest shares first and others last; none of a
            quasi-identifier that is held back; empty where nothing was suppressed.
        held_back: the quasi-identifiers whose detail would tell of fewer than k.
    """

    values: dict[str, tuple[LostValue, ...]] = field(default_factory=dict)
    held_back: tuple[str, ...] = ()

    def noticeable(self, k: int, most: int) -> list[tuple[str, LostValue]]:
        """The values that lose at least k rows and twice the share of the whole, the greatest shares first."""
        found = [
            (name, each)
            for name, values in self.values.items()
            for each in values
            if each.suppressed >= k
            and each.suppressed * each.whole >= NOTICEABLY * each.rows * sum(v.suppressed for v in values)
        ]
        found.sort(key=lambda pair: (-pair[1].share_lost, -pair[1].suppressed))
        return found[:most]

    def warnings(self, *, redact: bool) -> list[str]:
        """A line per quasi-identifier with a value of which nothing is left, where something is left at all."""
        found = []
        for name, values in self.values.items():
            gone = [each for each in values if each.suppressed == each.rows]
            if not gone or len(gone) == len(values):
                continue
            named = [] if redact else [each.shown for each in gone[:MOST_NAMED]]
            if len(gone) > len(named):
                more = len(gone) - len(named)
                named.append(f"{more} {'more ' if named else ''}{'value' if more == 1 else 'values'}")
            rows = sum(each.rows for each in gone)
            found.append(
                f"{name} is lost entirely where it is {', '.join(named)}: all {rows:,} rows are suppressed"
            )
        return found


@dataclass(frozen=True)
class Part:
    """One value, or several together, before it is settled what may be shown.

    Attributes:
        lost: what it lost.
        values: how many values it is.
        losing: how many of them lose anything.
        persons: persons suppressed, each counted at one value only; None where rows are counted.
    """

    lost: LostValue
    values: int = 1
    losing: int = 0
    persons: int | None = None

    def __add__(self, other: Part) -> Part:
        both = replace(
            self.lost,
            kind="others",
            value=None,
            rows=self.lost.rows + other.lost.rows,
            suppressed=self.lost.suppressed + other.lost.suppressed,
        )
        persons = None if self.persons is None else self.persons + (other.persons or 0)
        return Part(both, self.values + other.values, self.losing + other.losing, persons)

    def hides(self, least: int) -> bool:
        """Whether a reader can tell of none of the values how many fewer than ``least`` rows it lost, or has."""
        if self.lost.rows < least + self.values - 1:
            return False
        lost, enough = self.lost.suppressed, least + self.losing - 1
        if not lost:
            return True
        return (
            lost >= enough
            and lost != self.losing * (least - 1)
            and (self.persons is None or self.persons >= enough)
        )


def settled(own: Iterable[Part], others: Part | None, least: int) -> tuple[LostValue, ...] | None:
    """What of a quasi-identifier may be shown (see the module's docstring), or None where nothing may.

    Args:
        own: the values that are large enough to stand for themselves.
        others: all other values together.
        least: no smaller number, but 0, is shown or can be told.
    """
    kept = sorted(own, key=lambda part: (-part.lost.share_lost, -part.lost.suppressed))
    losing = sorted((part for part in kept if part.lost.suppressed), key=lambda part: part.lost.suppressed)
    while others is not None and not others.hides(least):
        if not losing:
            return None
        least_lost = losing.pop(0)
        kept.remove(least_lost)
        others += least_lost
    return (*(part.lost for part in kept), *([others.lost] if others is not None else []))


def where_lost(
    engine: Engine,
    bound: Bound,
    counter: DirectCounter | FrequencyCounter,
    vector: DistanceVector,
    *,
    rows: int,
    suppressed: int,
    most: int = MOST_VALUES,
) -> Lost:
    """Where the rows that a vector suppresses come from.

    Args:
        engine: which has the tables of the counter.
        bound: the spec, bound to its table.
        counter: which counted the vector.
        vector: of the release.
        rows: the rows of the source.
        suppressed: how many of them are suppressed.
        most: how many values of a quasi-identifier are named at most.
    """
    if not suppressed:
        return Lost()
    least = max(bound.spec.k, 2)
    answer = engine.run(counter.lost(vector, least, most))
    values: dict[str, tuple[LostValue, ...]] = {}
    held_back = []
    for i, name in enumerate(bound.names):
        found = _settled([row[1:] for row in answer if row[0] == i], rows, suppressed, least)
        values[name] = found or ()
        if found is None:
            held_back.append(name)
    return Lost(values, tuple(held_back))


def _settled(
    answer: Sequence[tuple[Any, ...]], rows: int, suppressed: int, least: int
) -> tuple[LostValue, ...] | None:
    own: list[Part] = []
    others: Part | None = None
    for alone, value, absent, count, losing, having, gone, persons in answer:
        kind: Kind = ("unmapped" if absent else "value") if alone else "others"
        part = Part(LostValue(kind, value, having, gone, rows), count, losing, persons)
        if alone:
            own.append(part)
        else:
            others = part
    parts = [*own, *([others] if others is not None else [])]
    # The source changed meanwhile: the release will not verify, and these numbers are of no table that there is.
    if (sum(part.lost.rows for part in parts), sum(part.lost.suppressed for part in parts)) != (
        rows,
        suppressed,
    ):
        return None
    return settled(own, others, least)
