"""A spec meets a table: which columns it means, their roles, types and hierarchies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from kanon_sql import sqltext
from kanon_sql.backends import Engine
from kanon_sql.backends.files import scan_file
from kanon_sql.catalog import SourceTable, read_filter, refuse_collations, resolve_column, resolve_table
from kanon_sql.compiler import (
    AnyHierarchy,
    GeneralizedColumn,
    Question,
    Relation,
    ReleaseColumn,
    SensitiveColumn,
    ShareColumn,
    Source,
    TableHierarchy,
    questions,
)
from kanon_sql.errors import DataError, HierarchyError, SpecError, did_you_mean
from kanon_sql.frequency import table_hierarchy
from kanon_sql.frequency.zones import ZONED_TYPE, instant_of, known_zone
from kanon_sql.hierarchy import FLAT_TOP, Hierarchy, read_hierarchy_file, top_below_top
from kanon_sql.lattice import MAX_LEVEL, DistanceVector, Lattice
from kanon_sql.names import find_name, shown_path
from kanon_sql.privacy import KAnonymity, KMap, PrivacyModel
from kanon_sql.spec import (
    TOP_WORDS,
    QuasiIdentifierSpec,
    SensitiveSpec,
    Spec,
    TableName,
    hierarchy_file_for,
    is_parquet,
)

FLAT_LEVEL_NAMES = ("value", "top")
# The types that a quasi-identifier may have: those whose equality and text were looked at, one by one.
_PLAIN = {
    "BIGINT", "BIGNUM", "BIT", "BLOB", "BOOLEAN", "DATE", "DECIMAL", "DOUBLE", "ENUM", "INT", "INT128",
    "INTERVAL", "REAL", "SMALLINT", "TEXT", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_MS", "TIMESTAMP_NS",
    "TIMESTAMP_S", "TIME_NS", "TINYINT", "UBIGINT", "UINT128", "UINTEGER", "USMALLINT", "UTINYINT", "UUID",
}  # fmt: skip
# The types whose values have differences; dates and timestamps by their seconds.
NUMERIC_TYPES = {
    "BIGINT", "DATE", "DECIMAL", "DOUBLE", "INT", "INT128", "REAL", "SMALLINT", "TIMESTAMP",
    "TIMESTAMPTZ", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP_S", "TINYINT", "UBIGINT", "UINT128", "UINTEGER",
    "USMALLINT", "UTINYINT",
}  # fmt: skip
_MEND_TYPE = {
    "TIMETZ": "a time of day in a zone means no one moment: cast it to TIME in a view, and name that",
    "TIMESTAMPTZ_NS": "cast it to TIMESTAMPTZ in a view, and name that",
    "JSON": "its values may be written in many ways: make a view with what you need of them as plain columns",
}
_MEND_NESTED = "make a view with one plain column per part, and name those"


@dataclass(frozen=True)
class BoundColumn:
    """A quasi-identifier, bound: what the spec says of it and what the table and its hierarchy are.

    Attributes:
        spec: the words of the spec, with the column's own name and the hierarchy file that was found.
        sql_type: the column's type.
        hierarchy: the hierarchy as read, or the table that it is, or None for value and top alone.
    """

    spec: QuasiIdentifierSpec
    sql_type: str
    hierarchy: AnyHierarchy | None

    @property
    def name(self) -> str:
        """The column's own name."""
        return self.spec.column

    @property
    def height(self) -> int:
        """The height of its hierarchy."""
        return self.hierarchy.height if self.hierarchy else 1

    @property
    def level_names(self) -> tuple[str, ...]:
        """The names of its levels, ground first."""
        return self.hierarchy.level_names if self.hierarchy else FLAT_LEVEL_NAMES

    @property
    def levels(self) -> tuple[int, int]:
        """The lowest and the highest level allowed."""
        return self.spec.levels_of(self.height)

    @property
    def shown_hierarchy(self) -> str:
        """Where its hierarchy comes from, for people."""
        return self.hierarchy.name if self.hierarchy else "none (value, *)"


