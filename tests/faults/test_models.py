"""Models beyond k where other tools are wrong, where rounding could decide, and where a run could crash."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.compiler.render import environment
from kanon_sql.errors import DataError, NoSolutionError
from kanon_sql.privacy.base import SensitiveModel
from kanon_sql.privacy.l_diversity import EntropyLDiversity, RecursiveCLDiversity
from tests.embedding.support import state
from tests.engine.support import World, query, tables, world
from tests.sources.support import command, only_line, sql

PLANS = ("frequency", "direct")
AGES = ["1;young;*", "2;young;*", "3;old;*", "4;old;*"]


def check(values: Sequence[Any], *models: dict[str, Any], kind: str = "VARCHAR") -> kanon_sql.CheckResult:
    """One class with these sensitive values."""
    return check_classes([(0, value) for value in values], *models, kind=kind)


def check_classes(
    rows: Sequence[tuple[int, Any]], *models: dict[str, Any], kind: str = "VARCHAR"
) -> kanon_sql.CheckResult:
    """A table of a class and a sensitive value."""
    connection = in_memory()
    connection.execute(f"CREATE OR REPLACE TABLE t (q INTEGER, s {kind})")
    connection.execute(
        f"INSERT INTO t SELECT UNNEST(?), UNNEST(CAST(? AS {kind}[]))",
        [[q for q, _ in rows], [value for _, value in rows]],
    )
    return kanon_sql.check(connection, table="t", quasi_identifiers=["q"], k=1, sensitive={"s": list(models)})


@cache
def in_memory() -> duckdb.DuckDBPyConnection:
    """One database for all that is only checked."""
    return duckdb.connect()


def verdicts(counts: dict[int, list[int]], models: dict[int, list[SensitiveModel]]) -> dict[int, list[bool]]:
    """By class, whether it violates each of its own models; a class is given as the counts of its values.

    The predicate is that of the template, on relation ``v`` as it is promised; one query for all classes.
    """
    [template] = {model.template for each in models.values() for model in each}
    predicate = environment().get_template(template).module
    several = len(next(iter(models.values())))
    cases = [
        "CASE v.class "
        + " ".join(
            f"WHEN {name} THEN {predicate.violation(each[i], 'SUM(v.n)', 'SUM(v.n)')}"  # type: ignore[attr-defined]
            for name, each in models.items()
        )
        + " END"
        for i in range(several)
    ]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE given (class INTEGER, n BIGINT)")
        connection.execute(
            "INSERT INTO given SELECT UNNEST(?), UNNEST(?)",
            [
                [name for name, each in counts.items() for _ in each],
                [n for each in counts.values() for n in each],
            ],
        )
        rows = connection.execute(
            f"SELECT v.class, {', '.join(cases)} FROM (SELECT *, n AS row_count, "
            "ROW_NUMBER() OVER (PARTITION BY class ORDER BY n DESC) AS place FROM given) AS v GROUP BY v.class"
        ).fetchall()
    return {name: [value is None or value for value in found] for name, *found in rows}


# ---------------------------------------------------------------- rounding


@pytest.mark.parametrize("each", [1, 3, 7, 1_000_003, 10**12])
def test_a_class_uniform_over_l_values_is_l_diverse(each: int) -> None:
    """ARX 3.9.2 rejects 50 of the 175. One that is short by a millionth is not, of ln l or of l."""
    sizes = [*range(1, 176), *range(200, 1001, 50)]
    models: dict[int, list[SensitiveModel]] = {
        size: [
            EntropyLDiversity(Fraction(size)),
            EntropyLDiversity(size - Fraction(1, 10**6)),
            EntropyLDiversity(Fraction(size * math.exp(1e-6))),
            EntropyLDiversity(size + Fraction(1, 10**6 if size < 500 else 10**5)),  # ln l is met within 1e-9
        ]
        for size in sizes
    }
    found = verdicts({size: [each] * size for size in sizes}, models)
    assert found == {size: [False, False, True, True] for size in sizes}


@pytest.mark.parametrize("l", [2, 3, 7, 49, 98, 174, 175])
def test_the_same_of_a_table(l: int) -> None:  # noqa: E741
    values = [f"v{i}" for i in range(l)] * 2
    assert check(values, {"entropy_l_diversity": l}, {"distinct_l_diversity": l}).satisfied
    assert not check(values, {"entropy_l_diversity": l + 1e-6}).satisfied
    assert not check([*values, "v0"], {"entropy_l_diversity": l}).satisfied


@pytest.mark.parametrize("plan", PLANS)
def test_a_run_keeps_every_uniform_class(tmp_path: Path, plan: str) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT l, 'v' || i AS s FROM range(49, 176) AS a(l), range(175) AS b(i) WHERE i < l",
        qi={"l": None},
        sensitive={"s": [{"entropy_l_diversity": 49}]},
        plan=plan,
    )
    result = here.run()
    assert (result.suppressed, result.vector) == (0, {"l": 0})


def test_recursive_diversity_is_strict() -> None:
    """r1 = c · (r_l + …) fails, whatever binary fractions make of c; a row less of r1, and it passes."""
    exact = [
        ("1.1", 2, [11, 6, 4]), ("0.7", 2, [7, 5, 5]), ("0.1", 2, [1] * 11), ("0.3", 3, [3, 3, 3, 3, 3, 1]),
        ("2", 2, [2, 1]), ("2.9", 2, [29, 10]), ("0.29", 2, [29, *[25] * 4]), ("1.1", 2, [1_100_000, 10**6]),
        ("0.7", 2, [7 * 10**7, *[5 * 10**7] * 2]), ("4.35", 3, [435, 100, 50, 50]), ("1.005", 2, [201, 200]),
    ]  # fmt: skip
    counts, models, passing = {}, {}, {}
    for name, (c, l, each) in enumerate(exact):  # noqa: E741
        tail = sum(sorted(each, reverse=True)[l - 1 :])
        assert each[0] == max(each) == Fraction(c) * tail, (c, l, each)
        counts[name] = each
        models[name] = [
            RecursiveCLDiversity(Fraction(c), l),
            RecursiveCLDiversity(Fraction(c) + Fraction(1, 10**6), l),
            RecursiveCLDiversity(Fraction(c), len(each) + 1),
        ]
        passing[name] = [True, False, True]
    typed: dict[int, list[SensitiveModel]] = {name: list(each) for name, each in models.items()}
    assert verdicts(counts, typed) == passing


@pytest.mark.parametrize(("c", "counts"), [(1.1, (11, 6, 4)), (0.7, (7, 5, 5)), (2.9, (29, 10)), (2, (2, 1))])
def test_the_same_of_a_release(c: float, counts: Sequence[int]) -> None:
    values = [f"v{i}" for i, n in enumerate(counts) for _ in range(n)]
    assert not check(values, {"recursive_cl_diversity": {"c": c, "l": 2}}).satisfied
    assert check([*values, "v1"], {"recursive_cl_diversity": {"c": c, "l": 2}}).satisfied


@pytest.mark.parametrize(
    ("share", "of"), [("0.29", 100), ("0.7", 10), ("0.1", 10), ("0.57", 100), ("0.07", 100), ("0.3", 10)]
)
def test_a_share_of_just_alpha_passes(share: str, of: int) -> None:
    """0.29 · 100 is 28.999999999999996 to a computer."""
    has = int(Fraction(share) * of)
    values = ["often"] * has + [f"v{i}" for i in range(of - has)]
    assert check(values, {"alpha_k": float(share)}, {"alpha_k": {"often": share}}).satisfied
    values[-1] = "often"
    found = check(values, {"alpha_k": share}, {"alpha_k": {"often": float(share)}})
    assert [verdict.satisfied for verdict in found.models] == [False, False]


def test_a_third_is_within_a_billionth() -> None:
    thirds = ["a", "b", "c"]
    assert check(thirds, {"alpha_k": "0.3333333333"}).satisfied  # DESIGN: bounds are met within 1e-9
    assert not check(thirds, {"alpha_k": "0.33333333"}).satisfied
    assert not check(thirds, {"alpha_k": {"a": "0.33333333"}}).satisfied


@pytest.mark.parametrize("x", range(6))
@pytest.mark.parametrize("distance", ["equal", "ordered", "numeric"])
def test_a_distance_of_just_t_passes(x: int, distance: str) -> None:
    """Class 0 has 1 in 5 - x of 10 rows and class 1 in 5 + x: both are x/10 from the whole."""
    rows = [(q, int(i >= 5 + side * x)) for q, side in ((0, 1), (1, -1)) for i in range(10)]
    model = {"t_closeness": {"t": f"0.{x}", "distance": distance}}
    assert check_classes(rows, model, kind="INTEGER").satisfied
    if x:
        less = {"t_closeness": {"t": f"{x / 10 - 1e-6:.7f}", "distance": distance}}
        found = check_classes(rows, less, kind="INTEGER").models
        assert [(verdict.satisfied, verdict.classes) for verdict in found] == [(False, 2)]


@pytest.mark.parametrize("b", ["0.1", "0.3", "0.7", "0.9"])
def test_a_rise_of_just_beta_passes_and_a_change_of_just_delta_does_not(b: str) -> None:
    """20 of 200 rows hold 'a' in the whole; in class 0 its share is 1 + b times as large."""
    has = int((1 + Fraction(b)) * 10)
    rows = [(0, "a" if i < has else "b") for i in range(100)]
    rows += [(1, "a" if i < 20 - has else "b") for i in range(100)]
    assert Fraction(has, 100) == (1 + Fraction(b)) * Fraction(20, 200)
    for word in ("basic_beta_likeness", "enhanced_beta_likeness"):
        assert check_classes(rows, {word: b}).satisfied
        assert not check_classes(rows, {word: f"{float(b) - 1e-6:.7f}"}).satisfied
    # The share of 'a' in class 1 falls to 1 - b: further than it rises.
    change = -math.log(1 - float(b))
    assert not check_classes(rows, {"delta_disclosure": change}).satisfied
    assert check_classes(rows, {"delta_disclosure": change + 1e-6}).satisfied
    assert check_classes(rows).reached["s"]["delta"] == pytest.approx(change)


# ---------------------------------------------------------------- NULL, NaN, -0.0

EVERY_MODEL: list[dict[str, Any]] = [
    {"distinct_l_diversity": 1},
    {"entropy_l_diversity": 1},
    {"recursive_cl_diversity": {"c": 1000, "l": 1}},
    {"t_closeness": {"t": 1, "distance": "equal"}},
    {"t_closeness": {"t": 1, "distance": "ordered"}},
    {"t_closeness": {"t": 1, "distance": "numeric"}},
    {"t_closeness": {"t": 1, "distance": "ordered", "order": ["2", "1", "3"]}},
    {"alpha_k": 1},
    {"alpha_k": {"1": 1}},
    {"basic_beta_likeness": 1000},
    {"enhanced_beta_likeness": 1000},
    {"delta_disclosure": 1000},
]


def hierarchical(folder: Path) -> dict[str, Any]:
    """A distance over a tree of 1, 2 and 3."""
    (folder / "tree.csv").write_text("1;odd;*\n3;odd;*\n2;even;*\n")
    return {"t_closeness": {"t": 1, "distance": "hierarchical", "hierarchy": folder / "tree.csv"}}


def test_a_class_of_nulls_alone_fails_every_model_where_they_are_ignored(tmp_path: Path) -> None:
    """However lax the model is: no value that counts says nothing. The same class passes where NULL is a value."""
    rows = [(0, 1), (0, 2), (0, 3), (1, None), (1, None), (2, 3), (2, None), (2, 1), (2, 2)]
    models = [*EVERY_MODEL, hierarchical(tmp_path)]
    found = check_classes(rows, *models, {"nulls": "ignore"}, kind="INTEGER")
    assert len(found.models) == len(models)
    for verdict in found.models:
        assert (verdict.classes, verdict.rows) == (1, 2), verdict
    anywhere = [model for model in models if not any(word in str(model) for word in ("order", "num", "hier"))]
    counted = check_classes(rows, *anywhere, kind="INTEGER")
    # NULL has 1/3 of the whole: class 1 triples it, and -ln(1/3) is 1.1.
    assert [v.model for v in counted.models if not v.satisfied] == ["enhanced_beta_likeness (b 1000)"]


@pytest.mark.parametrize("plan", PLANS)
def test_such_a_class_is_suppressed(tmp_path: Path, plan: str) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 4 AS age, CASE WHEN i % 4 > 0 THEN 1 + i // 4 % 3 END AS s"
        " FROM range(48) AS n(i)",
        qi={"age": None},
        max_suppression=12,
        plan=plan,
        vector="age=0",
        overwrite=True,
    )
    for model in EVERY_MODEL:
        asked = {"s": [model, {"nulls": "ignore"}]}
        result = here.run(sensitive=asked)
        assert (result.suppressed, here.released("DISTINCT age")) == (12, [(2,), (3,), (4,)]), model
        with pytest.raises(NoSolutionError):
            here.run(sensitive=asked, max_suppression=11)


def test_a_column_of_nulls_alone(tmp_path: Path) -> None:
    """Every class fails where they are ignored; where they are values, all hold one."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT i % 4 AS age, NULL::INTEGER AS s FROM range(48) AS n(i)",
        qi={"age": None},
    )
    for model in EVERY_MODEL:
        if "order" in str(model) and "2" in str(model):
            continue
        for plan in PLANS:
            with pytest.raises(NoSolutionError):
                here.run(sensitive={"s": [model, {"nulls": "ignore"}]}, plan=plan)
    assert tables(here.path) == ["t"]
    reached = kanon_sql.check(here.path, table="t", quasi_identifiers=["age"], sensitive=["s"]).reached["s"]
    assert reached["distinct_l"] == 1
    assert reached["t_equal"] == 0


