"""Write a release, verify it by reading it back, and only then let it stand (DESIGN 5.12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanon_sql import sqltext
from kanon_sql.backends import Engine
from kanon_sql.compiler import Question, Relation, Source, Statement, questions
from kanon_sql.errors import VerificationError
from kanon_sql.lattice import DistanceVector
from kanon_sql.release.target import Target, Written
from kanon_sql.risk import ClassSizes


@dataclass(frozen=True)
class Promise:
    """What a release must hold, as the search and the spec say.

    Attributes:
        question: what the release is compiled from.
        vector: its distance vector.
        k: the least size of a class.
        rows: rows of the source.
        suppressed: rows that are left out.
        max_suppressed: MaxSup, in rows.
        types: the source's column types, by name.
    """

    question: Question
    vector: DistanceVector
    k: int
    rows: int
    suppressed: int
    max_suppressed: int
    types: dict[str, str]

    def columns(self) -> list[tuple[str, str]]:
        """The columns that the release must have, in order: (name, type)."""
        promised = []
        for column in self.question.release:
            if column.quasi_identifier is None:
                promised.append((column.name, self.types[column.name]))
            else:
                generalized = self.question.columns[column.quasi_identifier]
                level = self.vector[column.quasi_identifier]
                promised.append((column.name, generalized.level_0_type if level == 0 else "VARCHAR"))
        return promised


@dataclass(frozen=True)
class Released:
    """What a verified release holds.

    Attributes:
        statement: the statement that made it (its shuffle key is not kept).
        sizes: the sizes of its classes, in rows.
        persons: distinct persons in it, where persons are counted.
        smallest_persons: the fewest persons in any of its classes, where persons are counted.
    """

    statement: Statement
    sizes: ClassSizes
    persons: int | None = None
    smallest_persons: int | None = None


def materialize(
    engine: Engine,
    promise: Promise,
    target: Target,
    *,
    progress: Callable[[float], None] | None = None,
    verifying: Callable[[], None] | None = None,
) -> Released:
    """Write the release and verify it; a failure of any kind leaves what was there.

    Raises:
        VerificationError: the release is not what was promised; it was taken back.
    """
    with target.writing(engine, promise.question, promise.vector, promise.columns(), progress) as written:
        if verifying:
            verifying()
        sizes, persons, smallest = verify(engine, promise, written, target.shown)
    return Released(written.statement, sizes, persons, smallest)


def verify(
    engine: Engine, promise: Promise, written: Written, where: str
) -> tuple[ClassSizes, int | None, int | None]:
    """Read a release back, by queries that know nothing of the search, and hold it against its promise.

    Returns:
        Its class sizes in rows, and (where persons are counted) the persons in it and in its smallest class.

    Raises:
        VerificationError: anything differs.
    """
    question, output = promise.question, written.relation

    def refuse(what: str, mend: str = "nothing was released; run again") -> None:
        raise VerificationError(f"the release did not verify: {what}", where=where, mend=mend)

    found, promised = _normal(engine.columns(output)), _normal(written.columns)
    if (found if written.ordered else sorted(found)) != (promised if written.ordered else sorted(promised)):
        refuse(f"its columns are {found}, promised were {promised}")
    [(rows, _, _)] = engine.run(questions.totals(question.source))
    if rows != promise.rows:
        refuse(f"the source had {promise.rows} rows when it was read and has {rows} now")
    sizes = class_sizes(engine, question, output)
    suppressed = promise.rows - sizes.rows
    if suppressed != promise.suppressed:
        refuse(f"{suppressed} rows are suppressed where the search counted {promise.suppressed}")
    if suppressed > promise.max_suppressed:
        refuse(f"{suppressed} rows are suppressed where {promise.max_suppressed} may be")
    for share in question.shares:
        lost = engine.run(questions.shares_lost(question, promise.vector, share))
        if any(most > share.allowed(size) for size, most in lost):
            refuse(f"values of {share.column.column} lose a larger share of their rows than they may")
    kept = question.kept
    [foreign] = engine.run(questions.foreign_values(question, promise.vector, output)) if kept else [()]
    for column, values in zip(kept, foreign, strict=True):
        if values:
            refuse(f"{values} value(s) of {column.column} do not belong to its level")
    if question.source.person is None:
        if not question.sizes_only:
            [(violating,)] = engine.run(questions.violating_classes(question, promise.vector, output))
            if violating:
                refuse(f"{violating} class(es) violate a privacy model")
        if sizes.smallest is not None and sizes.smallest < promise.k:
            classes, _ = sizes.below(promise.k)
            refuse(f"{classes} class(es) have fewer than {promise.k} rows")
        return sizes, None, None
    [(differing, persons, smallest)] = engine.run(questions.person_classes(question, promise.vector, output))
    if differing:
        refuse(f"{differing} class(es) differ from those of the source")
    if smallest is not None and smallest < promise.k:
        refuse(f"a class has {smallest} persons where {promise.k} are required")
    return sizes, persons, smallest


def class_sizes(engine: Engine, question: Question, output: Relation) -> ClassSizes:
    """The sizes of a release's classes, in rows."""
    # A quasi-identifier that was dropped stood at its top, and told no classes apart.
    names = [column.column for column in question.kept]
    return ClassSizes.of(engine.run(questions.class_sizes(Source(output), names)))


def _normal(columns: object) -> list[tuple[str, str]]:
    normal = []
    for name, kind in columns:  # type: ignore[attr-defined]
        try:
            normal.append((name, sqltext.data_type(kind)))
        except ValueError:
            normal.append((name, kind))
    return normal
