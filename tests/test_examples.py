"""Every example runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} == {"python_pipeline.py", "gate.sh"}


@pytest.mark.parametrize("name", ["python_pipeline.py", "gate.sh"])
def test_it_runs(name: str, tmp_path: Path) -> None:
    shim = tmp_path / "bin" / "kanon-sql"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kanon_sql "$@"\n')
    shim.chmod(0o755)
    root = str(EXAMPLES.parent)
    env = {**os.environ, "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": root}
    runner = [sys.executable] if name.endswith(".py") else ["bash"]
    run = subprocess.run(
        [*runner, str(EXAMPLES / name)], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert "published" in run.stdout or "a batch of" in run.stdout
