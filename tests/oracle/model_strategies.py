"""Random cases with privacy models: a table, sensitive columns, sometimes a population (DESIGN 9).

As those of ``strategies``, every case is one that the package must accept. Each comes twice: as the words of
kanon.yml, and as the oracle that knows what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeVar

from hypothesis import strategies as st

from tests.oracle.by_models import Sensitive, WithModels
from tests.oracle.csvtext import hierarchy_csv
from tests.oracle.model import OracleHierarchy, Value, as_text
from tests.oracle.privacy import (
    Alpha,
    BasicBeta,
    Count,
    Delta,
    Distinct,
    EnhancedBeta,
    Entropy,
    Model,
    Nulls,
    Recursive,
    TCloseness,
    TEqual,
    THierarchical,
    TNumeric,
    TOrdered,
)
from tests.oracle.search import ExhaustiveSearch
from tests.oracle.strategies import _VALUES, Case, _between, _choices, _merged, cases

T = TypeVar("T")

WORDS = (
    "t_closeness", "distinct_l_diversity", "entropy_l_diversity", "recursive_cl_diversity", "alpha_k",
    "basic_beta_likeness", "enhanced_beta_likeness", "delta_disclosure",
)  # fmt: skip
DISTANCES = ("equal", "ordered", "hierarchical", "numeric")

_NAMES = (("diag", 'd"x', "größe", "Salary Class"), ("pay", "it's", "select from", "n"))  # no name twice
_TEXTS = ("a", "b", "c", "A", "", "NULL", "x ", "it's", 'say "hi"', "é", "a;b", "10", "9")
_LABELS = ("g", "h", "i", "a", "NULL", "a;b", "it's", "é")


@dataclass(frozen=True)
class DrawnColumn:
    """A sensitive column as a user declares it, and as the oracle sees it."""

    name: str
    sql_type: str
    values: list[Value]
    entries: list[Mapping[str, Any]]
    """What stands under its name in ``sensitive``; the path of a hierarchy is its file's bare name."""
    files: Mapping[str, str]
    """The hierarchy files by bare name: ``;``, no header."""
    sensitive: Sensitive


@dataclass(frozen=True)
class ModelCase:
    """A ``Case`` with sensitive columns and sometimes a population."""

    case: Case
    columns: list[DrawnColumn]
    population: list[tuple[Value, ...]] | None
    """Rows of another table, with the QIs of the case as its columns."""
    k_map: int | None

    def spec(self, folder: Path | None = None) -> dict[str, list[dict[str, Any]]]:
        """``sensitive`` as in kanon.yml; with a folder, the hierarchies' paths lead into it."""
        return {
            column.name: [
                {word: _in_folder(setting, folder) for word, setting in entry.items()}
                for entry in column.entries
            ]
            for column in self.columns
        }

    @property
    def files(self) -> dict[str, str]:
        """The hierarchy files of all sensitive columns, by bare name."""
        return dict(chain.from_iterable(column.files.items() for column in self.columns))

    def write_files(self, folder: Path) -> None:
        """The hierarchy files of the sensitive columns, into the folder that ``spec`` is given."""
        for name, text in self.files.items():
            (folder / name).write_bytes(text.encode())

    def oracle(self) -> WithModels:
        return WithModels(
            self.case.rows,
            self.case.hierarchies,
            self.case.k,
            self.case.persons,
            [column.sensitive for column in self.columns],
            self.population,
            self.k_map,
        )

    def search(self, low: Sequence[int] | None = None, high: Sequence[int] | None = None) -> ExhaustiveSearch:
        return self.oracle().search(low, high)


