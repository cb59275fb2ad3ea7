"""The wheel: it holds the templates and the hierarchies, and works with nothing of the checkout beside it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from kanon_sql import __version__

ROOT = Path(__file__).parents[1]
RUN = """
import json, sys
import duckdb
import kanon_sql

connection = duckdb.connect()
connection.execute("CREATE TABLE people AS SELECT i % 2 AS sex, i % 30 AS age FROM RANGE(60) AS r(i)")
result = kanon_sql.anonymize(
    connection, table="people", hierarchies={"age": "builtin:planted"}, keep=["sex"], k=5, output="people_k5"
)
rows = connection.execute("SELECT COUNT(*) FROM people_k5").fetchone()
print(json.dumps([kanon_sql.__file__, result.vector, rows[0]]))
"""


def _run(*command: str, where: Path, path: Path | None = None) -> str:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    done = subprocess.run(command, cwd=where, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _require(modules: Sequence[str]) -> None:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if not missing:
        return
    message = f"the wheel cannot be built: {', '.join(missing)} not installed"
    if os.environ.get("KANON_REQUIRE_SHARED") == "1":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network from a copy of the checkout with one more hierarchy."""
    _require(("build", "hatchling", "pip"))
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy)
    for name in ("kanon_sql", "sql"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    if (ROOT / "hierarchies").is_dir():
        shutil.copytree(ROOT / "hierarchies", copy / "hierarchies")
    planted = copy / "hierarchies" / "planted.csv"
    planted.parent.mkdir(exist_ok=True)
    planted.write_text("".join(f"{age},{age // 10}0s,*\n" for age in range(30)), encoding="utf-8")
    folder = tmp_path_factory.mktemp("dist")
    _run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation"),
        *("--outdir", str(folder), str(copy)),
        where=folder,
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the wheel alone is installed in; its dependencies are those of this environment."""
    target = tmp_path_factory.mktemp("installed")
    _run(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
        *("--target", str(target), str(wheel)),
        where=target,
    )
    return target


def _files(folder: str, suffix: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(f"*{suffix}")}


def test_the_wheel_is_named_after_the_version(wheel: Path) -> None:
    assert wheel.name == f"kanon_sql-{__version__}-py3-none-any.whl"


def test_the_wheel_holds_the_package_and_nothing_beside_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/", 1)[0] for name in archive.namelist()}
    assert tops == {"kanon_sql", f"kanon_sql-{__version__}.dist-info"}


def test_what_is_not_python_is_inside_the_package(wheel: Path) -> None:
    templates, hierarchies = _files("sql", ".sql.j2"), _files("hierarchies", ".csv")
    assert templates
    wanted = {f"kanon_sql/{name}" for name in templates | hierarchies | {"hierarchies/planted.csv"}}
    with zipfile.ZipFile(wheel) as archive:
        assert wanted <= set(archive.namelist())


def test_python_files_and_what_stands_beside_them_are_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert _files("kanon_sql", ".py") | {"kanon_sql/py.typed", "kanon_sql/demo/kanon.yml"} <= held


def test_the_installed_command_says_its_version(installed: Path, tmp_path: Path) -> None:
    scripts = [path for path in installed.rglob("kanon-sql*") if path.parent.name in ("bin", "Scripts")]
    assert len(scripts) == 1
    assert _run(str(scripts[0]), "--version", where=tmp_path, path=installed).split() == [
        "kanon-sql",
        __version__,
    ]


def test_the_installed_package_makes_a_release(installed: Path, tmp_path: Path) -> None:
    home, vector, rows = json.loads(_run(sys.executable, "-c", RUN, where=tmp_path, path=installed))
    assert Path(home).is_relative_to(installed)
    assert vector == {"age": 1}
    assert rows == 60


def test_the_installed_demo_works(installed: Path, tmp_path: Path) -> None:
    _run(sys.executable, "-m", "kanon_sql", "demo", "--quiet", where=tmp_path, path=installed)
    assert (tmp_path / "kanon-demo" / "warehouse.duckdb").is_file()


# -- the version ------------------------------------------------------------------------------------------


def test_the_command_line_says_the_version(tmp_path: Path) -> None:
    said = _run(sys.executable, "-m", "kanon_sql", "--version", where=tmp_path, path=ROOT)
    assert said.split() == ["kanon-sql", __version__]


def test_the_changelog_starts_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## +\[?v?(\d+\.\d+\.\d+\S*?)\]?(?=\s|$)", text, re.MULTILINE)
    assert headings, "CHANGELOG.md has no heading such as `## 0.1.0`"
    assert headings[0] == __version__
