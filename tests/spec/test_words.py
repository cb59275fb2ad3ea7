"""The table of words is complete, and importing the room costs nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields

import pytest

from kanon_sql.errors import SpecError
from kanon_sql.spec import (
    K_MAP_WORDS,
    QI_WORDS,
    SENSITIVE_WORDS,
    TOP_WORDS,
    QuasiIdentifierSpec,
    Spec,
    Word,
    model_column_words,
)
from kanon_sql.spec.words import require_choice, require_word


@pytest.mark.parametrize("words", [TOP_WORDS, QI_WORDS, K_MAP_WORDS, model_column_words()])
def test_every_word_is_described_in_one_line(words: Mapping[str, Word]) -> None:
    for name, word in words.items():
        assert word.name == name
        assert word.about and word.about.isprintable() and not word.about.endswith(".")
        assert word.kind
        assert (word.kind == "choice") == bool(word.choices)


def _word(field: str) -> str:
    # `as` is a keyword of Python.
    return "as" if field == "output_as" else field


def test_every_word_reaches_the_spec() -> None:
    derived = {"table_file", "output_file", "hierarchy_folder", "source_file", "asked_of_found"}
    faces = {"keep", "hierarchies", "min_level", "max_level", "level", "weight"}
    assert set(TOP_WORDS) - faces == {_word(field.name) for field in fields(Spec)} - derived
    assert set(QI_WORDS) == {field.name for field in fields(QuasiIdentifierSpec)} - {
        "column",
        "builtin",
        "found",
        "hierarchy_table",
    }


def test_the_words_of_section_9_are_known() -> None:
    top = "table where k k_map max_suppression person quasi_identifiers sensitive insensitive identifiers"
    assert set(f"{top} search objective policy output".split()) <= set(TOP_WORDS)
    assert {"hierarchy", "unmapped", "min_level", "max_level", "weight"} <= set(QI_WORDS)
    models = (
        "distinct_l_diversity entropy_l_diversity recursive_cl_diversity t_closeness alpha_k "
        "basic_beta_likeness enhanced_beta_likeness delta_disclosure"
    )
    assert set(models.split()) | {"nulls", "count"} <= set(model_column_words())
    assert set(SENSITIVE_WORDS) == {"nulls", "count"}
    assert set(K_MAP_WORDS) == {"k", "population"}


def test_flags() -> None:
    assert TOP_WORDS["max_suppression"].flag == "--max-suppression"
    assert TOP_WORDS["keep"].flag == "--keep"
    assert TOP_WORDS["models"].flag == "--model"
    assert TOP_WORDS["k_map"].flag == "--k-map"


def test_words_for_flags_alone() -> None:
    assert require_word("keep", TOP_WORDS, "--keep", in_file=False).name == "keep"
    with pytest.raises(
        SpecError, match=r"^kanon.yml:1: keep is no word of a file; in a file the word is ins"
    ):
        require_word("keep", TOP_WORDS, "kanon.yml:1")


def test_choices() -> None:
    search = TOP_WORDS["search"]
    assert require_choice("minimal", search, "x") == "minimal"
    with pytest.raises(
        SpecError,
        match=r"^x: unknown search 'minimum'; did you mean 'minimal'\? valid: minimal, all, optimal$",
    ):
        require_choice("minimum", search, "x")


def test_importing_the_room_does_not_import_yaml() -> None:
    code = "import sys, kanon_sql.spec; sys.exit('yaml' in sys.modules or 'duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
