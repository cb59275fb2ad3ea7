"""What the words that choose a vector come to: levels, weights, search, objective, policy, limits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.spec import QuasiIdentifierSpec, Spec, SuppressionPer, resolve_spec


def resolved(folder: Path, text: str | None, face: Any = "python", **given: object) -> Spec:
    if text is not None:
        (folder / "kanon.yml").write_text(text, encoding="utf-8")
    return resolve_spec(
        file=Path("kanon.yml") if text is not None else None, given=given, face=face, base=folder
    )


def levels(spec: Spec) -> dict[str, tuple[int | None, int | None, int | None, Fraction]]:
    every = (*spec.quasi_identifiers, *spec.asked_of_found)
    return {each.column: (each.min_level, each.max_level, each.level, each.weight) for each in every}


FILE = """\
quasi_identifiers:
  age: {min_level: 1, max_level: 3, weight: 0.5}
  zip: {level: 2}
  sex:
"""


def test_levels_of_a_file(folder: Path) -> None:
    spec = resolved(folder, FILE)
    assert levels(spec) == {
        "age": (1, 3, None, Fraction(1, 2)),
        "zip": (None, None, 2, 1),
        "sex": (None, None, None, 1),
    }
    assert [each.levels_of(4) for each in spec.quasi_identifiers] == [(1, 3), (2, 2), (0, 4)]
    assert [each.as_manifest() for each in spec.quasi_identifiers] == [
        {"unmapped": "error", "min_level": 1, "max_level": 3, "weight": 0.5},
        {"unmapped": "error", "level": 2},
        {"unmapped": "error"},
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # A word beats the file's own, and a level what it takes the place of; the rest of the file stays.
        ({"min_level": {"AGE": 2}}, {"age": (2, 3, None, Fraction(1, 2))}),
        ({"level": "age=0"}, {"age": (None, None, 0, Fraction(1, 2))}),
        ({"max_level": ["zip=3"]}, {"zip": (None, 3, None, 1)}),
        ({"min_level": "age=0,zip=1"}, {"age": (0, 3, None, Fraction(1, 2)), "zip": (1, None, None, 1)}),
        (
            {"weight": {"age": 2, "sex": 1.5}},
            {"age": (1, 3, None, 2), "sex": (None, None, None, Fraction(3, 2))},
        ),
        (
            {"weight": ["age=2", "sex=1.5,zip=0.25"]},
            {"age": (1, 3, None, 2), "zip": (None, None, 2, Fraction(1, 4))},
        ),
        ({"quasi_identifiers": {"age": {"level": 0}}}, {"age": (None, None, 0, Fraction(1, 2))}),
        ({"quasi_identifiers": {"age": {"max_level": 2}}, "weight": {"age": 3}}, {"age": (1, 2, None, 3)}),
    ],
)
@pytest.mark.parametrize("face", ["flag", "python"])
def test_levels_beside_a_file(
    folder: Path, face: str, given: dict[str, object], expected: dict[str, object]
) -> None:
    found = levels(resolved(folder, FILE, face, **given))
    assert {name: found[name] for name in expected} == expected


def test_another_hierarchy_leaves_the_levels(folder: Path) -> None:
    assert levels(resolved(folder, FILE, hierarchies={"age": "h/age.csv"}))["age"] == (
        1,
        3,
        None,
        Fraction(1, 2),
    )


def test_levels_of_columns_that_are_to_be_found(folder: Path) -> None:
    spec = resolved(folder, None, min_level={"age": 1}, weight={"age": 2, "zip": 3})
    assert spec.quasi_identifiers == ()
    assert levels(spec) == {"age": (1, None, None, 2), "zip": (None, None, None, 3)}
    found = QuasiIdentifierSpec("Age", Path("age.csv"), found=True)
    assert found.with_levels_of(spec.asked_of_found[0]) == QuasiIdentifierSpec(
        "Age", Path("age.csv"), found=True, min_level=1, weight=Fraction(2)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("search: all", ("all", None, ())),
        ("search: optimal\nobjective: non_uniform_entropy", ("optimal", "non_uniform_entropy", ())),
        ("policy: suppression", ("minimal", None, ("suppression",))),
        ("policy: distribution, suppression", ("minimal", None, ("distribution", "suppression"))),
        (
            "search: all\npolicy: [suppression, absolute_distance, relative_distance]",
            ("all", None, ("suppression", "absolute_distance", "relative_distance")),
        ),
    ],
)
def test_the_search(folder: Path, text: str, expected: tuple[object, ...]) -> None:
    spec = resolved(folder, text)
    assert (spec.search, spec.objective, spec.policy) == expected
    said = spec.as_manifest()
    assert (said["search"], said.get("objective"), tuple(said.get("policy", ()))) == expected  # type: ignore[arg-type]


def test_a_search_that_is_given_drops_what_belongs_to_the_files(folder: Path) -> None:
    spec = resolved(folder, "search: optimal\nobjective: gcp", search="all", policy="suppression")
    assert (spec.search, spec.objective, spec.policy) == ("all", None, ("suppression",))
    spec = resolved(folder, "search: all\npolicy: suppression", search="optimal", objective="prec")
    assert (spec.search, spec.objective, spec.policy) == ("optimal", "prec", ())
    spec = resolved(folder, "search: optimal\nobjective: gcp", objective="prec")
    assert (spec.search, spec.objective) == ("optimal", "prec")


@pytest.mark.parametrize(
    ("written", "seconds", "said"),
    [("60s", 60, "60s"), ("1.5 m", 90, "90s"), ("2h", 7200, "7200s"), ("0.25s", Fraction(1, 4), "0.25s")],
)
def test_a_time(folder: Path, written: str, seconds: Fraction, said: str) -> None:
    spec = resolved(folder, f"time_budget: {written}")
    assert (spec.time_budget, spec.as_manifest()["time_budget"]) == (seconds, said)
    assert resolved(folder, None, time_budget=said).time_budget == seconds


@pytest.mark.parametrize(
    "text",
    [
        "max_suppression_per: {column: region, share: 5%}",
        "max_suppression_per: 'column=region,share=5%'",
        "max_suppression_per:\n - column=region,share=5 %",
    ],
)
def test_a_share_per_value(folder: Path, text: str) -> None:
    spec = resolved(folder, text)
    assert spec.max_suppression_per == (SuppressionPer("region", Fraction(1, 20)),)
    said = spec.as_manifest()["max_suppression_per"]
    assert said == [{"column": "region", "share": "5%"}]
    assert resolved(folder, None, max_suppression_per=said).max_suppression_per == spec.max_suppression_per
    both = resolved(folder, None, "flag", max_suppression_per=["column=a,share=5%", "share=0.1%,column=b"])
    assert both.max_suppression_per == (
        SuppressionPer("a", Fraction(1, 20)),
        SuppressionPer("b", Fraction(1, 1000)),
    )


def test_drop_at_top(folder: Path) -> None:
    assert resolved(folder, "drop_at_top: true").as_manifest()["drop_at_top"] is True
    spec = resolved(folder, "drop_at_top: true", drop_at_top=False)
    assert (spec.drop_at_top, "drop_at_top" in spec.as_manifest()) == (False, False)
