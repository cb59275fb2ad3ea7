"""The readable pipeline: anonymize, check, compile. The command line and Python both come through here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql import resources
from kanon_sql.backends import Engine, Tracer
from kanon_sql.binding import Bound, asked_vector, bind, unbound
from kanon_sql.catalog import read_filter, resolve_column, resolve_output, resolve_table
from kanon_sql.compiler import Source, Statement, questions
from kanon_sql.errors import DataError, NoSolutionError, SpecError
from kanon_sql.frequency import DirectCounter, FrequencyCounter, load_mappings
from kanon_sql.frequency.mapping import refuse_unmapped
from kanon_sql.lattice import DistanceVector, height, named
from kanon_sql.measures import Facts, measure_all
from kanon_sql.release.manifest import build_manifest, refuse_unwritable, write_manifest
from kanon_sql.release.materialize import Promise, Released, materialize
from kanon_sql.risk import ClassSizes
from kanon_sql.search import NothingSatisfies, SearchProgress, SearchResult, find_vector
from kanon_sql.search.advice import most_helpful_removal
from kanon_sql.spec import Spec, TableName, resolve_spec

if TYPE_CHECKING:
    import pyarrow

TIE_BREAK = "relative_distance, then the smaller vector in quasi-identifier order"


@dataclass(frozen=True)
class Phase:
    """A phase of a run has begun: hierarchies, frequency_set, search, release or verification."""

    name: str


@dataclass(frozen=True)
class StatementProgress:
    """How much of the running statement is done, by the engine's own estimate: 0 to 100."""

    percent: float


ProgressEvent = Phase | StatementProgress | SearchProgress
Progress = Callable[[ProgressEvent], None]


@dataclass
class _Clock:
    """Seconds per phase."""

    progress: Progress | None
    seconds: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        if self.progress:
            self.progress(Phase(name))
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun

    def rounded(self) -> dict[str, float]:
        total = time.perf_counter() - self.started
        return {name: round(seconds, 4) for name, seconds in {**self.seconds, "total": total}.items()}


@dataclass(frozen=True)
class Result:
    """What a run found and, but for a dry run, released.

    Attributes:
        table, output: the source and the release, by name (``output`` None after a dry run).
        k, max_suppression_rows: what was asked, MaxSup in rows.
        quasi_identifiers, heights: in the order of the vector.
        vector: level per quasi-identifier; ``height`` is their sum.
        proven_minimal: whether no vector of smaller height satisfies, proven by the search.
        rows, released, suppressed: rows in, out, and left out: rows = released + suppressed.
        sizes: the sizes of the released classes, in rows; ``classes`` counts them.
        measures: accuracy, completeness.
        vectors_evaluated: how many vectors the engine was asked about.
        seconds: per phase, and ``total``.
        sql: the statement that makes the release.
        warnings: what a reader should know.
        left_out: columns of the source that are not in the release.
        bound: the spec bound to the table, for reports.
        manifest: everything that explains the release, ready for JSON.
        examples: per quasi-identifier a common value before and after, or None.
    """

    table: str
    output: str | None
    k: int
    max_suppression_rows: int
    quasi_identifiers: tuple[str, ...]
    heights: tuple[int, ...]
    vector: dict[str, int]
    height: int
    proven_minimal: bool
    rows: int
    released: int
    suppressed: int
    sizes: ClassSizes
    measures: dict[str, float]
    vectors_evaluated: int
    seconds: dict[str, float]
    sql: str
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]
    bound: Bound
    manifest: dict[str, object]
    examples: tuple[tuple[str, str] | None, ...] = ()
    _database: Any = None
    _path: tuple[str, str, str] | None = None

    @property
    def classes(self) -> int:
        """How many equivalence classes were released."""
        return self.sizes.classes

    @property
    def class_size(self) -> dict[str, float | int | None]:
        """min, median and max of the released classes, in rows."""
        return self.sizes.summary()

    def to_json(self) -> dict[str, object]:
        """The object that ``kanon-sql run --json`` prints."""
        return _summary(self)

    def to_arrow(self) -> pyarrow.Table:
        """The released table as an Arrow table, read from the database.

        Raises:
            SpecError: nothing was released (a dry run).
        """
        if self._path is None:
            raise SpecError("nothing was released: this was a dry run", where="to_arrow()")
        with _opened(self._database, write=False, tracer=None) as engine:
            table: pyarrow.Table = engine.arrow(questions.read_release(self._path))
            return table


