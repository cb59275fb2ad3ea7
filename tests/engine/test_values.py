"""NULL, types, unmapped values, tops and headers (DESIGN 5.1 to 5.4, 5.10, 5.14) on real columns."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import DataError, HierarchyError, KanonError
from tests.engine.support import tables, types, world


def column(sql_type: str, *values: object) -> str:
    """A table with one typed column ``x``, each value in it twice."""
    listed = ", ".join("(NULL)" if v is None else "('" + str(v).replace("'", "''") + "')" for v in values)
    return f"CREATE TABLE t AS SELECT CAST(v AS {sql_type}) AS x FROM (VALUES {listed}) AS r(v), range(2)"


def values(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [row[0] for row in rows]


# ---------------------------------------------------------------- NULL


@pytest.mark.parametrize(
    ("own_row", "by_level"),
    [([], [None, None, "*"]), ([";unknown;*"], [None, "unknown", "*"])],
    ids=["no row of its own", "a row of its own"],
)
def test_null_is_a_value_of_its_own(tmp_path: Path, own_row: list[str], by_level: list[str | None]) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES (1), (1), (NULL), (NULL)) AS r(x)",
        qi={"x": {"lines": ["1;odd;*", "3;odd;*", *own_row], "header": False}},
        overwrite=True,
    )
    for level, released in enumerate(by_level):
        result = here.run(vector={"x": level})
        assert result.classes == (1 if level == 2 else 2)
        assert [value for (value,) in here.released()].count(released) == (4 if level == 2 else 2)


def test_the_empty_string_is_not_null(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES (''), (''), (NULL), (NULL)) AS r(x)",
        qi={"x": {"lines": ['"";empty;*', ";null;*"], "header": False}},
        vector={"x": 1},
    )
    here.run()
    assert values(here.released()) == ["empty", "empty", "null", "null"]


@pytest.mark.parametrize("top", ["7", "007"])
def test_a_hierarchy_of_height_0_takes_null_in(tmp_path: Path, top: str) -> None:
    here = world(tmp_path, column("INTEGER", 7, None), qi={"x": {"lines": [top], "header": False}})
    result = here.run()
    assert (result.heights, result.classes) == ((0,), 1)
    assert values(here.released()) == [7] * 4
    assert types(here.path, "released") == {"x": "INTEGER"}


# ---------------------------------------------------------------- typed join


@pytest.mark.parametrize(
    ("sql_type", "cell", "value"),
    [
        ("INTEGER", "007", 7),
        ("INTEGER", "7.0", 7),
        ("DECIMAL(4, 1)", "34.50", 34.5),
        ("DATE", "2024-01-05 00:00", "2024-01-05"),
        ("TIMESTAMP", "9999-12-31", "9999-12-31"),
        ("TIMESTAMP", "1066-10-14 09:00", "1066-10-14 09:00:00"),
        ("DATE", "infinity", "infinity"),
        ("UUID", "12345678123412341234123456789012", "12345678-1234-1234-1234-123456789012"),
        ("ENUM('a', 'it''s')", "it's", "it's"),
        ("BOOLEAN", "true", "true"),
        ("DOUBLE", "0.1", "0.1"),
        ("FLOAT", "0.1", "0.1"),
        ("UBIGINT", "18446744073709551615", "18446744073709551615"),
    ],
)
def test_a_ground_value_is_cast_to_the_type(tmp_path: Path, sql_type: str, cell: str, value: object) -> None:
    here = world(
        tmp_path,
        column(sql_type, value),
        qi={"x": {"lines": [f"{cell};hit;*"], "header": False}},
        vector="x=1",
    )
    here.run()
    assert values(here.released()) == ["hit", "hit"]


@pytest.mark.parametrize(
    ("sql_type", "cell"),
    [
        *(
            (kind, "34.5")
            for kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL(5, 0)")
        ),
        *((kind, "34.5") for kind in ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")),
        ("DECIMAL(5, 1)", "34.54"),
        ("DATE", "2024-01-05 23:00"),
        ("TIMESTAMP_S", "2024-01-05 23:00:00.5"),
        ("TIMESTAMP", "2024-01-05 23:00:00.1234567"),
        ("TIME", "10:00:00.1234567"),
        ("FLOAT", "16777217"),
        ("DOUBLE", "9007199254740993"),
    ],
)
def test_a_ground_value_that_the_cast_would_change_is_refused(
    tmp_path: Path, sql_type: str, cell: str
) -> None:
    here = world(
        tmp_path,
        f"CREATE TABLE t (x {sql_type})",
        "INSERT INTO t VALUES (NULL), (NULL)",
        qi={"x": {"lines": ["level;group;all", f"{cell};a;*"], "header": True}},
    )
    with pytest.raises(HierarchyError, match=r"x\.csv:2: the ground value would become") as refused:
        here.run()
    assert cell in str(refused.value)
    assert cell not in refused.value.redacted()
    assert refused.value.exit_code == 3


def test_a_ground_value_that_the_type_cannot_hold_is_warned_of(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        column("TINYINT", 34),
        qi={"x": {"lines": ["34;a;*", "150;b;*", "many;b;*"], "header": False}},
    )
    result = here.run()
    [warning] = [w for w in result.warnings if "cannot be held" in w]
    assert "2 ground value(s)" in warning
    assert "line 2, 3" in warning


def test_a_label_that_the_enum_lacks_is_warned_of(tmp_path: Path) -> None:
    here = world(
        tmp_path, column("ENUM('a', 'b;c')", "a"), qi={"x": {"lines": ["a;A;*", "zz;Z;*"], "header": False}}
    )
    assert any("cannot be held" in warning for warning in here.run().warnings)
    assert types(here.path, "released") == {"x": "ENUM('a', 'b;c')"}


@pytest.mark.parametrize("sql_type", ["INTEGER", "DATE", "ENUM('a', 'b')"])
def test_a_hierarchy_of_which_nothing_fits_is_an_error(tmp_path: Path, sql_type: str) -> None:
    here = world(tmp_path, f"CREATE TABLE t AS SELECT CAST(NULL AS {sql_type}) AS x FROM range(3)",
                 qi={"x": {"lines": ["x;A;*", "y;B;*", ";N;*"], "header": False}})  # fmt: skip
    with pytest.raises(HierarchyError, match="no ground value fits"):
        here.run()


def test_two_ground_values_that_are_equal_as_the_type(tmp_path: Path) -> None:
    (tmp_path / "same").mkdir()
    here = world(tmp_path, column("INTEGER", 7), qi={"x": {"lines": ["007;a;*", "7;b;*"], "header": False}})
    with pytest.raises(HierarchyError, match=r"lines 1 and 2"):
        here.run()
    same = world(
        tmp_path / "same",
        column("INTEGER", 7),
        qi={"x": {"lines": ["007;a;*", "7;a;*"], "header": False}},
    )
    assert same.run().classes == 1
    assert values(same.released()) == [7, 7]


def test_text_is_compared_as_it_is(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        column("VARCHAR", "a", "A", "a ", "e\u0301", "é"),
        qi={"x": {"lines": [f'"{v}";{i};*' for i, v in enumerate(["a", "A", "a ", "e\u0301", "é"])]}},
        vector="x=1",
    )
    assert here.run().classes == 5


def test_a_column_with_a_collation_is_read_by_its_own_equality_or_refused(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t (x VARCHAR COLLATE NOCASE)",
        "INSERT INTO t VALUES ('a'), ('A'), ('b'), ('b')",
        qi={"x": {"lines": ["a;v;*", "A;w;*", "b;u;*"], "header": False}},
        max_suppression=2,
    )
    try:
        result = here.run()
    except KanonError as refused:
        assert "-" not in str(refused).split("row(s)")[0].split(":")[-1]  # no "-2 row(s) were lost"
    else:
        assert result.released + result.suppressed == 4


@pytest.mark.parametrize(
    "sql_type", ["INTEGER[]", "STRUCT(a INTEGER)", "MAP(VARCHAR, INTEGER)", "INTEGER[2]"]
)
def test_a_nested_type_is_refused(tmp_path: Path, sql_type: str) -> None:
    here = world(
        tmp_path, f"CREATE TABLE t AS SELECT CAST(NULL AS {sql_type}) AS x FROM range(3)", qi={"x": None}
    )
    with pytest.raises(DataError, match="cannot be generalized"):
        here.run()


# ---------------------------------------------------------------- unmapped values


def unmapped(tmp_path: Path, *present: str, rows: str = "a;A;*", policy: str = "error") -> Any:
    return world(
        tmp_path,
        column("VARCHAR", *present),
        qi={"x": {"lines": rows.split("|"), "header": False, "unmapped": policy}},
        max_suppression=len(present),
    )


def test_a_value_without_a_row_is_an_error_that_counts_and_quotes(tmp_path: Path) -> None:
    here = unmapped(tmp_path, "a", "q1", "q2", "q3", "q4", "q5", "q6")
    with pytest.raises(DataError) as refused:
        here.run()
    text = str(refused.value)
    assert "column x has 6 value(s) in 12 row(s)" in text
    assert [f"q{i}" in text for i in range(1, 7)] == [True] * 5 + [False]
    assert "would match" not in text
    assert not any(f"q{i}" in refused.value.redacted() for i in range(1, 7))
    assert tables(here.path) == ["t"]


@pytest.mark.parametrize(
    ("value", "ground", "hint"),
    [
        ("ab ", "ab", "trimmed"),
        ("ab", " ab", "trimmed"),
        ("7", "007", "zeros"),
        ("0123", "123", "zeros"),
        ("AB", "ab", "letter case"),
        ("é", "É", "letter case"),
    ],
)
def test_the_error_says_what_would_match(tmp_path: Path, value: str, ground: str, hint: str) -> None:
    here = unmapped(tmp_path, value, rows=f'"{ground}";A;*')
    with pytest.raises(DataError, match=f"would match .*{hint}"):
        here.run()


def test_unmapped_suppress_leaves_before_classes_form(tmp_path: Path) -> None:
    here = unmapped(tmp_path, "a", "zz", "yy", policy="suppress").run
    result = here(max_suppression=4)
    assert (result.vector, result.released, result.suppressed) == ({"x": 0}, 2, 4)
    with pytest.raises(KanonError, match="4 rows"):
        here(max_suppression=3, output="other")


@pytest.mark.parametrize("sql_type", ["VARCHAR", "INTEGER", "DATE"])
def test_unmapped_top_releases_text(tmp_path: Path, sql_type: str) -> None:
    ground, other = ("2024-01-05", "1999-09-09") if sql_type == "DATE" else ("7", "8")
    here = world(
        tmp_path,
        column(sql_type, ground, other),
        qi={"x": {"lines": [f"{ground};A;*"], "header": False, "unmapped": "top"}},
    )
    result = here.run()
    assert result.vector == {"x": 0}
    assert values(here.released()) == ["*", "*", ground, ground]
    assert types(here.path, "released") == {"x": "VARCHAR"}


def test_unmapped_top_that_places_nothing_keeps_the_type(tmp_path: Path) -> None:
    """DESIGN 5.10: VARCHAR at level 0 when ``unmapped: top`` placed a value, else the column's own type."""
    here = world(
        tmp_path, column("INTEGER", 7), qi={"x": {"lines": ["7;A;*"], "header": False, "unmapped": "top"}}
    )
    here.run()
    assert types(here.path, "released") == {"x": "INTEGER"}