NAN = float("nan")


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
@pytest.mark.parametrize("plan", PLANS)
def test_nan_is_one_value_and_so_is_zero(tmp_path: Path, plan: str, kind: str) -> None:
    """Whatever its sign: three rows of 0.0, -0.0, 0.0 hold one value, and those of NaN, -NaN and NaN too."""
    here = world(
        tmp_path,
        f"CREATE TABLE t AS SELECT q, s::{kind} AS s FROM (VALUES (1, 0.0::DOUBLE), (1, '-0.0'::DOUBLE), (1, 0.0),"
        " (2, 'nan'::DOUBLE), (2, -('nan'::DOUBLE)), (2, 'nan'::DOUBLE), (3, 'nan'::DOUBLE), (3, -0.0::DOUBLE),"
        " (3, 0.0)) AS v(q, s)",
        qi={"q": None},
        max_suppression=6,
        plan=plan,
        sensitive={"s": [{"distinct_l_diversity": 2}]},
    )
    result = here.run(vector="q=0")
    assert (result.suppressed, here.released("DISTINCT q")) == (6, [(3,)])
    checked = kanon_sql.check(here.path, table="t", quasi_identifiers=["q"], sensitive=["s"])
    reached = checked.reached["s"]
    assert (reached["distinct_l"], reached["alpha"]) == (1, 1)
    # q is 5/9 and 4/9: class 1 is 4/9 from it, class 2 is 5/9.
    assert reached["t_equal"] == pytest.approx(5 / 9)
    assert reached["t_ordered"] == pytest.approx(5 / 9)
    assert "t_numeric" not in reached