@st.composite
def model_cases(
    draw: st.DrawFn,
    *,
    words: Sequence[str] = WORDS,
    max_columns: int = 3,
    max_rows: int = 30,
    max_height: int = 2,
    persons: bool | None = None,
    population: bool | None = None,
    counts: Sequence[Count] = ("rows", "persons"),
    max_sensitive: int = 2,
    max_models: int = 3,
) -> ModelCase:
    """A random case. ``words`` are the models to draw from; ``persons`` and ``population`` are True always,
    False never, None sometimes; ``counts`` what a sensitive column may count where the case has persons."""
    case = draw(cases(max_columns=max_columns, max_rows=max_rows, max_height=max_height, persons=persons))
    kind = draw(_between(0, 3)) if max_rows >= 8 else 0
    if kind == 1 and max_height >= 2:
        case = draw(_ladders(case, max_rows))
    elif kind:
        case = draw(_with_larger_classes(case, max_rows))
    case = replace(case, k=min(case.k, draw(_one_of(1, 2, 1, 6))))  # k is not always what decides
    columns = []
    for number in range(min(draw(_one_of(1, 1, 2)), max_sensitive)):
        may_count = counts if case.persons is not None else ("rows",)
        columns.append(draw(_columns(case, number, words, may_count, max_models)))
    with_population = draw(_between(0, 3)) == 3 if population is None else population
    drawn = ModelCase(
        case=case,
        columns=columns,
        population=draw(_populations(case)) if with_population else None,
        k_map=draw(_between(1, 5, first=2)) if with_population else None,
    )
    if draw(_between(0, 3)) == 0:
        return drawn
    if len(case.columns) == 1:
        drawn = draw(_misleading(drawn))
    return replace(drawn, case=replace(drawn.case, max_sup=draw(_telling_max_sups(drawn))))


