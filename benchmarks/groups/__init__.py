"""The groups of figures, by name, in the order of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from figures import Asked, Row

from groups.adult import adult, resampled
from groups.lattice import lattice
from groups.models import models
from groups.peer import anjana
from groups.start import start
from groups.warehouse import huge, persons, repeating, unique
from groups.wide import wide

Group = Callable[[Asked], Iterator[Row]]

GROUPS: dict[str, Group] = {
    "start": start,
    "adult": adult,
    "resampled": resampled,
    "anjana": anjana,
    "lattice": lattice,
    "unique": unique,
    "repeating": repeating,
    "persons": persons,
    "models": models,
    "wide": wide,
    "huge": huge,
}
# What takes long, and much room on the disk.
ONLY_WHEN_NAMED = ("huge",)
