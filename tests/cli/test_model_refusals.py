"""Every wrong invocation with privacy models: its exit code, and one line that says what, where and how to mend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.refusing import Wrong, file, refused, spec, sql, wrong
from tests.cli.warehouse import RUN, change, run, spawn

STAYS = """
CREATE TABLE stays AS
SELECT i // 5 AS g, ['low', 'mid', 'high'][i % 3 + 1] AS pain, i % 4 AS score,
  CASE WHEN i % 7 > 0 THEN i % 3 END AS gap, CASE WHEN i = 3 THEN 'inf'::DOUBLE ELSE i END AS far,
  CASE WHEN i = 3 THEN 'infinity'::DATE ELSE DATE '2024-01-05' END AS seen, {'a': i} AS parts, [i] AS many,
  i // 2 AS person
FROM range(40) t(i)
"""
FILES = {
    "tree.csv": "low,some,*\nmid,some,*\n",
    "forked.csv": "low,a,*\nlow,b,*\n",
    "numbers.csv": "1,a,*\nx,a,*\n",
}
ON = ("--db", "warehouse.duckdb", "--table", "stays", "--qi", "g", "--k", "2")
COMMANDS = {"run": ("run", *ON), "check": ("check", *ON), "sql": ("sql", *ON, "--vector", "g=0")}


def tree(file_name: str) -> str:
    return f"t_closeness: {{t: 0.9, distance: hierarchical, hierarchy: '{file_name}'}}"


def flags(models: str | Sequence[str]) -> tuple[str, ...]:
    every = (models,) if isinstance(models, str) else models
    return tuple(part for each in every for part in ("--model", each))


def made(*statements: str) -> None:
    change(STAYS, *statements)
    for name, text in FILES.items():
        Path(name).write_text(text)


def asked(
    about: str,
    models: str | Sequence[str],
    exit_code: int,
    *message: str,
    more: tuple[str, ...] = (),
    commands: Sequence[str] = ("run", "check", "sql"),
    before: object = made,
) -> list[Wrong]:
    """The same models asked of the table of stays by several commands."""
    return [
        wrong(
            f"{about}, {each}",
            (*COMMANDS[each], *flags(models), *more),
            exit_code,
            *message,
            before=before,
        )
        for each in commands
    ]


def worded(about: str, models: str | Sequence[str], exit_code: int, *message: str) -> list[Wrong]:
    """What is refused before any table is looked at; the commands take turns, for they read one way."""
    turn = ("run", "check", "sql")[len(about) % 3]
    tree_alone = file("tree.csv", FILES["tree.csv"])
    return asked(about, models, exit_code, *message, commands=(turn,), before=tree_alone)


# What is wrong before a table is looked at is in tests/spec; here stands one of each kind.
WORDS = [
    *worded("no =", "pain", 2, r"^--model: no '=' after 'pain'", "write column=value"),
    *worded("no model", "pain=", 2, r"^--model: malformed model ''", "'diagnosis=distinct_l_diversity: 3'"),
    *worded(
        "YAML", "pain=t_closeness: {t: 0.2", 2, "^--model: malformed model", "not valid YAML", "write it as"
    ),
    *worded(
        "unknown model", "pain=distinct_l_divrsity: 3", 2, "^--model: ", "did you mean 'distinct_l_diversity'"
    ),
    *worded("unlike any model", "pain=xyzzy: 3", 2, "^--model: ", "valid: distinct_l_diversity, entropy_l_"),
    *worded(
        "twice", ("pain=alpha_k: 1", "PAIN=alpha_k: 1"), 2, "^--model: alpha_k", "'pain'", "twice", "once"
    ),
    *worded(
        "nulls alone", "pain=nulls: ignore", 2, "^--model: ", "'pain' has nulls and no model", "add a model"
    ),
    *worded(
        "persons without person",
        ("pain=count: persons", "pain=distinct_l_diversity: 2"),
        2,
        "^--model: persons of column 'pain'",
        "no person column",
        "name it with person",
    ),
    *worded(
        "l 0", "pain=distinct_l_diversity: 0", 2, "^--model: malformed l of distinct_l_", "'0'", "1 or more"
    ),
    *worded("a percentage", "pain=alpha_k: 0.2%", 2, "^--model: malformed alpha", "'0.2%'", "0.2 for 20%"),
    *worded(
        "t above 1", "pain=t_closeness: {t: 2, distance: equal}", 2, "^--model: malformed t ", "at most 1"
    ),
    *worded("no distance", "pain=t_closeness: {t: 0.2}", 2, "^--model: ", "needs distance", "write it as"),
    *worded(
        "distance", "pain=t_closeness: {t: 1, distance: order}", 2, "did you mean 'ordered'", "valid: equal"
    ),
    *worded("no file", f"pain={tree('tre.csv')}", 3, "^--model: ", "'tre.csv'", "did you mean 'tree.csv'"),
    *worded("no alpha", "pain=alpha_k: {}", 2, "^--model: shares of alpha_k names no value"),
]

COLUMN = [
    *asked(
        "typo",
        "paim=distinct_l_diversity: 2",
        4,
        r"^stays: no column 'paim' \(sensitive\)",
        "did you mean 'pain'",
    ),
    *asked("another column", "qqq=distinct_l_diversity: 2", 4, "'qqq'", "the columns are: g, pain, score"),
    *asked(
        "a quasi-identifier",
        "G=distinct_l_diversity: 2",
        2,
        r"^--model: column 'G' is both a quasi-identifier \(--qi\) and sensitive",
        "one role",
    ),
    *asked(
        "an identifier",
        "pain=distinct_l_diversity: 2",
        2,
        r"^--identifier: column 'pain' is both sensitive \(--model\) and an identifier",
        "one role",
        more=("--identifier", "pain"),
        commands=("run", "sql"),
    ),
    *asked(
        "kept",
        "pain=distinct_l_diversity: 2",
        2,
        r"^--keep: column 'pain' is both sensitive \(--model\) and insensitive",
        more=("--keep", "pain"),
        commands=("run", "sql"),
    ),
    *asked(
        "the person column",
        "person=distinct_l_diversity: 2",
        2,
        r"^--person: column 'person' is both sensitive \(--model\) and the person column",
        "never released",
        more=("--person", "person"),
    ),
    *asked(
        "a struct", "parts=alpha_k: 1", 4, "^stays: column parts is of type STRUCT", "no model", "make a view"
    ),
    *asked(
        "a list",
        "many=alpha_k: 1",
        4,
        r"^stays: column many is of type BIGINT\[\]",
        "no model",
        "make a view",
    ),
    *asked(
        "numbers of text",
        "pain=t_closeness: {t: 0.2, distance: numeric}",
        4,
        "^stays: column pain is of type VARCHAR",
        "needs numbers or dates",
        "use distance: ordered or equal",
    ),
]

LOOKED_AT = ("run", "check")
VALUES = [
    *asked(
        "NULL has no rank",
        "gap=t_closeness: {t: 0.2, distance: ordered}",
        4,
        r"^stays: column gap is NULL in 6 row\(s\)",
        "`null_rank: first`",
        "`nulls: ignore`",
        commands=LOOKED_AT,
    ),
    *asked(
        "NULL is no number",
        "gap=t_closeness: {t: 0.2, distance: numeric}",
        4,
        r"^stays: column gap is NULL in 6 row\(s\)",
        "numeric, t 0.2",
        "`nulls: ignore`",
        commands=LOOKED_AT,
    ),
    *asked(
        "an infinite number",
        "far=t_closeness: {t: 0.2, distance: numeric}",
        4,
        r"^stays: column far holds 1 value\(s\) that are not finite",
        "row filter, or use distance: ordered",
        commands=LOOKED_AT,
    ),
    *asked(
        "an infinite date",
        "seen=t_closeness: {t: 0.2, distance: numeric}",
        4,
        r"^stays: column seen holds 1 value\(s\) that are not finite",
        commands=LOOKED_AT,
    ),
    *asked(
        "an order that lacks values",
        "pain=t_closeness: {t: 0.9, distance: ordered, order: [low, lower]}",
        4,
        r"^stays: the order given for column pain lacks 2 value\(s\) of it: 'high', 'mid'; list every value",
        commands=LOOKED_AT,
    ),
    *asked(
        "an order that lacks values, redacted",
        "pain=t_closeness: {t: 0.9, distance: ordered, order: [low]}",
        4,
        r"^stays: the order given for column pain lacks 2 value\(s\) of it; list every value",
        more=("--redact",),
        commands=LOOKED_AT,
    ),
    *asked(
        "a taxonomy that lacks values",
        f"pain={tree('tree.csv')}",
        4,
        r"^stays: column pain has 1 value\(s\) in 13 row\(s\) without a row in tree.csv: 'high'; add them",
        commands=LOOKED_AT,
    ),
    *asked(
        "a taxonomy that lacks values, redacted",
        f"pain={tree('tree.csv')}",
        4,
        r"^stays: column pain has 1 value\(s\) in 13 row\(s\) without a row in tree.csv; add them",
        more=("--redact",),
        commands=LOOKED_AT,
    ),
    *asked("a taxonomy that is no tree", f"pain={tree('forked.csv')}", 3, r"^forked.csv:2: ", "'low'"),
    *asked(
        "a taxonomy of another type",
        f"score={tree('tree.csv')}",
        3,
        "^tree.csv: no ground value fits column score",
        "'low', 'mid'",
        commands=LOOKED_AT,
    ),
    *asked(
        "a taxonomy that is no table",
        f"pain={tree('table:stay')}",
        3,
        "^table:stay: no such table or view: stay",
        "did you mean 'stays'",
    ),
    *asked(
        "too much",
        "pain=distinct_l_diversity: 4",
        5,
        "nothing satisfies: .*g=1, .*40 rows",
        "less of the models",
        commands=("run",),
    ),
    *asked(
        "no such vector",
        "pain=t_closeness: {t: 0.01, distance: equal}",
        5,
        "--vector",
        "g=0",
        "40 rows",
        more=("--vector", "g=0"),
        commands=("run",),
    ),
    *asked(
        "empty",
        "pain=distinct_l_diversity: 4",
        2,
        "all 40 rows",
        more=("--max-suppression", "100%"),
        commands=("run",),
    ),
]

VOTERS = (
    "CREATE TABLE voters AS SELECT age, zip, sex FROM patients",
    "CREATE TABLE thin AS SELECT age, zip FROM patients",
    "CREATE TABLE wide AS SELECT age::BIGINT AS age, zip, sex FROM patients",
)
FROM_VOTERS = sql(*VOTERS)


def k_map(about: str, written: str, exit_code: int, *message: str, command: Sequence[str] = RUN) -> Wrong:
    args = (*command, "--k-map", written)
    return wrong(f"k_map {about}, {command[0]}", args, exit_code, *message, before=FROM_VOTERS)


CHECK = ("check", "--db", "warehouse.duckdb", "--table", "patients", "--qi", "age,zip,sex", "--k", "1")
K_MAP = [
    each
    for command in (RUN, CHECK, ("sql", *RUN[1:], "--vector", "age=1,zip=1,sex=1"))
    for each in (
        k_map("without words", "voters", 2, "^--k-map: no '='", "k=5,population=voters", command=command),
        k_map("without population", "k=5", 2, "^--k-map: k_map needs population", command=command),
        k_map("without k", "population=voters", 2, "^--k-map: k_map needs k;", command=command),
        k_map("unknown word", "k=5,populatoin=voters", 2, "did you mean 'population'", command=command),
        k_map("k 0", "k=0,population=voters", 2, "^--k-map: malformed k of k_map '0'", command=command),
        k_map(
            "k nan", "k=nan,population=voters", 2, "malformed k of k_map 'nan'", "1 or more", command=command
        ),
        k_map(
            "missing table",
            "k=5,population=votrs",
            4,
            "^--k-map: no such table or view: votrs",
            "did you mean 'voters'",
            command=command,
        ),
        k_map(
            "missing column",
            "k=5,population=thin",
            4,
            "^population thin: no column 'sex'",
            "age, zip",
            command=command,
        ),
    )
] + [
    k_map(
        "another type",
        "k=5,population=wide",
        4,
        "^wide: column age is of type BIGINT in the population",
        "INT",
        "view",
    ),
    k_map("too large", "k=999,population=voters", 5, "nothing satisfies", "300 rows", "less of the models"),
]

REFERENCES = (
    STAYS,
    "CREATE TABLE few AS FROM stays WHERE pain <> 'mid'",
    "CREATE TABLE thin AS SELECT g FROM stays",
    "CREATE TABLE other AS SELECT g, score AS pain, person FROM stays",
    "CREATE TABLE nobodys AS SELECT * EXCLUDE (person) FROM stays",
)


def against(
    about: str, name: str, exit_code: int, *message: str, more: Sequence[str] = ("--sensitive", "pain")
) -> Wrong:
    args = (*COMMANDS["check"], *more, "--reference", name)
    return wrong(f"reference {about}", args, exit_code, *message, before=sql(*REFERENCES))


MODEL = ("--model", "pain=alpha_k: 0.9")
REFERENCE = [
    against("missing", "stay", 4, "^--reference: no such table or view: stay", "did you mean 'stays'"),
    against("blank", " ", 2, "^--reference: an empty table name"),
    against("lacks the column", "thin", 4, r"^reference thin: no column 'pain' \(sensitive\)", "are: g"),
    against(
        "lacks values", "few", 4, r"^stays: column pain has 1 value\(s\) in 13 row\(s\) that the reference"
    ),
    against(
        "lacks values that a model counts", "few", 4, r"1 value\(s\) in 13 row\(s\)", "made from", more=MODEL
    ),
    against(
        "of another type", "other", 4, "^reference other: column pain is of type BIGINT", "VARCHAR", "view"
    ),
    against(
        "of another type for a model", "other", 4, "^reference other: column pain is of type", more=MODEL
    ),
    against(
        "without persons",
        "nobodys",
        4,
        r"^reference nobodys: no column 'person' \(person\)",
        more=(*MODEL, "--person", "person"),
    ),
    against("for nothing", "stays", 2, "^--reference: .*none is named", "--sensitive or --model", more=()),
    against(
        "for k_map alone",
        "stays",
        2,
        "^--reference: .*none is named",
        more=("--k-map", "k=2,population=stays"),
    ),
]

OTHERS = [
    *asked(
        "wildcard",
        "pain=alpha_k: 1",
        2,
        "^--null: models are not judged",
        more=("--null", "wildcard"),
        commands=("check",),
    ),
    wrong(
        "wildcard and k_map",
        (*COMMANDS["check"], "--k-map", "k=2,population=stays", "--null", "wildcard"),
        2,
        "^--null: models are not judged",
        before=made,
    ),
    wrong(
        "models in the file",
        "run",
        2,
        r"^kanon\.yml:1: models is no word of a file; in a file a model stands under sensitive",
        before=spec("models: {pain: [distinct_l_diversity: 2]}\n"),
    ),
    wrong(
        "a line of the file",
        "run",
        2,
        r"^kanon\.yml:4: malformed l of entropy_l_diversity '0.5'; give a number, at least 1",
        before=spec("sensitive:\n  ward: []\n  diagnosis:\n    - entropy_l_diversity: 0.5\n"),
    ),
    wrong(
        "a hierarchy of the file",
        "run",
        3,
        r"^kanon\.yml:2: no such hierarchy file: 'icd.csv'",
        before=spec(
            "sensitive:\n  diagnosis: {t_closeness: {t: 1, distance: hierarchical, hierarchy: icd.csv}}\n"
        ),
    ),
    wrong(
        "a hierarchy and no database",
        (
            "sql",
            "--table",
            "patients",
            "--vector",
            "age=1,sex=1,zip=1",
            "--model",
            f"diagnosis={tree('table:x')}",
        ),
        2,
        "^table:x: ",
        "none is given",
        "--db",
    ),
    wrong(
        "k_map of the file",
        "run",
        2,
        r"^kanon\.yml:2: unknown word of k_map 'table'; valid: k, population",
        before=spec("k: 5\nk_map: {k: 5, table: voters}\n"),
    ),
    wrong(
        "a taxonomy that is no CSV",
        (*RUN, "--model", f"diagnosis={tree('icd.csv')}"),
        3,
        "^icd.csv:1: not a CSV file",
        "NUL",
        before=file("icd.csv", bytes(range(256))),
    ),
]

EVERY = [*WORDS, *COLUMN, *VALUES, *K_MAP, *REFERENCE, *OTHERS]


def test_no_two_have_one_name() -> None:
    names = [each.about for each in EVERY]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.about)
def test_refused(each: Wrong, folder: Path) -> None:
    refused(each, folder)


@pytest.mark.parametrize("each", [WORDS[0], COLUMN[0], VALUES[0], REFERENCE[3]], ids=lambda each: each.about)
def test_a_process_of_its_own_says_the_same(each: Wrong, folder: Path) -> None:
    assert each.before is not None
    each.before()
    process = spawn(*each.args, cwd=folder)
    assert (process.returncode, process.stdout) == (each.exit_code, "")
    assert process.stderr.startswith("error: ")
    assert process.stderr.count("\n") == 1


EXTREME = [
    ("distinct_l_diversity: 1", True),
    ("distinct_l_diversity: 9223372036854775807", False),
    ("entropy_l_diversity: 1", True),
    ("entropy_l_diversity: 999999999999999999.999999999999999999", False),
    ("recursive_cl_diversity: {c: 999999999999999999, l: 1}", True),
    ("recursive_cl_diversity: {c: 0.000000000000000001, l: 9223372036854775807}", False),
    ("t_closeness: {t: 0, distance: equal}", True),
    ("t_closeness: {t: 1, distance: ordered, order: [low, mid, high, '', \"two\\nlines\"]}", True),
    ("alpha_k: 1", True),
    ("alpha_k: 0.000000000000000001", False),
    ("alpha_k: {low: 0, mid: 0, high: 0}", False),
    ("alpha_k: {low: 1, '': 0}", True),
    ("basic_beta_likeness: 0", True),
    ("basic_beta_likeness: 999999999999999999", True),
    ("enhanced_beta_likeness: 0", True),
    ("delta_disclosure: 999999999999999999", True),
    ("delta_disclosure: 0.000000000000000001", False),
]


@pytest.mark.parametrize("plan", ["frequency", "direct"])
def test_an_extreme_number_is_answered(plan: str, folder: Path) -> None:
    """At the top the one class is the source itself: p = q."""
    made()
    for model, possible in EXTREME:
        result = run(*COMMANDS["run"], "--model", f"pain={model}", "--dry-run", "--plan", plan)
        assert result.exit_code == (0 if possible else 5), (model, result.output)
        if not possible:
            assert re.fullmatch(r"error: stays: nothing satisfies: .*\n", result.stderr), model


@pytest.mark.parametrize("command", LOOKED_AT)
def test_a_named_value_that_is_not_there_is_warned_of(command: str, folder: Path) -> None:
    made()
    more = ("--dry-run",) if command == "run" else ()
    model = ("--model", "pain=alpha_k: {low: 0.9, medium: 0.5, hi: 0.2}")
    result = run(*COMMANDS[command], *model, *more)
    assert result.exit_code == 0, result.output
    word = "warning" if command == "run" else "hint"
    assert f"{word}: pain holds no " in result.stdout
    assert "which a model names: check the spelling" in " ".join(result.stdout.split())
    assert "does not hold" not in run(*COMMANDS[command], "--model", "pain=alpha_k: {low: 0.9}", *more).stdout