@dataclass(frozen=True)
class Bound:
    """A spec bound to a table.

    Attributes:
        spec: the spec, with the table's own names.
        source: what is read.
        columns: the quasi-identifiers, in the order of the vector.
        question: what every statement of the run is compiled from.
        left_out: columns of the source that are not released, for want of a role that releases them.
        notes: what is worth saying about the roles.
        taxonomies: the hierarchies over sensitive values that models need, and what each generalizes.
    """

    spec: Spec
    source: SourceTable
    columns: tuple[BoundColumn, ...]
    question: Question
    left_out: tuple[str, ...]
    notes: tuple[str, ...] = ()
    taxonomies: tuple[tuple[GeneralizedColumn, AnyHierarchy], ...] = ()

    @property
    def lattice(self) -> Lattice:
        """The lattice of the distance vectors allowed."""
        levels = [column.levels for column in self.columns]
        return Lattice(
            tuple(column.height for column in self.columns),
            tuple(low for low, _ in levels),
            tuple(high for _, high in levels),
        )

    @property
    def restricted(self) -> dict[str, tuple[int, int]]:
        """The quasi-identifiers not all of whose levels are allowed: the lowest and the highest one."""
        return {each.name: each.levels for each in self.columns if each.levels != (0, each.height)}

    def at_top(self, vector: DistanceVector) -> tuple[str, ...]:
        """The quasi-identifiers that a vector takes to the top of their hierarchies, where they say nothing any more;
        not one that has but one level."""
        levels = zip(self.columns, vector, strict=True)
        return tuple(column.name for column, level in levels if level == column.height > 0)

    def dropped_at(self, vector: DistanceVector) -> tuple[str, ...]:
        """The quasi-identifiers that are left out of the release of a vector."""
        return self.at_top(vector) if self.spec.drop_at_top else ()

    def question_at(self, vector: DistanceVector) -> Question:
        """What the release of a vector is compiled from: what `drop_at_top` drops is not among its columns."""
        dropped = self.dropped_at(vector)
        kept = tuple(column for column in self.question.release if column.name not in dropped)
        return replace(self.question, release=kept)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the quasi-identifiers, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def hierarchies(self) -> tuple[AnyHierarchy | None, ...]:
        """The hierarchies, in order."""
        return tuple(column.hierarchy for column in self.columns)


def bind(engine: Engine, spec: Spec, table: SourceTable) -> Bound:
    """Bind a spec to the table that it names.

    Raises:
        SpecError: no quasi-identifier, or a filter that is not one expression.
        DataError: no such column, or a column of a type that cannot be generalized.
        HierarchyError: a hierarchy that cannot be read or is not a tree.
    """
    types, shown = table.types, table.shown
    known = list(types)
    own = _own_names(spec, known, shown)
    row_filter = read_filter(engine, own.where, table) if own.where is not None else None
    zone = known_zone(engine, own.timezone) if own.timezone is not None else None
    source = Source(table.relation, row_filter, own.person)
    wanted = own.quasi_identifiers or _as_asked(_found_in_folder(own, known), own)
    if not wanted:
        folder = own.hierarchy_folder
        raise SpecError(
            "no quasi-identifier is named, and no column has a hierarchy of its name in "
            f"{folder.name if folder else 'hierarchies'}/ (<column>.csv)",
            where=shown,
            mend="name them with --qi or under quasi_identifiers",
        )
    persons = [own.person] if own.person is not None else []
    looked_at = [each.column for each in own.models]
    looked_at += [each.column for each in own.max_suppression_per]
    refuse_collations(engine, table, [*(each.column for each in wanted), *persons, *looked_at])
    columns = tuple(_bind_column(engine, source, each, types[each.column], zone, shown) for each in wanted)
    _refuse_levels_beyond(columns)
    own = replace(own, quasi_identifiers=tuple(column.spec for column in columns), asked_of_found=())
    roles = _roles(own)
    released = [name for name in known if roles.get(name) in ("quasi-identifier", "sensitive", "insensitive")]
    order = {column.name: i for i, column in enumerate(columns)}
    sensitive, taxonomies = bind_sensitive(engine, own.models, source, types, shown)
    question = Question(
        source,
        tuple(_generalized(engine, column, zone) for column in columns),
        _models_of_classes(own),
        tuple(ReleaseColumn(name, order.get(name)) for name in released),
        engine.temporary_scratch,
        sensitive,
        _population(engine, own, columns),
        shares=_shares(engine, own, types, shown),
    )
    left_out = tuple(name for name in known if name not in released)
    notes = _passed_over(own, released) if all(each.found for each in wanted) else ()
    return Bound(own, table, columns, question, left_out, notes, taxonomies)


