"""The oracle against itself, against answers worked out by hand, and against the facts about Adult."""

from __future__ import annotations

import csv
import datetime
import io
import os
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.oracle import (
    ByDistanceMatrix,
    ByGrouping,
    ExhaustiveSearch,
    OracleHierarchy,
    OracleUnmapped,
    accuracy,
    as_text,
    completeness,
    flat,
    hierarchy_csv,
    read_hierarchy,
    relative_distance,
    typed_counter,
    write_hierarchy,
)
from tests.oracle.strategies import Case, cases

FORMS = [ByGrouping, ByDistanceMatrix]
both_forms = pytest.mark.parametrize("form", FORMS)
random_cases = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


# ---------------------------------------------------------------- random cases


@random_cases
@given(cases())
def test_the_two_forms_agree_at_every_vector(case: Case) -> None:
    grouping, matrix = case.by_grouping(), case.by_distance_matrix()
    for vector in product(*(range(h + 1) for h in case.heights)):
        assert grouping.outliers(vector) == matrix.outliers(vector), vector


@random_cases
@given(cases())
def test_suppression_never_rises_along_an_edge(case: Case) -> None:
    """Knowl 6; it holds for persons as well, as a union of classes has no fewer persons than either."""
    search = case.search()
    for vector in search.vectors():
        for qi, h in enumerate(case.heights):
            if vector[qi] < h:
                above = (*vector[:qi], vector[qi] + 1, *vector[qi + 1 :])
                assert search.outliers(above) <= search.outliers(vector)


@random_cases
@given(cases())
def test_the_answers_hang_together(case: Case) -> None:
    """5.11 gives a k-minimal vector of the least height, and Find_vector (Knowl 7) ends at that height."""
    search = case.search()
    answer = search.vector_of_5_11(case.max_sup)
    if answer is None:
        assert search.k_minimal(case.max_sup) == set()
        assert search.least_height(case.max_sup) is None
        assert search.outliers(search.top) == search.fewest_outliers() > case.max_sup
        return
    assert answer in search.k_minimal(case.max_sup)
    assert answer in search.at_least_height(case.max_sup)
    low, high = 0, sum(case.heights)
    while low < high:
        middle = (low + high) // 2
        if any(search.outliers(v) <= case.max_sup for v in search.vectors() if sum(v) == middle):
            high = middle
        else:
            low = middle + 1
    assert low == sum(answer) == search.least_height(case.max_sup)


@random_cases
@given(cases())
def test_what_is_released_is_what_was_not_suppressed(case: Case) -> None:
    grouping = case.by_grouping()
    payload = [(number,) for number in range(len(case.rows))]
    for vector in product(*(range(h + 1) for h in case.heights)):
        released = grouping.released(vector, payload)
        assert len(released) == len(case.rows) - grouping.outliers(vector)
        members: dict[tuple, set] = {}
        for *values, number in released:
            key = tuple((type(value).__name__, value) for value in values)
            members.setdefault(key, set()).add(case.persons[number] if case.persons else number)
        assert all(len(inside) >= case.k for inside in members.values())
        assert len(members) == len(grouping.released_classes(vector))


@random_cases
@given(cases())
def test_a_random_case_is_one_the_package_must_accept(case: Case) -> None:
    folded = {name.encode().lower() for name in case.columns}  # bytes: ASCII letters only
    assert len(folded) == len(case.columns) == len(case.types) == len(case.hierarchies)
    assert 1 <= case.k <= 6 and case.k <= len(case.rows)
    assert 0 <= case.max_sup < len(case.rows)
    python = {"VARCHAR": str, "INTEGER": int, "BIGINT": int, "DATE": datetime.date, "BOOLEAN": bool}
    for index, (sql_type, h) in enumerate(zip(case.types, case.hierarchies, strict=True)):
        values = set(case.column_values(index))
        assert all(type(value) in (python[sql_type], type(None)) for value in values | set(h.paths))
        assert case.has_file[index] or (h.height, h.top, h.unmapped) == (1, "*", "error")
        if h.unmapped == "error":
            assert all(value is None or h.mapped(value) for value in values)
        if h.height:  # a value that is the top label is placed there, at every level
            same = {value for value in values | set(h.paths) if as_text(value) == h.top}
            assert all(h.paths[value] == (h.top,) * (h.height + 1) for value in same)
            assert case.has_file[index] or not same
        if h.unmapped == "top":  # the top label below the top has no other parent
            for path in h.paths.values():
                at = path.index(h.top)
                assert set(path[at:]) == {h.top}


