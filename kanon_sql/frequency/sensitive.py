"""What models need of a sensitive column, held against its values before anything is searched."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends import Engine
from kanon_sql.compiler import AnyHierarchy, GeneralizedColumn, Question, SensitiveColumn, questions
from kanon_sql.errors import MAX_QUOTED_VALUES, DataError, quote_value
from kanon_sql.frequency.mapping import load_mapping


def load_sensitive(
    engine: Engine, question: Question, taxonomies: Sequence[tuple[GeneralizedColumn, AnyHierarchy]]
) -> list[str]:
    """Load the hierarchies over sensitive values, and hold every model against the values that there are.

    Returns:
        Warnings.

    Raises:
        HierarchyError: a ground value does not fit the column.
        DataError: a value that a hierarchy or an order lacks, a NULL without a place, a number that is infinite.
    """
    warnings: list[str] = []
    for column, hierarchy in taxonomies:
        warnings += load_mapping(engine, question, column, hierarchy)
        found = engine.run(questions.unmapped(question, column))
        if found:
            raise DataError(
                f"column {column.column} has {found[0][1]} value(s) in {found[0][2]} row(s) without a row in "
                f"{hierarchy.name}",
                where=question.source.name,
                values=tuple(row[0] for row in found),
                mend="add them to the hierarchy over the sensitive values",
            )
    warnings += _outside(engine, question)
    for sensitive in question.sensitive:
        for model in sensitive.models:
            if model.order is not None:
                _refuse_unordered(engine, question, sensitive, model.order)
            if not model.places_null and sensitive.nulls == "value":
                _refuse_null(engine, question, sensitive, model.describe(), numeric=model.numeric)
            if model.numeric:
                _refuse_infinite(engine, question, sensitive, model.describe())
            warnings += _absent(engine, question, sensitive, model.named_values)
    return warnings


def _outside(engine: Engine, question: Question) -> list[str]:
    """A warning of rows of the population that count for no class."""
    if question.population is None:
        return []
    [(rows, *_)] = engine.run(questions.totals(question.population))
    [(mapped,)] = engine.run(questions.mapped_rows(question, question.population))
    if mapped == rows:
        return []
    return [
        f"{rows - mapped} of {rows} rows of population {question.population.name} have a value that no hierarchy "
        "lists, and count for no class"
    ]


def _refuse_unordered(
    engine: Engine, question: Question, column: SensitiveColumn, order: Sequence[str]
) -> None:
    found = engine.run(questions.unlisted_values(question.source, column, order))
    if found:
        raise DataError(
            f"the order given for column {column.column} lacks {found[0][1]} value(s) of it",
            where=question.source.name,
            values=tuple(row[0] for row in found),
            mend="list every value under order",
        )


def _refuse_null(
    engine: Engine, question: Question, column: SensitiveColumn, model: str, *, numeric: bool
) -> None:
    [(nulls, _)] = engine.run(questions.odd_values(question.source, column, numeric=False))
    if nulls:
        place = "" if numeric else "say where it stands with `null_rank: first` (or last), or "
        raise DataError(
            f"column {column.column} is NULL in {nulls} row(s), and NULL has no place in {model}",
            where=question.source.name,
            mend=f"{place}leave NULLs out of the count with `nulls: ignore`",
        )


def _refuse_infinite(engine: Engine, question: Question, column: SensitiveColumn, model: str) -> None:
    [(_, infinite)] = engine.run(questions.odd_values(question.source, column, numeric=True))
    if infinite:
        raise DataError(
            f"column {column.column} holds {infinite} value(s) that are not finite, or too large, and {model} takes "
            "differences",
            where=question.source.name,
            mend="leave those rows out with a row filter, or use distance: ordered",
        )


def _absent(engine: Engine, question: Question, column: SensitiveColumn, named: Sequence[str]) -> list[str]:
    """A warning of values that a model names and the column does not hold: a misspelt one protects nobody."""
    if not named:
        return []
    rows = engine.run(questions.absent_values(question.source, column, named))
    if not rows:
        return []
    named = ", ".join(quote_value(value) for (value,) in rows[:MAX_QUOTED_VALUES])
    more = ", …" if len(rows) > MAX_QUOTED_VALUES else ""
    return [f"{column.column} holds no {named}{more}, which a model names: check the spelling"]
