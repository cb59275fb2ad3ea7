"""What several rooms of tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data and facts; skips without it, or fails where it is required."""
    folder = Path(os.environ.get("KANON_SHARED") or Path(__file__).parents[2] / "shared")
    if not (folder / "facts").is_dir() or not (folder / "data").is_dir():
        if os.environ.get("KANON_REQUIRE_SHARED") == "1":
            pytest.fail(f"KANON_SHARED is not there: {folder}")
        pytest.skip("KANON_SHARED is not there")
    return folder
