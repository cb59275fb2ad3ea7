"""The templates of ``sql/``: each says what it asks, and none prints a name that is not quoted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import meta, nodes

from kanon_sql import resources
from kanon_sql.compiler.render import environment
from kanon_sql.privacy.registry import OWN
from tests.compiler.cases import CASES, Case
from tests.compiler.measure_cases import LOSSES
from tests.compiler.model_cases import EVERY_MODEL
from tests.compiler.template_rules import (
    FILTERS,
    arguments,
    attributes_of,
    calls_from,
    columns_of,
    documented_macros,
    header,
    macros_of,
    marked_as_sql,
    raw_values,
    used_arguments,
)

FOLDER = resources.sql_folder()
TEMPLATES = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.j2"))}
# Shared macros, which ask nothing themselves.
LIBRARIES = {
    "frequency/batch.sql.j2",
    "macros.sql.j2",
    "privacy/direct.sql.j2",
    "privacy/judging.sql.j2",
    "privacy/losing.sql.j2",
    "privacy/tolerance.sql.j2",
}
ASKING = {name: path for name, path in TEMPLATES.items() if name not in LIBRARIES}
# A model's predicate: macros that a statement calls, with what SensitiveModel says of their arguments.
PREDICATES = {name: path for name, path in ASKING.items() if name.startswith("privacy/")}
# What labels lose by a label loss: macros, with what LabelLoss says of their arguments.
LABEL_LOSSES = {loss.template: loss for loss in LOSSES.values()}
LABEL_LOSS_MACROS = {"loss": ("given", "kind"), "most": ("given",), "original": ("given",)}
PREDICATE_MACROS = {
    "rows": ("model", "cls", "values", "source", "column", "taxonomy"),
    "reach": ("model", "size", "total"),
    "violation": ("model", "size", "total"),
}

# What may enter a statement as it is, template by template: it was written by sqlglot, by the catalog through
# sqlglot, or by us.
_FILTER = {"source.row_filter"}  # sqlglot has read it
_TYPE = {"sql_type"}  # sqlglot has written it
_GROUND = {"ground"}  # a quoted column in its canonical form
_VALUES = {"values"}  # a relation that a macro named
_BOTH = {"source", "values"}  # and the values of the whole source, quoted already
SQL_ALREADY: dict[str, set[str]] = {
    "catalog/try_filter.sql.j2": _FILTER,
    "check/distinct_values.sql.j2": _FILTER,
    "check/example.sql.j2": _GROUND,
    "check/odd_values.sql.j2": {"value"},  # a quoted column
    "check/reached.sql.j2": {"name"},  # qi_<number>
    "check/table.sql.j2": _FILTER,
    "check/totals.sql.j2": _FILTER,
    "check/wildcard.sql.j2": _FILTER,
    "engine/setting.sql.j2": {"name"},  # of an engine's option, a constant of the package
    # aliases of the template's own; key_<number> and mask_<number>
    "frequency/batch.sql.j2": {"alias", "f", "word", "word.replace('key', 'mask')"},
    "hierarchy/changed_ground.sql.j2": {"back_type", *_TYPE},
    "hierarchy/clashing_ground.sql.j2": _TYPE,
    "hierarchy/unfit_ground.sql.j2": _TYPE,
    # aliases, and columns that have names of ours; what a macro is given: a quoted column, or a cast of one
    "macros.sql.j2": {"a", "alias", "b", "column", "value", *_FILTER, *_TYPE, *_BOTH},
    "mapping/clashing_ground.sql.j2": _TYPE,
    "mapping/flat.sql.j2": _GROUND,
    # level_<number>, in the name of a parameter
    "mapping/from_file.sql.j2": {"column.level(i)", "column.sql_type"},
    "mapping/from_table.sql.j2": {"column.sql_type"},
    "mapping/ground_values.sql.j2": _TYPE,
    "mapping/unmapped.sql.j2": _GROUND,
    "mapping/value_present.sql.j2": _TYPE,
    # key_<number>, and columns and parameters named alike
    "measures/facts.sql.j2": {"word", "word.replace('key', 'code')", "word.replace('key', 'part')"},
    "measures/non_uniform_entropy.sql.j2": {"number"},  # a column of its own
    "privacy/alpha_k.sql.j2": {"total"},
    "privacy/alpha_k_named.sql.j2": {"total", *_BOTH},
    "privacy/beta_likeness.sql.j2": {"total"},
    "privacy/delta_disclosure.sql.j2": {"total"},
    "privacy/judging.sql.j2": {"flag", "ground", "n", "value"},  # words, aggregates and columns of its own
    "privacy/k_anonymity.sql.j2": {"size"},
    "privacy/k_map.sql.j2": {"total"},
    "privacy/recursive_cl_diversity.sql.j2": _VALUES,
    "privacy/t_closeness_equal.sql.j2": _BOTH,
    "privacy/t_closeness_hierarchical.sql.j2": _BOTH,
    "privacy/t_closeness_ordered.sql.j2": _BOTH,
    "release/cut_intervals.sql.j2": _FILTER,
    "release/export.sql.j2": {"query"},  # the release's query, rendered
    "release/release.sql.j2": {"value"},  # a quoted column
    "release/shares_lost.sql.j2": {"value"},  # a quoted column
}


def test_there_are_templates() -> None:
    assert len(TEMPLATES) >= 40


def test_every_file_in_the_folder_is_a_template() -> None:
    assert {path for path in FOLDER.rglob("*") if path.is_file()} == set(TEMPLATES.values())


def test_the_filters_are_those_of_the_environment() -> None:
    assert set(environment().filters) >= FILTERS


# -- what it says of itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_starts_with_a_comment_and_prints_no_raw_value(name: str) -> None:
    source = TEMPLATES[name].read_text(encoding="utf-8")
    assert header(source).strip()
    assert raw_values(source) == []


@pytest.mark.parametrize("name", ASKING)
def test_its_comment_says_what_it_asks_and_of_what(name: str) -> None:
    source = ASKING[name].read_text(encoding="utf-8")
    said = header(source)
    assert re.match(r"\W*(Question|Step): \S", said)
    tree = environment().parse(source)
    own = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    own |= {module.target for module in tree.find_all(nodes.Import)}
    inputs = meta.find_undeclared_variables(tree) - own
    if inputs:
        assert "Inputs:" in said
    for each in inputs:
        assert re.search(rf"\b{each}\b", said), f"{each} is an input, and the comment does not name it"


@pytest.mark.parametrize("name", ASKING)
def test_its_comment_says_of_every_case_what_is_bound_and_what_comes_out(name: str) -> None:
    said = header(ASKING[name].read_text(encoding="utf-8"))
    cases = [case for case in map(Case, CASES) if f"{case.template}.sql.j2" == name]
    assert cases
    for case in cases:
        sql = case.statement().sql
        for parameter in re.findall(r"\$(\w+)", sql):
            # $level_3 is one of `$level_0 … $level_<height>`.
            first = re.sub(r"\d+$", "0", parameter)
            assert f"${parameter}" in said or f"${first} …" in said, (
                f"${parameter} of {case.name} is not named"
            )
        code = re.sub(r"/\*.*?\*/|--[^\n]*", "", sql, flags=re.DOTALL).split()
        if code[0] not in {"ATTACH", "COPY", "DETACH", "DROP", "INSERT", "SET"}:
            # Others give no rows and make no table.
            assert re.search(r"\bOutput\b", said), case.name


@pytest.mark.parametrize("name", sorted(LIBRARIES))
def test_the_comment_of_a_library_says_what_its_macros_take(name: str) -> None:
    source = TEMPLATES[name].read_text(encoding="utf-8")
    macros = {name: arguments(macro) for name, macro in macros_of(source).items()}
    said = documented_macros(header(source))
    assert said.items() <= macros.items()
    called = set[str]().union(
        *(
            calls_from(path.read_text(encoding="utf-8"), name)
            for other, path in TEMPLATES.items()
            if other != name
        )
    )
    assert called, "nobody imports it"
    assert called <= set(said), "another template calls what the comment does not name"


@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_defines_what_a_statement_calls(name: str) -> None:
    macros = macros_of(PREDICATES[name].read_text(encoding="utf-8"))
    assert "violation" in macros
    for each, wanted in PREDICATE_MACROS.items():
        if each in macros:
            assert arguments(macros[each]) == wanted


@pytest.mark.parametrize("name", PREDICATES)
def test_the_comment_of_a_predicate_names_what_it_uses(name: str) -> None:
    source = PREDICATES[name].read_text(encoding="utf-8")
    said = header(source)
    macros = macros_of(source)
    of_values = set(re.findall(r"\bv\.(\w+)", said))
    assert of_values == columns_of(source, "v")
    for attribute in attributes_of(source, "model"):
        assert f"model.{attribute}" in said
    assert ("reach" in macros) == ("reach:" in said)
    asked = [macros[each] for each in PREDICATE_MACROS if each in macros]
    for argument in set[str]().union(*map(used_arguments, asked)) - {"model"}:
        assert re.search(rf"\b{argument}\b", said), f"{argument} is used, and the comment is silent"
    for argument in {"size", "total"} - used_arguments(macros["violation"]):
        assert re.search(rf"\b{argument}\b[^.;]*\bnot used", said), f"{argument} is not used"


@pytest.mark.parametrize("name", LABEL_LOSSES)
def test_a_label_loss_defines_what_a_statement_calls_and_names_what_it_uses(name: str) -> None:
    source = ASKING[name].read_text(encoding="utf-8")
    macros = {each: arguments(macro) for each, macro in macros_of(source).items()}
    wanted = dict(LABEL_LOSS_MACROS)
    if not LABEL_LOSSES[name].of_source:
        del wanted["original"]
    assert {each: macros.get(each) for each in LABEL_LOSS_MACROS if each in macros} == wanted
    said = header(source)
    for relation in ("l", "o"):
        used = set(re.findall(rf"\b{relation}\.(\w+)", source[source.index("#}") :]))
        assert used == set(re.findall(rf"\b{relation}\.(\w+)", said))
    assert {f"given.{each}" for each in attributes_of(source, "given")} == set(
        re.findall(r"\bgiven\.\w+", said)
    )


# -- what it prints ---------------------------------------------------------------------------------------


def test_little_is_marked_as_sql_already() -> None:
    marked = {name: marked_as_sql(path.read_text(encoding="utf-8")) for name, path in TEMPLATES.items()}
    assert {name: found for name, found in marked.items() if found} == SQL_ALREADY


@pytest.mark.parametrize(
    "planted",
    [
        "SELECT {{ column }}",
        'SELECT "{{ column.column }}"',
        "SELECT {{ columns[0] }}",
        "SELECT {{ column | upper }}",
        "SELECT {{ column | ident | upper }}",
        "SELECT {{ column.level(1) }}",
        "SELECT {{ describe(column) }}",
        'SELECT {{ "a" ~ column }}',
        'SELECT {{ column if quoted else "a" }}',
        'SELECT {{ "a" if quoted else column }}',
        "{% set name = column %}SELECT {{ name }}",
        "{% for column in columns %}{{ column }}{% endfor %}",
        "{% macro one(column) %}{{ column }}{% endmacro %}{{ one(x) }}",
        '{% import "macros.sql.j2" as m %}{{ other.source(x) }}',
        "{% filter upper %}{{ column | ident }}{% endfilter %}",
        "{{ 'x' % column }}",
        "{{ column + '' }}",
        '{% set size = "1" %}{% set size = column %}{{ size }}',
        '{% set size, total = "1", column %}{{ total }}',
        "{% set pair = column %}{% set size, total = pair %}{{ size }}",
        '{% set size = "1" %}{% macro one(size) %}{{ size }}{% endmacro %}{{ one(x) }}',
        '{% set size = "1" %}{% macro one(x) %}{{ size }}{% endmacro %}{{ one(x) }}',
        '{% set size = "1" %}{% for size in sizes %}{{ size }}{% endfor %}',
        "{% set size = size %}{{ size }}",
        '{% set size = "1" ~ column %}{{ size }}',
        "{% set size %}{{ column | ident }}{% endset %}{{ size }}",
    ],
)
def test_a_planted_raw_value_is_found(planted: str) -> None:
    assert raw_values(planted)


@pytest.mark.parametrize(
    "good",
    [
        "SELECT {{ column | ident }}",
        "SELECT {{ column.column | ident }}, {{ 5 | literal }} FROM {{ table | path }}",
        '{{ "," if not loop.last }}',
        "{{ column.top | literal if top else 'NULL' }}",
        '{{ "class // " ~ (factor | literal) }}',
        '{% import "macros.sql.j2" as m %}{{ m.source(question) }}',
        '{% from "macros.sql.j2" import source as s %}{{ s(question) }}',
        "{% macro one(column) %}{{ column | ident }}{% endmacro %}{{ one(x) }}",
        '{% set nulls = "LAST" if last else "FIRST" %}NULLS {{ nulls }}',
        '{% macro one(x) %}{% set size, total = "0", "1" %}{{ size ~ total }}{% endmacro %}{{ one(x) }}',
        "{% set value = column | ident %}SELECT {{ value }}",
    ],
)
def test_what_is_quoted_is_let_through(good: str) -> None:
    assert raw_values(good) == []


# -- who asks it ------------------------------------------------------------------------------------------


def test_the_package_asks_every_template() -> None:
    package = Path(resources.__file__).parent
    code = "".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    assert [name for name in ASKING if f'"{name}"' not in code] == []


def test_every_model_of_the_package_has_its_predicate_and_every_predicate_a_model() -> None:
    asked = {model.template for model in EVERY_MODEL}
    assert asked == set(PREDICATES)
    assert {type(model) for model in EVERY_MODEL} >= set(OWN)