@pytest.mark.parametrize("value", ["'nan'::DOUBLE", "'inf'::DOUBLE", "'-inf'::DOUBLE"])
def test_no_difference_of_numbers_that_are_not_finite(tmp_path: Path, value: str) -> None:
    here = world(
        tmp_path,
        f"CREATE TABLE t AS SELECT i % 2 AS q, CASE WHEN i < 4 THEN {value} ELSE i / 7 END AS s FROM range(40) n(i)",
        qi={"q": None},
        sensitive={"s": [{"t_closeness": {"t": 0.5, "distance": "numeric"}}]},
    )
    for plan in PLANS:
        with pytest.raises(DataError, match="not finite"):
            here.run(plan=plan)
    with pytest.raises(DataError, match="not finite"):
        kanon_sql.check(here.path, table="t", quasi_identifiers=["q"], sensitive=here.words["sensitive"])
    assert tables(here.path) == ["t"]
    ordered = [{"t_closeness": {"t": 0.5, "distance": "ordered"}}]
    assert here.run(sensitive={"s": ordered}).suppressed == 0


NUMERIC: list[dict[str, Any]] = [{"t_closeness": {"t": 0.3, "distance": "numeric"}}]


@pytest.mark.parametrize(
    "value",
    [
        "CAST(5 AS BIGINT) + q",
        "CAST(9007199254740993 AS BIGINT) + q - q % 2",
        "make_timestamp(1700000000000000 + q)",
        "CAST(1000000000000000000000000000000 AS HUGEINT) + q",
        "CAST(CAST(10000000000000000000000000000 AS DECIMAL(38, 0)) + q AS DECIMAL(38, 0))",
        "make_timestamp(253370764800000000 + q)",
    ],
)
def test_numbers_that_are_one_to_floating_point(tmp_path: Path, value: str) -> None:
    """Two classes of one value each: 1/2 from the whole, however near each other the values are."""
    here = world(
        tmp_path,
        f"CREATE TABLE t AS SELECT q, {value} AS s FROM range(1, 3) AS a(q), range(4)",
        qi={"q": None},
        sensitive={"s": NUMERIC},
    )
    checked = kanon_sql.check(here.path, table="t", quasi_identifiers=["q"], sensitive={"s": NUMERIC})
    assert checked.reached["s"]["t_numeric"] == 0.5
    assert not checked.models[0].satisfied
    for plan in PLANS:
        assert here.run(plan=plan, overwrite=True).vector == {"q": 1}


