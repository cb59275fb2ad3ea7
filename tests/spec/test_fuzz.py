"""Whatever is written, a spec comes out or a KanonError of one line; nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kanon_sql.errors import KanonError
from kanon_sql.privacy import model_words
from kanon_sql.spec import K_MAP_WORDS, QI_WORDS, TOP_WORDS, Spec, model_column_words, resolve_spec
from tests.spec.test_resolve import FULL

_FUZZ = settings(
    max_examples=30_000 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# What may stand under a model: parameters, and the values of those that are choices.
_PARAMETERS = sorted(
    {
        each
        for word in model_words().values()
        for parameter in word.parameters
        for each in (parameter.name, *parameter.choices)
    }
)
_YAML_SIGNS = st.sampled_from(
    [
        *"\n\n  \t:-?[]{},&*#!|>'\"%@`~<=\\$.0123456789abk\0\ufeff\x85\u2028é",
        *(
            ": ",
            "- ",
            "\n  ",
            "\n- ",
            "---\n",
            "...\n",
            "<<: ",
            "!!",
            "&a ",
            "*a",
            "\\u",
            "\\U",
            "\\x",
            "%YAML ",
        ),
        *TOP_WORDS,
        *QI_WORDS,
        *model_column_words(),
        *_PARAMETERS,
        "sensitive: {d: [",
    ]
)
_YAML = st.lists(_YAML_SIGNS, max_size=40).map("".join)
_PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=3),
    st.builds(Path, st.text(max_size=8)),
    st.decimals(),
    st.fractions(),
    st.dates(),
    st.sampled_from(["age", "a=1", "a,b", "h/age.csv", "builtin:x", "1%", "../x", "x" * 300, "0.2", "2"]),
    st.sampled_from([*_PARAMETERS, "d=distinct_l_diversity: 2", "d=t_closeness: {t: 0.2, distance: equal}"]),
)
_NESTED = st.recursive(
    _PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner),
        st.dictionaries(
            st.one_of(
                st.text(max_size=5),
                st.integers(),
                st.sampled_from([*QI_WORDS, *K_MAP_WORDS, *model_column_words(), *_PARAMETERS]),
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)


@st.composite
def _models(draw: st.DrawFn) -> dict[str, object]:
    """One word under a sensitive column, most often a model with parameters of its own, right or not."""
    word = draw(st.sampled_from([*model_column_words()]))
    declared = model_words().get(word)
    if declared is None or draw(st.integers(0, 3)) == 0:
        return {word: draw(st.one_of(_PLAIN, st.sampled_from(["ignore", "value", "rows", "persons"])))}
    likely: dict[str, st.SearchStrategy[Any]] = {
        "whole": st.integers(0, 9),
        "number": st.one_of(st.floats(0, 2), st.fractions(0, 2), st.sampled_from(["0.5", "1"])),
        "texts": st.lists(st.one_of(st.text(max_size=3), st.integers(), st.dates()), max_size=3),
        "shares": st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), st.floats(0, 1), max_size=3),
        "hierarchy": st.sampled_from(["h/age.csv", "table:t", "builtin:x", "h"]),
    }
    given_parameters = {
        each.name: draw(
            st.one_of(st.sampled_from(each.choices) if each.choices else likely[each.kind], _NESTED)
            if draw(st.integers(0, 5)) == 0
            else st.sampled_from(each.choices)
            if each.choices
            else likely[each.kind]
        )
        for each in declared.parameters
        if each.required or draw(st.booleans())
    }
    return {word: given_parameters}


def _as_flag(column: str, model: Mapping[str, object]) -> str:
    """A model as a flag has it, as far as JSON, which is YAML too, can write it."""
    return f"{column}=" + json.dumps(model, default=str, ensure_ascii=False)


def outcome(
    folder: Path, data: bytes | None, given_words: Mapping[str, object], face: Any = "flag"
) -> Spec | None:
    file = None
    if data is not None:
        file = folder / "kanon.yml"
        file.write_bytes(data)
    try:
        spec = resolve_spec(file=file, given=given_words, face=face, base=folder)
    except KanonError as error:
        assert str(error).isprintable(), str(error)
        assert error.exit_code in (2, 3)
        assert error.where
        return None
    assert spec.as_manifest()["k"] == spec.k
    return spec


def test_the_unmutated_file_is_fine(folder: Path) -> None:
    assert outcome(folder, FULL.encode(), {}) is not None


@_FUZZ
@given(text=st.one_of(_YAML, st.text(max_size=60)))
def test_random_text(folder: Path, text: str) -> None:
    outcome(folder, text.encode("utf-8", "surrogatepass"), {})


@_FUZZ
@given(data=st.binary(max_size=40))
def test_random_bytes(folder: Path, data: bytes) -> None:
    outcome(folder, data, {})


@_FUZZ
@given(
    edits=st.lists(
        st.tuples(st.integers(0, len(FULL)), st.integers(0, 12), st.one_of(_YAML_SIGNS, st.text(max_size=3))),
        min_size=1,
        max_size=4,
    )
)
def test_random_mutations_of_a_valid_file(folder: Path, edits: list[tuple[int, int, str]]) -> None:
    text = FULL
    for at, length, new in edits:
        text = text[:at] + new + text[at + length :]
    outcome(folder, text.encode("utf-8", "surrogatepass"), {})


@_FUZZ
@given(
    lines=st.permutations(FULL.splitlines()).flatmap(
        lambda lines: st.integers(0, len(lines)).map(lambda count: lines[:count])
    )
)
def test_random_lines_of_a_valid_file(folder: Path, lines: list[str]) -> None:
    outcome(folder, "\n".join(lines).encode(), {})


@_FUZZ
@given(
    given_words=st.dictionaries(
        st.one_of(st.sampled_from([*TOP_WORDS]), st.text(max_size=5)), _NESTED, max_size=3
    ),
    with_file=st.booleans(),
    face=st.sampled_from(["flag", "python"]),
)
def test_random_keyword_arguments(
    folder: Path, given_words: dict[str, object], with_file: bool, face: str
) -> None:
    outcome(folder, FULL.encode() if with_file else None, given_words, face)


@_FUZZ
@given(
    models=st.dictionaries(
        st.sampled_from(["d", "D", "e", "age"]), st.lists(_models(), max_size=3), max_size=3
    ),
    k_map=st.one_of(st.none(), _NESTED, st.fixed_dictionaries({"k": _PLAIN, "population": _PLAIN})),
    with_file=st.booleans(),
    face=st.sampled_from(["flag", "python"]),
)
def test_random_models(
    folder: Path, models: dict[str, list[dict[str, object]]], k_map: object, with_file: bool, face: str
) -> None:
    file = FULL.encode() if with_file else None
    written: object = models
    if face == "flag":
        written = [_as_flag(column, each) for column, several in models.items() for each in several]
    spec = outcome(folder, file, {"models": written, "k_map": k_map}, face)
    if spec is None:
        return
    said = spec.as_manifest()
    assert json.loads(json.dumps(said)) == said
    asked = {each.column for each in spec.models}
    assert asked <= set(spec.sensitive)
    for each in spec.models:
        assert each.models
        for model in each.models:
            assert model.describe().startswith(model.word)
