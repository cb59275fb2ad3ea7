"""Loading hierarchies into the engine as mapping tables, and the checks that need the data.

What a hierarchy file must be in itself is the hierarchy room's business; here it meets the column: its type
(DESIGN 5.2), its values (5.3), and its top label (5.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.backends import Engine
from kanon_sql.backends.base import Row
from kanon_sql.compiler import AnyHierarchy, GeneralizedColumn, Question, TableHierarchy, questions
from kanon_sql.errors import DataError, HierarchyError
from kanon_sql.frequency.table_hierarchy import check_ground_values
from kanon_sql.frequency.zones import ZONED_TYPE, in_instants
from kanon_sql.hierarchy import Hierarchy
from kanon_sql.hierarchy.ground_text import keeps_apart, loses


@dataclass(frozen=True)
class Loaded:
    """What loading the hierarchies has shown.

    Attributes:
        question: the run's question; where `unmapped: top` placed a value, level 0 is text now.
        warnings: one line each.
    """

    question: Question
    warnings: tuple[str, ...]


def load_mappings(engine: Engine, question: Question, hierarchies: Sequence[AnyHierarchy | None]) -> Loaded:
    """Create the mapping table of every quasi-identifier.

    Args:
        engine: where the tables go (scratch).
        question: the run's question; its columns carry the names of the mapping tables.
        hierarchies: per quasi-identifier its hierarchy, or None for one that has only value and top.

    Raises:
        HierarchyError: a ground value would be changed by the column's type, or none fits it, or two ground
            values are equal in it and disagree, or one needs a time zone and none is named.
        DataError: the data holds the top label as a value that the hierarchy does not place.
    """
    warnings: list[str] = []
    columns: list[GeneralizedColumn] = []
    for column, hierarchy in zip(question.columns, hierarchies, strict=True):
        if hierarchy is None:
            engine.run(questions.mapping_flat(question, column))
        else:
            warnings += load_mapping(engine, question, column, hierarchy)
        if hierarchy is None or column.unmapped != "error":
            _refuse_top_in_data(engine, question, column, hierarchy)
        placed = column.unmapped == "top" and bool(engine.run(questions.unmapped(question, column)))
        if placed:
            engine.run(questions.unmapped_to_top(question, column))
        columns.append(replace(column, placed=placed))
    return Loaded(replace(question, columns=tuple(columns)), tuple(warnings))


def load_mapping(
    engine: Engine, question: Question, column: GeneralizedColumn, hierarchy: AnyHierarchy
) -> list[str]:
    """Create the mapping table of one hierarchy, and give the warnings of it.

    Raises:
        HierarchyError: as for :func:`load_mappings`.
    """
    if isinstance(hierarchy, TableHierarchy):
        warnings = [*hierarchy.warnings, *check_ground_values(engine, column, hierarchy)]
        engine.run(questions.mapping_from_table(question, column, hierarchy))
        return warnings
    held, said = _fit(engine, column, hierarchy)
    engine.run(questions.mapping_from_file(question, column, held))
    return [*hierarchy.warnings, *said]


def _fit(engine: Engine, column: GeneralizedColumn, hierarchy: Hierarchy) -> tuple[Hierarchy, list[str]]:
    """The hierarchy as the column's type can hold it, and warnings of what it cannot hold.

    Raises:
        HierarchyError: a ground value would be changed, or none fits, or two are equal and disagree.
    """
    if column.sql_type == "TEXT":
        return hierarchy, []
    if column.sql_type == ZONED_TYPE:
        held, unheld = in_instants(engine, column, hierarchy)
        may_clash = True
    else:
        odd = engine.run(questions.ground_values(column, hierarchy))
        held, unheld = hierarchy, _unheld(column, hierarchy, odd)
        # Equal texts with different paths were refused when the file was read.
        may_clash = bool(odd) or not keeps_apart(column.sql_type)
    if unheld and len(unheld) == sum(row[0] is not None for row in hierarchy.rows):
        raise HierarchyError(
            f"no ground value fits column {column.column} ({column.sql_type})",
            where=hierarchy.name,
            values=tuple(hierarchy.rows[at][0] for at in unheld),
            mend="check that this file is that column's hierarchy, and how `header:` is read",
        )
    for first, last in engine.run(questions.clashing_ground(column, held)) if may_clash else ():
        written = dict(zip(hierarchy.lines, hierarchy.ground_values, strict=True))
        raise HierarchyError(
            f"two ground values are equal as {column.sql_type} but have different paths "
            f"(lines {held.lines[first]} and {held.lines[last]})",
            where=f"{hierarchy.name}:{held.lines[last]}",
            values=(written[held.lines[first]], written[held.lines[last]]),
            mend="keep one of them",
        )
    if not unheld:
        return held, []
    lines = ", ".join(str(hierarchy.lines[at]) for at in unheld[:5]) + (", …" if len(unheld) > 5 else "")
    return held, [
        f"{hierarchy.name}: {len(unheld)} ground value(s) cannot be held by column {column.column} "
        f"({column.sql_type}) and match nothing (line {lines})"
    ]


def _unheld(column: GeneralizedColumn, hierarchy: Hierarchy, odd: Sequence[Row]) -> list[int]:
    """The positions of ground values that the column's type cannot hold; one that it would change is refused.

    Args:
        column: the column.
        hierarchy: its hierarchy.
        odd: the ground values that the type does not give back letter for letter: (position, what it gives).
    """
    unheld: list[int] = []
    for at, cast_text in odd:
        cell = hierarchy.rows[at][0] or ""
        if cast_text is None:
            unheld.append(at)
        elif loses(column.sql_type, cell, cast_text):
            raise HierarchyError(
                f"the ground value would become another in column {column.column} ({column.sql_type}) "
                "(written, held)",
                where=f"{hierarchy.name}:{hierarchy.lines[at]}",
                values=(cell, cast_text),
                mend="write ground values as the column holds them",
            )
    return unheld


def _refuse_top_in_data(
    engine: Engine, question: Question, column: GeneralizedColumn, hierarchy: AnyHierarchy | None
) -> None:
    [(rows,)] = engine.run(questions.top_in_data(question, column, flat=hierarchy is None))
    if rows:
        raise DataError(
            f"column {column.column} holds the top label of its hierarchy as a value ({rows} rows)",
            where=question.source.name,
            values=(column.top,),
            mend="give the column a hierarchy that lists this value, or another top label",
        )


def unmapped_hints(found: Sequence[Row]) -> list[str]:
    """How values that ``questions.unmapped`` found would match a ground value after all."""
    ways = ("trimmed of spaces", "with leading zeros added or dropped", "in another letter case")
    return [words for at, words in enumerate(ways) if any(row[3 + at] for row in found)]


def refuse_unmapped(
    engine: Engine, question: Question, hierarchies: Sequence[AnyHierarchy | None], lost: int
) -> None:
    """Say which values have no row in their mapping table, where that is an error (DESIGN 5.3).

    Args:
        lost: how many rows the joins to the mapping tables lost; 0 asks nothing.

    Raises:
        DataError: a quasi-identifier with ``unmapped: error`` has values without a row.
    """
    if not lost:
        return
    explained = False
    for column, hierarchy in zip(question.columns, hierarchies, strict=True):
        found = engine.run(questions.unmapped(question, column))
        if not found:
            continue
        explained = True
        if column.unmapped != "error" or hierarchy is None:
            continue
        _, values, rows, *_ = found[0]
        hints = unmapped_hints(found)
        hint = f" ({'; '.join(f'would match {words}' for words in hints)})" if hints else ""
        raise DataError(
            f"column {column.column} has {values} value(s) in {rows} row(s) without a row in "
            f"{hierarchy.name}{hint}",
            where=question.source.name,
            values=tuple(row[0] for row in found),
            mend="add them to the hierarchy, or say `unmapped: suppress` or `unmapped: top` for the column",
        )
    if not explained:
        raise DataError(
            f"{lost} row(s) were lost between the table and its mapping tables",
            where=question.source.name,
            mend="the table changed while it was read: run again",
        )
