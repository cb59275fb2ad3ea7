"""The SQL that every template renders, held against golden files.

``KANON_UPDATE_GOLDEN=1 pytest tests/compiler`` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from tests.compiler.cases import CASES, NOT_PARSED, Case
from tests.compiler.model_cases import MODEL_CASES
from tests.compiler.test_templates import ASKING

GOLDEN = Path(__file__).with_name("golden")
UPDATE = os.environ.get("KANON_UPDATE_GOLDEN") == "1"
SUFFIX = ".sql.j2"


@pytest.mark.parametrize("name", CASES)
def test_the_statement_is_the_golden_one(name: str) -> None:
    case = Case(name)
    golden = GOLDEN / f"{name}.sql"
    text = case.golden_text()
    if UPDATE:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert golden.is_file(), f"no golden file {golden}: KANON_UPDATE_GOLDEN=1 pytest tests/compiler"
    assert text == golden.read_text(encoding="utf-8")
    assert case.statement().name == case.template


def test_every_template_has_a_case() -> None:
    # Libraries of macros ask nothing themselves: they are seen in the goldens of all others.
    assert {f"{Case(name).template}{SUFFIX}" for name in CASES} == set(ASKING)


def test_every_golden_file_has_a_case_and_every_case_one() -> None:
    found = {path.relative_to(GOLDEN).as_posix().removesuffix(".sql") for path in GOLDEN.rglob("*.sql")}
    assert found == set(CASES)


# -- what a session's settings may not change: default_order, default_null_order ------------------------------


def parsed(name: str) -> bool:
    return Case(name).template not in NOT_PARSED


def test_every_window_of_a_model_says_which_way_it_sorts() -> None:
    silent = {
        name
        for name in filter(parsed, MODEL_CASES)
        for window in sqlglot.parse_one(Case(name).statement().sql, read="duckdb").find_all(exp.Window)
        for ordered in window.find_all(exp.Ordered)
        if ordered.args.get("desc") is None
    }
    assert silent == set()


# sqlglot leaves NULLS LAST out, as the default; but a release is run, and a view is kept, as it is laid out.
def test_laying_a_statement_out_keeps_where_nulls_stand() -> None:
    changed = {
        name
        for name in filter(parsed, CASES)
        for statement in [Case(name).statement()]
        if Case(name).laid_out().sql.count("NULLS LAST") != statement.sql.count("NULLS LAST")
    }
    assert changed == set()
