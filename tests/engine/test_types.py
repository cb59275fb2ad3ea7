"""Every type that a quasi-identifier may have (DESIGN 5.2, 5.10, 5.14): equality, text, loss, zones, files."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.backends.duckdb_opening import wrap
from kanon_sql.binding import bind
from kanon_sql.catalog import find_source
from kanon_sql.errors import DataError, HierarchyError, KanonError, SpecError
from kanon_sql.frequency import DirectCounter, FrequencyCounter, load_mappings
from kanon_sql.hierarchy.ground_text import loses
from kanon_sql.spec import resolve_spec
from tests.engine.support import lines, make, world
from tests.oracle import ByGrouping, ExhaustiveSearch, OracleHierarchy

TOP = "⊤"

# Per type texts that a file may hold; some mean the same value, so that classes are not texts.
POOLS: dict[str, list[str]] = {
    "TINYINT": ["-128", "127", "0", "007", "7"],
    "SMALLINT": ["-32768", "32767", "1_0", "10"],
    "INTEGER": ["-2147483648", "2147483647", "0x10", "16", "1e3"],
    "BIGINT": ["-9223372036854775808", "9223372036854775807", "7.0", "7"],
    "HUGEINT": ["-170141183460469231731687303715884105728", "170141183460469231731687303715884105727", "0"],
    "UTINYINT": ["0", "255", "+7", "7"],
    "USMALLINT": ["0", "65535", "7"],
    "UINTEGER": ["0", "4294967295", "7"],
    "UBIGINT": ["0", "18446744073709551615", "7"],
    "UHUGEINT": ["0", "340282366920938463463374607431768211455", "7"],
    "BIGNUM": ["123456789012345678901234567890123456789012345678901234567890", "-7", "0", "007", "7"],
    "DECIMAL(5,0)": ["-99999", "34", "34.0", "0"],
    "DECIMAL(38,10)": ["-9999999999999999999999999999.9999999999", "1.5", "1.50", "1.5000000001"],
    "FLOAT": ["nan", "-nan", "inf", "-inf", "0.0", "-0.0", "0.1", "1e-45", "3.4028235e38"],
    "DOUBLE": ["nan", "-nan", "inf", "-Infinity", "0", "-0.0", "0.1", "5e-324", "1.7976931348623157e308"],
    "DATE": ["infinity", "-infinity", "0044-03-15 (BC)", "2024-1-5", "2024-01-05", "5881580-07-10"],
    "TIME": ["00:00", "24:00:00", "10:00", "10:00:00.0", "23:59:59.999999"],
    "TIME_NS": ["00:00:00", "24:00:00", "10:00:00.000000001", "10:00:00"],
    "TIMESTAMP": ["infinity", "-infinity", "0044-03-15 (BC) 10:00:00", "2024-01-05", "2024-01-05T00:00",
                  "294247-01-10 04:00:54.775806", "290309-12-22 (BC) 00:00:00"],
    "TIMESTAMP_S": ["infinity", "2024-01-05", "2024-01-05 00:00:00.0", "9999-12-31 23:59:59"],
    "TIMESTAMP_MS": ["-infinity", "2024-01-05 10:00:00.1", "2024-01-05 10:00:00.100", "1066-10-14"],
    "TIMESTAMP_NS": ["infinity", "2024-01-05 10:00:00.000000001", "2024-01-05 10:00", "1700-01-01 00:00:00"],
    "TIMESTAMPTZ": ["infinity", "2024-01-05 21:00:00+02:00", "2024-01-05 19:00:00Z", "1970-01-01 00:00:00+00",
                    "0044-03-15 (BC) 10:00:00+00", "2024-01-05 19:00:00.000001+00"],
    "INTERVAL": ["30 days", "1 month", "720:00:00", "-1 day", "1 month -30 days", "00:00:00", "1.5 days",
                 "00:00:00.000001", "-40 days", "-1 month -10 days", "178956970 years 7 months"],
    "BOOLEAN": ["true", "t", "FALSE", "no", "1"],
    "ENUM('a', 'it''s', 'b,c', 'q\"x', '', 'A')": ["a", "it's", "b,c", 'q"x', "", "A"],
    "UUID": ["12345678-1234-1234-1234-12345678ABCD", "{12345678-1234-1234-1234-12345678abcd}",
             "ffffffffffffffffffffffffffffffff", "00000000-0000-0000-0000-000000000000"],
    "VARCHAR": ["", " ", "a", "A", "a ", "é", "e\u0301", "7", "007", "NULL", "a,b;c", 'say "x"', "two\nlines"],
    "BLOB": ["abc", "\\x61bc", "\\x00\\xFF", "", "\\x5C", "a,\\x22"],
    "BIT": ["0101", "101", "0", "00000000000"],
}  # fmt: skip
ZONES = ("UTC", "America/New_York", "Asia/Tokyo", "Europe/Berlin")
# What a Parquet file cannot hold as it is.
NOT_IN_PARQUET = {"HUGEINT", "UHUGEINT", "INTERVAL"}


def literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def cell(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', '""') + '"'


def table_of(kind: str, texts: Sequence[str | None]) -> list[str]:
    """A table ``t`` with each text twice in its column ``x``, read in UTC."""
    values = ", ".join(f"(CAST({literal(text)} AS {kind}))" for text in texts for _ in range(2))
    return ["SET TimeZone = 'UTC'", f"CREATE OR REPLACE TABLE t (x {kind})", f"INSERT INTO t VALUES {values}"]


@cache
def in_memory() -> duckdb.DuckDBPyConnection:
    """One database for all types; every test has a connection of its own to it, and tables made anew."""
    return duckdb.connect()


def classes(kind: str, texts: Sequence[str]) -> dict[str, int]:
    """Per text the number of its class: what the engine holds to be equal, asked by a query of its own."""
    with in_memory().cursor() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(f"CREATE OR REPLACE TEMP TABLE v (t VARCHAR, x {kind})")
        values = ", ".join(f"({literal(text)}, CAST({literal(text)} AS {kind}))" for text in texts)
        connection.execute(f"INSERT INTO v VALUES {values}")
        rows = connection.execute("SELECT t, dense_rank() OVER (ORDER BY x) FROM v").fetchall()
        distinct = connection.execute("SELECT COUNT(DISTINCT x) FROM v").fetchone()
    assert distinct is not None
    assert distinct[0] == len({number for _, number in rows})
    return dict(rows)


@dataclass(frozen=True)
class Here:
    """A table ``t`` on a connection, and the words of a run that releases ``released``."""

    connection: duckdb.DuckDBPyConnection
    words: dict[str, Any]

    def run(self, **more: Any) -> kanon_sql.Result:
        return kanon_sql.anonymize(self.connection, **{**self.words, **more})

    def released(self, columns: str = "*") -> list[tuple[Any, ...]]:
        return self.connection.execute(f"SELECT {columns} FROM released ORDER BY ALL").fetchall()

    def kind(self, table: str) -> str:
        found = self.connection.execute(f"SELECT column_type FROM (DESCRIBE {table}) WHERE column_name = 'x'")
        return str(found.fetchall()[0][0])


@contextmanager
def typed_table(
    folder: Path, kind: str, texts: Sequence[str | None], rows: Sequence[str] = (), **long: Any
) -> Iterator[Here]:
    """A column ``x`` of a type, as the one quasi-identifier; ``rows`` are those of its hierarchy file."""
    if rows:
        long |= {"hierarchy": lines(folder / "x.csv", *rows), "header": False}
    words = {
        "table": "t",
        "k": 2,
        "output": "released",
        "overwrite": True,
        "quasi_identifiers": {"x": long or None},
    }
    with in_memory().cursor() as connection:
        connection.execute("DROP TABLE IF EXISTS released")
        for statement in table_of(kind, texts):
            connection.execute(statement)
        yield Here(connection, words)


# ---------------------------------------------------------------- each type, each way to be asked for


@pytest.mark.parametrize("kind", POOLS)
def test_without_a_hierarchy_a_class_is_what_the_engine_holds_equal(tmp_path: Path, kind: str) -> None:
    numbers = classes(kind, POOLS[kind])
    for unmapped in ("error", "suppress", "top"):  # says nothing here: every value has its row
        plans = {"error": ("frequency", "direct"), "suppress": ("frequency",), "top": ("direct",)}[unmapped]
        with typed_table(tmp_path, kind, [*POOLS[kind], None], unmapped=unmapped) as made:
            for plan in plans:
                result = made.run(plan=plan)
                assert (result.vector, result.suppressed) == ({"x": 0}, 0)
                assert result.classes == len(set(numbers.values())) + 1
                assert made.kind("released") == made.kind("t")
                # One canonical value per class.
                assert len(made.released("DISTINCT CAST(x AS VARCHAR)")) == result.classes


@pytest.mark.parametrize(
    ("kind", "texts", "shown"),
    [
        ("INTERVAL", ["30 days", "720:00:00", "1 month"], "1 month"),
        ("INTERVAL", ["49:00:00", "2 days 01:00:00"], "2 days 01:00:00"),
        ("DOUBLE", ["-0.0", "0.0"], "0.0"),
        ("FLOAT", ["-nan", "nan"], "nan"),
    ],
)
def test_the_value_that_is_released_is_the_same_whoever_comes_first(
    tmp_path: Path, kind: str, texts: list[str], shown: str
) -> None:
    for order in (texts, texts[::-1]):
        for rows in ((), [f"{cell(text)};{TOP}" for text in order]):
            with typed_table(tmp_path, kind, order, rows) as made:
                assert made.run(vector={"x": 0}).classes == 1
                assert made.released("DISTINCT CAST(x AS VARCHAR)") == [(shown,)]


@pytest.mark.parametrize("kind", POOLS)
def test_with_a_hierarchy_every_spelling_finds_its_value(tmp_path: Path, kind: str) -> None:
    numbers = classes(kind, POOLS[kind])
    rows = [f"{cell(text)};g{numbers[text] % 2};{TOP}" for text in POOLS[kind]]
    sizes = [len(set(numbers.values())), len({number % 2 for number in numbers.values()}), 1]
    with typed_table(tmp_path, kind, POOLS[kind], rows) as made:
        for level, size in enumerate(sizes):
            per_plan = []
            # At the top there is nothing to find: one plan is enough.
            for plan in ("frequency", "direct")[: 1 if size == 1 else 2]:
                assert made.run(plan=plan, vector={"x": level}).classes == size
                per_plan.append(made.released("CAST(x AS VARCHAR)"))
            assert per_plan[0] == per_plan[-1]
            assert made.kind("released") == ("VARCHAR" if level else made.kind("t"))


@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("policy", ["error", "suppress", "top"])
def test_a_value_that_the_hierarchy_lacks(tmp_path: Path, kind: str, policy: str) -> None:
    numbers = classes(kind, POOLS[kind])
    first = POOLS[kind][0]
    there = [text for text in POOLS[kind] if numbers[text] == numbers[first]]
    missing = len(set(numbers.values())) - 1
    gone = 2 * (len(numbers) - len(there))
    with typed_table(tmp_path, kind, POOLS[kind], [f"{cell(first)};{TOP}"], unmapped=policy) as made:
        asked = {"max_suppression": gone, "vector": {"x": 0}}
        if policy == "error":
            with pytest.raises(
                DataError, match=rf"column x has {missing} value\(s\) in {gone} row"
            ) as refused:
                made.run(**asked)
            assert (", …" in str(refused.value)) == (missing > 5)
            return
        result = made.run(**asked)
        assert result.suppressed == (gone if policy == "suppress" else 0)
        assert result.classes == (2 if policy == "top" else 1)
        if policy == "suppress":
            assert made.kind("released") == made.kind("t")
        else:
            released = Counter(value for (value,) in made.released())
            assert released.pop(TOP) == gone
            assert set(classes(kind, [*released, first]).values()) == {1}


@pytest.mark.parametrize("kind", POOLS)
def test_a_hierarchy_of_one_value_is_that_value(tmp_path: Path, kind: str) -> None:
    text = next(text for text in POOLS[kind] if text.strip())
    with typed_table(tmp_path, kind, [text, None], [cell(text)]) as made:
        assert made.run().classes == 1
        assert made.kind("released") == made.kind("t")


@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_file_holds_the_values_or_is_refused(tmp_path: Path, kind: str, ending: str) -> None:
    """As a quasi-identifier at level 0, and as a column that is kept."""
    # DuckDB 1.5 cannot write an infinite TIMESTAMP_S: it is cast to TIMESTAMP.
    texts = [text for text in POOLS[kind] if (kind, text) != ("TIMESTAMP_S", "infinity")]
    out = tmp_path / f"released.{ending}"
    with typed_table(tmp_path, kind, [*texts, None]) as made:
        if ending == "parquet" and kind in NOT_IN_PARQUET:
            with pytest.raises(DataError, match="Parquet cannot hold exactly"):
                made.run(output=out)
            assert not out.exists()
            return
        made.run(output=out)
        made.run()
        asked = f"CAST(CAST(x AS {kind}) AS VARCHAR)"
        scan = f"'{out}'"
        if ending == "csv":
            scan = (
                f"read_csv('{out}', auto_detect = false, header = true, nullstr = '', allow_quoted_nulls = false, "
                "quote = '\"', escape = '\"', columns = {'x': 'VARCHAR'})"
            )
        found = made.connection.execute(f"SELECT {asked} FROM {scan} ORDER BY ALL").fetchall()
        assert found == made.released(asked)


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        ("INTERVAL", "1 month 2 days 03:04:05.678", True),
        ("INTERVAL", "1192:00:00", True),
        ("INTERVAL", "1200:00:00", False),
        ("INTERVAL", "-1 day", False),
        ("INTERVAL", "00:00:00.0001", False),
        ("INTERVAL[]", "[1 day]", False),
        ("TIMETZ", "10:00:00+02", False),
        ("STRUCT(a HUGEINT)", "{'a': 1}", False),
        ("BIGNUM", "12345678901234567890123456789012345678901234567890", True),
        ("INTEGER[2]", "[1, 2]", True),
    ],
)
def test_what_is_kept_fits_into_parquet_or_is_refused(
    tmp_path: Path, kind: str, value: str, fits: bool
) -> None:
    out = tmp_path / "r.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE t AS SELECT 1 AS x, CAST({literal(value)} AS {kind}) AS y FROM range(3)"
        )
        asked = {"table": "t", "k": 2, "quasi_identifiers": ["x"], "keep": ["y"]}
        if fits:
            kanon_sql.anonymize(connection, output=out, **asked)
            same = f"SELECT COUNT(*) FROM '{out}' WHERE CAST(y AS {kind}) = (SELECT MAX(y) FROM t)"
            assert connection.execute(same).fetchone() == (3,)
        else:
            with pytest.raises(DataError, match="column y"):
                kanon_sql.anonymize(connection, output=out, **asked)
            kanon_sql.anonymize(connection, output=tmp_path / "r.csv", **asked)
        assert out.exists() == fits


# Types that DuckDB 2.0 has and 1.5 may lack.
NEWER_TYPES = {"TIMESTAMPTZ_NS", "VARIANT", "GEOMETRY"}


@pytest.mark.parametrize(
    ("kind", "mend"),
    [
        ("INTEGER[]", "one plain column per part"),
        ("INTEGER[3]", "one plain column per part"),
        ("STRUCT(a INTEGER)", "one plain column per part"),
        ("MAP(VARCHAR, INTEGER)", "one plain column per part"),
        ("UNION(a INTEGER, b VARCHAR)", "one plain column per part"),
        ("VARIANT", "view"),
        ("GEOMETRY", "view"),
        ("JSON", "plain columns"),
        ("TIMETZ", "cast it to TIME"),
        ("TIMESTAMPTZ_NS", "cast it to TIMESTAMPTZ"),
    ],
)
def test_a_type_without_classes_is_refused_by_name(kind: str, mend: str) -> None:
    with duckdb.connect() as connection:
        try:
            connection.execute(f"CREATE TABLE t (x {kind})")
        except duckdb.CatalogException:
            # A type that this DuckDB does not have cannot be a column's.
            assert kind in NEWER_TYPES
            return
        connection.execute("INSERT INTO t VALUES (NULL), (NULL)")
        with pytest.raises(DataError, match="cannot be generalized") as refused:
            kanon_sql.anonymize(connection, table="t", k=2, quasi_identifiers=["x"])
        assert mend in str(refused.value)
        found = connection.execute("SELECT data_type FROM duckdb_columns() WHERE table_name = 't'").fetchone()
        assert found is not None
        assert found[0] in str(refused.value)


def test_named_types_are_what_they_are_made_of(tmp_path: Path) -> None:
    made = world(tmp_path, "CREATE TYPE mood AS ENUM ('ok', 'b,c')", "CREATE TYPE age AS INTEGER",
                 "CREATE TABLE t (x mood, y age)", "INSERT INTO t SELECT 'b,c', 7 FROM range(3)",
                 qi={"x": {"lines": ['"b,c";z;*', "ok;z;*"], "header": False}, "y": None})  # fmt: skip
    assert made.run().released == 3
    assert made.released() == [("b,c", 7)] * 3


# ---------------------------------------------------------------- loss


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        *((kind, text, held) for kind in ("TINYINT", "INTEGER", "UHUGEINT", "BIGNUM") for text, held in
          (("34.5", False), ("7.0", True), ("007", True))),
        ("INTEGER", " 7 ", False),
        ("INTEGER", "1e3", True),
        ("INTEGER", "1e-1", False),
        ("INTEGER", "0x10", True),
        ("INTEGER", "1_000", True),
        ("TINYINT", "150", None),
        ("INTEGER", "", None),
        ("DECIMAL(5,1)", "34.54", False),
        ("DECIMAL(5,1)", "34.50", True),
        ("DECIMAL(5,1)", " 7", False),
        ("DECIMAL(5,1)", "99999", None),
        ("REAL", "0.1", True),
        ("REAL", "0.10000000149011612", False),
        ("REAL", "0.100000001490116119384765625", True),
        ("REAL", "16777217", False),
        ("REAL", "3.4e39", False),
        ("DOUBLE", "0.30000000000000004441", False),
        ("DOUBLE", "9007199254740993", False),
        ("DOUBLE", "1e400", False),
        ("DOUBLE", "1e-400", False),
        ("DOUBLE", "+Infinity", True),
        ("DOUBLE", " nan", False),
        ("DOUBLE", "ten", None),
        ("DATE", "2024-01-05 00:00", True),
        ("DATE", "2024-01-05 23:00", False),
        ("DATE", "2024-01-05 10:00:00 foo", False),
        ("DATE", "2024/1/5", True),
        ("DATE", "2024-02-30", None),
        ("TIMESTAMP", "2024-01-05 23:00:00.1234567", False),
        ("TIMESTAMP", "2024-01-05 23:00:00.1234560", True),
        ("TIMESTAMP", "2024-01-05 23:00:00+02", False),
        ("TIMESTAMP", "2024-01-05 23:00:00Z", False),
        ("TIMESTAMP", "9999-12-31", True),
        ("TIMESTAMP_S", "2024-01-05 23:00:00.5", False),
        ("TIMESTAMP_S", "2024-01-05 23:00:00.0", True),
        ("TIMESTAMP_MS", "2024-01-05 23:00:00.1234", False),
        ("TIMESTAMP_NS", "2024-01-05 23:00:00.123456789", True),
        ("TIMESTAMP_NS", "2024-01-05 23:00:00.1234567891", False),
        ("TIMESTAMP_NS", "9999-12-31", None),
        ("TIME", "10:00", True),
        ("TIME", "10:00:00.1234567", False),
        ("TIME", "10:00:00+02", False),
        ("TIME", "2024-01-01 10:00:00", False),
        ("TIME", "25:00", None),
        ("TIME_NS", "10:00:00.1234567891", False),
        ("INTERVAL", "1.5 days", True),
        ("INTERVAL", "0.5 month", True),
        ("INTERVAL", "2 weeks ago", True),
        ("INTERVAL", "1.0000001 seconds", False),
        ("INTERVAL", "0.1 microseconds", False),
        ("INTERVAL", "00:00:00.1234567", False),
        ("INTERVAL", "@ 1 day", False),
        ("INTERVAL", "1 fortnight", None),
        ("BOOLEAN", "YES", True),
        ("BOOLEAN", "0", True),
        ("BOOLEAN", "maybe", None),
        ("UUID", "{12345678-1234-1234-1234-12345678ABCD}", True),
        ("UUID", "12345678-1234-1234-1234-12345678ABC", None),
        ("BLOB", "\\x41", True),
        ("BLOB", "é", None),
        ("BIT", "0101", True),
        ("BIT", "2", None),
        ("ENUM('a', 'b')", "A", None),
        ("TIMESTAMPTZ", "2024-01-05 21:00+02", True),
        ("TIMESTAMPTZ", "2024-01-05T21:00:00.5+0200", True),
        ("TIMESTAMPTZ", "2024-01-05 21:00:00.1234567+02", False),
        ("TIMESTAMPTZ", "2024-02-30 21:00+02", None),
        ("TIMESTAMPTZ", "2024-01-05 21:00+25", None),
        ("TIMESTAMPTZ", "noon", None),
    ],
)  # fmt: skip
def test_a_ground_value_loses_nothing(tmp_path: Path, kind: str, text: str, held: bool | None) -> None:
    """True: it is held; False: the cast would change it, an error; None: no value, which matches nothing."""
    with typed_table(tmp_path, kind, [None, None], [f"{cell(text)};a;{TOP}", f";b;{TOP}"]) as made:
        if held:
            assert not any("cannot be held" in warning for warning in made.run().warnings)
            return
        said = "no ground value fits" if held is None else ":1: "
        with pytest.raises(HierarchyError, match=said) as refused:
            made.run()
    assert refused.value.exit_code == 3
    assert text in str(refused.value)
    assert f"'{text}'" not in refused.value.redacted()


def test_what_is_not_understood_counts_as_a_loss() -> None:
    assert loses("DATE", "5 Jan 2024", "2024-01-05")
    assert loses("SOMETHING NEW", "a", "b")
    assert not loses("SOMETHING NEW", "a", "a")


# ---------------------------------------------------------------- zones


@contextmanager
def session(zone: str, *statements: str) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(f"SET TimeZone = '{zone}'")
        for statement in statements:
            connection.execute(statement)
        yield connection
        found = connection.execute("SELECT current_setting('TimeZone')").fetchone()
        assert found == (zone,)


def zoned(*instants: str) -> list[str]:
    return ["CREATE TABLE t (x TIMESTAMPTZ)",
            *(f"INSERT INTO t SELECT TIMESTAMPTZ '{each}' FROM range(2)" for each in instants)]  # fmt: skip


def run_zoned(connection: Any, rows: Sequence[str], folder: Path, **words: Any) -> kanon_sql.Result:
    file = lines(folder / "x.csv", *rows)
    long = {"hierarchy": file, "header": False, "unmapped": words.pop("unmapped", "error")}
    asked = {"table": "t", "k": 2, "quasi_identifiers": {"x": long}, "output": "released", "overwrite": True}
    return kanon_sql.anonymize(connection, **{**asked, **words})


def in_utc(connection: Any) -> list[tuple[Any, ...]]:
    connection.execute("SET TimeZone = 'UTC'")
    return connection.execute("SELECT CAST(x AS VARCHAR), typeof(x) FROM released ORDER BY ALL").fetchall()


@pytest.mark.parametrize("zone", ZONES)
def test_ground_values_are_read_in_the_zone_that_is_named(tmp_path: Path, zone: str) -> None:
    """21:00 and 23:00 in Berlin, whatever the session thinks."""
    rows = ["2024-01-05 21:00;evening;*", "2024-01-05 17:00-05;night;*", "infinity;never;*"]
    with session(zone, *zoned("2024-01-05 20:00:00+00", "2024-01-05 22:00:00+00")) as connection:
        for name in ("Europe/Berlin", "europe/berlin"):
            run_zoned(connection, rows, tmp_path, timezone=name, vector={"x": 1})
            released = connection.execute("SELECT * FROM released ORDER BY ALL").fetchall()
            assert released == [("evening",)] * 2 + [("night",)] * 2
        result = run_zoned(connection, rows, tmp_path, timezone="Europe/Berlin", vector={"x": 0})
        assert result.examples[0] == ("2024-01-05 20:00:00+00", "2024-01-05 20:00:00+00")
    with session(zone, *zoned("2024-01-05 20:00:00+00", "2024-01-05 22:00:00+00")) as connection:
        run_zoned(connection, rows, tmp_path, timezone="Europe/Berlin", vector={"x": 0})
        found = connection.execute("SELECT epoch(x), typeof(x) FROM released ORDER BY ALL").fetchall()
        first, second = 1704484800.0, 1704492000.0
        kind = "TIMESTAMP WITH TIME ZONE"
        assert found == [(first, kind)] * 2 + [(second, kind)] * 2


@pytest.mark.parametrize("zone", ZONES)
def test_without_a_zone_every_ground_value_needs_an_offset(tmp_path: Path, zone: str) -> None:
    with session(zone, *zoned("2024-01-05 20:00:00+00", "1970-01-01 00:00:00+00")) as connection:
        with pytest.raises(HierarchyError, match=r"x\.csv:2: .*--timezone") as refused:
            run_zoned(connection, ["epoch;a;*", "2024-01-05 20:00;b;*"], tmp_path)
        assert "'2024-01-05 20:00'" in str(refused.value)
        rows = ["epoch;a;*", "2024-01-05 21:00 Europe/Berlin;b;*"]
        assert run_zoned(connection, rows, tmp_path, vector={"x": 1}).classes == 2


@pytest.mark.parametrize("zone", ZONES)
def test_text_of_a_zoned_column_is_in_utc(tmp_path: Path, zone: str) -> None:
    with session(zone, *zoned("2024-01-05 20:00:00+00", "2024-07-01 00:00:00+00", "infinity")) as connection:
        with pytest.raises(DataError) as refused:
            run_zoned(connection, ["2024-01-05 21:00+01;a;*"], tmp_path)
        assert "'2024-07-01 00:00:00+00', 'infinity'" in str(refused.value)
        run_zoned(connection, ["2024-01-05 21:00+01;a;*"], tmp_path, unmapped="top", vector={"x": 0})
        released = connection.execute("SELECT x FROM released ORDER BY ALL").fetchall()
        assert released == [("*",)] * 4 + [("2024-01-05 20:00:00+00",)] * 2
        csv = tmp_path / "released.csv"
        kanon_sql.anonymize(connection, table="t", k=2, quasi_identifiers=["x"], output=csv, overwrite=True)
        assert set(csv.read_text().split("\n")) == {
            "x", "2024-01-05 20:00:00+00", "2024-07-01 00:00:00+00", "infinity", "",
        }  # fmt: skip
        parts = tmp_path / "parts.parquet"
        kanon_sql.anonymize(connection, table="t", k=2, quasi_identifiers=["x"], keep=[], output=parts,
                            where="x < TIMESTAMPTZ '2025-01-01 00:00:00+00'")  # fmt: skip
        assert parts.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2024-03-31 02:30", "never"),
        ("2024-10-27 02:30", "twice"),
        ("2024-10-27 02:30 Europe/Berlin", "twice"),
    ],
)
def test_a_clock_that_is_put_forward_or_back(tmp_path: Path, text: str, said: str) -> None:
    with session("UTC", *zoned("2024-10-27 00:30:00+00")) as connection:
        with pytest.raises(HierarchyError, match=f"Europe/Berlin shows this time {said}") as refused:
            run_zoned(connection, [f"{text};a;*"], tmp_path, timezone="Europe/Berlin")
        assert text in str(refused.value)
        rows = ["2024-10-27 02:30+02;a;*", "2024-10-27 03:30;b;*"]
        assert run_zoned(connection, rows, tmp_path, timezone="Europe/Berlin").released == 2


def test_two_texts_of_one_instant_must_agree(tmp_path: Path) -> None:
    rows = ["2024-01-05 21:00;a;*", "2024-01-05 20:00Z;b;*"]
    with session("Asia/Tokyo", *zoned("2024-01-05 20:00:00+00")) as connection:
        with pytest.raises(HierarchyError, match="lines 1 and 2") as refused:
            run_zoned(connection, rows, tmp_path, timezone="Europe/Berlin")
        assert "'2024-01-05 21:00', '2024-01-05 20:00Z'" in str(refused.value)


def test_a_header_of_a_zoned_column_is_recognised(tmp_path: Path) -> None:
    file = lines(tmp_path / "x.csv", "seen;day;all", "2024-01-05 21:00;5th;*", "2024-01-06 21:00;6th;*")
    with session("Asia/Tokyo", *zoned("2024-01-05 20:00:00+00")) as connection:
        for zone, first in (("Europe/Berlin", "seen"), ("Europe/Berlin", "2024-01-01 00:00")):
            file.write_text(file.read_text().replace("seen", first))
            result = kanon_sql.anonymize(connection, table="t", k=2, output="released", overwrite=True,
                                         quasi_identifiers={"x": file}, timezone=zone)  # fmt: skip
            assert result.manifest["levels"][0]["level_name"] == first  # type: ignore[index]
            assert result.manifest["spec"]["timezone"] == zone  # type: ignore[index]


def test_an_unknown_zone_names_the_near_one(tmp_path: Path) -> None:
    with session("UTC", *zoned("2024-01-05 20:00:00+00")) as connection:
        with pytest.raises(SpecError, match="Europe/Berlin"):
            run_zoned(connection, ["2024-01-05 21:00;a;*"], tmp_path, timezone="Europe/Berln")
        with pytest.raises(SpecError, match="no time zone"):
            run_zoned(connection, ["2024-01-05 21:00;a;*"], tmp_path, timezone="+02:00")


def test_a_row_filter_of_ours_reads_times_in_utc(tmp_path: Path) -> None:
    path = make(
        tmp_path / "w.duckdb",
        "SET TimeZone = 'UTC'",
        *zoned("2024-01-05 23:30:00+00", "2024-01-06 00:30:00+00"),
    )
    result = kanon_sql.anonymize(
        path, table="t", k=2, quasi_identifiers=["x"], where="x < TIMESTAMPTZ '2024-01-06'"
    )
    assert result.rows == 2


# ---------------------------------------------------------------- collations


@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT", "NOCASE.NOACCENT", "de", "NFC"])
@pytest.mark.parametrize("through", ["table", "view"])
def test_a_column_with_a_collation_is_refused(tmp_path: Path, collation: str, through: str) -> None:
    """Its `=` folds what a reader of the release can tell apart; a view can compare by bytes."""
    made = world(
        tmp_path,
        f"CREATE TABLE source (y INTEGER, x VARCHAR COLLATE {collation})",
        "INSERT INTO source VALUES (1, 'a'), (1, 'A'), (1, 'a'), (1, 'á'), (1, 'e\u0301'), (1, 'é')",
        f"CREATE {through} t AS SELECT * FROM source",
        "CREATE VIEW by_bytes AS SELECT * REPLACE (x COLLATE POSIX AS x) FROM source",
        qi={"x": None},
    )
    with pytest.raises(DataError, match=rf"(?i)column x has the collation {collation}") as refused:
        made.run()
    assert "COLLATE POSIX" in str(refused.value)
    with pytest.raises(DataError, match="collation"):
        kanon_sql.check(made.path, table="t", quasi_identifiers=["x"], k=2)
    with pytest.raises(DataError, match="collation"):
        made.run(quasi_identifiers=["y"], person="x")
    assert made.run(quasi_identifiers=["y"], keep=["x"]).released == 6
    result = made.run(table="by_bytes", output="bytes", max_suppression=4)
    assert (result.vector, result.released, result.classes) == ({"x": 0}, 2, 1)
    assert made.released(table="bytes") == [("a",), ("a",)]


@pytest.mark.parametrize("collation", ["BINARY", "C", "POSIX"])
def test_a_collation_by_bytes_is_none(tmp_path: Path, collation: str) -> None:
    try:
        made = world(tmp_path, f'CREATE TABLE t (x VARCHAR COLLATE "{collation}")',
                     "INSERT INTO t VALUES ('a'), ('A'), ('a')", qi={"x": None}, max_suppression=1)  # fmt: skip
    except duckdb.Error:
        pytest.skip("not a name of a collation here")
    assert made.run().classes == 1


def test_a_connection_with_a_default_collation_is_refused() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT unnest(['a', 'A']) AS x")
        connection.execute("SET default_collation = 'NOCASE'")
        asked = {"table": "t", "k": 2, "quasi_identifiers": ["x"]}
        with pytest.raises(DataError, match=r"(?i)nocase"):
            kanon_sql.anonymize(connection, **asked)
        with pytest.raises(DataError, match="default_collation"):
            kanon_sql.check(connection, **asked)
        connection.execute("RESET default_collation")
        assert not kanon_sql.check(connection, **asked).satisfied
        assert kanon_sql.anonymize(connection, **asked).vector == {"x": 1}


def test_a_hierarchy_table_with_a_collation_is_refused(tmp_path: Path) -> None:
    made = world(
        tmp_path,
        "CREATE TABLE t AS SELECT unnest(['a', 'A', 'a', 'A']) AS x",
        "CREATE TABLE levels (x VARCHAR, g VARCHAR COLLATE NOCASE, top VARCHAR)",
        "INSERT INTO levels VALUES ('a', 'g', '*'), ('A', 'G', '*')",
        qi={"x": {"hierarchy": "table:levels"}},
    )
    with pytest.raises(HierarchyError, match=r"(?i)column g has the collation nocase"):
        made.run()


# ---------------------------------------------------------------- random tables of all types


@dataclass(frozen=True)
class Column:
    """A random quasi-identifier: values are the numbers of classes, spelled in any of their ways."""

    kind: str
    spellings: Mapping[int, list[str]]
    rows: list[int | None]
    hierarchy: OracleHierarchy
    flat: bool

    def file(self, random: Random) -> str:
        """The hierarchy file; a value may stand there in several spellings, which agree."""
        listed = []
        for value, path in self.hierarchy.paths.items():
            labels = ";".join(cell(str(label)) for label in path[1:])
            spelled: list[str | None] = [None]
            if value is not None:
                ways = self.spellings[value]  # type: ignore[index]
                spelled = list(random.sample(ways, random.randint(1, len(ways))))
            listed += [f"{cell(text)};{labels}\n" for text in spelled]
        return "".join(listed)


@dataclass(frozen=True)
class Drawn:
    columns: list[Column]
    k: int
    max_sup: int
    zone: str
    plan: str
    seed: int


@st.composite
def drawn_cases(draw: st.DrawFn) -> Drawn:
    # Hypothesis chooses the seed and the types (which it can make fewer); the rest follows from the seed.
    kinds = draw(st.lists(st.sampled_from(list(POOLS)), min_size=1, max_size=3))
    seed = draw(st.integers(0, 2**32 - 1))
    random = Random(seed)
    count = random.randint(2, 25)
    columns = [_column(kind, count, random) for kind in kinds]
    k = random.randint(1, min(5, count))
    max_sup = random.choice([0, random.randint(0, count // 4), random.randint(0, count - 1)])
    return Drawn(columns, k, max_sup, random.choice(ZONES), random.choice(["frequency", "direct"]), seed)


_CLASSES: dict[str, dict[str, int]] = {}


def _column(kind: str, count: int, random: Random) -> Column:
    if kind not in _CLASSES:
        _CLASSES[kind] = classes(kind, POOLS[kind])
    spellings: dict[int, list[str]] = {}
    for text, number in _CLASSES[kind].items():
        spellings.setdefault(number, []).append(text)
    present: list[int | None] = list(
        random.sample(sorted(spellings), random.randint(1, min(4, len(spellings))))
    )
    if random.random() < 0.4:
        present.append(None)
    rows = [random.choice(present) for _ in range(count)]
    if random.random() < 0.3:
        paths = {value: (value, "*") for value in present if value is not None}
        return Column(kind, spellings, rows, OracleHierarchy(paths, 1, "*"), flat=True)
    policy = random.choice(["error", "suppress", "top"])
    ground = [n for n in spellings if policy == "error" or random.random() < 0.7] or [min(spellings)]
    listed: list[int | None] = [*ground, *([None] if random.random() < 0.3 else [])]
    height = random.randint(1, 3)
    ways = {value: [f"n{value}"] for value in listed}
    for level in range(1, height):
        groups = {way[-1]: f"{level}.{random.randint(0, 2)}" for way in ways.values()}
        for way in ways.values():
            way.append(groups[way[-1]])
    paths = {value: (value, *way[1:], TOP) for value, way in ways.items()}
    return Column(kind, spellings, rows, OracleHierarchy(paths, height, TOP, policy), flat=False)  # type: ignore[arg-type]


THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


@settings(
    max_examples=1200 if THOROUGH else 28,
    deadline=None,
    derandomize=os.environ.get("HYPOTHESIS_PROFILE") == "ci",
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
@given(drawn_cases())
def test_random_tables_of_all_types_agree_with_the_oracle(case: Drawn) -> None:
    random = Random(case.seed)
    names = [f"c{i}" for i in range(len(case.columns))]
    rows = list(zip(*(column.rows for column in case.columns), strict=True))
    oracle = ByGrouping(rows, [column.hierarchy for column in case.columns], case.k)
    search = ExhaustiveSearch(oracle.outliers, oracle.heights)
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        declared = ", ".join(
            f"{name} {column.kind}" for name, column in zip(names, case.columns, strict=True)
        )
        connection.execute(f"CREATE TABLE t ({declared})")
        written = [
            ", ".join(
                f"CAST({literal(None if value is None else random.choice(column.spellings[value]))} AS {column.kind})"
                for value, column in zip(row, case.columns, strict=True)
            )
            for row in rows
        ]
        connection.execute(f"INSERT INTO t VALUES ({'), ('.join(written)})")
        asked: dict[str, Any] = {}
        for name, column in zip(names, case.columns, strict=True):
            path = Path(folder, f"{name}.csv")
            path.write_text(column.file(random), encoding="utf-8", newline="")
            long = {
                "hierarchy": path,
                "header": False,
                "delimiter": ";",
                "unmapped": column.hierarchy.unmapped,
            }
            asked[name] = None if column.flat else long
        words = {"table": "t", "k": case.k, "max_suppression": case.max_sup, "quasi_identifiers": asked}
        connection.execute(f"SET TimeZone = '{case.zone}'")
        _counts_agree(connection, words, Path(folder), search, len(rows))
        _release_agrees(connection, case, words, oracle, search.vector_of_5_11(case.max_sup))
        assert connection.execute("SELECT current_setting('TimeZone')").fetchone() == (case.zone,)


def _counts_agree(
    connection: Any, words: dict[str, Any], folder: Path, search: ExhaustiveSearch, total: int
) -> None:
    vectors = search.vectors()
    expected = [search.outliers(vector) for vector in vectors]
    engine = wrap(connection.cursor())
    try:
        spec = resolve_spec(given=words, base=folder)
        bound = bind(engine, spec, find_source(engine, spec))
        question = load_mappings(engine, bound.question, bound.hierarchies).question
        for plan in (FrequencyCounter, DirectCounter):
            counts = plan(engine, question, total).evaluate(vectors)
            assert [each.outliers for each in counts] == expected, plan
    finally:
        engine.close()


def _release_agrees(
    connection: Any, case: Drawn, words: dict[str, Any], oracle: ByGrouping, vector: tuple[int, ...] | None
) -> None:
    words = {**words, "output": "released", "plan": case.plan}
    if vector is None:
        with pytest.raises(KanonError, match="nothing satisfies"):
            kanon_sql.anonymize(connection, **words)
        return
    result = kanon_sql.anonymize(connection, **words)
    assert tuple(result.vector.values()) == vector
    expected = Counter(tuple(map(str, row)) for row in oracle.released(vector))
    asked = []
    for i, (column, level) in enumerate(zip(case.columns, vector, strict=True)):
        found = f"COALESCE(r.c{i}, 'None')"
        if level == 0:
            values = ", ".join(
                f"({number}, CAST({literal(texts[0])} AS {column.kind}))"
                for number, texts in column.spellings.items()
            )
            connection.execute(f"CREATE TABLE pool{i} AS SELECT * FROM (VALUES {values}) AS v(number, x)")
            matched = f"(SELECT MIN(number) FROM pool{i} WHERE x = TRY_CAST(r.c{i} AS {column.kind}))"
            found = f"COALESCE(CAST({matched} AS VARCHAR), CAST(r.c{i} AS VARCHAR), 'None')"
            classes_shown = (
                f"SELECT COUNT(DISTINCT c{i}), COUNT(DISTINCT CAST(c{i} AS VARCHAR)) FROM released"
            )
            equal, shown = connection.execute(classes_shown).fetchone()
            assert equal == shown, column.kind  # one canonical value per class
        asked.append(found)
    rows = connection.execute(f"SELECT {', '.join(asked)} FROM released AS r").fetchall()
    assert Counter(rows) == expected