def unbound(spec: Spec) -> Bound:
    """A spec without a database: names as written, types unknown; enough to print the SQL of a vector.

    Raises:
        SpecError: no table or no quasi-identifier is named.
        HierarchyError: a hierarchy that cannot be read or is not a tree.
    """
    table = spec.table
    if table is None:
        raise SpecError("no table is named", where="--table", mend="say which table to release")
    folder = spec.hierarchy_folder
    there = [*folder.glob("*.csv"), *folder.glob("*.parquet")] if folder is not None else []
    found = tuple(QuasiIdentifierSpec(path.stem, path, found=True) for path in sorted(there))
    wanted = spec.quasi_identifiers or _as_asked(found, spec)
    if not wanted:
        raise SpecError(
            "no quasi-identifier is named", where=str(spec.table), mend="name them with --qi, or give --db"
        )
    columns = tuple(BoundColumn(each, "TEXT", read_hierarchy(None, each, None)) for each in wanted)
    _refuse_levels_beyond(columns)
    spec = replace(spec, quasi_identifiers=wanted, asked_of_found=())
    _roles(spec)
    row_filter = sqltext.read_row_filter(spec.where).sql if spec.where is not None else None
    names = [*(column.name for column in columns), *spec.sensitive, *spec.insensitive]
    sensitive, taxonomies = bind_sensitive(None, spec.models, None, {}, str(table))
    question = Question(
        Source(table.parts, row_filter, spec.person),
        tuple(_generalized(None, column) for column in columns),
        _models_of_classes(spec),
        tuple(ReleaseColumn(name, i if i < len(columns) else None) for i, name in enumerate(names)),
        True,
        sensitive,
        Source(spec.k_map.population.parts) if spec.k_map is not None else None,
    )
    return Bound(spec, SourceTable(table.parts, str(table), {}), columns, question, (), (), taxonomies)


def asked_vector(bound: Bound, *, as_allowed: bool = True) -> DistanceVector | None:
    """The vector that the spec asks for, or None.

    Args:
        bound: the spec.
        as_allowed: whether its levels must be among those allowed; to look at a vector they need not.

    Raises:
        SpecError: a level is missing, or lies outside the hierarchy, or is not allowed.
    """
    asked = bound.spec.vector
    return None if asked is None else vector_of(bound, asked, as_allowed=as_allowed)


def vector_of(bound: Bound, asked: Mapping[str, int], *, as_allowed: bool) -> DistanceVector:
    """A vector that somebody named: one level per quasi-identifier (see :func:`asked_vector`)."""
    levels: dict[str, int] = {}
    for written, level in asked.items():
        name = find_name(written, bound.names)
        if name is None:
            raise SpecError(
                f"{written!r} is not a quasi-identifier",
                where="--vector",
                mend=did_you_mean(written, bound.names) or f"they are: {', '.join(bound.names)}",
            )
        levels[name] = level
    missing = [name for name in bound.names if name not in levels]
    if missing:
        raise SpecError(
            f"no level is given for {', '.join(missing)}",
            where="--vector",
            mend="give one level for every quasi-identifier, such as "
            + ",".join(f"{name}=0" for name in bound.names),
        )
    for column in bound.columns:
        if levels[column.name] > column.height:
            raise SpecError(
                f"level {levels[column.name]} of {column.name} is above the top of its hierarchy",
                where="--vector",
                mend=f"its levels are 0 to {column.height}",
            )
        low, high = column.levels
        if as_allowed and not low <= levels[column.name] <= high:
            allowed = f"{low} to {high}" if low < high else str(low)
            raise SpecError(
                f"level {levels[column.name]} of {column.name} is not allowed",
                where="--vector",
                mend=f"allowed is {allowed}: choose another level, or allow this one",
            )
    return tuple(levels[name] for name in bound.names)


