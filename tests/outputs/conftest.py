"""The people in a database, and as a Parquet file beside it; temporary files go where a test can see them."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outputs.support import strays
from tests.sources.conftest import expected  # noqa: F401 - a fixture
from tests.sources.support import People, make_people


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
    """The people in ``people.parquet`` too; afterwards nothing half-made may be left in the folder."""
    made = make_people(tmp_path, "people.parquet")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    yield made
    gc.collect()  # a release in memory is let go of with its result
    assert strays(tmp_path) == []
