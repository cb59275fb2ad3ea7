"""What the user wrote, as a tree in which every value knows where it stands.

A file, flags and keyword arguments all become the same tree, so that one reader serves them all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from kanon_sql.errors import SpecError
from kanon_sql.spec.text import shown

MAX_DEPTH = 16


@dataclass(frozen=True)
class Place:
    """Where a value stands: the words for an error, and the folder that relative paths start from."""

    where: str
    folder: Path


@dataclass(frozen=True)
class Scalar:
    """One value.

    Attributes:
        value: None, True, False or text from a file (numbers stay text, read by whoever wants one);
            any object from Python.
        raw: the text as written: always there in a file, only for ``str`` from Python.
    """

    value: object
    raw: str | None
    place: Place

    def source(self) -> object:
        """The text as written, or the Python object: what a number is parsed from."""
        return self.value if self.raw is None else self.raw

    def describe(self) -> str:
        """The value for an error."""
        return shown(self.source())


@dataclass(frozen=True)
class Items:
    """A list."""

    items: tuple[Located, ...]
    place: Place

    def describe(self) -> str:
        """The value for an error."""
        return "a list"


@dataclass(frozen=True)
class Entries:
    """A mapping, in the order written; no two keys have the same text."""

    entries: tuple[tuple[Scalar, Located], ...]
    place: Place

    def describe(self) -> str:
        """The value for an error."""
        return "a mapping"


Located: TypeAlias = Scalar | Items | Entries


def from_python(value: object, place: Place, depth: int = 0) -> Located:
    """A keyword argument (or a flag's value) as a tree.

    Raises:
        SpecError: it is nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise SpecError("nested too deeply", where=place.where)
    if isinstance(value, str):
        return Scalar(value, str(value), place)
    if isinstance(value, os.PathLike):
        return Scalar(Path(os.fsdecode(value)), None, place)
    if isinstance(value, Mapping):
        entries = [(_key(key, place), from_python(inner, place, depth + 1)) for key, inner in value.items()]
        return Entries(tuple(entries), place)
    if isinstance(value, (list, tuple)):
        return Items(tuple(from_python(inner, place, depth + 1) for inner in value), place)
    return Scalar(value, None, place)


def _key(key: object, place: Place) -> Scalar:
    return Scalar(key, str(key) if isinstance(key, str) else None, place)