def _as_asked(found: Sequence[QuasiIdentifierSpec], spec: Spec) -> tuple[QuasiIdentifierSpec, ...]:
    """Quasi-identifiers that were found in the folder, with the levels and weights that are asked of them.

    Raises:
        SpecError: something is asked of a column that is none of them.
    """
    known = [each.column for each in found]
    asked: dict[str, QuasiIdentifierSpec] = {}
    for each in spec.asked_of_found if found else ():
        name = find_name(each.column, known)
        if name is None:
            word = next((word for word in each.as_manifest() if word in TOP_WORDS), "weight")
            raise SpecError(
                f"{each.column!r} is not a quasi-identifier",
                where=TOP_WORDS[word].flag,
                mend=did_you_mean(each.column, known) or f"they are: {', '.join(known)}",
            )
        asked[name] = each
    return tuple(each.with_levels_of(asked.get(each.column, each)) for each in found)


def _refuse_levels_beyond(columns: Sequence[BoundColumn]) -> None:
    """Levels that are allowed and that the hierarchy does not have.

    Raises:
        SpecError: there is one.
    """
    for column in columns:
        for word in ("min_level", "max_level", "level"):
            level = getattr(column.spec, word)
            if level is not None and level > column.height:
                raise SpecError(
                    f"{word} {level} of {column.name} is above the top of its hierarchy",
                    where=column.shown_hierarchy if column.hierarchy else column.name,
                    mend=f"its levels are 0 to {column.height}",
                )


def _own_names(spec: Spec, known: Sequence[str], table: str) -> Spec:
    """The spec with every column written as the table writes it."""

    def own(names: Sequence[str], role: str) -> tuple[str, ...]:
        return tuple(resolve_column(name, known, role=role, table=table) for name in names)

    return replace(
        spec,
        person=own([spec.person], "person")[0] if spec.person is not None else None,
        quasi_identifiers=tuple(
            replace(each, column=own([each.column], "quasi-identifier")[0]) for each in spec.quasi_identifiers
        ),
        sensitive=own(spec.sensitive, "sensitive"),
        models=tuple(replace(each, column=own([each.column], "sensitive")[0]) for each in spec.models),
        insensitive=own(spec.insensitive, "insensitive"),
        identifiers=own(spec.identifiers, "identifier"),
        max_suppression_per=tuple(
            replace(each, column=own([each.column], "max_suppression_per")[0])
            for each in spec.max_suppression_per
        ),
    )


def _roles(spec: Spec) -> dict[str, str]:
    """The role of every column that has one; quasi-identifiers that were found in the folder included."""
    roles: dict[str, str] = {}
    for role, names in (
        ("identifier", spec.identifiers),
        ("person", (spec.person,) if spec.person is not None else ()),
        ("sensitive", spec.sensitive),
        ("insensitive", spec.insensitive),
        ("quasi-identifier", tuple(each.column for each in spec.quasi_identifiers)),
    ):
        for name in names:
            if name in roles:
                raise SpecError(f"column {name} has two roles: {roles[name]} and {role}", mend="give it one")
            roles[name] = role
    return roles


