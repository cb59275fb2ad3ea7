import pytest

from kanon_sql.hierarchy import (
    Fault,
    Hierarchy,
    HierarchyFaults,
    check_tree,
    levels_that_merge_nothing,
    read_hierarchy_bytes,
    top_below_top,
)

RAGGED = "give every line one cell per level, and put cells that hold the delimiter in quotes"
BLANK = "write a label there; only a ground value may be blank"
TOPS = "end every line with the same value, or say `add_top: true` for a level `*` above these"
ONE_COLUMN = "say `delimiter:` if this is more than one column, or `add_top: true` for a level `*` above it"
PARENT = "give it one parent, or tell the two apart by name"
NULL_HINT = 'an empty cell is NULL, and `""` is the empty string'


def rows_of(text):
    file = read_hierarchy_bytes(text.encode(), name="f.csv", delimiter=";")
    return file.rows, file.lines


def build(text, **options):
    options.setdefault("header", False)
    return read_hierarchy_bytes(text.encode(), name="f.csv", delimiter=";").build(**options)


@pytest.mark.parametrize(
    "text",
    [
        "a;*",
        "a;*\n;*",  # NULL is a ground value
        ';*\n"";*\n" ";*',  # and so are the empty string and a blank
        "a;A;*\nb;A;*\nc;C;*",
        "a;b;*\nb;a;*",  # the same word at two levels is two labels
        "*;*;*\na;*;*",
        "only",
        "A;*\na;*",
    ],
)
def test_trees(text):
    assert check_tree(*rows_of(text)) == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a;A;*\nb;*\nc;C;*", [Fault(2, "2 cells where the other lines have 3", RAGGED)]),
        ("a;A;*\nb;A;*\nc;C;c;*", [Fault(3, "4 cells where the other lines have 3", RAGGED)]),
        ("a;A;*\nb;A;*\nc", [Fault(3, "1 cell where the other lines have 3", RAGGED)]),
        ("a;A;*\nb;A;*;\n c;A;*", [Fault(2, "4 cells where the other lines have 3", RAGGED)]),
        ("a;*\n\nb;*", [Fault(2, "a blank line", "remove it")]),
        (
            "a;A;*\nb;A;*\na;A;*",
            [Fault(3, "this row repeats that of line 1", "remove one of the two", ("a",))],
        ),
        (
            "a;A;*\nb;B;*\na;B;*",
            [
                Fault(
                    3,
                    "a second row for a ground value, the first is on line 1",
                    "keep the one whose path is right",
                    ("a",),
                )
            ],
        ),
        (
            ";A;*\nb;A;*\n;A;*",
            [
                Fault(
                    3, "a second row for NULL, the first is on line 1", f"remove one of the two; {NULL_HINT}"
                )
            ],
        ),
        (
            ";A;*\nb;B;*\n;B;*",
            [
                Fault(
                    3,
                    "a second row for NULL, the first is on line 1",
                    f"keep the one whose path is right; {NULL_HINT}",
                )
            ],
        ),
        (
            '"";*\nb;*\n"";*',
            [Fault(3, "this row repeats that of line 1", "remove one of the two", ("",))],
        ),
        (
            "a;*\na;*\na;*",
            [
                Fault(2, "this row repeats that of line 1", "remove one of the two", ("a",)),
                Fault(3, "this row repeats that of line 1", "remove one of the two", ("a",)),
            ],
        ),
        (
            "a;X;P;*\nb;X;Q;*\nc;X;R;*\nd;X;P;*",
            [
                Fault(
                    2,
                    "a label of level 1 has two parents at level 2, on lines 1 and 2"
                    " (label, parent, other parent)",
                    PARENT,
                    ("X", "P", "Q"),
                )
            ],
        ),
        (
            '"a\nb";X;P;*\nb;Y;P;*\nc;X;Q;*\nd;Y;Q;*',
            [
                Fault(
                    4,
                    "a label of level 1 has two parents at level 2, on lines 1 and 4"
                    " (label, parent, other parent)",
                    PARENT,
                    ("X", "P", "Q"),
                ),
                Fault(
                    5,
                    "a label of level 1 has two parents at level 2, on lines 3 and 5"
                    " (label, parent, other parent)",
                    PARENT,
                    ("Y", "P", "Q"),
                ),
            ],
        ),
        ("a;;*\nb;B;*", [Fault(1, "the cell of level 1 is blank", BLANK)]),
        ('a;"";*\nb;B;*', [Fault(1, "the cell of level 1 is blank", BLANK)]),
        ("a; \t;*\nb;B;*", [Fault(1, "the cell of level 1 is blank", BLANK)]),
        ("a;\u00a0;*\nb;B;*", [Fault(1, "the cell of level 1 is blank", BLANK)]),
        ("a;A;*\nb;A;", [Fault(2, "the cell of level 2 is blank", BLANK)]),
        ("a;;\nb;A;*", [Fault(1, f"the cell of level {i} is blank", BLANK) for i in (1, 2)]),
        ('""', [Fault(1, "the only cell is the top, and is blank", BLANK)]),
        (
            "a;*\nb;*\nc;**\nd;*",
            [Fault(3, "2 top values in the last column, where there must be one", TOPS, ("*", "**"))],
        ),
        (
            "a;A\nb;B\nc;C",
            [Fault(2, "3 top values in the last column, where there must be one", TOPS, ("A", "B", "C"))],
        ),
        (
            "a\nb",
            [Fault(2, "2 top values in the last column, where there must be one", ONE_COLUMN, ("a", "b"))],
        ),
    ],
)
def test_faults(text, faults):
    assert check_tree(*rows_of(text)) == faults