# ---------------------------------------------------------------- tops and headers


# Without a hierarchy nothing is unmapped, so there is one policy to try.
@pytest.mark.parametrize(
    ("lines", "policy"),
    [(None, "error"), (["a;A;*"], "error"), (["a;A;*"], "suppress"), (["a;A;*"], "top")],
)
def test_a_value_equal_to_the_top_label_is_an_error(
    tmp_path: Path, lines: list[str] | None, policy: str
) -> None:
    spec = {"lines": lines, "header": False, "unmapped": policy} if lines else None
    here = world(tmp_path, column("VARCHAR", "a", "*"), qi={"x": spec}, max_suppression=3)
    with pytest.raises(DataError) as refused:
        here.run()
    assert "'*'" in str(refused.value)
    assert "'*'" not in refused.value.redacted()


def test_a_value_that_the_hierarchy_places_at_its_top_is_none(tmp_path: Path) -> None:
    here = world(
        tmp_path, column("VARCHAR", "a", "*"), qi={"x": {"lines": ["a;A;*", "*;*;*"], "header": False}}
    )
    assert here.run(vector="x=1").classes == 2


def test_add_top_adds_a_level(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        column("INTEGER", 1, 2, 3),
        qi={"x": {"lines": ["1;odd", "2;even", "3;odd"], "header": False, "add_top": True}},
    )
    result = here.run(k=6)
    assert (result.heights, result.vector) == ((2,), {"x": 2})
    assert set(values(here.released())) == {"*"}