def _found_in_folder(spec: Spec, known: Sequence[str]) -> tuple[QuasiIdentifierSpec, ...]:
    """The columns, in the table's order, that have a hierarchy of their name and no other role."""
    folder = spec.hierarchy_folder
    if folder is None or not folder.is_dir():
        return ()
    taken = set(_roles(replace(spec, quasi_identifiers=())))
    found = {name: hierarchy_file_for(folder, name) for name in known if name not in taken}
    return tuple(QuasiIdentifierSpec(name, path, found=True) for name, path in found.items() if path)


def _passed_over(spec: Spec, released: Sequence[str]) -> tuple[str, ...]:
    """Columns that are released as they are though the folder has a hierarchy for them."""
    folder = spec.hierarchy_folder
    if folder is None or not folder.is_dir():
        return ()
    kept = [name for name in (*spec.sensitive, *spec.insensitive) if name in released]
    return tuple(
        f"{name} is released as it is, though {folder.name}/ has a hierarchy for it: is it no quasi-identifier?"
        for name in kept
        if hierarchy_file_for(folder, name) is not None
    )


def _models_of_classes(spec: Spec) -> tuple[PrivacyModel, ...]:
    models: tuple[PrivacyModel, ...] = (KAnonymity(spec.k),)
    return models if spec.k_map is None else (*models, KMap(spec.k_map.k, str(spec.k_map.population)))


def _population(engine: Engine, spec: Spec, columns: Sequence[BoundColumn]) -> Source | None:
    """The population that classes are looked up in, which must have every quasi-identifier in its own type.

    Raises:
        DataError: there is no such table, or it lacks a column or has it in another type.
    """
    if spec.k_map is None:
        return None
    table = resolve_table(engine, spec.k_map.population, "--k-map")
    types = dict(engine.columns(table.path))
    names = []
    for column in columns:
        name = resolve_column(
            column.name, list(types), role="quasi-identifier", table=f"population {table.path[-1]}"
        )
        names.append(name)
        if _known_type(types[name]) != column.sql_type:
            raise DataError(
                f"column {name} is of type {types[name]} in the population and {column.sql_type} in the source",
                where=table.path[-1],
                mend="cast it in a view, and name that as the population",
            )
    refuse_collations(engine, SourceTable(table.path, table.path[-1], types, table), names)
    return Source(table.path)


def sensitive_type(column: str, raw_type: str, table: str) -> str:
    """The type of a sensitive column that models look at.

    Raises:
        DataError: its values cannot be told apart as plain values.
    """
    return _plain_type(column, raw_type, table, "which no model can look at")


def _plain_type(column: str, raw_type: str, table: str, why_not: str) -> str:
    """The type of a column that holds plain values, or an error that says why another will not do."""
    sql_type = _known_type(raw_type)
    if sql_type.endswith("]") or sql_type.partition("(")[0] not in _PLAIN:
        raise DataError(
            f"column {column} is of type {raw_type}, {why_not}",
            where=table,
            mend=_MEND_TYPE.get(sql_type, _MEND_NESTED),
        )
    return sql_type


def _known_type(raw_type: str) -> str:
    """A type of the catalog by sqlglot's name for it; as it is where sqlglot has none."""
    try:
        return sqltext.data_type(raw_type)
    except ValueError:
        return raw_type


