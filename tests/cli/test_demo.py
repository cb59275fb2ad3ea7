"""``kanon-sql demo``, and the commands that it proposes."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.warehouse import environment, query, run, spawn, tables


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo")
    process = spawn("demo", "my demo", cwd=folder)
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    return folder, process.stdout


def test_it_makes_the_files_and_runs_the_job(demo: tuple[Path, str]) -> None:
    folder, text = demo
    made = folder / "my demo"
    assert {path.name for path in made.iterdir()} == {"warehouse.duckdb", "hierarchies", "kanon.yml"}
    counts = tables(made / "warehouse.duckdb")
    assert counts["main.patients"] == 20_000
    assert counts["main.patients_k5"] > 19_000
    assert "20,000 rows in" in text
    assert "verified" in text
    [(least,)] = query(
        "SELECT MIN(n) FROM (SELECT COUNT(*) AS n FROM patients_k5"
        " GROUP BY birth_date, sex, zip, marital_status, race)",
        made / "warehouse.duckdb",
    )
    assert least >= 5


def test_it_refuses_to_overwrite(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    process = spawn("demo", "my demo", cwd=folder)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.startswith("error: my demo: ")
    assert "--overwrite" in process.stderr


def test_the_default_folder_and_overwrite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("demo", "--quiet")
    assert (result.exit_code, result.output) == (0, "")
    assert (tmp_path / "kanon-demo" / "kanon.yml").is_file()
    assert run("demo").exit_code == 2
    result = run("demo", "--overwrite")
    assert result.exit_code == 0, result.output
    assert "patients_k5" in result.stdout


def test_what_the_kanon_yml_says_of_commands_is_true(demo: tuple[Path, str]) -> None:
    folder, _ = demo
    text = (folder / "my demo" / "kanon.yml").read_text(encoding="utf-8")
    commands = [line.split("kanon-sql ", 1)[1] for line in text.splitlines() if "kanon-sql run" in line]
    assert commands
    for command in commands:
        result = spawn(*shlex.split(command), "--dry-run", cwd=folder / "my demo")
        assert result.returncode == 0, (command, result.stderr)


def test_the_next_commands_work(demo: tuple[Path, str]) -> None:
    folder, text = demo
    shim = folder / "bin" / "kanon-sql"
    shim.parent.mkdir(exist_ok=True)
    import sys

    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kanon_sql "$@"\n')
    shim.chmod(0o755)
    commands = [line.strip() for line in text.split("\nNext:\n", 1)[1].splitlines() if line.strip()]
    assert commands[0].startswith("cd ")
    assert {"check", "sql", "run"} == {command.split()[1] for command in commands[1:]}
    for command in commands[1:]:
        process = subprocess.run(
            ["bash", "-c", f"{commands[0]} && {command}"],
            cwd=folder,
            env=environment(PATH=f"{shim.parent}{os.pathsep}{os.environ['PATH']}"),
            capture_output=True,
            text=True,
            timeout=120,
        )
        expected = 1 if "was the table, before?" in command else 0
        assert process.returncode == expected, (command, process.stderr)
        assert process.stdout
    result = spawn("run", "--json", "--dry-run", cwd=folder / "my demo")
    assert json.loads(result.stdout)["rows"] == 20_000
