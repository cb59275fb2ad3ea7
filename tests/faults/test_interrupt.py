"""Ctrl-C: exit 130 within a second or so, and nothing left. (tests/engine has the table in its own database.)"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from tests.faults.support import (
    DRIVER,
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
from tests.sources.support import environment


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_visits(tmp_path_factory.mktemp("small") / "w.duckdb", 3000)


KINDS = {
    "parquet": ["--output", "out.parquet", "--overwrite"],
    "partitions": ["--output", "out.parquet", "--partition-by", "age", "--overwrite"],
    "csv": ["--output", "out.csv.gz"],
    "new output_db": ["--output-db", "new.duckdb"],
    "output_db": ["--output-db", "old.duckdb", "--output", "released", "--overwrite"],
    "view": ["--as", "view", "--output", "seen"],
}
CASES = [
    *((kind, "@verification") for kind in KINDS),
    ("parquet", "@release"),
    ("view", "@release"),
    *(("parquet", event) for event in ("@hierarchies", "@frequency_set", "@search", "@SearchProgress")),
]


@pytest.mark.parametrize(("kind", "event"), CASES)
def test_ctrl_c_leaves_the_old_release(tmp_path: Path, small: Path, kind: str, event: str) -> None:
    (tmp_path / "out.parquet").mkdir() if kind == "partitions" else (tmp_path / "out.parquet").write_text(
        "old"
    )
    with duckdb.connect(str(tmp_path / "old.duckdb")) as connection:
        connection.execute("CREATE TABLE released AS SELECT 'old' AS was")
    before, own = digest(tmp_path), tables(small)
    code, text = finished(tmp_path, *RUN, "--db", small, *KINDS[kind], at=event, action=signal.SIGINT)
    assert (code, text) == (130, "interrupted: nothing was written\n")
    assert digest(tmp_path) == before
    assert tables(small) == own
    assert strays(tmp_path) == []
    assert temporary_files(tmp_path) == []


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every statement over it takes long enough to be met half-way."""
    path = tmp_path_factory.mktemp("large") / "w.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visits AS SELECT i // 9 AS age, hash(i) % 90000 AS zip, md5(CAST(i AS VARCHAR)) AS visit"
            " FROM range(1000000) AS n(i)"
        )
    return path


@pytest.mark.parametrize(
    ("event", "presses"),
    [("@hierarchies", 1), ("@frequency_set", 1), ("@search", 1), ("@release", 1), ("@release", 2)],
)
def test_ctrl_c_in_the_middle_of_a_long_statement(
    tmp_path: Path, large: Path, event: str, presses: int
) -> None:
    flags = [
        *RUN,
        "--db",
        large,
        "--output",
        "out.parquet",
        "--max-suppression",
        "99%",
        "--vector",
        "age=0,zip=1",
    ]
    if event == "@search":
        flags = flags[:-2]
    with started(tmp_path, *flags) as process:
        wait_for(process, event)
        time.sleep(0.02 if event == "@search" else 0.15)
        begun = time.perf_counter()
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.03)
        _, errors = process.communicate(timeout=30)
        took = time.perf_counter() - begun
    # A second press may meet Python on its way out, which then dies of the signal: 130 to a shell as well.
    codes = (130,) if presses == 1 else (130, -signal.SIGINT)
    assert process.returncode in codes, errors
    assert took < 5  # a second or so on an idle machine
    assert "Traceback" not in errors
    assert "interrupted" in said(errors)
    assert not (tmp_path / "out.parquet").exists()
    assert strays(tmp_path) == []
    assert temporary_files(tmp_path) == []


@pytest.mark.parametrize("statement", ["@@commit", "@@check/example"])
@pytest.mark.parametrize("kind", ["table", "parquet"])
def test_ctrl_c_after_the_release_stands_does_not_deny_it(
    tmp_path: Path, small: Path, kind: str, statement: str
) -> None:
    if (kind, statement) == ("parquet", "@@commit"):
        statement = "@@release/foreign_values"  # the last that is asked before the file is renamed
    path = tmp_path / "w.duckdb"
    path.write_bytes(small.read_bytes())
    before = content(path, "released")
    flags = ["--output", "released", "--overwrite"] if kind == "table" else ["--output", "out.parquet"]
    code, text = finished(tmp_path, *RUN, "--db", path, *flags, at=statement, action=signal.SIGINT)
    there = (content(path, "released") != before) if kind == "table" else (tmp_path / "out.parquet").exists()
    assert code in (0, 130)
    if code == 0:
        assert there
    elif "nothing was written" in text:
        assert not there
    assert strays(tmp_path) == []


def test_ctrl_c_while_it_starts(tmp_path: Path, small: Path) -> None:
    """Python is still importing: no traceback then either, once our own code runs."""
    flags = [*RUN, "--db", small, "--output", "out.parquet"]
    (tmp_path / "temporary").mkdir()
    for delay in (0.3, 0.5):
        with subprocess.Popen(
            [sys.executable, "-c", DRIVER, json.dumps(["", None]), *map(str, flags)],
            cwd=tmp_path,
            env=environment(TMPDIR=str(tmp_path / "temporary")),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A shell that runs tests in the background has its children ignore SIGINT.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
        assert process.returncode in (0, 1, 130, -signal.SIGINT), errors
        assert strays(tmp_path) == []
        assert temporary_files(tmp_path) == []
        (tmp_path / "out.parquet").unlink(missing_ok=True)


def test_ctrl_c_during_check(tmp_path: Path, large: Path) -> None:
    with started(tmp_path, "check", "--db", large, "--table", "visits", "--qi", "age,zip,visit") as process:
        wait_for(process, "@ready")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        begun = time.perf_counter()
        _, errors = process.communicate(timeout=30)
    assert time.perf_counter() - begun < 5
    assert process.returncode in (1, 130), errors  # 1: it was done already
    assert "Traceback" not in errors
    assert temporary_files(tmp_path) == []
