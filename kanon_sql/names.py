"""How names are compared (as DuckDB does: ASCII letters fold, others keep their case), and paths shown."""

from __future__ import annotations

import string
from collections.abc import Iterable
from pathlib import Path

_FOLD = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def ascii_fold(name: str) -> str:
    """The name with its ASCII letters in lower case.

    >>> ascii_fold("Größe-Ä")
    'größe-Ä'
    """
    return name.translate(_FOLD)


def find_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one means: the same, or else the same but for ASCII case.

    >>> find_name("AGE", ["age", "zip"]), find_name("Ä", ["ä"])
    ('age', None)
    """
    folded = None
    for each in known:
        if each == name:
            return each
        if folded is None and ascii_fold(each) == ascii_fold(name):
            folded = each
    return folded


def shown_path(path: Path) -> str:
    """A path as people know it: relative to where they are, if it lies below."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()
