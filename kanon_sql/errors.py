"""One tree of errors: each says what is wrong, where, and how to mend it, and has its exit code.

An error's text is one line: ``where: what: values; mend``. The values of a column that an error quotes
are kept apart from its words, at most five of them, so that ``redacted()`` can leave them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import ClassVar

MAX_QUOTED_VALUES = 5


class KanonError(Exception):
    """The root of every error that kanon-sql raises on purpose.

    Args:
        what: what is wrong, without a trailing full stop.
        where: the file, line, column or table it concerns.
        mend: what to do about it, as an instruction.
        values: values of the data to quote, already as text (``None`` is SQL's NULL); five are shown.
    """

    exit_code: ClassVar[int] = 2

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        mend: str | None = None,
        values: Sequence[str | None] = (),
    ) -> None:
        self.what = what
        self.where = where
        self.mend = mend
        self.values = tuple(values)
        super().__init__(what)

    def __str__(self) -> str:
        return self._line(self.values)

    def redacted(self) -> str:
        """The same line without a single quoted value."""
        return self._line(())

    def _line(self, values: Sequence[str | None]) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if values:
            shown = ", ".join(quote_value(value) for value in values[:MAX_QUOTED_VALUES])
            text += f": {shown}" + (", …" if len(values) > MAX_QUOTED_VALUES else "")
        return one_line(f"{text}; {self.mend}" if self.mend else text)


class SpecError(KanonError):
    """The user's words are wrong: an unknown word, a malformed number, a column in two roles (exit 2)."""

    exit_code = 2


class HierarchyError(KanonError):
    """A hierarchy cannot be read, is not a tree, or does not fit its column's type (exit 3)."""

    exit_code = 3


class DataError(KanonError):
    """The data is missing or unfit: no such table or column, unmapped values, no rows (exit 4)."""

    exit_code = 4


class NoSolutionError(KanonError):
    """No vector satisfies within MaxSup, or the release would be empty (exit 5)."""

    exit_code = 5


class DatabaseError(KanonError):
    """The database cannot be opened, read or written: locked, not a database, full (exit 6)."""

    exit_code = 6


class VerificationError(KanonError):
    """A release was written, did not verify, and was rolled back (exit 7)."""

    exit_code = 7


class InterruptedLate(KeyboardInterrupt):
    """Ctrl-C came when the release stood already: it is written, verified and in its place."""


def quote_value(value: str | None) -> str:
    """A value as an error shows it: NULL bare, text in single quotes on one line.

    >>> quote_value(None), quote_value("a'b"), quote_value("two\\nlines")
    ('NULL', "'a\\\\'b'", "'two\\\\nlines'")
    """
    if value is None:
        return "NULL"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{one_line(escaped)}'"


def one_line(text: str) -> str:
    """The text with everything that does not print escaped, so that a message stays one line.

    >>> print(one_line("a\\nb"))
    a\\nb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """The nearest of the known words, as a hint, or None where nothing is near; one that prints only.

    >>> did_you_mean("ptients", ["patients", "wards"])
    "did you mean 'patients'?"
    >>> did_you_mean("x", ["patients"]) is None
    True
    """
    folded = {name.casefold(): name for name in known if name.isprintable()}
    near = get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    return f"did you mean {quote_value(folded[near[0]])}?" if near else None
