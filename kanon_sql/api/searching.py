"""Which vector is released: the one that the spec's search, policy or objective asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kanon_sql.api.preparing import Prepared
from kanon_sql.api.results import Progress
from kanon_sql.backends import Engine
from kanon_sql.binding import Bound
from kanon_sql.errors import NoSolutionError, SpecError
from kanon_sql.frequency import Valuer
from kanon_sql.lattice import DistanceVector, height
from kanon_sql.measures import Facts, find_measure, measures
from kanon_sql.search import (
    POLICIES,
    Budget,
    MinimalSet,
    NothingSatisfies,
    Optimum,
    OutOfTime,
    SearchResult,
    find_minimal,
    find_optimum,
    find_vector,
    prefer,
)


@dataclass(frozen=True)
class Searched:
    """What a search found.

    Attributes:
        found: the vector to release, and how it was found.
        minimal: the vectors that a policy chose among: every k-minimal one, or those of the least height.
        optimum: the value of the objective, and how far it is proven.
        measures: of the vector, where the search had to do with measures.
    """

    found: SearchResult
    minimal: MinimalSet | None = None
    optimum: Optimum | None = None
    measures: Mapping[str, float] = field(default_factory=dict)


def search(
    engine: Engine, prepared: Prepared, asked: DistanceVector | None, progress: Progress | None
) -> Searched:
    """Find the vector, or check the one that was asked for.

    Raises:
        NoSolutionError: nothing satisfies, or not the vector that was asked for.
        SpecError: the search needs what the plan has not.
    """
    bound, spec = prepared.bound, prepared.bound.spec
    if asked is not None:
        return Searched(_check(prepared, asked))
    if spec.plan == "direct" and (spec.search != "minimal" or spec.policy):
        raise SpecError(
            "plan: direct is the textbook's search for the least height, and no other",
            where="--plan",
            mend="leave the plan out",
        )
    budget = Budget(float(spec.time_budget)) if spec.time_budget is not None else None
    try:
        if spec.search == "optimal":
            return _optimal(engine, prepared, progress, budget)
        if spec.search == "all" or spec.policy:
            return _preferred(engine, prepared, progress, budget)
        return Searched(
            find_vector(
                bound.lattice,
                prepared.counter,
                prepared.max_suppressed,
                pruning=spec.plan != "direct",
                progress=progress,
                budget=budget,
            )
        )
    except OutOfTime:
        raise nothing_in_time() from None
    except NothingSatisfies as nothing:
        raise nothing_satisfies(prepared, nothing) from None


def _check(prepared: Prepared, asked: DistanceVector) -> SearchResult:
    [counts] = prepared.counter.evaluate([asked])
    if counts.outliers > prepared.max_suppressed:
        raise NoSolutionError(
            f"the vector {vector_words(prepared.bound, asked)} does not satisfy: {counts.outliers} rows would be "
            f"suppressed, {prepared.max_suppressed} may be",
            where="--vector",
            mend="choose another vector, or leave it out to search for one",
        )
    withheld = prepared.withheld(asked)
    if withheld is not None:
        raise NoSolutionError(
            f"the vector {vector_words(prepared.bound, asked)} does not satisfy: {withheld}",
            where="--vector",
            mend="choose another vector, allow a larger share (--max-suppression-per), or leave the vector out to "
            "search for one",
        )
    return SearchResult(asked, counts, 1, 0, (), proven_minimal=asked == prepared.bound.lattice.bottom)


def _preferred(
    engine: Engine, prepared: Prepared, progress: Progress | None, budget: Budget | None
) -> Searched:
    """The vector that the policies prefer, of all k-minimal ones or of those of the least height."""
    bound, spec = prepared.bound, prepared.bound.spec
    lattice = bound.lattice
    minimal = find_minimal(
        lattice,
        prepared.counter,
        prepared.max_suppressed,
        least_height_only=spec.search == "minimal",
        progress=progress,
        budget=budget,
    )
    if not minimal.vectors:
        raise nothing_in_time()
    policies = [POLICIES[word] for word in spec.policy]
    valuer = prepared.valuer(engine)
    facts: Mapping[DistanceVector, Facts] = {}
    if any(policy.counts for policy in policies):
        facts = dict(zip(minimal.vectors, valuer.facts(minimal.vectors, ()), strict=True))
    vector = prefer(lattice, minimal.vectors, policies, facts)
    found = SearchResult(
        vector,
        minimal.asked[vector],
        minimal.evaluated,
        minimal.tagged,
        minimal.heights,
        minimal.known,
        asked=minimal.asked,
        # Every height below that of the first minimal vector was proven empty, unless time was up before.
        proven_minimal=height(vector) == height(minimal.vectors[0]) <= minimal.decided_below,
    )
    return Searched(found, minimal=minimal, measures=measures_of(valuer, vector))


def _optimal(
    engine: Engine, prepared: Prepared, progress: Progress | None, budget: Budget | None
) -> Searched:
    """The vector with the best value of the objective."""
    bound = prepared.bound
    assert bound.spec.objective is not None
    valuer = prepared.valuer(engine)
    optimum = find_optimum(
        bound.lattice,
        prepared.counter,
        prepared.max_suppressed,
        valuer,
        find_measure(bound.spec.objective),
        progress=progress,
        budget=budget,
    )
    if optimum.vector is None or optimum.counts is None:
        raise nothing_in_time()
    found = SearchResult(
        optimum.vector,
        optimum.counts,
        optimum.evaluated,
        optimum.tagged,
        (),
        optimum.known,
        asked=optimum.asked,
        proven_minimal=optimum.vector == bound.lattice.bottom,
    )
    return Searched(found, optimum=optimum, measures=measures_of(valuer, optimum.vector))


def measures_of(valuer: Valuer, vector: DistanceVector) -> dict[str, float]:
    """Every measure of a vector, by word."""
    [facts] = valuer.facts([vector], measures().values())
    return values_of(facts)


def values_of(facts: Facts) -> dict[str, float]:
    """Every measure that has a value, by word."""
    valued = {word: measure.value(facts) for word, measure in measures().items()}
    return {word: value for word, value in valued.items() if value is not None}


def nothing_satisfies(prepared: Prepared, nothing: NothingSatisfies) -> NoSolutionError:
    """The error of a search that found that no vector satisfies, or none that has a value."""
    bound = prepared.bound
    if nothing.counts.outliers <= prepared.max_suppressed and not nothing.counts.withheld:
        return NoSolutionError(
            f"no vector that satisfies has a value of {bound.spec.objective}: each of them would leave no class",
            where=bound.source.shown,
            mend="allow fewer suppressed rows, or choose another objective",
        )
    less = "ask for a smaller k" if bound.question.sizes_only else "ask for less of the models"
    if bound.lattice.top != bound.lattice.heights:
        less = f"allow higher levels, or {less}"
    if nothing.counts.withheld:
        return NoSolutionError(
            f"nothing satisfies: at the nearest vector, {vector_words(bound, nothing.vector)}, "
            f"{prepared.withheld(nothing.vector)}",
            where=bound.source.shown,
            mend=f"allow a larger share (--max-suppression-per), or {less}",
        )
    return NoSolutionError(
        f"nothing satisfies: even the nearest vector, {vector_words(bound, nothing.vector)}, would suppress "
        f"{nothing.counts.outliers} rows where {prepared.max_suppressed} may be",
        where=bound.source.shown,
        mend=f"allow at least {nothing.counts.outliers} suppressed rows, or {less}",
    )


def nothing_in_time() -> NoSolutionError:
    """The error of a search that had no time to find anything."""
    return NoSolutionError(
        "the time was up before any vector was found that satisfies",
        where="--time-budget",
        mend="give more time, or allow more suppressed rows",
    )


def how_searched(prepared: Prepared, searched: Searched) -> dict[str, object]:
    """Which search found the vector, and why that one: always ``method`` and ``why``; with an objective its value,
    and how far that is proven; with a choice among several vectors, how many there were."""
    bound, found, spec = prepared.bound, searched.found, prepared.bound.spec
    if spec.vector is not None:
        return {"method": "none", "why": "the vector was asked for"}
    optimum, minimal = searched.optimum, searched.minimal
    if optimum is not None:
        proven = "proven: no vector that satisfies has a better value"
        return {
            "method": "optimal",
            "why": proven if optimum.proven else "not proven: the time was up",
            "objective": spec.objective,
            "value": optimum.value,
            "proven": optimum.proven,
            "bound": optimum.bound,
            "gap": optimum.gap,
        }
    if minimal is not None:
        words = ", then ".join(spec.policy) or "the least height"
        of = (
            "all k-minimal vectors"
            if spec.search == "all"
            else "all vectors of the least height that satisfy"
        )
        why = f"preferred by {words}, of {of}"
        return {
            "method": spec.search,
            "why": why
            if minimal.complete
            else f"preferred by {words} of those found; not proven: the time was up",
            "policy": list(spec.policy),
            "chosen_from": len(minimal.vectors),
            "complete": minimal.complete,
        }
    return least_height(bound, found, prepared.max_suppressed)


def least_height(bound: Bound, found: SearchResult, max_suppressed: int) -> dict[str, object]:
    """How the least height was found, and why no lower one satisfies."""
    if not found.proven_minimal:
        return {"method": "least height", "why": "not proven: the time was up"}
    if not found.ascended:
        return {
            "method": "least height",
            "why": "every model is monotone under suppression: if no vector of a height satisfies, none below does",
        }
    stated = [condition for condition in bound.question.conditions if condition.stated]
    rising = sorted({condition.model.word for condition in stated if not condition.sure})
    if not max_suppressed and all(condition.general for condition in stated):
        return {
            "method": "least height",
            "why": "no row may be suppressed and every model is monotone under generalization: if no vector of a "
            "height satisfies, none below does",
        }
    return {
        "method": "height by height",
        "why": f"more rows may be suppressed at a higher vector ({', '.join(rising)}): every vector was asked "
        "that no monotone part of the condition rules out",
    }


def vector_words(bound: Bound, vector: DistanceVector) -> str:
    """A vector as people write it: ``age=1, zip=2``."""
    return ", ".join(f"{name}={level}" for name, level in zip(bound.names, vector, strict=True))
