"""A privacy model of another package, installed beside kanon-sql and found by its entry point."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.compiler.render import environment
from kanon_sql.privacy.registry import model_words
from tests.engine.support import lines, make, query, tables
from tests.sources.support import ROOT, command_anew, invoke, only_line

PACKAGE = Path(__file__).parent / "other_package" / "toy_models"
POINTS = {
    "at_most_values": "toy_models:AtMostValues",
    "at_least_counted": "toy_models:AtLeastCounted",
    "of_common_values": "toy_models:OfCommonValues",
}
OTHERS = ("toy_models", "second_models")
SOURCE = (
    "CREATE TABLE t AS SELECT i % 6 AS a, CASE WHEN i % 6 = 5 THEN 'v' || i ELSE ['x', 'y', NULL][1 + i % 3] END"
    " AS s, i AS who, 'p' || i AS visit FROM range(60) AS n(i)"
)
AGES = [f"{a};{a // 3};*" for a in range(6)]


class Site:
    """A folder that stands in PYTHONPATH as site-packages do: a package, its metadata, a database to run on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = make(folder / "w.duckdb", SOURCE)
        self.flags: list[str | Path] = ["--db", self.database, "--table", "t", "--qi", "a", "--hierarchy"]
        self.flags += [f"a={lines(folder / 'a.csv', *AGES)}", "--k", "2"]

    def install(self, points: dict[str, str] | None = None, name: str = "toy_models", code: str = "") -> None:
        """Put the package there under a name, with more code at its end, and the entry points given."""
        if not (self.folder / name).exists():
            shutil.copytree(PACKAGE, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        with (self.folder / name / "__init__.py").open("a", encoding="utf-8") as module:
            module.write(f"\n{code}\n")
        info = self.folder / f"{name}-1.0.dist-info"
        info.mkdir()
        lines(info / "METADATA", "Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0")
        said = [f"{word} = {where}" for word, where in (POINTS if points is None else points).items()]
        lines(info / "entry_points.txt", "[kanon_sql.privacy_models]", *said)

    def template(self, text: str | None) -> None:
        """Change the template of at_most_values, or remove it."""
        path = self.folder / "toy_models" / "sql" / "at_most_values.sql.j2"
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")

    def command(
        self, job: str, *more: str, model: str | None = None, real: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """``kanon-sql`` where the package is installed: in this process as in a fresh one, or in a real one."""
        flags = [*self.flags, *(["--model", model] if model is not None else []), *more]
        if job == "check":
            flags.remove("--hierarchy")
            flags = [flag for flag in flags if not str(flag).startswith("a=")]
        if real:
            where = os.pathsep.join([str(ROOT), str(self.folder)])
            return command_anew(job, *flags, cwd=self.folder, env={"PYTHONPATH": where})
        forget()
        return invoke(job, *flags)

    def python(self, script: str) -> Any:
        """What a script prints, as JSON, in a process where the package is installed."""
        where = os.pathsep.join([str(ROOT), str(self.folder)])
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": where},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refused(
        self, model: str = "s=at_most_values: 2", *, job: str = "run", code: int = 2, real: bool = False
    ) -> str:
        """The one line that a command is refused with; nothing is released."""
        done = self.command(job, *(["--output", "released"] if job == "run" else []), model=model, real=real)
        assert done.returncode == code, done.stderr[-500:]
        assert tables(self.database) == ["t"]
        return only_line(done)


def forget() -> None:
    """Neither packages nor models nor templates of others have been looked at."""
    for name in [name for name in sys.modules if name.partition(".")[0] in OTHERS]:
        del sys.modules[name]
    importlib.invalidate_caches()
    model_words.cache_clear()
    parsed = environment().cache
    assert parsed is not None
    for key in [key for key in parsed if str(key[1]).partition(":")[0] in OTHERS]:
        del parsed[key]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Its folder is the current one, and on the path."""
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        patch.syspath_prepend(tmp_path)
        yield Site(tmp_path)
    forget()


@pytest.fixture
def installed(site: Site) -> Site:
    """With the package in it."""
    site.install()
    return site


def values_by_class(site: Site, size: int) -> dict[int, set[str | None]]:
    """The distinct values of each class that the ages make, generalized to groups of a size."""
    found = defaultdict(set)
    for age, value in query(site.database, "SELECT a, s FROM t"):
        found[age // size].add(value)
    return found


# ---------------------------------------------------------------- it works


@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_run(installed: Site, plan: str) -> None:
    """Of ages 0 to 5 each holds one value, but for 5, which holds ten."""
    sizes = {age: len(values) for age, values in values_by_class(installed, 1).items()}
    assert sizes == {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 10}
    done = installed.command(
        "run", "--output", "released", "--max-suppression", "20", "--plan", plan, "--json", "--manifest", "m.json",
        model="s=at_most_values: 1", real=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["vector"], told["suppressed"], told["height"]) == ({"a": 0}, 10, 0)
    assert told["search"]["method"] == "height by height"
    assert "at_most_values" in told["search"]["why"]
    assert query(installed.database, "SELECT DISTINCT a FROM released ORDER BY 1") == [(a,) for a in range(5)]
    assert "at_most_values" in (installed.folder / "m.json").read_text()


def test_run_at_a_spec_file(installed: Site) -> None:
    lines(
        installed.folder / "kanon.yml", "db: w.duckdb", "table: t", "k: 2", "max_suppression: 20",
        "output: released", "quasi_identifiers:", "  a: a.csv", "sensitive:", "  s:",
        "    - at_most_values: {n: 1}", "    - at_least_counted: {n: 3}", "    - nulls: ignore",
    )  # fmt: skip
    installed.flags = []
    done = installed.command("run")
    assert done.returncode == 0, done.stderr
    # NULLs alone are no value: ages 2 (and 5, of ten values) leave.
    assert query(installed.database, "SELECT DISTINCT a FROM released ORDER BY 1") == [(0,), (1,), (3,), (4,)]


def test_a_model_that_is_monotone_is_searched_by_halves(installed: Site) -> None:
    done = installed.command(
        "run",
        "--output",
        "released",
        "--max-suppression",
        "20",
        "--json",
        model="s=at_least_counted: {n: 11}",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["vector"] == {"a": 1}
    assert told["search"]["method"] != "height by height"


def test_a_template_with_rows_of_its_own(installed: Site) -> None:
    counts = Counter(value for (value,) in query(installed.database, "SELECT s FROM t"))
    assert {value: n for value, n in counts.items() if n >= 6} == {"x": 20, "y": 20, None: 10}
    done = installed.command(
        "run", "--output", "released", "--max-suppression", "20", "--json", model="s=of_common_values: 0.2"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["suppressed"] == 20
    kept = query(installed.database, "SELECT DISTINCT s FROM released ORDER BY 1")
    assert kept == [("x",), ("y",)]


def test_check(installed: Site) -> None:
    done = installed.command("check", "--json", model="s=at_most_values: 1")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    [verdict] = told["models"]
    assert verdict == {
        "column": "s",
        "model": "at_most_values (n 1)",
        "satisfied": False,
        "violating_classes": 1,
        "violating_rows": 10,
    }
    assert told["reached"]["s"]["distinct_l"] == 1
    assert installed.command("check", model="s=at_most_values: 10").returncode == 0


def test_sql_is_what_runs(installed: Site) -> None:
    done = installed.command("sql", "--vector", "a=1", model="s=at_most_values: 1")
    assert done.returncode == 0, done.stderr
    assert "NULLIF(COUNT(v.n), 0) > 1" in done.stdout
    release = installed.command("sql", "--vector", "a=0", "--release", model="s=at_most_values: 1")
    assert release.returncode == 0, release.stderr
    assert "NULLIF(COUNT(v.n), 0) > 1" in release.stdout


def test_python(installed: Site) -> None:
    told = installed.python(
        "import json, kanon_sql\n"
        "words = dict(table='t', k=2, quasi_identifiers={'a': 'a.csv'}, max_suppression=20,\n"
        "             sensitive={'s': [{'at_most_values': 1}, {'distinct_l_diversity': 1}]})\n"
        "result = kanon_sql.anonymize('w.duckdb', output='released', keep=['visit'], **words)\n"
        "words.pop('max_suppression')\n"
        "words['quasi_identifiers'] = ['a']\n"
        "tables = ('t', 'released')\n"
        "checked = [kanon_sql.check('w.duckdb', **{**words, 'table': t}).satisfied for t in tables]\n"
        "words['quasi_identifiers'] = {'a': 'a.csv'}\n"
        "[statement, *_] = kanon_sql.compile('w.duckdb', vector='a=0', **words)\n"
        "print(json.dumps([result.suppressed, result.vector, checked, statement.sql]))\n"
    )
    assert told[:3] == [10, {"a": 0}, [False, True]]
    assert "NULLIF(COUNT(v.n), 0) > 1" in told[3]
    assert tables(installed.database) == ["released", "t"]


def test_two_packages(installed: Site) -> None:
    installed.install(
        {"not_fewer": "second_models:NotFewer"},
        name="second_models",
        code="class NotFewer(AtLeastCounted): pass\n"
        "NotFewer.declared = ModelWord('not_fewer', 'the same', (_N,), NotFewer, scalar='n')\n",
    )
    done = installed.command("check", "--model", "s=at_most_values: 10", model="s=not_fewer: 10")
    assert done.returncode == 0, done.stderr
    assert installed.command("check", model="s=not_fewer: 11").returncode == 1


# ---------------------------------------------------------------- words of a user that are wrong


def test_parameters_that_are_malformed(installed: Site) -> None:
    says = {
        "at_most_values: 0": "n of at_most_values '0'; give a whole number",
        "at_most_values: some": "n of at_most_values 'some'",
        "at_most_values: {m: 2}": "unknown word of at_most_values 'm'",
        "at_most_values: {n: 2, m: 3}": "unknown word of at_most_values 'm'",
        "at_most_values: [1, 2]": "at_most_values needs n",
        "at_least_counted: 3": "at_least_counted needs n; write it as in 'at_least_counted: {n: …}'",
        "of_common_values: 1.5": "share of of_common_values '1.5'; give a number, at least 0 and at most 1",
        "at_most_value: 2": "did you mean 'at_most_values'?",
        "at_most_values: 13": "at_most_values: n brings bad luck",
    }
    told = installed.python(
        "import json, kanon_sql\n"
        "def refused(model):\n"
        "    try:\n"
        "        kanon_sql.anonymize('w.duckdb', table='t', quasi_identifiers=['a'], models=['s=' + model])\n"
        "    except kanon_sql.errors.SpecError as error:\n"
        "        return str(error)\n"
        f"print(json.dumps([refused(model) for model in {list(says)!r}]))\n"
    )
    for line, expected in zip(told, says.values(), strict=True):
        assert expected in line
        assert len(line.splitlines()) == 1
    assert "n of at_most_values '0'" in installed.refused("s=at_most_values: 0")


# ---------------------------------------------------------------- packages that are wrong


@pytest.mark.parametrize(
    ("points", "code", "says"),
    [
        ({"at_most_values": "nowhere:Model"}, "", "No module named 'nowhere'"),
        ({"at_most_values": "toy_models:Nothing"}, "", "no attribute 'Nothing'"),
        ({"at_most_values": "toy_models:Fraction"}, "", "no attribute 'declared'"),
        ({"at_most_values": "toy_models:AtMostValues"}, "raise OSError('half\\nmade')", r"half\nmade"),
        ({"at_most_values": "toy_models:AtMostValues"}, "(", "was never closed"),
        ({"other": "toy_models:AtMostValues"}, "", "'at_most_values', which is not free or not its entry"),
    ],
)
def test_an_entry_point_that_cannot_be_loaded(
    site: Site, points: dict[str, str], code: str, says: str
) -> None:
    site.install(points, code=code)
    line = site.refused(real="nowhere" in str(points))
    assert line.startswith(f"error: entry point {next(iter(points))}: ")
    assert says in line


def test_a_package_that_is_wrong_concerns_nobody_who_asks_for_no_model(site: Site) -> None:
    site.install({"at_most_values": "nowhere:Model"})
    done = site.command("run", "--output", "released", "--sensitive", "s")
    assert done.returncode == 0, done.stderr


def renamed(word: str) -> str:
    """Code of a model that takes a word."""
    return (
        "class Other(AtMostValues): pass\n"
        f"Other.declared = ModelWord({word!r}, 'x', (_N,), lambda n: Other(n), scalar='n')\n"
    )


@pytest.mark.parametrize("word", ["distinct_l_diversity", "t_closeness", "nulls", "count"])
def test_a_word_that_is_ours(site: Site, word: str) -> None:
    site.install({word: "toy_models:Other"}, code=renamed(word))
    assert f"entry point {word}: a privacy model calls itself '{word}'" in site.refused(
        "s=distinct_l_diversity: 1"
    )


def test_a_word_that_two_packages_take(installed: Site) -> None:
    installed.install({"at_most_values": "second_models:AtMostValues"}, name="second_models")
    assert "entry point at_most_values: a privacy model calls itself 'at_most_values'" in installed.refused()


def test_a_declaration_that_is_none(site: Site) -> None:
    site.install(
        {"at_most_values": "toy_models:AtMostValues"}, code="AtMostValues.declared = 'at_most_values'"
    )
    assert "entry point at_most_values" in site.refused()


@pytest.mark.parametrize(
    "text",
    [
        None,
        "{% macro violation(model, size, total) %",
        "{# no macro #}",
        "{% macro violation(model, size, total) %}COUNT(v.n) > {{ model.none }}{% endmacro %}",
    ],
    ids=["missing", "malformed", "empty", "undefined"],
)
def test_a_template_that_is_wrong(installed: Site, text: str | None) -> None:
    installed.template(text)
    for job in ("run", "check"):
        assert "at_most_values" in installed.refused(job=job)


@pytest.mark.parametrize("template", ["nowhere:x.sql.j2", "privacy/nothing.sql.j2"])
def test_a_template_that_is_nowhere(site: Site, template: str) -> None:
    site.install(code=f"AtMostValues.template = {template!r}")
    assert "at_most_values" in site.refused()


def test_a_template_whose_sql_is_wrong(installed: Site) -> None:
    installed.template("{% macro violation(model, size, total) %}COUNT(v.n) > nobody{% endmacro %}")
    for job in ("run", "check"):
        assert "nobody" in installed.refused(job=job, code=6)