def bind_sensitive(
    engine: Engine | None,
    models: Sequence[SensitiveSpec],
    source: Source | None,
    types: Mapping[str, str],
    table: str,
) -> tuple[tuple[SensitiveColumn, ...], tuple[tuple[GeneralizedColumn, AnyHierarchy], ...]]:
    """The sensitive columns that models look at, and the hierarchies that they need.

    Args:
        engine: what reads a hierarchy that is a table; None where there is no database.
        models: what is asked, columns by the table's own names.
        source: the table, whose values tell the header of a hierarchy file; None where there is no database.
        types: the table's column types; empty where there is no database.
        table: what errors call the table.

    Raises:
        DataError: a column of a type that cannot be looked at, or is no number where one is needed.
        HierarchyError: a hierarchy that cannot be read or is not a tree.
    """
    columns, hierarchies = [], []
    for each in models:
        sql_type = sensitive_type(each.column, types[each.column], table) if types else "TEXT"
        taxonomies: list[GeneralizedColumn | None] = []
        for i, model in enumerate(each.models):
            if model.numeric and types and sql_type.partition("(")[0] not in NUMERIC_TYPES:
                raise DataError(
                    f"column {each.column} is of type {types[each.column]}, and {model.describe()} needs numbers "
                    "or dates",
                    where=table,
                    mend="use distance: ordered or equal",
                )
            taxonomy = _taxonomy(engine, source, each, model.hierarchy, sql_type, i)
            taxonomies.append(taxonomy[0] if taxonomy is not None else None)
            if taxonomy is not None:
                hierarchies.append(taxonomy)
        name = f"values_{each.column}"
        columns.append(
            SensitiveColumn(
                each.column,
                sql_type,
                engine.scratch(name) if engine is not None else f"kanon_{name}",
                each.models,
                tuple(taxonomies),
                cast(Literal["value", "ignore"], each.nulls),
                cast(Literal["rows", "persons"], each.count),
            )
        )
    return tuple(columns), tuple(hierarchies)


def _shares(engine: Engine, spec: Spec, types: Mapping[str, str], table: str) -> tuple[ShareColumn, ...]:
    """The columns of which no value may lose more than a share of its rows.

    Raises:
        DataError: a column's values cannot be told apart as plain values.
    """
    shares = []
    for each in spec.max_suppression_per:
        sql_type = _plain_type(
            each.column, types[each.column], table, "whose values max_suppression_per cannot count"
        )
        values, entries, limits = (
            engine.scratch(f"{kind}_{each.column}")
            for kind in ("share_values", "share_entries", "share_limits")
        )
        shares.append(
            ShareColumn(SensitiveColumn(each.column, sql_type, values, (), ()), each.share, entries, limits)
        )
    return tuple(shares)


def _taxonomy(
    engine: Engine | None,
    source: Source | None,
    spec: SensitiveSpec,
    hierarchy: str | None,
    sql_type: str,
    i: int,
) -> tuple[GeneralizedColumn, AnyHierarchy] | None:
    if hierarchy is None:
        return None
    file = spec.hierarchies[hierarchy]
    named = QuasiIdentifierSpec(spec.column, file.path, builtin=file.builtin, hierarchy_table=file.table)
    known = _asks_column(engine, source, spec.column, sql_type, None) if engine and source else None
    read = read_hierarchy(engine, named, known)
    assert read is not None, "a hierarchy is named"
    bound = BoundColumn(named, sql_type, read)
    generalized = _generalized(engine, bound)
    name = f"nodes_{i}_{spec.column}"
    mapping = engine.scratch(name) if engine is not None else f"kanon_{name}"
    return replace(generalized, mapping=mapping), read


def _bind_column(
    engine: Engine, source: Source, spec: QuasiIdentifierSpec, raw_type: str, zone: str | None, table: str
) -> BoundColumn:
    sql_type = _plain_type(spec.column, raw_type, table, "whose values cannot be generalized")

    is_a_value = _asks_column(engine, source, spec.column, sql_type, zone)
    return BoundColumn(spec, sql_type, read_hierarchy(engine, spec, is_a_value))


def _asks_column(
    engine: Engine, source: Source, column: str, sql_type: str, zone: str | None
) -> Callable[[str | None], bool]:
    """Asks whether a cell of a hierarchy file is a value of a column, to tell a header."""

    def is_a_value(cell: str | None) -> bool:
        if cell is not None and sql_type == ZONED_TYPE:
            cell = instant_of(engine, cell, zone)
        if cell is None:
            return False
        [(present,)] = engine.run(questions.value_present(source, column, sql_type, cell))
        return bool(present)

    return is_a_value


