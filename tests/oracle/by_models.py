"""Any privacy models, by grouping: what violates one of them leaves whole (DESIGN 5.5, 5.8, 5.16, 6 "Trap")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.by_grouping import ByGrouping, ClassKey
from tests.oracle.model import OracleHierarchy, Value, Vector, typed
from tests.oracle.privacy import (
    Count,
    Counts,
    Delta,
    Entropy,
    KMap,
    Model,
    Nulls,
    Recursive,
    TEqual,
    counted,
)
from tests.oracle.search import ExhaustiveSearch


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column: its values, parallel to the rows, and what each class must satisfy."""

    values: Sequence[Value]
    models: Sequence[Model]
    nulls: Nulls = "value"
    count: Count = "rows"


class WithModels:
    """Required suppression at a vector under k, k-map and the models of the sensitive columns together."""

    def __init__(
        self,
        rows: Sequence[tuple[Value, ...]],
        hierarchies: Sequence[OracleHierarchy],
        k: int = 1,
        persons: Sequence[Value] | None = None,
        sensitive: Sequence[Sensitive] = (),
        population: Sequence[tuple[Value, ...]] | None = None,
        k_map: int | None = None,
    ) -> None:
        self.grouping = ByGrouping(rows, hierarchies, k, persons)
        self.sensitive = list(sensitive)
        if any(len(column.values) != len(rows) for column in self.sensitive):
            raise ValueError("sensitive values are not parallel to rows")
        if persons is None and any(column.count == "persons" for column in self.sensitive):
            raise ValueError("no persons to count")
        if (population is None) != (k_map is None):
            raise ValueError("k-map needs a population and its k")
        self.k_map = None if k_map is None else KMap(k_map)
        self.population = [row for row in population or () if self._may_count(row)]
        """The rows of the population that can count at all."""
        self.sources = [self.counts(column, range(len(rows))) for column in self.sensitive]
        """The counts of each column in the whole source, rows that leave before classes form included."""

    @property
    def heights(self) -> Vector:
        return self.grouping.heights

    def search(self, low: Sequence[int] | None = None, high: Sequence[int] | None = None) -> ExhaustiveSearch:
        """The exhaustive search over the rows suppressed."""
        return ExhaustiveSearch(self.outliers, self.heights, low, high)

    def counts(self, column: Sensitive, members: Sequence[int]) -> Counts:
        """What counts of a column in some rows."""
        people = self.grouping.persons if column.count == "persons" else None
        return counted(
            [column.values[index] for index in members],
            column.nulls,
            None if people is None else [typed(people[index]) for index in members],
        )

    def population_sizes(self, vector: Sequence[int]) -> Counter[ClassKey]:
        """How many rows of the population fall into each class at the vector."""
        return Counter(
            tuple(
                typed(h.generalize(value, level))
                for h, value, level in zip(self.grouping.hierarchies, row, vector, strict=True)
            )
            for row in self.population
        )

    def violations(self, vector: Sequence[int]) -> dict[ClassKey, list[str]]:
        """The classes that leave, each with what it violates: ``k``, ``k_map``, or the number of the column
        and the model."""
        found: dict[ClassKey, list[str]] = {}
        elsewhere = self.population_sizes(vector)
        for key, members in self.grouping.classes(vector).items():
            broken = []
            if self.grouping.size(members) < self.grouping.k:
                broken.append("k")
            if self.k_map is not None and not self.k_map.satisfied(elsewhere[key]):
                broken.append("k_map")
            for number, (column, source) in enumerate(zip(self.sensitive, self.sources, strict=True)):
                inside = self.counts(column, members)
                broken += [f"{number}: {m}" for m in column.models if not m.satisfied(inside, source)]
            if broken:
                found[key] = broken
        return found

    def violating(self, vector: Sequence[int]) -> set[ClassKey]:
        """The keys of the classes that violate k, k-map or any model."""
        return set(self.violations(vector))

    def violating_classes(self, vector: Sequence[int]) -> int:
        """How many classes leave at the vector."""
        return len(self.violations(vector))

    def released_classes(self, vector: Sequence[int]) -> dict[ClassKey, list[int]]:
        """The classes that hold, with the indexes of their rows."""
        gone = self.violating(vector)
        return {key: rows for key, rows in self.grouping.classes(vector).items() if key not in gone}

    def released_indexes(self, vector: Sequence[int]) -> list[int]:
        """The indexes of the rows released, ascending."""
        return sorted(index for members in self.released_classes(vector).values() for index in members)

    def outliers(self, vector: Sequence[int]) -> int:
        """How many ROWS are suppressed at the vector, those that left before classes formed included."""
        return len(self.grouping.rows) - len(self.released_indexes(vector))

    def _may_count(self, row: tuple[Value, ...]) -> bool:
        """Whether every value of a population row has a place: a mapping row, NULL's own (5.1), or the top
        where the policy puts unmapped values there. An unmapped value is no error here, whatever the policy."""
        return all(
            h.mapped(value) or value is None or h.unmapped == "top"
            for h, value in zip(self.grouping.hierarchies, row, strict=True)
        )