def test_numbers_whose_difference_is_none() -> None:
    rows = [(q, (-1.7e308, 1.7e308)[q]) for q in (0, 1) for _ in range(4)]
    with pytest.raises(DataError, match="not finite"):
        check_classes(rows, *NUMERIC, kind="DOUBLE")
    found = check_classes(rows, kind="DOUBLE")
    assert "t_numeric" not in found.reached["s"]
    json.dumps(found.to_json(), allow_nan=False)


def test_a_number_beyond_floating_point(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT i % 2 AS q, CAST(CASE i % 2 WHEN 1 THEN repeat('9', 400) ELSE '5' END AS BIGNUM)"
        " AS s FROM range(8) AS n(i)",
        qi={"q": None},
    )
    reached = kanon_sql.check(here.path, table="t", quasi_identifiers=["q"], sensitive=["s"]).reached["s"]
    assert reached["t_ordered"] == 0.5


@pytest.mark.parametrize(("odd", "figures"), [("NULL", ["t_ordered", "t_numeric"]), ("'inf'", ["t_numeric"])])
def test_no_figure_of_a_reference_that_has_no_place_for_a_value(odd: str, figures: list[str]) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT i % 4 AS q, CAST(i % 5 AS DOUBLE) AS s FROM range(40) AS n(i)"
        )
        connection.execute(f"CREATE TABLE whole AS (FROM t) UNION ALL SELECT 1, CAST({odd} AS DOUBLE)")
        found = kanon_sql.check(
            connection, table="t", quasi_identifiers=["q"], sensitive=["s"], reference="whole"
        )
    assert not [name for name in figures if name in found.reached["s"]]


