"""Table names, MaxSup and the manifest of a spec."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_sql.errors import SpecError
from kanon_sql.spec import MaxSuppression, QuasiIdentifierSpec, Spec, TableName


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("patients", ("patients",)),
        ("clinic.patients", ("clinic", "patients")),
        ("db.clinic.patients", ("db", "clinic", "patients")),
        ("größe", ("größe",)),
        ("gro\u0308ße", ("gro\u0308ße",)),
        ("患者.表", ("患者", "表")),
        ("_t$1", ("_t$1",)),
        ("select", ("select",)),
        ('"clinic"."patients"', ("clinic", "patients")),
        ('clinic."Marital Status"', ("clinic", "Marital Status")),
        ('"a.b"', ("a.b",)),
        ('"a""b"', ('a"b',)),
        ('""""', ('"',)),
        # what does not parse is one literal name
        ('t"; drop table patients; --', ('t"; drop table patients; --',)),
        ("Marital Status", ("Marital Status",)),
        ("2024 data", ("2024 data",)),
        ("2024", ("2024",)),
        ("clinic.2024", ("clinic.2024",)),
        ("$a", ("$a",)),
        ("a.b.c.d", ("a.b.c.d",)),
        ("a.", ("a.",)),
        (".a", (".a",)),
        ("a..b", ("a..b",)),
        ("a . b", ("a . b",)),
        (" a", (" a",)),
        ('""', ('""',)),
        ('"a', ('"a',)),
        ('"a"b', ('"a"b',)),
        ('a."b', ('a."b',)),
        ("a²", ("a²",)),
        ("a\nb", ("a\nb",)),
        ("data/x.csv", ("data/x.csv",)),
    ],
)
def test_table_names(text: str, parts: tuple[str, ...]) -> None:
    name = TableName.parse(text)
    assert name.parts == parts
    assert TableName.parse(str(name)) == name


@given(st.text())
def test_any_text_is_a_table_name_or_refused(text: str) -> None:
    try:
        name = TableName.parse(text)
    except SpecError:
        assert not text.strip() or "\0" in text
    else:
        assert TableName.parse(str(name)) == name


@given(st.lists(st.text(min_size=1), min_size=1, max_size=3).filter(lambda parts: "\0" not in "".join(parts)))
def test_table_names_print_as_they_parse(parts: list[str]) -> None:
    name = TableName(tuple(parts))
    assert TableName.parse(str(name)) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty table name; give it or leave it out"),
        (" \t", "an empty table name; give it or leave it out"),
        ("a\0b", r"a table name that is not valid text: 'a\x00b'"),
        ("a\ud800", r"a table name that is not valid text: 'a\ud800'"),
    ],
)
def test_refused_table_names(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        TableName.parse(text)
    assert str(caught.value) == message
    with pytest.raises(SpecError, match=r"^--table: "):
        TableName.parse(text, "--table")


@pytest.mark.parametrize("parts", [(), ("a", "b", "c", "d"), ("a", "")])
def test_impossible_table_names(parts: tuple[str, ...]) -> None:
    with pytest.raises(SpecError):
        TableName(parts)


@pytest.mark.parametrize(
    ("value", "expected", "text"),
    [
        (0, MaxSuppression(rows=0), "0"),
        (120, MaxSuppression(rows=120), "120"),
        ("120", MaxSuppression(rows=120), "120"),
        (" 120 ", MaxSuppression(rows=120), "120"),
        ("0%", MaxSuppression(share=Fraction(0)), "0%"),
        ("1%", MaxSuppression(share=Fraction(1, 100)), "1%"),
        ("0.5 %", MaxSuppression(share=Fraction(1, 200)), "0.5%"),
        (".5%", MaxSuppression(share=Fraction(1, 200)), "0.5%"),
        ("0.10%", MaxSuppression(share=Fraction(1, 1000)), "0.1%"),
        ("12.25%", MaxSuppression(share=Fraction(49, 400)), "12.25%"),
        ("100%", MaxSuppression(share=Fraction(1)), "100%"),
        (MaxSuppression(rows=7), MaxSuppression(rows=7), "7"),
    ],
)
def test_max_suppression(value: object, expected: MaxSuppression, text: str) -> None:
    parsed = MaxSuppression.parse(value)
    assert parsed == expected
    assert str(parsed) == text
    assert MaxSuppression.parse(text) == expected


_WRITE = "; write a number of rows such as 120, or a share such as 1%"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            0.01,
            "malformed max_suppression 0.01: a bare fraction is ambiguous; "
            "write 1% for a share of the rows, or a whole number of rows",
        ),
        (
            "0.015",
            "malformed max_suppression '0.015': a bare fraction is ambiguous; "
            "write 1.5% for a share of the rows, or a whole number of rows",
        ),
        (
            "1.5",
            "malformed max_suppression '1.5': a bare fraction is ambiguous; "
            "write 1.5% for a share of the rows, or a whole number of rows",
        ),
        (
            1.0,
            "malformed max_suppression 1.0: a bare fraction is ambiguous; "
            "write 1% for a share of the rows, or a whole number of rows",
        ),
        (-1, f"malformed max_suppression -1{_WRITE}"),
        ("-1", f"malformed max_suppression '-1'{_WRITE}"),
        (-0.5, f"malformed max_suppression -0.5{_WRITE}"),
        ("-1%", f"malformed max_suppression '-1%'{_WRITE}"),
        ("101%", f"malformed max_suppression '101%': more than 100%{_WRITE}"),
        ("100.0001%", f"malformed max_suppression '100.0001%': more than 100%{_WRITE}"),
        (float("nan"), f"malformed max_suppression nan{_WRITE}"),
        (float("inf"), f"malformed max_suppression inf{_WRITE}"),
        ("nan%", f"malformed max_suppression 'nan%'{_WRITE}"),
        (True, f"malformed max_suppression True{_WRITE}"),
        (None, f"malformed max_suppression None{_WRITE}"),
        ("1e3", f"malformed max_suppression '1e3'{_WRITE}"),
        ("1_000", f"malformed max_suppression '1_000'{_WRITE}"),
        ("1,000", f"malformed max_suppression '1,000'{_WRITE}"),
        ("+1", f"malformed max_suppression '+1'{_WRITE}"),
        ("0x10", f"malformed max_suppression '0x10'{_WRITE}"),
        ("٣", f"malformed max_suppression '٣'{_WRITE}"),
        ("%", f"malformed max_suppression '%'{_WRITE}"),
        ("1%%", f"malformed max_suppression '1%%'{_WRITE}"),
        ("", f"malformed max_suppression ''{_WRITE}"),
        ("1\n2", rf"malformed max_suppression '1\n2'{_WRITE}"),
        ("9" * 5000, f"malformed max_suppression '{'9' * 79}…'{_WRITE}"),
        pytest.param(10**5000, f"malformed max_suppression a value of type int{_WRITE}", id="huge"),
        (2**63, f"malformed max_suppression 9223372036854775808{_WRITE}"),
        (["1%"], f"malformed max_suppression a value of type list{_WRITE}"),
        (Fraction(1, 100), f"malformed max_suppression a value of type Fraction{_WRITE}"),
    ],
)
def test_refused_max_suppression(value: object, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        MaxSuppression.parse(value)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "total", "rows"),
    [
        ("1%", 30162, 301),
        ("1%", 99, 0),
        ("1%", 100, 1),
        ("0.1%", 1000, 1),  # 0.1 / 100 * 1000 is less than 1 in floats
        ("29%", 100, 29),  # 0.29 * 100 is less than 29 in floats
        ("100%", 7, 7),
        ("0%", 7, 0),
        ("120", 7, 120),
    ],
)
def test_rows_of_a_share_are_floored_exactly(text: str, total: int, rows: int) -> None:
    assert MaxSuppression.parse(text).rows_of(total) == rows


