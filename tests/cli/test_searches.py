"""``run --search``, ``--policy``, ``--objective`` and ``--time-budget``: what they find, print and refuse."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from kanon_sql.search import budget
from kanon_sql.spec.words import OBJECTIVES
from tests.cli.warehouse import (
    HEIGHTS,
    QIS,
    ROWS,
    RUN,
    generalized,
    least,
    outliers,
    query,
    released,
    run,
    tables,
)

pytestmark = pytest.mark.usefixtures("folder")

K, MOST = 5, 20
ASKED = (*RUN, "--k", str(K), "--max-suppression", str(MOST))
Vector = tuple[int, ...]


def json_of(*args: str) -> dict[str, Any]:
    result = run(*ASKED, *args, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def vector_of(answer: dict[str, Any]) -> Vector:
    return tuple(answer["vector"][name] for name in QIS)


def satisfying() -> dict[Vector, int]:
    """Every vector that satisfies, with its suppressed rows, by brute force."""
    every = itertools.product(*(range(height + 1) for height in HEIGHTS))
    counted = {vector: outliers(vector, K) for vector in every}
    return {vector: rows for vector, rows in counted.items() if rows <= MOST}


def minimal() -> dict[Vector, int]:
    """Those that stand above no other."""
    found = satisfying()

    def is_above(v: Vector, u: Vector) -> bool:
        return v != u and all(a >= b for a, b in zip(v, u, strict=True))

    return {v: rows for v, rows in found.items() if not any(is_above(v, u) for u in found)}


def order(vector: Vector) -> tuple[object, ...]:
    """Height, relative distance in thirds, the vector: where ties end."""
    return sum(vector), vector[0] + vector[1] + 3 * vector[2], vector


def classes(vector: Vector) -> int:
    return sum(size >= K for size in Counter(generalized(vector)).values())


def lost(vector: Vector, rows: int) -> float:
    """1 − prec, by its formula."""
    shares = [level / height for level, height in zip(vector, HEIGHTS, strict=True)]
    return ((ROWS - rows) * sum(shares) / len(shares) + rows) / ROWS


# -- what is found ------------------------------------------------------------------------------------


def test_all_releases_the_preferred_vector_of_all_minimal_ones() -> None:
    found = minimal()
    assert len(found) > 2
    assert len({sum(vector) for vector in found}) > 1
    answer = json_of("--search", "all", "--output", "plain")
    assert vector_of(answer) == min(found, key=order) == least(K, MOST)
    assert answer["proven_minimal"] is True
    fewest = min(found, key=lambda v: (found[v], order(v)))
    answer = json_of("--search", "all", "--policy", "suppression", "--output", "fewest")
    assert vector_of(answer) == fewest
    assert (answer["suppressed"], answer["released"]) == (found[fewest], ROWS - found[fewest])
    assert answer["proven_minimal"] == (sum(fewest) == min(map(sum, found)))
    in_release = Counter(query("SELECT age, zip, sex FROM fewest"))
    assert in_release == released(fewest, K)
    most = min(found, key=lambda v: (-classes(v), order(v)))
    answer = json_of("--search", "all", "--policy", "distribution", "--dry-run")
    assert (vector_of(answer), answer["classes"]) == (most, classes(most))


def test_policies_one_after_another() -> None:
    found = minimal()
    expected = min(found, key=lambda v: (order(v)[1], found[v], order(v)))
    answer = json_of("--search", "all", "--policy", "relative_distance,suppression", "--dry-run")
    assert vector_of(answer) == expected
    lowest = {v: rows for v, rows in found.items() if sum(v) == min(map(sum, found))}
    expected = min(lowest, key=lambda v: (lowest[v], order(v)))
    answer = json_of("--policy", "suppression", "--dry-run")
    assert (vector_of(answer), answer["proven_minimal"]) == (expected, True)


@pytest.mark.parametrize(
    ("objective", "cost"),
    [
        ("prec", lost),
        ("completeness", lambda vector, rows: rows),
        ("accuracy", lambda vector, rows: order(vector)[1]),
        ("average_class_size", lambda vector, rows: (ROWS - rows) / classes(vector)),
    ],
)
def test_optimal_releases_the_best_vector(objective: str, cost: Any) -> None:
    found = satisfying()
    costs = {vector: cost(vector, rows) for vector, rows in found.items()}
    best = min(found, key=lambda v: (round(costs[v], 12), order(v)))
    answer = json_of("--search", "optimal", "--objective", objective)
    assert (vector_of(answer), answer["suppressed"]) == (best, found[best])
    assert answer["proven_minimal"] in (False, sum(best) == min(map(sum, found)))
    assert Counter(query("SELECT age, zip, sex FROM patients_k5")) == released(best, K)
    if objective == "prec":
        assert answer["measures"]["prec"] == pytest.approx(1 - costs[best])


def test_weights_and_levels_decide_too() -> None:
    plain = vector_of(json_of("--search", "optimal", "--objective", "accuracy", "--dry-run"))
    found = satisfying()
    for weights in ((50, 1, 1), (1, 50, 1), (1, 1, 50)):
        heavy = ",".join(f"{name}={weight}" for name, weight in zip(QIS, weights, strict=True))
        answer = json_of("--search", "optimal", "--objective", "accuracy", "--weight", heavy, "--dry-run")
        weighed = {
            v: sum(w * level * 3 // height for w, level, height in zip(weights, v, HEIGHTS, strict=True))
            for v in found
        }
        assert vector_of(answer) == min(found, key=lambda v: (weighed[v], order(v)))
    above = f"age={min(plain[0] + 1, 3)}"
    answer = json_of("--search", "all", "--min-level", above, "--dry-run")
    assert answer["vector"]["age"] >= min(plain[0] + 1, 3)
    assert answer["restricted"] == {"age": [min(plain[0] + 1, 3), 3]}


# -- JSON and the manifest ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [("--search", "all"), ("--policy", "suppression"), ("--search", "optimal", "--objective", "gcp")],
)
def test_the_json_of_every_search_has_the_keys_of_a_plain_run_and_every_measure(
    words: tuple[str, ...],
) -> None:
    plain, answer = json_of("--dry-run"), json_of(*words, "--dry-run")
    assert set(plain) <= set(answer)
    assert set(OBJECTIVES) <= set(answer["measures"])
    assert set(plain["measures"]) <= set(answer["measures"])
    assert all(isinstance(value, int | float) for value in answer["measures"].values())
    assert answer["vectors_evaluated"] >= 1
    assert set(answer["search"]) >= {"method", "why"}


def test_every_objective_is_one_that_can_be_asked() -> None:
    for objective in OBJECTIVES:
        answer = json_of("--search", "optimal", "--objective", objective, "--dry-run")
        assert vector_of(answer) in satisfying()


def test_the_spec_file_says_the_same(folder: Any) -> None:
    (folder / "kanon.yml").write_text(
        "db: warehouse.duckdb\ntable: patients\nk: 5\nmax_suppression: 20\n"
        "search: all\npolicy: [relative_distance, suppression]\n"
    )
    result = run("run", "--dry-run", "--json")
    assert result.exit_code == 0, result.output
    flags = json_of("--search", "all", "--policy", "relative_distance,suppression", "--dry-run")
    assert json.loads(result.stdout)["vector"] == flags["vector"]


# -- the time -----------------------------------------------------------------------------------------

SEARCHES = [
    (),
    ("--search", "all"),
    ("--policy", "suppression"),
    ("--search", "optimal", "--objective", "gcp"),
]


def clock(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """So many seconds between one look at the clock and the next."""
    ticks = itertools.count()
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: step * next(ticks)))


@pytest.mark.parametrize("words", SEARCHES, ids=str)
def test_time_that_is_up_before_anything_is_found(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock(monkeypatch, 60)
    before = tables()
    result = run(*ASKED, *words, "--time-budget", "60s")
    assert result.exit_code == 5, result.output
    assert "the time was up before any vector was found" in result.stderr
    assert "--time-budget" in result.stderr
    assert result.stderr.count("error:") == 1
    assert tables() == before


@pytest.mark.parametrize("words", SEARCHES, ids=str)
def test_time_that_is_up_afterwards_gives_what_was_found(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question was answered, that for the corners of the lattice: what satisfies of them is given."""
    clock(monkeypatch, 30)
    answer = json_of(*words, "--time-budget", "1m")
    found = satisfying()
    assert vector_of(answer) in found
    assert answer["suppressed"] == found[vector_of(answer)]
    assert not answer["proven_minimal"] or sum(vector_of(answer)) == min(map(sum, found))
    assert answer["proven_minimal"] is False
    assert Counter(query("SELECT age, zip, sex FROM patients_k5")) == released(vector_of(answer), K)


