"""Random cases for hypothesis: hostile names, typed values, random trees (DESIGN 4, 5.1 to 5.4, 5.8).

Every case is one that the package must accept: the trees are trees, nothing is unmapped unless the spec
says what to do about it, no data value can be mistaken for a top label. Whether a vector satisfies is open.
"""

from __future__ import annotations

import datetime
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from tests.oracle.by_distance_matrix import ByDistanceMatrix
from tests.oracle.by_grouping import ByGrouping
from tests.oracle.csvtext import hierarchy_csv
from tests.oracle.model import OracleHierarchy, Unmapped, Value, Vector, as_text, flat, typed
from tests.oracle.search import ExhaustiveSearch

T = TypeVar("T")

TYPES = ("VARCHAR", "INTEGER", "BIGINT", "DATE", "BOOLEAN")

NAMES = (
    "select", 'a"b', "größe", "Marital Status", 't"; drop table x; --', "age", "it's", "É", "é", "level_0",
    "level_1", "key", "n", "id", "person", "class_size", "count", "rowid", "a.b", "{{ x }}", "%(x)s", "$1",
    "?", "*", "--", "/* c */", "😀", "group by", "NULL", "zip ", "zip", "src", "line\nbreak", "0", "a;b,c",
)  # fmt: skip

TEXTS = (
    "a", "A", "b", "", " ", "x", "x ", " x", "007", "7", "7.0", "NULL", "null", 'say "hi"', "it's", "#1",
    "\\n", "two\nlines", "a;b", "a,b", "😀", "é", "e\u0301", "ß", "%", "--", "true",
    "2024-01-05", "\t", '"', "'",
)  # fmt: skip

LABELS = (
    "a", "A", "b", "x", "x ", "007", "0-9", "[0, 10)", "NULL", 'say "hi"', "it's", "two\nlines", "a;b", "a,b",
    "😀", "é", "e\u0301", "true", "2024-01-05", "any", "*", "**",
)  # fmt: skip

# None of these casts to INTEGER, BIGINT, DATE or BOOLEAN: no value of such a column can be taken for the top.
TOPS = ("*", "*", "*", "any", "NULL", 'a"ny', "the\ntop", "😀 all", "größe; alle", "*, really")

# No NUL, no lone surrogates, no byte order mark; no carriage return either, as DuckDB's CSV reader takes the
# first line break it sees, quoted or not, for that of the whole file.
_SIGNS = st.characters(
    min_codepoint=1, max_codepoint=0x1F9FF, exclude_categories=["Cs"], exclude_characters="\r\ufeff"
)

_VALUES: dict[str, st.SearchStrategy[Value]] = {
    "VARCHAR": st.one_of(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.text(_SIGNS, max_size=6)),
    "INTEGER": st.one_of(st.integers(-3, 30), st.integers(-(2**31), 2**31 - 1)),
    "BIGINT": st.one_of(st.integers(-3, 30), st.integers(-(2**63), 2**63 - 1)),
    "DATE": st.one_of(
        st.dates(datetime.date(2023, 12, 25), datetime.date(2024, 3, 3)),
        st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31)),
    ),
    "BOOLEAN": st.booleans(),
}


