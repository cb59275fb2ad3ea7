"""No room: on the disk of the release, in the temporary folder, in memory."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import pytest

from tests.faults.support import RUN, content, finished, make_visits, temporary_files
from tests.outputs.support import digest, strays, tables

MEGABYTE = 1_000_000


@cache
def can_mount() -> bool:
    """Whether this user may mount a small disk of its own."""
    done = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"], capture_output=True
    )
    return done.returncode == 0 and shutil.which("umount") is not None


@dataclass(frozen=True)
class Disk:
    """A folder with little room in it.

    Attributes:
        folder: the folder.
        limit: beyond what size no file of a process may grow there (None: the disk itself is small).
    """

    folder: Path
    limit: int | None = None


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_visits(tmp_path_factory.mktemp("space") / "w.duckdb", 60_000)


# A real small disk where one can be mounted, and everywhere a limit on the size of files.
KINDS = ["disk", "limit"] if can_mount() else ["limit"]


@pytest.fixture(params=KINDS)
def disk(request: pytest.FixtureRequest, tmp_path: Path, visits: Path) -> Iterator[Disk]:
    """Room for the database and hardly more."""
    size = visits.stat().st_size
    folder = tmp_path / "disk"
    folder.mkdir()
    if request.param == "limit":
        shutil.copy(visits, folder / "w.duckdb")
        yield Disk(folder, size + MEGABYTE // 2)
        return
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size + MEGABYTE // 2}", "tmpfs", folder], check=True
    )
    try:
        shutil.copy(visits, folder / "w.duckdb")
        yield Disk(folder)
    finally:
        subprocess.run(["umount", folder], check=True)


def refused(folder: Path, *flags: str | Path, limit: int | None) -> str:
    """A run that must end with exit 6 and one line."""
    code, text = finished(folder, *RUN, *flags, file_limit=limit)
    assert code == 6, (code, text)
    assert len(text.splitlines()) == 1
    assert temporary_files(folder) == []
    return text


def test_a_table_on_a_full_disk(tmp_path: Path, disk: Disk) -> None:
    path = disk.folder / "w.duckdb"
    text = refused(tmp_path, "--db", path, "--output", "released", "--overwrite", limit=disk.limit)
    assert "the disk is full" in text
    assert content(path, "released")[:2] == (["was"], 1)
    assert tables(path) == ["main.released", "main.visits"]
    assert strays(tmp_path) == []
    if disk.limit:  # where there is room again, the next run succeeds
        assert finished(tmp_path, *RUN, "--db", path, "--output", "released", "--overwrite")[0] == 0


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "folder.parquet"])
def test_a_file_on_a_full_disk(tmp_path: Path, visits: Path, disk: Disk, name: str) -> None:
    output, more = disk.folder / name, []
    if name == "folder.parquet":
        (output / "age=9").mkdir(parents=True)
        (output / "age=9" / "old.parquet").write_bytes(b"old")
        more = ["--partition-by", "age"]
    else:
        output.write_bytes(b"old")
    (disk.folder / "w.duckdb").rename(disk.folder / "ballast")
    before = digest(disk.folder)
    limit = MEGABYTE // 2 if disk.limit else None
    text = refused(tmp_path, "--db", visits, "--output", output, "--overwrite", *more, limit=limit)
    assert "the disk is full" in text
    assert digest(disk.folder) == before
    assert strays(disk.folder) == []


@pytest.mark.parametrize("there", [False, True])
def test_another_database_on_a_full_disk(tmp_path: Path, visits: Path, disk: Disk, there: bool) -> None:
    other = disk.folder / "other.duckdb"
    (disk.folder / "w.duckdb").rename(disk.folder / "ballast")
    if there:
        with duckdb.connect(str(other)) as connection:
            connection.execute("CREATE TABLE released AS SELECT 'old' AS was")
    limit = MEGABYTE if disk.limit else None
    flags = ["--output-db", other, "--output", "released", "--overwrite"]
    text = refused(tmp_path, "--db", visits, *flags, limit=limit)
    assert "the disk is full" in text
    if there:
        assert content(other, "released")[:2] == (["was"], 1)
    else:
        assert not other.exists()
    # A log of its own, of a commit that was none, DuckDB clears away when it next opens the file.
    assert [name for name in strays(disk.folder) if name != "other.duckdb.wal"] == []


def test_a_manifest_on_a_full_disk(tmp_path: Path, visits: Path) -> None:
    """It comes after the release: the release stands, and the message may not say otherwise."""
    path = tmp_path / "w.duckdb"
    shutil.copy(visits, path)
    code, text = finished(
        tmp_path, *RUN, "--db", path, "--output", "released", "--overwrite", "--manifest", "/dev/full/m.json"
    )
    assert code == 2
    assert content(path, "released")[:2] == (["was"], 1)
    assert len(text.splitlines()) == 1


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nearly unique keys: a group-by of them needs more memory than it is given below."""
    path = tmp_path_factory.mktemp("wide") / "w.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visits AS SELECT i AS age, i % 7 AS zip, md5(CAST(i AS VARCHAR)) AS visit"
            " FROM range(400000) AS n(i)"
        )
    return path


