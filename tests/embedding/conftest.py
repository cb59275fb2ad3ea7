"""A connection as a program of its own would have it: with settings, schemas and objects that must stay."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from tests.sources.support import PEOPLE


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(f"CREATE TABLE people AS {PEOPLE}")
        yield made
