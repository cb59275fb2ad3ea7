import pytest

from kanon_sql.hierarchy.csvtext import parse


@pytest.mark.parametrize(
    ("text", "rows", "lines"),
    [
        ("a;b", [("a", "b")], [1]),
        ("a;b\nc;d\n", [("a", "b"), ("c", "d")], [1, 2]),
        ("a;b\r\nc;d\r\n", [("a", "b"), ("c", "d")], [1, 2]),
        ("a;b\rc;d\r", [("a", "b"), ("c", "d")], [1, 2]),
        ("a;b\n\rc;d", [("a", "b"), (None,), ("c", "d")], [1, 2, 3]),
        (";", [(None, None)], [1]),
        ("a;", [("a", None)], [1]),
        (";a", [(None, "a")], [1]),
        ('"";a', [("", "a")], [1]),
        ('a;""', [("a", "")], [1]),
        ('""', [("",)], [1]),
        ('"";', [("", None)], [1]),
        (" a ; b\t", [(" a ", " b\t")], [1]),
        ('"a;b";c', [("a;b", "c")], [1]),
        ('"a\nb";c\nd;e', [("a\nb", "c"), ("d", "e")], [1, 3]),
        ('"a\r\n\rb";c\nd;e', [("a\r\n\rb", "c"), ("d", "e")], [1, 4]),
        ('a;"b\n"\n"c\n\n";d\ne;f', [("a", "b\n"), ("c\n\n", "d"), ("e", "f")], [1, 3, 6]),
        ('"a""b";c', [('a"b', "c")], [1]),
        ('"""";c', [('"', "c")], [1]),
        ('5" pipe;c', [('5" pipe', "c")], [1]),
        (' "a";c', [(' "a"', "c")], [1]),
        ('a"";c', [('a""', "c")], [1]),
        ("a;b\n\n\n", [("a", "b")], [1]),
        ("a;b\n\n\nc;d", [("a", "b"), (None,), (None,), ("c", "d")], [1, 2, 3, 4]),
        ("\n\na;b", [(None,), (None,), ("a", "b")], [1, 2, 3]),
        ("a;b\n ", [("a", "b"), (" ",)], [1, 2]),
        ("", [], []),
        ("\r\n\n\r", [], []),
        ("a\u2028b\x0b\x0c\x1c\x85c;d", [("a\u2028b\x0b\x0c\x1c\x85c", "d")], [1]),
    ],
)
@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|", "]", "^", "-"])
def test_records(text, rows, lines, delimiter):
    records = parse(text.replace(";", delimiter), delimiter)
    if delimiter != "\t" or "\t" not in text:
        assert list(records.rows) == [tuple(c and c.replace(";", delimiter) for c in row) for row in rows]
    assert (list(records.lines), records.fault) == (lines, None)


def test_the_path_for_quotes_and_the_fast_path_agree():
    text = "a;b\r\n\r\n;\rc;;d\n e;f"
    fast, slow = parse(text, ";"), parse(text + '\n"q";r', ";")
    assert list(slow.rows[:-1]) == list(fast.rows)
    assert list(slow.lines[:-1]) == list(fast.lines)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('"a;b', 1, "a quote opens here and is never closed"),
        ('a;b\nc;"d\ne;f\n', 2, "a quote opens here and is never closed"),
        ('"a""', 1, "a quote opens here and is never closed"),
        ('"a\n";"', 2, "a quote opens here and is never closed"),
        ('"a"b;c', 1, "text after a closing quote"),
        ('"a" ;c', 1, "text after a closing quote"),
        ('"a"""b"c;d', 1, "text after a closing quote"),
        ('x;y\n"a\n\nb"c;d', 4, "text after a closing quote"),
    ],
)
def test_quote_faults(text, line, what):
    fault = parse(text, ";").fault
    assert (fault.line, fault.what) == (line, what)


def test_records_before_a_fault_are_kept():
    records = parse('a;b\n"c";d\n"e"f;g', ";")
    assert list(records.rows) == [("a", "b"), ("c", "d")]
    assert list(records.lines) == [1, 2]
