"""A spec as plain data: what to release, from which table, how private."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypeAlias

from kanon_sql.errors import SpecError
from kanon_sql.privacy import SensitiveModel
from kanon_sql.privacy.numbers import plain
from kanon_sql.spec.text import check_text, shown, whole

Unmapped: TypeAlias = Literal["error", "suppress", "top"]
Plan: TypeAlias = Literal["frequency", "direct"]
Search: TypeAlias = Literal["minimal", "all", "optimal"]
OutputKind: TypeAlias = Literal["table", "view"]

_MOST_PARTS = 3
_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
_PERCENT = re.compile(r"([0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30})\s*%")
_DECIMAL = re.compile(r"[0-9]{0,30}\.[0-9]{1,30}")


@dataclass(frozen=True)
class TableName:
    """The name of a table: ``table``, ``schema.table`` or ``database.schema.table``, unquoted parts.

    Raises:
        SpecError: no part, more than three, or a part that is empty or no valid text.

    >>> str(TableName(("clinic", "Marital Status")))
    'clinic."Marital Status"'
    """

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.parts) <= _MOST_PARTS:
            raise SpecError(f"a table name has one to three parts, not {len(self.parts)}")
        for part in self.parts:
            check_text(part, "table name", None)

    @classmethod
    def parse(cls, text: str, where: str | None = None) -> TableName:
        """Read ``[[database.]schema.]table``, each part plain or double-quoted as in SQL.

        Text that does not parse so is one literal name.

        Raises:
            SpecError: the text is blank, or no valid text.

        >>> TableName.parse('clinic."a ""b"" c"').parts
        ('clinic', 'a "b" c')
        >>> TableName.parse('t"; drop table patients; --').parts
        ('t"; drop table patients; --',)
        """
        check_text(text if text.strip() else "", "table name", where)
        return cls(_sql_parts(text) or (text,))

    def __str__(self) -> str:
        """The name in a form that parses back to the same."""
        return ".".join(
            part if _is_plain(part) else '"' + part.replace('"', '""') + '"' for part in self.parts
        )


def _is_plain(part: str) -> bool:
    return not part.startswith("$") and part.replace("$", "_").isidentifier()


def _sql_parts(text: str) -> tuple[str, ...] | None:
    parts: list[str] = []
    at = 0
    while part := _PART.match(text, at):
        quoted, plain = part.groups()
        if quoted is None and not _is_plain(plain):
            return None
        parts.append(plain if quoted is None else quoted.replace('""', '"'))
        at = part.end()
        if at == len(text):
            return tuple(parts) if len(parts) <= _MOST_PARTS else None
        if text[at] != ".":
            return None
        at += 1
    return None


@dataclass(frozen=True)
class MaxSuppression:
    """How many rows may be suppressed: a number of rows, or an exact share of the input rows.

    Raises:
        ValueError: not exactly one of the two is given, or it is out of range (a mistake of the caller).
    """

    rows: int | None = None
    share: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.rows is None) == (self.share is None):
            raise ValueError("give rows or share")
        if (self.rows is not None and self.rows < 0) or (self.share is not None and not 0 <= self.share <= 1):
            raise ValueError("out of range")

    @classmethod
    def parse(cls, value: object, where: str | None = None) -> MaxSuppression:
        """Read ``120``, ``"120"``, ``"1%"`` or ``"0.5 %"``.

        Raises:
            SpecError: anything else; a bare fraction is refused with a hint, never guessed.

        >>> MaxSuppression.parse("0.5 %").share, MaxSuppression.parse(120).rows
        (Fraction(1, 200), 120)
        """
        if isinstance(value, MaxSuppression):
            return value
        text = value.strip() if isinstance(value, str) else value
        rows = whole(text)
        if rows is not None:
            return cls(rows=rows)
        words = text if isinstance(text, str) else ""
        if percent := _PERCENT.fullmatch(words):
            share = Fraction(percent[1]) / 100
            if share > 1:
                raise _malformed(value, where, ": more than 100%")
            return cls(share=share)
        bare = words if isinstance(value, str) else str(value) if isinstance(value, float) else ""
        if _DECIMAL.fullmatch(bare):
            number = Fraction(bare)
            percentage = _decimal(number * 100 if number < 1 else number)
            mend = f"write {percentage}% for a share of the rows, or a whole number of rows"
            raise _malformed(value, where, ": a bare fraction is ambiguous", mend)
        raise _malformed(value, where)

    def rows_of(self, total: int) -> int:
        """The number of rows out of ``total``: a share is floored, exactly.

        >>> MaxSuppression.parse("1%").rows_of(30162)
        301
        """
        return math.floor(self.share * total) if self.share is not None else self.rows or 0

    def __str__(self) -> str:
        """The words that parse back to the same: ``120`` or ``0.5%``."""
        return f"{_decimal(self.share * 100)}%" if self.share is not None else str(self.rows)


def _malformed(value: object, where: str | None, why: str = "", mend: str | None = None) -> SpecError:
    mend = mend or "write a number of rows such as 120, or a share such as 1%"
    return SpecError(f"malformed max_suppression {shown(value)}{why}", where=where, mend=mend)


def _decimal(number: Fraction) -> str:
    """A fraction as an exact decimal where it has one, else as ``n/d``."""
    for digits in range(64):
        scaled = number * 10**digits
        if scaled.denominator == 1:
            text = str(scaled.numerator).rjust(digits + 1, "0")
            return f"{text[:-digits]}.{text[-digits:]}" if digits else text
    return str(number)


@dataclass(frozen=True)
class QuasiIdentifierSpec:
    """What is asked of one quasi-identifier.

    Attributes:
        column: the column, spelled as the user did.
        hierarchy: its hierarchy file, or None for a table or the flat one (the value, then ``*``).
        unmapped: what happens to a value without a mapping row.
        header: whether the first line is a header; None lets the reader decide.
        delimiter: the one character between cells; None lets the reader decide.
        add_top: whether the level ``*`` is put on top.
        builtin: the name after ``builtin:`` when the hierarchy is one of the package's own.
        found: the file was not named but found in the hierarchy folder.
        hierarchy_table: the table or view that holds its hierarchy, where that is no file.
        min_level, max_level: the lowest and the highest level allowed; None where they were left open.
        level: the one level allowed, where it was fixed; then the other two are None.
        weight: how much it counts in an objective.
    """

    column: str
    hierarchy: Path | None = None
    unmapped: Unmapped = "error"
    header: bool | None = None
    delimiter: str | None = None
    add_top: bool = False
    builtin: str | None = None
    found: bool = False
    hierarchy_table: TableName | None = None
    min_level: int | None = None
    max_level: int | None = None
    level: int | None = None
    weight: Fraction = Fraction(1)

    def levels_of(self, height: int) -> tuple[int, int]:
        """The lowest and the highest level allowed, in a hierarchy of this height (which may lack them).

        >>> QuasiIdentifierSpec("age", min_level=1).levels_of(4), QuasiIdentifierSpec("age", level=2).levels_of(4)
        ((1, 4), (2, 2))
        """
        if self.level is not None:
            return self.level, self.level
        return self.min_level or 0, height if self.max_level is None else self.max_level

    def with_levels_of(self, other: QuasiIdentifierSpec) -> QuasiIdentifierSpec:
        """The same, with the levels and the weight that another asks for."""
        return replace(
            self,
            min_level=other.min_level,
            max_level=other.max_level,
            level=other.level,
            weight=other.weight,
        )

    def as_manifest(self) -> dict[str, object]:
        """The long form of section 9, without what was left open."""
        words: dict[str, object] = {}
        if self.hierarchy is not None:
            words["hierarchy"] = f"builtin:{self.builtin}" if self.builtin else self.hierarchy.as_posix()
        if self.hierarchy_table is not None:
            words["hierarchy"] = f"table:{self.hierarchy_table}"
        words["unmapped"] = self.unmapped
        if self.header is not None:
            words["header"] = self.header
        if self.delimiter is not None:
            words["delimiter"] = self.delimiter
        if self.add_top:
            words["add_top"] = True
        for word in ("min_level", "max_level", "level"):
            if (level := getattr(self, word)) is not None:
                words[word] = level
        if self.weight != 1:
            words["weight"] = plain(self.weight)
        return words


@dataclass(frozen=True)
class HierarchyFile:
    """A hierarchy that a model names: a file, a table, or one of the package's own (then with its path)."""

    path: Path | None = None
    table: TableName | None = None
    builtin: str | None = None