def read_hierarchy(
    engine: Engine | None, spec: QuasiIdentifierSpec, is_a_value: Callable[[str | None], bool] | None
) -> AnyHierarchy | None:
    """The hierarchy that a quasi-identifier names, its rules checked; None for value and top alone.

    Args:
        engine: what reads a table or a Parquet file; None where there is no database.
        spec: names it.
        is_a_value: asks whether the column holds a value, to tell a header; None where there is no column.

    Raises:
        HierarchyError: it cannot be read or is not a tree.
        SpecError: a table or a Parquet file, and no database.
    """
    hierarchy: AnyHierarchy
    if spec.hierarchy_table is not None or (spec.hierarchy is not None and is_parquet(spec.hierarchy)):
        hierarchy = _read_table(engine, spec)
    elif spec.hierarchy is not None:
        name = f"builtin:{spec.builtin}" if spec.builtin else shown_path(spec.hierarchy)
        file = read_hierarchy_file(spec.hierarchy, name=name, delimiter=spec.delimiter)
        hierarchy = file.build(
            header=spec.header,
            first_cell_is_a_value=is_a_value,
            add_top=spec.add_top,
        )
    else:
        return None
    if hierarchy.height > MAX_LEVEL:
        raise HierarchyError(
            f"a hierarchy has at most {MAX_LEVEL} levels above the ground, this one {hierarchy.height}",
            where=hierarchy.name,
            mend="drop levels",
        )
    below = _top_below_top(engine, hierarchy) if spec.unmapped == "top" else None
    if below is not None:
        raise HierarchyError(
            f"`unmapped: top` would place values at level {below} under a label that means something else",
            where=hierarchy.name,
            values=(hierarchy.top,),
            mend="give the hierarchy another top label, or say `unmapped: suppress`",
        )
    return hierarchy


def _read_table(engine: Engine | None, spec: QuasiIdentifierSpec) -> TableHierarchy:
    name, relation = hierarchy_relation(engine, spec.hierarchy_table, spec.hierarchy)
    assert engine is not None, "hierarchy_relation refuses to go without"
    return table_hierarchy.read_table_hierarchy(engine, relation, name, add_top=spec.add_top)


def hierarchy_relation(
    engine: Engine | None, table: TableName | None, file: Path | None
) -> tuple[str, Relation]:
    """What a hierarchy that is a table or a Parquet file is called, and what statements select from.

    Raises:
        SpecError: there is no database to read it with.
        HierarchyError: there is no such table or file, or the file is not Parquet.
    """
    assert table is not None or file is not None
    name = f"table:{table}" if table is not None else shown_path(file or Path())
    if engine is None:
        raise SpecError(
            "a hierarchy that is a table or a Parquet file is read by the database, and none is given",
            where=name,
            mend="give it with --db",
        )
    try:
        if table is not None:
            return name, resolve_table(engine, table).path
        return name, scan_file(engine, file or Path())
    except DataError as error:
        raise HierarchyError(error.what, where=name, mend=error.mend, values=error.values) from error


def _top_below_top(engine: Engine | None, hierarchy: AnyHierarchy) -> int | None:
    if isinstance(hierarchy, Hierarchy):
        return top_below_top(hierarchy)
    assert engine is not None, "a table is read with an engine"
    return table_hierarchy.top_below_top(engine, hierarchy)


def _generalized(engine: Engine | None, column: BoundColumn, zone: str | None = None) -> GeneralizedColumn:
    def scratch(kind: str) -> str:
        name = f"{kind}_{column.name}"
        return engine.scratch(name) if engine is not None else f"kanon_{name}"

    return GeneralizedColumn(
        column=column.name,
        sql_type=column.sql_type,
        mapping=scratch("map"),
        digits=scratch("digits"),
        codes=scratch("codes"),
        height=column.height,
        top=column.hierarchy.top if column.hierarchy else FLAT_TOP,
        # Without a hierarchy every value of the data has its row.
        unmapped=column.spec.unmapped if column.hierarchy else "error",
        zone=zone if column.sql_type == ZONED_TYPE else None,
    )
