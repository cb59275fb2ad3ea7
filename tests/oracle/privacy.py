"""Privacy models beyond k, each by its definition, on the counts of a sensitive column (DESIGN 5.16, 6).

p is the distribution in a class, q that in the source: all of it after ``where``, before anything is
suppressed. Arithmetic is exact wherever the definition is rational; logarithms are floats. "At most"
accepts within ``TOLERANCE``, a strict comparison of floats refuses within it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tests.oracle.model import Value

Nulls = Literal["value", "ignore"]
Count = Literal["rows", "persons"]
Distribution = Mapping[Value, Fraction]

TOLERANCE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Counts:
    """How often each value that counts stands in a class or in the source."""

    by_value: Mapping[Value, int]
    """n(v): rows with the value, or distinct persons who have a row with it; never 0."""
    holders: int
    """Whom a share is a share of: those rows, or the distinct persons who have any value that counts."""

    @classmethod
    def rows(cls, by_value: Mapping[Value, int]) -> Counts:
        """Counts of rows, as they stand."""
        present = {value: n for value, n in by_value.items() if n}
        return cls(present, sum(present.values()))

    @property
    def distribution(self) -> Distribution:
        """n(v) over the sum of all n: of persons, the distribution of (person, value) pairs."""
        total = sum(self.by_value.values())
        return {value: Fraction(n, total) for value, n in self.by_value.items()}

    @property
    def shares(self) -> Distribution:
        """n(v) over the holders: of persons, they may add up to more than 1."""
        return {value: Fraction(n, self.holders) for value, n in self.by_value.items()}


def counted(
    values: Sequence[Value], nulls: Nulls = "value", persons: Sequence[Value] | None = None
) -> Counts:
    """The counts of a column (or of a class's part of it), by rows or, if they are given, by persons."""
    counting = [index for index, value in enumerate(values) if value is not None or nulls == "value"]
    if persons is None:
        return Counts(Counter(values[index] for index in counting), len(counting))
    pairs = {(persons[index], values[index]) for index in counting}
    return Counts(Counter(value for _, value in pairs), len({person for person, _ in pairs}))


class Model:
    """A condition on one sensitive column of one class."""

    def satisfied(self, inside: Counts, source: Counts) -> bool:
        """Whether the class holds. One in which nothing counts (all NULL, ignored) fails every model."""
        if not set(inside.by_value) <= set(source.by_value):
            raise ValueError("a class is a part of its source")
        return bool(inside.by_value) and self.holds(inside, source)

    def holds(self, inside: Counts, source: Counts) -> bool:
        raise NotImplementedError


# ---------------------------------------------------------------- l-diversity


@dataclass(frozen=True)
class Distinct(Model):
    """At least l distinct values."""

    l: int  # noqa: E741

    def holds(self, inside: Counts, source: Counts) -> bool:
        return len(inside.by_value) >= self.l


@dataclass(frozen=True)
class Entropy(Model):
    """−Σ p ln p is at least ln l; l may be fractional."""

    l: Fraction  # noqa: E741

    def holds(self, inside: Counts, source: Counts) -> bool:
        entropy = math.fsum(-float(p) * math.log(p) for p in inside.distribution.values())
        return entropy >= math.log(self.l) - TOLERANCE


@dataclass(frozen=True)
class Recursive(Model):
    """With counts r1 ≥ … ≥ rm: r1 < c·(rl + … + rm), strictly. Fewer than l values fail: the sum is empty."""

    c: Fraction
    l: int  # noqa: E741

    def holds(self, inside: Counts, source: Counts) -> bool:
        descending = sorted(inside.by_value.values(), reverse=True)
        return len(descending) >= self.l and descending[0] < self.c * sum(descending[self.l - 1 :])


# ---------------------------------------------------------------- t-closeness


@dataclass(frozen=True)
class TCloseness(Model):
    """The distance between p and q is at most t; which distance, the subclasses say."""

    t: Fraction

    def holds(self, inside: Counts, source: Counts) -> bool:
        return self.distance(inside, source) <= self.t + TOLERANCE

    def distance(self, inside: Counts, source: Counts) -> Fraction:
        raise NotImplementedError


@dataclass(frozen=True)
class TEqual(TCloseness):
    """Total variation: ½ Σ |p − q|."""

    def distance(self, inside: Counts, source: Counts) -> Fraction:
        return sum(map(abs, _extra(inside, source).values()), Fraction(0)) / 2


@dataclass(frozen=True)
class TOrdered(TCloseness):
    """Σ |P − Q| over the ranks / (m − 1), P and Q cumulated; m distinct values in the source; m = 1 gives 0.

    Ranks follow the column's own order, or ``order`` (values that the source lacks have no rank). NULL is
    before or after all of them.
    """

    order: tuple[Value, ...] | None = None
    null_rank: Literal["first", "last"] | None = None

    def distance(self, inside: Counts, source: Counts) -> Fraction:
        ranked = self.ranked(source)
        if len(ranked) == 1:
            return Fraction(0)
        extra = _extra(inside, source)
        cumulated = [sum((extra[v] for v in ranked[: rank + 1]), Fraction(0)) for rank in range(len(ranked))]
        return sum(map(abs, cumulated), Fraction(0)) / (len(ranked) - 1)

    def ranked(self, source: Counts) -> list[Value]:
        """The values of the source by rank."""
        known = _ascending([value for value in source.by_value if value is not None])
        ranked = known if self.order is None else [value for value in self.order if value in known]
        if len(ranked) != len(known):
            raise ValueError("an order names every value once")
        if None not in source.by_value:
            return ranked
        if self.null_rank is None:
            raise ValueError("NULL has no rank")
        return [None, *ranked] if self.null_rank == "first" else [*ranked, None]


@dataclass(frozen=True)
class TNumeric(TCloseness):
    """∫ |Fp − Fq| / (max − min), both of the source; max = min gives 0. Of numbers only, NULLs ignored."""

    def distance(self, inside: Counts, source: Counts) -> Fraction:
        if None in source.by_value:
            raise ValueError("NULL is no number")
        values = _ascending(list(source.by_value))
        numbers = [Fraction(str(value)) for value in values]
        extra = _extra(inside, source)
        area, above = Fraction(0), Fraction(0)
        for rank in range(len(values) - 1):
            above += extra[values[rank]]  # Fp − Fq from this value up to the next
            area += abs(above) * (numbers[rank + 1] - numbers[rank])
        width = numbers[-1] - numbers[0]
        return area / width if width else Fraction(0)


@dataclass(frozen=True)
class THierarchical(TCloseness):
    """The earth mover's distance in a tree where values meeting at a level are level/height apart.

    ``paths[v] == (v, label_1, …, top)``, as those of a hierarchy; NULL needs one where it counts. What a
    node's children have too much of moves to those with too little, as far as it goes: an inner node costs
    level/height · min(surplus, deficit) of its children, and the rest is moved higher up.
    """

    paths: Mapping[Value, tuple[Value, ...]]

    def distance(self, inside: Counts, source: Counts) -> Fraction:
        extra: dict[tuple[int, Value], Fraction] = {}
        for value, difference in _extra(inside, source).items():
            extra[0, value] = difference
        height = len(next(iter(self.paths.values()))) - 1
        cost = Fraction(0)
        for level in range(1, height + 1):
            children: dict[Value, set[Value]] = {}
            for value in source.by_value:
                children.setdefault(self.paths[value][level], set()).add(self.paths[value][level - 1])
            for node, below in children.items():
                surplus = sum((max(extra[level - 1, child], Fraction(0)) for child in below), Fraction(0))
                deficit = sum((max(-extra[level - 1, child], Fraction(0)) for child in below), Fraction(0))
                extra[level, node] = sum((extra[level - 1, child] for child in below), Fraction(0))
                cost += Fraction(level, height) * min(surplus, deficit)
        return cost


def _extra(inside: Counts, source: Counts) -> dict[Value, Fraction]:
    """p − q of every value of the source."""
    p, q = inside.distribution, source.distribution
    return {value: p.get(value, Fraction(0)) - q[value] for value in q}


def _ascending(values: list[Value]) -> list[Value]:
    """As the column orders them; text by code point, which is also the order of its UTF-8 bytes."""
    return sorted(values)  # type: ignore[type-var]


# ---------------------------------------------------------------- shares, of rows or of people


@dataclass(frozen=True)
class Alpha(Model):
    """(α, k): no value has more than a share α of the class; or no named value more than its own share."""

    alpha: Fraction | Mapping[Value, Fraction]

    def holds(self, inside: Counts, source: Counts) -> bool:
        shares = inside.shares
        if isinstance(self.alpha, Mapping):
            return all(shares.get(v, Fraction(0)) <= most + TOLERANCE for v, most in self.alpha.items())
        return all(share <= self.alpha + TOLERANCE for share in shares.values())


@dataclass(frozen=True)
class BasicBeta(Model):
    """(p − q)/q is at most β for every value with p > q."""

    b: Fraction

    def holds(self, inside: Counts, source: Counts) -> bool:
        p, q = inside.shares, source.shares
        return all((p[v] - q[v]) / q[v] <= self.bound(q[v]) + TOLERANCE for v in p if p[v] > q[v])

    def bound(self, q: Fraction) -> Fraction:
        return self.b


@dataclass(frozen=True)
class EnhancedBeta(BasicBeta):
    """(p − q)/q is at most min(β, −ln q) for every value with p > q."""

    def bound(self, q: Fraction) -> Fraction:
        return min(self.b, Fraction(-math.log(q)))


@dataclass(frozen=True)
class Delta(Model):
    """δ-disclosure: |ln(p/q)| < δ, strictly, for every value present in the class."""

    d: Fraction

    def holds(self, inside: Counts, source: Counts) -> bool:
        p, q = inside.shares, source.shares
        return all(abs(math.log(p[v] / q[v])) < self.d - TOLERANCE for v in p)


# ---------------------------------------------------------------- k in another table


@dataclass(frozen=True)
class KMap:
    """The class has at least k rows in a population table that is generalized alike."""

    k: int

    def satisfied(self, population_rows: int) -> bool:
        return population_rows >= self.k
