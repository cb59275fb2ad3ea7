"""Arrow tables, readers, DuckDB relations and data frames as sources."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest

import kanon_sql
from kanon_sql.errors import DatabaseError, DataError, KanonError, SpecError
from tests.sources.support import PEOPLE, Answer, People, answer, rows_of, sql


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(f"CREATE TABLE people AS {PEOPLE}")
        yield made


@pytest.fixture
def arrow(connection: duckdb.DuckDBPyConnection) -> pyarrow.Table:
    return connection.sql("FROM people").to_arrow_table()


def left(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Tables, views and registered objects, temporary ones included."""
    return connection.execute("SELECT table_name FROM information_schema.tables ORDER BY ALL").fetchall()


# ---------------------------------------------------------------- without a database


def test_an_arrow_table(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    found = people.run(table=arrow)
    assert answer(found) == expected
    assert (found.table, found.output) == ("the table passed in", "the table passed in_k5") or found.output


def test_an_arrow_reader_is_read_once(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    reader = pyarrow.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(max_chunksize=50))
    assert answer(people.run(table=reader)) == expected


def test_an_arrow_table_in_many_pieces(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    pieces = pyarrow.concat_tables([arrow.slice(i, 37) for i in range(0, 400, 37)])
    dictionaries = pieces.set_column(2, "zip", pieces["zip"].combine_chunks().dictionary_encode())
    assert answer(people.run(table=pieces)) == expected
    assert answer(people.run(table=dictionaries)) == expected


def test_a_pandas_frame(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    frame = arrow.to_pandas()
    vector, suppressed, rows = answer(people.run(table=frame))
    assert (vector, suppressed) == expected[:2]
    # pandas has dates as objects and missing numbers as NaN: those are the two that may differ.
    assert {row[:4] for row in rows} == {row[:4] for row in expected[2]}
    assert rows.total() == expected[2].total()


def test_a_pandas_frame_with_an_index_of_its_own(people: People, arrow: pyarrow.Table) -> None:
    frame = arrow.to_pandas().set_index("id")
    found = people.run(table=frame)
    assert found.released == 387
    assert set(found.to_arrow().column_names) == {"age", "zip", "sex", "diagnosis", "admitted", "weight"}


def test_missing_values_in_a_pandas_frame() -> None:
    frame = pandas.DataFrame(
        {"age": [1.5, float("nan"), None, 1.5], "zip": ["a", None, float("nan"), "a"]}, index=[7, 7, 8, 9]
    )
    found = kanon_sql.anonymize(table=frame, k=2, quasi_identifiers=["zip"])
    assert rows_of(found, ["zip"]) == {("a",): 2, (None,): 2}


def test_a_categorical_pandas_column() -> None:
    frame = pandas.DataFrame({"zip": pandas.Categorical(["a", "b", "a", "b"], categories=["b", "a", "c"])})
    found = kanon_sql.anonymize(table=frame, k=2, quasi_identifiers=["zip"])
    assert rows_of(found, ["zip"]) == {("a",): 2, ("b",): 2}


def test_a_polars_frame(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    assert answer(people.run(table=polars.from_arrow(arrow))) == expected


def test_a_lazy_polars_frame(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    frame = polars.from_arrow(arrow)
    assert isinstance(frame, polars.DataFrame)
    assert answer(people.run(table=frame.lazy().filter(polars.col("age") > 0))) == expected


def test_an_object_with_a_database_as_destination(
    people: People, expected: Answer, arrow: pyarrow.Table
) -> None:
    found = people.run(people.database, table=arrow, output="released")
    assert answer(found) == expected
    assert sql("SELECT COUNT(*) FROM released", people.database) == [(387,)]


def test_an_object_with_a_file_as_destination(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    found = people.run(table=arrow, output=people.folder / "out.parquet")
    assert answer(found) == expected


def test_an_object_and_another_database_file(people: People, expected: Answer, arrow: pyarrow.Table) -> None:
    found = people.run(table=arrow, output_db=people.folder / "new.duckdb", output="released")
    assert answer(found) == expected
    assert sql("SELECT COUNT(*) FROM released", people.folder / "new.duckdb") == [(387,)]


def test_an_object_is_not_changed(people: People, arrow: pyarrow.Table) -> None:
    before, frame = arrow.slice(0), arrow.to_pandas()
    copy = frame.copy(deep=True)
    people.run(table=arrow)
    people.run(table=frame)
    assert arrow.equals(before)
    pandas.testing.assert_frame_equal(frame, copy)


@pytest.mark.parametrize("thing", [[1, 2], {"age": [1]}, 7, object(), print, b"bytes"])
def test_what_is_no_table(people: People, thing: object) -> None:
    with pytest.raises(SpecError) as refused:
        people.run(table=thing)
    assert refused.value.exit_code == 2
    assert "table" in str(refused.value)


def test_an_empty_object(people: People, arrow: pyarrow.Table) -> None:
    with pytest.raises(DataError, match="no rows"):
        people.run(table=arrow.slice(0, 0))


def test_an_object_that_can_be_checked(people: People, arrow: pyarrow.Table) -> None:
    assert kanon_sql.check(table=arrow, quasi_identifiers=["sex"], k=100).satisfied
    assert not kanon_sql.check(table=arrow, quasi_identifiers=["age", "zip"], k=5).satisfied


# ---------------------------------------------------------------- relations


@pytest.mark.parametrize(
    "query",
    [
        "FROM people",
        "FROM people WHERE age > 0",
        "SELECT * FROM people AS p JOIN (SELECT 1) AS one ON TRUE",
        "WITH x AS (FROM people) FROM x",
    ],
)
def test_a_relation(
    people: People, expected: Answer, connection: duckdb.DuckDBPyConnection, query: str
) -> None:
    before = left(connection)
    found = people.run(connection, table=connection.sql(query), output="released")
    assert answer(found) == expected
    assert left(connection) == sorted([*before, ("released",)])


def test_relations_built_in_python(
    people: People, expected: Answer, connection: duckdb.DuckDBPyConnection
) -> None:
    table = connection.table("people")
    for relation in (table, table.filter("age > 0"), table.filter("age > 0").order("id"), table.project("*")):
        assert answer(people.run(connection, table=relation, output="released", overwrite=True)) == expected


def test_a_relation_over_an_arrow_object(
    people: People, expected: Answer, connection: duckdb.DuckDBPyConnection, arrow: pyarrow.Table
) -> None:
    relation = connection.from_arrow(arrow)
    assert answer(people.run(connection, table=relation, output="released")) == expected
    filtered = connection.sql("FROM arrow WHERE age > 0")
    assert answer(people.run(connection, table=filtered, output="released", overwrite=True)) == expected


def test_a_relation_over_a_file(
    people: People, expected: Answer, connection: duckdb.DuckDBPyConnection
) -> None:
    file = people.folder / "people.parquet"
    sql(f"COPY ({PEOPLE}) TO '{file}'")
    relation = connection.read_parquet(str(file))
    assert answer(people.run(connection, table=relation, output="released")) == expected


def test_a_relation_over_a_temporary_table(
    people: People, expected: Answer, connection: duckdb.DuckDBPyConnection
) -> None:
    connection.execute("CREATE TEMP TABLE mine AS FROM people")
    relation = connection.table("mine")
    assert answer(people.run(connection, table=relation, output="released")) == expected


def test_a_relation_of_another_connection_is_refused(
    people: People, connection: duckdb.DuckDBPyConnection
) -> None:
    other = duckdb.connect()
    before = left(other)
    with pytest.raises(SpecError, match="cannot be read on this connection") as refused:
        people.run(other, table=connection.table("people"), output="released")
    assert refused.value.exit_code == 2
    assert left(other) == before


def test_a_relation_of_another_connection_over_a_table_of_the_same_name(
    people: People, connection: duckdb.DuckDBPyConnection
) -> None:
    """The dangerous case: the name exists here too, with other rows in it."""
    other = duckdb.connect()
    other.execute("CREATE TABLE people AS SELECT 1 AS age, '02130' AS zip, 'f' AS sex FROM range(50)")
    with pytest.raises(SpecError):
        people.run(other, table=connection.table("people"), keep=[], output="released")


def test_a_relation_without_its_connection_is_refused(
    people: People, connection: duckdb.DuckDBPyConnection
) -> None:
    with pytest.raises(SpecError, match="connection") as refused:
        people.run(table=connection.table("people"))
    assert "as the database" in str(refused.value)


def test_a_relation_of_a_closed_connection(people: People) -> None:
    closed = duckdb.connect()
    closed.execute(f"CREATE TABLE people AS {PEOPLE}")
    relation = closed.table("people")
    closed.close()
    with pytest.raises(KanonError):
        people.run(closed, table=relation, output="released")
    with pytest.raises(KanonError):
        people.run(table=relation)


def test_a_failing_run_leaves_no_registered_object(
    people: People, connection: duckdb.DuckDBPyConnection, arrow: pyarrow.Table
) -> None:
    before = left(connection)
    for table in (arrow, connection.table("people"), arrow.to_pandas()):
        with pytest.raises(KanonError):
            people.run(connection, table=table, k=401, output="released")
        assert left(connection) == before


def test_an_object_that_a_run_registered_can_be_freed(
    people: People, connection: duckdb.DuckDBPyConnection, arrow: pyarrow.Table
) -> None:
    gc.collect()
    before = pyarrow.total_allocated_bytes()
    big = pyarrow.concat_tables([arrow] * 50).combine_chunks()
    people.run(connection, table=big, output="released")
    assert pyarrow.total_allocated_bytes() > before
    del big
    gc.collect()
    assert pyarrow.total_allocated_bytes() - before < 100_000


def test_a_view_over_an_object_is_refused(people: People, arrow: pyarrow.Table) -> None:
    with pytest.raises(SpecError, match="view"):
        people.run(people.database, table=arrow, output="released", as_="view")


def test_an_object_of_a_type_that_does_not_exist_here(people: People) -> None:
    table = pyarrow.table({"age": pyarrow.array([[1, 2], [3]]), "zip": ["a", "b"]})
    with pytest.raises((DataError, SpecError, DatabaseError), match="age"):
        kanon_sql.anonymize(table=table, k=1, quasi_identifiers=["age"])
