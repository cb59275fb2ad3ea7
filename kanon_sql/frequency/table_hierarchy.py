"""A hierarchy that is a table, a view or a Parquet file: the rules of DESIGN 5.4 and 5.2, asked of it by SQL.

It is never fetched: every rule is one question, and at most five labels come back with how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kanon_sql import sqltext
from kanon_sql.backends import Engine
from kanon_sql.catalog import SourceTable, refuse_collations
from kanon_sql.compiler import GeneralizedColumn, Relation, TableHierarchy, questions
from kanon_sql.errors import DataError, HierarchyError
from kanon_sql.hierarchy import FLAT_TOP, Fault
from kanon_sql.hierarchy.ground_text import loses

NO_LINE = 0
"""The line of a fault in something that has no lines."""

_TEXT = "TEXT"
_ZONED = "TIMESTAMPTZ"
_PAGE = 1000


class TableFaults(HierarchyError):
    """A table with one fault or more: the text shows the first and counts the rest, ``faults`` has all."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        self.name = name
        self.faults = tuple(faults)
        first, *rest = self.faults
        more = f" ({len(rest)} more fault{'s'[: len(rest) > 1]})" if rest else ""
        super().__init__(first.what, where=name, mend=first.mend + more, values=first.values)


def read_table_hierarchy(
    engine: Engine, relation: Relation, name: str, *, add_top: bool = False
) -> TableHierarchy:
    """The hierarchy that a table holds, its rules checked.

    Args:
        engine: where the table is.
        relation: the table, view or file; its columns in order are the levels.
        name: how messages show it.
        add_top: add a last level ``*``.

    Raises:
        TableFaults: its rows break the rules; all faults are in its ``faults``.
        HierarchyError: it has no rows, or a column of a type that has no text of its own, or a collation.
    """
    types = engine.columns(relation)
    columns = tuple(column for column, _ in types)
    ground_type, *_ = [
        _plain_type(name, column, sql_type, ground=at == 0) for at, (column, sql_type) in enumerate(types)
    ]
    try:
        refuse_collations(engine, SourceTable(relation, name, dict(types)), columns)
    except DataError as error:
        raise HierarchyError(error.what, where=error.where, mend=error.mend) from None
    [(rows, top, sha256)] = engine.run(questions.hierarchy_content(relation, columns, ground_type))
    if not rows:
        raise HierarchyError("it has no rows", where=name, mend="give it one row per ground value")
    faults = _tree_faults(engine, relation, columns, add_top)
    if faults:
        raise TableFaults(name, faults)
    names = (*columns, f"level_{len(columns)}") if add_top else columns
    return TableHierarchy(
        name=name,
        relation=relation,
        columns=columns,
        ground_type=ground_type,
        level_names=names,
        top=FLAT_TOP if add_top else top,
        rows=rows,
        sha256=sha256,
        warnings=tuple(_idle_levels(name, names, level_sizes(engine, relation, columns), add_top)),
    )


def level_sizes(engine: Engine, relation: Relation, columns: Sequence[str]) -> tuple[int, ...]:
    """How many labels each level has, NULL being one."""
    [sizes] = engine.run(questions.hierarchy_level_sizes(relation, columns))
    return sizes


def top_below_top(engine: Engine, hierarchy: TableHierarchy) -> int | None:
    """The lowest level at which the top label has another parent than itself, if there is one."""
    if not hierarchy.height:
        return None
    [below] = engine.run(questions.hierarchy_top_below_top(hierarchy))
    return next((level for level, found in enumerate(below) if found), None)


def check_ground_values(engine: Engine, column: GeneralizedColumn, hierarchy: TableHierarchy) -> list[str]:
    """Every ground value must fit the column's type without loss; one that cannot be held is warned of.

    Text is held to what a file's text is held to, a value of another type must come back from the cast.

    Raises:
        HierarchyError: a ground value would be changed by the column's type, or none fits it, or two ground
            values are equal in it and disagree.
    """
    if hierarchy.ground_type == column.sql_type:
        return []
    _refuse_zones(column, hierarchy)
    changed = _changed(engine, column, hierarchy)
    if changed:
        ground, cast_text = changed
        raise HierarchyError(
            f"a ground value would become another in column {column.column} ({column.sql_type}) "
            "(written, held)",
            where=hierarchy.name,
            values=(ground, cast_text),
            mend="write ground values as the column holds them",
        )
    unfit = engine.run(questions.hierarchy_unfit_ground(column, hierarchy))
    if unfit and unfit[0][1] == unfit[0][2]:
        raise HierarchyError(
            f"no ground value fits column {column.column} ({column.sql_type})",
            where=hierarchy.name,
            values=tuple(ground for ground, *_ in unfit),
            mend="check that this is that column's hierarchy",
        )
    clashes = engine.run(questions.hierarchy_clashing_ground(column, hierarchy))
    if clashes:
        ground, other, total = clashes[0]
        raise HierarchyError(
            f"{total} pair(s) of ground values are equal as {column.sql_type} but have different paths",
            where=hierarchy.name,
            values=(ground, other),
            mend="keep one of each",
        )
    if not unfit:
        return []
    return [
        f"{hierarchy.name}: {unfit[0][1]} ground value(s) cannot be held by column {column.column} "
        f"({column.sql_type}) and match nothing"
    ]


