import pytest

from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import read_hierarchy_bytes


def read(text, **options):
    return read_hierarchy_bytes(text.encode(), name="f.csv", **options)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;*\nb;*", ";"),
        ("a,*\nb,*", ","),
        ("a\t*\nb\t*", "\t"),
        ("a|*\nb|*", "|"),
        ("22;[20,30[;*\n34;[30,40[;*\n41;>=40;*", ";"),  # not every line has a comma
        ("22;[20,30[;*\n34;[30,40[;*\n41;[40,50[;*", ";"),  # they all have, but no single top
        ("1,5;low;*\n2,5;high;*\n3,5;low;*", ";"),
        ('"1,5",low,*\n"2;5",low,*', ","),
        ("value;top\na,b;*\nc;*", ";"),
        ("a;b,c\nb;b\nc;x,y\nd;z", ";"),  # no top at all, and commas here and there
        ("a;*\n\nb;*", ";"),  # a blank line does not disturb
        ("a\nb", ","),  # one column
        ('"a;b"\n"c,d"', ","),  # one column whose labels hold delimiters
    ],
)
def test_recognised(text, delimiter):
    assert read(text).delimiter == delimiter


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("a;b,c", "';' or ','"),
        ("22;[20,30[;*\n23;[20,30[;*", "';' or ','"),
        ("a\tx|y\nb\tx|y", "tab or '|'"),
        ("a;b,c|d\nb;b,c|d", "';' or ',' or '|'"),
        ("1,5;a\n2,5;b\n3,5;c", "';' or ','"),  # neither has a top
        ("1,5;a;*\n2,5;b;*\n3,5;*\n4,5;a;*", "';' or ','"),  # a slip on line 3 must not favour the comma
    ],
)
def test_two_readings_are_refused(text, listed):
    with pytest.raises(HierarchyError) as caught:
        read(text)
    assert str(caught.value) == (
        f"f.csv: the file could be read with {listed}; say which is meant with `delimiter:`"
    )


def test_a_single_top_is_no_argument_where_the_top_is_still_to_be_added():
    file = read("a;1,x\nb;2,x\nc;3,x")
    assert (file.delimiter, file.rival_delimiters) == (",", (";",))
    assert file.build(header=None).top == "x"
    with pytest.raises(HierarchyError) as caught:
        file.build(header=False, add_top=True)
    assert str(caught.value) == (
        "f.csv: the file could be read with ';' or ','; say which is meant with `delimiter:`"
    )
    stated = read("a;1,x\nb;2,x\nc;3,x", delimiter=";").build(header=False, add_top=True)
    assert stated.rows[0] == ("a", "1,x", "*")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a;A;*\nb;*\nc;C;*",
            "f.csv:2: 2 cells where the other lines have 3;"
            " give every line one cell per level, and put cells that hold the delimiter in quotes",
        ),
        (
            "a\nc, d\n",
            "f.csv:2: 2 cells where the other lines have 1;"
            " give every line one cell per level, and put cells that hold the delimiter in quotes",
        ),
        (
            'a;A, x;*\nb;"B"x;*',
            'f.csv:2: text after a closing quote; a quote inside a quoted cell is written twice, `""`',
        ),
    ],
)
def test_a_broken_file_is_read_so_that_its_lines_can_be_named(text, message):
    with pytest.raises(HierarchyError) as caught:
        read(text).build(header=None)
    assert str(caught.value) == message


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|", ":", "^"])
def test_a_given_delimiter_is_taken(delimiter):
    file = read(f"a{delimiter}*\nb{delimiter}*", delimiter=delimiter)
    assert (file.rows, file.delimiter) == ((("a", "*"), ("b", "*")), delimiter)


def test_a_given_delimiter_that_separates_nothing_is_warned_of():
    hierarchy = read("a,*\n", delimiter=";").build(header=False)
    assert hierarchy.rows == (("a,*",),)
    assert hierarchy.warnings == (
        "f.csv: the delimiter ';' separates nothing, while ',' would cut every line alike",
    )
    assert read("a b\n", delimiter=";").build(header=False).warnings == ()
