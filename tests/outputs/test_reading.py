"""A result reads its release: as an Arrow table, or as batches; what it holds open it lets go of."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest

import kanon_sql
from kanon_sql.errors import SpecError
from tests.sources.support import Answer, People, rows_of

PLACES: list[dict[str, Any]] = [
    {"database": "w.duckdb", "table": "people", "output": "released"},
    {"table": "people.parquet"},
    {"table": "people.parquet", "output": "out.parquet"},
    {"table": "people.parquet", "output": "out.csv.gz"},
    {"table": "people.parquet", "output": "out.parquet", "partition_by": ["sex"]},
    {"database": "w.duckdb", "table": "people", "output": "released", "output_db": "new.duckdb"},
    {"database": "w.duckdb", "table": "people", "output": "seen", "as_": "view"},
]


@pytest.mark.parametrize(
    "words", PLACES, ids=["table", "memory", "parquet", "csv", "partitions", "other file", "view"]
)
def test_the_release_as_a_table_and_as_batches(
    people: People, expected: Answer, words: dict[str, Any]
) -> None:
    result = people.run(**words)
    table = result.to_arrow()
    assert table.num_rows == result.released == 387
    reader = result.to_reader(batch_size=100)
    assert isinstance(reader, pyarrow.RecordBatchReader)
    batches = list(reader)
    assert sum(batch.num_rows for batch in batches) == 387
    assert pyarrow.Table.from_batches(batches).schema == table.schema
    again = result.to_reader().read_all()
    assert sorted(map(str, again.to_pylist())) == sorted(map(str, table.to_pylist()))
    assert rows_of(result) == expected[2]


def test_a_reader_gives_batches(people: People) -> None:
    with duckdb.connect(str(people.database)) as connection:
        connection.execute("CREATE TABLE many AS SELECT i % 2 AS age FROM range(300000) AS n(i)")
    found = kanon_sql.anonymize(people.database, table="many", quasi_identifiers=["age"], output="released")
    sizes = [batch.num_rows for batch in found.to_reader(batch_size=50_000)]
    assert sum(sizes) == 300_000
    assert len(sizes) > 3
    assert max(sizes) <= 50_000


def test_a_dry_run_has_nothing_to_read(people: People) -> None:
    found = people.run(people.database, table="people", dry_run=True)
    for read in (found.to_arrow, found.to_reader):
        with pytest.raises(SpecError, match="dry run"):
            read()


def can_be_written(path: Path) -> bool:
    """Whether another process can open the database for writing."""
    script = (
        f"import duckdb; duckdb.connect({str(path)!r}).execute('CREATE OR REPLACE TABLE probe AS SELECT 1')"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60).returncode == 0


def test_a_database_is_free_after_a_run_and_after_reading(people: People) -> None:
    found = people.run(people.database, table="people", output="released")
    found.to_arrow()
    assert can_be_written(people.database)
    reader = found.to_reader(batch_size=10)
    assert reader.read_next_batch().num_rows > 0
    assert not can_be_written(people.database), "the reader is not done: the file must be open"
    del reader
    gc.collect()
    assert can_be_written(people.database)
    assert people.run(people.database, table="people", output="again").released == 387


def test_a_reader_outlives_its_result(people: People) -> None:
    reader = people.run(table="people.parquet").to_reader(batch_size=10)
    gc.collect()
    assert reader.read_all().num_rows == 387


def test_a_closed_reader_lets_go(people: People) -> None:
    found = people.run(people.database, table="people", output="released")
    with found.to_reader(batch_size=10) as reader:
        reader.read_next_batch()
    del reader
    gc.collect()
    assert can_be_written(people.database)


def test_a_release_in_memory_leaves_no_folder_behind(people: People) -> None:
    found = people.run(table="people.parquet")
    assert found.to_arrow().num_rows == 387
    del found
    gc.collect()
    assert list((people.folder / "temporary").iterdir()) == []


def test_a_result_kept_to_the_end_of_python_leaves_no_folder_behind(people: People) -> None:
    script = (
        "import kanon_sql\n"
        "kept = kanon_sql.anonymize(table='people.parquet', k=5, quasi_identifiers=['sex'])\n"
        "reader = kept.to_reader(batch_size=10); reader.read_next_batch()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=people.folder,
        env={
            "PYTHONPATH": str(Path(kanon_sql.__file__).parents[1]),
            "TMPDIR": str(people.folder / "temporary"),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list((people.folder / "temporary").iterdir()) == []


def test_two_results_in_memory_at_once(people: People) -> None:
    first, second = (people.run(table="people.parquet", k=k) for k in (5, 20))
    assert min(first.class_size["min"] or 0, 100) >= 5
    assert second.to_arrow().num_rows == second.released
    assert first.to_arrow().num_rows == first.released


def test_a_release_that_is_gone(people: People) -> None:
    found = people.run(table="people.parquet", output="out.parquet")
    Path("out.parquet").unlink()
    with pytest.raises(kanon_sql.KanonError):
        found.to_arrow()
    in_table = people.run(people.database, table="people", output="released")
    with duckdb.connect(str(people.database)) as connection:
        connection.execute("DROP TABLE released")
    with pytest.raises(kanon_sql.KanonError):
        in_table.to_arrow()
