"""The documents keep their word: every block of the README runs, every command and option is explained."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from kanon_sql.cli.app import app
from kanon_sql.spec import resolve_spec
from tests.cli.warehouse import run

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
FENCE = re.compile(
    r"^(?P<fence>```+)[ \t]*(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.M | re.S
)
EXIT = re.compile(r"#.*\bexit (\d+)")
# What sets the package up, or would run these tests within themselves.
SET_UP = re.compile(r"\b(pip install|git clone|pytest|python3? -m venv|activate|\.ci/run|uv )\b|\.ci/run")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line of the README on which the text starts."""

    language: str
    text: str
    line: int


def blocks(*languages: str) -> list[Block]:
    text = README.read_text(encoding="utf-8")
    found = [
        Block(each["language"], each["text"], text[: each.start("text")].count("\n") + 1)
        for each in FENCE.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def commands(block: Block) -> Iterator[tuple[int, str]]:
    """The commands of a shell block with their lines: continued lines and here-documents are one."""
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        first, line = at, lines[at]
        if block.language == "console":
            if not line.startswith("$ "):  # output
                at += 1
                continue
            line = line[2:]
        while line.endswith("\\"):
            at += 1
            line = line[:-1] + lines[at].lstrip("> ")
        here = re.search(r"<<-?\s*['\"]?(\w+)['\"]?", line)
        while here and lines[at].strip() != here[1]:
            at += 1
            line += "\n" + lines[at]
        at += 1
        if line.strip() and not line.lstrip().startswith("#"):
            yield block.line + first, line


def without_set_up(command: str) -> str:
    """The parts of ``a && b`` that do not set the package up."""
    code = re.split(r"\s#", command, maxsplit=1)[0]
    if not SET_UP.search(code):
        return command
    return " && ".join(part for part in code.split(" && ") if not SET_UP.search(part))


class Shell:
    """One folder in which commands run one after the other; ``cd`` and exported names persist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / ".state"
        shim = folder / ".bin" / "kanon-sql"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kanon_sql "$@"\n')
        shim.chmod(0o755)
        for name in ("python", "python3"):
            (shim.parent / name).symlink_to(sys.executable)
        self.cwd = folder / "work"
        self.cwd.mkdir()
        path = os.pathsep.join(each for each in (str(ROOT), os.environ.get("PYTHONPATH")) if each)
        self.environment = {
            **os.environ,
            "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": path,
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, command: str, *, here: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a command; ``here`` runs one that is ``kanon-sql`` and nothing else in this process."""
        words = shlex.split(command, comments=True)
        if here and words[0] == "kanon-sql" and not any(set(word) & set("*?|&;<>$`") for word in words):
            with contextlib.chdir(self.cwd):
                done = run(*words[1:])
            failed = done.exception if not isinstance(done.exception, SystemExit) else None
            crashed = "".join(traceback.format_exception(failed)) if failed else ""
            return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr + crashed)
        script = f"{command}\nstatus=$?\npwd > {shlex.quote(str(self.state))}\nexit $status\n"
        return self._call(["bash", "-c", script])

    def python(self, text: str) -> subprocess.CompletedProcess[str]:
        return self._call([sys.executable, "-c", text])

    def _call(self, args: list[str]) -> subprocess.CompletedProcess[str]:
        process = subprocess.run(
            args,
            cwd=self.cwd,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            stdin=subprocess.DEVNULL,
        )
        if self.state.exists():
            self.cwd = Path(self.state.read_text().rstrip("\n"))
        return process


