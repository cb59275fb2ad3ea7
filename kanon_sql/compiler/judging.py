"""Which conditions are judged together: those that aggregate over the same rows of a class.

A class is judged in one GROUP BY per kind of rows: its own rows (k), the rows that it has in a population, the
values of a sensitive column, or what a model makes of these values. The verdicts are then joined into one by a
UNION ALL and a last GROUP BY (``sql/privacy/judging.sql.j2``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kanon_sql.compiler.model import GeneralizedColumn, Question, SensitiveColumn
from kanon_sql.compiler.render import environment
from kanon_sql.errors import SpecError, one_line
from kanon_sql.privacy import Condition, PopulationModel, PrivacyModel

Flag = Literal["violating", "sure", "general"]
# What the names of a relation's columns may not change.
_ANY_CLASS = ("class",)
_SOURCE = "whole_source"


@dataclass(frozen=True)
class Judgement:
    """Conditions that are judged over the same rows.

    Attributes:
        kind: ``entries`` (the rows of the class), ``population``, ``values`` (those of a sensitive column) or
            ``rows`` (what the first condition's template makes of them).
        conditions: what is judged.
        column: the sensitive column, by its place in ``question.sensitive``; None for the first two kinds.
        sizes: whether the size of the class is known here: then this gives its rows.
    """

    kind: Literal["entries", "population", "values", "rows"]
    conditions: tuple[Condition, ...]
    column: int | None = None
    sizes: bool = False

    def models(self, flag: Flag) -> list[PrivacyModel]:
        """The models whose violation raises a flag: of what was asked, of what is monotone under suppression, of
        what is monotone under generalization."""
        raised = [
            each.model
            for each in self.conditions
            if {"violating": each.stated, "sure": each.sure, "general": each.general}[flag]
        ]
        return list(dict.fromkeys(raised))


@lru_cache(maxsize=256)
def judgements(question: Question) -> tuple[Judgement, ...]:
    """How the classes of a question are judged; the first gives the rows of a class."""
    of_classes = [c for c in question.conditions if not _of_values(question, c)]
    of_sizes = tuple(c for c in of_classes if not isinstance(c.model, PopulationModel))
    found: list[Judgement] = []
    for i, column in enumerate(question.sensitive):
        groups: dict[str, list[Condition]] = {}
        for condition in column.conditions:
            if not (question.bounds or condition.stated):
                continue
            groups.setdefault(_rows(question, i, condition.model), []).append(condition)
        for rows, conditions in groups.items():
            found.append(Judgement("rows" if rows else "values", tuple(conditions), i))
    for at, each in enumerate(found):
        # Where rows are counted, the numbers of a class's values add up to its size: one GROUP BY less.
        if each.kind == "values" and question.source.person is None:
            found.insert(0, Judgement("values", of_sizes + found.pop(at).conditions, each.column, True))
            break
    else:
        found.insert(0, Judgement("entries", of_sizes, None, True))
    population = tuple(c for c in of_classes if isinstance(c.model, PopulationModel))
    return (*found, *([Judgement("population", population)] if population else []))


def reads_source(question: Question, column: int) -> bool:
    """Whether a model of a sensitive column looks at the values of the whole source."""
    judged = (each for each in judgements(question) if each.column == column and each.kind == "rows")
    return any(_SOURCE in _rows(question, column, each.conditions[-1].model) for each in judged)


def _of_values(question: Question, condition: Condition) -> bool:
    return not any(condition.model is each for each in question.models)


def _rows(question: Question, i: int, model: PrivacyModel) -> str:
    """What a model aggregates over, as text; empty for the values as they are.

    Raises:
        SpecError: the template of another package's model cannot be used.
    """
    column = question.sensitive[i]
    taxonomy = column.taxonomy_of(model)
    if type(model).__module__.partition(".")[0] == __name__.partition(".")[0]:
        return _rendered_rows(model, column, taxonomy)
    try:
        rows = _rendered_rows(model, column, taxonomy)
        getattr(environment().get_template(model.template).module, "violation")(model, "1", "1")  # noqa: B009
    except Exception as error:
        raise SpecError(
            f"the template of the privacy model {model.word} cannot be used: {one_line(str(error))}",
            where=str(model.template),
        ) from error
    return rows


def _rendered_rows(model: PrivacyModel, column: SensitiveColumn, taxonomy: GeneralizedColumn | None) -> str:
    rows = getattr(environment().get_template(model.template).module, "rows", None)
    if rows is None:
        return ""
    text: str = rows(model, _ANY_CLASS, "values", _SOURCE, column, taxonomy)
    return text
