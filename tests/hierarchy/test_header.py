import pytest

from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import HierarchyFaults, read_hierarchy_bytes

TAKEN = "f.csv:1: taken as a header, "


def build(text, *, delimiter=";", values=None, **options):
    """Build from text; ``values`` are those of the column, None that no database is at hand."""
    options.setdefault("header", None)
    ask = None if values is None else lambda cell: cell in values
    file = read_hierarchy_bytes(text.encode(), name="f.csv", delimiter=delimiter)
    return file.build(first_cell_is_a_value=ask, **options)


@pytest.mark.parametrize(
    ("text", "options", "names"),
    [
        ("age;decade;all\n22;20s;*\n34;30s;*", {}, ("age", "decade", "all")),
        ("age;decade;all\n22;20s;*\n34;30s;*", {"values": ["22"]}, ("age", "decade", "all")),
        ("age;decade;all\n22;20s;*\n34;30s;*", {"header": True}, ("age", "decade", "all")),
        ("age;decade;*\n22;20s;*\n34;30s;*", {"header": True}, ("age", "decade", "*")),
        ("age;;\n22;20s;*\n34;30s;*", {}, ("age", "level_1", "level_2")),
        (' ;"";all\n22;20s;*\n34;30s;*', {}, ("level_0", "level_1", "all")),
        ("age;decade\n22;20s\n34;30s", {"values": ["22"], "add_top": True}, ("age", "decade", "level_2")),
        ("age;decade\n22;20s\n34;30s", {"header": True, "add_top": True}, ("age", "decade", "level_2")),
        ("city\nParis\nRome", {"values": ["Paris"], "add_top": True}, ("city", "level_1")),
        ("top\n*", {}, ("top",)),
    ],
)
def test_a_header(text, options, names):
    hierarchy = build(text, **options)
    assert hierarchy.has_header
    assert hierarchy.level_names == names
    assert hierarchy.lines == tuple(range(2, 2 + len(hierarchy.rows)))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("22;20s;*\n34;30s;*", {}),
        ("22;20s;*\n34;30s;*", {"values": []}),
        ("22;20s;*", {}),
        ("age;decade;*\n34;30s;*", {"header": False}),
        ("22;20s\n34;30s", {"values": ["22"], "add_top": True}),
        ("22;20s\n34;30s", {"header": False, "add_top": True}),
        ("22;20s\n24;20s\n34;30s", {"add_top": True}),  # 20s occurs again: a row, with a database or without
        ("22;20s\n24;20s\n34;30s", {"values": [], "add_top": True}),
        ("Paris", {"add_top": True}),
    ],
)
def test_no_header(text, options):
    hierarchy = build(text, **options)
    assert not hierarchy.has_header
    assert hierarchy.lines[0] == 1
    assert hierarchy.level_names == tuple(f"level_{level}" for level in range(hierarchy.level_count))


@pytest.mark.parametrize(
    ("text", "options", "warnings"),
    [
        ("a;all\nx;*\ny;*", {}, (TAKEN + "because its last cell is not the top of the others",)),
        ("a;all\nx;*\ny;*", {"values": ["x"]}, ()),
        ("a;all\nx;*\ny;*", {"header": True}, ()),
        (
            "a;X;**\nb;X;*\nc;Y;*\nd;Y;*",
            {"values": ["b"]},
            (TAKEN + "though some of its cells occur again as labels",),
        ),
        (
            "letter;kind\nb;X\nc;X\nd;Y",
            {"values": ["b"], "add_top": True},
            (TAKEN + "because its first cell is no value of the column",),
        ),
    ],
)
def test_a_header_that_was_guessed_is_said(text, options, warnings):
    hierarchy = build(text, **options)
    assert hierarchy.has_header
    assert tuple(warning for warning in hierarchy.warnings if "header" in warning) == warnings


HEADER_TRUE = "say `header: true` if line 1 is a header, else end it as the other lines end"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("22;all\n34;*\n41;*", {"values": ["22"]}),
        ("22;all\n34;*\n41;*", {"header": False}),
        ("22;all\n34;*", {"values": ["22"]}),
        ("22;20s;all\n24;20s;*\n34;30s;*", {}),  # 20s occurs again: a row whose top is wrong
    ],
)
def test_a_first_line_that_is_a_row_with_another_top(text, options):
    with pytest.raises(HierarchyFaults) as caught:
        build(text, **options)
    fault = caught.value.faults[0]
    assert (fault.line, fault.what) == (1, "2 top values in the last column, where there must be one")
    assert fault.values == ("*", "all")
    if options.get("header") is None:
        assert fault.mend == HEADER_TRUE


def test_no_database_and_no_top_leave_the_header_to_be_stated():
    with pytest.raises(HierarchyError) as caught:
        build("age;decade\n22;20s\n34;30s", add_top=True)
    assert str(caught.value) == (
        "f.csv:1: the first line may be a header or a row; say which with `header: true` or `header: false`"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age;all", "f.csv: the file has a header and no rows; write one line per ground value"),
        (
            "age;Age\n22;*\n34;*",
            "f.csv:1: a level name stands twice in the header: 'Age'; give each level its own name",
        ),
        (
            "level_1;\n22;*\n34;*",
            "f.csv:1: a level name stands twice in the header: 'level_1'; give each level its own name",
        ),
        (
            "age\n22;*\n34;*",
            "f.csv:1: 1 cell in the header where the other lines have 2; name every level once",
        ),
        ("\n22;*\n34;*", "f.csv:1: a blank line where the header should be; remove it"),
    ],
)
def test_a_header_with_a_fault(text, message):
    with pytest.raises(HierarchyError) as caught:
        build(text, header=True)
    assert str(caught.value) == message


def test_a_guessed_header_with_a_fault_may_be_no_header():
    with pytest.raises(HierarchyFaults) as caught:
        build("x;X\n22;*\n34;*", values=["22"])
    assert str(caught.value) == (
        "f.csv:1: a level name stands twice in the header: 'X';"
        " give each level its own name, or say `header: false`"
    )


def test_a_ragged_first_line_is_a_fault_and_not_a_header():
    with pytest.raises(HierarchyFaults, match=r"f.csv:1: 1 cell where the other lines have 2"):
        build("age\n22;*\n34;*", values=[])
    with pytest.raises(HierarchyFaults, match=r"f.csv:1: a blank line; remove it"):
        build("\n22;*\n34;*")


def test_the_database_is_asked_once_and_only_where_it_matters():
    asked = []

    def ask(cell):
        asked.append(cell)
        return False

    def file(text):
        return read_hierarchy_bytes(text.encode(), name="f.csv", delimiter=";")

    file("a;*\nb;*").build(header=None, first_cell_is_a_value=ask)
    file("a;x\nb;*").build(header=True, first_cell_is_a_value=ask)
    file("a;x\nb;x\nc;y").build(header=None, first_cell_is_a_value=ask, add_top=True)
    assert asked == []
    file(";x\nb;*").build(header=None, first_cell_is_a_value=ask)
    file("a;x\nb;y").build(header=None, first_cell_is_a_value=ask, add_top=True)
    assert asked == [None, "a"]
