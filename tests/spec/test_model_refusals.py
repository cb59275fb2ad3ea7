"""Every refusal of privacy models and k_map: its one line and its exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.spec.refusing import refusal

_MODELS = (
    "distinct_l_diversity, entropy_l_diversity, recursive_cl_diversity, t_closeness, alpha_k, "
    "basic_beta_likeness, enhanced_beta_likeness, delta_disclosure, nulls, count"
)
_WHOLE = "give a whole number, 1 or more"
_DISTANCES = "valid: equal, ordered, numeric, hierarchical"
_K_MAP = "write it as in k_map: {k: 5, population: voters}, or as a flag: k=5,population=voters"
_FLAG = "write it as in 'diagnosis=distinct_l_diversity: 3'"
_GIVE = "give one or leave the word out"

# Per word and number: how an error calls it, and what is allowed.
NUMBERS = {
    "distinct_l_diversity: {}": ("l of distinct_l_diversity", _WHOLE),
    "recursive_cl_diversity: {{c: 1, l: {}}}": ("l of recursive_cl_diversity", _WHOLE),
    "recursive_cl_diversity: {{l: 2, c: {}}}": ("c of recursive_cl_diversity", "give a number, above 0"),
    "entropy_l_diversity: {}": ("l of entropy_l_diversity", "give a number, at least 1"),
    "t_closeness: {{distance: equal, t: {}}}": (
        "t of t_closeness",
        "give a number, at least 0 and at most 1",
    ),
    "alpha_k: {}": ("alpha of alpha_k", "give a number, above 0 and at most 1"),
    "alpha_k: {{flu: {}}}": ("share of 'flu' in alpha_k", "give a number, at least 0 and at most 1"),
    "basic_beta_likeness: {}": ("b of basic_beta_likeness", "give a number, at least 0"),
    "enhanced_beta_likeness: {}": ("b of enhanced_beta_likeness", "give a number, at least 0"),
    "delta_disclosure: {}": ("d of delta_disclosure", "give a number, above 0"),
}
NO_NUMBERS = ("-1", "nan", "1e3", ".inf", "true", "0x3", "1_000", "+1", "1/2", "two", "٥", ".", "9" * 19)


@pytest.mark.parametrize("written", NO_NUMBERS)
@pytest.mark.parametrize("word", NUMBERS)
def test_malformed_numbers(folder: Path, word: str, written: str) -> None:
    name, mend = NUMBERS[word]
    message = f"malformed {name} '{written}'; {mend}"
    text = f"sensitive:\n  d:\n  - {word.format(written)}"
    if written == "9" * 19 and mend == _WHOLE:  # the largest whole number is a BIGINT's
        text, message = text.replace(written, written * 2), message.replace(written, written * 2)
    assert refusal(folder, text) == (f"kanon.yml:3: {message}", 2)
    flag = "d=" + text.partition("- ")[2]
    assert refusal(folder, None, "flag", models=[flag]) == (f"--model: {message}", 2)


@pytest.mark.parametrize("word", NUMBERS)
def test_a_percentage_is_no_number(folder: Path, word: str) -> None:
    name, mend = NUMBERS[word]
    hint = ", such as 0.2 for 20%" if "at most 1" in mend else ""
    message = f"kanon.yml:1: malformed {name} '0.2%'; {mend}{hint}"
    written = word.format("'0.2%'")
    assert refusal(folder, f"sensitive: {{d: [{{{written}}}]}}") == (message, 2)


@pytest.mark.parametrize("word", [word for word in NUMBERS if "{{" in word])
@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("null", f" has no value; {_GIVE}"),
        ("", f" has no value; {_GIVE}"),
        ("[1]", " takes one value, not a list"),
        ("{x: 1}", " takes one value, not a mapping"),
    ],
)
def test_no_number_at_all(folder: Path, word: str, written: str, message: str) -> None:
    text = f"sensitive: {{d: [{{{word.format(written)}}}]}}"
    assert refusal(folder, text) == (f"kanon.yml:1: {NUMBERS[word][0]}{message}", 2)


@pytest.mark.parametrize("written", ["null", "", "[3]", "[]"])
@pytest.mark.parametrize("word", [word for word in NUMBERS if "{{" not in word])
def test_no_number_where_one_is_all(folder: Path, word: str, written: str) -> None:
    name = word.partition(":")[0]
    needs = "alpha or shares" if name == "alpha_k" else NUMBERS[word][0].partition(" ")[0]
    example = "0.5" if name == "alpha_k" else "2"
    message = f"kanon.yml:1: {name} needs {needs}; write it as in '{name}: {example}'"
    assert refusal(folder, f"sensitive: {{d: [{{{word.format(written)}}}]}}") == (message, 2)


@pytest.mark.parametrize(
    ("model", "name", "written", "mend"),
    [
        ("distinct_l_diversity: 0", "l of distinct_l_diversity", "0", _WHOLE),
        ("distinct_l_diversity: 2.5", "l of distinct_l_diversity", "2.5", _WHOLE),
        ("distinct_l_diversity: 3.0", "l of distinct_l_diversity", "3.0", _WHOLE),
        ("entropy_l_diversity: 0", "l of entropy_l_diversity", "0", "give a number, at least 1"),
        ("entropy_l_diversity: 0.99999", "l of entropy_l_diversity", "0.99999", "give a number, at least 1"),
        (
            "recursive_cl_diversity: {c: 0, l: 2}",
            "c of recursive_cl_diversity",
            "0",
            "give a number, above 0",
        ),
        ("recursive_cl_diversity: {c: 1, l: 0}", "l of recursive_cl_diversity", "0", _WHOLE),
        (
            "t_closeness: {t: 1.000001, distance: equal}",
            "t of t_closeness",
            "1.000001",
            "give a number, at least 0 and at most 1",
        ),
        ("alpha_k: 0", "alpha of alpha_k", "0", "give a number, above 0 and at most 1"),
        ("alpha_k: 1.1", "alpha of alpha_k", "1.1", "give a number, above 0 and at most 1"),
        ("alpha_k: {a: 1.1}", "share of 'a' in alpha_k", "1.1", "give a number, at least 0 and at most 1"),
        ("delta_disclosure: 0", "d of delta_disclosure", "0", "give a number, above 0"),
        ("delta_disclosure: 0.0", "d of delta_disclosure", "0.0", "give a number, above 0"),
    ],
)
def test_numbers_out_of_bounds(folder: Path, model: str, name: str, written: str, mend: str) -> None:
    message = f"kanon.yml:1: malformed {name} '{written}'; {mend}"
    assert refusal(folder, f"sensitive: {{d: [{model}]}}") == (message, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # words
        (
            "[l_diversity: 3]",
            f"unknown model 'l_diversity'; did you mean 'entropy_l_diversity'? valid: {_MODELS}",
        ),
        (
            "[distinct_l_divrsity: 3]",
            f"unknown model 'distinct_l_divrsity'; did you mean 'distinct_l_diversity'? valid: {_MODELS}",
        ),
        ("[T_closeness: 3]", f"unknown model 'T_closeness'; did you mean 't_closeness'? valid: {_MODELS}"),
        ("[xyzzy: 3]", f"unknown model 'xyzzy'; valid: {_MODELS}"),
        ("xyzzy", f"unknown model 'xyzzy'; valid: {_MODELS}"),
        ("''", f"unknown model ''; valid: {_MODELS}"),
        ("[3]", f"unknown model '3'; valid: {_MODELS}"),
        ("[k: 3]", f"unknown model 'k'; valid: {_MODELS}"),
        # twice
        (
            "[distinct_l_diversity: 3, distinct_l_diversity: 3]",
            "distinct_l_diversity of column 'd' is given twice; give it once",
        ),
        (
            "[entropy_l_diversity: 2.5, distinct_l_diversity: 3, entropy_l_diversity: 2.50]",
            "entropy_l_diversity of column 'd' is given twice; give it once",
        ),
        (
            "{distinct_l_diversity: 3, distinct_l_diversity: 4}",
            "'distinct_l_diversity' stands twice, first on line 1",
        ),
        (
            "[nulls: value, nulls: ignore, distinct_l_diversity: 3]",
            "nulls of column 'd' is given twice; give it once",
        ),
        (
            "[distinct_l_diversity: 3, count: rows, count: rows]",
            "count of column 'd' is given twice; give it once",
        ),
        # beside a model
        ("[nulls: ignore]", "column 'd' has nulls and no model; add a model, or drop the word"),
        ("{count: rows}", "column 'd' has count and no model; add a model, or drop the word"),
        (
            "[count: rows, nulls: value]",
            "column 'd' has count and nulls and no model; add a model, or drop the word",
        ),
        ("[nulls: ignored]", "unknown nulls 'ignored'; did you mean 'ignore'? valid: value, ignore"),
        ("[count: people]", "unknown count 'people'; valid: rows, persons"),
        ("[nulls: ]", f"nulls has no value; {_GIVE}"),
        ("[count: [rows]]", "count takes one value, not a list"),
        ("nulls", f"nulls has no value; {_GIVE}"),
        (
            "[count: persons, distinct_l_diversity: 3]",
            "persons of column 'd' cannot be counted: no person column is named; "
            "name it with person, or leave `count: persons` out",
        ),
        # parameters
        ("[distinct_l_diversity]", "distinct_l_diversity needs l; write it as in 'distinct_l_diversity: 2'"),
        (
            "[distinct_l_diversity: {}]",
            "distinct_l_diversity needs l; write it as in 'distinct_l_diversity: 2'",
        ),
        ("[distinct_l_diversity: {k: 3}]", "unknown word of distinct_l_diversity 'k'; valid: l"),
        (
            "[recursive_cl_diversity: 3]",
            "recursive_cl_diversity needs c and l; write it as in 'recursive_cl_diversity: {c: …, l: …}'",
        ),
        (
            "[recursive_cl_diversity: {c: 3}]",
            "recursive_cl_diversity needs l; write it as in 'recursive_cl_diversity: {c: …, l: …}'",
        ),
        (
            "[recursive_cl_diversity: [4, 3]]",
            "recursive_cl_diversity needs c and l; write it as in 'recursive_cl_diversity: {c: …, l: …}'",
        ),
        (
            "[recursive_cl_diversity: {c: 3, L: 3}]",
            "unknown word of recursive_cl_diversity 'L'; did you mean 'l'? valid: c, l",
        ),
        # t-closeness
        (
            "t_closeness",
            "t_closeness needs t and distance; write it as in 't_closeness: {t: …, distance: …}'",
        ),
        (
            "[t_closeness: 0.2]",
            "t_closeness needs t and distance; write it as in 't_closeness: {t: …, distance: …}'",
        ),
        (
            "[t_closeness: {t: 0.2}]",
            "t_closeness needs distance; write it as in 't_closeness: {t: …, distance: …}'",
        ),
        (
            "[t_closeness: {distance: equal}]",
            "t_closeness needs t; write it as in 't_closeness: {t: …, distance: …}'",
        ),
        (
            "[t_closeness: {t: 0.2, distanse: equal}]",
            "unknown word of t_closeness 'distanse'; did you mean 'distance'? "
            "valid: t, distance, order, null_rank, hierarchy",
        ),
        (
            "[t_closeness: {t: 0.2, distance: numerical}]",
            f"unknown distance of t_closeness 'numerical'; did you mean 'numeric'? {_DISTANCES}",
        ),
        (
            "[t_closeness: {t: 0.2, distance: Equal}]",
            f"unknown distance of t_closeness 'Equal'; did you mean 'equal'? {_DISTANCES}",
        ),
        (
            "[t_closeness: {t: 0.2, distance: xyz}]",
            f"unknown distance of t_closeness 'xyz'; {_DISTANCES}",
        ),
        (
            "[t_closeness: {t: 0.2, distance: [equal]}]",
            "distance of t_closeness takes one value, not a list",
        ),
        ("[t_closeness: {t: 0.2, distance: }]", f"distance of t_closeness has no value; {_GIVE}"),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: low}]",
            "order of t_closeness is a list of values, not 'low'; write it as in [low, middle, high]",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: }]",
            "order of t_closeness is a list of values, not ''; write it as in [low, middle, high]",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: {low: 1}}]",
            "order of t_closeness is a list of values, not a mapping; write it as in [low, middle, high]",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: []}]",
            "order of t_closeness names no value; name them or leave the word out",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: [low, high, low]}]",
            "order of t_closeness names 'low' twice; name every value once",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: [low, [high]]}]",
            "order of t_closeness takes one value, not a list",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, order: [low, null]}]",
            "order of t_closeness cannot name NULL; put it in quotes if it is a text",
        ),
        (
            '[t_closeness: {t: 0.2, distance: ordered, order: ["a\\0b"]}]',
            r"a value of order of t_closeness that is not valid text: 'a\x00b'",
        ),
        (
            "[t_closeness: {t: 0.2, distance: equal, order: [a]}]",
            "t_closeness: order and null_rank are for distance: ordered, not equal",
        ),
        (
            "[t_closeness: {t: 0.2, distance: numeric, null_rank: first}]",
            "t_closeness: order and null_rank are for distance: ordered, not numeric",
        ),
        (
            "[t_closeness: {t: 0.2, distance: hierarchical, hierarchy: h/age.csv, null_rank: first}]",
            "t_closeness: order and null_rank are for distance: ordered, not hierarchical",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, null_rank: frist}]",
            "unknown null_rank of t_closeness 'frist'; did you mean 'first'? valid: first, last",
        ),
        (
            "[t_closeness: {t: 0.2, distance: hierarchical}]",
            "t_closeness: distance: hierarchical needs hierarchy:, a file over the values of the column",
        ),
        (
            "[t_closeness: {t: 0.2, distance: hierarchical, hierarchy: }]",
            f"hierarchy of t_closeness has no value; {_GIVE}",
        ),
        (
            "[t_closeness: {t: 0.2, distance: hierarchical, hierarchy: [h/age.csv]}]",
            "hierarchy of t_closeness takes one value, not a list",
        ),
        (
            "[t_closeness: {t: 0.2, distance: ordered, hierarchy: h/age.csv}]",
            "t_closeness: hierarchy is for distance: hierarchical, not ordered",
        ),
        (
            "[t_closeness: {t: 0.2, distance: hierarchical, hierarchy: 'table:'}]",
            "an empty table name; give it or leave it out",
        ),
        # alpha
        ("[alpha_k: {}]", "shares of alpha_k names no value; name them or leave the word out"),
        ("[alpha_k: {shares: {}}]", "shares of alpha_k names no value; name them or leave the word out"),
        ("[alpha_k: {shares: 0.5}]", "shares of alpha_k is a mapping of values to shares, not '0.5'"),
        ("[alpha_k: {alpha: 0.5, flu: 0.2}]", "unknown word of alpha_k 'flu'; valid: alpha, shares"),
        (
            "[alpha_k: {null: 0.5}]",
            "shares of alpha_k cannot name NULL; put it in quotes if it is a text",
        ),
    ],
)
def test_the_file(folder: Path, text: str, message: str) -> None:
    assert refusal(folder, f"sensitive: {{d: {text}}}") == (f"kanon.yml:1: {message}", 2)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("h/agee.csv", "no such hierarchy file: 'h/agee.csv'; did you mean 'age.csv'?"),
        ("g/age.csv", "no such hierarchy file: 'g/age.csv'; there is no folder '{folder}/g'"),
        ("h", "a hierarchy is a file, and 'h' is a folder"),
        ("builtin:icd", "no built-in hierarchy of that name: 'icd'; none ships yet"),
    ],
)
def test_hierarchies_over_values(folder: Path, written: str, message: str) -> None:
    message = message.replace("{folder}", str(folder))
    model = f"t_closeness: {{t: 0.2, distance: hierarchical, hierarchy: '{written}'}}"
    assert refusal(folder, f"sensitive:\n  d:\n  - {model}") == (f"kanon.yml:3: {message}", 3)
    assert refusal(folder, None, "flag", models=[f"d={model}"]) == (f"--model: {message}", 3)


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["d"], "no '=' after 'd'; write column=value"),
        (["distinct_l_diversity: 3"], "no '=' after 'distinct_l_diversity: 3'; write column=value"),
        ("d", "no '=' after 'd'; write column=value"),
        (["=distinct_l_diversity: 3"], "an empty column name; give it or leave it out"),
        (['"d=x: 1'], "a double quote is not closed: '\"d=x: 1'"),
        ([""], f"model is blank; {_GIVE}"),
        (["d="], f"malformed model '': a model is a word and its value; {_FLAG}"),
        (["d={}"], f"malformed model '{{}}': a model is a word and its value; {_FLAG}"),
        (["d=# none"], f"malformed model '# none': a model is a word and its value; {_FLAG}"),
        (
            ["d=distinct_l_diversity"],
            "malformed model 'distinct_l_diversity': a model is a mapping of words to values, "
            f"not 'distinct_l_diversity'; {_FLAG}",
        ),
        (
            ["d=distinct_l_diversity:3"],
            "malformed model 'distinct_l_diversity:3': a model is a mapping of words to values, "
            f"not 'distinct_l_diversity:3'; {_FLAG}",
        ),
        (
            ["d=[distinct_l_diversity: 3]"],
            "malformed model '[distinct_l_diversity: 3]': a model is a mapping of words to values, "
            f"not a list; {_FLAG}",
        ),
        (
            ["d=t_closeness: {t: 0.2"],
            "malformed model 't_closeness: {t: 0.2': not valid YAML: expected ',' or '}', "
            f"but got '<stream end>'; {_FLAG}",
        ),
        (
            ["d=a: b: c"],
            f"malformed model 'a: b: c': not valid YAML: mapping values are not allowed here; {_FLAG}",
        ),
        (["d=!x 1"], f"malformed model '!x 1': the tag '!x' is not read; {_FLAG}"),
        (["d=a: &x 1"], f"malformed model 'a: &x 1': anchors and aliases are not read; {_FLAG}"),
        (["d=a: 1\n---\nb: 2"], rf"malformed model 'a: 1\n---\nb: 2': a second document; {_FLAG}"),
        (["d=a: 1\0"], r"a model that is not valid text: 'd=a: 1\x00'"),
        (
            ["d=distinct_l_divrsity: 3"],
            f"unknown model 'distinct_l_divrsity'; did you mean 'distinct_l_diversity'? valid: {_MODELS}",
        ),
        (
            ["d=distinct_l_diversity: 3", "D=distinct_l_diversity: 3"],
            "distinct_l_diversity of column 'd' is given twice; give it once",
        ),
        (["d=nulls: ignore"], "column 'd' has nulls and no model; add a model, or drop the word"),
        (
            ["d=nulls: ignore", "d=distinct_l_diversity: 3", "d=nulls: value"],
            "nulls of column 'd' is given twice; give it once",
        ),
        (
            ["d=count: persons", "d=distinct_l_diversity: 3"],
            "persons of column 'd' cannot be counted: no person column is named; "
            "name it with person, or leave `count: persons` out",
        ),
        (5, "model must be text, not 5"),
        ([5], "model must be text, not 5"),
        ({"d": 5}, "a model must be a word, not 5"),
        ({"d": {5: 5}}, "a model must be a word, not 5"),
        ({5: {}}, "a column name must be text, not 5"),
        (
            {"d": {"distinct_l_diversity": 3.0}},
            f"malformed l of distinct_l_diversity 3.0; {_WHOLE}",
        ),
        ({"d": {"distinct_l_diversity": True}}, f"malformed l of distinct_l_diversity True; {_WHOLE}"),
        (
            {"d": {"entropy_l_diversity": float("nan")}},
            "malformed l of entropy_l_diversity nan; give a number, at least 1",
        ),
        (
            {"d": {"entropy_l_diversity": float("inf")}},
            "malformed l of entropy_l_diversity inf; give a number, at least 1",
        ),
        (
            {"d": {"alpha_k": b"x"}},
            "malformed alpha of alpha_k a value of type bytes; give a number, above 0 and at most 1",
        ),
        (
            {"d": {"alpha_k": {None: 0.5}}},
            "shares of alpha_k cannot name NULL; put it in quotes if it is a text",
        ),
        (
            {"d": {"alpha_k": {1: 0.5, "1": 0.3}}},
            "shares of alpha_k names '1' twice; name every value once",
        ),
        (
            {"d": {"alpha_k": {b"x": 0.5}}},
            "shares of alpha_k names a value of type bytes; give text",
        ),
        (
            {"d": {"distinct_l_diversity": 2}, "D": {"alpha_k": 1}},
            "column 'D' stands twice in sensitive, once as 'd'; name it once",
        ),
    ],
)
@pytest.mark.parametrize("face", ["flag", "python"])
def test_given_models(folder: Path, face: str, models: object, message: str) -> None:
    where = "--model" if face == "flag" else "models="
    assert refusal(folder, None, face, models=models) == (f"{where}: {message}", 2)


def test_models_is_no_word_of_a_file(folder: Path) -> None:
    message = "kanon.yml:1: models is no word of a file; in a file a model stands under sensitive"
    assert refusal(folder, "models: {d: [distinct_l_diversity: 3]}") == (message, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "quasi_identifiers: [d]",
            "--model: column 'D' is both a quasi-identifier (kanon.yml:1) and sensitive; give it one role",
        ),
        (
            "identifiers: [d]",
            "kanon.yml:1: column 'd' is both sensitive (--model) and an identifier; give it one role",
        ),
        (
            "insensitive: [d]",
            "kanon.yml:1: column 'd' is both sensitive (--model) and insensitive; give it one role",
        ),
        (
            "person: d",
            "kanon.yml:1: column 'd' is both sensitive (--model) and the person column; "
            "drop it from sensitive: the person column is never released as it is",
        ),
    ],
)
def test_a_model_makes_its_column_sensitive(folder: Path, text: str, message: str) -> None:
    assert refusal(folder, text, "flag", models=["D=distinct_l_diversity: 3"]) == (message, 2)


@pytest.mark.parametrize(
    ("k_map", "message"),
    [
        ({}, f"k_map needs k and population; {_K_MAP}"),
        ([], f"k_map needs k and population; {_K_MAP}"),
        ({"k": 5}, f"k_map needs population; {_K_MAP}"),
        ("k=5", f"k_map needs population; {_K_MAP}"),
        ({"population": "v"}, f"k_map needs k; {_K_MAP}"),
        ("5", f"no '=' after '5'; {_K_MAP}"),
        ("", f"k_map is blank; {_K_MAP}"),
        ("voters", f"no '=' after 'voters'; {_K_MAP}"),
        ("{k: 5, population: v}", f"no '=' after '{{k: 5'; {_K_MAP}"),
        ("k=5,k=6,population=v", f"column 'k' stands twice in k_map; {_K_MAP}"),
        (5, f"k_map must be text, not 5; {_K_MAP}"),
        ({"K": 5, "population": "v"}, "unknown word of k_map 'K'; did you mean 'k'? valid: k, population"),
        (
            {"k": 5, "populatoin": "v"},
            "unknown word of k_map 'populatoin'; did you mean 'population'? valid: k, population",
        ),
        ("k=5,population=v,x=1", "unknown word of k_map 'x'; valid: k, population"),
        ({5: 5}, "unknown word of k_map '5'; valid: k, population"),
        ({"k": 0, "population": "v"}, f"malformed k of k_map 0; {_WHOLE}"),
        ({"k": True, "population": "v"}, f"malformed k of k_map True; {_WHOLE}"),
        ({"k": 5.0, "population": "v"}, f"malformed k of k_map 5.0; {_WHOLE}"),
        ("k=1e3,population=v", f"malformed k of k_map '1e3'; {_WHOLE}"),
        ("k=-1,population=v", f"malformed k of k_map '-1'; {_WHOLE}"),
        ("k=nan,population=v", f"malformed k of k_map 'nan'; {_WHOLE}"),
        ("k=,population=v", f"malformed k of k_map ''; {_WHOLE}"),
        ({"k": None, "population": "v"}, f"k of k_map has no value; {_GIVE}"),
        ({"k": [5], "population": "v"}, "k of k_map takes one value, not a list"),
        ({"k": 5, "population": None}, f"population of k_map has no value; {_GIVE}"),
        ({"k": 5, "population": ["v"]}, "population of k_map takes one value, not a list"),
        ({"k": 5, "population": " "}, f"population of k_map is blank; {_GIVE}"),
        ({"k": 5, "population": 5}, "population of k_map must be text, not 5"),
    ],
)
@pytest.mark.parametrize("face", ["flag", "python"])
def test_k_map(folder: Path, face: Any, k_map: object, message: str) -> None:
    where = "--k-map" if face == "flag" else "k_map="
    assert refusal(folder, None, face, k_map=k_map) == (f"{where}: {message}", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k_map:", f"k_map has no value; {_K_MAP}"),
        ("k_map: 5", f"no '=' after '5'; {_K_MAP}"),
        ("k_map: {k: 5, population: }", f"population of k_map has no value; {_GIVE}"),
        ("k_map: {k: '0.5%', population: v}", f"malformed k of k_map '0.5%'; {_WHOLE}"),
        ("k_map: {k: 5, k: 6}", "'k' stands twice, first on line 1"),
    ],
)
def test_k_map_of_the_file(folder: Path, text: str, message: str) -> None:
    assert refusal(folder, text) == (f"kanon.yml:1: {message}", 2)