@pytest.mark.parametrize("present", [True, False])
def test_a_header_is_recognised_by_asking_the_column(tmp_path: Path, present: bool) -> None:
    """Its last cell differs from the shared top; whether its first cell is a value, only the data knows."""
    here = world(
        tmp_path,
        column("VARCHAR", "a", "code") if present else column("VARCHAR", "a"),
        qi={"x": ["code;group;all", "a;A;*", "b;A;*"]},
    )
    if present:  # then it is a row, and its top is a second one
        with pytest.raises(HierarchyError, match="top"):
            here.run()
    else:
        result = here.run(vector="x=1")
        assert values(here.released()) == ["A", "A"]
        assert result.manifest["levels"][0]["level_name"] == "group"  # type: ignore[index]


def test_header_true_and_false_decide(tmp_path: Path) -> None:
    data = column("VARCHAR", "a", "code")
    here = world(tmp_path, data, qi={"x": {"lines": ["code;*", "a;*"], "header": False}})
    assert here.run().classes == 2
    (tmp_path / "true").mkdir()
    there = world(tmp_path / "true", data, qi={"x": {"lines": ["code;*", "a;*"], "header": True}})
    with pytest.raises(DataError, match="1 value"):
        there.run()


def test_a_level_that_merges_nothing_counts_and_is_warned_of(tmp_path: Path) -> None:
    here = world(
        tmp_path, column("VARCHAR", "a", "b"), qi={"x": {"lines": ["a;A;*", "b;B;*"], "header": False}}
    )
    result = here.run(k=4)
    assert result.height == 2
    assert any("merges nothing" in warning for warning in result.warnings)


