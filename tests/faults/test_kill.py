"""kill -9 and SIGTERM: the old release or the new one, a database that opens, and a next run that succeeds."""

from __future__ import annotations

import random
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

import kanon_sql
from tests.faults.support import (
    RUN,
    content,
    finished,
    make_visits,
    said,
    started,
    temporary_files,
    wait_for,
)
from tests.outputs.support import digest, strays, tables

ROWS = 40_000


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_visits(tmp_path_factory.mktemp("kill") / "w.duckdb", ROWS)


def run_again(path: Path, **words: object) -> kanon_sql.Result:
    asked = {"table": "visits", "quasi_identifiers": ["age", "zip"], "output": "released", "overwrite": True}
    return kanon_sql.anonymize(path, **{**asked, **words})


def test_kill_9_at_twenty_random_moments(tmp_path: Path, visits: Path) -> None:
    """Ten in each of two databases, side by side, since most of the time is Python's start."""
    seed = random.randrange(2**32)
    print("seed", seed)  # shown where this fails
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        shutil.copy(visits, folder / "w.duckdb")
    with ThreadPoolExecutor(len(folders)) as pool:
        killed = list(pool.map(kill_ten_times, folders, (seed, seed + 1)))
    assert sum(killed) > 10, "the run was too short for this test"


def kill_ten_times(folder: Path, seed: int) -> int:
    """Two releases take turns, one with the texts and one without, so that each can be told from the other."""
    path, chance = folder / "w.duckdb", random.Random(seed)
    run_again(path)
    without = content(path, "released")
    begun = time.perf_counter()
    run_again(path, keep=["visit"])
    took = time.perf_counter() - begun
    with_texts = content(path, "released")
    assert without != with_texts
    flags = [*RUN, "--db", path, "--output", "released", "--overwrite"]
    killed = 0
    for moment in range(10):
        before = content(path, "released")
        keep = before == without
        arguments = flags if keep else [flag for flag in flags if flag not in ("--keep", "visit")]
        with started(folder, *arguments) as process:
            wait_for(process, "@release" if moment % 2 else "@hierarchies")
            # The release is the second half of a run; a few may end before they are killed.
            time.sleep(chance.random() * took * (0.5 if moment % 2 else 0.9))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
        after = content(path, "released")  # the database opens
        assert after == before or (after == with_texts if keep else after == without)
        assert tables(path) == ["main.released", "main.visits"]
        own = [name for name in strays(folder) if not name.startswith("kanon-sql-")]
        # DuckDB's log may outlive an opening where its checkpoint was cut; the next run clears it away.
        assert own in ([], ["w.duckdb.wal"])
        if own or moment % 4 == 3:
            assert run_again(path, keep=["visit"] if keep else []).released == ROWS
            assert [name for name in strays(folder) if not name.startswith("kanon-sql-")] == []
    # A killed process cannot take its own folder for spilled data away; there is nothing else.
    assert all("/" not in each[len("temporary/") :] for each in temporary_files(folder))
    return killed


@pytest.mark.parametrize("kind", ["parquet", "partitions", "output_db"])
def test_kill_9_while_a_file_is_written(tmp_path: Path, visits: Path, kind: str) -> None:
    chance = random.Random()
    output = tmp_path / ("out.duckdb" if kind == "output_db" else "out.parquet")
    words: dict[str, object] = {"output": output}
    flags = [*RUN, "--db", visits, "--overwrite"]
    if kind == "output_db":
        words = {"output_db": output, "output": "released"}
        flags += ["--output-db", output, "--output", "released"]
    else:
        flags += ["--output", output]
    if kind == "partitions":
        words["partition_by"] = ["age"]
        flags += ["--partition-by", "age"]
    writing = run_again(visits, **words).seconds["release"]
    before = digest(output)
    killed = 0
    for _ in range(3):
        with started(tmp_path, *flags) as process:
            wait_for(process, "@release")
            time.sleep(chance.random() * writing * 0.6)
            process.kill()
            killed += process.wait() == -signal.SIGKILL
        if kind == "output_db":
            with duckdb.connect(str(output)) as connection:
                assert connection.execute("SELECT COUNT(*) FROM released").fetchall() == [(ROWS,)]
        else:
            now = digest(output)
            assert now == before or sum(1 for _ in output.parent.glob("out.parquet")) == 1
            found = f"{output}/*/*.parquet" if kind == "partitions" else str(output)
            assert duckdb.sql(f"SELECT COUNT(*) FROM '{found}'").fetchall() == [(ROWS,)]
            before = now
        assert run_again(visits, **words).released == ROWS
        before = digest(output)
    assert killed


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("table", "@verification"),
        ("parquet", "@search"),
        ("parquet", "@verification"),
        ("new output_db", "@verification"),
    ],
)
def test_sigterm(tmp_path: Path, visits: Path, kind: str, event: str) -> None:
    run_again(visits)
    before = content(visits, "released")
    flags = {
        "table": ["--output", "released", "--overwrite"],
        "parquet": ["--output", "out.parquet"],
        "new output_db": ["--output-db", "new.duckdb"],
    }[kind]
    code, text = finished(tmp_path, *RUN, "--db", visits, *flags, at=event, action=signal.SIGTERM)
    assert code in (130, 143, -signal.SIGTERM)
    assert "Traceback" not in text
    assert content(visits, "released") == before
    assert not (tmp_path / "out.parquet").exists()
    assert not (tmp_path / "new.duckdb").exists()
    assert strays(tmp_path) == []
    assert run_again(visits).released == ROWS


def test_a_run_that_is_left_alone(tmp_path: Path, visits: Path) -> None:
    """Or the tests above would pass for another reason."""
    with started(tmp_path, *RUN, "--db", visits, "--output", "out.parquet") as process:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, said(errors)) == (0, "")
    assert {"@hierarchies", "@frequency_set", "@search", "@release", "@verification"} <= set(
        errors.split("\n")
    )
    assert strays(tmp_path) == []
    assert (tmp_path / "out.parquet").is_file()
