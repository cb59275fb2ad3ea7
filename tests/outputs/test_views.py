"""``--as view``: what it shows is k-anonymous whatever happens to the source, and nothing else is promised."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import duckdb
import pytest

from kanon_sql.errors import DataError, KanonError, SpecError, VerificationError
from tests.outputs.support import at, tables
from tests.sources.support import QIS, Answer, People, answer, invoke, sql


@pytest.fixture
def viewed(people: People) -> People:
    people.run(people.database, table="people", output="seen", as_="view")
    return people


def smallest(people: People, view: str = "seen") -> int:
    [(size,)] = sql(
        f"SELECT COALESCE(MIN(n), 0) FROM (SELECT COUNT(*) AS n FROM {view} GROUP BY {', '.join(QIS)})",
        people.database,
    )
    return int(size)


def shown(people: People, view: str = "seen") -> Counter[tuple[Any, ...]]:
    return Counter(sql(f"SELECT age, zip, sex, diagnosis, admitted, weight FROM {view}", people.database))


def test_a_view_shows_what_a_table_would_hold(people: People, expected: Answer) -> None:
    found = people.run(people.database, table="people", output="seen", as_="view")
    assert answer(found) == expected
    assert shown(people) == expected[2]
    assert tables(people.database) == [
        "main.people",
        "main.seen",
        "main.seen_map_age",
        "main.seen_map_sex",
        "main.seen_map_zip",
    ]
    assert sql("SELECT view_name FROM duckdb_views() WHERE NOT internal", people.database) == [("seen",)]
    assert any("a view is computed anew" in warning for warning in found.warnings)


def test_the_columns_of_a_view(viewed: People) -> None:
    described = sql("DESCRIBE seen", viewed.database)
    assert [row[0] for row in described] == ["age", "zip", "sex", "diagnosis", "admitted", "weight"]


def test_a_view_shows_nothing_of_the_order_of_the_source(viewed: People) -> None:
    rows = sql("FROM seen", viewed.database)
    keys = [tuple((value is None, str(value)) for value in row[:3]) for row in rows]
    assert keys == sorted(keys)


def test_k_holds_when_new_rows_arrive(viewed: People) -> None:
    before = shown(viewed)
    sql(
        "INSERT INTO people SELECT id + 1000, age, zip, 'f', 'new', admitted, weight FROM people WHERE id % 17 = 0",
        viewed.database,
    )
    after = shown(viewed)
    assert smallest(viewed) >= 5
    assert after.total() > before.total()
    assert sum(n for row, n in after.items() if row[3] == "new") > 0


def test_k_holds_when_rows_leave(viewed: People) -> None:
    for i in range(2, 9):
        sql(f"DELETE FROM people WHERE id % {i * 3} = 1", viewed.database)
        assert smallest(viewed) >= 5 or not shown(viewed)
    sql("DELETE FROM people WHERE id > 2", viewed.database)
    assert not shown(viewed)


def test_a_small_new_class_is_not_shown(viewed: People) -> None:
    sql("INSERT INTO people VALUES (1, 20, NULL, 'f', 'rare', NULL, NULL)", viewed.database)
    assert not [row for row in shown(viewed) if row[3] == "rare"]


def test_values_that_the_mapping_lacks_vanish(viewed: People) -> None:
    before = shown(viewed)
    sql(
        "INSERT INTO people SELECT i, 999, '02130', 'f', 'unmapped', NULL, NULL FROM range(50) n(i)",
        viewed.database,
    )
    sql(
        "INSERT INTO people SELECT i, 20, '02130', 'x', 'unmapped', NULL, NULL FROM range(50) n(i)",
        viewed.database,
    )
    assert shown(viewed) == before


def test_persons_are_counted_in_a_view_too(people: People) -> None:
    people.run(people.database, table="people", output="seen", as_="view", person="id")
    sql(
        "INSERT INTO people SELECT 7, 20, NULL, 'f', 'one person', NULL, NULL FROM range(50)", people.database
    )
    assert not [row for row in shown(people) if row[3] == "one person"]
    assert "id" not in [row[0] for row in sql("DESCRIBE seen", people.database)]


def test_a_filter_stays_in_the_view(people: People) -> None:
    people.run(people.database, table="people", output="seen", as_="view", where="sex = 'f'")
    sql(
        "INSERT INTO people SELECT i, 20, '02130', 'm', 'man', NULL, NULL FROM range(50) n(i)",
        people.database,
    )
    assert {row[2] for row in shown(people)} <= {"f", "*"}


def test_changing_a_mapping_table_of_the_hierarchy_file_changes_nothing(viewed: People) -> None:
    before = shown(viewed)
    (viewed.folder / "age.csv").unlink()
    assert shown(viewed) == before


def test_nothing_else_changes(people: People) -> None:
    sql("CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 1 AS x; CREATE VIEW v AS FROM s.t", people.database)
    before = sql("FROM people ORDER BY ALL", people.database), sql("FROM v", people.database)
    people.run(people.database, table="people", output="s.seen", as_="view")
    assert tables(people.database) == [
        "main.people",
        "main.v",
        "s.seen",
        "s.seen_map_age",
        "s.seen_map_sex",
        "s.seen_map_zip",
        "s.t",
    ]
    assert (sql("FROM people ORDER BY ALL", people.database), sql("FROM v", people.database)) == before


def test_a_view_reads_again_from_another_name_of_the_file(viewed: People) -> None:
    """DuckDB 2 leaves the database's own name out of a view; 1.5 keeps it, so that the file keeps its name."""
    if duckdb.__version__ < "2":
        assert "w.main.people" in str(
            sql("SELECT sql FROM duckdb_views() WHERE NOT internal", viewed.database)
        )
        return
    before = shown(viewed)
    moved = viewed.folder / "moved.duckdb"
    viewed.database.rename(moved)
    assert sql("SELECT COUNT(*) FROM seen", moved) == [(before.total(),)]
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{moved}' AS far")
        assert connection.execute("SELECT COUNT(*) FROM far.seen").fetchall() == [(before.total(),)]


