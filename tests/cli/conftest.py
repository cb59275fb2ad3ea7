"""Every test here stands in a folder of its own with a warehouse and its hierarchies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli import warehouse


@pytest.fixture(scope="session")
def made_warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    warehouse.make(folder)
    return folder


@pytest.fixture
def folder(made_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy of the warehouse, and the current folder."""
    shutil.copytree(made_warehouse, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