@dataclass(frozen=True)
class Case:
    """A table's QI columns, their hierarchies, and what is asked of them."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    hierarchies: tuple[OracleHierarchy, ...]
    has_file: tuple[bool, ...]
    """False where the QI is to be given without a hierarchy: ``hierarchies`` then has the flat one."""
    k: int
    max_sup: int
    persons: list[int] | None

    @property
    def heights(self) -> Vector:
        return tuple(h.height for h in self.hierarchies)

    @property
    def unmapped(self) -> tuple[Unmapped, ...]:
        """The policy of each QI."""
        return tuple(h.unmapped for h in self.hierarchies)

    def column_values(self, index: int) -> list[Value]:
        """One column of the table."""
        return [row[index] for row in self.rows]

    def csv(self, index: int, delimiter: str = ";", header: bool = False) -> str:
        """The hierarchy file of a QI; its header, if any, is no value of the column."""
        return hierarchy_csv(self.hierarchies[index], delimiter, header, avoid=self.column_values(index))

    def fresh_name(self, wish: str) -> str:
        """A name like the wish that is no QI's under ASCII case folding: for persons, for payloads."""
        taken = {_folded(name) for name in self.columns}
        while _folded(wish) in taken:
            wish += "_"
        return wish

    def by_grouping(self) -> ByGrouping:
        return ByGrouping(self.rows, self.hierarchies, self.k, self.persons)

    def by_distance_matrix(self) -> ByDistanceMatrix:
        return ByDistanceMatrix(self.rows, self.hierarchies, self.k, self.persons)

    def search(self, low: Sequence[int] | None = None, high: Sequence[int] | None = None) -> ExhaustiveSearch:
        """The exhaustive search over form a."""
        return ExhaustiveSearch(self.by_grouping().outliers, self.heights, low, high)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    max_columns: int = 4,
    max_rows: int = 40,
    max_height: int = 3,
    types: Sequence[str] = TYPES,
    persons: bool | None = None,
    policies: Sequence[Unmapped] = ("error", "suppress", "top"),
    k_above_rows: bool = False,
) -> Case:
    """A random case. ``persons``: True always, False never, None sometimes.

    ``policies`` are those of unmapped values, the first more often than the others. k is 1 to 6, and above
    the number of rows only if asked for (DESIGN 5.6: an error); max_sup is below the number of rows.
    """
    width = draw(_between(1, max_columns, first=2))
    columns = draw(st.lists(_names(), min_size=width, max_size=width, unique_by=_folded))
    column_types = [draw(st.sampled_from(list(types))) for _ in columns]
    pools = [draw(_pools(sql_type)) for sql_type in column_types]
    drawn = [
        draw(_hierarchies(sql_type, pool, max_height, policies))
        for sql_type, pool in zip(column_types, pools, strict=True)
    ]
    count = draw(_between(1, max_rows, first=8))
    few = draw(_between(0, 2)) == 2  # few distinct tuples, so that classes reach k at low levels
    distinct = draw(_between(1, min(10, count), first=5)) if few else count
    cells = [draw(_choices(pool, distinct, index)) for index, (pool, _, _) in enumerate(drawn)]
    rows: list[tuple[Value, ...]] = list(zip(*cells, strict=True))
    if few:
        rows = draw(_choices(rows, count, "rows"))
    with_persons = draw(st.booleans()) if persons is None else persons
    # some cases have nearly as many persons as rows, some a handful
    ids = range(1, draw(_between(1, count, first=6)) + 1)
    ks = [k for k in (3, 2, 4, 5, 6, 1) if k <= count or k_above_rows]
    return Case(
        columns=tuple(columns),
        types=tuple(column_types),
        rows=rows,
        hierarchies=tuple(hierarchy for _, hierarchy, _ in drawn),
        has_file=tuple(has_file for _, _, has_file in drawn),
        k=ks[draw(_between(0, len(ks) - 1))],
        max_sup=draw(st.one_of(st.just(0), _between(0, (count - 1) // 5), _between(0, count - 1))),
        persons=draw(_choices(ids, count, "persons")) if with_persons else None,
    )


def _between(low: int, high: int, first: int | None = None) -> st.SearchStrategy[int]:
    """An integer of the range, that shrinks to ``first`` (else ``low``).

    Hypothesis copies what it drew at one place to another and falls back to the least choice where it does
    not fit: plain ``integers(low, high)`` is ``low`` in every second case. A remainder always fits; and
    ``first`` is where a case with the least value would show nothing.
    """
    shift = 0 if first is None else max(0, min(first, high) - low)
    return st.integers(0, 2**16 - 1).map(lambda drawn: low + (drawn + shift) % (high - low + 1))


def _choices(options: Sequence[T], count: int, salt: object) -> st.SearchStrategy[list[T]]:
    """As many choices as asked for, from a seed: hypothesis itself likes to choose the same all the time.

    The salt keeps two columns apart that were given the same seed.
    """

    def chosen(seed: int) -> list[T]:
        random = Random(f"{salt} {seed}")
        return [random.choice(options) for _ in range(count)]

    return st.integers(0, 2**32 - 1).map(chosen)


def _names() -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES), st.text(_SIGNS, min_size=1, max_size=8))


def _folded(name: str) -> str:
    """Column names match as DuckDB matches them: ASCII case folds, other case does not (DESIGN 5.15)."""
    return name.translate(str.maketrans(string.ascii_uppercase, string.ascii_lowercase))


@st.composite
def _pools(draw: st.DrawFn, sql_type: str) -> list[Value]:
    """The distinct values a column draws from: few, so that duplicates are frequent; sometimes NULL too."""
    most = 2 if sql_type == "BOOLEAN" else 5
    values: list[Value] = draw(st.lists(_VALUES[sql_type], min_size=2, max_size=most, unique_by=typed))
    kind = draw(_between(0, 9))
    if kind == 9:
        return [draw(st.sampled_from([values[0], None]))]
    return [*values, None] if kind >= 6 else values


@st.composite
def _hierarchies(
    draw: st.DrawFn, sql_type: str, pool: list[Value], max_height: int, policies: Sequence[Unmapped]
) -> tuple[list[Value], OracleHierarchy, bool]:
    """The pool (less what may not stand in it), its hierarchy, and whether that is to be given as a file."""
    if max_height >= 1 and draw(_between(0, 3)) == 3:
        kept = [value for value in pool if value != "*"] or [None]
        return kept, flat(kept), False
    height = (draw(_between(0, 2 * max_height, first=2)) + 1) // 2  # height 0 half as often as the others
    policy = draw(st.sampled_from([policies[0], policies[0], *policies]))
    ground: list[Value] = [value for value in pool if value is not None]
    if policy != "error":  # some values of the data go missing from the hierarchy
        ground = [value for value in ground if draw(_between(0, 3))]
    unused = draw(st.lists(_VALUES[sql_type], max_size=4, unique_by=typed))
    if height == 0:
        return draw(_of_height_0(sql_type, pool, ground, unused, policy))
    if draw(st.booleans()):
        ground = _distinct([*ground, *(value for value in unused if policy == "error" or value not in pool)])
    if not ground:
        ground = [draw(_VALUES[sql_type])]
    if draw(_between(0, 3)) == 0:
        ground = [*ground, None]
    kept, hierarchy = draw(_trees(ground, pool, height, policy))
    return kept, hierarchy, True


@st.composite
def _of_height_0(
    draw: st.DrawFn,
    sql_type: str,
    pool: list[Value],
    ground: list[Value],
    unused: list[Value],
    policy: Unmapped,
) -> tuple[list[Value], OracleHierarchy, bool]:
    """One ground value, its own top: not blank, as a top may not be."""
    only = next((value for value in [*ground, *unused] if str(value).strip()), None)
    if only is None:
        only = draw(_VALUES[sql_type].filter(lambda value: bool(str(value).strip())))
    mapped = [value for value in pool if value is None or value == only] or [only]
    return mapped if policy == "error" else pool, OracleHierarchy({only: (only,)}, 0, only, policy), True


@st.composite
def _trees(
    draw: st.DrawFn, ground: list[Value], pool: list[Value], height: int, policy: Unmapped
) -> tuple[list[Value], OracleHierarchy]:
    """A random tree of the given height (at least 1), built bottom-up by random merging; and the pool."""
    texts = {as_text(value) for value in [*ground, *pool]}
    top = draw(st.sampled_from([label for label in TOPS if label not in texts] or ["⊤⊤"]))
    nodes: list[list[Value]] = [[value] for value in ground]
    starred = None
    if draw(_between(0, 4)) == 0 and any(isinstance(value, str) for value in ground):
        starred = top  # a value of the data that is the top label, and stands so at every level (DESIGN 5.4)
        ground = [*ground, starred]
        pool = [*pool, starred]
    paths: dict[Value, list[Value]] = {value: [value] for value in ground}
    allowed = [label for label in LABELS if label != top]
    for _ in range(1, height):
        nodes = draw(_merged(nodes))
        wanted = len(nodes)
        labels = draw(st.lists(st.sampled_from(allowed), min_size=wanted, max_size=wanted, unique=True))
        if draw(st.booleans()):
            # As hand-made files do: a node is called like its first child, where it can be.
            first = [as_text(paths[node[0]][-1]) for node in nodes]
            labels = _first_labels(first, labels, {top})
        if starred is None and nodes and draw(_between(0, 3)) == 0:
            labels = _with_top_below(draw, paths, nodes, labels, top, policy, height)
        for node, label in zip(nodes, labels, strict=True):
            for value in node:
                paths[value].append(label)
        if starred is not None:
            paths[starred].append(starred)
    return pool, OracleHierarchy({value: (*path, top) for value, path in paths.items()}, height, top, policy)


@st.composite
def _merged(draw: st.DrawFn, nodes: list[list[Value]]) -> list[list[Value]]:
    """The nodes of the next level; sometimes as many as before (a level that merges nothing is allowed)."""
    if not nodes:
        return []
    parents = [draw(_between(0, len(nodes) - 1)) for _ in nodes]
    if draw(_between(0, 4)) == 0:
        parents = list(range(len(nodes)))
    groups: dict[int, list[Value]] = {}
    for parent, node in zip(parents, nodes, strict=True):
        groups.setdefault(parent, []).extend(node)
    return list(groups.values())


def _first_labels(first: Sequence[str | None], labels: Sequence[str], forbidden: set[str]) -> list[str]:
    """The wished labels where they are free and not blank, else the given ones: distinct all the same."""
    chosen: list[str] = []
    for wish, label in zip(first, labels, strict=True):
        free = wish is not None and wish.strip() and wish not in forbidden | {*chosen, *labels}
        chosen.append(wish if free and wish is not None else label)
    return chosen


def _with_top_below(
    draw: st.DrawFn,
    paths: dict[Value, list[Value]],
    nodes: list[list[Value]],
    labels: list[str],
    top: str,
    policy: Unmapped,
    height: int,
) -> list[str]:
    """The labels of a level with the top label on one node.

    Under ``unmapped: top`` at the level just below the top only, where the parent is the top label itself.
    """
    level = len(paths[nodes[0][0]])
    if policy == "top" and level != height - 1:
        return labels
    at = draw(_between(0, len(labels) - 1))
    return [*labels[:at], top, *labels[at + 1 :]]


def _distinct(values: Iterable[Value]) -> list[Value]:
    return list({typed(value): value for value in values}.values())
