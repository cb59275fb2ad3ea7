"""One line of the table of results, and what is asked of the groups that give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

HEAD = "| work | figure | bar | met? | peak RSS | note |\n|---|---|---|---|---|---|"


class Skipped(Exception):
    """A group cannot be run here; the message says why."""


@dataclass(frozen=True)
class Asked:
    """How much of it is asked for.

    Attributes:
        rows: the sizes of the generated tables.
        rounds: how many runs a median is taken of.
        data: the folder with Adult, or None.
        memory_limit: what the group ``huge`` may use.
        time_limit: seconds for one run over many quasi-identifiers.
        quick: small tables, whose figures mean nothing.
    """

    rows: tuple[int, ...]
    rounds: int
    data: Path | None
    memory_limit: str
    time_limit: float
    quick: bool

    def some(self, cases: Sequence[T]) -> Sequence[T]:
        """All cases of a group; the first is enough to see that it still works."""
        return cases[:1] if self.quick else cases

    def rounds_over(self, rows: int) -> int:
        """How many long runs: one is enough where it takes many seconds."""
        return 1 if rows >= 10_000_000 else self.rounds


@dataclass(frozen=True)
class Row:
    """One figure: what was done, what it came to, and what it should come to.

    Attributes:
        figure: a number, or words where there is none to give: the bar is not met then.
        bar: what the figure may be at the most, or with ``at_least`` at the least.
        peak: the peak memory of the process in GB.
    """

    work: str
    figure: float | str
    unit: str = ""
    bar: float | None = None
    peak: float | None = None
    note: str = ""
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the figure keeps to the bar."""
        if self.bar is None:
            return True
        if isinstance(self.figure, str):
            return False
        return self.figure >= self.bar if self.at_least else self.figure <= self.bar

    def line(self, judged: bool = True) -> str:
        """The row as Markdown; ``judged`` says whether to hold the figure against its bar."""
        figure = self.figure if isinstance(self.figure, str) else f"{self.figure:.2f} {self.unit}".strip()
        bar = "" if self.bar is None else f"{'≥' if self.at_least else '≤'} {self.bar:g}"
        met = ("yes" if self.met else "**no**") if bar and judged else ""
        peak = "" if self.peak is None else f"{self.peak:.2f} GB"
        return f"| {self.work} | {figure} | {bar} | {met} | {peak} | {self.note} |"