def test_all_faults_come_in_one_pass():
    text = "a;X;P;*\nb;X;Q;*\n\nc;;P;*\na;X;P;*\nd;*\ne;E;P;+\n"
    assert [(fault.line, fault.what.split(",")[0]) for fault in check_tree(*rows_of(text))] == [
        (2, "a label of level 1 has two parents at level 2"),
        (3, "a blank line"),
        (4, "the cell of level 1 is blank"),
        (5, "this row repeats that of line 1"),
        (6, "2 cells where the other lines have 4"),
        (7, "a label of level 2 has two parents at level 3"),
        (7, "2 top values in the last column"),
    ]


def test_no_rows_have_no_faults():
    assert check_tree([], []) == []


@pytest.mark.parametrize(
    ("text", "shown", "redacted"),
    [
        (
            "a;*\nb;*\na;*\n",
            "f.csv:3: this row repeats that of line 1: 'a'; remove one of the two",
            "f.csv:3: this row repeats that of line 1; remove one of the two",
        ),
        (
            "a;A;*\nb;*\na;A;*\n",
            f"f.csv:2: 2 cells where the other lines have 3; {RAGGED} (1 more fault, on line 3)",
            f"f.csv:2: 2 cells where the other lines have 3; {RAGGED} (1 more fault, on line 3)",
        ),
        (
            "a;*\n" * 9,
            "f.csv:2: this row repeats that of line 1: 'a'; remove one of the two"
            " (7 more faults, on lines 3, 4, 5, 6, 7, …)",
            "f.csv:2: this row repeats that of line 1; remove one of the two"
            " (7 more faults, on lines 3, 4, 5, 6, 7, …)",
        ),
        (
            "a;;;*\nb;B;B;*",
            f"f.csv:1: the cell of level 1 is blank; {BLANK} (1 more fault, on line 1)",
            f"f.csv:1: the cell of level 1 is blank; {BLANK} (1 more fault, on line 1)",
        ),
    ],
)
def test_the_error_shows_the_first_fault_and_counts_the_rest(text, shown, redacted):
    with pytest.raises(HierarchyFaults) as caught:
        build(text)
    assert str(caught.value) == shown
    assert caught.value.redacted() == redacted
    assert caught.value.exit_code == 3
    assert list(caught.value.faults) == check_tree(*rows_of(text))


@pytest.mark.parametrize(
    ("text", "options", "warnings"),
    [
        ("a;A;*\nb;A;*\nc;C;*", {}, ()),
        ("a;A;*\nb;B;*", {}, ("f.csv: level 1 merges nothing: it has as many values as level 0",)),
        (
            "age;same;all\na;A;*\nb;B;*",
            {"header": True},
            ("f.csv: level 1 (same) merges nothing: it has as many values as level 0",),
        ),
        ("a;*;*\nb;*;*", {}, ("f.csv: level 2 merges nothing: it has as many values as level 1",)),
        ("a;A\nb;A\nc;B", {"add_top": True}, ()),
        (
            "a;*\nb;*",
            {"add_top": True},
            ("f.csv: level 2 merges nothing: `add_top` added it above a column that already held one value",),
        ),
    ],
)
def test_a_level_that_merges_nothing_is_allowed_and_said(text, options, warnings):
    assert build(text, **options).warnings == warnings


def test_levels_that_merge_nothing():
    assert levels_that_merge_nothing([(None, "N", "N", "*"), ("", "E", "E", "*")]) == [1, 2]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;A\nb;B", (("a", "A", "*"), ("b", "B", "*"))),
        ("a\nb", (("a", "*"), ("b", "*"))),
        ("a\n\nb", (("a", "*"), (None, "*"), ("b", "*"))),  # in one column a blank line is NULL
        ('""\na', (("", "*"), ("a", "*"))),
    ],
)
def test_add_top(text, rows):
    hierarchy = build(text, add_top=True)
    assert hierarchy.rows == rows
    assert (hierarchy.top, hierarchy.height) == ("*", len(rows[0]) - 1)
    assert hierarchy.level_names == tuple(f"level_{level}" for level in range(len(rows[0])))


def test_with_a_top_to_add_the_other_rules_hold():
    with pytest.raises(HierarchyFaults) as caught:
        build("a;X;P\nb;X;Q\nc;;P\nd;D\na;X;P", add_top=True)
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("a;A;*\nb;B;*", None),
        ("*;*;*\na;A;*", None),
        ("*;A;*\na;A;*", 0),
        ("a;*;X;*\nb;B;X;*", 1),
        ("*;A;X;*\nb;*;X;*", 0),
        ("only", None),
    ],
)
def test_top_below_top(text, level):
    assert top_below_top(build(text)) == level


def test_a_hierarchy_describes_itself():
    hierarchy = build("a;A;*\n;A;*\n")
    assert isinstance(hierarchy, Hierarchy)
    assert (hierarchy.height, hierarchy.level_count, hierarchy.top) == (2, 3, "*")
    assert hierarchy.ground_values == ("a", None)
    assert hierarchy.lines == (1, 2)