@random_cases
@given(cases())
def test_a_hierarchy_file_holds_the_paths(case: Case) -> None:
    for index, (h, delimiter, header) in enumerate(zip(case.hierarchies, ";,;,", (0, 0, 1, 1), strict=False)):
        text = case.csv(index, delimiter, bool(header))
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        assert lines[header:] == [[as_text(cell) or "" for cell in path] for path in h.paths.values()]
        if header:
            assert lines[0][0] not in {as_text(value) for value in case.column_values(index)}
            assert lines[0][-1] != as_text(h.top)


def test_random_cases_are_of_every_kind() -> None:
    """The strategies must not decay into cases that show nothing."""
    seen: Counter[str] = Counter()

    @settings(max_examples=150, deadline=None, database=None, derandomize=True)
    @given(cases())
    def look(case: Case) -> None:
        search = case.search()
        answer = search.vector_of_5_11(case.max_sup)
        seen["no answer"] += answer is None
        seen["answer inside the lattice"] += answer not in (None, search.bottom, search.top)
        seen["persons"] += case.persons is not None
        seen["suppressed at the top"] += search.outliers(search.top) > 0
        seen["a tie at the least height"] += len(search.at_least_height(case.max_sup)) > 1
        for index, h in enumerate(case.hierarchies):
            seen[case.types[index]] += 1
            seen[f"height {h.height}"] += 1
            seen["flat"] += not case.has_file[index]
            values = case.column_values(index)
            seen["NULL"] += None in values
            seen["NULL with its own path"] += None in values and None in h.paths
            if any(value is not None and not h.mapped(value) for value in values):
                seen[f"unmapped: {h.unmapped}"] += 1

    look()
    wanted = {"no answer", "answer inside the lattice", "a tie at the least height", "persons", "flat"}
    wanted |= {"NULL", "NULL with its own path", "suppressed at the top"}
    wanted |= {"unmapped: suppress", "unmapped: top", "height 0", "height 1", "height 2", "height 3"}
    wanted |= {"VARCHAR", "INTEGER", "BIGINT", "DATE", "BOOLEAN"}
    assert {kind: seen[kind] for kind in wanted if seen[kind] < 4} == {}


# ---------------------------------------------------------------- by hand: race and ZIP, as in the paper

RACE = OracleHierarchy.from_paths([("asian", "person"), ("black", "person"), ("white", "person")])
ZIP = OracleHierarchy.from_paths(
    [
        (94138, "9413*", "941**"),
        (94139, "9413*", "941**"),
        (94141, "9414*", "941**"),
        (94142, "9414*", "941**"),
    ]
)
TEN_ROWS = [
    *[("asian", 94138)] * 2,
    ("asian", 94139),
    ("asian", 94141),
    ("black", 94138),
    ("black", 94139),
    *[("black", 94141)] * 2,
    ("white", 94138),
    ("white", 94142),
]


@both_forms
@pytest.mark.parametrize(
    ("k", "vector", "outliers"),
    [
        (1, (0, 0), 0),
        # asian 38 twice, black 41 twice; six tuples stand alone
        (2, (0, 0), 6),
        # 38: 4, 39: 2, 41: 3, 42: 1
        (2, (1, 0), 1),
        # asian 3 and 1, black 2 and 2, white 1 and 1
        (2, (0, 1), 3),
        # 9413*: 6, 9414*: 4
        (2, (1, 1), 0),
        # asian 4, black 4, white 2
        (2, (0, 2), 0),
        (2, (1, 2), 0),
        (3, (0, 0), 10),
        (3, (1, 0), 3),
        (3, (0, 1), 7),
        (3, (0, 2), 2),
        (5, (1, 1), 4),
        (10, (1, 2), 0),
        (11, (1, 2), 10),
    ],
)
def test_outliers_worked_out_by_hand(form, k, vector, outliers) -> None:
    assert form(TEN_ROWS, [RACE, ZIP], k).outliers(vector) == outliers


@both_forms
@pytest.mark.parametrize(
    ("max_sup", "least", "answer", "minimal"),
    [
        # [0,2] is 1 of 2 relative steps away, [1,1] 1 1/2
        (0, 2, (0, 2), {(0, 2), (1, 1)}),
        (1, 1, (1, 0), {(1, 0), (0, 2)}),
        (2, 1, (1, 0), {(1, 0), (0, 2)}),
        # [0,1] is 1/2 away, [1,0] 1
        (3, 1, (0, 1), {(0, 1), (1, 0)}),
        (5, 1, (0, 1), {(0, 1), (1, 0)}),
        (6, 0, (0, 0), {(0, 0)}),
    ],
)
def test_search_worked_out_by_hand(form, max_sup, least, answer, minimal) -> None:
    search = ExhaustiveSearch(form(TEN_ROWS, [RACE, ZIP], 2).outliers, (1, 2))
    assert search.least_height(max_sup) == least
    assert search.vector_of_5_11(max_sup) == answer
    assert search.k_minimal(max_sup) == minimal


