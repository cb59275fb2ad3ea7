"""Questions built by hand, for the golden cases. No engine."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from kanon_sql import sqltext
from kanon_sql.compiler import (
    FileScan,
    GeneralizedColumn,
    Question,
    ReleaseColumn,
    SensitiveColumn,
    ShareColumn,
    Source,
    TableHierarchy,
)
from kanon_sql.compiler.questions import DigitPlace
from kanon_sql.hierarchy import Hierarchy
from kanon_sql.privacy import KAnonymity, SensitiveModel

HOSTILE_NAMES = ('a"b', "select", "größe", "Marital Status", 't"; drop table patients; --')
HOSTILE_TABLE = ("ware house", 's"; drop schema main; --', 't"; drop table patients; --')


def column(
    name: str, sql_type: str = "VARCHAR", height: int = 2, *, mapping: str | None = None, **more: str
) -> GeneralizedColumn:
    """A quasi-identifier with the scratch names that a run gives it."""
    return GeneralizedColumn(
        column=name,
        sql_type=sql_type,
        mapping=mapping or f"kanon_map_{name}",
        digits=f"kanon_digits_{name}",
        codes=f"kanon_codes_{name}",
        height=height,
        top="*",
        **more,  # type: ignore[arg-type]
    )


def dropping(question: Question, *names: str) -> Question:
    """The question of a release without some of its columns."""
    return replace(question, release=tuple(each for each in question.release if each.name not in names))


def question(
    *columns: GeneralizedColumn,
    table: tuple[str, ...] = ("warehouse", "main", "patients"),
    keep: tuple[str, ...] = ("diagnosis",),
    k: int = 5,
    row_filter: str | None = None,
    person: str | None = None,
    temporary: bool = False,
) -> Question:
    """A question over a table, its quasi-identifiers released first and then the columns that are kept."""
    return Question(
        source=Source(table, row_filter, person),
        columns=columns,
        models=(KAnonymity(k),),
        release=(
            *(ReleaseColumn(each.column, i) for i, each in enumerate(columns)),
            *(ReleaseColumn(name) for name in keep),
        ),
        temporary=temporary,
    )


def sensitive(
    name: str,
    *models: SensitiveModel,
    sql_type: str = "VARCHAR",
    taxonomy: GeneralizedColumn | None = None,
    **more: str,
) -> SensitiveColumn:
    """A sensitive column with the scratch name that a run gives it; the taxonomy is that of every model."""
    taxonomies = (taxonomy,) * len(models)
    return SensitiveColumn(name, sql_type, f"kanon_values_{name}", models, taxonomies, **more)  # type: ignore[arg-type]


def hierarchy(*rows: tuple[str | None, ...]) -> Hierarchy:
    """A hierarchy file of these paths."""
    levels = tuple(f"level_{i}" for i in range(len(rows[0])))
    return Hierarchy("h.csv", levels, rows, tuple(range(1, len(rows) + 1)), False, ",", "")


AGE = column("age", "INTEGER", 3)
ZIP = column("zip")
BORN = column("born", "DATE", 1)
WEIGHT = column("weight", "DOUBLE", 1)
STAY = column("stay", "INTERVAL", 1)
SEEN = column("seen", "TIMESTAMPTZ", 1)
PLAIN = question(AGE, ZIP)
FILTER = sqltext.read_row_filter("admitted >= DATE '2024-01-01' AND ward <> 'A'").sql
FILTERED = replace(PLAIN, source=replace(PLAIN.source, row_filter=FILTER))
PERSONS = replace(PLAIN, source=replace(PLAIN.source, person="patient_id"))
TOP_AGE = column("age", "INTEGER", 3, unmapped="top")
TOP = question(TOP_AGE, ZIP)
HEIGHT_0 = question(AGE, column("country", height=0))
TEMPORARY = replace(PLAIN, temporary=True)
HOSTILE = question(
    *(column(name) for name in HOSTILE_NAMES),
    table=HOSTILE_TABLE,
    keep=('dia"gnosis', "from", "*/ drop table x; /*"),
    person='per"son',
)
HOSTILE_VECTOR = (0, 1, 2, 1, 0)


def sharing(base: Question, *columns: tuple[str, str]) -> Question:
    """A question with columns (name, type) of which no value may lose more than a twentieth of its rows."""
    shares = tuple(
        ShareColumn(
            SensitiveColumn(name, sql_type, f"kanon_share_values_{name}", (), ()),
            Fraction(1, 20),
            f"kanon_share_entries_{name}",
            f"kanon_share_limits_{name}",
        )
        for name, sql_type in columns
    )
    return replace(base, shares=shares)


AGES = hierarchy(("34", "30-39", "adult", "*"), ("007", "0-9", "child", "*"))
ZIPS = hierarchy(("02138", "0213*", "*"), ("02139", "0213*", "*"), (None, "unknown", "*"), ("", "none", "*"))
COUNTRIES = hierarchy(("*",))
# Hierarchies that are tables: one in the column's own type, one of text, one with names that are hostile.
LEVELS = TableHierarchy(
    "table:age_levels", ("warehouse", "main", "age_levels"), ("age", "decade", "adult", "any"), "INTEGER",
    ("age", "decade", "adult", "any"), "*", 100, "",
)  # fmt: skip
TEXT_LEVELS = replace(LEVELS, ground_type="TEXT")
ADDED_TOP = replace(LEVELS, columns=("age", "decade", "adult"))
ONE_LEVEL = replace(LEVELS, columns=("country",), level_names=("country",))
HOSTILE_LEVELS = TableHierarchy(
    "table:x", HOSTILE_TABLE, ('a"b', "select", "it's"), "TEXT", ('a"b', "select", "it's"), 'it\'s "*"', 2, ""
)
PARQUET_LEVELS = replace(LEVELS, relation=FileScan("parquet", "it's.parquet"))
OUTPUT = ("warehouse", "main", "patients_k5")

PARQUET = FileScan("parquet", "data/it's/*.parquet")
PARTITIONED = FileScan("parquet", "out/**/*.parquet", (("sex", "VARCHAR"), ('a"b', "DATE")), partitioned=True)
CSV = FileScan(
    "csv",
    "data/visits.csv",
    (("age", "INTEGER"), ("it's; zip", "VARCHAR")),
    delimiter=";",
    quote="'",
    escape="\\",
    skip=1,
    header=False,
    date_format="%d.%m.%Y",
    timestamp_format="%d.%m.%Y %H:%M",
)
FROM_FILE = replace(PERSONS, source=replace(PERSONS.source, table=PARQUET, row_filter=FILTER))
AT_HOME = replace(ZIP, mapping_home=("ware house", 's"'))

# Where digits stand: two of a column in one word, or one in each of two.
ONE_WORD = (DigitPlace(0, 0, 1), DigitPlace(1, 0, 8))
TWO_WORDS = (DigitPlace(0, 0, 1), DigitPlace(1, 1, 1), DigitPlace(2, 1, 16))
ID_FACTOR = 1 << 57