def test_the_entropy_that_a_uniform_class_reaches() -> None:
    for size in (2, 3, 5, 7, 10, 49):
        assert check([f"v{i}" for i in range(size)]).reached["s"]["entropy_l"] == size


# ---------------------------------------------------------------- many values, several columns


@pytest.mark.parametrize("plan", PLANS)
def test_five_thousand_values(tmp_path: Path, plan: str) -> None:
    """Each once in every class of two of four ages; age 4 holds half of them twice."""
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT a AS age, CASE WHEN a < 4 THEN i ELSE i // 2 END AS s"
        " FROM range(1, 5) AS a(a), range(5000) AS n(i)",
        qi={"age": {"lines": AGES, "header": False}},
        plan=plan,
        max_suppression=5000,
    )
    models: list[dict[str, Any]] = [
        {"entropy_l_diversity": 5000},
        {"distinct_l_diversity": 5000},
        {"t_closeness": {"t": 0.2, "distance": "equal"}},
        {"t_closeness": {"t": 0.1, "distance": "ordered"}},
        {"t_closeness": {"t": 0.1, "distance": "numeric"}},
        {"recursive_cl_diversity": {"c": 0.001, "l": 2500}},
        {"alpha_k": "0.0002"},
        {"basic_beta_likeness": 1},
        {"delta_disclosure": 1},
    ]
    result = here.run(sensitive={"s": models})
    assert (result.vector, result.suppressed) == ({"age": 0}, 5000)
    assert here.released("DISTINCT age") == [(1,), (2,), (3,)]
    found = kanon_sql.check(
        here.path, table="t", quasi_identifiers=["age"], sensitive={"s": [{"distinct_l_diversity": 2500}]}
    )
    reached = found.reached["s"]
    assert reached["distinct_l"] == 2500
    assert reached["entropy_l"] == pytest.approx(2500)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("person", [None, "who"])