@given(st.integers(0, 10**6), st.integers(0, 4))
def test_percentages_print_as_they_parse(digits: int, places: int) -> None:
    share = Fraction(digits, 10**places * 10**4 * 100)
    maximum = MaxSuppression(share=min(share, Fraction(1)))
    assert MaxSuppression.parse(str(maximum)) == maximum


def test_a_share_without_a_decimal_prints_as_a_fraction() -> None:
    assert str(MaxSuppression(share=Fraction(1, 3))) == "100/3%"


@pytest.mark.parametrize(
    "wrong", [{}, {"rows": 1, "share": Fraction(0)}, {"rows": -1}, {"share": Fraction(2)}]
)
def test_impossible_max_suppression(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        MaxSuppression(**wrong)  # type: ignore[arg-type]


def test_numbers_of_other_libraries_count_as_numbers() -> None:
    class Three:
        def __index__(self) -> int:
            return 3

    class Broken:
        def __index__(self) -> int:
            raise TypeError

    assert MaxSuppression.parse(Three()).rows == 3
    with pytest.raises(SpecError):
        MaxSuppression.parse(Broken())


def test_the_manifest_of_an_empty_spec() -> None:
    assert Spec().as_manifest() == {
        "k": 5,
        "max_suppression": 0,
        "quasi_identifiers": {},
        "sensitive": {},
        "insensitive": [],
        "identifiers": [],
        "search": "minimal",
        "overwrite": False,
        "allow_empty": False,
        "plan": "frequency",
        "redact": False,
    }


def test_the_manifest_of_a_full_spec() -> None:
    spec = Spec(
        db=Path("a/b.duckdb"),
        table=TableName(("clinic", "Marital Status")),
        where="age > 3",
        max_suppression=MaxSuppression.parse("0.5%"),
        person="pid",
        quasi_identifiers=(
            QuasiIdentifierSpec("age", Path("h/age.csv"), "top", True, ";", True),
            QuasiIdentifierSpec("zip", Path("x/zip.csv"), builtin="zip"),
            QuasiIdentifierSpec("sex"),
        ),
        sensitive=("diagnosis",),
        output=TableName(("data.csv",)),
        output_file=Path("/data/data.csv"),
        vector={"age": 1, "zip": 0, "sex": 1},
    )
    manifest = spec.as_manifest()
    assert json.loads(json.dumps(manifest)) == manifest
    assert manifest["table"] == 'clinic."Marital Status"'
    assert manifest["output"] == "/data/data.csv"
    assert manifest["max_suppression"] == "0.5%"
    assert manifest["sensitive"] == {"diagnosis": []}
    assert manifest["vector"] == {"age": 1, "zip": 0, "sex": 1}
    assert manifest["quasi_identifiers"] == {
        "age": {
            "hierarchy": "h/age.csv",
            "unmapped": "top",
            "header": True,
            "delimiter": ";",
            "add_top": True,
        },
        "zip": {"hierarchy": "builtin:zip", "unmapped": "error"},
        "sex": {"unmapped": "error"},
    }
