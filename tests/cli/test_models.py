"""Privacy models on the command line: ``run``, ``sql`` and ``check`` say what the definitions say."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.cli.warehouse import HEIGHTS, QIS, RUN, Row, change, generalized, query, run, tables
from tests.oracle import privacy as oracle

pytestmark = pytest.mark.usefixtures("folder")
ICD = "asthma,lungs,*\nflu,lungs,*\nulcer,guts,*\ngout,joints,*\n,unknown,*\n"
PATHS: dict[Any, tuple[Any, ...]] = {
    (cells[0] or None): ((cells[0] or None), *cells[1:])
    for cells in (line.split(",") for line in ICD.splitlines())
}
COLUMNS = ("diagnosis", "ward", "age")


@dataclass(frozen=True)
class Asked:
    """A model as a flag writes it, and by its definition."""

    column: str
    written: str
    model: Any
    nulls: Any = "value"

    def flags(self) -> tuple[str, ...]:
        more = ("--model", f"{self.column}=nulls: ignore") if self.nulls == "ignore" else ()
        return ("--model", f"{self.column}={self.written}", *more)


DISTINCT = Asked("diagnosis", "distinct_l_diversity: 3", oracle.Distinct(3))
ENTROPY = Asked("diagnosis", "entropy_l_diversity: 2.5", oracle.Entropy(Fraction(5, 2)))
RECURSIVE = Asked("diagnosis", "recursive_cl_diversity: {c: 1.5, l: 2}", oracle.Recursive(Fraction(3, 2), 2))
EQUAL = Asked("diagnosis", "t_closeness: {t: 0.35, distance: equal}", oracle.TEqual(Fraction(7, 20)))
ORDERED = Asked(
    "diagnosis",
    "t_closeness: {t: 0.25, distance: ordered, order: [gout, flu, ulcer, asthma], null_rank: last}",
    oracle.TOrdered(Fraction(1, 4), ("gout", "flu", "ulcer", "asthma"), "last"),
)
TREE = Asked(
    "diagnosis",
    "t_closeness: {t: 0.25, distance: hierarchical, hierarchy: icd.csv}",
    oracle.THierarchical(Fraction(1, 4), PATHS),
)
IGNORING = Asked(
    "diagnosis",
    "t_closeness: {t: 0.25, distance: ordered}",
    oracle.TOrdered(Fraction(1, 4)),
    nulls="ignore",
)
ALPHA = Asked("diagnosis", "alpha_k: 0.5", oracle.Alpha(Fraction(1, 2)))
NAMED = Asked(
    "diagnosis",
    "alpha_k: {flu: 0.3, gout: 0.2}",
    oracle.Alpha({"flu": Fraction(3, 10), "gout": Fraction(1, 5)}),
)
BASIC = Asked("diagnosis", "basic_beta_likeness: 1", oracle.BasicBeta(Fraction(1)))
ENHANCED = Asked("diagnosis", "enhanced_beta_likeness: 2", oracle.EnhancedBeta(Fraction(2)))
DELTA = Asked("diagnosis", "delta_disclosure: 1", oracle.Delta(Fraction(1)))
WARDS = Asked("ward", "distinct_l_diversity: 2", oracle.Distinct(2))
EVEN = Asked("ward", "alpha_k: 0.8", oracle.Alpha(Fraction(4, 5)))
SINGLE = (DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, TREE, IGNORING, ALPHA, NAMED, BASIC, ENHANCED, DELTA)
SEVERAL = (
    (DISTINCT, WARDS),
    (EQUAL, ALPHA, EVEN),
    (IGNORING, WARDS),
    (DISTINCT, ENTROPY, ORDERED, TREE, EVEN),
)


@pytest.fixture(autouse=True)
def icd(folder: Path) -> None:
    (folder / "icd.csv").write_text(ICD)


def flat(asked: Sequence[Asked]) -> tuple[str, ...]:
    """The flags of several models; what stands beside those of a column once."""
    pairs = dict.fromkeys(
        each.flags()[at : at + 2] for each in asked for at in range(0, len(each.flags()), 2)
    )
    return tuple(itertools.chain.from_iterable(pairs))


def classes_at(vector: Sequence[int]) -> dict[Row, list[Row]]:
    """The rows (diagnosis, ward, age) of every class."""
    found: dict[Row, list[Row]] = defaultdict(list)
    for row in generalized(vector, COLUMNS):
        found[row[: len(QIS)]].append(row[len(QIS) :])
    return found


def violating(vector: Sequence[int], asked: Sequence[Asked], k: int = 5) -> set[Row]:
    classes = classes_at(vector)
    everyone = list(itertools.chain.from_iterable(classes.values()))
    sources = [
        oracle.counted([row[COLUMNS.index(each.column)] for row in everyone], each.nulls) for each in asked
    ]
    return {
        key
        for key, rows in classes.items()
        if len(rows) < k
        or not all(
            each.model.satisfied(
                oracle.counted([row[COLUMNS.index(each.column)] for row in rows], each.nulls), source
            )
            for each, source in zip(asked, sources, strict=True)
        )
    }


def suppressed(vector: Sequence[int], asked: Sequence[Asked], k: int = 5) -> int:
    bad = violating(vector, asked, k)
    return sum(len(rows) for key, rows in classes_at(vector).items() if key in bad)


def released(vector: Sequence[int], asked: Sequence[Asked], k: int = 5) -> Counter[Row]:
    bad = violating(vector, asked, k)
    return Counter(row for row in generalized(vector, ("diagnosis", "ward")) if row[: len(QIS)] not in bad)


def least(asked: Sequence[Asked], most: int) -> tuple[int, ...]:
    """The vector of DESIGN 5.11, by asking every one."""
    every = itertools.product(*(range(height + 1) for height in HEIGHTS))
    order = sorted(every, key=lambda v: (sum(v), v[0] + v[1] + 3 * v[2], v))
    return next(v for v in order if suppressed(v, asked) <= most)


def words(vector: Sequence[int]) -> str:
    return "age={},zip={},sex={}".format(*vector)


def json_of(*args: str, exit_code: int = 0) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == exit_code, result.output
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def name_of(asked: object) -> str:
    return (
        "; ".join(f"{each.column} {each.written}" for each in asked)
        if isinstance(asked, tuple)
        else str(asked)
    )


# -- run ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [*((each,) for each in SINGLE), *SEVERAL], ids=name_of)
def test_run_finds_the_least_vector_and_releases_what_the_definitions_allow(asked: tuple[Asked, ...]) -> None:
    most = 60
    answer = json_of(*RUN, *flat(asked), "--max-suppression", str(most), "--sensitive", "diagnosis,ward")
    vector = least(asked, most)
    assert answer["vector"] == dict(zip(QIS, vector, strict=True))
    assert answer["suppressed"] == suppressed(vector, asked)
    assert answer["proven_minimal"] is True
    assert Counter(query("SELECT age, zip, sex, diagnosis, ward FROM patients_k5")) == released(vector, asked)
    assert answer["models"][0] == "k 5"
    assert len(answer["models"]) == 1 + len(asked)
    for model, each in zip(answer["models"][1:], asked, strict=True):
        assert model.partition(": ")[2].startswith(each.written.partition(":")[0])


@pytest.mark.parametrize("asked", SEVERAL[:2], ids=name_of)
def test_the_direct_plan_and_a_dry_run_find_the_same(asked: tuple[Asked, ...]) -> None:
    before = tables()
    more = ("--max-suppression", "20%", "--dry-run")
    first, second = (json_of(*RUN, *flat(asked), *more, "--plan", plan) for plan in ("frequency", "direct"))
    for key in ("vector", "suppressed", "released", "classes", "class_size", "models", "search"):
        assert first[key] == second[key]
    assert first["output"] is None
    assert tables() == before


@pytest.mark.parametrize(
    ("more", "method", "why"),
    [
        (flat([DISTINCT]), "least height", "every model is monotone under suppression"),
        (flat([ENTROPY]), "least height", "no row may be suppressed and every model is monotone"),
        (flat([DELTA]), "height by height", "(delta_disclosure)"),
        ((*flat([ENTROPY]), "--max-suppression", "20%"), "height by height", "(entropy_l_diversity)"),
        (
            (*flat([DISTINCT, EQUAL, EVEN]), "--max-suppression", "20%"),
            "height by height",
            "(alpha_k, t_closeness)",
        ),
        ((*flat([EQUAL]), "--vector", "age=3,zip=3,sex=1"), "none", "the vector was asked for"),
    ],
)
def test_which_search_and_why(more: tuple[str, ...], method: str, why: str) -> None:
    answer = json_of(*RUN, *more, "--dry-run")
    assert answer["search"]["method"] == method
    assert why in answer["search"]["why"]
    text = run(*RUN, *more, "--dry-run").stdout
    assert f"search: {method}, since " in " ".join(text.split())


def test_the_manifest_says_the_models_and_the_search() -> None:
    asked = (EQUAL, WARDS, IGNORING)
    args = (*flat(asked), "--max-suppression", "20%", "--manifest", "m.json")
    answer = json_of(*RUN, *args)
    manifest = json.loads(Path("m.json").read_text(encoding="utf-8"))
    assert manifest["spec"]["sensitive"] == {
        "diagnosis": [
            {"t_closeness": {"t": 0.35, "distance": "equal"}},
            {"t_closeness": {"t": 0.25, "distance": "ordered"}},
            {"nulls": "ignore"},
        ],
        "ward": [{"distinct_l_diversity": 2}],
    }
    assert manifest["models"] == answer["models"]
    assert manifest["search"]["method"] == "height by height"
    assert "t_closeness" in manifest["search"]["why"]
    assert manifest["search"]["lattice_size"] == 32
    # The spec of a manifest makes the same release again.
    spec = {
        word: manifest["spec"][word]
        for word in ("db", "table", "quasi_identifiers", "sensitive", "max_suppression")
    }
    Path("again.yml").write_text(json.dumps(spec))
    again = json_of("run", "--spec", "again.yml", "--output", "again")
    assert (again["vector"], again["suppressed"]) == (answer["vector"], answer["suppressed"])


def test_k_map_counts_the_classes_of_a_population() -> None:
    change("CREATE TABLE voters AS SELECT * FROM patients WHERE patient_id % 3 > 0")
    asked = ("--k-map", "k=4,population=voters", "--max-suppression", "20%", "--manifest", "m.json")
    answer = json_of(*RUN, *asked)
    inside = {
        vector: Counter(row[:3] for row in generalized(vector, where="patient_id % 3 > 0"))
        for vector in itertools.product(*(range(height + 1) for height in HEIGHTS))
    }

    def outliers(vector: tuple[int, ...]) -> int:
        sizes = Counter(generalized(vector))
        return sum(n for key, n in sizes.items() if n < 5 or inside[vector][key] < 4)

    order = sorted(inside, key=lambda v: (sum(v), v[0] + v[1] + 3 * v[2], v))
    vector = next(v for v in order if outliers(v) <= 60)
    assert answer["vector"] == dict(zip(QIS, vector, strict=True))
    assert answer["suppressed"] == outliers(vector)
    assert answer["models"] == ["k 5", "k_map 4 (population voters)"]
    assert answer["search"]["method"] == "least height"
    spec = json.loads(Path("m.json").read_text())["spec"]
    assert spec["k_map"] == {"k": 4, "population": "voters"}


def test_persons_may_be_counted() -> None:
    """Every class has two wards, but in one of them a single person fills a ward."""
    change(
        "CREATE TABLE visits AS SELECT * FROM (VALUES ('a', 1, 'x'), ('a', 1, 'x'), ('a', 1, 'x'), ('a', 2, 'y'),"
        " ('a', 3, 'y'), ('b', 4, 'x'), ('b', 5, 'x'), ('b', 6, 'y'), ('b', 7, 'y')) AS v(g, p, d)"
    )
    on = ("run", "--db", "warehouse.duckdb", "--table", "visits", "--qi", "g", "--person", "p", "--k", "2")
    model = ("--model", "d=alpha_k: 0.5", "--max-suppression", "5", "--dry-run", "--vector", "g=0")
    # Of a's five rows three are x: a share of 0.6. Of its three persons one has x and two have y: 2/3.
    assert json_of(*on, *model)["suppressed"] == 5
    assert json_of(*on, *model, "--model", "d=count: persons")["suppressed"] == 5
    loose = ("--model", "d=alpha_k: 0.62", *model[2:])
    assert json_of(*on, *loose)["suppressed"] == 0
    assert json_of(*on, *loose, "--model", "d=count: persons")["suppressed"] == 5


def test_models_of_the_file_and_flags_that_take_their_place() -> None:
    Path("kanon.yml").write_text(
        "db: warehouse.duckdb\ntable: patients\nmax_suppression: 20%\nsensitive:\n  diagnosis:\n"
        "    - distinct_l_diversity: 3\n    - t_closeness: {t: 0.35, distance: equal}\n  ward:\n"
        "    - distinct_l_diversity: 2\n"
    )
    answer = json_of("run", "--dry-run")
    assert answer["suppressed"] == suppressed(least((DISTINCT, EQUAL, WARDS), 60), (DISTINCT, EQUAL, WARDS))
    answer = json_of("run", "--dry-run", "--model", "diagnosis=alpha_k: 0.5")
    assert answer["models"] == [
        "k 5",
        "diagnosis: alpha_k (alpha 0.5)",
        "ward: distinct_l_diversity (l 2)",
    ]
    assert answer["suppressed"] == suppressed(least((ALPHA, WARDS), 60), (ALPHA, WARDS))


# -- sql ----------------------------------------------------------------------------------------------------

SQL = ("sql", "--db", "warehouse.duckdb", "--table", "patients")


@pytest.fixture
def plain() -> Iterator[Any]:
    """A connection as any client would make it: in memory, the warehouse attached under its file stem."""
    with duckdb.connect() as connection:
        connection.execute("ATTACH 'warehouse.duckdb' (READ_ONLY)")
        yield connection


def printed(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


EVERY = (DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, TREE, ALPHA, NAMED, BASIC, ENHANCED, EVEN)


@pytest.mark.parametrize("asked", [(TREE,), (IGNORING, WARDS), (DELTA,), EVERY], ids=name_of)
@pytest.mark.parametrize("plan", ["direct", "frequency"])
def test_the_printed_check_counts_what_the_definitions_say(
    plain: Any, plan: str, asked: tuple[Asked, ...]
) -> None:
    plain.execute(printed(*SQL, *flat(asked), "--setup", "--plan", plan))
    for vector in ((2, 3, 0), (3, 2, 1), (2, 2, 1)):
        sql = printed(*SQL, *flat(asked), "--vector", words(vector), "--plan", plan)
        relation = plain.sql(sql.strip().rstrip(";"))
        [row] = relation.fetchall()
        found = dict(zip(relation.columns, row, strict=True))
        bad = violating(vector, asked)
        assert found["outliers"] == suppressed(vector, asked)
        assert found["violating_classes"] == len(bad)


@pytest.mark.parametrize("asked", [(TREE, WARDS), (EQUAL, EVEN), (IGNORING,), EVERY], ids=name_of)
def test_the_printed_release_gives_the_rows_that_run_releases(plain: Any, asked: tuple[Asked, ...]) -> None:
    vector = (2, 3, 1)
    roles = ("--sensitive", "diagnosis,ward", *flat(asked))
    plain.execute(printed(*SQL, "--setup", *roles))
    rows = Counter(plain.execute(printed(*SQL, "--release", "--vector", words(vector), *roles)).fetchall())
    assert rows == released(vector, asked)
    plain.execute("DETACH warehouse")
    assert run(*RUN, *roles, "--vector", words(vector), "--max-suppression", "99%").exit_code == 0
    assert Counter(query("FROM patients_k5")) == rows


def test_the_printed_release_of_k_map(plain: Any) -> None:
    plain.execute("DETACH warehouse")
    change("CREATE TABLE voters AS SELECT * FROM patients WHERE patient_id % 3 > 0")
    plain.execute("ATTACH 'warehouse.duckdb' (READ_ONLY)")
    more = ("--k-map", "k=9,population=voters", "--sensitive", "diagnosis")
    plain.execute(printed(*SQL, "--setup", *more))
    rows = Counter(
        plain.execute(printed(*SQL, "--release", "--vector", "age=2,zip=3,sex=1", *more)).fetchall()
    )
    plain.execute("DETACH warehouse")
    assert run(*RUN, *more, "--vector", "age=2,zip=3,sex=1", "--max-suppression", "99%").exit_code == 0
    assert Counter(query("FROM patients_k5")) == rows


def test_without_a_database_models_are_printed_too(plain: Any) -> None:
    asked = (EQUAL, ALPHA, EVEN)
    plain.execute(printed(*SQL, "--setup", *flat(asked)))
    plain.execute("CREATE VIEW patients AS FROM warehouse.patients")
    sql = printed("sql", "--table", "patients", "--vector", "age=3,sex=1,zip=2", *flat(asked))
    assert plain.execute(sql).fetchall()[0][0] == suppressed((3, 2, 1), asked)


def test_nothing_is_written_and_no_row_is_printed() -> None:
    before = tables(), Path("warehouse.duckdb").read_bytes()
    text = "".join(
        printed(*SQL, *flat(EVERY), "--plan", plan, *more)
        for plan in ("direct", "frequency")
        for more in (["--setup"], ["--vector", words((1, 1, 1))], ["--release", "--vector", words((1, 1, 1))])
    )
    assert (tables(), Path("warehouse.duckdb").read_bytes()) == before
    assert "Patient No" not in text
    assert "Quux" not in text


# -- check --------------------------------------------------------------------------------------------------

# Two classes of one table, worked out by hand below.
SIX = (
    "CREATE TABLE six AS SELECT * FROM (VALUES ('a', 'x', 1), ('a', 'x', 1), ('a', 'y', 2), ('b', 'x', 1),"
    " ('b', 'y', 2), ('b', 'z', 6)) AS v(g, d, n)",
    "CREATE TABLE three AS FROM six WHERE g = 'a'",
)
ON = ("check", "--db", "warehouse.duckdb", "--qi", "g", "--k", "3", "--table")


def test_what_a_table_reaches_by_hand() -> None:
    change(*SIX)
    answer = json_of(*ON, "six", "--sensitive", "d,n")
    assert answer["models"] == []
    assert answer["distribution"] == "the table itself"
    # q is 1/2, 1/3, 1/6; p is 2/3, 1/3, 0 in a, and a third each in b.
    expected = {
        "distinct_l": 2,
        "entropy_l": pytest.approx(3 / 2 ** (2 / 3)),  # a: the entropy is ln 3 - 2/3 ln 2
        "recursive_c_for_l_2": 2.0,  # a: 2 rows against 1
        "recursive_c_for_l_3": None,  # a has no third value
        "t_equal": pytest.approx(1 / 6),  # a: (1/6 + 0 + 1/6) / 2; b the same
        "alpha": pytest.approx(2 / 3),
        "basic_beta": pytest.approx(1.0),  # b: z rises from 1/6 to 1/3
        "enhanced_beta": pytest.approx(1.0),  # and 1 is below -ln 1/6
        "delta": pytest.approx(math.log(2)),
    }
    assert answer["reached"]["d"] == expected
    # Ranks: a (1/6 + 1/6) / 2. Numbers 1, 2 and 6: a (1/6 * 1 + 1/6 * 4) / 5. b the same, the other way.
    assert answer["reached"]["n"] == {
        **expected,
        "t_ordered": pytest.approx(1 / 6),
        "t_numeric": pytest.approx(1 / 6),
    }


def test_a_reference_gives_the_distribution() -> None:
    change(*SIX)
    answer = json_of(*ON, "three", "--sensitive", "d", "--reference", "six")
    assert answer["distribution"] == "reference six"
    reached = answer["reached"]["d"]
    assert reached["t_equal"] == pytest.approx(1 / 6)
    assert reached["basic_beta"] == pytest.approx(1 / 3)
    assert reached["delta"] == pytest.approx(math.log(4 / 3))
    answer = json_of(*ON, "three", "--sensitive", "d")
    assert answer["distribution"] == "the table itself"
    assert [answer["reached"]["d"][name] for name in ("t_equal", "basic_beta", "delta")] == [0, 0, 0]
    model = ("--model", "d=t_closeness: {t: 0.16, distance: equal}")
    assert json_of(*ON, "three", *model)["satisfied"] is True
    answer = json_of(*ON, "three", *model, "--reference", "six", exit_code=1)
    assert answer["models"] == [
        {
            "column": "d",
            "model": "t_closeness (equal, t 0.16)",
            "satisfied": False,
            "violating_classes": 1,
            "violating_rows": 3,
        }
    ]
    assert (answer["satisfied"], answer["k_reached"]) == (False, 3)
    text = run(*ON, "three", *model, "--reference", "six").stdout
    assert "against the distribution of reference six" in text


def test_exit_1_when_a_model_fails_though_k_holds() -> None:
    change(*SIX)
    both = ("--model", "d=distinct_l_diversity: 3", "--model", "d=alpha_k: 0.7")
    result = run(*ON, "six", *both)
    assert (result.exit_code, result.stderr) == (1, "")
    assert "six is 3-anonymous over g" in result.stdout
    assert "fails  d: distinct_l_diversity (l 3): 1 class with 3 rows" in result.stdout
    assert "holds  d: alpha_k (alpha 0.7)" in result.stdout
    assert run(*ON, "six", "--model", "d=distinct_l_diversity: 2").exit_code == 0
    # Where k fails the models are still judged.
    answer = json_of(*ON, "six", *both, "--k", "4", exit_code=1)
    assert [each["satisfied"] for each in answer["models"]] == [False, True]


def test_nulls_and_persons_in_a_check() -> None:
    change(
        "CREATE TABLE gaps AS SELECT * FROM (VALUES ('a', 1, 'x'), ('a', 1, NULL), ('a', 2, 'x'), ('b', 3, NULL),"
        " ('b', 4, NULL), ('b', 4, NULL)) AS v(g, p, d)"
    )
    two = ("--model", "d=distinct_l_diversity: 2")
    answer = json_of(*ON, "gaps", *two, exit_code=1)
    assert (answer["models"][0]["violating_classes"], answer["reached"]["d"]["distinct_l"]) == (1, 1)
    answer = json_of(
        *ON, "gaps", "--model", "d=distinct_l_diversity: 1", "--model", "d=nulls: ignore", exit_code=1
    )
    # A class in which nothing counts violates every model, and no number holds of it.
    assert answer["models"][0]["violating_rows"] == 3
    assert answer["reached"]["d"]["distinct_l"] is None or answer["reached"]["d"]["distinct_l"] == 0
    persons = ("--person", "p", "--k", "2", "--model", "d=alpha_k: 0.9")
    # In a two persons have x, one of whom has NULL too; in b both have NULL.
    assert json_of(*ON, "gaps", *persons, exit_code=1)["reached"]["d"]["alpha"] == 1.0
    answer = json_of(*ON, "gaps", *persons, "--where", "g = 'a'")
    assert answer["reached"]["d"]["alpha"] == pytest.approx(2 / 3)
    answer = json_of(*ON, "gaps", *persons, "--model", "d=count: persons", "--where", "g = 'a'", exit_code=1)
    assert answer["reached"]["d"]["alpha"] == 1.0


def test_k_map_in_a_check_reads_the_population_as_it_stands() -> None:
    change(
        *SIX, "CREATE TABLE people AS SELECT CASE WHEN i < 5 THEN 'a' ELSE 'b' END AS g FROM range(9) t(i)"
    )
    answer = json_of(*ON, "six", "--k-map", "k=4,population=people")
    assert answer["models"] == [
        {
            "column": None,
            "model": "k_map 4 (population people)",
            "satisfied": True,
            "violating_classes": 0,
            "violating_rows": 0,
        }
    ]
    answer = json_of(*ON, "six", "--k-map", "k=5,population=people", exit_code=1)
    assert answer["models"][0]["violating_classes"] == 1
    assert (
        "fails  k_map 5 (population people): 1 class with 3 rows"
        in run(*ON, "six", "--k-map", "k=5,population=people").stdout
    )


@pytest.mark.parametrize("qi", ["zip,sex", "sex", "ward,zip"])
def test_what_the_patients_reach_is_what_the_definitions_say(qi: str) -> None:
    answer = json_of("check", *RUN[1:], "--qi", qi, "--k", "1", "--sensitive", "diagnosis,age")
    names = qi.split(",")
    rows = query(f"SELECT diagnosis, age, {qi} FROM patients")
    for at, column in enumerate(("diagnosis", "age")):
        classes: dict[Row, list[Any]] = defaultdict(list)
        for row in rows:
            classes[row[2 : 2 + len(names)]].append(row[at])
        source = oracle.counted([row[at] for row in rows])
        inside = [oracle.counted(values) for values in classes.values()]
        shares = source.shares
        rises = [
            (p - shares[v]) / shares[v] for each in inside for v, p in each.shares.items() if p > shares[v]
        ]
        entropies = [-sum(float(p) * math.log(p) for p in each.distribution.values()) for each in inside]
        expected: dict[str, Any] = {
            "distinct_l": min(len(each.by_value) for each in inside),
            "entropy_l": math.exp(min(entropies)),
            "t_equal": max(oracle.TEqual(Fraction(1)).distance(each, source) for each in inside),
            "alpha": max(max(each.shares.values()) for each in inside),
            "basic_beta": max(rises),
            "delta": max(abs(math.log(p / shares[v])) for each in inside for v, p in each.shares.items()),
        }
        for least_l in (2, 3):
            sorted_counts = [sorted(each.by_value.values(), reverse=True) for each in inside]
            expected[f"recursive_c_for_l_{least_l}"] = (
                max(counts[0] / sum(counts[least_l - 1 :]) for counts in sorted_counts)
                if all(len(counts) >= least_l for counts in sorted_counts)
                else None
            )
        if column == "age":
            expected["t_ordered"] = max(
                oracle.TOrdered(Fraction(1)).distance(each, source) for each in inside
            )
            expected["t_numeric"] = max(
                oracle.TNumeric(Fraction(1)).distance(each, source) for each in inside
            )
        found = answer["reached"][column]
        assert set(found) == {*expected, "enhanced_beta"}
        for name, value in expected.items():
            assert found[name] == (None if value is None else pytest.approx(float(value))), (column, name)


@pytest.mark.parametrize("asked", SINGLE, ids=lambda each: each.written)
def test_a_verdict_is_what_the_definition_says(asked: Asked) -> None:
    answer = json_of(
        "check",
        *RUN[1:],
        "--qi",
        "zip,sex",
        "--k",
        "1",
        *flat([asked]),
        exit_code=int(bool(judged(asked)[0])),
    )
    [verdict] = answer["models"]
    assert (verdict["violating_classes"], verdict["violating_rows"]) == judged(asked)


def judged(asked: Asked) -> tuple[int, int]:
    rows = query("SELECT diagnosis, zip, sex FROM patients")
    classes: dict[Row, list[Any]] = defaultdict(list)
    for row in rows:
        classes[row[1:]].append(row[0])
    source = oracle.counted([row[0] for row in rows], asked.nulls)
    bad = [
        len(values)
        for values in classes.values()
        if not asked.model.satisfied(oracle.counted(values, asked.nulls), source)
    ]
    return len(bad), sum(bad)


def test_a_release_passes_the_check_of_its_own_spec() -> None:
    Path("kanon.yml").write_text(
        "db: warehouse.duckdb\ntable: patients\nmax_suppression: 20%\nsensitive:\n  diagnosis:\n"
        "    - distinct_l_diversity: 3\n    - t_closeness: {t: 0.35, distance: equal}\n  ward:\n"
        "    - alpha_k: 0.8\nquasi_identifiers:\n  age: hierarchies/age.csv\n  zip: hierarchies/zip.csv\n"
        "  sex: hierarchies/sex.csv\n"
    )
    assert run("run").exit_code == 0
    answer = json_of("check", "--table", "patients_k5", "--reference", "patients")
    assert [(each["column"], each["satisfied"]) for each in answer["models"]] == [
        ("diagnosis", True),
        ("diagnosis", True),
        ("ward", True),
    ]
    assert answer["reached"]["diagnosis"]["t_equal"] <= 0.35
    assert answer["reached"]["ward"]["alpha"] <= 0.8
    assert json_of("check", "--table", "patients", exit_code=1)["models"][0]["satisfied"] is False


def test_a_column_that_no_model_can_look_at_is_hinted_at() -> None:
    change("CREATE TABLE nested AS SELECT 'a' AS g, [i] AS many, i AS one FROM range(9) t(i)")
    answer = json_of(*ON, "nested", "--sensitive", "many,one")
    assert list(answer["reached"]) == ["one"]
    assert any("column many is of type BIGINT[]" in hint for hint in answer["hints"])


def test_no_rows_satisfy_every_model() -> None:
    args = (
        "check",
        *RUN[1:3],
        "--table",
        "nobody",
        "--qi",
        "age",
        "--model",
        "diagnosis=distinct_l_diversity: 3",
    )
    answer = json_of(*args)
    assert (answer["satisfied"], answer["vacuous"], answer["models"][0]["satisfied"]) == (True, True, True)
    assert set(answer["reached"]["diagnosis"].values()) == {None}
    assert "vacuously" in run(*args).stdout


def test_where_null_is_a_wildcard_no_column_is_measured() -> None:
    answer = json_of("check", *RUN[1:], "--qi", "sex", "--sensitive", "diagnosis", "--null", "wildcard")
    assert (answer["reached"], answer["models"], answer["distribution"]) == ({}, [], None)