def test_three_sensitive_columns_at_once(tmp_path: Path, plan: str, person: str | None) -> None:
    here = world(
        tmp_path,
        "CREATE TABLE t AS SELECT 1 + i % 4 AS age, i AS who, 'd' || i * i % 7 AS diagnosis, i * 31 % 11 AS pay,"
        " CASE WHEN i % 5 > 0 THEN DATE '2024-01-01' + CAST(i * 17 % 6 AS INTEGER) END AS seen FROM range(90) n(i)",
        qi={"age": {"lines": AGES, "header": False}},
        k=3,
        plan=plan,
        **({"person": person} if person else {}),
    )
    models = {
        "diagnosis": [{"distinct_l_diversity": 3}, {"alpha_k": 0.5}],
        "pay": [{"entropy_l_diversity": 8}, {"t_closeness": {"t": 0.2, "distance": "numeric"}}],
        "seen": [{"t_closeness": {"t": 0.3, "distance": "ordered"}}, {"nulls": "ignore"}],
    }
    if person:
        models["pay"].append({"count": "persons"})
    result = here.run(sensitive=models)
    rows = here.released("age, diagnosis, pay, seen")
    classes = defaultdict(list)
    for row in rows:
        classes[row[0]].append(row)
    for each in classes.values():
        diagnoses = Counter(row[1] for row in each)
        assert len(diagnoses) >= 3
        assert max(diagnoses.values()) <= len(each) / 2
        pays = Counter(row[2] for row in each)
        entropy = math.log(len(each)) - sum(n * math.log(n) for n in pays.values()) / len(each)
        assert entropy >= math.log(8) - 1e-9
        assert any(row[3] is not None for row in each)
    assert (result.released, len(rows)) == (90 - result.suppressed, 90 - result.suppressed)
    # One of the columns alone decides: with a bound that nothing reaches, nothing is released.
    models["seen"][0] = {"distinct_l_diversity": 99}
    with pytest.raises(NoSolutionError):
        here.run(sensitive=models, overwrite=True)


# ---------------------------------------------------------------- sources and outputs

PATIENTS = (
    "SELECT 1 + i % 4 AS age, CASE WHEN i % 4 = 3 THEN 'flu' ELSE 'd' || i % 5 END AS diagnosis, 'v' || i AS visit"
    " FROM range(40) AS n(i)"
)
DIVERSE = {"diagnosis": [{"entropy_l_diversity": 4}, {"t_closeness": {"t": 0.7, "distance": "equal"}}]}


@pytest.fixture
def here(tmp_path: Path) -> World:
    """Ages 1 to 4, of which 4 holds one diagnosis alone."""
    return world(
        tmp_path,
        f"CREATE TABLE t AS {PATIENTS}",
        qi={"age": {"lines": AGES, "header": False}},
        k=3,
        max_suppression=10,
        sensitive=DIVERSE,
        keep=["visit"],
    )


@pytest.mark.parametrize("plan", PLANS)
def test_a_view_holds_the_classes_that_satisfy_whatever_becomes_of_the_source(here: World, plan: str) -> None:
    result = here.run(**{"as": "view"}, plan=plan)
    assert (result.vector, result.suppressed) == ({"age": 0}, 10)
    assert result.to_arrow().num_rows == 30
    # Read where the file has its own name: DuckDB 1.5 keeps the name of the database in a view.
    with duckdb.connect(str(here.path)) as connection:

        def ages() -> list[int]:
            found = connection.execute("SELECT DISTINCT age FROM released ORDER BY 1").fetchall()
            return [age for (age,) in found]

        assert ages() == [1, 2, 3]
        # Age 3 has one diagnosis now, age 4 has all; a new value of age has no place.
        connection.execute("UPDATE t SET diagnosis = 'd1' WHERE age = 3")
        connection.execute(
            "UPDATE t SET diagnosis = 'd' || CAST(substr(visit, 2) AS INTEGER) // 4 % 5 WHERE age = 4"
        )
        connection.execute("INSERT INTO t VALUES (9, 'flu', 'new')")
        assert ages() == [1, 2, 4]
        words: dict[str, Any] = {"quasi_identifiers": ["age"], "k": 3, "sensitive": DIVERSE}
        assert kanon_sql.check(connection, table="released", reference="t", **words).satisfied
        # Three diagnoses are left: no class is as diverse as was asked.
        connection.execute("DELETE FROM t WHERE diagnosis IN ('d0', 'd1')")
        assert ages() == []


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("output", ["out.parquet", "out.csv", None])
def test_every_output(here: World, tmp_path: Path, output: str | None, plan: str) -> None:
    path = tmp_path / output if output else None
    result = here.run(plan=plan, output=str(path) if path else "released")
    found = result.to_arrow().to_pylist()
    assert len(found) == 30
    assert {row["age"] for row in found} == {1, 2, 3}
    if path is not None:
        assert path.exists()
        rows = sql(f"SELECT age, diagnosis, visit FROM '{path}'")
        assert sorted(rows) == sorted((row["age"], row["diagnosis"], row["visit"]) for row in found)
        assert tables(here.path) == ["t"]