@dataclass(frozen=True)
class CheckResult:
    """Whether a table is k-anonymous as it stands.

    Attributes:
        table, quasi_identifiers, k, person: what was asked.
        sizes: the sizes of its classes, in rows or (with ``person``) in distinct persons.
        satisfied: whether every class reaches k; true, vacuously, of an empty table.
    """

    table: str
    quasi_identifiers: tuple[str, ...]
    k: int
    person: str | None
    sizes: ClassSizes

    @property
    def satisfied(self) -> bool:
        """Whether every class reaches k."""
        return self.sizes.smallest is None or self.sizes.smallest >= self.k

    @property
    def k_reached(self) -> int | None:
        """The largest k that holds: the smallest size of a class; None for an empty table."""
        return self.sizes.smallest

    def to_json(self) -> dict[str, object]:
        """The object that ``kanon-sql check --json`` prints."""
        classes, rows = self.sizes.below(self.k)
        return {
            "table": self.table,
            "quasi_identifiers": list(self.quasi_identifiers),
            "k": self.k,
            "person": self.person,
            "satisfied": self.satisfied,
            "k_reached": self.k_reached,
            "rows": self.sizes.rows,
            "classes": self.sizes.classes,
            "classes_below_k": classes,
            "rows_below_k": rows,
            "class_size": self.sizes.summary(),
            "histogram": self.sizes.histogram(self.k),
        }


