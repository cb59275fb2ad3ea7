"""Which measures there are: ours, and those that other packages bring by entry point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from kanon_sql.errors import SpecError, did_you_mean, one_line
from kanon_sql.measures.base import Facts, LabelLoss, Measure
from kanon_sql.measures.basic import Accuracy, Completeness, Prec
from kanon_sql.measures.certainty import Gcp, GcpGeometric
from kanon_sql.measures.classes import AverageClassSize, CAvg, Discernibility, DiscernibilityStar
from kanon_sql.measures.entropy import NonUniformEntropy

ENTRY_POINTS = "kanon_sql.measures"

OWN: tuple[Measure, ...] = (
    Accuracy(),
    Completeness(),
    Prec(),
    Gcp(),
    GcpGeometric(),
    Discernibility(),
    DiscernibilityStar(),
    AverageClassSize(),
    CAvg(),
    NonUniformEntropy(),
)
# What every result says, by what it knows anyway.
BASIC: tuple[Measure, ...] = (Accuracy(), Completeness())


@lru_cache(maxsize=1)
def measures() -> Mapping[str, Measure]:
    """Every measure by its word. An entry point of the group ``kanon_sql.measures`` is named after the word, and is a
    class that makes a :class:`Measure` without arguments.

    Raises:
        SpecError: an entry point cannot be loaded, is no measure, or takes a word that is ours.
    """
    from importlib.metadata import entry_points

    found = {measure.word: measure for measure in OWN}
    losses = {measure.loss.word: measure.loss for measure in OWN if measure.loss is not None}
    for point in entry_points(group=ENTRY_POINTS):
        where = f"entry point {point.name}"
        try:
            measure: Measure = point.load()()
            word, better, loss = measure.word, measure.better, measure.loss
            complete = all(map(callable, (measure.value, measure.bound))) and isinstance(measure.range, str)
        except (Exception, SystemExit) as error:
            raise SpecError(f"the measure cannot be loaded: {one_line(str(error))}", where=where) from error
        if not complete or better not in ("high", "low") or not isinstance(loss, LabelLoss | None):
            raise SpecError("a measure does not say all that a measure must", where=where)
        if word in found or word != point.name:
            raise SpecError(
                f"a measure calls itself {word!r}, which is not free or not its entry point's name",
                where=where,
            )
        if loss is not None and losses.setdefault(loss.word, loss) != loss:
            raise SpecError(f"a measure calls its label loss {loss.word!r}, which is another's", where=where)
        found[word] = measure
    return found


def find_measure(word: str, where: str = "objective") -> Measure:
    """The measure of a word.

    >>> find_measure("gcp").better
    'low'

    Raises:
        SpecError: there is none of that word.
    """
    found = measures().get(word)
    if found is None:
        near = did_you_mean(word, measures())
        raise SpecError(
            "there is no such measure",
            where=where,
            values=(word,),
            mend=near or f"the measures are {', '.join(measures())}",
        )
    return found


def measure_all(facts: Facts) -> dict[str, float]:
    """The measures that need nothing but the rows of a release, by word."""
    return {measure.word: value for measure in BASIC if (value := measure.value(facts)) is not None}
