"""Plain data that the templates are filled with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from pathlib import PurePath
from typing import Literal

from kanon_sql import sqltext
from kanon_sql.hierarchy import Hierarchy
from kanon_sql.lattice import DistanceVector
from kanon_sql.privacy import (
    Condition,
    PrivacyModel,
    SensitiveModel,
    conditions_of_classes,
    conditions_of_values,
)


@dataclass(frozen=True)
class Statement:
    """One SQL statement and the values bound to its named parameters (``$name``).

    Attributes:
        name: the question it asks: the template's path without its suffix.
        sql: the text, in DuckDB's dialect.
        parameters: values to bind.
    """

    name: str
    sql: str
    parameters: Mapping[str, object] = field(default_factory=dict)

    @property
    def creates(self) -> bool:
        """Whether it makes or fills a table, rather than asking something."""
        words = sqltext.first_words(self.sql)
        return words.startswith(("CREATE", "INSERT"))

    def pretty(self) -> Statement:
        """The same statement laid out for reading."""
        return Statement(self.name, sqltext.pretty(self.sql), self.parameters)

    def inlined(self) -> str:
        """The text with parameters replaced by literals: what one can paste into a client."""
        return sqltext.inline_parameters(self.sql, self.parameters)


@dataclass(frozen=True)
class FileScan:
    """A file, or several that a glob names, read in place.

    Attributes:
        kind: ``parquet`` or ``csv``.
        path: the file or the glob, as DuckDB is given it.
        columns: of a CSV file, its columns in order: (name, type), settled once so that every statement
            reads it alike; of a partitioned Parquet release, the types of the columns it is partitioned by.
        delimiter, quote, escape, skip, header: how a CSV file is cut.
        date_format, timestamp_format: how a CSV file writes dates, where that was recognised.
        partitioned: whether the path holds Hive partitions (``column=value/``).
    """

    kind: Literal["parquet", "csv"]
    path: str
    columns: tuple[tuple[str, str], ...] = ()
    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    skip: int = 0
    header: bool = True
    date_format: str | None = None
    timestamp_format: str | None = None
    partitioned: bool = False

    @property
    def name(self) -> str:
        """What people call it: the last part of its path."""
        return PurePath(self.path).name


# What a statement can select from: a table or view by its name parts, or a file.
Relation = tuple[str, ...] | FileScan


@dataclass(frozen=True)
class TableHierarchy:
    """A hierarchy that a table, a view or a Parquet file holds: its columns in order are the levels.

    It is never fetched whole. Whoever makes one has checked by SQL that it is a tree
    (:mod:`kanon_sql.frequency.table_hierarchy`).

    Attributes:
        name: how it is shown in messages: ``table:age_levels``, ``hierarchies/age.parquet``.
        relation: what statements select from.
        columns: the relation's columns, ground first.
        ground_type: the type of the first of them.
        level_names: one name per level, ground first; one more than columns where the level ``*`` is added.
        top: the label at the top.
        rows: how many rows it has.
        sha256: of its content in any order, in hexadecimal.
        warnings: what is allowed but worth saying, each a line of its own.
        has_header: None, as there is no such line.
    """

    name: str
    relation: Relation
    columns: tuple[str, ...]
    ground_type: str
    level_names: tuple[str, ...]
    top: str
    rows: int
    sha256: str
    warnings: tuple[str, ...] = ()
    has_header: None = None

    @property
    def height(self) -> int:
        """The number of the top level."""
        return len(self.level_names) - 1


# A quasi-identifier's hierarchy: read from a CSV file, or a table.
AnyHierarchy = Hierarchy | TableHierarchy


@dataclass(frozen=True)
class Source:
    """The table that is released, and which of its rows.

    Attributes:
        table: its name, catalog first; or a file.
        row_filter: a boolean SQL expression that sqlglot has read, or None for every row.
        person: the column whose distinct values k counts, or None to count rows.
    """

    table: Relation
    row_filter: str | None = None
    person: str | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        return self.table.name if isinstance(self.table, FileScan) else self.table[-1]


@dataclass(frozen=True)
class GeneralizedColumn:
    """A quasi-identifier as SQL sees it: a column, and the mapping table that generalizes it.

    Attributes:
        column: the column's own name in the source.
        sql_type: its type in the source.
        mapping: the name of its mapping table: columns ``level_0`` … ``level_<height>``.
        digits, codes: the names of its trie tables, used by the frequency plan.
        height: the height of its hierarchy.
        top: the label at the top.
        unmapped: what becomes of a value without a row in the mapping table.
        mapping_home: catalog and schema of the mapping table, where it is not scratch (a view's).
        zone: the time zone that ground values without an offset are read in, or None.
        placed: whether `unmapped: top` has put a value of the data at the top, so that level 0 is text.
    """

    column: str
    sql_type: str
    mapping: str
    digits: str
    codes: str
    height: int
    top: str
    unmapped: Literal["error", "suppress", "top"] = "error"
    mapping_home: tuple[str, ...] = ()
    zone: str | None = None
    placed: bool = False

    @property
    def mapping_path(self) -> tuple[str, ...]:
        """The name parts of the mapping table."""
        return (*self.mapping_home, self.mapping)

    @property
    def ground(self) -> str:
        """The mapping table's column that the source joins: the ground value, in the column's type.

        That is ``level_0``, but where what is released at level 0 may be another value than the ground
        value: the top label for an unmapped value (``unmapped: top``), the only value there is for a NULL
        (height 0). There the ground value has a column of its own.
        """
        return "ground" if self.unmapped == "top" or self.height == 0 else "level_0"

    @property
    def level_0_type(self) -> str:
        """The type of level 0 in the release: the column's own, or text where a value is placed."""
        return self.type_at(0)

    def type_at(self, level: int) -> str:
        """The type of a level in the release."""
        return "VARCHAR" if level or self.placed else self.sql_type

    def level(self, level: int) -> str:
        """The mapping table's column at a level."""
        return f"level_{level}"


@dataclass(frozen=True)
class SensitiveColumn:
    """A sensitive column that models look at.

    Attributes:
        column: its own name in the source.
        sql_type: its type.
        dictionary: the scratch table of its values in the source: ground, value (a number), n, mass, total.
        models: what is asked of it.
        taxonomies: per model the mapping table of its hierarchy over the values, or None.
        nulls: whether NULL is a value, or does not count.
        count: whether its numbers count rows or persons.
    """

    column: str
    sql_type: str
    dictionary: str
    models: tuple[SensitiveModel, ...]
    taxonomies: tuple[GeneralizedColumn | None, ...]
    nulls: Literal["value", "ignore"] = "value"
    count: Literal["rows", "persons"] = "rows"

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition on a class, with what follows from it."""
        heights = [taxonomy.height if taxonomy else None for taxonomy in self.taxonomies]
        return conditions_of_values(tuple(zip(self.models, heights, strict=True)), self.count)

    def taxonomy_of(self, model: PrivacyModel) -> GeneralizedColumn | None:
        """The mapping table of a model's hierarchy."""
        found = (
            taxonomy for each, taxonomy in zip(self.models, self.taxonomies, strict=True) if each == model
        )
        return next(found, None)


@dataclass(frozen=True)
class ShareColumn:
    """A column of which no value may lose more than a share of its rows.

    Attributes:
        column: the column, and the scratch table of its values.
        share: the share.
        entries: the scratch table of the frequency set with the column's values (`frequency/encode`).
        limits: the scratch table of how many more rows each value may lose (`frequency/limits`).
    """

    column: SensitiveColumn
    share: Fraction
    entries: str
    limits: str

    def allowed(self, rows: int) -> int:
        """How many rows a value of so many rows may lose.

        >>> column = SensitiveColumn("race", "TEXT", "values", (), ())
        >>> [ShareColumn(column, Fraction(1, 20), "entries", "limits").allowed(rows) for rows in (19, 20, 100)]
        [0, 1, 5]
        """
        return floor(self.share * rows)


@dataclass(frozen=True)
class ReleaseColumn:
    """One column of the release, in order: a quasi-identifier (by index) or a column kept as it is."""

    name: str
    quasi_identifier: int | None = None


@dataclass(frozen=True)
class Question:
    """Everything about a release but the vector: what every statement of a run is compiled from.

    Attributes:
        source: the table.
        columns: the quasi-identifiers, in the order of the vector.
        models: the privacy models that look at the size of a class.
        sensitive: the sensitive columns that other models look at.
        population: the table in which a model looks classes up, or None.
        reference: where the distribution of sensitive values in the whole is taken from, where not the source.
        bounds: whether what a search may prune on is counted too, where that is not what is asked itself.
        release: the columns that leave, in order.
        temporary: whether scratch tables are temporary tables (on a connection that was passed in).
        shares: the columns of which no value may lose more than a share of its rows.
    """

    source: Source
    columns: tuple[GeneralizedColumn, ...]
    models: tuple[PrivacyModel, ...]
    release: tuple[ReleaseColumn, ...] = ()
    temporary: bool = False
    sensitive: tuple[SensitiveColumn, ...] = ()
    population: Source | None = None
    reference: Source | None = None
    bounds: bool = True
    shares: tuple[ShareColumn, ...] = ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition on a class; with what follows from it, where bounds are counted."""
        of_values = (condition for column in self.sensitive for condition in column.conditions)
        every = (*conditions_of_classes(self.models), *of_values)
        return every if self.bounds else tuple(condition for condition in every if condition.stated)

    @property
    def taxonomies(self) -> tuple[GeneralizedColumn, ...]:
        """The mapping tables over sensitive values that models need."""
        return tuple(each for column in self.sensitive for each in column.taxonomies if each is not None)

    def with_mappings(self, moved: Callable[[GeneralizedColumn], GeneralizedColumn]) -> Question:
        """The same question of other mapping tables."""
        return replace(
            self,
            columns=tuple(map(moved, self.columns)),
            sensitive=tuple(
                replace(column, taxonomies=tuple(each and moved(each) for each in column.taxonomies))
                for column in self.sensitive
            ),
        )

    @property
    def is_sure(self) -> bool:
        """Whether all that is asked is monotone under suppression: then the outliers never rise with the vector."""
        return all(condition.sure for condition in self.conditions if condition.stated)

    @property
    def counts_bounds(self) -> bool:
        """Whether, beside the outliers, what a search may prune on is counted."""
        return self.bounds and not self.is_sure

    def without_bounds(self) -> Question:
        """The same question for a statement that no search prunes on."""
        return replace(self, bounds=False)

    @property
    def dropped(self) -> tuple[GeneralizedColumn, ...]:
        """The quasi-identifiers that the release has no column for: each stands at its top."""
        kept = {column.quasi_identifier for column in self.release}
        return tuple(column for i, column in enumerate(self.columns) if i not in kept)

    @property
    def kept(self) -> tuple[GeneralizedColumn, ...]:
        """The quasi-identifiers that the release has a column for."""
        dropped = self.dropped
        return tuple(column for column in self.columns if column not in dropped)

    @property
    def sizes_only(self) -> bool:
        """Whether the size of a class is all that is asked about."""
        return not self.sensitive and self.population is None

    def describe_models(self) -> tuple[str, ...]:
        """Every model that is asked for, in words; one of a sensitive column with its name."""
        of_values = (f"{each.column}: {model.describe()}" for each in self.sensitive for model in each.models)
        return (*(model.describe() for model in self.models), *of_values)

    def describe(self, vector: DistanceVector) -> str:
        """The vector in words, for the comment that a statement starts with."""
        return ", ".join(f"{c.column}={level}" for c, level in zip(self.columns, vector, strict=True))
