"""Ground values of a TIMESTAMP WITH TIME ZONE: which instants they mean (DESIGN 5.14).

A text with an offset means one instant; one without is read in the zone that the spec names, never in the
session's. Nothing is cast from text to such a type but text in UTC, which every session reads alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.backends import Engine
from kanon_sql.compiler import GeneralizedColumn, questions, statement
from kanon_sql.errors import HierarchyError, SpecError, did_you_mean
from kanon_sql.hierarchy import Hierarchy
from kanon_sql.hierarchy.ground_text import Moment, read_moment

ZONED_TYPE = "TIMESTAMPTZ"


def known_zone(engine: Engine, name: str) -> str:
    """The zone as the engine spells it.

    Raises:
        SpecError: the engine knows no zone of that name.
    """
    known: list[str] = [row[0] for row in engine.run(statement("catalog/time_zones.sql.j2"))]
    found = next((each for each in known if each.casefold() == name.casefold()), None)
    if found is None:
        raise SpecError(
            f"no time zone is called {name!r}",
            where="timezone",
            mend=did_you_mean(name, known) or "name one as in Europe/Berlin, or UTC",
        )
    return found


def instant_of(engine: Engine, cell: str, zone: str | None) -> str | None:
    """The one instant that a text means, as text in UTC, or None where it means none (or no one)."""
    try:
        moment = read_moment(cell)
    except ValueError:
        return None
    if moment is None or (moment.offset is None and (moment.zone or zone) is None):
        return None
    [(instant, readings)] = _ask(engine, [moment], zone)
    return instant if readings == 1 else None


def in_instants(
    engine: Engine, column: GeneralizedColumn, hierarchy: Hierarchy
) -> tuple[Hierarchy, list[int]]:
    """A hierarchy whose ground values are instants in UTC, and the positions of those that are no instants.

    Raises:
        HierarchyError: a ground value needs a zone and none is named; it is finer than the type; the zone's
            clock shows it twice, or never.
    """
    cells = [row[0] for row in hierarchy.rows]
    moments: list[Moment | None] = []
    for at, cell in enumerate(cells):
        try:
            moments.append(read_moment(cell) if cell is not None else None)
        except ValueError:
            raise _refusal(
                hierarchy, at, f"column {column.column} holds times to the microsecond", "drop the digits"
            ) from None
        moment = moments[-1]
        if moment is not None and moment.offset is None and moment.zone is None and column.zone is None:
            raise _refusal(
                hierarchy,
                at,
                f"a ground value of column {column.column} (TIMESTAMP WITH TIME ZONE) does not say its zone",
                "write its offset, as in 2024-01-05 21:00+01, or name the zone: `timezone: Europe/Berlin` "
                "(--timezone)",
            )
    found = _ask(engine, moments, column.zone)
    for at, (_, readings) in enumerate(found):
        if readings in (0, 2):
            shown = "twice" if readings else "never"
            zone = (moments[at] or Moment("")).zone or column.zone
            raise _refusal(hierarchy, at, f"a clock of {zone} shows this time {shown}", "write its offset")
    rows = tuple(
        (instant if cell is not None else None, *row[1:])
        for cell, (instant, _), row in zip(cells, found, hierarchy.rows, strict=True)
    )
    unheld = [at for at, cell in enumerate(cells) if cell is not None and rows[at][0] is None]
    held = [at for at in range(len(rows)) if at not in set(unheld)]
    return (
        replace(
            hierarchy,
            rows=tuple(rows[at] for at in held),
            lines=tuple(hierarchy.lines[at] for at in held),
        ),
        unheld,
    )


def _ask(engine: Engine, moments: Sequence[Moment | None], zone: str | None) -> list[tuple[str | None, int]]:
    clocks = [moment and moment.local for moment in moments]
    zones = [moment and ((moment.zone or zone) if moment.offset is None else None) for moment in moments]
    ahead = [moment and moment.offset for moment in moments]
    asked = questions.instants(json.dumps(clocks), json.dumps(zones), json.dumps(ahead))
    return [(instant, readings) for _, instant, readings in engine.run(asked)]


def _refusal(hierarchy: Hierarchy, at: int, what: str, mend: str) -> HierarchyError:
    where = f"{hierarchy.name}:{hierarchy.lines[at]}"
    return HierarchyError(what, where=where, values=(hierarchy.rows[at][0],), mend=mend)