@pytest.mark.parametrize("words", SEARCHES, ids=str)
def test_time_enough_changes_nothing(words: tuple[str, ...]) -> None:
    plain, timed = json_of(*words, "--dry-run"), json_of(*words, "--time-budget", "10m", "--dry-run")
    for answer in (plain, timed):
        answer.pop("seconds")
    assert timed == plain


# -- refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--search", "all", "--plan", "direct"), 2, "plan: direct"),
        (("--policy", "suppression", "--plan", "direct"), 2, "plan: direct"),
        (("--search", "optimal", "--objective", "gcp", "--plan", "direct"), 2, "plan: direct"),
        (("--search", "optimal"), 2, "needs an objective"),
        (("--objective", "gcp"), 2, "objective is for search: optimal"),
        (("--search", "optimal", "--objective", "gcp", "--policy", "suppression"), 2, "policy is not for"),
        (("--time-budget", "60"), 2, "malformed time_budget"),
    ],
    ids=str,
)
def test_refused(words: tuple[str, ...], code: int, message: str) -> None:
    before = tables()
    result = run(*ASKED, *words)
    assert result.exit_code == code, result.output
    assert message in result.stderr
    assert result.stdout == ""
    assert tables() == before


@pytest.mark.parametrize(
    "words", [("--search", "all"), ("--search", "optimal", "--objective", "prec")], ids=str
)
def test_nothing_satisfies(words: tuple[str, ...]) -> None:
    result = run(*RUN, "--k", "300", "--max-level", "age=2", "--overwrite", *words)
    assert result.exit_code == 5, result.output
    assert "nothing satisfies" in result.stderr