@both_forms
def test_relative_distance_comes_before_qi_order(form) -> None:
    """The same table, ZIP first: [1,1] is the smaller vector, and [2,0] still the nearer one."""
    rows = [(zip_code, race) for race, zip_code in TEN_ROWS]
    search = ExhaustiveSearch(form(rows, [ZIP, RACE], 2).outliers, (2, 1))
    assert search.at_least_height(0) == [(1, 1), (2, 0)]
    assert search.vector_of_5_11(0) == (2, 0)


def test_no_answer_names_the_nearest() -> None:
    search = ExhaustiveSearch(ByGrouping(TEN_ROWS, [RACE, ZIP], 11).outliers, (1, 2))
    assert search.vector_of_5_11(9) is None
    assert search.least_height(9) is None
    assert search.k_minimal(9) == set()
    assert search.fewest_outliers() == 10


def test_a_restricted_lattice_keeps_its_numbers() -> None:
    outliers = ByGrouping(TEN_ROWS, [RACE, ZIP], 2).outliers
    search = ExhaustiveSearch(outliers, (1, 2), low=(1, 0), high=(1, 1))
    assert search.vectors() == [(1, 0), (1, 1)]
    assert search.vector_of_5_11(0) == (1, 1)
    assert search.k_minimal(0) == {(1, 1)}
    assert search.least_height(1) == 1


def test_a_tie_goes_to_the_smaller_vector_in_qi_order() -> None:
    rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    search = ExhaustiveSearch(ByGrouping(rows, [flat("ab"), flat("xy")], 2).outliers, (1, 1))
    assert search.at_least_height(0) == [(0, 1), (1, 0)]
    assert search.vector_of_5_11(0) == (0, 1)


def test_measures_worked_out_by_hand() -> None:
    assert relative_distance((1, 1, 0), (3, 2, 0)) == Fraction(5, 6)
    assert accuracy((0, 2), (1, 2)) == Fraction(1, 2)
    assert accuracy((1, 1), (1, 2)) == Fraction(1, 4)
    assert accuracy((1, 1, 0), (3, 2, 0)) == Fraction(13, 18)
    assert completeness(10, 1) == Fraction(9, 10)


def test_released_rows_worked_out_by_hand() -> None:
    grouping = ByGrouping(TEN_ROWS, [RACE, ZIP], 2)
    assert grouping.released_rows((0, 1)) == Counter(
        {("asian", "9413*"): 3, ("black", "9413*"): 2, ("black", "9414*"): 2}
    )
    names = [(letter,) for letter in "abcdefghij"]
    assert sorted(grouping.released((1, 0), names)) == [
        *[("person", 94138, name) for name in "abei"],
        *[("person", 94139, name) for name in "cf"],
        *[("person", 94141, name) for name in "dgh"],
    ]
    assert grouping.class_sizes((1, 1)) == {
        (("str", "person"), ("str", "9413*")): 6,
        (("str", "person"), ("str", "9414*")): 4,
    }


# ---------------------------------------------------------------- by hand: the meanings of DESIGN 5


@both_forms
def test_persons_count_once_and_rows_are_suppressed(form) -> None:
    """5.8: five visits of one patient are a class of one; MaxSup counts the five rows."""
    rows = [("a",)] * 5 + [("b",)] * 2
    persons = [1, 1, 1, 1, 1, 1, 2]
    oracle = form(rows, [flat("ab")], 2, persons)
    assert oracle.outliers((0,)) == 5
    assert oracle.outliers((1,)) == 0
    # three persons are in neither class alone, and person 1 does not count twice in the union
    assert form(rows, [flat("ab")], 3, persons).outliers((1,)) == 7


def test_persons_lost() -> None:
    rows = [("a",), ("a",), ("b",), ("b",)]
    grouping = ByGrouping(rows, [flat("ab")], 2, persons=[1, 2, 3, 3])
    assert grouping.outliers((0,)) == 2
    assert grouping.persons_lost((0,)) == 1
    with pytest.raises(ValueError, match="NULL person"):
        ByGrouping(rows, [flat("ab")], 2, persons=[1, 2, 3, None])


