"""``import kanon_sql`` is cheap: nothing heavy is loaded before it is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kanon_sql

HEAVY = ("duckdb", "jinja2", "pyarrow", "pyspark", "rich", "sqlglot", "typer", "yaml")


def loaded_after(code: str) -> set[str]:
    """The top-level packages that a fresh interpreter holds after ``code``, beyond those it starts with."""
    report = "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    home = Path(kanon_sql.__file__).parents[1]

    def run(what: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", f"{what}\n{report}"],
            env={**os.environ, "PYTHONPATH": str(home)},
            capture_output=True,
            text=True,
            check=True,
        )
        return set(json.loads(done.stdout))

    return run(code) - run("pass")


@pytest.mark.parametrize(
    "code",
    [
        "import kanon_sql",
        "import kanon_sql; kanon_sql.__version__, kanon_sql.SpecError, kanon_sql.__all__",
        "import kanon_sql.lattice, kanon_sql.search, kanon_sql.hierarchy, kanon_sql.spec, kanon_sql.measures",
        "import kanon_sql.privacy, kanon_sql.risk, kanon_sql.errors, kanon_sql.names, kanon_sql.cli",
    ],
    ids=["package", "public names", "pure rooms", "more pure rooms"],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    loaded = loaded_after(code)
    assert "kanon_sql" in loaded
    assert loaded & set(HEAVY) == set()


def test_the_api_loads_no_face_and_no_other_engine() -> None:
    assert loaded_after("from kanon_sql import anonymize") & {"typer", "rich", "pyspark"} == set()
