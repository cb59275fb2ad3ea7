"""``check``: what a table reaches as it stands, under both readings of NULL, against plain Python."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import DataError, SpecError

VALUES = st.one_of(st.none(), st.sampled_from(["a", "b", "*"]))
ROWS = st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=25)
QIS = ["x", "y", "z"]


def table(rows: list[tuple[str | None, ...]]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (x VARCHAR, y VARCHAR, z VARCHAR)")
    if rows:
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    return connection


def agree(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, wildcard=st.booleans(), mark=st.sampled_from([None, "*"]))
def test_sizes_against_plain_python(
    rows: list[tuple[str | None, ...]], wildcard: bool, mark: str | None
) -> None:
    with table(rows) as connection:
        result = kanon_sql.check(
            connection,
            table="t",
            quasi_identifiers=QIS,
            k=3,
            null="wildcard" if wildcard else "own",
            suppressed_mark=mark,
        )
    kept = [row for row in rows if mark is None or any(value != mark for value in row)]
    groups = Counter(kept)
    sizes = Counter()
    in_them = Counter()
    for group, count in groups.items():
        size = sum(n for other, n in groups.items() if agree(group, other)) if wildcard else count
        sizes[size] += 1
        in_them[size] += count
    assert result.sizes.entries == tuple((size, sizes[size], in_them[size]) for size in sorted(sizes))
    assert result.marked_rows == len(rows) - len(kept)
    assert result.satisfied == all(size >= 3 for size in sizes)
    assert result.null == ("wildcard" if wildcard else "own value")


def test_an_empty_table_satisfies_vacuously_and_says_so() -> None:
    with table([]) as connection:
        result = kanon_sql.check(connection, table="t", quasi_identifiers=QIS)
    assert result.satisfied
    assert result.k_reached is None
    assert result.to_json()["vacuous"] is True


def test_every_k_up_to_the_one_asked_is_told() -> None:
    with table([("a", "a", "a")] * 2 + [("b", "b", "b")] * 4) as connection:
        result = kanon_sql.check(connection, table="t", quasi_identifiers=QIS, k=5)
    assert result.to_json()["below"] == [
        {"k": 2, "classes": 0, "rows": 0},
        {"k": 3, "classes": 1, "rows": 2},
        {"k": 4, "classes": 1, "rows": 2},
        {"k": 5, "classes": 2, "rows": 6},
    ]


def test_a_column_that_may_tell_persons_apart_is_hinted_at() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT range // 2 AS patient_id, range AS visit_id, 1 AS x FROM range(10)"
        )
        result = kanon_sql.check(connection, table="t", quasi_identifiers=["x"])
        assert len(result.hints) == 1
        assert "patient_id has 5 values in 10 rows" in result.hints[0]
        by_person = kanon_sql.check(connection, table="t", quasi_identifiers=["x"], person="patient_id", k=5)
        assert by_person.hints == ()
        assert by_person.k_reached == 5


def test_persons_and_a_wildcard_are_not_counted_together() -> None:
    with table([]) as connection, pytest.raises(SpecError, match="wildcard"):
        kanon_sql.check(connection, table="t", quasi_identifiers=["x"], person="y", null="wildcard")


def test_a_check_reads_no_hierarchy(tmp_path: Path) -> None:
    (tmp_path / "kanon.yml").write_text("table: t\nquasi_identifiers:\n  x: gone.csv\n")
    with table([("a", "a", "a")] * 5) as connection:
        assert kanon_sql.check(connection, spec=tmp_path / "kanon.yml").satisfied


def test_a_null_person_is_an_error() -> None:
    with table([("a", None, "a")]) as connection, pytest.raises(DataError, match="NULL in 1 row"):
        kanon_sql.check(connection, table="t", quasi_identifiers=["x"], person="y")
