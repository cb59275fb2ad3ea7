"""The row filter (DESIGN 5.12, 9): what it keeps, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.errors import DataError, KanonError, SpecError
from tests.engine.support import World, tables, world

KEPT = [
    "year(d) = 2024",
    "date_part('year', d) = 2024",
    "extract(year FROM d) = 2024",
    "strftime(d, '%Y') = '2024'",
    "date_trunc('year', d) = DATE '2024-01-01'",
    "date_diff('day', DATE '2024-01-01', d) >= 0",
    "age(TIMESTAMP '2025-01-01', ts) < INTERVAL 1 YEAR",
    "d >= DATE '2024-01-01'",
    "D >= DATE '2024-01-01' -- a comment",
    "t.d >= DATE '2024-01-01'",
    "list_contains([2024], year(d))",
    "\"a \"\"b\" = 'it''s' OR d > DATE '2024-01-01' - 1",
    "len(list_filter([1, 2], lambda z: z > 1)) = 1 AND d >= DATE '2024-01-01'",
    "CASE WHEN d >= DATE '2024-01-01' THEN TRUE END",
    "d >= '2024-01-01'",
    "NOT d < DATE '2024-01-01'",
]

CHANGING = [
    "random() < 0.5",
    '"random"() < 0.5',
    "system.main.random() < 0.5",
    "random() IS NOT NULL",
    "ts < now()",
    "d < current_date",
    "ts < current_timestamp",
    "d < today()",
    "ts < localtimestamp",
    "ts > ago(INTERVAL 9999 DAY)",
    "ts < pg_postmaster_start_time()",
    "age(ts) > INTERVAL 1 DAY",
    "date_diff('day', d, current_date) > 0",
    "uuid() IS NOT NULL",
    "getvariable('v') IS NULL",
    "current_setting('TimeZone') IS NOT NULL",
    "nextval('counter') > 0",
    "txid_current() > 0",
    "own_macro(d)",
]

NOT_ONE_ROW = [
    "d IN (SELECT d FROM t)",
    "EXISTS (FROM t)",
    "d = (TABLE t)",
    "max(d) > DATE '2024-01-01'",
    "count(*) > 1",
    "row_number() OVER () > 1",
    "* IS NOT NULL",
    "COLUMNS(*) IS NOT NULL",
    "d > ?",
    "d > $day",
    "TRUE; DROP TABLE t",
    "d = d) OR (TRUE",
    "TRUE GROUP BY d",
    "TRUE LIMIT 1",
    "TRUE UNION SELECT 1",
    "",
    "   ",
    "d >",
]


@pytest.fixture
def dated(tmp_path: Path) -> World:
    return world(
        tmp_path,
        "CREATE TABLE t AS SELECT 'x' AS q, DATE '2023-06-01' + CAST(i * 60 AS INTEGER) AS d,"
        " TIMESTAMP '2023-06-01 12:00:00' + i * INTERVAL 60 DAY AS ts, 'it''s' || i AS \"a \"\"b\","
        " i AS visit FROM range(8) AS numbers(i)",
        "CREATE SEQUENCE counter",
        "CREATE MACRO own_macro(day) AS day > DATE '2024-01-01'",
        qi={"q": None},
        keep=["visit"],
    )


@pytest.mark.parametrize("where", KEPT)
def test_a_filter_keeps_its_rows_and_no_others(dated: World, where: str) -> None:
    result = dated.run(where=where)
    assert (result.rows, result.released) == (4, 4)
    assert dated.released("visit") == [(4,), (5,), (6,), (7,)]


@pytest.mark.parametrize("where", CHANGING)
def test_a_filter_whose_answer_may_change_is_refused(dated: World, where: str) -> None:
    with pytest.raises(SpecError, match="filter calls"):
        dated.run(where=where)
    assert tables(dated.path) == ["t"]


@pytest.mark.parametrize("where", NOT_ONE_ROW)
def test_a_filter_that_is_not_one_expression_over_a_row_is_refused(dated: World, where: str) -> None:
    with pytest.raises(SpecError):
        dated.run(where=where)
    assert tables(dated.path) == ["t"]


def test_a_column_that_is_not_there_names_the_near_match(dated: World) -> None:
    with pytest.raises(DataError, match="'visit'"):
        dated.run(where="vist = 1")


@pytest.mark.parametrize(
    ("where", "exit_code"), [("nosuch(d)", 2), ("d ILIKE 'x'", 2), ("'abc'", 4), ("d = 'never'", 4)]
)
def test_a_filter_that_the_engine_refuses_is_no_fault_of_the_database(
    dated: World, where: str, exit_code: int
) -> None:
    """DESIGN 9: 2 is for the words of the spec, 4 for data, 6 for a database that does not work."""
    with pytest.raises(KanonError) as refused:
        dated.run(where=where)
    assert refused.value.exit_code == exit_code


def test_a_filter_that_keeps_nothing_is_an_empty_table(dated: World) -> None:
    with pytest.raises(DataError, match="no rows that the filter keeps"):
        dated.run(where="FALSE")


def test_a_filter_comes_before_everything_else(tmp_path: Path) -> None:
    """Unmapped values, NULL persons and rows of MaxSup count among the rows that the filter keeps."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT * FROM (VALUES ('a', 1, 1), ('a', 2, 1), ('b', 3, 1), ('zz', NULL, 0))"
        " AS rows(q, who, good)",
        qi={"q": ["a;*", "b;*"]},
        person="who",
        where="good = 1",
        max_suppression="34%",
    )
    result = here.run()
    assert (result.rows, result.max_suppression_rows, result.released) == (3, 1, 2)
