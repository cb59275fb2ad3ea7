"""What other tools get wrong, measured on them (issue 3): none of it is possible here."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.errors import DataError, HierarchyError, KanonError, NoSolutionError
from tests.engine.support import World, lines, query, world
from tests.sources.support import command, only_line

AGES = ["1;young;*", "2;young;*", "3;old;*", "4;old;*"]


def classes(here: World, *columns: str) -> Counter[tuple[Any, ...]]:
    return Counter(here.released(", ".join(columns)))


@pytest.mark.parametrize("with_row", [False, True], ids=["NULL unmapped", "NULL mapped"])
@pytest.mark.parametrize("suppression", [0, 1, 5])
def test_a_null_row_is_never_released_in_a_class_below_k(
    tmp_path: Path, with_row: bool, suppression: int
) -> None:
    """ANJANA releases a row whose quasi-identifier is NULL in a class of its own."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 4 AS age, 'v' || i AS visit FROM range(40) AS n(i)",
        "INSERT INTO t VALUES (NULL, 'nobody')",
        qi={"age": {"lines": [*AGES, *([";old;*"] if with_row else [])], "header": False}},
        k=5,
        max_suppression=suppression,
        keep=["visit"],
    )
    here.run()
    sizes = classes(here, "age")
    assert min(sizes.values()) >= 5
    null_is_there = ("nobody",) in set(here.released("visit"))
    assert not null_is_there or sizes[(None,)] == 0


def test_two_null_columns_make_one_class_together(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT NULL::INTEGER AS age, CASE WHEN i < 4 THEN 'a' END AS zip FROM range(9) n(i)",
        qi={"age": None, "zip": None},
        k=5,
        max_suppression=4,
    )
    here.run(vector="age=0,zip=0")
    assert classes(here, "age", "zip") == {(None, None): 5}


def test_an_empty_frame_is_never_returned_as_a_success(tmp_path: Path) -> None:
    """ANJANA returns an empty frame when k cannot be reached."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT i AS age FROM range(4) AS n(i)",
        qi={"age": None},
        k=5,
        max_suppression=3,
    )
    with pytest.raises(DataError, match="only 4 rows"):
        here.run()
    with pytest.raises(NoSolutionError):
        here.run(k=2, vector="age=0")
    with pytest.raises(KanonError) as refused:
        here.run(k=2, max_suppression="100%")
    assert refused.value.exit_code == 2
    flags = ["--db", here.path, "--table", "t", "--qi", "age", "--k", "5", "--output", "released"]
    process = command("run", *flags, cwd=tmp_path)
    assert process.returncode == 4
    assert only_line(process)
    assert query(here.path, "SELECT COUNT(*) FROM duckdb_tables()") == [(1,)]


def test_an_empty_release_by_unmapped_values_is_refused(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 9 AS age FROM range(40)",
        qi={"age": {"lines": ["1;*", "2;*"], "header": False, "unmapped": "suppress"}},
        k=5,
        max_suppression=39,
    )
    with pytest.raises(KanonError) as refused:
        here.run()
    assert refused.value.exit_code in (4, 5)


def test_a_value_with_two_parents_is_refused(tmp_path: Path) -> None:
    """ANJANA takes the first parent."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 2 AS age FROM range(40) AS n(i)",
        qi={"age": {"lines": ["1;a;x;*", "2;a;y;*"], "header": False}},
    )
    with pytest.raises(HierarchyError) as refused:
        here.run()
    assert refused.value.exit_code == 3
    assert "age.csv:2" in str(refused.value) or "line 2" in str(refused.value)
    lines(tmp_path / "age.csv", "1;a;*", "2;b;*", "1;b;*")
    with pytest.raises(HierarchyError):
        here.run()


def test_no_original_row_index_is_in_the_output(tmp_path: Path) -> None:
    """ANJANA writes the index of the source's row beside every released row."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 4 AS age, 'v' || i AS visit, i AS id FROM range(4000) AS n(i)",
        qi={"age": {"lines": AGES, "header": False}},
        keep=["visit"],
    )
    result = here.run()
    assert result.to_arrow().column_names == ["age", "visit"]
    order = [int(visit[1:]) for (visit,) in query(here.path, "SELECT visit FROM released ORDER BY rowid")]
    rising = sum(a < b for a, b in pairwise(order))
    assert sorted(order) == list(range(4000))
    assert 1800 < rising < 2200, "the order of the rows follows that of the source"


def test_no_index_of_a_frame_is_in_the_output() -> None:
    import pandas

    frame = pandas.DataFrame({"age": [1, 1, 2, 2] * 5}, index=[f"person {i}" for i in range(20)])
    frame.index.name = "who"
    table = kanon_sql.anonymize(table=frame, k=5, quasi_identifiers=["age"]).to_arrow()
    assert table.column_names == ["age"]
    assert b"pandas" not in (table.schema.metadata or {})


@pytest.mark.parametrize("constant", ["7", "'same'", "NULL::VARCHAR", "DATE '2024-01-01'", "TRUE", "''"])
def test_k_does_not_change_when_a_constant_column_is_added(tmp_path: Path, constant: str) -> None:
    """pyCANON's does."""
    path = tmp_path / "w.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT nullif(i % 5, 0) AS age, CASE WHEN i % 7 < 6 THEN i % 2 END AS sex,"
            f" {constant} AS same FROM range(83) AS n(i)"
        )
    without = kanon_sql.check(path, table="t", quasi_identifiers=["age", "sex"], k=2)
    for qis in (["age", "sex", "same"], ["same", "age", "sex"]):
        with_it = kanon_sql.check(path, table="t", quasi_identifiers=qis, k=2)
        assert with_it.k_reached == without.k_reached
        assert with_it.sizes == without.sizes
        assert with_it.satisfied == without.satisfied
    assert without.sizes.rows == 83
    alone = kanon_sql.check(path, table="t", quasi_identifiers=["same"], k=2)
    assert alone.k_reached == 83


def test_rows_with_missing_numbers_are_not_dropped(tmp_path: Path) -> None:
    """anonypy drops them."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT CASE WHEN i % 4 > 0 THEN i % 3 END AS age,"
        " [1.5, NULL, 'nan'::DOUBLE][1 + i % 3] AS weight, 'v' || i AS visit FROM range(60) AS n(i)",
        qi={"age": None, "weight": None},
        k=4,
        keep=["visit"],
    )
    result = here.run()
    assert (result.rows, result.released, result.suppressed) == (60, 60, 0)
    assert sorted(here.released("visit")) == sorted((f"v{i}",) for i in range(60))
    assert kanon_sql.check(here.path, table="t", quasi_identifiers=["age", "weight"], k=4).sizes.rows == 60


def test_missing_numbers_in_what_is_only_kept(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT i % 2 AS age, CASE WHEN i % 3 > 0 THEN i / 7 END AS weight FROM range(60) n(i)",
        qi={"age": None},
        k=5,
        keep=["weight"],
    )
    here.run()
    assert here.released("weight") == sorted(
        query(here.path, "SELECT weight FROM t"), key=lambda row: (row[0] is None, row[0])
    )
