"""Privacy models of a table as it stands: which hold, and what it reaches of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kanon_sql.backends import Engine
from kanon_sql.binding import NUMERIC_TYPES, bind_sensitive, sensitive_type
from kanon_sql.catalog import SourceTable, refuse_collations, resolve_column, resolve_table
from kanon_sql.compiler import GeneralizedColumn, Question, SensitiveColumn, Source, questions
from kanon_sql.errors import DataError, SpecError
from kanon_sql.frequency import load_sensitive
from kanon_sql.privacy import KMap, figures
from kanon_sql.spec import SensitiveSpec, Spec, TableName

# Other types whose order means something.
_RANKED = {*NUMERIC_TYPES, "BIGNUM", "ENUM", "TIME", "TIME_NS"}


@dataclass(frozen=True)
class ModelVerdict:
    """Whether every class of a table satisfies one model.

    Attributes:
        column: the sensitive column, or None for a model that looks at none.
        model: the model in words.
        classes, rows: how many classes violate it, and the rows in them.
    """

    column: str | None
    model: str
    classes: int
    rows: int

    @property
    def satisfied(self) -> bool:
        """Whether no class violates it."""
        return not self.classes

    def to_json(self) -> dict[str, object]:
        """As ``check --json`` gives it."""
        return {
            "column": self.column,
            "model": self.model,
            "satisfied": self.satisfied,
            "violating_classes": self.classes,
            "violating_rows": self.rows,
        }


@dataclass(frozen=True)
class CheckedModels:
    """What a check found of models.

    Attributes:
        verdicts: one per model asked for.
        reached: per sensitive column, per figure (:func:`kanon_sql.privacy.figures`) the number, or None where no
            number holds.
        distribution: whose distribution of sensitive values was taken for that of the whole.
        hints: what a reader should know.
    """

    verdicts: tuple[ModelVerdict, ...] = ()
    reached: Mapping[str, Mapping[str, float | int | None]] = field(default_factory=dict)
    distribution: str | None = None
    hints: tuple[str, ...] = ()


def check_models(
    engine: Engine,
    spec: Spec,
    table: SourceTable,
    source: Source,
    columns: Sequence[str],
    *,
    mark: str | None,
    reference: TableName | None,
) -> CheckedModels:
    """Check every model that the spec names, and say what each sensitive column reaches.

    Raises:
        SpecError, DataError, HierarchyError: a column, the reference or the population is missing, or a model does
            not fit its column.
    """
    types, shown = table.types, table.shown
    known = list(types)
    own = {name: resolve_column(name, known, role="sensitive", table=shown) for name in spec.sensitive}
    clash = next((name for name in own.values() if name in columns), None)
    if clash is not None:
        raise SpecError(
            f"column {clash} is sensitive and a quasi-identifier",
            where="--sensitive",
            mend="give it one role",
        )
    models = tuple(replace(each, column=own[each.column]) for each in spec.models)
    base = Question(source, tuple(map(_as_it_stands, columns)), (), temporary=engine.temporary_scratch)
    if spec.sensitive and reference is not None:
        looked_up = [*own.values(), *([source.person] if source.person is not None else [])]
        columns_of = {name: types[name] for name in looked_up}
        base = replace(base, reference=_reference(engine, reference, columns_of, source.person))
    verdicts = list(_k_map(engine, spec, base, mark))
    hints: list[str] = []
    looked_at = [name for name in own.values() if name in {each.column for each in models}]
    refuse_collations(engine, table, looked_at)
    bound, taxonomies = bind_sensitive(engine, models, source, types, shown)
    whole = base.source if base.reference is None else base.reference
    hints += load_sensitive(engine, replace(base, source=whole, sensitive=bound), taxonomies)
    for column in bound:
        if base.reference is not None:
            _refuse_unknown_values(engine, base, column)
        for model, taxonomy in zip(column.models, column.taxonomies, strict=True):
            single = replace(column, models=(model,), taxonomies=(taxonomy,))
            asked = replace(base, sensitive=(single,))
            [(rows, classes)] = engine.run(questions.check_violating(asked, mark))
            verdicts.append(ModelVerdict(column.column, model.describe(), classes, rows))
    reached: dict[str, Mapping[str, float | int | None]] = {}
    for name in own.values():
        found = next((each for each in models if each.column == name), None)
        try:
            sql_type = sensitive_type(name, types[name], shown)
        except DataError as error:
            hints.append(error.what)
            continue
        reached[name] = _reached(engine, base, name, sql_type, found, mark)
    distribution = None
    if own:
        distribution = "the table itself" if base.reference is None else f"reference {reference}"
    return CheckedModels(tuple(verdicts), reached, distribution, tuple(hints))


def _as_it_stands(column: str) -> GeneralizedColumn:
    return GeneralizedColumn(column, "TEXT", "", "", "", 0, "")


def _reference(engine: Engine, name: TableName, columns: Mapping[str, str], person: str | None) -> Source:
    """The reference, which must have every column that is looked at, in the type that the table has it in."""
    path = resolve_table(engine, name, "--reference").path
    types = dict(engine.columns(path))
    for column, raw_type in columns.items():
        role = "person" if column == person else "sensitive"
        found = types[resolve_column(column, list(types), role=role, table=f"reference {name}")]
        if found != raw_type:
            raise DataError(
                f"column {column} is of type {found} in the reference and {raw_type} in the table",
                where=f"reference {name}",
                mend="cast it in a view, and name that as the reference",
            )
    return Source(path, None, person)


def _k_map(engine: Engine, spec: Spec, base: Question, mark: str | None) -> Sequence[ModelVerdict]:
    """The population is read as it stands, too: its values must be generalized as those of the table."""
    if spec.k_map is None:
        return ()
    population = resolve_table(engine, spec.k_map.population, "--k-map")
    for column in base.columns:
        resolve_column(
            column.column,
            [name for name, _ in engine.columns(population.path)],
            role="quasi-identifier",
            table=f"population {spec.k_map.population}",
        )
    model = KMap(spec.k_map.k, str(spec.k_map.population))
    asked = replace(base, models=(model,), population=Source(population.path))
    [(rows, classes)] = engine.run(questions.check_violating(asked, mark))
    return (ModelVerdict(None, model.describe(), classes, rows),)


def _refuse_unknown_values(engine: Engine, base: Question, column: SensitiveColumn) -> None:
    """A reference must hold every value of the table, or it is not that of its source."""
    assert base.reference is not None
    [(values, rows)] = engine.run(questions.values_beyond(base, column))
    if values:
        raise DataError(
            f"column {column.column} has {values} value(s) in {rows} row(s) that the reference does not hold",
            where=base.source.name,
            mend="give the table that the release was made from as --reference",
        )


def _reached(
    engine: Engine, base: Question, name: str, sql_type: str, asked: SensitiveSpec | None, mark: str | None
) -> Mapping[str, float | int | None]:
    bare = SensitiveColumn(name, sql_type, "", (), ())
    if asked is not None:
        bare = replace(bare, nulls=asked.nulls, count=asked.count)  # type: ignore[arg-type]
    elif base.reference is not None:
        _refuse_unknown_values(engine, base, bare)
    kind = sql_type.partition("(")[0]
    numeric = kind in NUMERIC_TYPES
    sources = [base.source, *([base.reference] if base.reference is not None else [])]
    odd = [engine.run(questions.odd_values(source, bare, numeric=numeric))[0] for source in sources]
    nulls, infinite = (sum(numbers) for numbers in zip(*odd, strict=True))
    placed = not nulls or bare.nulls == "ignore"
    wanted = figures(ranked=placed and kind in _RANKED, numeric=placed and numeric and not infinite)
    column = replace(bare, models=tuple(each.model for each in wanted), taxonomies=(None,) * len(wanted))
    [row] = engine.run(questions.reached(replace(base, sensitive=(column,)), mark))
    return {figure.name: figure.value(found) for figure, found in zip(wanted, row, strict=True)}
