"""Every refusal of flags and keyword arguments: its one line and its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.errors import KanonError
from kanon_sql.spec import TOP_WORDS, MaxSuppression, resolve_spec
from tests.spec.refusing import refusal

_GIVEN = (
    "db, table, where, k, k_map, max_suppression, person, quasi_identifiers, hierarchies, min_level, max_level, "
    "level, weight, sensitive, models, insensitive, "
    "keep, identifiers, search, objective, policy, max_suppression_per, time_budget, drop_at_top, "
    "output, output_db, as, partition_by, "
    "overwrite, allow_empty, plan, vector, timezone, threads, memory_limit, temp_directory, redact"
)
_K = "; give a whole number, 1 or more"
_MAX = "; write a number of rows such as 120, or a share such as 1%"


@pytest.mark.parametrize(
    ("given", "flag", "message"),
    [
        ({"tabel": "t"}, "--tabel", f"unknown word 'tabel'; did you mean 'table'? valid: {_GIVEN}"),
        (
            {"objective": "gcp"},
            "--objective",
            "objective is for search: optimal, and the search is minimal; say search: optimal, or drop it",
        ),
        (
            {"time_budget": 60},
            "--time-budget",
            "malformed time_budget 60; write it with its unit, such as 60s, 5m or 1h",
        ),
        ({"policy": 5}, "--policy", "policy must be text, not 5"),
        (
            {"quasi_identifiers": ["age", "zip"], "min_level": {"agee": 1}},
            "--min-level",
            "column 'agee' of min_level is no quasi-identifier; did you mean 'age'?",
        ),
        (
            {"quasi_identifiers": ["age"], "weight": {"x": 1}},
            "--weight",
            "column 'x' of weight is no quasi-identifier; name it among them, or drop the word",
        ),
        (
            {"quasi_identifiers": {"age": {"level": 1}}, "min_level": {"AGE": 0}},
            "--min-level",
            "level of column 'AGE' is given in quasi_identifiers already; give it once",
        ),
        (
            {"min_level": ["age=1", "AGE=2"]},
            "--min-level",
            "column 'AGE' stands twice in min_level, once as 'age'; name it once",
        ),
        ({"level": "age=x"}, "--level", "malformed level 'x' of 'age'; give a whole number, 0 or more"),
        (
            {"level": {"age": True}},
            "--level",
            "malformed level True of 'age'; give a whole number, 0 or more",
        ),
        (
            {"weight": {"age": 0.0}},
            "--weight",
            "malformed weight of column 'age' 0.0; give a number, above 0",
        ),
        ({"k": "five"}, "--k", f"malformed k 'five'{_K}"),
        ({"k": ""}, "--k", f"malformed k ''{_K}"),
        ({"k": 5.0}, "--k", f"malformed k 5.0{_K}"),
        ({"k": True}, "--k", f"malformed k True{_K}"),
        ({"k": 0}, "--k", f"malformed k 0{_K}"),
        ({"k": object()}, "--k", f"malformed k a value of type object{_K}"),
        ({"k": [5]}, "--k", "k takes one value, not a list"),
        ({"max_suppression": -1}, "--max-suppression", f"malformed max_suppression -1{_MAX}"),
        (
            {"max_suppression": 0.05},
            "--max-suppression",
            "malformed max_suppression 0.05: a bare fraction is ambiguous; "
            "write 5% for a share of the rows, or a whole number of rows",
        ),
        ({"overwrite": "true"}, "--overwrite", "overwrite must be true or false, not 'true'"),
        ({"redact": 1}, "--redact", "redact must be true or false, not 1"),
        ({"table": 5}, "--table", "table must be text, not 5"),
        ({"table": ""}, "--table", "table is blank; give one or leave the word out"),
        ({"table": b"x"}, "--table", "table must be text, not a value of type bytes"),
        ({"table": Path("a\0b")}, "--table", r"a table that is not valid text: 'a\x00b'"),
        ({"db": 5}, "--db", "db must be text, not 5"),
        ({"where": 5}, "--where", "where must be text, not 5"),
        ({"where": "\t"}, "--where", "where is blank; give one or leave the word out"),
        ({"plan": 5}, "--plan", "plan must be text, not 5"),
        ({"person": 5}, "--person", "a column name must be text, not 5"),
        ({"person": ""}, "--person", "an empty column name in person"),
        ({"sensitive": 5}, "--sensitive", "sensitive must be a list of columns, not 5"),
        ({"sensitive": {"a"}}, "--sensitive", "sensitive must be a list of columns, not a value of type set"),
        ({"sensitive": {"a": 5}}, "--sensitive", "a model must be a word, not 5"),
        ({"sensitive": {5: []}}, "--sensitive", "a column name must be text, not 5"),
        (
            {"sensitive": {"a": [{"count": "rows"}]}},
            "--sensitive",
            "column 'a' has count and no model; add a model, or drop the word",
        ),
        ({"identifiers": ["a", 5]}, "--identifier", "a column name must be text, not 5"),
        ({"identifiers": ["a", None]}, "--identifier", "a column name must be text, not None"),
        ({"keep": "a,,b"}, "--keep", "an empty column name; give it or leave it out"),
        ({"keep": ""}, "--keep", "an empty column name; give it or leave it out"),
        ({"keep": 'a,"b'}, "--keep", "a double quote is not closed: 'a,\"b'"),
        (
            {"keep": "a", "insensitive": "b"},
            "--keep",
            "keep is another word for insensitive, and both are given; give one of them",
        ),
        (
            {"keep": "ward,Ward"},
            "--keep",
            "column 'Ward' stands twice in insensitive, once as 'ward'; name it once",
        ),
        (
            {"quasi_identifiers": 5},
            "--qi",
            "quasi_identifiers must be a list of columns, not 5",
        ),
        ({"quasi_identifiers": {5: None}}, "--qi", "a column name must be text, not 5"),
        ({"quasi_identifiers": {"a": 5}}, "--qi", "hierarchy must be text, not 5"),
        ({"quasi_identifiers": {"a": {5: 5}}}, "--qi", "a word must be text, not 5"),
        (
            {"quasi_identifiers": ["age"], "hierarchies": {"agee": "h/age.csv"}},
            "--hierarchy",
            "column 'agee' is no quasi-identifier; did you mean 'age'?",
        ),
        (
            {"quasi_identifiers": ["age"], "hierarchies": {"zip": "h/age.csv"}},
            "--hierarchy",
            "column 'zip' is no quasi-identifier; add it to quasi_identifiers or drop its hierarchy",
        ),
        (
            {"quasi_identifiers": {"age": "h/age.csv"}, "hierarchies": {"AGE": "h/age.csv"}},
            "--hierarchy",
            "two hierarchies for column 'AGE'; name one of them",
        ),
        (
            {"hierarchies": {"age": None}},
            "--hierarchy",
            "hierarchies has no value; give one or leave the word out",
        ),
        ({"hierarchies": ["age"]}, "--hierarchy", "no '=' after 'age'; write column=value"),
        (
            {"hierarchies": ["a=x", "A=y"]},
            "--hierarchy",
            "column 'A' stands twice in hierarchies, once as 'a'; name it once",
        ),
        ({"vector": "age=1,zip"}, "--vector", "no '=' after 'zip'; write column=value"),
        ({"vector": "age=1.0"}, "--vector", "malformed level '1.0' of 'age'; give a whole number, 0 or more"),
        (
            {"vector": {"age": True}},
            "--vector",
            "malformed level True of 'age'; give a whole number, 0 or more",
        ),
        ({"vector": 5}, "--vector", "vector must be text, not 5"),
    ],
)
@pytest.mark.parametrize("face", ["flag", "python"])
def test_what_is_given(folder: Path, face: str, given: dict[str, object], flag: str, message: str) -> None:
    named = {
        word.flag: word.name
        for word in TOP_WORDS.values()
        if word.name in given and word.name != "insensitive"
    }
    word = named.get(flag, flag.removeprefix("--"))
    where = flag if face == "flag" else f"{word}="
    assert refusal(folder, None, face, **given) == (f"{where}: {message}", 2)


def test_a_given_hierarchy_that_is_not_there(folder: Path) -> None:
    message = "no such hierarchy file: 'h/Age.csvv'; did you mean 'age.csv'?"
    assert refusal(folder, None, "flag", hierarchies={"a": "h/Age.csvv"}) == (f"--hierarchy: {message}", 3)
    given = {"a": folder / "h" / "Age.csvv"}
    assert refusal(folder, None, quasi_identifiers=given)[1] == 3


def test_roles_across_file_and_flags(folder: Path) -> None:
    both = "is both a quasi-identifier"
    message = f"--keep: column 'age' {both} (kanon.yml:1) and insensitive; give it one role"
    assert refusal(folder, "quasi_identifiers: [age]", "flag", insensitive="age") == (message, 2)
    message = f"kanon.yml:1: column 'b' {both} (quasi_identifiers=) and sensitive; give it one role"
    assert refusal(folder, "sensitive: [b]", quasi_identifiers=["b"]) == (message, 2)


def test_a_missing_file(folder: Path) -> None:
    with pytest.raises(KanonError) as caught:
        resolve_spec(file=Path("none.yml"), base=folder)
    assert (str(caught.value), caught.value.exit_code) == ("none.yml: no such file", 2)


def test_a_list_that_holds_itself(folder: Path) -> None:
    endless: list[object] = []
    endless.append(endless)
    assert refusal(folder, None, sensitive=endless) == ("sensitive=: nested too deeply", 2)


def test_values_of_the_model_pass_through(folder: Path) -> None:
    spec = resolve_spec(given={"max_suppression": MaxSuppression(rows=3)}, base=folder)
    assert spec.max_suppression.rows == 3
