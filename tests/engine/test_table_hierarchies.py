"""Hierarchies that are tables, views or Parquet files: as good as CSV files, and held to the same rules."""

from __future__ import annotations

import datetime
import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import DataError, HierarchyError, NoSolutionError, SpecError
from kanon_sql.frequency.table_hierarchy import TableFaults
from tests.engine.support import World, build, lines, query, quoted, tables, types, world
from tests.oracle.model import OracleHierarchy, as_text
from tests.oracle.strategies import Case, cases

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
SCHEMA = quoted('le"vels')
FORMS = ("table of the column's type", "table of text", "view", "parquet", "parquet of text")

PEOPLE = "CREATE TABLE t AS SELECT CAST(i % 20 AS INTEGER) AS age, i AS pay FROM range(100) AS r(i)"
LEVELS = (
    "CREATE TABLE levels AS SELECT CAST(i AS INTEGER) AS age, (i // 5 * 5)::VARCHAR || '+' AS five,"
    " '*' AS any_age FROM range(20) AS r(i)"
)


def with_levels(folder: Path, *statements: str, hierarchy: Any = "table:levels", **words: Any) -> World:
    """People of ages 0 to 19, five of each, and a table of levels that the statements have changed."""
    long = hierarchy if isinstance(hierarchy, dict) else {"hierarchy": hierarchy}
    return world(folder, PEOPLE, LEVELS, *statements, qi={"age": long}, **{"k": 6, **words})


def refused(made: World, kind: type[Exception] = HierarchyError) -> Any:
    with pytest.raises(kind) as caught:
        made.run()
    assert "released" not in tables(made.path)
    return caught.value


# ---------------------------------------------------------------- against files and the oracle


