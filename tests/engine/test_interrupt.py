"""Ctrl-C (DESIGN 5.12, 9): exit 130 at once, and the old release or none."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

import kanon_sql
from kanon_sql.backends import duckdb_opening as backend
from tests.engine.support import lines, make, tables
from tests.forked import Forked

CHECKOUT = Path(kanon_sql.__file__).parents[1]

# The command line, telling on stdout of every event; with an argument it interrupts itself at that event.
DRIVER = """
import os, signal, sys
import kanon_sql.api as api
from kanon_sql.cli import main
at, real = sys.argv.pop(1), api.run

def run(*given, **words):
    shown = words.pop("progress", None)
    def progress(event):
        if shown:
            shown(event)
        name = getattr(event, "name", type(event).__name__)
        print(name, flush=True)
        if name == at and not (at == "StatementProgress" and event.percent >= 100):
            os.kill(os.getpid(), signal.SIGINT)
    return real(*given, **words, progress=progress)

api.run = run
main()
"""


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The folder for temporary files of the run."""
    (tmp_path / "tmp").mkdir()
    return tmp_path / "tmp"


@contextmanager
def started(scratch: Path, at: str, *arguments: str) -> Iterator[Forked]:
    """``kanon-sql run`` in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TMPDIR": str(scratch)}
    command = [at, "run", "--no-progress", *arguments]
    process = Forked(command, cwd=scratch, env=environment, driver=DRIVER)
    try:
        yield process
    finally:
        process.close()


def assert_clean(
    process: Forked,
    scratch: Path,
    path: Path,
    left: list[str],
    codes: tuple[int, ...] = (130,),
) -> None:
    """It was interrupted, said so, and left the database and the temporary folder as they were."""
    _, errors = process.communicate(timeout=60)
    assert process.returncode in codes, errors
    assert "interrupted" in errors
    assert "Traceback" not in errors
    assert [file.name for file in path.parent.glob("*.wal*")] == []
    assert tables(path) == left
    assert list(scratch.iterdir()) == []
    with duckdb.connect(str(path)) as connection:  # it can be written to
        connection.execute("CREATE TABLE later AS SELECT 1 AS x")


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """15 quasi-identifiers of height 4: 30 billion vectors."""
    folder = tmp_path_factory.mktemp("wide")
    chance, count = random.Random(7), 15
    tree = [f"{v};a{v // 2};b{v // 4};c{v // 8};*" for v in range(16)]
    rows = [[min(int(chance.expovariate(0.35)), 15) for _ in range(count)] for _ in range(4000)]
    source = lines(folder / "rows.csv", *(",".join(map(str, row)) for row in rows))
    names = [f"q{i}" for i in range(count)]
    path = make(
        folder / "wide.duckdb",
        f"CREATE TABLE t AS FROM read_csv('{source}', header = false, names = {names})",
    )
    file = lines(folder / "tree.csv", *tree)
    arguments = [
        "--db",
        str(path),
        "--table",
        "t",
        "--k",
        "5",
        "--max-suppression",
        "2%",
        "--output",
        "released",
    ]
    arguments += ["--qi", ",".join(names)]
    for name in names:
        arguments += ["--hierarchy", f"{name}={file}"]
    return path, arguments


@pytest.mark.parametrize("presses", [1, 3])
def test_ctrl_c_during_a_long_search(wide: tuple[Path, list[str]], scratch: Path, presses: int) -> None:
    path, arguments = wide
    make(path, "DROP TABLE IF EXISTS later")
    with started(scratch, "-", *arguments) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line == "SearchProgress\n":
                break
        time.sleep(0.7)
        assert process.poll() is None, "the search was too short for this test"
        begun = time.perf_counter()
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        process.wait(timeout=30)
        took = time.perf_counter() - begun
        # A further press may meet Python on its way out, which dies of the signal: 130 to a shell as well.
        codes = (130,) if presses == 1 else (130, -signal.SIGINT)
        assert_clean(process, scratch, path, ["t"], codes)
    assert took < 2.5


SMALL = [
    "CREATE TABLE t AS SELECT i % 3 AS age, i % 5 AS zip, 'v' || i AS visit FROM range(3000) AS n(i)",
    "CREATE TABLE released AS SELECT 'old' AS was",
]


@pytest.mark.parametrize("plan", ["frequency", "direct"])
@pytest.mark.parametrize(
    "phase", ["hierarchies", "frequency_set", "search", "SearchProgress", "release", "verification"]
)
def test_ctrl_c_in_any_phase_keeps_the_old_release(
    tmp_path: Path, scratch: Path, phase: str, plan: str
) -> None:
    path = make(tmp_path / "w.duckdb", *SMALL)
    arguments = ["--db", str(path), "--table", "t", "--qi", "age,zip", "--output", "released", "--overwrite"]
    with started(scratch, phase, *arguments, "--plan", plan) as process:
        assert_clean(process, scratch, path, ["released", "t"])
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("FROM released").fetchall() == [("old",)]


def test_ctrl_c_while_the_release_is_written(tmp_path: Path, scratch: Path) -> None:
    path = make(tmp_path / "w.duckdb", SMALL[0].replace("3000", "3000000"))
    arguments = [
        "--db",
        str(path),
        "--table",
        "t",
        "--qi",
        "age,zip",
        "--keep",
        "visit",
        "--output",
        "released",
    ]
    with started(scratch, "StatementProgress", *arguments) as process:
        assert_clean(process, scratch, path, ["t"])


def test_without_ctrl_c_the_same_run_succeeds(tmp_path: Path, scratch: Path) -> None:
    """Or the tests above would pass for another reason."""
    path = make(tmp_path / "w.duckdb", *SMALL)
    arguments = ["--db", str(path), "--table", "t", "--qi", "age,zip", "--output", "released", "--overwrite"]
    with started(scratch, "-", *arguments) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert {"hierarchies", "frequency_set", "search", "SearchProgress", "release", "verification"} <= set(
        output.split("\n")
    )
    assert tables(path) == ["released", "t"]
    assert list(scratch.iterdir()) == []


class Late(Future[int]):
    """A future whose work ends just after a wait for it ran out."""

    def result(self, timeout: float | None = None) -> int:
        if not self.done():
            self.set_result(7)
            raise TimeoutError
        return super().result(timeout)


def test_a_statement_that_ends_as_the_wait_for_it_does(tmp_path: Path) -> None:
    """Seen for real with POLL_SECONDS = 0.00015 and sys.setswitchinterval(1e-6); here it is made to happen."""
    engine = backend.open_file(make(tmp_path / "w.duckdb", *SMALL))
    try:
        assert engine._wait(Late(), None) == 7
    finally:
        engine.close()


def test_an_error_in_a_callback_while_a_statement_runs_frees_the_file(tmp_path: Path) -> None:
    path = make(tmp_path / "w.duckdb", SMALL[0].replace("3000", "1500000"))

    class Stop(Exception):
        pass

    def fail(event: object) -> None:
        if isinstance(event, kanon_sql.api.StatementProgress):
            raise Stop

    words = {"table": "t", "quasi_identifiers": ["age", "zip"], "keep": ["visit"], "output": "released"}
    with pytest.raises(Stop):
        kanon_sql.anonymize(path, progress=fail, **words)
    assert tables(path) == ["t"]