@both_forms
def test_null_is_a_value_of_its_own_below_the_top(form) -> None:
    """5.1, without a mapping row: NULL meets NULL at level 0 and the others only at the top."""
    h = OracleHierarchy.from_paths([(1, "low", "*"), (2, "low", "*")])
    rows = [(None,), (None,), (1,), (2,)]
    assert [form(rows, [h], 2).outliers((level,)) for level in range(3)] == [2, 0, 0]
    assert [form(rows, [h], 3).outliers((level,)) for level in range(3)] == [4, 4, 0]


@both_forms
def test_null_takes_its_own_mapping_row(form) -> None:
    h = OracleHierarchy.from_paths([(1, "low", "*"), (2, "high", "*"), (None, "low", "*")])
    rows = [(None,), (1,), (2,)]
    assert [form(rows, [h], 2).outliers((level,)) for level in range(3)] == [3, 1, 0]


@both_forms
def test_at_height_0_a_null_is_the_one_value(form) -> None:
    h = OracleHierarchy({7: (7,)}, 0, 7)
    oracle = form([(7,), (None,), (7,)], [h], 3)
    assert oracle.outliers((0,)) == 0
    assert ByGrouping([(None,)], [h], 1).released((0,)) == [(7,)]


@both_forms
def test_an_unmapped_value_under_error(form) -> None:
    with pytest.raises(OracleUnmapped, match="'c'"):
        form([("a",), ("c",)], [flat("ab")], 1).outliers((0,))


@both_forms
def test_an_error_is_found_in_a_row_that_leaves_for_another_reason(form) -> None:
    leaving = OracleHierarchy({"a": ("a", "*")}, 1, "*", "suppress")
    with pytest.raises(OracleUnmapped):
        form([("z", "z")], [leaving, flat("a")], 1)


@both_forms
def test_unmapped_suppress_leaves_at_every_vector(form) -> None:
    h = OracleHierarchy({"a": ("a", "*"), "b": ("b", "*")}, 1, "*", "suppress")
    rows = [("a",), ("a",), ("b",), ("z",), ("z",), ("z",), (None,)]
    # level 0: b and NULL stand alone, the three z have left although they would be a class
    assert [form(rows, [h], 2).outliers((level,)) for level in (0, 1)] == [5, 3]


@both_forms
def test_unmapped_top_is_the_top_label_at_every_level(form) -> None:
    h = OracleHierarchy.from_paths([("a", "v", "*"), ("b", "v", "*"), ("c", "*", "*")], unmapped="top")
    rows = [("a",), ("b",), ("c",), ("y",), ("z",), (None,)]
    # level 0: y and z are "*"; level 1: c joins them, a and b are "v"; NULL stands alone until the top
    assert [form(rows, [h], 2).outliers((level,)) for level in range(3)] == [4, 1, 0]
    assert ByGrouping(rows, [h], 2).released_rows((0,)) == Counter({("*",): 2})
    assert ByGrouping(rows, [h], 2).released_rows((1,)) == Counter({("v",): 2, ("*",): 3})


@both_forms
def test_one_and_true_are_two_values(form) -> None:
    h = OracleHierarchy({1: (1, "*")}, 1, "*", "suppress")
    assert form([(1,), (True,)], [h], 1).outliers((0,)) == 1
    assert typed_counter([(1,)]) != typed_counter([(True,)])


def test_released_as_text() -> None:
    rows = [(True, datetime.date(2024, 2, 9), None)]
    hierarchies = [flat([True]), flat([datetime.date(2024, 2, 9)]), flat([])]
    grouping = ByGrouping(rows, hierarchies, 1)
    assert grouping.released((0, 0, 0)) == rows
    assert grouping.released((0, 0, 0), text=True) == [("true", "2024-02-09", None)]
    assert grouping.released((0, 0, 1), text=True) == [("true", "2024-02-09", "*")]


@pytest.mark.parametrize(
    ("paths", "complaint"),
    [
        ([("a", "x", "*"), ("b", "*")], "entries"),
        ([("a", "x", "*"), ("b", "x", "+")], "top"),
        ([("a", "x", "p", "*"), ("b", "x", "q", "*")], "two parents"),
        ([("a", " ", "*")], "blank"),
        ([("a", None, "*")], "no text"),
        ([("a",), ("b",)], "top"),
        ([(None,)], "height 0"),
    ],
)
def test_what_is_no_hierarchy(paths, complaint) -> None:
    with pytest.raises(ValueError, match=complaint):
        OracleHierarchy.from_paths(paths)


