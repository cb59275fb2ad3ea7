"""Loading hierarchies into the engine as mapping tables, and the checks that need the data.

What a hierarchy file must be in itself is the hierarchy room's business; here it meets the column: its type
(DESIGN 5.2), its values (5.3), and its top label (5.4).
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends import Engine
from kanon_sql.compiler import AnyHierarchy, GeneralizedColumn, Question, TableHierarchy, questions
from kanon_sql.errors import DataError, HierarchyError
from kanon_sql.frequency.numbers import is_number, same_number
from kanon_sql.frequency.table_hierarchy import check_ground_values
from kanon_sql.hierarchy import Hierarchy


def load_mappings(
    engine: Engine, question: Question, hierarchies: Sequence[AnyHierarchy | None]
) -> list[str]:
    """Create the mapping table of every quasi-identifier.

    Args:
        engine: where the tables go (scratch).
        question: the run's question; its columns carry the names of the mapping tables.
        hierarchies: per quasi-identifier its hierarchy, or None for one that has only value and top.

    Returns:
        Warnings, one line each.

    Raises:
        HierarchyError: a ground value would be changed by the column's type, or none fits it, or two ground
            values are equal in it and disagree.
        DataError: the data holds the top label as a value that the hierarchy does not place.
    """
    warnings: list[str] = []
    for column, hierarchy in zip(question.columns, hierarchies, strict=True):
        if hierarchy is None:
            engine.run(questions.mapping_flat(question, column))
        elif isinstance(hierarchy, TableHierarchy):
            warnings += hierarchy.warnings
            warnings += check_ground_values(engine, column, hierarchy)
            engine.run(questions.mapping_from_table(question, column, hierarchy))
        else:
            warnings += hierarchy.warnings
            warnings += _check_ground_values(engine, column, hierarchy)
            engine.run(questions.mapping_from_file(question, column, hierarchy))
        if hierarchy is None or column.unmapped != "error":
            _refuse_top_in_data(engine, question, column, hierarchy)
        if column.unmapped == "top":
            engine.run(questions.unmapped_to_top(question, column))
    return warnings


def _check_ground_values(engine: Engine, column: GeneralizedColumn, hierarchy: Hierarchy) -> list[str]:
    """Every ground value must fit the column's type without loss; one that cannot be held is warned of."""
    if column.sql_type == "TEXT":
        return []
    unheld: list[int] = []
    for at, cast_text, widened, widened_after in engine.run(questions.ground_values(column, hierarchy)):
        cell = hierarchy.rows[at][0] or ""
        if cast_text is None:
            unheld.append(at)
        elif widened != widened_after or not _same_number(column.sql_type, cell, cast_text):
            raise HierarchyError(
                f"the ground value would become {cast_text} in column {column.column} ({column.sql_type})",
                where=f"{hierarchy.name}:{hierarchy.lines[at]}",
                values=(cell,),
                mend="write ground values as the column holds them",
            )
    if unheld and len(unheld) == sum(row[0] is not None for row in hierarchy.rows):
        raise HierarchyError(
            f"no ground value fits column {column.column} ({column.sql_type})",
            where=hierarchy.name,
            values=tuple(hierarchy.rows[at][0] for at in unheld),
            mend="check that this file is that column's hierarchy, and how `header:` is read",
        )
    for first, last in engine.run(questions.clashing_ground(column, hierarchy)):
        raise HierarchyError(
            f"two ground values are equal as {column.sql_type} but have different paths "
            f"(lines {hierarchy.lines[first]} and {hierarchy.lines[last]})",
            where=f"{hierarchy.name}:{hierarchy.lines[last]}",
            values=(hierarchy.rows[first][0], hierarchy.rows[last][0]),
            mend="keep one of them",
        )
    if not unheld:
        return []
    lines = ", ".join(str(hierarchy.lines[at]) for at in unheld[:5]) + (", …" if len(unheld) > 5 else "")
    return [
        f"{hierarchy.name}: {len(unheld)} ground value(s) cannot be held by column {column.column} "
        f"({column.sql_type}) and match nothing (line {lines})"
    ]


def _same_number(sql_type: str, cell: str, cast_text: str) -> bool:
    """Whether a numeric cast kept the number exactly; any other type is not judged here."""
    return not is_number(sql_type) or same_number(cell, cast_text)


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
        hints = [
            words
            for at, words in enumerate(
                ("trimmed of spaces", "with leading zeros added or dropped", "in another letter case")
            )
            if any(row[3 + at] for row in found)
        ]
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
