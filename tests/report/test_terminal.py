"""What a person reads in the terminal: complete, readable, and never more than may be shown."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli import warehouse
from tests.cli.warehouse import RUN, change, environment, run, spawn, spawn_anew
from tests.forked import Forked

ESCAPE = "\x1b"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8)(?:;\d+)*m")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    warehouse.make(folder)
    return folder


@pytest.fixture(autouse=True)
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(*args: str, exit_code: int = 0) -> str:
    result = run(*args)
    assert result.exit_code == exit_code, result.output
    return result.stdout


def table_of(text: str) -> dict[str, str]:
    """The lines of the table of levels, by quasi-identifier."""
    lines = text.split("quasi-identifier", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    return {line.split()[0]: line for line in lines if line.strip()}


# -- a result -----------------------------------------------------------------------------------------


def test_a_result_says_everything_that_matters() -> None:
    args = ("--max-suppression", "1%", "--keep", "ward")
    answer = json.loads(text_of(*RUN, *args, "--json", "--dry-run"))
    text = text_of(*RUN, *args)
    assert "patients → patients_k5" in text
    assert "5-anonymous" in text
    names = {
        "age": ["age", "five_years", "twenty_years", "any_age"],
        "zip": ["zip", "four_digits", "three_digits", "any_zip"],
        "sex": ["level_0", "level_1"],
    }
    lines = table_of(text)
    assert list(lines) == ["age", "zip", "sex"]
    for name, line in lines.items():
        assert f"hierarchies/{name}.csv" in line
        assert f"{answer['vector'][name]} of {len(names[name]) - 1}" in line
        assert names[name][answer["vector"][name]] in line
        assert " → " in line
    assert "300 rows in, 298 released, 2 suppressed (0.67 %, 3 allowed)" in text
    assert f"{answer['classes']} classes of {answer['class_size']['min']}" in text
    assert f"accuracy {answer['measures']['accuracy']:.3f}" in text
    assert f"height {answer['height']} of 7" in text
    assert f"{answer['vectors_evaluated']} of 32 vectors" in text
    assert "left out: patient_id, name, diagnosis" in text
    assert "ward" not in text.split("left out", 1)[1]


def test_the_example_is_a_value_that_many_share() -> None:
    line = table_of(text_of(*RUN, "--vector", "age=2,zip=2,sex=1", "--max-suppression", "2"))["age"]
    found = re.search(r"(\d+) → (\d+-\d+)", line)
    assert found is not None
    [(shared,)] = warehouse.query("SELECT COUNT(*) FROM patients WHERE age = ?", parameters=[int(found[1])])
    assert shared >= 5
    assert found[2] == warehouse.paths("age")[found[1]][2]


def test_no_example_of_a_value_that_fewer_than_k_share() -> None:
    change(
        "CREATE TABLE unique_ages AS SELECT i AS age, CASE WHEN i < 4 THEN 'rare' ELSE 'many' END AS g,"
        " CASE WHEN i < 4 THEN 'abcd'[i + 1] ELSE NULL END AS h FROM range(40) t(i)"
    )
    Path("hierarchies/age.csv").write_text(
        "".join(f"{i},{i // 20 * 20}-{i // 20 * 20 + 19},*\n" for i in range(40))
    )
    args = ("run", "--db", "warehouse.duckdb", "--table", "unique_ages", "--qi", "age,g,h")
    text = text_of(*args, "--max-suppression", "4")
    lines = table_of(text)
    assert "→" not in lines["age"]
    assert "many → " in lines["g"]
    assert "→" not in lines["h"]
    assert "rare" not in text


def test_no_example_of_a_value_that_fewer_than_k_persons_share() -> None:
    change(
        "CREATE TABLE visits AS SELECT i // 10 AS p, CASE WHEN i < 40 THEN 'four' ELSE 'more' END AS g"
        " FROM range(100) t(i)",
        "CREATE TABLE others AS SELECT i // 25 AS p, 'four' AS g FROM range(100) t(i)"
        " UNION ALL SELECT 10 + i, 'x' || i FROM range(10) t(i)",
    )
    args = ("run", "--db", "warehouse.duckdb", "--qi", "g", "--person", "p", "--table")
    text = text_of(*args, "visits")
    assert "more → *" in table_of(text)["g"]
    assert "10 persons in, 10 released" in text
    assert "four" not in text_of(*args, "others")


MINORITY = (
    "CREATE TABLE minority AS SELECT 'big' AS g, 'a' || (i % 4)::VARCHAR AS q FROM range(400) t(i)"
    " UNION ALL SELECT '[bold]small', 'b' || i::VARCHAR FROM range(8) t(i)"
)


def test_who_loses_more_than_the_whole_is_told() -> None:
    change(MINORITY)
    args = ("run", "--db", "warehouse.duckdb", "--table", "minority", "--qi", "g,q", "--vector", "g=0,q=0")
    text = text_of(*args, "--max-suppression", "2%")
    [line] = [line for line in text.splitlines() if line.startswith("  g ") and "8 of 8" in line]
    assert line.split() == ["g", "[bold]small", "8", "of", "8", "100.00", "%", "1.96", "%"]
    assert "which values of q lost rows is held back" in text
    assert "warning: g is lost entirely where it is [bold]small: all 8 rows are suppressed" in text
    for i in range(8):
        assert f"b{i}" not in text
    answer = json.loads(text_of(*args, "--max-suppression", "2%", "--json", "--dry-run"))
    assert [(each["value"], each["rows"], each["suppressed"]) for each in answer["lost"]["g"]] == [
        ("[bold]small", 8, 8),
        ("big", 400, 0),
    ]
    assert answer["lost"]["q"] == []
    assert answer["lost_held_back"] == ["q"]


def test_no_table_where_all_lose_alike() -> None:
    change(
        "CREATE TABLE alike AS SELECT 'g' || (i % 2)::VARCHAR AS g, CASE WHEN i < 400 THEN 'a' ELSE 'b' || i END AS q"
        " FROM range(440) t(i)"
    )
    args = ("run", "--db", "warehouse.duckdb", "--table", "alike", "--qi", "g,q", "--vector", "g=0,q=0")
    text = text_of(*args, "--max-suppression", "10%")
    assert "40 suppressed" in text
    lines = [line for line in text.splitlines() if " of " in line and line.startswith("  g ")]
    assert not any("20 of 220" in line for line in lines)


def test_a_dry_run_says_that_nothing_was_written() -> None:
    text = text_of(*RUN, "--dry-run")
    assert "nothing was written" in text
    assert "→ patients_k5" not in text
    assert "would be released" in text


def test_a_vector_that_was_asked_for_is_not_called_least() -> None:
    text = text_of(*RUN, "--vector", "age=3,zip=3,sex=1")
    assert "not proven least" in text
    assert "proven least" in text_of(*RUN, "--overwrite")


def test_a_warning_where_more_than_half_ended_at_their_top() -> None:
    text = text_of(*RUN)
    warning = next(line for line in text.splitlines() if "warning" in line)
    assert "top" in warning
    assert "age" in text.split("warning", 1)[1]


def test_a_warning_where_k_is_1() -> None:
    assert "warning: k is 1" in text_of(*RUN, "--k", "1")


def test_a_warning_of_a_level_that_merges_nothing() -> None:
    Path("hierarchies/sex.csv").write_text("f;F;*\nm;M;*\n")
    assert "merges nothing" in text_of(*RUN, "--max-suppression", "1%")


# -- a check --------------------------------------------------------------------------------------------


def test_a_check_that_fails() -> None:
    text = text_of("check", *RUN[1:], "--qi", "zip,sex", "--k", "20", exit_code=1)
    sizes = [n for (n,) in warehouse.query("SELECT COUNT(*) FROM patients GROUP BY zip, sex")]
    small = [n for n in sizes if n < 20]
    assert "patients is not 20-anonymous over zip, sex" in text
    assert f"k reached: {min(sizes)}" in text
    assert f"300 rows in {len(sizes)} classes" in text
    assert f"{len(small)} classes with {sum(small)} rows are smaller than 20" in text
    assert "█" in text


# -- models ---------------------------------------------------------------------------------------------

MODELS = (
    "--model",
    "diagnosis=t_closeness: {t: 0.35, distance: equal}",
    "--model",
    "ward=distinct_l_diversity: 2",
)


def reached_of(text: str) -> list[dict[str, list[str]]]:
    """Each table of what is reached: per row, the cells."""
    tables = text.split("what the table reaches")[1:]
    found = []
    for table in tables:
        lines = table.split("\n\n", 1)[0].splitlines()[1:]
        rows = [re.split(r" {2,}", line.strip()) for line in lines if not line.startswith("  against")]
        found.append({row[0]: row[1:] for row in rows if row[0]})
    return found


def test_a_result_says_its_models_and_its_search() -> None:
    answer = json.loads(text_of(*RUN, *MODELS, "--max-suppression", "20%", "--json", "--dry-run"))
    text = " ".join(text_of(*RUN, *MODELS, "--max-suppression", "20%").split())
    assert f"every class satisfies {'; '.join(answer['models'])} " in text
    assert f"search: {answer['search']['method']}, since {answer['search']['why']}" in text
    assert "every class satisfies" not in text_of(*RUN, "--dry-run")


def is_safe(number: float, cell: str, *, least: bool) -> bool:
    """Whether what is printed is the number to four digits, and holds when it is asked for."""
    near = abs(float(cell) - number) <= 1e-3 * abs(number) and len(cell.replace(".", "").lstrip("0")) <= 4
    return near and (float(cell) <= number + 1e-12 if least else float(cell) >= number - 1e-12)


def test_a_check_says_what_holds_what_fails_and_what_is_reached() -> None:
    args = ("check", *RUN[1:], "--qi", "sex", "--k", "2", "--model", "ward=alpha_k: 0.99")
    more = ("--model", "diagnosis=distinct_l_diversity: 9", "--sensitive", "diagnosis,age")
    answer = json.loads(text_of(*args, *more, "--json", exit_code=1))
    text = text_of(*args, *more, exit_code=1)
    assert "patients is 2-anonymous over sex" in text
    assert "holds  ward: alpha_k (alpha 0.99)" in text
    assert "fails  diagnosis: distinct_l_diversity (l 9): 3 classes with 300 rows" in text
    assert "against the distribution of the table itself" in text
    assert re.search("what the table reaches +diagnosis +age +ward\n", text)
    [reached] = reached_of(text)
    for name, key in (
        ("distinct l-diversity, l", "distinct_l"),
        ("entropy l-diversity, l", "entropy_l"),
        ("recursive (c, 3)-diversity, c above", "recursive_c_for_l_3"),
        ("t-closeness, equal distance, t", "t_equal"),
        ("(alpha, k)-anonymity, alpha", "alpha"),
        ("delta-disclosure, delta above", "delta"),
    ):
        numbers = [answer["reached"][column][key] for column in ("diagnosis", "age", "ward")]
        for number, cell in zip(numbers, reached[name], strict=True):
            if number is None or isinstance(number, int):
                assert cell == ("none" if number is None else str(number))
            else:
                assert is_safe(number, cell, least=key == "entropy_l")
    # Ranks and differences mean something of ages alone.
    assert len(reached["t-closeness, ordered distance, t"]) == 1
    assert len(reached["t-closeness, numeric distance, t"]) == 1


def test_many_sensitive_columns_cut_no_number() -> None:
    names = [f"a_rather_long_column_{i}" for i in range(9)]
    change(
        "CREATE TABLE wide AS SELECT 'v' AS g, "
        + ", ".join(f"i % {i + 3} AS {name}" for i, name in enumerate(names))
        + " FROM range(97) t(i)"
    )
    args = (
        "check",
        "--db",
        "warehouse.duckdb",
        "--table",
        "wide",
        "--qi",
        "g",
        "--sensitive",
        ",".join(names),
    )
    answer = json.loads(text_of(*args, "--json"))
    text = text_of(*args)
    assert "…" not in text
    for line in text.splitlines():
        assert cell_len(line) <= 110
    found = [cells for table in reached_of(text) for cells in table["(alpha, k)-anonymity, alpha"]]
    assert len(found) == len(names)
    for name, cell in zip(names, found, strict=True):
        assert is_safe(answer["reached"][name]["alpha"], cell, least=False)


# -- names and values that would draw -------------------------------------------------------------------

MARKUP = "[bold]x[/bold]"
RED = "\x1b[31mred"
HOSTILE = (
    MARKUP,
    RED,
    "two\nlines",
    "[/]",
    "[link=http://x]y[/link]",
    "bell\a",
    "back\b",
    "\u202edlog",
    "[red",
)


def plain(text: str) -> None:
    """Nothing in the text would draw: no control character but the ends of lines."""
    assert ESCAPE not in text
    drawing = [c for c in text.replace("\n", "") if not c.isprintable()]
    assert not drawing, [hex(ord(c)) for c in drawing]


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("value", HOSTILE, ids=repr)
def test_hostile_values_and_labels_are_shown_as_text(value: str) -> None:
    change("CREATE TABLE t (g VARCHAR, h VARCHAR)")
    with warehouse.duckdb.connect("warehouse.duckdb") as connection:
        connection.execute("INSERT INTO t SELECT ?, 'x' FROM range(9)", [value])
    quoted = identifier(value)
    Path("hierarchies/g.csv").write_text(f'g,level,top\n{quoted},"L{value[:40].replace(chr(34), "")}",*\n')
    for level in (0, 1):
        text = text_of(
            "run", "--db", "warehouse.duckdb", "--table", "t", "--qi", "g,h", "--vector", f"g={level},h=0",
            "--output", f"o{level}",
        )  # fmt: skip
        plain(text)
        line = table_of(text)["g"]
        if value.isprintable():
            assert value in line
        assert f"{level} of 2" in line


@pytest.mark.parametrize("name", (MARKUP, RED, "two\nlines", "[/]", "\u202edlog"), ids=repr)
@pytest.mark.parametrize("role", ["table", "qi", "left out", "level", "person", "output"])
def test_hostile_names_are_shown_as_text(name: str, role: str) -> None:
    table = name if role == "table" else "t"
    qi = name if role == "qi" else "g"
    other = name if role in ("left out", "person") else "o"
    change(
        f"CREATE TABLE {identifier(table)} AS SELECT 'v' AS {identifier(qi)}, i AS {identifier(other)}"
        " FROM range(9) r(i)"
    )
    args = ["--db", "warehouse.duckdb", "--table", identifier(table), "--qi", identifier(qi)]
    more = ["--hierarchy", f"{qi}=h.csv"] if "=" not in qi else []
    level = name if role == "level" else "ground"
    Path("h.csv").write_text(f'{identifier(level)},top\n"v",*\n', encoding="utf-8")
    if role == "person":
        more += ["--person", name]
    if role == "output":
        more += ["--output", identifier(name)]
    text = text_of("run", *args, *more)
    plain(text)
    if name.isprintable():
        assert name in text
    if role in ("table", "qi", "person"):
        person = ["--person", name] if role == "person" else []
        text = text_of("check", *args, *person)
        plain(text)
        if name.isprintable() and role != "person":
            assert name in text


def test_hostile_names_in_errors_are_shown_as_text() -> None:
    for name in HOSTILE:
        for args in (["--table", identifier(name)], ["--table", "patients", "--qi", identifier(name)]):
            result = run("run", "--db", "warehouse.duckdb", *args)
            assert result.exit_code == 4
            plain(result.stderr)
            assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
def test_hostile_sensitive_columns_and_values_are_shown_as_text(name: str) -> None:
    change(f"CREATE TABLE t AS SELECT 'v' AS g, i % 3 AS {identifier(name)}, 'x' AS o FROM range(9) r(i)")
    on = ("--db", "warehouse.duckdb", "--table", "t", "--qi", "g", "--k", "2")
    listed = json.dumps(name)
    models = (
        "--model",
        f"{identifier(name)}=distinct_l_diversity: 2",
        "--model",
        f"o=alpha_k: {{{listed}: 0.5}}",
        "--model",
        f"o=t_closeness: {{t: 1, distance: ordered, order: [x, {listed}]}}",
    )
    for text in (text_of("run", *on, *models, "--dry-run"), text_of("check", *on, *models)):
        plain(text)
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
        assert shown in text
    refused = run("run", *on, "--model", f"o=t_closeness: {{t: 1, distance: ordered, order: [{listed}]}}")
    assert refused.exit_code == 4
    plain(refused.stderr)
    change(f"UPDATE t SET o = '{name}'")
    refused = run("check", *on, "--model", "o=t_closeness: {t: 1, distance: ordered, order: [x]}")
    assert refused.exit_code == 4
    plain(refused.stderr)


def test_a_hostile_file_name_is_shown_as_text() -> None:
    name = "\x1b[31m[bold]x.csv"
    Path(name).write_text("f;*\nm;*\n")
    plain(text_of(*RUN, "--qi", "sex", "--hierarchy", f"sex={name}"))
    Path(name).write_text("f;*\nm;x\n")
    result = run(*RUN, "--qi", "sex", "--hierarchy", f"sex={name}")
    assert result.exit_code == 3
    plain(result.stderr)


# -- terminals and pipes --------------------------------------------------------------------------------


def test_a_pipe_gets_no_codes_and_no_progress(folder: Path) -> None:
    for args in (RUN, ("check", *RUN[1:], "--qi", "age,zip")):
        process = spawn(*args, cwd=folder, TERM="xterm-256color")
        plain(process.stdout)
        assert process.stderr == ""
        assert "\r" not in process.stdout


def test_a_pipe_gets_no_trailing_blanks(folder: Path) -> None:
    for args in (RUN, ("check", *RUN[1:], "--qi", "age,zip")):
        lines = spawn(*args, cwd=folder).stdout.splitlines()
        assert [line for line in lines if line != line.rstrip()] == []


def on_a_terminal(*args: str, cwd: Path, width: int = 80, only_stderr: bool = False, **env: str) -> str:
    """What the command writes to a terminal of that width."""
    fcntl = pytest.importorskip("fcntl")
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")

    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    surroundings = environment(**{"TERM": "xterm-256color", **env})
    for name in ("COLUMNS", "LINES"):
        surroundings.pop(name, None)
    process = Forked(
        list(args),
        cwd=cwd,
        env=surroundings,
        stdout=subprocess.DEVNULL if only_stderr else terminal,
        stderr=terminal,
    )
    os.close(terminal)
    read = b""
    while True:
        try:
            some = os.read(master, 65536)
        except OSError:  # Linux's way to say that the other end is closed
            break
        if not some:
            break
        read += some
    os.close(master)
    assert process.wait(60) in (0, 1)
    return read.decode("utf-8").replace("\r\n", "\n")


def test_a_terminal_of_80_columns_is_enough(folder: Path) -> None:
    text = on_a_terminal(*RUN, "--no-progress", cwd=folder, NO_COLOR="1", TERM="dumb")
    plain(text)
    for line in text.splitlines():
        assert cell_len(line) <= 80
    lines = table_of(text)
    assert list(lines) == ["age", "zip", "sex"]
    for name, line in lines.items():
        assert f"hierarchies/{name}.csv" in line
        assert re.search(r"\d of \d", line)
    assert "300 rows in" in text


def test_a_check_of_models_fits_80_columns(folder: Path) -> None:
    args = ("check", *RUN[1:], "--qi", "sex", *MODELS, "--sensitive", "diagnosis,ward,age,zip,name")
    text = on_a_terminal(*args, cwd=folder, NO_COLOR="1", TERM="dumb")
    plain(text)
    for line in text.splitlines():
        assert cell_len(line) <= 80
    assert "…" not in text
    assert len(reached_of(text)) == 2


def test_no_color_is_respected(folder: Path) -> None:
    # The failing check is the one that has colour: "is not" in red.
    args = ("check", *RUN[1:], "--qi", "age,zip")
    assert COLOUR.search(on_a_terminal(*args, cwd=folder))
    assert not COLOUR.search(on_a_terminal(*args, cwd=folder, NO_COLOR="1"))
    assert not COLOUR.search(on_a_terminal(*RUN, cwd=folder, NO_COLOR="1"))


def test_a_terminal_gets_progress_on_stderr_that_leaves_nothing_behind(folder: Path) -> None:
    text = on_a_terminal(*RUN, cwd=folder, only_stderr=True)
    assert any(word in text for word in ("loading hierarchies", "reading the table", "searching", "starting"))
    assert "300 rows in" not in text
    assert on_a_terminal(*RUN, "--overwrite", "--no-progress", cwd=folder, only_stderr=True) == ""
    assert on_a_terminal(*RUN, "--overwrite", "--quiet", cwd=folder) == ""


def test_json_on_a_terminal_is_json(folder: Path) -> None:
    text = on_a_terminal(*RUN, "--json", "--no-progress", cwd=folder)
    assert json.loads(text)["rows"] == 300


def test_an_encoding_that_lacks_the_arrow_is_no_traceback(folder: Path) -> None:
    for args in (RUN, ("check", *RUN[1:], "--qi", "age")):
        process = spawn_anew(*args, cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
        assert process.returncode in (0, 1)
        assert "Traceback" not in process.stderr


@pytest.mark.parametrize(
    "command", ["sql --setup --db warehouse.duckdb", "check --qi ward --db warehouse.duckdb"]
)
def test_a_reader_that_closes_early_is_no_failure(command: str, folder: Path) -> None:
    # A reader that is gone before the first line comes.
    words = f'"{sys.executable}" -m kanon_sql {command} --table patients'
    script = f'{{ sleep 1; {words}; echo "exit $?" >&2; }} | true'
    process = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment(), capture_output=True, text=True, timeout=60
    )
    assert process.stderr == "exit 0\n"