@settings(
    max_examples=400 if THOROUGH else 16,
    deadline=None,
    derandomize=os.environ.get("HYPOTHESIS_PROFILE") == "ci",
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
@given(cases(max_columns=3, max_rows=25, persons=False), st.sampled_from(FORMS), st.randoms())
def test_a_table_a_view_and_a_parquet_file_release_what_the_csv_file_does(
    case: Case, form: str, chance: Any
) -> None:
    with tempfile.TemporaryDirectory() as name:
        built = build(case, Path(name))
        asked = dict(built.words["quasi_identifiers"])
        hashes = {}
        for i, column in enumerate(case.columns):
            if not case.has_file[i]:
                continue
            rows = list(case.hierarchies[i].paths.values())
            chance.shuffle(rows)
            text = form.endswith("text")
            kind = "VARCHAR" if text else case.types[i]
            hierarchy = store(built.path, f"h {i}", kind, rows, form)
            asked[column] = {"hierarchy": hierarchy, "unmapped": case.unmapped[i]}
            hashes[column] = len(rows)
        words = {**built.words, "quasi_identifiers": asked, "output": "from_tables"}
        vector = case.search().vector_of_5_11(case.max_sup)
        if vector is None:
            event("nothing satisfies")
            with pytest.raises(NoSolutionError):
                kanon_sql.anonymize(built.path, **words)
            return
        event(f"{form}, released")
        result = kanon_sql.anonymize(built.path, **words)
        plain = kanon_sql.anonymize(built.path, **{**built.words, "output": "from_files"})
        assert tuple(result.vector.values()) == tuple(plain.vector.values()) == vector
        assert result.suppressed == plain.suppressed == case.by_grouping().outliers(vector)
        assert built.found(built.path, "from_tables", vector) == built.expected(vector)
        assert built.found(built.path, "from_files", vector) == built.expected(vector)
        assert types(built.path, "from_tables") == types(built.path, "from_files")


def store(path: Path, name: str, kind: str, rows: Sequence[tuple[Any, ...]], form: str) -> str:
    """The rows of a hierarchy as a table, a view or a Parquet file; gives the words of the spec."""
    height = len(rows[0]) - 1
    declared = ", ".join(f"{quoted(f'l {at}')} {kind if not at else 'VARCHAR'}" for at in range(height + 1))
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        full = f"{SCHEMA}.{quoted(name)}"
        base = f"{SCHEMA}.{quoted(name + ' base')}"
        connection.execute(f"CREATE TABLE {base} ({declared})")
        cells = [
            as_text(cell) if kind == "VARCHAR" or at else cell for row in rows for at, cell in enumerate(row)
        ]
        places = ", ".join(f"({', '.join('?' * (height + 1))})" for _ in rows)
        connection.execute(f"INSERT INTO {base} VALUES {places}", cells)
        if form.startswith("parquet"):
            file = path.parent / f"{name} [x].parquet"
            connection.execute(f"COPY {base} TO '{file}' (FORMAT PARQUET)")
            return str(file)
        connection.execute(f"CREATE {'VIEW' if form == 'view' else 'TABLE'} {full} AS FROM {base}")
    return f"table:{full}"


def test_a_table_serves_as_a_hierarchy(tmp_path: Path) -> None:
    made = with_levels(tmp_path)
    result = made.run()
    assert (result.vector, result.heights, result.suppressed) == ({"age": 1}, (2,), 0)
    assert sorted(set(made.released("age"))) == [("0+",), ("10+",), ("15+",), ("5+",)]
    [level] = result.manifest["levels"]  # type: ignore[misc]
    assert level["hierarchy"] == "table:levels"
    assert level["level_name"] == "five"
    assert level["header"] is None
    assert result.manifest["spec"]["quasi_identifiers"] == {  # type: ignore[index]
        "age": {"hierarchy": "table:levels", "unmapped": "error"}
    }


def test_the_direct_plan_and_the_printed_set_up_read_the_table(tmp_path: Path) -> None:
    made = with_levels(tmp_path)
    assert made.run(plan="direct").vector == {"age": 1}
    words = {**made.words, "output": None}
    [mapping] = kanon_sql.compile(made.path, what="setup", **words)
    assert '"levels"' in mapping.sql
    assert not mapping.parameters
    with duckdb.connect(str(made.path)) as connection:
        connection.execute("ATTACH ':memory:' AS scratch; USE scratch")
        connection.execute(mapping.inlined())
        [(rows,)] = connection.execute("SELECT COUNT(*) FROM kanon_map_age").fetchall()
    assert rows == 21


def test_add_top(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        "ALTER TABLE levels DROP any_age",
        hierarchy={"hierarchy": "table:levels", "add_top": True},
    )
    result = made.run(k=20, max_suppression=0)
    assert (result.vector, result.heights) == ({"age": 1}, (2,))
    assert made.run(k=30, overwrite=True).vector == {"age": 2}
    assert made.released("DISTINCT age") == [("*",)]
    made = with_levels(tmp_path / "again", hierarchy={"hierarchy": "table:levels", "add_top": True})
    assert any("merges nothing: `add_top` added it" in warning for warning in made.run().warnings)


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()


def test_the_digest_knows_content_and_not_order(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        "CREATE TABLE backwards AS FROM levels ORDER BY age DESC",
        "CREATE VIEW seen AS FROM levels",
        "CREATE TABLE other AS SELECT * REPLACE (CASE age WHEN 3 THEN '5+' ELSE five END AS five) FROM levels",
        f"COPY levels TO '{tmp_path / 'levels.parquet'}' (FORMAT PARQUET)",
        # The same texts, cut into cells in another way.
        "CREATE TABLE shifted (a VARCHAR, b VARCHAR, c VARCHAR)",
        "CREATE TABLE shifting (a VARCHAR, b VARCHAR, c VARCHAR)",
        "INSERT INTO shifted VALUES ('1', '1', '*'), (NULL, 'N', '*')",
        "INSERT INTO shifting VALUES ('1', '11', '*'), ('N', 'N', '*')",
    )

    def digest(name: str) -> object:
        words = {
            "quasi_identifiers": {"age": {"hierarchy": name, "unmapped": "suppress"}},
            "allow_empty": True,
        }
        result = made.run(**words, dry_run=True, k=1, max_suppression="100%")
        return result.manifest["levels"][0]["hierarchy_sha256"]  # type: ignore[index]

    same = {digest(f"table:{name}") for name in ("levels", "backwards", "seen")}
    same.add(digest(str(tmp_path / "levels.parquet")))
    [one] = same
    assert isinstance(one, str)
    assert len(one) == 64
    assert one == digest_of([(str(age), f"{age // 5 * 5}+", "*") for age in range(20)])
    assert len({one, digest("table:other"), digest("table:shifted"), digest("table:shifting")}) == 4


def digest_of(rows: Sequence[tuple[str, ...]]) -> str:
    """The digest, made by hand: it must not depend on the version of the engine."""

    def sha256(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    hashes = sorted(sha256("".join(f"{len(cell)}:{cell}" for cell in row)) for row in rows)
    buckets: dict[str, list[str]] = {}
    for each in hashes:
        buckets.setdefault(each[:3], []).append(each)
    return sha256("".join(bucket + sha256("".join(members)) for bucket, members in sorted(buckets.items())))


def test_names_that_need_quotes(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        'CREATE SCHEMA "my ""schema"""',
        'CREATE TABLE "my ""schema"""."a.b; drop" AS SELECT age AS "select", five AS "a""b", any_age AS "*" '
        "FROM levels",
        hierarchy='table:"my ""schema"""."a.b; drop"',
    )
    result = made.run()
    assert result.vector == {"age": 1}
    [level] = result.manifest["levels"]  # type: ignore[misc]
    assert level["level_name"] == 'a"b'
    assert level["hierarchy"] == 'table:"my ""schema"""."a.b; drop"'


def test_a_connection_and_its_temporary_table(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(PEOPLE)
        connection.execute(LEVELS.replace("CREATE TABLE", "CREATE TEMP TABLE"))
        before = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        result = kanon_sql.anonymize(
            connection, table="t", k=6, hierarchies={"age": "table:levels"}, output="released"
        )
        assert result.vector == {"age": 1}
        after = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        assert set(after) == {*before, ("released",)}


def test_a_file_as_source_takes_a_parquet_hierarchy(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(PEOPLE)
        connection.execute(LEVELS)
        connection.execute(f"COPY t TO '{tmp_path / 't.parquet'}'; COPY levels TO '{tmp_path / 'l.parquet'}'")
    result = kanon_sql.anonymize(
        table=tmp_path / "t.parquet", k=6, hierarchies={"age": tmp_path / "l.parquet"}, dry_run=True
    )
    assert result.vector == {"age": 1}
    with pytest.raises(HierarchyError, match=r"^table:levels: no such table or view: levels"):
        kanon_sql.anonymize(
            table=tmp_path / "t.parquet", k=6, hierarchies={"age": "table:levels"}, dry_run=True
        )


def test_a_parquet_file_of_the_columns_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    made = with_levels(tmp_path, f"COPY levels TO '{folder / 'Age.parquet'}' (FORMAT PARQUET)")
    monkeypatch.chdir(tmp_path)
    result = kanon_sql.anonymize(made.path, table="t", k=6, output="found")
    assert result.vector == {"age": 1}
    lines(folder / "age.csv", "1,*")
    with pytest.raises(HierarchyError, match=r"two hierarchy files.*'age\.csv' and 'Age\.parquet'"):
        kanon_sql.anonymize(made.path, table="t", k=6, output="found_again")


# ---------------------------------------------------------------- NULL, unmapped values, types


def test_null_takes_the_row_of_null_or_one_of_its_own(tmp_path: Path) -> None:
    null = "INSERT INTO t SELECT NULL, i FROM range(6) AS r(i)"
    made = with_levels(tmp_path, null)
    made.run()
    assert made.released("DISTINCT age")[-1] == (None,)
    made = with_levels(tmp_path / "again", null, "INSERT INTO levels VALUES (NULL, 'unknown', '*')")
    made.run()
    assert made.released("DISTINCT age")[-1] == ("unknown",)


@pytest.mark.parametrize(("policy", "released", "at_15"), [("suppress", 75, 0), ("top", 100, 25)])
def test_unmapped_values(tmp_path: Path, policy: str, released: int, at_15: int) -> None:
    hierarchy = {"hierarchy": "table:levels", "unmapped": policy}
    made = with_levels(tmp_path, "DELETE FROM levels WHERE age >= 15", hierarchy=hierarchy)
    result = made.run(max_suppression=25, k=4)
    assert (result.vector, result.released) == ({"age": 0}, released)
    assert len(made.released("age")) == released
    assert sum(age == "*" for (age,) in made.released("age")) == at_15


def test_an_unmapped_value_is_an_error_that_names_the_table(tmp_path: Path) -> None:
    error = refused(with_levels(tmp_path, "DELETE FROM levels WHERE age IN (3, 17)"), DataError)
    assert "2 value(s) in 10 row(s) without a row in table:levels" in str(error)
    assert set(error.values) == {"3", "17"}


def test_unmapped_top_wants_the_top_label_for_itself(tmp_path: Path) -> None:
    hierarchy = {"hierarchy": "table:levels", "unmapped": "top"}
    made = with_levels(
        tmp_path,
        "CREATE TABLE four AS SELECT age, CASE WHEN age < 5 THEN '*' ELSE five END AS f, 'x' AS g, '*' AS h "
        "FROM levels",
        "DROP TABLE levels",
        "ALTER TABLE four RENAME TO levels",
        hierarchy=hierarchy,
    )
    assert "`unmapped: top` would place values at level 1" in str(refused(made))
    assert made.run(
        quasi_identifiers={"age": {"hierarchy": "table:levels", "unmapped": "suppress"}}, k=5
    ).vector == {"age": 0}


TEXT_AGES = "CREATE TABLE texts AS SELECT {cell} AS age, five, any_age FROM levels"


@pytest.mark.parametrize(
    "cell", ["age", "LPAD(age::VARCHAR, 3, '0')", "'+' || age", "age || '.0'", "age || 'e0'"]
)
def test_text_ground_values_are_read_as_numbers(tmp_path: Path, cell: str) -> None:
    made = with_levels(tmp_path, TEXT_AGES.format(cell=f"({cell})::VARCHAR"), hierarchy="table:texts")
    result = made.run()
    assert (result.vector, result.warnings) == ({"age": 1}, ())


@pytest.mark.parametrize(
    ("column", "ground", "becomes"),
    [
        ("INTEGER", "CASE age WHEN 7 THEN '7.5' ELSE age::VARCHAR END", "'7.5'"),
        ("INTEGER", "CASE age WHEN 7 THEN 7.5 ELSE age END::DOUBLE", "'7.5'"),
        (
            "DATE",
            "CASE age WHEN 7 THEN '2024-01-05 23:00' ELSE (DATE '2024-01-01' + age)::VARCHAR END",
            "23:00",
        ),
        ("DATE", "TIMESTAMP '2024-01-01 00:00' + to_hours(age)", "01:00"),
        ("BOOLEAN", "age", "'10'"),
    ],
)
def test_a_ground_value_that_the_column_would_change(
    tmp_path: Path, column: str, ground: str, becomes: str
) -> None:
    value = {"INTEGER": "age", "DATE": "DATE '2024-01-01' + age", "BOOLEAN": "age > 9"}[column]
    made = with_levels(
        tmp_path,
        f"CREATE OR REPLACE TABLE t AS SELECT CAST({value} AS {column}) AS age FROM t",
        f"CREATE TABLE changing AS SELECT {ground} AS age, five, any_age FROM levels",
        hierarchy="table:changing",
    )
    error = refused(made)
    assert error.where == "table:changing"
    assert "a ground value would become" in str(error)
    assert becomes in str(error)


def test_text_that_no_type_holds_and_text_that_clashes(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        TEXT_AGES.format(cell="age::VARCHAR"),
        "INSERT INTO texts VALUES ('young', 'young', '*'), ('very old', 'old', '*')",
        hierarchy="table:texts",
    )
    [warning] = made.run().warnings
    assert warning == ("table:texts: 2 ground value(s) cannot be held by column age (INT) and match nothing")
    error = refused(
        with_levels(
            tmp_path / "again",
            TEXT_AGES.format(cell="age::VARCHAR"),
            "INSERT INTO texts VALUES ('007', 'seven', '*')",
            hierarchy="table:texts",
        )
    )
    assert "1 pair(s) of ground values are equal as INT but have different paths: '007', '7'" in str(error)


def test_equal_ground_values_with_one_path_are_one(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        TEXT_AGES.format(cell="age::VARCHAR"),
        "INSERT INTO texts VALUES ('007', '5+', '*')",
        hierarchy="table:texts",
    )
    assert made.run().released == 100


def test_no_ground_value_fits(tmp_path: Path) -> None:
    made = with_levels(tmp_path, TEXT_AGES.format(cell="'age ' || age"), hierarchy="table:texts")
    error = refused(made)
    assert "no ground value fits column age (INT)" in str(error)
    assert len(error.values) == 5


def test_numbers_for_a_column_of_text(tmp_path: Path) -> None:
    made = with_levels(tmp_path, "ALTER TABLE t ALTER age TYPE VARCHAR")
    assert made.run().vector == {"age": 1}
    error = refused(
        with_levels(
            tmp_path / "again", "CREATE OR REPLACE TABLE t AS SELECT LPAD(age::VARCHAR, 2, '0') AS age FROM t"
        ),
        DataError,
    )
    assert "would match with leading zeros added or dropped" in str(error)


def test_a_time_with_a_zone_is_joined_to_its_own_type_alone(tmp_path: Path) -> None:
    zoned = "CREATE OR REPLACE TABLE t AS SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_days(age) AS age FROM t"
    same = "CREATE TABLE moments AS SELECT age, year(age)::VARCHAR AS year, '*' AS any FROM t GROUP BY age"
    made = with_levels(tmp_path, zoned, same, hierarchy="table:moments")
    assert made.run(k=5).vector == {"age": 0}
    dates = "CREATE TABLE moments AS SELECT age::DATE AS age, '*' AS any FROM t GROUP BY ALL"
    error = refused(with_levels(tmp_path / "again", zoned, dates, hierarchy="table:moments"))
    assert "depends on the session's zone" in str(error)


def test_levels_need_not_be_text(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        "CREATE TABLE numbers AS SELECT age, age // 5 * 5 AS five, DATE '2024-01-05' AS top FROM levels",
        hierarchy="table:numbers",
    )
    made.run()
    assert made.released("DISTINCT age") == [("0",), ("10",), ("15",), ("5",)]
    assert types(made.path, "released")["age"] == "VARCHAR"


@pytest.mark.parametrize("level", ["[five]", "{'a': five}", "TIMESTAMPTZ '2024-01-01 00:00:00+00'"])
def test_a_level_that_has_no_text_of_its_own_is_refused(tmp_path: Path, level: str) -> None:
    made = with_levels(
        tmp_path,
        f"CREATE TABLE odd AS SELECT age, {level} AS five, any_age FROM levels",
        hierarchy="table:odd",
    )
    assert "column five is of type" in str(refused(made))


# ---------------------------------------------------------------- every rule, broken

BROKEN = [
    ("INSERT INTO levels VALUES (3, '0+', '*')", "1 ground value with more than one row", ("3",)),
    (
        "INSERT INTO levels SELECT age, 'x', '*' FROM levels WHERE age < 7",
        "7 ground values with more than one row",
        ("0", "1", "2", "3", "4"),
    ),
    ("INSERT INTO levels VALUES (NULL, 'a', '*'), (NULL, 'a', '*')", "NULL and the empty text", (None,)),
    ("UPDATE levels SET five = NULL WHERE age = 3", "level 1 (five) is blank in 1 row", ("3",)),
    ("UPDATE levels SET five = '' WHERE age < 2", "level 1 (five) is blank in 2 rows", ("0", "1")),
    (
        "UPDATE levels SET five = E' \\t\u00a0\u2003' WHERE age = 3",
        "level 1 (five) is blank in 1 row",
        ("3",),
    ),
    ("UPDATE levels SET any_age = NULL WHERE age = 3", "level 2 (any_age) is blank in 1 row", ("3",)),
    (
        "UPDATE levels SET any_age = 'all' WHERE age = 3",
        "2 top values in the last column (any_age)",
        ("*", "all"),
    ),
    (
        "UPDATE levels SET any_age = age::VARCHAR",
        "20 top values in the last column (any_age)",
        ("0", "1", "10", "11", "12"),
    ),
    ("DELETE FROM levels", "it has no rows", ()),
]


@pytest.mark.parametrize(("statement", "words", "values"), BROKEN)
def test_every_rule_broken_in_turn(
    tmp_path: Path, statement: str, words: str, values: tuple[str | None, ...]
) -> None:
    error = refused(with_levels(tmp_path, statement))
    assert error.exit_code == 3
    assert error.where == "table:levels"
    assert words in str(error)
    assert error.values == values
    assert not any(f"'{value}'" in error.redacted() for value in values)


def test_two_parents(tmp_path: Path) -> None:
    middle = "CREATE TABLE four AS SELECT age, five, {} AS half, any_age FROM levels"
    one = middle.format("CASE WHEN age IN (3, 4) THEN 'b' ELSE 'a' END")
    error = refused(with_levels(tmp_path, one, hierarchy="table:four"))
    assert "1 label of level 1 (five) with two parents at level 2 (label, parent, other parent)" in str(error)
    assert error.values == ("0+", "a", "b")
    many = middle.format("(age % 2)::VARCHAR")
    error = refused(with_levels(tmp_path / "again", many, hierarchy="table:four"))
    assert "4 labels of level 1 (five) with two parents at level 2" in str(error)
    assert error.values == ("0+", "10+", "15+", "5+")


def test_all_faults_are_kept_and_counted(tmp_path: Path) -> None:
    error = refused(
        with_levels(
            tmp_path,
            "INSERT INTO levels VALUES (3, '0+', 'all')",
            "UPDATE levels SET five = ' ' WHERE age = 9",
        )
    )
    assert isinstance(error, TableFaults)
    assert [fault.what for fault in error.faults] == [
        "1 ground value with more than one row",
        "level 1 (five) is blank in 1 row",
        "2 top values in the last column (any_age), where there must be one",
        "1 label of level 1 (five) with two parents at level 2 (label, parent, other parent)",
    ]
    assert "(3 more faults)" in str(error)


def test_a_level_that_merges_nothing_is_warned_of(tmp_path: Path) -> None:
    made = with_levels(
        tmp_path,
        "CREATE TABLE idle AS SELECT age, 'is ' || age AS same, five, any_age FROM levels",
        hierarchy="table:idle",
    )
    assert made.run().warnings == (
        "table:idle: level 1 (same) merges nothing: it has as many values as level 0",
    )


def test_one_column_is_a_hierarchy_of_height_0(tmp_path: Path) -> None:
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 'here' AS place FROM range(4)",
        "CREATE TABLE one AS SELECT 'here' AS place",
        qi={"place": {"hierarchy": "table:one"}},
    )
    result = made.run()
    assert (result.heights, result.vector) == ((0,), {"place": 0})
    assert made.released() == [("here",)] * 4


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    error = refused(with_levels(tmp_path, hierarchy="table:level"))
    assert str(error).startswith("table:level: no such table or view: level; did you mean 'levels'?")
    error = refused(with_levels(tmp_path / "again", hierarchy="table:nowhere.levels"))
    assert error.where == "table:nowhere.levels"


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    file = lines(tmp_path / "levels.parquet", "1,*", "2,*")
    error = refused(with_levels(tmp_path, hierarchy=str(file)))
    assert error.where.endswith("levels.parquet")
    assert "cannot be read as Parquet" in str(error)


def test_without_a_database_there_is_no_table(tmp_path: Path) -> None:
    words = {"table": "t", "hierarchies": {"age": "table:levels"}, "vector": {"age": 1}}
    with pytest.raises(SpecError, match=r"^table:levels: .* none is given; give it with --db"):
        kanon_sql.compile(**words)  # type: ignore[arg-type]


def test_the_hierarchy_is_never_the_output(tmp_path: Path) -> None:
    made = with_levels(tmp_path, f"COPY levels TO '{tmp_path / 'l.parquet'}' (FORMAT PARQUET)")
    before = query(made.path, "FROM levels ORDER BY ALL")
    with pytest.raises(SpecError, match="levels holds a hierarchy"):
        made.run(output="levels", overwrite=True)
    assert query(made.path, "FROM levels ORDER BY ALL") == before
    bytes_before = (tmp_path / "l.parquet").read_bytes()
    with pytest.raises(SpecError, match="the output is a hierarchy's file"):
        made.run(
            quasi_identifiers={"age": tmp_path / "l.parquet"}, output=tmp_path / "l.parquet", overwrite=True
        )
    assert (tmp_path / "l.parquet").read_bytes() == bytes_before


def test_a_large_table_is_quick(tmp_path: Path) -> None:
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT LPAD((i * 7 % 100000)::VARCHAR, 5, '0') AS zip FROM range(200000) AS r(i)",
        "CREATE TABLE zips AS SELECT LPAD(i::VARCHAR, 5, '0') AS zip, LPAD((i // 10)::VARCHAR, 4, '0') AS four,"
        " LPAD((i // 1000)::VARCHAR, 2, '0') AS two, '*' AS any_zip FROM range(100000) AS r(i)",
        "CREATE TABLE numbers AS SELECT CAST(zip AS INTEGER) AS zip FROM t",
        qi={"zip": {"hierarchy": "table:zips"}},
        k=20,
    )
    fetched = []
    begun = time.perf_counter()
    result = made.run(tracer=lambda each: fetched.append(each.rows))
    assert result.vector == {"zip": 1}
    assert max(fetched) <= 5000
    # The text of the levels, for a column of numbers: five digits each, most with leading zeros.
    assert made.run(table="numbers", output="numbers_released").vector == {"zip": 1}
    assert time.perf_counter() - begun < 10


def test_the_oracle_reads_what_a_date_hierarchy_says(tmp_path: Path) -> None:
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=at) for at in range(20)]
    oracle = OracleHierarchy.from_paths((day, f"week {day.isocalendar()[1]}", "*") for day in days)
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT DATE '2024-01-01' + CAST(i % 20 AS INTEGER) AS day FROM range(100) AS r(i)",
        "CREATE TABLE days AS SELECT DISTINCT day, 'week ' || week(day) AS week, '*' AS any FROM t",
        qi={"day": {"hierarchy": "table:days"}},
        k=10,
    )
    assert made.run().vector == {"day": 1}
    expected = sorted(str(oracle.generalize(days[at % 20], 1)) for at in range(100))
    assert [value for (value,) in made.released("day")] == expected