# ---------------------------------------------------------------- floats and zones


def bits(rows: list[tuple[Any, ...]]) -> list[str]:
    """Doubles by their bits: -0.0 is not 0.0 here."""
    return sorted(struct.pack(">d", row[0]).hex() for row in rows)


@pytest.mark.parametrize("lines", [None, ["nan;n;*", "-0.0;z;*", "1;z;*"], ["nan;n;*", "0;z;*"]])
@pytest.mark.parametrize("sql_type", ["DOUBLE", "FLOAT"])
@pytest.mark.parametrize("order", [1, -1])
def test_floats_are_one_class_and_released_alike(
    tmp_path: Path, lines: list[str] | None, sql_type: str, order: int
) -> None:
    zeros = ["0.0", "-0.0"][::order]
    here = world(
        tmp_path,
        f"CREATE TABLE t (x {sql_type})",
        *(f"INSERT INTO t VALUES (CAST('{v}' AS {sql_type}))" for v in [*zeros, "nan", "-nan", *zeros]),
        qi={"x": {"lines": lines, "header": False} if lines else None},
    )
    result = here.run()
    assert (result.vector, result.classes, result.released) == ({"x": 0}, 2, 6)
    released = bits(here.released("CAST(x AS DOUBLE)"))
    assert len(set(released)) == 2
    assert released[:4] == [struct.pack(">d", 0.0).hex()] * 4  # 0.0, never -0.0


def test_kept_floats_are_not_touched(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t (x VARCHAR, y DOUBLE)",
        *(f"INSERT INTO t VALUES ('a', CAST('{v}' AS DOUBLE))" for v in ("-0.0", "0.0")),
        qi={"x": None},
        keep=["y"],
    )
    here.run()
    source = here.released("y", "t")
    assert bits(here.released("y")) == bits(source)


def test_zones_are_those_of_the_spec_and_not_of_the_session(tmp_path: Path) -> None:
    """DESIGN 5.14. As long as no word names a zone, a hierarchy of such a column must be refused."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT TIMESTAMPTZ '2024-01-05 21:00:00+00' AS x FROM range(3)",
        qi={"x": {"lines": ["2024-01-05 21:00;a;*", "2024-01-05 23:00;b;*"], "header": False}},
        vector="x=1",
    )
    import duckdb

    answers = set()
    for zone in ("UTC", "Europe/Berlin", "Asia/Tokyo"):
        with duckdb.connect(str(here.path)) as connection:
            connection.execute(f"SET TimeZone = '{zone}'")
            try:
                here.run(connection, overwrite=True)
            except KanonError as refused:
                answers.add(type(refused).__name__)
            else:
                answers.add(here_value(connection))
    assert len(answers) == 1, answers


def here_value(connection: Any) -> str:
    return str(connection.execute("SELECT MIN(x) FROM released").fetchone()[0])


@pytest.mark.parametrize("name", ["'\xa0", "\"\xa0'", "a\u3000'b"])
def test_a_name_with_a_mark_and_a_space_of_unicode(tmp_path: Path, name: str) -> None:
    """DuckDB makes such spaces plain outside of quotes, and loses count of the marks in a comment."""
    column_name = '"' + name.replace('"', '""') + '"'
    here = world(
        tmp_path,
        f"CREATE TABLE t AS SELECT 1 AS {column_name} FROM range(3)",
        qi={},
        quasi_identifiers=[name],
    )
    here.run()
    assert list(types(here.path, "released")) == [name]