def test_overwriting_a_view(viewed: People) -> None:
    with pytest.raises(SpecError, match="exists already"):
        viewed.run(viewed.database, table="people", output="seen", as_="view")
    found = viewed.run(viewed.database, table="people", output="seen", as_="view", k=20, overwrite=True)
    assert smallest(viewed) >= 20
    assert rows_released(viewed) == found.released


def rows_released(people: People) -> int:
    return shown(people).total()


def test_a_table_and_a_view_do_not_replace_each_other(viewed: People) -> None:
    with pytest.raises(SpecError, match="is a view"):
        viewed.run(viewed.database, table="people", output="seen", overwrite=True)
    viewed.run(viewed.database, table="people", output="held")
    with pytest.raises(SpecError, match="is a table"):
        viewed.run(viewed.database, table="people", output="held", as_="view", overwrite=True)


def test_a_foreign_table_where_a_mapping_would_go(people: People) -> None:
    sql("CREATE TABLE seen_map_age AS SELECT 'mine' AS x", people.database)
    with pytest.raises(SpecError, match="seen_map_age"):
        people.run(people.database, table="people", output="seen", as_="view")
    with pytest.raises(SpecError, match="seen_map_age"):
        people.run(people.database, table="people", output="seen", as_="view", overwrite=True)
    assert sql("FROM seen_map_age", people.database) == [("mine",)]


def test_a_view_needs_its_source_beside_it(people: People) -> None:
    for more in (
        {"table": "people.parquet"},
        {"table": "people", "output": "seen.parquet"},
        {"table": "people", "output_db": "other.duckdb"},
        {"table": "people", "partition_by": ["sex"]},
    ):
        database = None if more["table"] == "people.parquet" else people.database
        with pytest.raises(SpecError):
            people.run(database, **{"output": "seen", "as_": "view", **more})
    assert tables(people.database) == ["main.people"]


def test_a_view_on_a_connection(people: People, expected: Answer) -> None:
    with duckdb.connect(str(people.database)) as connection:
        found = people.run(connection, table="people", output="seen", as_="view")
        assert answer(found) == expected
        connection.execute("CREATE TEMP TABLE mine AS FROM people")
        with pytest.raises(SpecError, match="temporary"):
            people.run(connection, table="mine", output="other", as_="view")
    assert shown(people) == expected[2]


@pytest.mark.parametrize("phase", ["release", "verification"])
def test_a_view_that_does_not_verify_leaves_the_old_one(viewed: People, phase: str) -> None:
    with duckdb.connect(str(viewed.database)) as connection:
        other = connection.cursor()
        before = connection.execute("FROM seen").fetchall()
        maps = connection.execute("FROM seen_map_age ORDER BY ALL").fetchall()
        change = at(phase, lambda: other.execute("DELETE FROM people WHERE id % 2 = 0"))
        try:
            viewed.run(
                connection, table="people", output="seen", as_="view", k=9, overwrite=True, progress=change
            )
        except VerificationError as refused:
            assert phase == "release"
            assert refused.exit_code == 7
            assert connection.execute("FROM seen_map_age ORDER BY ALL").fetchall() == maps
            assert len(connection.execute("FROM seen").fetchall()) < len(
                before
            )  # of fewer people, still k = 5
        else:
            assert phase == "verification"  # the transaction saw the table as it was; the view still holds
    assert smallest(viewed) >= (5 if phase == "release" else 9)


def test_a_view_by_the_command_line(people: People) -> None:
    flags = people.flags(db="w.duckdb", table="people", output="seen")
    done = invoke("run", *flags, "--as", "view", "--json")
    assert done.returncode == 0, done.stderr
    assert any("a view is computed anew" in warning for warning in json.loads(done.stdout)["warnings"])
    checked = invoke("check", "--db", "w.duckdb", "--table", "seen", "--qi", ",".join(QIS))
    assert checked.returncode == 0, checked.stderr


def test_a_view_as_the_source_of_its_own_overwrite(viewed: People) -> None:
    with pytest.raises((SpecError, DataError)):
        viewed.run(viewed.database, table="seen", output="seen", as_="view", overwrite=True)
    assert smallest(viewed) >= 5


def test_a_failed_view_leaves_no_mapping_table(people: People) -> None:
    with pytest.raises(KanonError):
        people.run(
            people.database,
            table="people",
            output="seen",
            as_="view",
            k=9,
            vector="age=0,zip=0,sex=0",
        )
    assert tables(people.database) == ["main.people"]