@pytest.mark.parametrize("plan", PLANS)
def test_where_is_what_the_whole_is(here: World, plan: str) -> None:
    """Without the flu, ages 1 to 3 are the whole: each class is as it, and t is 0. Without where it is 1/4."""
    close = {"diagnosis": [{"t_closeness": {"t": 0.01, "distance": "equal"}}]}
    result = here.run(where="diagnosis <> 'flu'", max_suppression=0, sensitive=close, plan=plan)
    assert (result.rows, result.suppressed, result.vector) == (30, 0, {"age": 0})
    with pytest.raises(NoSolutionError):
        here.run(vector="age=0", max_suppression=10, sensitive=close, overwrite=True, plan=plan)
    for where, distance in (("diagnosis <> 'flu'", 0), ("TRUE", 3 / 4)):
        reached = kanon_sql.check(
            here.path, table="t", quasi_identifiers=["age"], sensitive=["diagnosis"], where=where
        ).reached
        assert reached["diagnosis"]["t_equal"] == pytest.approx(distance)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_as_source(here: World, tmp_path: Path, kind: str, plan: str) -> None:
    file = tmp_path / f"patients.{kind}"
    duckdb.sql(f"COPY ({PATIENTS}) TO '{file}'")
    words = {**here.words, "table": str(file), "output": str(tmp_path / "out.parquet"), "plan": plan}
    result = kanon_sql.anonymize(**words)
    assert (result.vector, result.suppressed) == ({"age": 0}, 10)
    held = kanon_sql.check(
        table=str(tmp_path / "out.parquet"), quasi_identifiers=["age"], k=3, sensitive=DIVERSE, reference=None
    )
    assert held.models[0].satisfied
    assert held.distribution == "the table itself"


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_left_in_a_connection(here: World, tmp_path: Path, plan: str, fails: bool) -> None:
    tree = tmp_path / "tree.csv"
    tree.write_text("".join(f"d{i};d;*\n" for i in range(5)) + "flu;f;*\n")
    models = [
        *DIVERSE["diagnosis"],
        {"t_closeness": {"t": 0.8, "distance": "hierarchical", "hierarchy": tree}},
        {"alpha_k": {"flu": 0.5}},
    ]
    population = {"k": 99 if fails else 2, "population": "people"}
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS {PATIENTS}")
        connection.execute("CREATE TABLE people AS FROM t")
        before = state(connection)
        words = {**here.words, "sensitive": {"diagnosis": models}, "plan": plan, "k_map": population}
        kanon_sql.check(
            connection,
            table="t",
            quasi_identifiers=["age"],
            sensitive={"diagnosis": models},
            reference="people",
        )
        assert state(connection) == before
        kanon_sql.compile(connection, **{**words, "vector": "age=0"})
        assert state(connection) == before
        if fails:
            with pytest.raises(NoSolutionError):
                kanon_sql.anonymize(connection, **words)
        else:
            assert kanon_sql.anonymize(connection, **words).suppressed == 10
            assert connection.execute("SELECT COUNT(*) FROM released").fetchall() == [(30,)]
            connection.execute("DROP TABLE released")
        assert state(connection) == before


def test_models_that_nothing_satisfies_are_refused_in_one_line(here: World, tmp_path: Path) -> None:
    flags: list[str | Path] = [
        "--db",
        here.path,
        "--table",
        "t",
        "--qi",
        "age",
        "--hierarchy",
        f"age={tmp_path / 'age.csv'}",
    ]
    flags += ["--output", "released", "--max-suppression", "100%", "--k", "3"]
    process = command("run", *flags, "--model", "diagnosis=distinct_l_diversity: 99", cwd=tmp_path)
    assert process.returncode == 2
    assert only_line(process)
    flags[flags.index("100%")] = "97%"
    process = command("run", *flags, "--model", "diagnosis=distinct_l_diversity: 99", cwd=tmp_path)
    assert process.returncode == 5
    assert only_line(process)
    assert query(here.path, "SELECT COUNT(*) FROM duckdb_tables()") == [(1,)]
