"""Plain data that the templates are filled with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kanon_sql import sqltext
from kanon_sql.lattice import DistanceVector
from kanon_sql.privacy import PrivacyModel


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

    def pretty(self) -> Statement:
        """The same statement laid out for reading."""
        return Statement(self.name, sqltext.pretty(self.sql), self.parameters)

    def inlined(self) -> str:
        """The text with parameters replaced by literals: what one can paste into a client."""
        return sqltext.inline_parameters(self.sql, self.parameters)


@dataclass(frozen=True)
class Source:
    """The table that is released, and which of its rows.

    Attributes:
        table: its name, catalog first.
        row_filter: a boolean SQL expression that sqlglot has read, or None for every row.
        person: the column whose distinct values k counts, or None to count rows.
    """

    table: tuple[str, ...]
    row_filter: str | None = None
    person: str | None = None


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
    """

    column: str
    sql_type: str
    mapping: str
    digits: str
    codes: str
    height: int
    top: str
    unmapped: Literal["error", "suppress", "top"] = "error"

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
        """The type of level 0 in the release: the column's own, or text where values may be placed."""
        return "VARCHAR" if self.unmapped == "top" else self.sql_type

    def level(self, level: int) -> str:
        """The mapping table's column at a level."""
        return f"level_{level}"


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
        models: the privacy models that every class must satisfy.
        release: the columns that leave, in order.
        temporary: whether scratch tables are temporary tables (on a connection that was passed in).
    """

    source: Source
    columns: tuple[GeneralizedColumn, ...]
    models: tuple[PrivacyModel, ...]
    release: tuple[ReleaseColumn, ...] = ()
    temporary: bool = False

    def describe(self, vector: DistanceVector) -> str:
        """The vector in words, for the comment that a statement starts with."""
        return ", ".join(f"{c.column}={level}" for c, level in zip(self.columns, vector, strict=True))
