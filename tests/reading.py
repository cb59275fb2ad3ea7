"""Reading a database file on one DuckDB instance that stays: to start one takes longer than most questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

import duckdb

_NUMBERS = count()


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@contextmanager
def reading(path: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A file attached for reading, under a name that no file has; its names need no catalog."""
    escaped, name = str(path).replace("'", "''"), f"inspected_{next(_NUMBERS)}"
    with _instance().cursor() as connection:
        connection.execute(f"ATTACH '{escaped}' AS {name} (READ_ONLY)")
        try:
            connection.execute(f"USE {name}")
            yield connection
        finally:
            connection.execute("USE memory")
            connection.execute(f"DETACH {name}")