def anonymize(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    dry_run: bool = False,
    manifest: str | Path | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> Result:
    """Make a table k-anonymous and release it, verified.

    Args:
        database: the path of a DuckDB file, or an open DuckDB connection, which is left as it was found but
            for the release. Default: the spec's ``db``.
        spec: a kanon.yml; keyword arguments beat it.
        dry_run: do everything but the release.
        manifest: a file to write the manifest to.
        progress: told of phases, of the search and of the release.
        tracer: called with every statement that ran (``print`` will do).
        **words: the words of the spec: table, k, max_suppression, quasi_identifiers, hierarchies, sensitive,
            keep, identifiers, person, where, output, overwrite, allow_empty, vector, plan.

    Raises:
        KanonError: one of the tree in :mod:`kanon_sql.errors`; nothing was written.

    Example:
        ``anonymize("warehouse.duckdb", table="patients", k=5, hierarchies={"age": "age.csv"})``
    """
    resolved, database = _resolve(database, spec, words)
    return run(resolved, database, dry_run=dry_run, manifest=manifest, progress=progress, tracer=tracer)


def run(
    spec: Spec,
    database: str | Path | Any,
    *,
    dry_run: bool = False,
    manifest: str | Path | None = None,
    progress: Progress | None = None,
    tracer: Tracer | None = None,
) -> Result:
    """Run a resolved spec (see :func:`anonymize`)."""
    if manifest is not None:
        refuse_unwritable(Path(manifest))
    _refuse_files(spec, database)
    clock = _Clock(progress)
    with _opened(database, write=not dry_run, tracer=tracer) as engine:
        bound = bind(engine, spec)
        output = _output(engine, bound) if not dry_run else None
        vector = asked_vector(bound)
        rows, persons, max_suppressed = _measure_source(engine, bound)
        warnings: list[str] = []
        with clock.phase("hierarchies"):
            warnings += load_mappings(engine, bound.question, bound.hierarchies)
        with clock.phase("frequency_set"):
            counter: DirectCounter | FrequencyCounter
            plan = DirectCounter if spec.plan == "direct" else FrequencyCounter
            counter = plan(engine, bound.question, rows)
            refuse_unmapped(engine, bound.question, bound.hierarchies, counter.unmapped_rows)
        with clock.phase("search"):
            found = _search(bound, counter, max_suppressed, vector, clock.progress)
            warnings += _warn_of_tops(bound, counter, max_suppressed, found)
        if found.counts.outliers == rows and not spec.allow_empty:
            raise NoSolutionError(
                f"the release would be empty: {_words(bound, found.vector)} suppresses all {rows} rows",
                where=bound.table.path[2],
                mend="allow fewer suppressed rows, or say `allow_empty: true`",
            )
        with clock.phase("release"):
            released = _release(engine, bound, found, rows, max_suppressed, output, progress)
            examples = tuple(_example(engine, bound, i, level) for i, level in enumerate(found.vector))
        if persons is not None and released.persons is not None and released.persons < persons:
            lost = persons - released.persons
            warnings.append(f"{lost} of {persons} persons have no row left in the release")
        if spec.k == 1:
            warnings.append("k is 1: every table satisfies it, and nobody is protected")
        result = Result(
            table=_table_name(bound.table.path, engine),
            output=_table_name(output, engine) if output is not None else None,
            k=spec.k,
            max_suppression_rows=max_suppressed,
            quasi_identifiers=bound.names,
            heights=bound.lattice.heights,
            vector=named(found.vector, bound.names),
            height=height(found.vector),
            proven_minimal=found.proven_minimal,
            rows=rows,
            released=released.sizes.rows,
            suppressed=rows - released.sizes.rows,
            sizes=released.sizes,
            measures=measure_all(Facts(bound.lattice, found.vector, rows, released.sizes.rows)),
            vectors_evaluated=found.evaluated,
            seconds=clock.rounded(),
            sql=released.statement.sql,
            warnings=tuple(warnings),
            left_out=bound.left_out,
            bound=bound,
            manifest={},
            examples=examples,
            _database=database,
            _path=output,
        )
        result = replace(
            result,
            manifest=build_manifest(
                bound,
                found.vector,
                _summary(result),
                sizes=released.sizes,
                search={
                    "objective": "least height",
                    "tie_break": TIE_BREAK,
                    "plan": spec.plan,
                    "asked": vector is not None,
                    "lattice_size": bound.lattice.size,
                    "heights_probed": list(found.heights_probed),
                    "vectors_evaluated": found.evaluated,
                    "vectors_tagged": found.tagged,
                },
                persons=_person_numbers(persons, released),
                release_sql=released.statement.sql,
                engine=engine.version,
                warnings=tuple(warnings),
            ),
        )
    if manifest is not None:
        write_manifest(result.manifest, Path(manifest))
    return result


def check(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    tracer: Tracer | None = None,
    **words: Any,
) -> CheckResult:
    """Whether a table is k-anonymous as it stands.

    Args:
        database: a path or an open connection, as for :func:`anonymize`.
        spec: a kanon.yml.
        tracer: called with every statement that ran.
        **words: table, quasi_identifiers, k, person, where.

    Raises:
        KanonError: the table or a column is missing, or the words are wrong.
    """
    resolved, database = _resolve(database, spec, words)
    _refuse_files(resolved, database)
    if resolved.table is None:
        raise SpecError("no table is named", where="--table", mend="say which table to check")
    if not resolved.quasi_identifiers:
        raise SpecError("no quasi-identifier is named", where="--qi", mend="name them, as in --qi age,zip")
    with _opened(database, write=False, tracer=tracer) as engine:
        table = resolve_table(engine, resolved.table)
        known = [name for name, _ in engine.columns(table.path)]
        shown = table.path[2]
        columns = [
            resolve_column(each.column, known, role="quasi-identifier", table=shown)
            for each in resolved.quasi_identifiers
        ]
        person = (
            resolve_column(resolved.person, known, role="person", table=shown)
            if resolved.person is not None
            else None
        )
        row_filter = (
            read_filter(engine, resolved.where, known, where="where", table=shown)
            if resolved.where is not None
            else None
        )
        source = Source(table.path, row_filter, person)
        _refuse_null_persons(engine, source)
        sizes = ClassSizes.of(engine.run(questions.class_sizes(source, columns)))
        return CheckResult(_table_name(table.path, engine), tuple(columns), resolved.k, person, sizes)


def compile(
    database: str | Path | Any = None,
    *,
    spec: str | Path | Spec | None = None,
    what: str = "check",
    tracer: Tracer | None = None,
    **words: Any,
) -> list[Statement]:
    """The SQL of a run, laid out for reading, without running it.

    Args:
        database: a path or an open connection. Without one, names are taken as written and only the check
            query and the release query can be compiled.
        spec: a kanon.yml.
        what: ``check`` (the query of the vector), ``release``, or ``setup`` (mapping tables, and with
            ``plan="frequency"`` the frequency set).
        **words: as for :func:`anonymize`; ``vector`` for check and release.

    Raises:
        KanonError: the words are wrong, or a database is needed and none is given.
    """
    if not isinstance(spec, Spec):
        words.setdefault("plan", "direct")
    resolved, database = _resolve(database, spec, words)
    if what not in ("check", "release", "setup"):
        raise SpecError(f"unknown kind of SQL {what!r}", mend="one of: check, release, setup")
    if database is None:
        if what == "setup" or resolved.plan == "frequency":
            raise SpecError(
                "the types of the columns are needed",
                where="--setup" if what == "setup" else "--plan frequency",
                mend="give the database with --db",
            )
        return [_statement_of(unbound(resolved), what)]
    with _opened(database, write=False, tracer=tracer) as engine:
        bound = bind(engine, resolved)
        if what == "setup" or resolved.plan == "frequency":
            return _setup(engine, bound, what)
        return [_statement_of(bound, what)]


def _statement_of(bound: Bound, what: str) -> Statement:
    vector = _required_vector(bound)
    if what == "release":
        return questions.release(bound.question, vector, None)
    return questions.check_direct(bound.question, vector).pretty()


def _required_vector(bound: Bound) -> DistanceVector:
    vector = asked_vector(bound)
    if vector is None:
        raise SpecError(
            "no vector is given",
            where="--vector",
            mend="say which, such as --vector " + ",".join(f"{name}=0" for name in bound.names),
        )
    return vector


def _setup(engine: Engine, bound: Bound, what: str) -> list[Statement]:
    """The statements that make the mapping tables and the frequency set, or the frequency plan's query."""
    if what == "release":
        return [_statement_of(bound, what)]
    recorder = _Recorder(engine)
    load_mappings(recorder, bound.question, bound.hierarchies)
    made = list(recorder.creations)
    if bound.spec.plan == "direct":
        return [each.pretty() for each in made]
    rows, _, _ = _measure_source(engine, bound)
    counter = FrequencyCounter(recorder, bound.question, rows)
    if what == "setup":
        return [each.pretty() for each in recorder.creations]
    return [counter.statement([_required_vector(bound)]).pretty()]


class _Recorder:
    """An engine that keeps the statements that create or fill scratch tables."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.creations: list[Statement] = []

    def run(self, statement: Statement, progress: Callable[[float], None] | None = None) -> Any:
        if " AS\n" in statement.sql.split("SELECT", 1)[0] or "INSERT INTO" in statement.sql:
            self.creations.append(statement)
        return self._engine.run(statement, progress)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def _resolve(
    database: str | Path | Any, spec: str | Path | Spec | None, words: Mapping[str, Any]
) -> tuple[Spec, Any]:
    """The resolved spec, and the database: the argument, or else the spec's ``db``."""
    if isinstance(spec, Spec):
        if words:
            raise SpecError("a resolved Spec takes no further words", mend="give a path, or the words alone")
        resolved = spec
    else:
        resolved = resolve_spec(
            file=Path(spec) if spec is not None else None,
            given=words,
            face="python",
            base=Path.cwd(),
            builtins=resources.hierarchies_folder(),
        )
    database = database if database is not None else resolved.db
    return resolved, database


def _refuse_files(spec: Spec, database: Any) -> None:
    """Files as source or release are words that are not built yet: refused, never taken for table names."""
    if spec.table_file is not None and database is None:
        raise SpecError(
            f"a file as the source is not built yet: {spec.table_file.name}",
            where="--table",
            mend="load it into a DuckDB database and name that with --db",
        )
    if spec.output_file is not None:
        raise SpecError(
            f"a file as the release is not built yet: {spec.output_file.name}",
            where="--output",
            mend="name a table, and export it from the database",
        )


@contextmanager
def _opened(database: Any, *, write: bool, tracer: Tracer | None) -> Iterator[Any]:
    """The engine of a path or a connection, closed at the end whatever happens."""
    from kanon_sql.backends.duckdb import open_file, wrap

    if database is None:
        raise SpecError("no database is given", where="--db", mend="give the path of a DuckDB file")
    if isinstance(database, str | Path):
        engine = open_file(Path(database), write=write, tracer=tracer)
    else:
        engine = wrap(database, tracer=tracer)
    try:
        yield engine
    finally:
        engine.close()


def _output(engine: Engine, bound: Bound) -> tuple[str, str, str]:
    """Where the release goes; refused when something stands there that may not be replaced."""
    spec = bound.spec
    source = bound.table
    if spec.output is not None:
        name = spec.output
    else:
        default = f"{source.path[2]}_k{spec.k}"
        name = TableName((default,) if source.temporary else (*source.path[:2], default))
    path, existing = resolve_output(engine, name, source)
    if existing is not None and existing.kind != "table":
        raise SpecError(f"{name} is a view", where="--output", mend="name another table")
    if existing is not None and not spec.overwrite:
        raise SpecError(
            f"the output {TableName(path[1:])} exists already",
            where="--output",
            mend="say --overwrite to replace it, or name another table",
        )
    return path


def _measure_source(engine: Engine, bound: Bound) -> tuple[int, int | None, int]:
    """Rows, persons (where counted) and MaxSup in rows; refused where no release could be made."""
    spec = bound.spec
    shown = bound.table.path[2]
    rows, persons = _refuse_null_persons(engine, bound.question.source)
    if not rows:
        raise DataError(
            "the table has no rows" + (" that the filter keeps" if spec.where else ""), where=shown
        )
    size = persons if persons is not None else rows
    if spec.k > size:
        unit = "persons" if persons is not None else "rows"
        raise DataError(
            f"k is {spec.k} but there are only {size} {unit}: no class can be that large",
            where=shown,
            mend="ask for a smaller k",
        )
    max_suppressed = spec.max_suppression.rows_of(rows)
    if max_suppressed >= rows and not spec.allow_empty:
        raise SpecError(
            f"max_suppression allows all {rows} rows to be suppressed",
            where="--max-suppression",
            mend="allow fewer, or say `allow_empty: true`",
        )
    return rows, persons, max_suppressed


def _refuse_null_persons(engine: Engine, source: Source) -> tuple[int, int | None]:
    [(rows, persons, without)] = engine.run(questions.totals(source))
    if without:
        raise DataError(
            f"the person column {source.person} is NULL in {without} row(s): whose they are is unknown",
            where=source.table[-1],
            mend="fill it in, or leave those rows out with a row filter",
        )
    return rows, persons if source.person is not None else None


def _search(
    bound: Bound,
    counter: DirectCounter | FrequencyCounter,
    max_suppressed: int,
    asked: DistanceVector | None,
    progress: Progress | None,
) -> SearchResult:
    """Find the vector, or check the one that was asked for."""
    if asked is not None:
        [counts] = counter.evaluate([asked])
        if counts.outliers > max_suppressed:
            raise NoSolutionError(
                f"the vector {_words(bound, asked)} does not satisfy: {counts.outliers} rows would be "
                f"suppressed, {max_suppressed} may be",
                where="--vector",
                mend="choose another vector, or leave it out to search for one",
            )
        return SearchResult(asked, counts, 1, 0, (), proven_minimal=height(asked) == 0)
    try:
        return find_vector(
            bound.lattice,
            counter,
            max_suppressed,
            pruning=bound.spec.plan != "direct",
            progress=progress,
        )
    except NothingSatisfies as nothing:
        raise NoSolutionError(
            f"nothing satisfies: even the nearest vector, {_words(bound, nothing.vector)}, would suppress "
            f"{nothing.counts.outliers} rows where {max_suppressed} may be",
            where=bound.table.path[2],
            mend=f"allow at least {nothing.counts.outliers} suppressed rows, or ask for a smaller k",
        ) from None


def _warn_of_tops(
    bound: Bound, counter: DirectCounter | FrequencyCounter, max_suppressed: int, found: SearchResult
) -> list[str]:
    """A warning where more than half of the quasi-identifiers ended at their top (DESIGN 5.20)."""
    at_top = [
        name
        for name, level, top in zip(bound.names, found.vector, bound.lattice.heights, strict=True)
        if top and level == top
    ]
    if 2 * len(at_top) <= len(bound.names):
        return []
    warning = (
        f"{len(at_top)} of {len(bound.names)} quasi-identifiers ended at their top and say nothing any more: "
        + ", ".join(at_top)
    )
    if isinstance(counter, FrequencyCounter) and len(bound.names) > 1:
        helpful = most_helpful_removal(bound.lattice, counter, max_suppressed, found.known)
        if helpful is not None:
            i, least = helpful
            warning += f"; without {bound.names[i]} the others would reach height {least}"
    return [warning]


def _release(
    engine: Engine,
    bound: Bound,
    found: SearchResult,
    rows: int,
    max_suppressed: int,
    output: tuple[str, str, str] | None,
    progress: Progress | None,
) -> Released:
    """Write and verify the release, or (a dry run) only count its classes."""
    if output is None:
        statement = questions.release(bound.question, found.vector, None)
        sizes = ClassSizes.of(engine.run(questions.vector_class_sizes(bound.question, found.vector)))
        return Released(statement, sizes)
    promise = Promise(
        bound.question,
        found.vector,
        bound.spec.k,
        rows,
        found.counts.outliers,
        max_suppressed,
        dict(engine.columns(bound.table.path)),
    )
    return materialize(
        engine,
        promise,
        output,
        replace=bound.spec.overwrite,
        progress=(lambda percent: progress(StatementProgress(percent))) if progress else None,
        verifying=(lambda: progress(Phase("verification"))) if progress else None,
    )


def _example(engine: Engine, bound: Bound, i: int, level: int) -> tuple[str, str] | None:
    """A common value of a quasi-identifier before and after; never one that fewer than k share."""
    rows = engine.run(questions.example(bound.question, i, level, max(bound.spec.k, 2)))
    return (rows[0][0], "NULL" if rows[0][1] is None else rows[0][1]) if rows else None


def _person_numbers(persons: int | None, released: Released) -> dict[str, object] | None:
    if persons is None:
        return None
    return {
        "persons": persons,
        "released": released.persons,
        "lost": persons - released.persons if released.persons is not None else None,
        "smallest_class": released.smallest_persons,
    }


def _summary(result: Result) -> dict[str, object]:
    return {
        "table": result.table,
        "output": result.output,
        "k": result.k,
        "max_suppression_rows": result.max_suppression_rows,
        "quasi_identifiers": list(result.quasi_identifiers),
        "heights": list(result.heights),
        "vector": result.vector,
        "height": result.height,
        "proven_minimal": result.proven_minimal,
        "rows": result.rows,
        "released": result.released,
        "suppressed": result.suppressed,
        "classes": result.classes,
        "class_size": result.class_size,
        "vectors_evaluated": result.vectors_evaluated,
        "measures": result.measures,
        "left_out": list(result.left_out),
        "warnings": list(result.warnings),
        "seconds": result.seconds,
    }


def _table_name(path: Sequence[str], engine: Engine) -> str:
    """A table as its user would name it: without the default schema's catalog and schema."""
    default = engine.default_schema
    if tuple(path[:2]) == default or path[0] == "temp":
        return str(TableName((path[2],)))
    return str(TableName(tuple(path[1:]) if path[0] == default[0] else tuple(path)))


def _words(bound: Bound, vector: DistanceVector) -> str:
    return ", ".join(f"{name}={level}" for name, level in zip(bound.names, vector, strict=True))
