"""Names in text, and how words are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_sql.errors import SpecError, one_line
from kanon_sql.names import ascii_fold as fold
from kanon_sql.spec.text import shown, split_names, split_pair, split_pairs, whole


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("age", ("age",)),
        ("age,zip", ("age", "zip")),
        (" age , zip ", ("age", "zip")),
        ('a,"b,c"', ("a", "b,c")),
        ('"b,c" ,a', ("b,c", "a")),
        ('" a "', (" a ",)),
        ('"a""b"', ('a"b',)),
        ('a"b', ('a"b',)),
        ("Marital Status,größe", ("Marital Status", "größe")),
    ],
)
def test_split_names(text: str, names: tuple[str, ...]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--keep: an empty column name; give it or leave it out"),
        ("a,", "--keep: an empty column name; give it or leave it out"),
        (",a", "--keep: an empty column name; give it or leave it out"),
        ("a,,b", "--keep: an empty column name; give it or leave it out"),
        ('a,""', "--keep: an empty column name; give it or leave it out"),
        ('"a', "--keep: a double quote is not closed: '\"a'"),
        ('a,"b""', '--keep: a double quote is not closed: \'a,"b""\''),
        ('"a"b', "--keep: text after the closing double quote: '\"a\"b'"),
        ("a\0", r"--keep: a column name that is not valid text: 'a\x00'"),
    ],
)
def test_refused_names(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        split_names(text, "--keep")
    assert str(caught.value) == message


@given(st.lists(st.text(min_size=1).filter(lambda name: "\0" not in name), min_size=1))
def test_quoted_names_come_back(names: list[str]) -> None:
    text = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    assert split_names(text) == tuple(names)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("age=1", (("age", "1"),)),
        ("age = 1 , zip=2", (("age", "1"), ("zip", "2"))),
        ('"a=b,c"=1,z=', (("a=b,c", "1"), ("z", ""))),
        ("a=b=c", (("a", "b=c"),)),
    ],
)
def test_split_pairs(text: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert split_pairs(text) == pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age", "no '=' after 'age'; write column=value"),
        ("age,zip=1", "no '=' after 'age'; write column=value"),
        ("age=1,", "an empty column name; give it or leave it out"),
        ("=1", "an empty column name; give it or leave it out"),
        ('"a" b=1', "text after the closing double quote: '\"a\" b=1'"),
    ],
)
def test_refused_pairs(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        split_pairs(text)
    assert str(caught.value) == message


def test_one_pair_keeps_all_after_the_equals_sign() -> None:
    assert split_pair("age=h/a=1,b.csv") == ("age", "h/a=1,b.csv")
    assert split_pair('"a=b"=x') == ("a=b", "x")
    with pytest.raises(SpecError, match="no '=' after 'age'"):
        split_pair("age")


def test_only_ascii_case_folds() -> None:
    assert fold("AgE Ä ß İ \u212a") == "age Ä ß İ \u212a"


@pytest.mark.parametrize(
    "value", ["", "-1", "1.0", "1e3", "01", "1 ", "٣", "9" * 20, 1.0, True, None, -1, 2**63]
)
def test_what_is_no_whole_number(value: object) -> None:
    assert whole(value) is None


@given(st.text())
def test_shown_words_stay_on_one_short_line(text: str) -> None:
    assert shown(text).isprintable()
    assert one_line(text).isprintable()
    assert len(shown(text * 100)) <= 80 * 10 + 2