@dataclass(frozen=True)
class SensitiveSpec:
    """What is asked of one sensitive column.

    Attributes:
        column: the column, spelled as the user did.
        models: at least one.
        nulls: whether NULL is a value, or does not count.
        count: whether the models count rows or persons.
        hierarchies: what the models' hierarchies are, by the text that names them.
    """

    column: str
    models: tuple[SensitiveModel, ...]
    nulls: str = "value"
    count: str = "rows"
    hierarchies: Mapping[str, HierarchyFile] = field(default_factory=dict)

    def as_manifest(self) -> list[dict[str, object]]:
        """The list of section 9."""
        said: list[dict[str, object]] = []
        for model in self.models:
            parameters = dict(model.parameters())
            only = parameters.get(model.declared.scalar or "")
            said.append({model.word: only if only is not None and len(parameters) == 1 else parameters})
        if self.nulls != "value":
            said.append({"nulls": self.nulls})
        if self.count != "rows":
            said.append({"count": self.count})
        return said


@dataclass(frozen=True)
class KMapSpec:
    """How many rows of a population table a class must have."""

    k: int
    population: TableName


@dataclass(frozen=True)
class SuppressionPer:
    """Of each value of a column (NULL is one) at most that share of its rows may be suppressed."""

    column: str
    share: Fraction

    @property
    def shown_share(self) -> str:
        """The share as people write it: ``5%``."""
        return str(MaxSuppression(share=self.share))