@st.composite
def _with_larger_classes(draw: st.DrawFn, case: Case, max_rows: int) -> Case:
    """The case with rows chosen anew from a few of its own: most models ask for more than pairs."""
    count = draw(_between(8, max_rows, first=12))
    some: list[tuple[Value, ...]] = draw(_choices(case.rows, draw(_between(2, 6, first=4)), "some"))
    people = range(1, draw(_between(count // 2, count)) + 1)
    return replace(
        case,
        rows=draw(_choices(some, count, "rows")),
        persons=None if case.persons is None else draw(_choices(people, count, "persons")),
        max_sup=draw(_one_of(0, count // 3, count // 2, count - 1)),
    )


@st.composite
def _ladders(draw: st.DrawFn, case: Case, max_rows: int) -> Case:
    """A table with the case's first name as its only QI, and two merges one above the other: the smallest
    shape in which binary search over the height can be wrong, with rows for many such tables."""
    count = draw(_between(4, min(10, max_rows)))
    hierarchy = OracleHierarchy.from_paths([(v, label, "*") for v, label in zip("abcd", "eeff", strict=True)])
    people = range(1, draw(_between(count // 2, count)) + 1)
    return Case(
        columns=case.columns[:1],
        types=("VARCHAR",),
        rows=[(value,) for value in draw(_choices("abcd", count, "ladder"))],
        hierarchies=(hierarchy,),
        has_file=(True,),
        k=1,
        max_sup=draw(_between(0, count // 2)),
        persons=None if case.persons is None else draw(_choices(people, count, "persons")),
    )


@st.composite
def _misleading(draw: st.DrawFn, drawn: ModelCase) -> ModelCase:
    """The case with its rows dealt out anew to the sensitive values until bisection is wrong somewhere, if
    that comes soon: by chance alone it is so in one case of a hundred."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    for _ in range(10):
        rows = random.sample(drawn.case.rows, len(drawn.case.rows))
        other = replace(drawn, case=replace(drawn.case, rows=rows))
        if _wrongly_bisected(other.search()):
            return other
    return drawn


def _wrongly_bisected(search: ExhaustiveSearch) -> list[int]:
    """The numbers of rows that some vector suppresses, and at which, as MaxSup, bisection is wrong."""
    numbers = sorted({search.outliers(vector) for vector in search.vectors()})
    return [n for n in numbers if search.least_height(n) != search.bisected_height(n)]


@st.composite
def _telling_max_sups(draw: st.DrawFn, drawn: ModelCase) -> int:
    """What some vector suppresses, to the row: one at which bisection is wrong, or from which suppression
    rises, where there are such."""
    search = drawn.search()
    rising = [search.outliers(low) for low, high in search.edges() if search.rises(low, high)]
    numbers = _wrongly_bisected(search) or rising or [search.outliers(vector) for vector in search.vectors()]
    return min(draw(_one_of(*numbers)), len(drawn.case.rows) - 1)


@st.composite
def _columns(
    draw: st.DrawFn, case: Case, number: int, words: Sequence[str], counts: Sequence[Count], max_models: int
) -> DrawnColumn:
    name = case.fresh_name(draw(_one_of(*_NAMES[number])))
    sql_type: str = draw(_one_of("VARCHAR", "INTEGER"))
    options = _TEXTS if sql_type == "VARCHAR" else (*range(-3, 13), 1000)
    pool: list[Value] = draw(_some(options, draw(_one_of(2, 3, 4, 2, 3, 5, 1)), "pool"))
    pool += [None] * draw(_one_of(0, 1, 0))
    if draw(_between(0, 2)) == 2:
        pool += [pool[0]] * len(pool)  # one value more frequent than the others
    values: list[Value] = draw(_choices(pool, len(case.rows), f"sensitive {number}"))
    nulls: Nulls = draw(_one_of("value", "ignore"))
    count: Count = draw(_one_of(*counts))
    entries: list[Mapping[str, Any]] = []
    models: list[Model] = []
    files: dict[str, str] = {}
    setting: Any
    model: Model
    bag = [*words, *(word for word in words if word == "t_closeness")]  # once more: it is four models
    wanted = min(draw(_one_of(1, 2, 1, 3)), max_models, len(words))
    for word in dict.fromkeys(draw(_some(bag, wanted, f"{number} {values}"))):
        if word == "t_closeness":
            setting, model, text = draw(_t_closeness(sql_type, values, nulls, f"sensitive_{number}.csv"))
            files.update({} if text is None else {setting["hierarchy"]: text})
        else:
            setting, model = draw(_model(word, values))
        entries.append({word: setting})
        models.append(model)
    if nulls != "value" or draw(st.booleans()):
        entries.append({"nulls": nulls})
    if count != "rows" or draw(st.booleans()):
        entries.append({"count": count})
    return DrawnColumn(name, sql_type, values, entries, files, Sensitive(values, models, nulls, count))


@st.composite
def _model(draw: st.DrawFn, word: str, values: list[Value]) -> tuple[Any, Model]:
    """The setting of a model's word, and the model: any but t-closeness."""
    if word == "distinct_l_diversity":
        number = draw(_one_of(2, 1, 3))
        return number, Distinct(number)
    if word == "entropy_l_diversity":
        least = draw(_one_of(2, 1, 1.5, 2.5, 3))
        return least, Entropy(_exact(least))
    if word == "recursive_cl_diversity":
        c, number = draw(_one_of(2, 1, 3, 0.5)), draw(_one_of(2, 1, 3))
        return {"c": c, "l": number}, Recursive(_exact(c), number)
    if word == "alpha_k":
        return draw(_alpha(values))
    if word == "delta_disclosure":
        d = draw(_one_of(1, 0.5, 2))
        return d, Delta(_exact(d))
    b = draw(_one_of(1, 0, 0.5, 2))
    return b, (BasicBeta if word == "basic_beta_likeness" else EnhancedBeta)(_exact(b))


@st.composite
def _alpha(draw: st.DrawFn, values: list[Value]) -> tuple[Any, Model]:
    """One share for every value, or a share for one or two of them, named by their text."""
    shares = _one_of(0.5, 0.7, 0.3, 1)
    known = _known(values)
    if not known or draw(st.booleans()):
        share = draw(shares)
        return share, Alpha(_exact(share))
    named = draw(_some(known, draw(_between(1, min(2, len(known)))), "alpha"))
    most = {value: draw(shares) for value in named}
    setting = {as_text(value): share for value, share in most.items()}
    return setting, Alpha({value: _exact(share) for value, share in most.items()})


@st.composite
def _t_closeness(
    draw: st.DrawFn, sql_type: str, values: list[Value], nulls: Nulls, file: str
) -> tuple[dict[str, Any], TCloseness, str | None]:
    """The setting, the model, and the text of its hierarchy file if it has one."""
    numeric = sql_type == "INTEGER" and nulls == "ignore"
    distance = draw(_one_of(*([*DISTANCES, "numeric", "numeric"] if numeric else DISTANCES[:-1])))
    t = draw(_one_of(0.3, 0, 0.1, 0.2, 0.5))
    setting: dict[str, Any] = {"t": t, "distance": distance}
    known = _known(values)
    if distance == "equal":
        return setting, TEqual(_exact(t)), None
    if distance == "numeric":
        return setting, TNumeric(_exact(t)), None
    if distance == "hierarchical":
        hierarchy = draw(sensitive_trees(known, sql_type))
        paths = {**hierarchy.paths}
        paths.setdefault(None, (None,) * hierarchy.height + (hierarchy.top,))  # DESIGN 5.1
        return {**setting, "hierarchy": file}, THierarchical(_exact(t), paths), hierarchy_csv(hierarchy)
    listed = bool(known) and draw(st.booleans())
    order = tuple(draw(st.permutations(known))) if listed else None
    rank: Literal["first", "last"] | None = "last" if draw(st.booleans()) else "first"
    if nulls == "ignore" or not (None in values or draw(st.booleans())):
        rank = None
    if order is not None:
        setting["order"] = [as_text(value) for value in order]
    if rank is not None:
        setting["null_rank"] = rank
    return setting, TOrdered(_exact(t), order, rank), None


@st.composite
def sensitive_trees(draw: st.DrawFn, known: list[Value], sql_type: str) -> OracleHierarchy:
    """A tree over the values, sometimes with one that is not there, sometimes with a row for NULL."""
    other: list[Value] = ["unused"] if sql_type == "VARCHAR" else [77]
    ground = [*known, *(other if not known or draw(st.booleans()) else [])]
    ground += [None] * draw(_one_of(0, 1))
    height = draw(_between(1, 3, first=2))
    paths: dict[Value, list[Value]] = {value: [value] for value in ground}
    nodes = [[value] for value in ground]
    for level in range(1, height):
        nodes = draw(_merged(nodes))
        labels = draw(_some(_LABELS, len(nodes), level))
        for node, label in zip(nodes, labels, strict=True):
            for value in node:
                paths[value].append(label)
    return OracleHierarchy.from_paths((*path, "*") for path in paths.values())


@st.composite
def _populations(draw: st.DrawFn, case: Case) -> list[tuple[Value, ...]]:
    """Rows like those of the table, and rows with values that it lacks, unmapped ones among them.

    A QI without a hierarchy file has no such values: what its top is to a value that the table lacks is
    another question than k-map's.
    """
    pools = []
    for index, h in enumerate(case.hierarchies):
        pool = [*case.column_values(index), None]
        if case.has_file[index]:
            strange: list[Value] = draw(st.lists(_VALUES[case.types[index]], max_size=3))
            pool += [*h.paths, *(value for value in strange if as_text(value) != h.top)]
        pools.append(pool)
    alike = draw(_choices(case.rows, draw(_between(1, 40, first=10)), "population"))
    count = draw(_between(0, 20, first=5))
    mixed = [draw(_choices(pool, count, index)) for index, pool in enumerate(pools)]
    return [*alike, *zip(*mixed, strict=True)]


def _one_of(*options: T) -> st.SearchStrategy[T]:
    """One of them, the first one for choice when shrinking: none is liked better otherwise."""
    return _between(0, len(options) - 1).map(lambda index: options[index])


def _some(options: Sequence[T], count: int, salt: object) -> st.SearchStrategy[list[T]]:
    """Distinct options, as many as asked for, from a seed."""
    return st.integers(0, 2**32 - 1).map(lambda seed: Random(f"{salt} {seed}").sample(list(options), count))


def _known(values: Sequence[Value]) -> list[Value]:
    """The distinct values of a column, NULL aside."""
    return [value for value in dict.fromkeys(values) if value is not None]


def _exact(number: float) -> Fraction:
    """The number as it is written: 0.1 is a tenth."""
    return Fraction(str(number))


def _in_folder(setting: Any, folder: Path | None) -> Any:
    """A copy of a model's setting, with its hierarchy's path, if it has one, in the folder."""
    if not isinstance(setting, dict):
        return setting
    if folder is None or "hierarchy" not in setting or "t" not in setting:
        return dict(setting)
    return {**setting, "hierarchy": str(folder / setting["hierarchy"])}
