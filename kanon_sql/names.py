"""How names are compared: as DuckDB compares them. ASCII letters fold, other letters keep their case."""

from __future__ import annotations

import string
from collections.abc import Iterable

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
