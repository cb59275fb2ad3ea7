"""A folder with two hierarchy files."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "h").mkdir()
    for name in ("age.csv", "zip.csv"):
        (tmp_path / "h" / name).touch()
    return tmp_path