def test_csv_tells_null_from_the_empty_string(tmp_path: Path) -> None:
    h = OracleHierarchy.from_paths(
        [(None, "n;one", "*"), ("", "it's", "*"), ('q"', "two\nlines", "*"), (" x", "level_0", "*")]
    )
    assert hierarchy_csv(h) == ';"n;one";*\n"";it\'s;*\n"q""";"two\nlines";*\n" x";level_0;*\n'
    assert hierarchy_csv(h, ",").startswith(',n;one,*\n"",')
    assert hierarchy_csv(h, header=True).startswith("level_0_;level_1_;level_2_\n;")
    assert hierarchy_csv(h, header=True, avoid=["level_0_"]).startswith("level_0__;")
    assert write_hierarchy(tmp_path / "h.csv", h).read_bytes() == hierarchy_csv(h).encode()


def test_the_oracle_knows_nothing_of_the_package() -> None:
    for source in (Path(__file__).parent / "oracle").glob("*.py"):
        for line in source.read_text(encoding="utf-8").splitlines():
            assert not (line.lstrip().startswith(("import", "from")) and "kanon_sql" in line), source.name


# ---------------------------------------------------------------- Adult: facts computed apart

SHARED = Path(os.environ.get("KANON_SHARED", Path(__file__).parents[2] / "shared"))
FACTS = SHARED / "facts" / "adult_5qi.tsv"
ADULT = SHARED / "data" / "adult"
needs_adult = pytest.mark.skipif(
    not (FACTS.is_file() and (ADULT / "adult.csv").is_file()),
    reason=f"no Adult table and facts under {SHARED} (set KANON_SHARED)",
)
QIS = ("sex", "age", "race", "marital-status", "education")


def vector_of(text: str) -> tuple[int, ...]:
    return tuple(int(level) for level in text.split(","))


@cache
def facts() -> dict[tuple[int, int], dict[str, str]]:
    lines = [line for line in FACTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    named = csv.DictReader(lines, delimiter="\t")
    return {(int(fact["k"]), int(fact["max_rows"])): fact for fact in named}


def listed(fact: dict[str, str]) -> dict[tuple[int, ...], tuple[int, int]]:
    """Suppressed rows and classes released, of every satisfying vector of the least height."""
    column = next(name for name in fact if name and name.startswith("at_minimal_height"))
    entries = [entry.split(":") for entry in fact[column].split()]
    return {vector_of(vector): (int(rows), int(classes)) for vector, rows, classes in entries}


@cache
def adult(k: int) -> ByGrouping:
    with (ADULT / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row[qi] for qi in QIS) for row in csv.DictReader(file, delimiter=";")]
    return ByGrouping(rows, [read_hierarchy(ADULT / f"adult_hierarchy_{qi}.csv") for qi in QIS], k)


@needs_adult
@pytest.mark.parametrize(("k", "max_rows"), [(2, 301), (5, 0), (10, 1508), (100, 301)])
def test_adult_at_the_listed_vectors(k: int, max_rows: int) -> None:
    grouping = adult(k)
    assert (len(grouping.rows), len(set(grouping.rows)), grouping.heights) == (30162, 6072, (1, 4, 1, 2, 3))
    expected = listed(facts()[k, max_rows])
    assert {v: (grouping.outliers(v), len(grouping.released_classes(v))) for v in expected} == expected


@needs_adult
def test_adult_over_the_whole_lattice() -> None:
    """All that the facts say of k = 5: least height, how many vectors satisfy and are minimal, the answer."""
    search = ExhaustiveSearch(adult(5).outliers, adult(5).heights)
    for max_rows in (0, 301, 1508):
        fact = facts()[5, max_rows]
        assert search.least_height(max_rows) == int(fact["minimal_height"])
        assert len(search.satisfying(max_rows)) == int(fact["satisfying_vectors"])
        assert len(search.k_minimal(max_rows)) == int(fact["k_minimal_vectors"])
        assert search.at_least_height(max_rows) == sorted(listed(fact))
        assert search.vector_of_5_11(max_rows) == vector_of(fact["vector_of_5_11"])


@needs_adult
def test_the_two_forms_agree_on_rows_of_adult() -> None:
    rows, hierarchies = adult(5).rows[:300], adult(5).hierarchies
    grouping, matrix = ByGrouping(rows, hierarchies, 5), ByDistanceMatrix(rows, hierarchies, 5)
    for vector in [(0, 0, 0, 0, 0), (0, 2, 1, 1, 0), (1, 1, 1, 1, 1), (0, 4, 1, 1, 1), (1, 4, 1, 2, 3)]:
        assert grouping.outliers(vector) == matrix.outliers(vector)
