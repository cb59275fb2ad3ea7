"""What a search did and what it cost: the table by which it is steered (``run --explain``)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from kanon_sql.binding import Bound
from kanon_sql.frequency import DirectCounter, FrequencyCounter
from kanon_sql.lattice import height
from kanon_sql.search import SearchResult


@dataclass(frozen=True)
class Explanation:
    """An account of a search.

    Attributes:
        heights: per height that was asked at: how many vectors it has, how many were counted whole, and how many were
            proven to fail by a part of their classes.
        restricted: the quasi-identifiers not all of whose levels were allowed: the lowest and the highest one.
        vectors: vectors of the lattice, and of them asked, and decided without asking while a height was tried.
        work: what the counting did (:class:`kanon_sql.frequency.rollup.Work`); empty for the direct plan.
        entries: entries of the frequency set; None for the direct plan.
    """

    heights: tuple[tuple[int, int, int, int], ...]
    restricted: Mapping[str, tuple[int, int]]
    vectors: Mapping[str, int]
    work: Mapping[str, int]
    entries: int | None

    def to_json(self) -> dict[str, object]:
        """Plain data."""
        names = ("height", "vectors", "counted_whole", "proven_by_part")
        return {
            "heights": [dict(zip(names, row, strict=True)) for row in self.heights],
            "restricted": {name: list(levels) for name, levels in self.restricted.items()},
            "vectors": dict(self.vectors),
            "work": dict(self.work),
            "entries": self.entries,
        }


def explain(bound: Bound, found: SearchResult, counter: DirectCounter | FrequencyCounter) -> Explanation:
    """The account of a search that is over."""
    lattice = bound.lattice
    whole = Tally(height(vector) for vector, counts in found.asked.items() if counts.estimate is None)
    parts = Tally(height(vector) for vector, counts in found.asked.items() if counts.estimate is not None)
    heights = tuple(
        (level, lattice.count_at(level), whole[level], parts[level]) for level in sorted({*whole, *parts})
    )
    frequency = counter if isinstance(counter, FrequencyCounter) else None
    return Explanation(
        heights,
        bound.restricted,
        {"lattice": lattice.size, "asked": found.evaluated, "decided_without_asking": found.tagged},
        asdict(frequency.hubs.work) if frequency is not None else {},
        frequency.entries if frequency is not None else None,
    )
