"""The golden cases: for every template, statements rendered for small questions built by hand. No engine.

A case is named ``<template path>/<case>`` and its golden file is ``golden/<template path>/<case>.sql``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from kanon_sql.compiler import Statement, questions
from kanon_sql.compiler import statement as template_statement
from tests.compiler.builders import (
    ADDED_TOP,
    AGE,
    AGES,
    AT_HOME,
    BORN,
    COUNTRIES,
    CSV,
    FILTERED,
    FROM_FILE,
    HEIGHT_0,
    HOSTILE,
    HOSTILE_LEVELS,
    HOSTILE_NAMES,
    HOSTILE_TABLE,
    HOSTILE_VECTOR,
    ID_FACTOR,
    LEVELS,
    ONE_LEVEL,
    ONE_WORD,
    OUTPUT,
    PARQUET,
    PARQUET_LEVELS,
    PARTITIONED,
    PERSONS,
    PLAIN,
    SEEN,
    STAY,
    TEMPORARY,
    TEXT_LEVELS,
    TOP,
    TOP_AGE,
    TWO_WORDS,
    WEIGHT,
    ZIP,
    ZIPS,
    dropping,
    hierarchy,
    question,
)
from tests.compiler.measure_cases import MEASURE_CASES
from tests.compiler.model_cases import MODEL_CASES
from tests.compiler.share_cases import SHARE_CASES

# Templates that hold no query and no CREATE: their goldens are the text as it is.
NOT_PARSED = {
    "catalog/file_columns",
    "engine/attach",
    "engine/detach",
    "engine/drop",
    "engine/drop_view",
    "engine/scan",
    "engine/setting",
    "release/export",
}


def _catalog(name: str, /, **parameters: object) -> Callable[[], Statement]:
    return lambda: template_statement(f"catalog/{name}.sql.j2", dict(parameters))


def _scan(name: str, /, **context: object) -> Callable[[], Statement]:
    return lambda: template_statement(f"catalog/{name}.sql.j2", **context)


def _engine(name: str, /, **context: object) -> Callable[[], Statement]:
    return lambda: template_statement(f"engine/{name}.sql.j2", **context)


def _demo(name: str, /, **parameters: object) -> Callable[[], Statement]:
    return lambda: template_statement(f"demo/{name}.sql.j2", dict(parameters))


_BANDS = json.dumps([{"band": "child", "first_age": 0, "last_age": 17}])

CASES: dict[str, Callable[[], Statement]] = {
    "catalog/columns/patients": _catalog("columns", catalog="warehouse", schema="main", name="patients"),
    "catalog/file_columns/parquet": _scan("file_columns", scan=PARQUET),
    "catalog/glob/hostile_names": _scan("glob", path="it's; drop/*.csv"),
    "catalog/leading_zeros/hostile_names": _scan("leading_zeros", scan=CSV, columns=["age", 'a"b']),
    "catalog/sniff/hostile_names": _scan("sniff", path="it's; drop.csv"),
    "catalog/functions/two_names": _catalog("functions", names='["upper", "now"]'),
    "catalog/collation_probe/hostile_names": _scan(
        "collation_probe", probe="kanon_collations", relation=HOSTILE_TABLE, columns=['a"b'], temporary=True
    ),
    "catalog/collations/of_a_table": _catalog("collations", name="kanon_collations"),
    "catalog/time_zones/all": _catalog("time_zones"),
    "catalog/schemas/all": _catalog("schemas"),
    "catalog/session/now": _catalog("session"),
    "catalog/tables/all": _catalog("tables"),
    "check/direct/plain": lambda: questions.check_direct(PLAIN, (1, 0)),
    "check/direct/hostile_names": lambda: questions.check_direct(HOSTILE, HOSTILE_VECTOR),
    "check/direct/row_filter": lambda: questions.check_direct(FILTERED, (1, 0)),
    "check/direct/persons": lambda: questions.check_direct(PERSONS, (1, 2)),
    "check/direct/unmapped_top": lambda: questions.check_direct(TOP, (0, 0)),
    "check/direct/height_0": lambda: questions.check_direct(HEIGHT_0, (3, 0)),
    "check/direct/file": lambda: questions.check_direct(FROM_FILE, (1, 0)),
    "check/direct/mapping_at_home": lambda: questions.check_direct(question(AT_HOME), (1,)),
    "check/example/rows": lambda: questions.example(PLAIN, 1, 1, 5),
    "check/example/persons": lambda: questions.example(PERSONS, 0, 3, 5),
    "check/example/hostile_names": lambda: questions.example(HOSTILE, 4, 1, 5),
    "check/example/zoned": lambda: questions.example(question(SEEN), 0, 0, 5),
    "check/mapped_rows/plain": lambda: questions.mapped_rows(PLAIN),
    "check/mapped_rows/row_filter": lambda: questions.mapped_rows(FILTERED),
    "check/mapped_rows/hostile_names": lambda: questions.mapped_rows(HOSTILE),
    "check/table/rows": lambda: questions.class_sizes(PLAIN.source, ["age", "zip"]),
    "check/table/row_filter": lambda: questions.class_sizes(FILTERED.source, ["age"]),
    "check/table/persons": lambda: questions.class_sizes(PERSONS.source, ["age", "zip"]),
    "check/table/hostile_names": lambda: questions.class_sizes(HOSTILE.source, HOSTILE_NAMES),
    "check/table/file": lambda: questions.class_sizes(FROM_FILE.source, ["age", "zip"]),
    "check/table/no_columns": lambda: questions.class_sizes(FILTERED.source, []),
    "check/table/mark": lambda: questions.class_sizes(PLAIN.source, ["age", "zip"], mark="it's *"),
    "check/wildcard/rows": lambda: questions.class_sizes(PLAIN.source, ["age", "zip"], wildcard=True),
    "check/wildcard/hostile_names": lambda: questions.class_sizes(
        HOSTILE.source, HOSTILE_NAMES, mark="*", wildcard=True
    ),
    "check/wildcard/row_filter": lambda: questions.class_sizes(FILTERED.source, ["age"], wildcard=True),
    "check/distinct_values/rows": lambda: questions.distinct_values(PLAIN.source, ["age", "zip"]),
    "check/distinct_values/row_filter": lambda: questions.distinct_values(FILTERED.source, ["age"]),
    "check/distinct_values/hostile_names": lambda: questions.distinct_values(HOSTILE.source, HOSTILE_NAMES),
    "catalog/try_filter/row_filter": lambda: template_statement(
        "catalog/try_filter.sql.j2", source=FILTERED.source
    ),
    "check/totals/file": lambda: questions.totals(FROM_FILE.source),
    "check/totals/rows": lambda: questions.totals(PLAIN.source),
    "check/totals/row_filter": lambda: questions.totals(FILTERED.source),
    "check/totals/persons": lambda: questions.totals(PERSONS.source),
    "check/totals/hostile_names": lambda: questions.totals(HOSTILE.source),
    "check/vector_class_sizes/rows": lambda: questions.vector_class_sizes(PLAIN, (2, 1)),
    "check/vector_class_sizes/persons": lambda: questions.vector_class_sizes(PERSONS, (2, 1)),
    "check/vector_class_sizes/hostile_names": lambda: questions.vector_class_sizes(HOSTILE, HOSTILE_VECTOR),
    "demo/admission_date_hierarchy/all": _demo("admission_date_hierarchy"),
    "demo/birth_date_hierarchy/all": _demo("birth_date_hierarchy"),
    "demo/choices/one": _demo(
        "choices",
        choices=json.dumps([{"position": 0, "question": "sex", "given": "", "choice": "F", "weight": 1}]),
    ),
    "demo/flat_hierarchy/sex": _demo("flat_hierarchy", question="sex"),
    "demo/marital_status_hierarchy/one": _demo(
        "marital_status_hierarchy",
        states=json.dumps([{"marital_status": "married", "partnership": "partnered"}]),
    ),
    "demo/patients/small": _demo("patients", seed="2026", rows=100, bands=_BANDS),
    "demo/people/small": _demo("people", seed="2026", people=100, bands=_BANDS),
    "demo/zip_hierarchy/all": _demo("zip_hierarchy"),
    "engine/attach/read_only": _engine("attach", path="warehouse.duckdb", alias="warehouse", read_only=True),
    "engine/attach/hostile_names": _engine(
        "attach", path="it's; drop.duckdb", alias='ware"house', read_only=False
    ),
    "engine/detach/hostile_names": _engine("detach", alias='ware"house'),
    "engine/drop_view/hostile_names": _engine("drop_view", table='kanon_t"; drop table patients; --'),
    "engine/scan/csv": _engine("scan", scan=CSV),
    "engine/scan/parquet": _engine("scan", scan=PARQUET),
    "engine/scan/partitioned": _engine("scan", scan=PARTITIONED),
    "engine/drop/plain": _engine("drop", table="kanon_map_age"),
    "engine/drop/hostile_names": _engine("drop", table='kanon_map_t"; drop table patients; --'),
    "engine/setting/boolean": _engine("setting", name="enable_progress_bar", value=True),
    "frequency/codes/one_word": lambda: questions.codes(PLAIN, ZIP, ONE_WORD),
    "frequency/codes/two_words": lambda: questions.codes(PLAIN, AGE, TWO_WORDS),
    "frequency/codes/height_0": lambda: questions.codes(HEIGHT_0, HEIGHT_0.columns[1], ()),
    "frequency/codes/hostile_names": lambda: questions.codes(HOSTILE, HOSTILE.columns[4], ONE_WORD),
    "frequency/digit_sizes/plain": lambda: questions.digit_sizes(AGE),
    "frequency/digit_sizes/hostile_names": lambda: questions.digit_sizes(HOSTILE.columns[0]),
    "frequency/digits/plain": lambda: questions.digits(PLAIN, AGE),
    "frequency/digits/temporary": lambda: questions.digits(TEMPORARY, ZIP),
    "frequency/digits/unmapped_top": lambda: questions.digits(TOP, TOP_AGE),
    "frequency/digits/height_0": lambda: questions.digits(HEIGHT_0, HEIGHT_0.columns[1]),
    "frequency/digits/hostile_names": lambda: questions.digits(HOSTILE, HOSTILE.columns[0]),
    "frequency/encode/one_word": lambda: questions.encode(PLAIN, "kanon_frequency", [[0, 1]]),
    "frequency/encode/two_words": lambda: questions.encode(PLAIN, "kanon_frequency", [[0], [0, 1]]),
    "frequency/encode/no_digits": lambda: questions.encode(HEIGHT_0, "kanon_frequency", [[]]),
    "frequency/encode/row_filter": lambda: questions.encode(FILTERED, "kanon_frequency", [[0, 1]]),
    "frequency/encode/persons": lambda: questions.encode(PERSONS, "kanon_frequency", [[0, 1]]),
    "frequency/encode/persons_two_words": lambda: questions.encode(PERSONS, "kanon_frequency", [[0], [0, 1]]),
    "frequency/encode/temporary": lambda: questions.encode(TEMPORARY, "kanon_frequency", [[0, 1]]),
    "frequency/encode/ungrouped": lambda: questions.encode(
        PERSONS, "kanon_frequency", [[0, 1]], grouped=False
    ),
    "frequency/labels/age": lambda: questions.labels(AGE),
    "frequency/labels/hostile_names": lambda: questions.labels(HOSTILE.columns[0]),
    "frequency/repeats/plain": lambda: questions.repeats(PLAIN, 50_000),
    "frequency/repeats/hostile_names": lambda: questions.repeats(HOSTILE, 50_000),
    "frequency/hub/one_word": lambda: questions.roll_up(PLAIN, "kanon_frequency", "kanon_hub_0", [0b1100]),
    "frequency/hub/persons_two_words": lambda: questions.roll_up(
        PERSONS, "kanon_frequency", "kanon_hub_0", [0b1100, -1]
    ),
    "frequency/hub/hostile_names": lambda: questions.roll_up(HOSTILE, 'fre"quency', 'hu"b', [0]),
    "frequency/encode/hostile_names": lambda: questions.encode(HOSTILE, 'fre"quency', [[0, 1, 2, 3, 4]]),
    "frequency/evaluate/one_word": lambda: questions.evaluate(PLAIN, "kanon_frequency", None, 1, ID_FACTOR),
    "frequency/evaluate/two_words": lambda: questions.evaluate(PLAIN, "kanon_frequency", None, 2, 1),
    "frequency/evaluate/persons": lambda: questions.evaluate(PERSONS, "kanon_frequency", None, 1, ID_FACTOR),
    "frequency/evaluate/persons_two_words": lambda: questions.evaluate(
        PERSONS, "kanon_frequency", None, 2, 1
    ),
    "frequency/evaluate/in_part": lambda: questions.evaluate(
        PLAIN, "kanon_frequency", None, 1, ID_FACTOR, partitioned=True
    ),
    "frequency/evaluate/in_part_two_words": lambda: questions.evaluate(
        PERSONS, "kanon_frequency", None, 2, 1, partitioned=True
    ),
    "frequency/evaluate/hostile_names": lambda: questions.evaluate(HOSTILE, 'fre"quency', None, 1, ID_FACTOR),
    "frequency/size/plain": lambda: questions.frequency_size("kanon_frequency"),
    "frequency/size/hostile_names": lambda: questions.frequency_size('fre"quency'),
    "hierarchy/blank/plain": lambda: questions.hierarchy_blank(LEVELS.relation, LEVELS.columns, 2),
    "hierarchy/blank/hostile_names": lambda: questions.hierarchy_blank(
        HOSTILE_TABLE, HOSTILE_LEVELS.columns, 1
    ),
    "hierarchy/changed_ground/back": lambda: questions.hierarchy_changed_ground(
        AGE, replace(LEVELS, ground_type="DOUBLE"), "DOUBLE", after="", shown=1
    ),
    "hierarchy/changed_ground/text": lambda: questions.hierarchy_changed_ground(
        AGE, TEXT_LEVELS, None, after="100", shown=1000
    ),
    "hierarchy/changed_ground/hostile_names": lambda: questions.hierarchy_changed_ground(
        HOSTILE.columns[0], HOSTILE_LEVELS, None, after="it's", shown=5
    ),
    "hierarchy/clashing_ground/plain": lambda: questions.hierarchy_clashing_ground(AGE, TEXT_LEVELS),
    "hierarchy/clashing_ground/one_level": lambda: questions.hierarchy_clashing_ground(AGE, ONE_LEVEL),
    "hierarchy/clashing_ground/hostile_names": lambda: questions.hierarchy_clashing_ground(
        AGE, HOSTILE_LEVELS
    ),
    "hierarchy/content/plain": lambda: questions.hierarchy_content(LEVELS.relation, LEVELS.columns, "INT"),
    "hierarchy/content/parquet": lambda: questions.hierarchy_content(
        PARQUET_LEVELS.relation, ("at", "any"), "TIMESTAMPTZ"
    ),
    "hierarchy/content/hostile_names": lambda: questions.hierarchy_content(
        HOSTILE_TABLE, HOSTILE_LEVELS.columns, "TEXT"
    ),
    "hierarchy/level_sizes/hostile_names": lambda: questions.hierarchy_level_sizes(
        HOSTILE_TABLE, HOSTILE_LEVELS.columns
    ),
    "hierarchy/repeated_ground/plain": lambda: questions.hierarchy_repeated_ground(
        LEVELS.relation, LEVELS.columns
    ),
    "hierarchy/repeated_ground/hostile_names": lambda: questions.hierarchy_repeated_ground(
        HOSTILE_TABLE, HOSTILE_LEVELS.columns
    ),
    "hierarchy/top_below_top/added_top": lambda: questions.hierarchy_top_below_top(ADDED_TOP),
    "hierarchy/top_below_top/hostile_names": lambda: questions.hierarchy_top_below_top(HOSTILE_LEVELS),
    "hierarchy/tops/hostile_names": lambda: questions.hierarchy_tops(HOSTILE_TABLE, HOSTILE_LEVELS.columns),
    "hierarchy/two_parents/plain": lambda: questions.hierarchy_two_parents(
        LEVELS.relation, LEVELS.columns, 1
    ),
    "hierarchy/two_parents/hostile_names": lambda: questions.hierarchy_two_parents(
        HOSTILE_TABLE, HOSTILE_LEVELS.columns, 1
    ),
    "hierarchy/unfit_ground/plain": lambda: questions.hierarchy_unfit_ground(AGE, TEXT_LEVELS),
    "hierarchy/unfit_ground/hostile_names": lambda: questions.hierarchy_unfit_ground(AGE, HOSTILE_LEVELS),
    "hierarchy/unused/plain": lambda: questions.hierarchy_unused(FILTERED, ZIP),
    "hierarchy/unused/hostile_names": lambda: questions.hierarchy_unused(HOSTILE, HOSTILE.columns[0]),
    "mapping/clashing_ground/plain": lambda: questions.clashing_ground(AGE, AGES),
    "mapping/clashing_ground/height_0": lambda: questions.clashing_ground(HEIGHT_0.columns[1], COUNTRIES),
    "mapping/flat/plain": lambda: questions.mapping_flat(PLAIN, ZIP),
    "mapping/flat/double": lambda: questions.mapping_flat(question(WEIGHT), WEIGHT),
    "mapping/flat/interval": lambda: questions.mapping_flat(question(STAY), STAY),
    "mapping/flat/row_filter": lambda: questions.mapping_flat(FILTERED, ZIP),
    "mapping/flat/temporary": lambda: questions.mapping_flat(TEMPORARY, ZIP),
    "mapping/flat/hostile_names": lambda: questions.mapping_flat(HOSTILE, HOSTILE.columns[4]),
    "mapping/from_file/plain": lambda: questions.mapping_from_file(PLAIN, AGE, AGES),
    "mapping/from_file/double": lambda: questions.mapping_from_file(
        question(WEIGHT), WEIGHT, hierarchy(("-0.0", "*"))
    ),
    "mapping/from_file/null_row": lambda: questions.mapping_from_file(PLAIN, ZIP, ZIPS),
    "mapping/from_file/unmapped_top": lambda: questions.mapping_from_file(TOP, TOP_AGE, AGES),
    "mapping/from_file/height_0": lambda: questions.mapping_from_file(
        HEIGHT_0, HEIGHT_0.columns[1], COUNTRIES
    ),
    "mapping/from_file/temporary": lambda: questions.mapping_from_file(TEMPORARY, AGE, AGES),
    "mapping/from_file/hostile_names": lambda: questions.mapping_from_file(
        HOSTILE, replace(HOSTILE.columns[4], top='it\'s */ the "top"'), ZIPS
    ),
    "mapping/from_table/plain": lambda: questions.mapping_from_table(PLAIN, AGE, LEVELS),
    "mapping/from_table/text": lambda: questions.mapping_from_table(PLAIN, AGE, TEXT_LEVELS),
    "mapping/from_table/added_top": lambda: questions.mapping_from_table(PLAIN, AGE, ADDED_TOP),
    "mapping/from_table/unmapped_top": lambda: questions.mapping_from_table(TOP, TOP_AGE, LEVELS),
    "mapping/from_table/parquet": lambda: questions.mapping_from_table(TEMPORARY, AGE, PARQUET_LEVELS),
    "mapping/from_table/height_0": lambda: questions.mapping_from_table(
        HEIGHT_0, HEIGHT_0.columns[1], ONE_LEVEL
    ),
    "mapping/from_table/hostile_names": lambda: questions.mapping_from_table(
        HOSTILE, replace(HOSTILE.columns[4], top=HOSTILE_LEVELS.top), HOSTILE_LEVELS
    ),
    "mapping/instants/two": lambda: questions.instants(
        '["2024-01-05 21:00:00.000000", "2024-01-05 00:00:00.000000"]',
        '[null, "Europe/Berlin"]',
        "[7200, null]",
    ),
    "mapping/ground_values/date": lambda: questions.ground_values(BORN, hierarchy(("2024-01-05", "*"))),
    "mapping/ground_values/integer": lambda: questions.ground_values(AGE, AGES),
    "mapping/top_in_data/hierarchy": lambda: questions.top_in_data(PLAIN, ZIP, flat=False),
    "mapping/top_in_data/flat": lambda: questions.top_in_data(PLAIN, ZIP, flat=True),
    "mapping/top_in_data/hostile_names": lambda: questions.top_in_data(
        HOSTILE, HOSTILE.columns[0], flat=False
    ),
    "mapping/unmapped/plain": lambda: questions.unmapped(PLAIN, ZIP),
    "mapping/unmapped/zoned": lambda: questions.unmapped(question(SEEN), SEEN),
    "mapping/unmapped/row_filter": lambda: questions.unmapped(FILTERED, ZIP),
    "mapping/unmapped/hostile_names": lambda: questions.unmapped(HOSTILE, HOSTILE.columns[3]),
    "mapping/unmapped_to_top/plain": lambda: questions.unmapped_to_top(TOP, TOP_AGE),
    "mapping/unmapped_to_top/height_0": lambda: questions.unmapped_to_top(
        HEIGHT_0, replace(HEIGHT_0.columns[1], unmapped="top")
    ),
    "mapping/unmapped_to_top/temporary": lambda: questions.unmapped_to_top(
        replace(question(SEEN), temporary=True), replace(SEEN, unmapped="top")
    ),
    "mapping/unmapped_to_top/hostile_names": lambda: questions.unmapped_to_top(HOSTILE, HOSTILE.columns[1]),
    "mapping/value_present/plain": lambda: questions.value_present(PLAIN.source, "age", "INTEGER", "age"),
    "mapping/value_present/hostile_names": lambda: questions.value_present(
        HOSTILE.source, 't"; drop table patients; --', "VARCHAR", "it's"
    ),
    "release/cut_intervals/hostile_names": lambda: questions.cut_intervals(FILTERED.source, ['a"b', "stay"]),
    "release/export/csv": lambda: questions.export(
        PLAIN, (1, 0), "it's.csv", shuffle_key="secret", kind="csv", delimiter=";", compression="gzip"
    ),
    "release/export/parquet": lambda: questions.export(
        PLAIN,
        (1, 0),
        "out.parquet",
        shuffle_key="secret",
        kind="parquet",
        metadata={'kanon"sql': "it's"},
    ),
    "release/export/partitioned": lambda: questions.export(
        HOSTILE, HOSTILE_VECTOR, "out", shuffle_key="secret", kind="parquet", partition_by=('a"b', "select")
    ),
    "release/foreign_values/file": lambda: questions.foreign_values(PLAIN, (1, 2), PARTITIONED),
    "release/foreign_values/dropped": lambda: questions.foreign_values(
        dropping(HOSTILE, "select"), HOSTILE_VECTOR, HOSTILE_TABLE
    ),
    "release/foreign_values/plain": lambda: questions.foreign_values(PLAIN, (1, 2), OUTPUT),
    "release/foreign_values/hostile_names": lambda: questions.foreign_values(
        HOSTILE, HOSTILE_VECTOR, HOSTILE_TABLE
    ),
    "release/person_classes/persons": lambda: questions.person_classes(PERSONS, (1, 2), OUTPUT),
    "release/person_classes/dropped": lambda: questions.person_classes(
        dropping(HOSTILE, *HOSTILE_NAMES), HOSTILE_VECTOR, PARTITIONED
    ),
    "release/person_classes/hostile_names": lambda: questions.person_classes(
        HOSTILE, HOSTILE_VECTOR, HOSTILE_TABLE
    ),
    "release/read/file": lambda: questions.read_release(CSV),
    "release/read/plain": lambda: questions.read_release(OUTPUT),
    "release/read/hostile_names": lambda: questions.read_release(HOSTILE_TABLE),
    "release/release/table": lambda: questions.release(PLAIN, (1, 0), OUTPUT, shuffle_key="secret"),
    "release/release/dropped": lambda: questions.release(
        dropping(PLAIN, "age"), (3, 0), OUTPUT, shuffle_key="secret"
    ),
    "release/release/replace": lambda: questions.release(
        PLAIN, (1, 0), OUTPUT, shuffle_key="secret", replace=True
    ),
    "release/release/query_only": lambda: questions.release(PLAIN, (1, 0), None),
    "release/release/view": lambda: questions.release(PLAIN, (1, 0), OUTPUT, view=True),
    "release/release/file": lambda: questions.release(FROM_FILE, (1, 0), OUTPUT, shuffle_key="secret"),
    "release/view_mapping/hostile_names": lambda: questions.view_mapping(
        AT_HOME, HOSTILE_TABLE, replace=True
    ),
    "release/view_mapping/plain": lambda: questions.view_mapping(ZIP, OUTPUT, replace=False),
    "release/release/utc_text": lambda: questions.release(
        question(SEEN, keep=("left",)), (0,), None, utc_text=("seen", "left")
    ),
    "release/release/row_filter": lambda: questions.release(FILTERED, (1, 0), None),
    "release/release/persons": lambda: questions.release(PERSONS, (1, 0), None),
    "release/release/unmapped_top": lambda: questions.release(TOP, (0, 2), None),
    "release/release/height_0": lambda: questions.release(HEIGHT_0, (0, 0), None),
    "release/release/hostile_names": lambda: questions.release(
        HOSTILE, HOSTILE_VECTOR, HOSTILE_TABLE, shuffle_key="it's secret"
    ),
    **MODEL_CASES,
    **MEASURE_CASES,
    **SHARE_CASES,
}


@dataclass(frozen=True)
class Case:
    """A case: the template that it is of, and the statement that it renders."""

    name: str

    @property
    def template(self) -> str:
        """The template's path, without its suffix."""
        return self.name.rpartition("/")[0]

    def statement(self) -> Statement:
        """The statement, as the compiler renders it."""
        return _rendered(self.name)

    def laid_out(self) -> Statement:
        """The statement laid out for reading; as it is where nobody lays it out."""
        return _laid_out(self.name)

    def golden_text(self) -> str:
        """What the golden file holds: the statement laid out for reading, and the values bound to it."""
        statement = self.statement()
        bound = [
            f"-- ${name} = {json.dumps(value, ensure_ascii=False)}"
            for name, value in statement.parameters.items()
        ]
        return "\n".join([self.laid_out().sql, *bound]) + "\n"


# Many tests look at the same statements.


@cache
def _rendered(name: str) -> Statement:
    return CASES[name]()


@cache
def _laid_out(name: str) -> Statement:
    statement = _rendered(name)
    return statement if Case(name).template in NOT_PARSED else statement.pretty()
