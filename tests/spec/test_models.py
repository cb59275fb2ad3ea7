"""Privacy models in a spec: what each way of writing them means."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.privacy import SensitiveModel, model_words
from kanon_sql.privacy.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK, BetaLikeness, DeltaDisclosure, EnhancedBetaLikeness
from kanon_sql.privacy.t_closeness import (
    EqualTCloseness,
    HierarchicalTCloseness,
    NumericTCloseness,
    OrderedTCloseness,
)
from kanon_sql.spec import HierarchyFile, KMapSpec, SensitiveSpec, Spec, TableName, resolve_spec

Resolve = Callable[..., Spec]
FIFTH = Fraction(1, 5)


@pytest.fixture
def resolve(folder: Path) -> Resolve:
    """Resolve a text (written to kanon.yml) with what is given."""

    def run(text: str | None = None, **given: object) -> Spec:
        if text is not None:
            (folder / "kanon.yml").write_text(text, encoding="utf-8")
        file = None if text is None else Path("kanon.yml")
        return resolve_spec(file=file, given=given, base=folder)

    return run


# What is written, as YAML and as Python, and the model that it is.
WRITTEN: list[tuple[str, dict[str, object], SensitiveModel]] = [
    ("distinct_l_diversity: 3", {"distinct_l_diversity": 3}, DistinctLDiversity(3)),
    ("distinct_l_diversity: {l: 3}", {"distinct_l_diversity": {"l": "3"}}, DistinctLDiversity(3)),
    ("entropy_l_diversity: 2.5", {"entropy_l_diversity": 2.5}, EntropyLDiversity(Fraction(5, 2))),
    ("entropy_l_diversity: '1'", {"entropy_l_diversity": 1}, EntropyLDiversity(Fraction(1))),
    (
        "entropy_l_diversity: 1.1",
        {"entropy_l_diversity": Decimal("1.1")},
        EntropyLDiversity(Fraction(11, 10)),
    ),
    (
        "recursive_cl_diversity: {c: 0.5, l: 3}",
        {"recursive_cl_diversity": {"l": 3, "c": Fraction(1, 2)}},
        RecursiveCLDiversity(Fraction(1, 2), 3),
    ),
    (
        "t_closeness: {t: 0.2, distance: equal}",
        {"t_closeness": {"t": 0.2, "distance": "equal"}},
        EqualTCloseness(FIFTH),
    ),
    (
        "t_closeness: {t: 0, distance: numeric}",
        {"t_closeness": {"t": 0, "distance": "numeric"}},
        NumericTCloseness(Fraction(0)),
    ),
    (
        "t_closeness: {t: 1, distance: ordered}",
        {"t_closeness": {"t": 1.0, "distance": "ordered"}},
        OrderedTCloseness(Fraction(1)),
    ),
    (
        "t_closeness: {t: .2, distance: ordered, order: [low, 'null', 1, true, ''], null_rank: last}",
        {
            "t_closeness": {
                "t": "0.20",
                "distance": "ordered",
                "order": ("low", "null", 1, True, ""),
                "null_rank": "last",
            }
        },
        OrderedTCloseness(FIFTH, ("low", "null", "1", "true", ""), "last"),
    ),
    ("alpha_k: 0.5", {"alpha_k": 0.5}, AlphaK(Fraction(1, 2))),
    ("alpha_k: {alpha: 1}", {"alpha_k": {"alpha": 1}}, AlphaK(Fraction(1))),
    (
        "alpha_k: {flu: 0.5, 2024-01-05: 0}",
        {"alpha_k": {"flu": Fraction(1, 2), datetime.date(2024, 1, 5): 0}},
        AlphaK(None, (("flu", Fraction(1, 2)), ("2024-01-05", Fraction(0)))),
    ),
    (
        "alpha_k: {shares: {alpha: 0.5}}",
        {"alpha_k": {"shares": {"alpha": 0.5}}},
        AlphaK(None, (("alpha", Fraction(1, 2)),)),
    ),
    ("basic_beta_likeness: 0", {"basic_beta_likeness": 0}, BetaLikeness(Fraction(0))),
    ("enhanced_beta_likeness: 1.", {"enhanced_beta_likeness": 1.0}, EnhancedBetaLikeness(Fraction(1))),
    (
        "delta_disclosure: 0.000000000000000001",
        {"delta_disclosure": 1e-18},
        DeltaDisclosure(Fraction(1, 10**18)),
    ),
]


@pytest.mark.parametrize(("text", "python", "model"), WRITTEN, ids=str)
def test_a_model_in_every_notation(
    resolve: Resolve, text: str, python: dict[str, object], model: SensitiveModel
) -> None:
    expected = (SensitiveSpec("d", (model,)),)
    assert resolve(f"sensitive:\n  d:\n    - {text}\n").models == expected
    assert resolve(f"sensitive:\n  d:\n    {text}\n").models == expected
    assert resolve(f"sensitive: {{d: [{{{text}}}]}}").models == expected
    assert resolve(models=[f"d={text}"]).models == expected
    assert resolve(models={"d": [python]}).models == expected
    assert resolve(sensitive={"d": python}).models == expected
    assert resolve(models=[f"d={text}"]).sensitive == ("d",)


def test_every_model_is_written_here() -> None:
    assert {model.word for _, _, model in WRITTEN} == set(model_words())


@pytest.mark.parametrize("model", [model for _, _, model in WRITTEN], ids=str)
def test_the_manifest_means_the_same(resolve: Resolve, model: SensitiveModel) -> None:
    spec = SensitiveSpec("d", (model,), "ignore", "persons")
    written = spec.as_manifest()
    assert json.loads(json.dumps(written)) == written
    assert resolve(sensitive={"d": written}, person="p").models == (spec,)


def test_several_models_of_several_columns(resolve: Resolve) -> None:
    text = (
        "person: p\nsensitive:\n  a:\n    - distinct_l_diversity: 3\n    - entropy_l_diversity: 2\n"
        "    - nulls: ignore\n    - count: persons\n  b:\n    - t_closeness: {t: 0.2, distance: equal}\n"
        "    - t_closeness: {t: 0.2, distance: ordered}\n  c: []\n  d:\n"
    )
    spec = resolve(text)
    assert spec.sensitive == ("a", "b", "c", "d")
    assert spec.models == (
        SensitiveSpec("a", (DistinctLDiversity(3), EntropyLDiversity(Fraction(2))), "ignore", "persons"),
        SensitiveSpec("b", (EqualTCloseness(FIFTH), OrderedTCloseness(FIFTH))),
    )
    assert spec.as_manifest()["sensitive"] == {
        "a": [
            {"distinct_l_diversity": 3},
            {"entropy_l_diversity": 2},
            {"nulls": "ignore"},
            {"count": "persons"},
        ],
        "b": [
            {"t_closeness": {"t": 0.2, "distance": "equal"}},
            {"t_closeness": {"t": 0.2, "distance": "ordered"}},
        ],
        "c": [],
        "d": [],
    }
    again = resolve(**{word: value for word, value in spec.as_manifest().items() if word != "search"})
    assert (again.sensitive, again.models) == (spec.sensitive, spec.models)


def test_given_models_take_the_place_of_the_files(resolve: Resolve) -> None:
    text = "sensitive:\n  a:\n    - distinct_l_diversity: 3\n    - nulls: ignore\n  b: [distinct_l_diversity: 4]\n"
    spec = resolve(text, models=["A=entropy_l_diversity: 2", "c=alpha_k: 0.5", "a=basic_beta_likeness: 1"])
    assert spec.sensitive == ("a", "b", "c")
    assert spec.models == (
        # Under the name that the file writes, so that nothing takes it for another column.
        SensitiveSpec("a", (EntropyLDiversity(Fraction(2)), BetaLikeness(Fraction(1)))),
        SensitiveSpec("b", (DistinctLDiversity(4),)),
        SensitiveSpec("c", (AlphaK(Fraction(1, 2)),)),
    )
    assert list(spec.as_manifest()["sensitive"]) == ["a", "b", "c"]  # type: ignore[call-overload]
    assert resolve(text, models={"a": []}).models == (SensitiveSpec("b", (DistinctLDiversity(4),)),)
    assert resolve(text, models=[]).models == resolve(text).models
    assert resolve(text, sensitive=["a"]).models == ()


def test_a_flag_for_a_column_that_looks_like_a_flag(resolve: Resolve) -> None:
    spec = resolve(models=['"a=b, c"=distinct_l_diversity: 2'])
    assert spec.models == (SensitiveSpec("a=b, c", (DistinctLDiversity(2),)),)


@pytest.mark.parametrize("face", ["flag", "python"])
def test_words_beside_a_model_may_come_as_flags_of_their_own(folder: Path, face: Any) -> None:
    models = ["d=nulls: ignore", "d=count: persons", "d=distinct_l_diversity: 2"]
    spec = resolve_spec(given={"models": models, "person": "p"}, face=face, base=folder)
    assert spec.models == (SensitiveSpec("d", (DistinctLDiversity(2),), "ignore", "persons"),)


@pytest.mark.parametrize(
    ("written", "named", "file"),
    [
        ("h/age.csv", "{folder}/h/age.csv", HierarchyFile(Path("{folder}/h/age.csv"))),
        ("table:icd.tree", "table:icd.tree", HierarchyFile(None, TableName(("icd", "tree")))),
        ("builtin:zip", "builtin:zip", HierarchyFile(Path("{folder}/h/zip.csv"), None, "zip")),
    ],
)
def test_a_hierarchy_over_the_values(folder: Path, written: str, named: str, file: HierarchyFile) -> None:
    named = named.replace("{folder}", str(folder))
    if file.path is not None:
        file = HierarchyFile(Path(str(file.path).replace("{folder}", str(folder))), None, file.builtin)
    model = {"t_closeness": {"t": 0.2, "distance": "hierarchical", "hierarchy": written}}
    given = {"sensitive": {"d": [model]}}
    spec = resolve_spec(given=given, base=folder, builtins=folder / "h")
    assert spec.models == (
        SensitiveSpec("d", (HierarchicalTCloseness(FIFTH, named),), hierarchies={named: file}),
    )
    again = resolve_spec(
        given={"sensitive": spec.as_manifest()["sensitive"]}, base=folder, builtins=folder / "h"
    )
    assert again.models == spec.models


def test_a_hierarchy_of_the_file_starts_at_its_folder(folder: Path, tmp_path: Path) -> None:
    (folder / "kanon.yml").write_text(
        "sensitive: {d: [t_closeness: {t: 0.2, distance: hierarchical, hierarchy: h/age.csv}]}"
    )
    (folder / "work").mkdir()
    spec = resolve_spec(file=Path("../kanon.yml"), base=folder / "work")
    [(_, file)] = spec.models[0].hierarchies.items()
    assert file.path is not None and file.path.resolve() == (folder / "h" / "age.csv").resolve()


@pytest.mark.parametrize(
    "written",
    [
        {"k": 5, "population": "clinic.voters"},
        {"population": TableName(("clinic", "voters")), "k": "5"},
        "k=5,population=clinic.voters",
        "population=clinic.voters, k=5",
        ["k=5", "population=clinic.voters"],
    ],
)
def test_k_map(resolve: Resolve, written: object) -> None:
    spec = resolve(k_map=written)
    assert spec.k_map == KMapSpec(5, TableName(("clinic", "voters")))
    assert spec.as_manifest()["k_map"] == {"k": 5, "population": "clinic.voters"}
    assert resolve(k_map=spec.as_manifest()["k_map"]).k_map == spec.k_map


def test_k_map_of_the_file_and_of_a_flag(resolve: Resolve) -> None:
    text = "k: 3\nk_map: {k: 5, population: voters}\n"
    assert resolve(text).k_map == KMapSpec(5, TableName(("voters",)))
    assert resolve(text, k_map="k=7,population=all").k_map == KMapSpec(7, TableName(("all",)))
    assert resolve().k_map is None
