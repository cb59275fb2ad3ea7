"""What several rooms of tests share."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

# HYPOTHESIS_PROFILE=thorough looks at many more cases wherever a property does not say how many itself.
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
settings.register_profile("thorough", max_examples=20_000, deadline=None)
if THOROUGH:
    settings.load_profile("thorough")


def pytest_collection_finish() -> None:
    """Thousands of collected tests live to the end: a collection of garbage need not walk them each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data and facts; skips without it, or fails where it is required."""
    folder = Path(os.environ.get("KANON_SHARED") or Path(__file__).parents[2] / "shared")
    if not (folder / "facts").is_dir() or not (folder / "data").is_dir():
        if os.environ.get("KANON_REQUIRE_SHARED") == "1":
            pytest.fail(f"KANON_SHARED is not there: {folder}")
        pytest.skip("KANON_SHARED is not there")
    return folder