@dataclass(frozen=True)
class Spec:
    """A whole spec, resolved: file, flags and keyword arguments merged and checked.

    Attributes:
        table_file: the source as a file, when no ``db`` is given and ``table`` is named like one
            (``.csv``, ``.parquet``, …); a caller that has a connection passes it over.
        output_file: the same for ``output``.
        output_db: another database file that the release goes into.
        output_as: whether the release is a table or a view.
        partition_by: released columns that a Parquet release is partitioned by.
        timezone: where ground values of a TIMESTAMP WITH TIME ZONE are read that give no offset.
        threads, memory_limit, temp_directory: what the engine may use.
        quasi_identifiers: in the order of the spec; empty when none was given.
        sensitive: every sensitive column; ``models`` says what is asked of some of them.
        asked_of_found: what is asked of quasi-identifiers that nobody has named and the hierarchy folder is to
            tell: their levels and weights, nothing else.
        objective: the measure that ``search: optimal`` makes best, and None for every other search.
        policy: what prefers one vector to another, the first one first; empty with ``search: optimal``.
        max_suppression_per: shares that no value of a column may lose more of.
        time_budget: how many seconds a search may take, or None.
        drop_at_top: whether a quasi-identifier at the top of its hierarchy is left out of the release.
        vector: one level per quasi-identifier, in their order, when one was asked for.
        hierarchy_folder: where ``<column>.csv`` was looked for; None where the only such folder is the
            package's own.
        source_file: the spec file.
    """

    db: Path | None = None
    table: TableName | None = None
    table_file: Path | None = None
    where: str | None = None
    k: int = 5
    max_suppression: MaxSuppression = field(default_factory=lambda: MaxSuppression(rows=0))
    person: str | None = None
    quasi_identifiers: tuple[QuasiIdentifierSpec, ...] = ()
    sensitive: tuple[str, ...] = ()
    models: tuple[SensitiveSpec, ...] = ()
    k_map: KMapSpec | None = None
    insensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    asked_of_found: tuple[QuasiIdentifierSpec, ...] = ()
    search: Search = "minimal"
    objective: str | None = None
    policy: tuple[str, ...] = ()
    max_suppression_per: tuple[SuppressionPer, ...] = ()
    time_budget: Fraction | None = None
    drop_at_top: bool = False
    output: TableName | None = None
    output_file: Path | None = None
    output_db: Path | None = None
    output_as: OutputKind = "table"
    partition_by: tuple[str, ...] = ()
    overwrite: bool = False
    allow_empty: bool = False
    plan: Plan = "frequency"
    vector: Mapping[str, int] | None = None
    timezone: str | None = None
    threads: int | None = None
    memory_limit: str | None = None
    temp_directory: Path | None = None
    redact: bool = False
    hierarchy_folder: Path | None = None
    source_file: Path | None = None

    def as_manifest(self) -> dict[str, object]:
        """The spec in the words of kanon.yml, ready for JSON; what was not given is left out."""
        words: dict[str, object] = {
            "db": self.db and self.db.as_posix(),
            "table": _table_words(self.table, self.table_file),
            "where": self.where,
            "k": self.k,
            "max_suppression": self.max_suppression.rows
            if self.max_suppression.share is None
            else str(self.max_suppression),
            "person": self.person,
            "quasi_identifiers": {each.column: each.as_manifest() for each in self.quasi_identifiers},
            "k_map": {"k": self.k_map.k, "population": str(self.k_map.population)} if self.k_map else None,
            "sensitive": {column: [] for column in self.sensitive}
            | {each.column: each.as_manifest() for each in self.models},
            "insensitive": list(self.insensitive),
            "identifiers": list(self.identifiers),
            "search": self.search,
            "objective": self.objective,
            "policy": list(self.policy) or None,
            "max_suppression_per": [
                {"column": each.column, "share": each.shown_share} for each in self.max_suppression_per
            ]
            or None,
            "time_budget": None if self.time_budget is None else f"{_decimal(self.time_budget)}s",
            "drop_at_top": self.drop_at_top or None,
            "output": _table_words(self.output, self.output_file),
            "output_db": self.output_db and self.output_db.as_posix(),
            "as": self.output_as if self.output_as != "table" else None,
            "partition_by": list(self.partition_by) or None,
            "overwrite": self.overwrite,
            "allow_empty": self.allow_empty,
            "plan": self.plan,
            "vector": None if self.vector is None else dict(self.vector),
            "timezone": self.timezone,
            "threads": self.threads,
            "memory_limit": self.memory_limit,
            "temp_directory": self.temp_directory and self.temp_directory.as_posix(),
            "redact": self.redact,
        }
        return {word: value for word, value in words.items() if value is not None}


def _table_words(name: TableName | None, file: Path | None) -> str | None:
    if file is not None:
        return file.as_posix()
    return None if name is None else str(name)
