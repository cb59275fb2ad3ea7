"""Every wrong invocation: its exit code, and one line on stderr that says what, where and how to mend it."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.cli.refusing import Wrong, everything_in, file, ran, refused, spec, sql, wrong
from tests.cli.warehouse import RUN, change, environment, run, spawn, tables

DB = ("--db", "warehouse.duckdb")
HIERARCHIES = Path("hierarchies")


def newer_version() -> None:
    """A file that says that it was written by a DuckDB of the future."""
    raw = bytearray(Path("warehouse.duckdb").read_bytes())
    assert struct.unpack("<Q", raw[:8]) == (checksum(raw[8:4096]),)
    raw[12:20] = struct.pack("<Q", 9999)
    raw[:8] = struct.pack("<Q", checksum(raw[8:4096]))
    Path("newer.duckdb").write_bytes(raw)


def checksum(block: bytes) -> int:
    """DuckDB's checksum of a file header."""
    result = 5381
    for (word,) in struct.iter_unpack("<Q", block):
        result ^= word * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
    return result


def cut_in_half() -> None:
    raw = Path("warehouse.duckdb").read_bytes()
    Path("half.duckdb").write_bytes(raw[: len(raw) // 2])


STAND_IN = (
    "INSERT INTO patients VALUES (1, 'n', 101, '02130', 'f', 'flu', 'A'),"
    " (2, 'n', 102, ' 02130', 'f', 'flu', 'A')"
)
# age alone, so that the faults of one hierarchy file are told apart from all others
AGE = "--qi age --hierarchy age=a.csv"

DATABASE = [
    wrong("no database", "run --table patients", 2, "no database is given", "--db"),
    wrong("no table", "run --db warehouse.duckdb", 2, "no table is named", "--table"),
    wrong("empty db", ("run", "--db", "", "--table", "patients"), 2, "--db", "blank|empty"),
    wrong("missing db", "run --db nowhere.duckdb --table t", 4, "nowhere.duckdb: no such"),
    wrong("missing db, check", "check --db nowhere.duckdb --table t --qi a", 4, "nowhere.duckdb: no such"),
    wrong("missing db, sql", "sql --db nowhere.duckdb --table t --vector a=0", 4, "nowhere.duckdb: no such"),
    wrong("typo in db", "run --db warehous.duckdb --table patients", 4, "warehous.duckdb: no such"),
    wrong("missing folder of db", "run --db a/b.duckdb --table patients", 4, "a/b.duckdb: no such"),
    wrong(
        "db is text",
        "run --db notes.txt --table patients",
        6,
        "notes.txt: .*not a DuckDB database",
        before=file("notes.txt", "not a database at all, " * 1000),
    ),
    wrong(
        "db is an empty file",
        "run --db empty.duckdb --table patients",
        6,
        "empty.duckdb: .*not a DuckDB database",
        before=file("empty.duckdb", ""),
    ),
    wrong("db is a folder", "run --db hierarchies --table patients", 6, "hierarchies: .*folder"),
    wrong(
        "db of a newer version",
        "run --db newer.duckdb --table patients",
        6,
        "newer.duckdb: .*version",
        before=newer_version,
    ),
    wrong("half a db", "run --db half.duckdb --table patients", 6, "half.duckdb: ", before=cut_in_half),
]

TABLE = [
    wrong("table typo", (*RUN[:3], "--table", "patiens"), 4, "patiens", "did you mean 'patients'"),
    wrong("table unlike any", (*RUN[:3], "--table", "zzz"), 4, "no such table or view: zzz", "patients"),
    wrong(
        "two-part table",
        (*RUN[:3], "--table", "clinic.patients"),
        4,
        r"no such table or view: clinic\.patients",
        "--table",
    ),
    wrong("schema typo", (*RUN[:3], "--table", "clinik.wards"), 4, r"did you mean 'clinic\.wards'"),
    wrong("four parts", (*RUN[:3], "--table", "a.b.c.d"), 4, "a.b.c.d"),
    wrong(
        "non-ASCII case", (*RUN[:3], "--table", "ÄRZTE"), 4, "ärzte", before=sql("CREATE TABLE ärzte (a INT)")
    ),
    wrong("blank table", (*RUN[:3], "--table", " "), 2, "--table", "blank|empty"),
    wrong(
        "a missing Parquet file", "run --table patients.parquet --qi age", 4, "patients.parquet: no such file"
    ),
    wrong("a missing CSV file", "run --table patients.csv --dry-run", 4, "patients.csv: no such file"),
    ran("an output folder that is missing", "--output out/release.parquet", 2, "out: no such folder"),
    ran("a file and a database", "--output r.parquet --output-db o.duckdb", 2, "--output-db"),
    ran("partitions of a table", "--partition-by ward", 2, "--partition-by", "only a Parquet"),
    ran("partitions of a column not released", "--output r.parquet --partition-by name", 4, "partition_by"),
    ran("a view in a file", "--as view --output r.parquet", 2, "--as"),
    ran("as what", "--as picture", 2, "valid: table, view"),
    ran("no threads", "--threads 0", 2, "malformed threads"),
    ran("no size", "--memory-limit plenty", 2, "--memory-limit", "6GB"),
    ran("no temp directory", "--temp-directory nowhere", 2, "nowhere: no such folder"),
    ran("trace over the database", "--trace warehouse.duckdb", 2, "read or written by the run"),
    ran("trace over a hierarchy found in the folder", "--trace hierarchies/age.csv", 2, "read or written"),
]

COLUMN = [
    ran("qi typo", "--qi age,zipp", 4, "no column 'zipp'", "did you mean 'zip'", "quasi-identifier"),
    ran("sensitive typo", "--sensitive diagnosys", 4, "'diagnosys'", "did you mean 'diagnosis'", "sensitive"),
    ran("keep typo", "--keep wards", 4, "'wards'", "did you mean 'ward'"),
    ran("identifier typo", "--identifier nam", 4, "'nam'", "did you mean 'name'", "identifier"),
    ran("person typo", "--person patientid", 4, "'patientid'", "did you mean 'patient_id'", "person"),
    ran("where typo", ("--where", "agge > 3"), 4, "'agge'", "did you mean 'age'", "where"),
    ran("hierarchy typo", "--hierarchy agee=hierarchies/age.csv", 4, "'agee'", "did you mean 'age'"),
    ran(
        "hierarchy of no qi",
        "--qi age --hierarchy zip=hierarchies/zip.csv",
        2,
        "'zip'",
        "quasi",
        "--hierarchy",
    ),
    ran("unlike any", "--qi qqq", 4, "'qqq'", "patient_id, name, age"),
    ran("qi twice", "--qi age,AGE", 2, "twice", "--qi", "'AGE'"),
    ran("empty qi", "--qi age,,zip", 2, "empty column name"),
    ran("no qi at all", ("--qi", ""), 2, "empty column name"),
    ran("open quote", ("--qi", 'age,"zip'), 2, "double quote is not closed"),
    ran("qi and keep", "--qi age --keep age", 2, "'age'", "--qi", "--keep", "one role"),
    ran("found in the folder and kept", "--keep zip,ward --qi zip", 2, "'zip'"),
    ran("sensitive and identifier", "--sensitive name --identifier NAME", 2, "(?i)name", "--identifier"),
    ran("person and keep", "--person patient_id --keep patient_id", 2, "person", "never released"),
    ran("person and qi", "--person age --qi age", 2, "age", "person"),
    ran(
        "nested",
        "--qi parts",
        4,
        "column parts is of type STRUCT",
        "view",
        before=sql("ALTER TABLE patients ADD COLUMN parts STRUCT(a INTEGER)"),
    ),
    ran(
        "nothing to find",
        "",
        2,
        "no quasi-identifier",
        "--qi",
        before=lambda: HIERARCHIES.rename("elsewhere"),
    ),
]

NUMBERS = [
    *(
        ran(f"k {k!r}", ("--k", k), 2, f"^--k: malformed k '{re.escape(k)}'", "whole number")
        for k in ("0", "-1", "abc", "2.5", "1e3", "", "05", " 5", "99999999999999999999", "5%", "٥")
    ),
    *(
        ran(
            f"max_suppression {written!r}",
            ("--max-suppression", written),
            2,
            rf"^--max-suppression: .*{re.escape(written)}",
            "such as 1%",
        )
        for written in ("-1", "101%", "abc", "1e3", "1 percent", "50%%", "-1%", "1/2", "100.5%", "%")
    ),
    ran("max_suppression 0.01", "--max-suppression 0.01", 2, "'0.01'", "ambiguous", "write 1%"),
    ran("max_suppression 5.5", "--max-suppression 5.5", 2, "'5.5'", "ambiguous", "write 5.5%"),
    ran("max_suppression empty", ("--max-suppression", ""), 2, "^--max-suppression: "),
    ran("k above rows", "--k 301", 4, "k is 301", "300 rows", "smaller k"),
    ran("k above persons", "--k 280 --person patient_id", 4, "k is 280", "persons"),
    ran("k above what the filter keeps", ("--k", "5", "--where", "age > 900"), 4, "k is 5", "2 rows"),
    ran("max_suppression is all", "--max-suppression 300", 2, "all 300 rows", "allow_empty|--allow-empty"),
    ran("max_suppression is 100%", "--max-suppression 100%", 2, "all 300 rows", "allow"),
]

VECTOR = [
    ran("no level", "--vector age", 2, "--vector", "'age'"),
    ran("no number", "--vector age=x,zip=0,sex=0", 2, "--vector", "'x'", "whole number"),
    ran("negative", "--vector age=-1,zip=0,sex=0", 2, "--vector", "'-1'"),
    ran("missing qi", "--vector age=1,zip=1", 2, "--vector", "sex", "age=0,zip=0,sex=0"),
    ran("missing qi, named", "--qi age,zip --vector age=1", 2, "--vector", "zip"),
    ran("above the top", "--vector age=4,zip=0,sex=0", 2, "--vector", "age", "0 to 3"),
    ran("no qi", "--vector age=1,zip=0,sex=0,ward=1", 2, "--vector", "ward"),
    ran("qi typo in vector", "--vector agge=1,zip=0,sex=0", 2, "'agge'", "did you mean 'age'"),
    ran("twice", "--vector age=1,age=2,zip=0,sex=0", 2, "--vector", "twice"),
    ran("empty vector", ("--vector", ""), 2, "--vector"),
    ran("does not satisfy", "--vector age=0,zip=0,sex=0", 5, "--vector", "age=0, zip=0, sex=0", r"\d+ rows"),
]

HIERARCHY = [
    ran(
        "missing",
        "--hierarchy age=hierarchies/agee.csv",
        3,
        "agee.csv",
        "did you mean 'age.csv'",
        "--hierarchy",
    ),
    ran("missing folder", "--hierarchy age=nowhere/age.csv", 3, "nowhere/age.csv", "no folder"),
    ran("a folder", "--hierarchy age=hierarchies", 3, "hierarchies", "folder"),
    ran("builtin", "--hierarchy age=builtin:nonsense", 3, "built-in", "'nonsense'"),
    ran("malformed", "--hierarchy age", 2, "--hierarchy", "no '=' after 'age'"),
    ran(
        "two files",
        "--hierarchy age=hierarchies/age.csv --hierarchy age=hierarchies/zip.csv",
        2,
        "age",
        "--hier",
    ),
    ran("empty", AGE, 3, "a.csv: .*empty", before=file("a.csv", "")),
    ran("header alone", AGE, 3, "a.csv", before=file("a.csv", "age,any\n")),
    ran(
        "two parents", AGE, 3, "a.csv:3: ", "two parents", before=file("a.csv", "1,a,x,*\n2,b,y,*\n3,a,y,*\n")
    ),
    ran(
        "two tops",
        AGE,
        3,
        "a.csv:3: ",
        "2 top values",
        before=file("a.csv", "1,a,*\n2,a,*\n3,b,all\n4,b,all\n5,a,*\n"),
    ),
    ran("ragged", AGE, 3, "a.csv:2: 2 cells", "3", before=file("a.csv", "1,a,*\n2,*\n3,b,*\n")),
    ran("blank cell", AGE, 3, "a.csv:2: ", "level 1", before=file("a.csv", "1,a,*\n2,,*\n3,b,*\n")),
    ran("same ground", AGE, 3, "a.csv:3: ", "line 1", before=file("a.csv", "1,a,*\n2,a,*\n1,b,*\n")),
    ran("latin-1", AGE, 3, "a.csv:2: not UTF-8", "Latin-1", before=file("a.csv", b"1,a,*\n2,\xe4,*\n")),
    ran("binary", AGE, 3, "a.csv", "NUL", before=file("a.csv", bytes(range(256)) * 9)),
    ran("xlsx", AGE, 3, "a.csv", "workbook", "CSV", before=file("a.csv", b"PK\x03\x04\0\0\xff" * 99)),
    ran("utf-16", AGE, 3, "a.csv", "UTF-16", before=file("a.csv", "1,a,*\n".encode("utf-16"))),
    ran("wrong type", AGE, 3, "a.csv", "no ground value fits", "age", before=file("a.csv", "x,a,*\ny,a,*\n")),
    ran("would round", AGE, 3, "a.csv:2: ", "'34.5'", "35|34", before=file("a.csv", "20,a,*\n34.5,a,*\n")),
    ran("equal as integers", AGE, 3, "a.csv:2: ", "'07'", before=file("a.csv", "7,a,*\n07,b,*\n8,b,*\n")),
    ran(
        "open quote in a file",
        AGE,
        3,
        "a.csv:2",
        before=file("a.csv", '20,a,*\n21,"b,*\n22,b,*\n'),
    ),
]

OUTPUT = [
    *(
        ran(f"the source, written {name}", ("--output", name), 2, "source", "--output", "name")
        for name in (
            "patients",
            "PATIENTS",
            "main.patients",
            "Main.Patients",
            '"patients"',
            "warehouse.main.patients",
        )
    ),
    ran("exists", "--output clinic.wards", 2, r"clinic\.wards exists", "--overwrite", "--output"),
    ran("exists in another case", "--output CLINIC.Wards", 2, "exists", "--overwrite"),
    ran("default exists", "", 2, "patients_k5 exists", before=sql("CREATE TABLE patients_k5 (a INTEGER)")),
    ran(
        "no schema",
        "--output clinik.release",
        4,
        "no such schema: clinik",
        "did you mean 'clinic'",
        "--output",
    ),
    ran("a view", "--output everyone", 2, "everyone is a view", "--output"),
    ran("a view, overwriting", "--output everyone --overwrite", 2, "everyone is a view"),
    ran("another database", "--output memory.main.x", 2, "memory", "--output"),
    ran("blank output", ("--output", ""), 2, "--output", "blank|empty"),
    ran("no manifest folder", "--manifest nowhere/m.json", 2, "nowhere: no such folder"),
    ran("manifest is a folder", "--manifest hierarchies", 2, "hierarchies: .*folder"),
]

DATA = [
    ran("unmapped", "", 4, "column age", "2 value", "2 row", "'101'", "unmapped", before=sql(STAND_IN)),
    ran(
        "would match trimmed",
        "--qi zip",
        4,
        "column zip",
        "1 value",
        "' 02130'",
        "trimmed",
        before=sql(STAND_IN),
    ),
    ran(
        "would match with zeros",
        "--qi zip",
        4,
        "'2130'",
        "zeros",
        before=sql("INSERT INTO patients VALUES (1, 'n', 30, '2130', 'f', 'flu', 'A')"),
    ),
    ran(
        "would match in another case",
        "--qi sex",
        4,
        "'F'",
        "letter case",
        before=sql("INSERT INTO patients VALUES (1, 'n', 30, '02130', 'F', 'flu', 'A')"),
    ),
    ran(
        "at most five values",
        "--qi age",
        4,
        "'100', '101', '102', '103', '104'(, …)?;",
        before=sql(
            "INSERT INTO patients SELECT 1, 'n', 100 + i, '02130', 'f', 'flu', 'A' FROM range(9) t(i)"
        ),
    ),
    ran(
        "the top in the data",
        "--qi ward",
        4,
        "column ward",
        r"'\*'",
        before=sql("INSERT INTO patients VALUES (1, 'n', 30, '02130', 'f', 'flu', '*')"),
    ),
    wrong("empty table", ("run", *DB, "--table", "nobody"), 4, "nobody", "no rows"),
    ran("empty after the filter", ("--where", "age < 0"), 4, "patients", "no rows", "filter"),
    ran(
        "NULL person",
        "--person patient_id",
        4,
        "patient_id",
        "NULL in 1 row",
        before=sql("INSERT INTO patients VALUES (NULL, 'n', 30, '02130', 'f', 'flu', 'A')"),
    ),
    wrong(
        "NULL person, check",
        ("check", *DB, "--table", "patients", "--qi", "ward", "--person", "patient_id"),
        4,
        "patient_id",
        "NULL",
        before=sql("INSERT INTO patients VALUES (NULL, 'n', 30, '02130', 'f', 'flu', 'A')"),
    ),
]

UNMAPPED = """\
db: warehouse.duckdb
table: patients
max_suppression: 1
quasi_identifiers:
  age: {hierarchy: hierarchies/age.csv, unmapped: suppress}
"""
NO_SOLUTION = [
    wrong(
        "nothing satisfies",
        "run",
        5,
        "age=3",
        "suppress 2 rows",
        "1 may be",
        before=lambda: (spec(UNMAPPED)(), change(STAND_IN)),
    ),
    wrong(
        "nothing satisfies, direct plan",
        "run --plan direct",
        5,
        "age=3",
        "2 rows",
        before=lambda: (spec(UNMAPPED)(), change(STAND_IN)),
    ),
]

WHERE = [
    ran("does not parse", ("--where", "age >"), 2, "where", "parse|expression"),
    ran("two statements", ("--where", "age > 1; DROP TABLE patients"), 2, "where"),
    ran("closes the parenthesis", ("--where", "age > 1) OR (1 = 1"), 2, "where", "one expression"),
    ran("sub-query", ("--where", "age > (SELECT AVG(age) FROM patients)"), 2, "where", "query", "view"),
    ran("IN sub-query", ("--where", "ward IN (SELECT ward FROM clinic.wards)"), 2, "where", "query"),
    ran("random()", ("--where", "random() < 0.5"), 2, "where", r"random\(\)"),
    ran("now()", ("--where", "now() > TIMESTAMP '2020-01-01'"), 2, "where", "now|current_timestamp"),
    ran("nextval", ("--where", "nextval('s') > 1"), 2, "where", r"nextval\(\)"),
    ran("aggregate", ("--where", "age > avg(age)"), 2, "where", "aggregate"),
    ran("window", ("--where", "row_number() OVER () > 1"), 2, "where", "window"),
    ran("parameter", ("--where", "age > $1"), 2, "where", "parameter"),
    ran("a comment only", ("--where", "-- nothing"), 2, "where"),
    ran("blank where", ("--where", " "), 2, "where", "blank"),
    ran("unknown function", ("--where", "no_such_function(age) > 1"), 2, "where", "no_such_function"),
    ran("wrong types", ("--where", "age = DATE '2020-01-01'"), 2, "where"),
    ran("no boolean", ("--where", "DATE '2020-01-01'"), 2, "where"),
    ran("a value that does not cast", ("--where", "CAST(name AS INTEGER) > 1"), 4, "where"),
]

FILE = [
    ran(
        "shares of the direct plan",
        ("--max-suppression-per", "column=ward,share=5%", "--plan", "direct"),
        2,
        r"^--plan: max_suppression_per is counted beside the frequency set, which plan: direct has not; leave the "
        "plan out$",
    ),
    ran(
        "a share of no column",
        ("--max-suppression-per", "column=wart,share=5%"),
        4,
        "no column 'wart'",
        "did you mean 'ward'",
    ),
    ran(
        "nothing satisfies for a share",
        (
            "--max-suppression",
            "3",
            "--max-suppression-per",
            "column=diagnosis,share=5%",
            "--max-level",
            "age=2",
        ),
        5,
        r"nothing satisfies: at the nearest vector, age=2, zip=3, sex=1, 1 value\(s\) of diagnosis would lose more "
        r"than 5% of their rows; allow a larger share \(--max-suppression-per\), or allow higher levels",
    ),
    ran(
        "a vector that withholds a value",
        (
            *("--max-suppression", "3", "--max-suppression-per", "column=diagnosis,share=5%"),
            *("--vector", "age=2,zip=3,sex=1"),
        ),
        5,
        r"^--vector: the vector age=2, zip=3, sex=1 does not satisfy: 1 value\(s\) of diagnosis would lose more "
        "than 5% of their rows",
    ),
    *(
        ran(
            f"above the top: {text}",
            "",
            2,
            r"^hierarchies/age\.csv: ",
            f"{text.partition(':')[0]} 9 of age is above the top of its hierarchy",
            "its levels are 0 to 3",
            before=spec(f"quasi_identifiers:\n  age:\n    hierarchy: hierarchies/age.csv\n    {text}\n"),
        )
        for text in ("min_level: 9", "max_level: 9", "level: 9")
    ),
    wrong(
        "min above max",
        "run",
        2,
        r"^kanon\.yml:2: min_level 2 of column 'age' is above its max_level 1",
        before=spec("quasi_identifiers:\n  age: {min_level: 2, max_level: 1}\n"),
    ),
    wrong(
        "unknown word",
        "run",
        2,
        r"kanon\.yml:1: unknown word 'tabel'",
        "did you mean 'table'",
        "valid: db, table",
        before=spec("tabel: patients\n"),
    ),
    wrong(
        "unlike any word",
        "run",
        2,
        r"kanon\.yml:2: unknown word 'zzz'",
        "max_suppression",
        before=spec("k: 5\nzzz: 1\n"),
    ),
    wrong(
        "unknown word of a qi",
        "run",
        2,
        r"kanon\.yml:3: ",
        "'heirarchy'",
        "did you mean 'hierarchy'",
        "unmapped",
        before=spec("quasi_identifiers:\n  age:\n    heirarchy: hierarchies/age.csv\n"),
    ),
    wrong(
        "unknown model",
        "run",
        2,
        r"kanon\.yml:3: unknown model 'l_diversity'",
        before=spec("sensitive:\n  diagnosis:\n  - l_diversity: 3\n"),
    ),
    wrong(
        "unknown choice",
        "run",
        2,
        r"kanon\.yml:3: ",
        "'ignore'",
        "error, suppress, top",
        before=spec("quasi_identifiers:\n  age:\n    unmapped: ignore\n"),
    ),
    wrong(
        "unknown search",
        "run",
        2,
        r"kanon\.yml:1: unknown search 'minimum'",
        "minimal",
        before=spec("search: minimum\n"),
    ),
    wrong("a flag's word", "run", 2, r"kanon\.yml:1: ", "insensitive", before=spec("keep: [ward]\n")),
    wrong("k of the file", "run", 2, r"kanon\.yml:2: malformed k '1e3'", before=spec("table: t\nk: 1e3\n")),
    wrong(
        "fraction of the file",
        "run",
        2,
        r"kanon\.yml:1: ",
        "write 1%",
        before=spec("max_suppression: 0.01\n"),
    ),
    wrong(
        "two roles in the file",
        "run",
        2,
        r"kanon\.yml:2",
        "'age'",
        "two|both|one role",
        before=spec("quasi_identifiers: [age]\ninsensitive: [age]\n"),
    ),
    wrong(
        "output is source in the file",
        "run",
        2,
        r"kanon\.yml:2: ",
        "source",
        before=spec("table: patients\noutput: Patients\n"),
    ),
    wrong(
        "hierarchy missing in the file",
        "run",
        3,
        r"kanon\.yml:2: ",
        "hierarchies/agee.csv",
        "did you mean 'age.csv'",
        before=spec("quasi_identifiers:\n  age: hierarchies/agee.csv\n"),
    ),
    wrong("broken YAML", "run", 2, r"kanon\.yml:\d: not valid YAML", before=spec("k: [5\ntable: x\n")),
    wrong("tabs", "run", 2, r"kanon\.yml:2: ", "tab", before=spec("quasi_identifiers:\n\tage: x\n")),
    wrong(
        "twice in the file",
        "run",
        2,
        r"kanon\.yml:2: 'k' stands twice",
        "line 1",
        before=spec("k: 5\nk: 6\n"),
    ),
    wrong("a list", "run", 2, r"kanon\.yml:1: ", "mapping", before=spec("- k\n")),
    wrong(
        "latin-1 spec", "run", 2, r"kanon\.yml:2: not UTF-8", before=file("kanon.yml", b"k: 5\ntable: \xe4\n")
    ),
    wrong("no such spec", "run --spec nowhere.yml", 2, "nowhere.yml: no such file"),
    wrong("spec is a folder", "run --spec hierarchies", 2, "hierarchies: .*folder"),
    wrong(
        "check reads words it does not use",
        "check",
        2,
        r"kanon\.yml:1: unknown word 'personn'",
        before=spec("personn: p\n"),
    ),
]

OTHERS = [
    wrong("plan", (*RUN, "--plan", "fast"), 2, "--plan: unknown plan 'fast'", "frequency, direct"),
    wrong("sql without a vector", ("sql", *DB, "--table", "patients"), 2, "--vector", "age=0,zip=0,sex=0"),
    wrong("sql --release without a vector", ("sql", *DB, "--table", "patients", "--release"), 2, "--vector"),
    wrong("release and setup", "sql --release --setup", 2, "--release and --setup", "one"),
    wrong("setup without db", "sql --table patients --setup", 2, "--setup", "--db"),
    wrong(
        "frequency without db", "sql --table patients --plan frequency --vector age=1,zip=1,sex=1", 2, "--db"
    ),
    wrong("sql outside", "sql --table patients --vector age=9,sex=0,zip=0", 2, "--vector", "0 to 3"),
    wrong(
        "sql table typo", ("sql", *DB, "--table", "patint", "--vector", "age=1"), 4, "did you mean 'patients'"
    ),
    wrong("sql without anything", "sql --vector age=1", 2, "--table"),
    wrong("check without qi", ("check", *DB, "--table", "patients"), 2, "--qi"),
    wrong("check without table", ("check", *DB, "--qi", "age"), 2, "--table"),
    wrong("check without db", "check --table patients --qi age", 2, "--db"),
    wrong(
        "check table typo", ("check", *DB, "--table", "patents", "--qi", "age"), 4, "did you mean 'patients'"
    ),
    wrong("check qi typo", ("check", *DB, "--table", "patients", "--qi", "agee"), 4, "did you mean 'age'"),
    wrong(
        "check person typo",
        ("check", *DB, "--table", "patients", "--qi", "age", "--person", "pid"),
        4,
        "'pid'",
    ),
    wrong("check k", ("check", *DB, "--table", "patients", "--qi", "age", "--k", "0"), 2, "--k"),
    wrong("check a missing CSV file", "check --table p.csv --qi age", 4, "p.csv: no such file"),
    wrong("demo into a file", "demo warehouse.duckdb", 2, "warehouse.duckdb: .*folder"),
    wrong("demo over files", "demo .", 2, "warehouse.duckdb", "--overwrite"),
]

GROUPS = (DATABASE, TABLE, COLUMN, NUMBERS, VECTOR, HIERARCHY, OUTPUT, DATA, NO_SOLUTION, WHERE, FILE, OTHERS)
EVERY = [each for group in GROUPS for each in group]


def test_no_two_have_one_name() -> None:
    names = [each.about for each in EVERY]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.about)
def test_refused(each: Wrong, folder: Path) -> None:
    refused(each, folder)


USAGE = [
    (["run", "--nope"], "--nope"),
    (["run", "--ovrwrite"], "--overwrite"),
    (["run", "--k"], "--k"),
    (["run", "stray"], "stray"),
    (["rum"], "did you mean 'run'"),
    (["check", "--output", "x"], "--output"),
    (["demo", "a", "b"], "b"),
]


@pytest.mark.parametrize(("args", "part"), USAGE, ids=lambda each: str(each))
def test_usage_is_refused(args: list[str], part: str, folder: Path) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    last = result.stderr.splitlines()[-1].lower()
    assert last.startswith("error: ")
    assert part in last


def test_without_a_command_the_help_is_shown() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Usage" in result.output


@pytest.mark.parametrize(
    "each", [DATABASE[3], DATABASE[8], NUMBERS[0], HIERARCHY[0]], ids=lambda each: each.about
)
def test_a_process_of_its_own_says_the_same(each: Wrong, folder: Path) -> None:
    if each.before is not None:
        each.before()
    process = spawn(*each.args, cwd=folder)
    assert process.returncode == each.exit_code
    assert process.stdout == ""
    assert process.stderr.startswith("error: ")
    assert process.stderr.count("\n") == 1


def test_a_typo_in_db_creates_no_file(folder: Path) -> None:
    before = sorted(path.name for path in folder.rglob("*"))
    for command in (["run"], ["run", "--dry-run"], ["check", "--qi", "a"], ["sql", "--vector", "a=0"]):
        assert run(*command, "--db", "warehous.duckdb", "--table", "patients").exit_code == 4
    assert sorted(path.name for path in folder.rglob("*")) == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_locked_database_names_the_process_that_holds_it(read_only: bool, folder: Path) -> None:
    script = (
        "import duckdb, sys; c = duckdb.connect('warehouse.duckdb', read_only=sys.argv[1] == 'True');"
        "print('open', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(read_only)],
        cwd=folder,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        result = run(*RUN)
        assert result.exit_code == 6
        [line] = result.stderr.splitlines()
        assert line.startswith("error: ")
        assert "warehouse.duckdb" in line
        assert "locked" in line
        assert re.search(rf"\b{holder.pid}\b", line)
        # Readers share a database; a writer shares it with nobody.
        assert run(*RUN, "--dry-run").exit_code == (0 if read_only else 6)
    finally:
        holder.communicate("", timeout=60)


@pytest.mark.usefixtures("folder")
def test_a_source_that_changes_does_not_verify() -> None:
    # The view's values are drawn anew at every scan: the search and the release see different tables.
    change(
        "CREATE VIEW shifting AS SELECT 'v' || CAST(floor(random() * 200) AS INTEGER) AS v FROM range(3000)"
    )
    Path("v.csv").write_text("".join(f"v{i},*\n" for i in range(200)))
    args = ("--hierarchy", "v=v.csv", "--vector", "v=0", "--k", "15", "--max-suppression", "99%")
    for _ in range(5):  # by chance the two may agree
        result = run("run", "--db", "warehouse.duckdb", "--table", "shifting", *args)
        if result.exit_code:
            break
        change("DROP TABLE shifting_k15")
    assert result.exit_code == 7, result.output
    [line] = result.stderr.splitlines()
    assert "did not verify" in line
    assert "main.shifting_k15" not in tables()


@pytest.mark.parametrize(
    "name", ["warehouse.duckdb", "hierarchies/../warehouse.duckdb", "kanon.yml", "hierarchies/age.csv"]
)
def test_a_manifest_never_takes_the_place_of_what_was_read(name: str, folder: Path) -> None:
    Path("kanon.yml").write_text("k: 5\n")
    before = tables(), everything_in(folder)
    result = run(*RUN, "--manifest", name)
    assert result.exit_code == 2, result.output
    assert re.match(rf"error: .*{re.escape(Path(name).name)}", result.stderr)
    assert (tables(), everything_in(folder)) == before


def test_an_engine_that_runs_out_of_what_it_needs_is_no_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    from kanon_sql.backends.duckdb import DuckDBEngine

    monkeypatch.setattr(DuckDBEngine, "_fetch", full)
    result = run(*RUN)
    assert result.exit_code == 6
    assert re.fullmatch(r"error: .*disk is full.*\n", result.stderr)