def test_memory_that_is_too_small(tmp_path: Path, wide: Path) -> None:
    flags = ["--db", wide, "--output", "out.parquet", "--memory-limit", "10MB"]
    text = refused(tmp_path, *flags, limit=None)
    assert "memory" in text
    assert "raise its memory limit" in text
    assert not (tmp_path / "out.parquet").exists()
    assert strays(tmp_path) == []


def test_memory_that_is_small_spills(tmp_path: Path, wide: Path) -> None:
    (tmp_path / "spill").mkdir()
    flags = ["--db", wide, "--output", "out.parquet", "--memory-limit", "60MB", "--threads", "1"]
    code, text = finished(tmp_path, *RUN, *flags, "--temp-directory", "spill")
    assert (code, text) == (0, "")
    assert list((tmp_path / "spill").iterdir()) == []
    assert temporary_files(tmp_path) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_temporary_folder_that_is_full(tmp_path: Path, wide: Path, kind: str) -> None:
    spill = tmp_path / "spill"
    spill.mkdir()
    if kind == "disk":
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", spill], check=True)
    try:
        flags = [
            "--db",
            wide,
            "--output",
            "out.parquet",
            "--memory-limit",
            "50MB",
            "--temp-directory",
            "spill",
        ]
        text = refused(tmp_path, *flags, limit=MEGABYTE // 4 if kind == "limit" else None)
        assert "full" in text
        if kind == "disk":
            assert "temporary directory" in text
        assert not (tmp_path / "out.parquet").exists()
        assert list(spill.iterdir()) == []
    finally:
        if kind == "disk":
            subprocess.run(["umount", spill], check=True)


@pytest.mark.parametrize("where", ["nowhere", "w.duckdb", "/proc"])
def test_a_temporary_folder_that_cannot_be(tmp_path: Path, visits: Path, where: str) -> None:
    shutil.copy(visits, tmp_path / "w.duckdb")
    code, text = finished(tmp_path, *RUN, "--db", "w.duckdb", "--temp-directory", where, "--dry-run")
    assert code in (2, 6), text
    assert len(text.splitlines()) == 1, text


@pytest.mark.parametrize(
    ("option", "value"),
    [("--memory-limit", "much"), ("--threads", "0"), ("--threads", "x")],
)
def test_settings_that_make_no_sense(tmp_path: Path, visits: Path, option: str, value: str) -> None:
    code, text = finished(tmp_path, *RUN, "--db", visits, option, value, "--dry-run")
    assert code == 2, text
    assert len(text.splitlines()) == 1
    assert temporary_files(tmp_path) == []