def test_every_command_and_every_python_block_of_the_readme_runs(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    ran, python = 0, 0
    failures = []
    for block in blocks("bash", "sh", "shell", "console", "python"):
        if block.language == "python":
            process = shell.python(block.text)
            python += 1
            if process.returncode:
                failures.append(f"README.md:{block.line}: the python block fails:\n{process.stderr}")
            continue
        for line, command in commands(block):
            wanted = without_set_up(command)
            if not wanted.strip():
                continue
            expected = EXIT.search(command)
            # The first few in processes of their own; of the others, most of the time would be Python's start.
            process = shell.run(wanted, here=ran >= 4)
            ran += 1
            if process.returncode != (int(expected[1]) if expected else 0):
                failures.append(f"README.md:{line}: {command}: exit {process.returncode}\n{process.stderr}")
            if "Traceback" in process.stderr:
                failures.append(f"README.md:{line}: {command}: a traceback\n{process.stderr}")
    assert not failures, "\n".join(failures)
    assert ran >= 5
    assert python >= 1


def test_every_spec_of_the_readme_resolves(tmp_path: Path) -> None:
    specs = 0
    for block in blocks("yaml", "yml"):
        words = yaml.safe_load(block.text)
        if not isinstance(words, dict) or not words.keys() & {"table", "k", "quasi_identifiers", "db"}:
            continue
        specs += 1
        for path in re.findall(r"[\w./-]+\.csv", block.text):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text("a,*\n")
        (tmp_path / "kanon.yml").write_text(block.text, encoding="utf-8")
        spec = resolve_spec(file=Path("kanon.yml"), base=tmp_path)
        if "quasi_identifiers" in words:
            assert len(spec.quasi_identifiers) == len(words["quasi_identifiers"])
    assert specs >= 1


def test_every_word_of_the_spec_is_in_the_readme() -> None:
    from kanon_sql.spec.words import QI_WORDS, TOP_WORDS, model_column_words

    text = README.read_text(encoding="utf-8")
    for words in (TOP_WORDS, QI_WORDS, model_column_words()):
        for word in words.values():
            if not word.file_hint:
                assert re.search(rf"\b{word.name}\b", text), word.name


# -- the command line's own words -------------------------------------------------------------------------


def every_command() -> dict[str, Any]:
    """Every command by its name; one of a group has two words."""
    root: Any = typer.main.get_command(app)
    found: dict[str, Any] = {}
    for name, command in root.commands.items():
        inner = getattr(command, "commands", None)
        found |= {name: command} if inner is None else {f"{name} {each}": inner[each] for each in inner}
    return found


def options(command: Any) -> list[Any]:
    return [parameter for parameter in command.params if parameter.param_type_name == "option"]


def test_there_are_commands() -> None:
    assert set(every_command()) >= {"run", "sql", "check", "demo"}
    assert len(options(every_command()["run"])) >= 20


def test_every_command_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name in every_command():
        assert re.search(rf"kanon-sql {name}\b", text), name


@pytest.mark.parametrize("name", sorted(every_command()))
def test_every_command_and_option_is_explained(name: str) -> None:
    command = every_command()[name]
    assert command.help
    for parameter in command.params:
        assert parameter.help, f"{name} {parameter.name}"
        assert not getattr(parameter, "hidden", False), f"{name} {parameter.name}"


@pytest.mark.parametrize("name", ["", *sorted(every_command())])
def test_the_help_shows_every_option_and_an_example(name: str) -> None:
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, [*name.split(), "--help"], prog_name="kanon-sql")
    assert result.exit_code == 0
    if not name:
        for each in every_command():
            assert each.split()[0] in result.stdout
        assert "kanon-sql demo" in result.stdout
        return
    for option in options(every_command()[name]):
        assert option.opts[0] in result.stdout
    words = " ".join(result.stdout.split())
    _, found, example = words.partition("Example")
    assert found
    assert f"kanon-sql {name}" in example


@pytest.mark.parametrize("name", sorted(every_command()))
def test_the_examples_of_the_help_are_well_formed(name: str) -> None:
    """Each example parses: its options exist and take what they are given."""
    command = every_command()[name]
    examples = re.findall(r"^  (kanon-sql .*)$", command.epilog, re.M)
    assert examples
    for example in examples:
        program, *words = shlex.split(example)
        named, args = words[: len(name.split())], words[len(name.split()) :]
        assert (program, " ".join(named)) == ("kanon-sql", name)
        context = command.make_context(name, args)
        assert context.args == []


def test_every_exit_code_is_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for code in (0, 1, 2, 3, 4, 5, 6, 7, 130):
        assert re.search(rf"^\|\s*`?{code}`?\s*\|", text, re.M), code


def test_every_error_has_an_exit_code_of_the_readme() -> None:
    from kanon_sql import errors

    codes = {int(code) for code in re.findall(r"^\|\s*`?(\d+)`?\s*\|", README.read_text(), re.M)}
    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    assert {kind.exit_code for kind in kinds if issubclass(kind, errors.KanonError)} <= codes


def test_links_within_the_repository_lead_somewhere() -> None:
    for document in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
