"""What is wrong with a hierarchy, line by line, and the error that carries all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.errors import HierarchyError

MAX_NAMED_LINES = 5


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file: its line, what it is, how to mend it, and the labels it concerns.

    The labels are kept apart from the words so that an error can be shown without them.
    """

    line: int
    what: str
    mend: str
    values: tuple[str | None, ...] = ()


class HierarchyFaults(HierarchyError):
    """A file with one fault or more: the text shows the first and counts the rest, ``faults`` has all.

    >>> faults = [Fault(7, "a blank line", "remove it"), Fault(9, "a blank line", "remove it")]
    >>> print(HierarchyFaults("age.csv", faults))
    age.csv:7: a blank line; remove it (1 more fault, on line 9)
    """

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        self.name = name
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        first, *rest = self.faults
        super().__init__(
            first.what, where=f"{name}:{first.line}", mend=first.mend + _and_more(rest), values=first.values
        )


def _and_more(faults: Sequence[Fault]) -> str:
    if not faults:
        return ""
    lines = list(dict.fromkeys(fault.line for fault in faults))
    shown = ", ".join(str(line) for line in lines[:MAX_NAMED_LINES])
    shown += ", …" if len(lines) > MAX_NAMED_LINES else ""
    return f" ({len(faults)} more fault{'s'[: len(faults) > 1]}, on line{'s'[: len(lines) > 1]} {shown})"
