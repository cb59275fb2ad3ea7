"""Random tables written as CSV read back equal; nothing but HierarchyError comes of random bytes."""

from hypothesis import example, given
from hypothesis import strategies as st

from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import check_tree, read_hierarchy_bytes
from kanon_sql.hierarchy.csvtext import count_line_breaks, parse

LABELS = st.one_of(
    st.none(),
    st.text(st.sampled_from('ab*";,\t|\r\n \u2028é'), max_size=5),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5),
)
DELIMITERS = st.sampled_from(";,\t|")
BREAKS = st.sampled_from(["\n", "\r\n", "\r"])
TABLES = st.integers(1, 5).flatmap(lambda width: st.lists(st.tuples(*[LABELS] * width), min_size=1))


def write_cell(cell, delimiter, quote):
    if cell is None:
        return ""
    if quote or cell == "" or cell[0] in '"\ufeff' or any(c in cell for c in f"{delimiter}\r\n"):
        return '"' + cell.replace('"', '""') + '"'
    return cell


@given(st.data(), TABLES, DELIMITERS, BREAKS, st.booleans(), st.booleans())
def test_what_is_written_is_read(data, table, delimiter, line_break, mark, last_break):
    text, lines = "", []
    for row in table:
        lines.append(1 + count_line_breaks(text))
        quotes = [data.draw(st.booleans()) for _ in row]
        cells = [write_cell(cell, delimiter, quote) for cell, quote in zip(row, quotes, strict=True)]
        text += delimiter.join(cells) + line_break
    if not last_break:
        text = text.removesuffix(line_break)
    raw = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    while table and table[-1] == (None,):
        table, lines = table[:-1], lines[:-1]  # in one column, blank lines at the end are not NULLs
    if not table:
        return
    file = read_hierarchy_bytes(raw, name="f.csv", delimiter=delimiter)
    assert file.rows == tuple(table)
    assert file.lines == tuple(lines)


def build_all(raw, delimiter):
    """Build in every way; what is not refused is a tree, and no line of it was lost in silence."""
    for options in [
        {"header": header, "add_top": add_top, "first_cell_is_a_value": ask}
        for header in (None, True, False)
        for add_top in (False, True)
        for ask in (None, lambda cell: True, lambda cell: False)
    ]:
        try:
            file = read_hierarchy_bytes(raw, name="f.csv", delimiter=delimiter)
            hierarchy = file.build(**options)
        except HierarchyError as error:
            assert str(error).startswith("f.csv")
            assert "\n" not in str(error)
            continue
        assert check_tree(hierarchy.rows, hierarchy.lines) == []
        assert {len(row) for row in hierarchy.rows} == {hierarchy.level_count}
        assert len(hierarchy.rows) + hierarchy.has_header == len(file.rows)
        assert all(row[-1] == hierarchy.top for row in hierarchy.rows)
        if options["header"] is None and hierarchy.has_header and options["first_cell_is_a_value"] is None:
            assert any("taken as a header" in warning for warning in hierarchy.warnings)


@given(st.binary(max_size=80), st.none() | DELIMITERS)
@example(b'"', None)
@example(b";", None)
@example(b"\xef\xbb\xbf\xff", None)
def test_random_bytes_are_read_or_refused(raw, delimiter):
    build_all(raw, delimiter)


@given(st.text(st.sampled_from('ab*";,\r\n '), max_size=40), st.none() | DELIMITERS)
def test_random_text_is_read_or_refused(text, delimiter):
    build_all(text.encode(), delimiter)


VALID = b'age;decade;all\r\n22;"[20,30[";*\r\n24;"[20,30[";*\r\n;unknown;*\r\n35;[30,40[;*\r\n"";none;*\r\n'


@given(st.lists(st.tuples(st.integers(0, len(VALID)), st.integers(0, 3), st.binary(max_size=3)), max_size=4))
def test_mutations_of_a_valid_file_are_read_or_refused(edits):
    raw = VALID
    for start, length, insert in edits:
        raw = raw[:start] + insert + raw[start + length :]
    build_all(raw, None)


@given(st.text(st.sampled_from("ab;\r\n"), max_size=30))
def test_the_fast_path_and_the_path_for_quotes_agree(text):
    fast, slow = parse(text, ";"), parse(text + '\n"q"', ";")
    body = list(zip(slow.rows, slow.lines, strict=True))[:-1]
    assert body[: len(fast.rows)] == list(zip(fast.rows, fast.lines, strict=True))
    assert all(row == (None,) for row, _ in body[len(fast.rows) :])
