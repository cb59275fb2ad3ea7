"""Every kind of output is replaced whole or not at all: the old release is intact whatever fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import KanonError, SpecError, VerificationError
from tests.outputs.support import at, digest, strays, write_source
from tests.sources.support import PEOPLE, People, sql


@dataclass(frozen=True)
class Kind:
    """One kind of output: the words that ask for it, and how its content is read."""

    words: dict[str, Any]
    content: Callable[[Path], object]
    database: str | None = None


def _file(name: str) -> Kind:
    return Kind({"output": name}, lambda folder: digest(folder / name))


def _rows(database: str, table: str) -> Callable[[Path], object]:
    return lambda folder: sql(f"FROM {table} ORDER BY ALL", folder / database)


KINDS = {
    "table": Kind({"output": "released"}, _rows("w.duckdb", "released"), "w.duckdb"),
    "output_db": Kind({"output": "released", "output_db": "other.duckdb"}, _rows("other.duckdb", "released")),
    "parquet": _file("out.parquet"),
    "csv.gz": _file("out.csv.gz"),
    "partitions": Kind({"output": "out.parquet", "partition_by": ["sex"]}, lambda f: digest(f / "out.parquet")),
}  # fmt: skip


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


def release(people: People, kind: Kind, **more: Any) -> Any:
    database = people.folder / kind.database if kind.database else None
    return people.run(database, **{"table": Path("people.parquet").resolve(), **kind.words, **more})


FEWER = f"FROM ({PEOPLE}) WHERE id < 300"
SWAPPED = f"SELECT * REPLACE (CASE WHEN id < 40 THEN 'x' ELSE sex END AS sex) FROM ({PEOPLE})"


@pytest.mark.parametrize(
    ("phase", "change"),
    [("release", FEWER), ("verification", FEWER), ("release", SWAPPED)],
    ids=["fewer rows", "fewer rows, late", "other values"],
)
def test_a_source_that_changes_meanwhile(people: People, kind: Kind, phase: str, change: str) -> None:
    release(people, kind)
    before = kind.content(people.folder)
    swap = at(phase, lambda: write_source(people.folder / "people.parquet", change))
    with pytest.raises(VerificationError) as refused:
        release(people, kind, overwrite=True, progress=swap)
    assert refused.value.exit_code == 7
    assert kind.content(people.folder) == before
    assert strays(people.folder) == []


def test_a_source_that_breaks_while_it_is_written(people: People, kind: Kind) -> None:
    release(people, kind)
    before = kind.content(people.folder)
    source = people.folder / "people.parquet"
    cut = at("release", lambda: source.write_bytes(source.read_bytes()[:900]))
    with pytest.raises(KanonError) as refused:
        release(people, kind, overwrite=True, progress=cut)
    assert refused.value.exit_code in (4, 6)
    assert kind.content(people.folder) == before
    assert strays(people.folder) == []


@pytest.mark.parametrize("phase", ["search", "release", "verification"])
def test_an_interrupt(people: People, kind: Kind, phase: str) -> None:
    release(people, kind)
    before = kind.content(people.folder)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        release(people, kind, overwrite=True, progress=at(phase, stop))
    assert kind.content(people.folder) == before
    assert strays(people.folder) == []
    assert list((people.folder / "temporary").iterdir()) == []


def test_a_first_release_that_fails_leaves_nothing(people: People, kind: Kind) -> None:
    swap = at("verification", lambda: write_source(people.folder / "people.parquet", FEWER))
    before = sorted(p.name for p in people.folder.iterdir())
    with pytest.raises(VerificationError):
        release(people, kind, progress=swap)
    assert sorted(p.name for p in people.folder.iterdir()) == before


@pytest.mark.parametrize("name", ["parquet", "csv.gz", "partitions"])
def test_the_old_release_is_there_until_the_new_one_is(people: People, name: str) -> None:
    """Nobody who looks meanwhile finds nothing, or half of something."""
    kind = KINDS[name]
    release(people, kind)
    before = kind.content(people.folder)
    seen: list[object] = []
    look = at("verification", lambda: seen.append(kind.content(people.folder)))
    release(people, kind, overwrite=True, k=6, progress=look)
    assert seen == [before]
    assert kind.content(people.folder) != before


def test_a_file_that_comes_into_being_meanwhile(people: People) -> None:
    kind = KINDS["parquet"]
    place = people.folder / "out.parquet"
    with pytest.raises(SpecError, match="meanwhile"):
        release(people, kind, progress=at("verification", lambda: place.write_bytes(b"mine")))
    assert place.read_bytes() == b"mine"


def test_a_folder_that_goes_away_meanwhile(people: People) -> None:
    place = people.folder / "there"
    place.mkdir()
    kind = Kind({"output": place / "out.parquet"}, digest)
    with pytest.raises(KanonError) as refused:
        release(people, kind, progress=at("release", lambda: shutil.rmtree(place)))
    assert refused.value.exit_code in (2, 6)
    assert not place.exists()
