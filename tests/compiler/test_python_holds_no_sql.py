"""No Python file of the package holds SQL: every statement comes from a template."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import kanon_sql

PACKAGE = Path(kanon_sql.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}

# Words of SQL in capitals that go on, or a statement in small letters at the start of a text.
_CAPITALS = re.compile(
    r"""\b(?:
        (?:SELECT|ATTACH|DETACH|COPY|PRAGMA|EXPLAIN|JOIN|FROM|WHERE|HAVING|USING)\s
      | (?:GROUP\ BY|ORDER\ BY|PARTITION\ BY|UNION\ ALL|INSERT\ INTO|DELETE\ FROM)\s
      | UPDATE\s+\S+\s+SET\s
      | SET\s+\w+\s*(?:=|TO\s)
      | (?:CREATE|DROP|ALTER)\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?
        (?:TABLE|VIEW|SCHEMA|MACRO|TYPE|INDEX|SEQUENCE|DATABASE)\b
      | WITH\s+\w+\s+AS\s*\(
    )""",
    re.VERBOSE,
)
_SMALL = re.compile(
    r"""\s*(?:
        select\s.*\sfrom\s
      | insert\s+into\s
      | delete\s+from\s
      | update\s+\S+\s+set\s
      | (?:create|drop|alter)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view|schema|macro)\s
      | (?:attach|detach|copy)\s+['"{]
      | (?:begin|commit|rollback)(?:\s+transaction)?;?\s*$
    )""",
    re.VERBOSE | re.DOTALL,
)

# sqltext reads a user's row filter as the condition of an empty query; that query is never run.
ALLOWED = {("sqltext.py", "SELECT 1 WHERE ({}\n)")}

# The words that DuckDBEngine's tracer and errors name a transaction's steps by, and that a connection must have. No
# SQL: it calls begin() ….
TRANSACTION_WORDS = {
    (file, word)
    for file in ("backends/duckdb.py", "backends/duckdb_opening.py")
    for word in ("begin", "commit", "rollback")
}


def sql_in(source: str) -> list[tuple[int, str]]:
    """Texts and f-strings (their values shown as ``{}``) that look like SQL, docstrings left out."""
    tree = ast.parse(source)
    passed_over: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed_over.add(id(node.value))  # a docstring, or a text that nobody uses
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=values):
                passed_over |= {id(value) for value in values}
                text = "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in values)
            case ast.Constant(value=str(text)) if id(node) not in passed_over:
                pass
            case _:
                continue
        if _CAPITALS.search(text) or _SMALL.match(text):
            found.append((node.lineno, text))
    return found


@pytest.mark.parametrize("name", FILES)
def test_it_holds_no_sql(name: str) -> None:
    found = sql_in(FILES[name].read_text(encoding="utf-8"))
    assert [(line, text) for line, text in found if (name, text) not in ALLOWED | TRANSACTION_WORDS] == []


def test_what_is_allowed_is_still_there() -> None:
    found = {
        (name, text) for name, path in FILES.items() for _, text in sql_in(path.read_text(encoding="utf-8"))
    }
    assert found >= ALLOWED


@pytest.mark.parametrize(
    "planted",
    [
        'run("SELECT * FROM patients")',
        'run(f"SELECT {column} FROM {table}")',
        'run("SELECT " + columns)',
        'run(f"DROP TABLE {table}")',
        'run("create or replace temp table t as select 1")',
        'run("select count(*) from t")',
        "run(f\"ATTACH '{path}' AS db\")",
        "run(f\"attach '{path}' as db\")",
        'run("INSERT INTO t VALUES (1)")',
        'query += f" GROUP BY {column}"',
        'query += f" WHERE {row_filter}"',
        'run("WITH a AS (SELECT 1) TABLE a")',
        'run("SET threads = 1")',
        'run("DELETE FROM t")',
        'run("begin transaction")',
        'x = {"a": ["UPDATE t SET a = 1"]}',
    ],
)
def test_planted_sql_is_found(planted: str) -> None:
    assert sql_in(planted)


@pytest.mark.parametrize(
    "good",
    [
        '"""SELECT is what this module never says FROM anywhere."""',
        'raise SpecError("the table is not there", mend="create it first, or select another from the list")',
        'raise SpecError("drop levels")',
        'statement("check/direct.sql.j2", question=question)',
        'x = "update the hierarchy"',
    ],
)
def test_prose_is_no_sql(good: str) -> None:
    assert sql_in(good) == []