# ---------------------------------------------------------------- why no binary search may be trusted


@dataclass(frozen=True)
class SmallCase:
    """One QI ``qi``, one sensitive column ``diag``, k = 1, and the heights that two searches end at."""

    rows: tuple[tuple[str, str], ...]
    """(qi, diag)."""
    column_spec: tuple[Mapping[str, object], ...]
    """The entries of ``sensitive: {diag: [...]}``."""
    model: Model
    """The same model."""
    max_sup: int
    outliers: tuple[int, int, int]
    """At [0], [1] and [2]."""
    least_height: int
    bisected_height: int | None
    """What naive bisection over the height ends at; None when it finds nothing."""
    persons: tuple[int, ...] | None = None
    """Parallel to the rows; the sensitive column then counts them."""
    hierarchy: OracleHierarchy = OracleHierarchy.from_paths(  # noqa: RUF009
        [("a", "ab", "*"), ("b", "ab", "*"), ("c", "c-", "*")]
    )

    def oracle(self) -> WithModels:
        """The case under its model."""
        count: Count = "rows" if self.persons is None else "persons"
        column = Sensitive([diag for _, diag in self.rows], [self.model], count=count)
        return WithModels([(qi,) for qi, _ in self.rows], [self.hierarchy], 1, self.persons, [column])


BISECTION_IS_WRONG = (
    # b stands alone at [0] and leaves; at [1] it takes a with it: x, x, y is no 2-diverse class
    SmallCase(
        rows=(("a", "x"), ("a", "y"), ("b", "x"), ("c", "y"), ("c", "z")),
        column_spec=({"entropy_l_diversity": 2},),
        model=Entropy(Fraction(2)),
        max_sup=1,
        outliers=(1, 3, 0),
        least_height=0,
        bisected_height=2,
    ),
    # the same without c: even the top fails, and bisection finds nothing at all
    SmallCase(
        rows=(("a", "x"), ("a", "y"), ("b", "x")),
        column_spec=({"entropy_l_diversity": 2},),
        model=Entropy(Fraction(2)),
        max_sup=1,
        outliers=(1, 3, 3),
        least_height=0,
        bisected_height=None,
    ),
    # ab has 2 x and 1 y: 2 < 2·1 is false
    SmallCase(
        rows=(("a", "x"), ("a", "y"), ("b", "x"), ("c", "y")),
        column_spec=({"recursive_cl_diversity": {"c": 2, "l": 2}},),
        model=Recursive(Fraction(2), 2),
        max_sup=2,
        outliers=(2, 4, 0),
        least_height=0,
        bisected_height=2,
    ),
    # ab is 1/6 from the source, a is its mirror
    SmallCase(
        rows=(("a", "x"), ("a", "y"), ("b", "x"), ("c", "y")),
        column_spec=({"t_closeness": {"t": 0.1, "distance": "equal"}},),
        model=TEqual(Fraction(1, 10)),
        max_sup=2,
        outliers=(2, 4, 0),
        least_height=0,
        bisected_height=2,
    ),
    # MaxSup 0 is no help here: b has no x and so none too few; ab has one, 1/5 against 5/9
    SmallCase(
        rows=(("a", "x"), ("a", "y"), *[("b", "y")] * 3, *[("c", "x")] * 4),
        column_spec=({"delta_disclosure": 1},),
        model=Delta(Fraction(1)),
        max_sup=0,
        outliers=(0, 5, 0),
        least_height=0,
        bisected_height=2,
    ),
    # nor here: person 2 is in a and in b, and counts once in ab: x has 1 and 3, y has 2
    SmallCase(
        rows=(("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "x"), ("c", "y")),
        persons=(1, 2, 3, 2, 1, 4),
        column_spec=({"entropy_l_diversity": 2}, {"count": "persons"}),
        model=Entropy(Fraction(2)),
        max_sup=0,
        outliers=(0, 4, 0),
        least_height=0,
        bisected_height=2,
    ),
)
"""Small tables where suppression rises with generalization, and binary search over the height is wrong."""