def _plain_type(name: str, column: str, sql_type: str, *, ground: bool) -> str:
    """A column's type, where its values have a text that does not depend on the session."""
    try:
        plain = sqltext.data_type(sql_type)
    except ValueError:
        plain = ""
    nested = not plain or plain.endswith("]") or plain.startswith(("STRUCT", "MAP", "UNION", "VARIANT"))
    if nested or (plain == _ZONED and not ground):
        raise HierarchyError(
            f"column {column} is of type {sql_type}, which makes no labels",
            where=name,
            mend="make a view whose columns are the levels, as text",
        )
    return plain


def _tree_faults(engine: Engine, relation: Relation, columns: Sequence[str], add_top: bool) -> list[Fault]:
    """All faults of the rows, rule by rule; none means that they are a tree."""
    faults = []
    width = len(columns)
    if found := engine.run(questions.hierarchy_repeated_ground(relation, columns)):
        what = f"{_several(found[0][2], 'ground value')} with more than one row"
        mend = "keep the row whose path is right" + (
            "; NULL and the empty text are two values" if any(row[0] is None for row in found) else ""
        )
        faults.append(Fault(NO_LINE, what, mend, tuple(row[0] for row in found)))
    for level in range(0 if width == 1 and not add_top else 1, width):
        if found := engine.run(questions.hierarchy_blank(relation, columns, level)):
            what = f"level {level} ({columns[level]}) is blank in {_several(found[0][1], 'row')}"
            mend = "write a label there; only a ground value may be blank"
            faults.append(Fault(NO_LINE, what, mend, tuple(row[0] for row in found) if level else ()))
    if not add_top and (found := engine.run(questions.hierarchy_tops(relation, columns))):
        total = found[0][2]
        if total > 1:
            what = f"{total} top values in the last column ({columns[-1]}), where there must be one"
            mend = "end every row with the same value, or say `add_top: true` for a level `*` above these"
            faults.append(Fault(NO_LINE, what, mend, tuple(row[0] for row in found)))
    for level in range(1, width - 1):
        if found := engine.run(questions.hierarchy_two_parents(relation, columns, level)):
            total = found[0][3]
            what = (
                f"{_several(total, 'label')} of level {level} ({columns[level]}) with two parents at level"
                f" {level + 1}"
            )
            what += " (label, parent, other parent)" if total == 1 else ""
            values = found[0][:3] if total == 1 else tuple(row[0] for row in found)
            faults.append(Fault(NO_LINE, what, "give each one parent, or tell them apart by name", values))
    return faults


def _several(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _idle_levels(name: str, names: Sequence[str], sizes: Sequence[int], add_top: bool) -> list[str]:
    warnings = []
    for level, (below, size) in enumerate(pairwise([*sizes, 1] if add_top else sizes), 1):
        if below != size:
            continue
        if add_top and level == len(names) - 1:
            why = "`add_top` added it above a column that already held one value"
        else:
            why = f"it has as many values as level {level - 1}"
        warnings.append(f"{name}: level {level} ({names[level]}) merges nothing: {why}")
    return warnings


def _refuse_zones(column: GeneralizedColumn, hierarchy: TableHierarchy) -> None:
    """A cast between a time with a zone and anything else reads the session's zone (DESIGN 5.14)."""
    if _ZONED in (column.sql_type, hierarchy.ground_type):
        raise HierarchyError(
            f"its ground values are {hierarchy.ground_type} and column {column.column} is {column.sql_type}: "
            "which time that is depends on the session's zone",
            where=hierarchy.name,
            mend="make a view with the ground values in the column's type",
        )


def _changed(engine: Engine, column: GeneralizedColumn, hierarchy: TableHierarchy) -> tuple[str, str] | None:
    """A ground value that the column's type changes, and what it becomes; None where there is none.

    Of text, SQL sets aside what is plainly the same; what is written otherwise is judged here, page by page.
    """
    is_text = hierarchy.ground_type == _TEXT
    back_type = None if is_text else hierarchy.ground_type
    after = ""
    while True:
        asked = questions.hierarchy_changed_ground(column, hierarchy, back_type, after=after, shown=_PAGE)
        page = engine.run(asked)
        for ground, cast_text in page:
            if not is_text or loses(column.sql_type, ground, cast_text):
                return ground, cast_text
        if len(page) < _PAGE:
            return None
        after = page[-1][0]
