"""What a spec means once file, flags and keyword arguments are merged."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import HierarchyError, SpecError
from kanon_sql.privacy.l_diversity import DistinctLDiversity, RecursiveCLDiversity
from kanon_sql.privacy.likeness import AlphaK
from kanon_sql.privacy.t_closeness import HierarchicalTCloseness, OrderedTCloseness
from kanon_sql.spec import (
    HierarchyFile,
    KMapSpec,
    MaxSuppression,
    QuasiIdentifierSpec,
    SensitiveSpec,
    Spec,
    TableName,
    hierarchy_file_for,
    resolve_spec,
)

Resolve = Callable[..., Spec]


@pytest.fixture
def resolve(tmp_path: Path) -> Resolve:
    """Resolve a text (written to project/kanon.yml) with what is given; flags start at tmp_path/work."""
    project, work = tmp_path / "project", tmp_path / "work"
    for folder in (project, work):
        (folder / "h").mkdir(parents=True)
        for name in ("age.csv", "zip.csv"):
            (folder / "h" / name).touch()

    def run(
        text: str | None = None, face: Any = "python", builtins: Path | None = None, **given: object
    ) -> Spec:
        if text is not None:
            (project / "kanon.yml").write_text(text, encoding="utf-8")
        file = None if text is None else project / "kanon.yml"
        return resolve_spec(file=file, given=given, face=face, base=work, builtins=builtins)

    return run


FULL = """\
db: clinic.duckdb
table: clinic.patients
where: admitted >= DATE '2024-01-01'
k: 7
max_suppression: 1%
person: patient_id
quasi_identifiers:
  age: h/age.csv
  zip:
    hierarchy: h/zip.csv
    unmapped: top
    header: true
    delimiter: ";"
    add_top: true
  sex:
  no: {}
sensitive:
  diagnosis: []
  stage:
    - distinct_l_diversity: 3
    - recursive_cl_diversity: {c: 4, l: 3}
    - t_closeness: {t: 0.2, distance: ordered, order: [I, II, "III, IV"], null_rank: first}
    - t_closeness: {t: 0.5, distance: hierarchical, hierarchy: h/age.csv}
    - alpha_k: {I: 0.5, "": 0.1}
    - nulls: value
    - count: persons
  notes:
k_map: {k: 9, population: voters}
insensitive: [ward, null, 1]
identifiers: [name, ssn]
search: minimal
output: patients_k5
overwrite: true
allow_empty: true
plan: direct
vector: {ZIP: 2, age: 1, sex: 0, no: 1}
redact: true
"""


def test_a_whole_file(resolve: Resolve, tmp_path: Path) -> None:
    project = tmp_path / "project"
    assert resolve(FULL) == Spec(
        db=project / "clinic.duckdb",
        table=TableName(("clinic", "patients")),
        where="admitted >= DATE '2024-01-01'",
        k=7,
        max_suppression=MaxSuppression(share=Fraction(1, 100)),
        person="patient_id",
        quasi_identifiers=(
            QuasiIdentifierSpec("age", project / "h/age.csv"),
            QuasiIdentifierSpec("zip", project / "h/zip.csv", "top", True, ";", True),
            QuasiIdentifierSpec("sex"),
            QuasiIdentifierSpec("no"),
        ),
        sensitive=("diagnosis", "stage", "notes"),
        models=(
            SensitiveSpec(
                "stage",
                (
                    DistinctLDiversity(3),
                    RecursiveCLDiversity(Fraction(4), 3),
                    OrderedTCloseness(Fraction(1, 5), ("I", "II", "III, IV"), "first"),
                    HierarchicalTCloseness(Fraction(1, 2), str(project / "h/age.csv")),
                    AlphaK(None, (("I", Fraction(1, 2)), ("", Fraction(1, 10)))),
                ),
                count="persons",
                hierarchies={str(project / "h/age.csv"): HierarchyFile(project / "h/age.csv")},
            ),
        ),
        k_map=KMapSpec(9, TableName(("voters",))),
        insensitive=("ward", "null", "1"),
        identifiers=("name", "ssn"),
        output=TableName(("patients_k5",)),
        overwrite=True,
        allow_empty=True,
        plan="direct",
        vector={"age": 1, "zip": 2, "sex": 0, "no": 1},
        redact=True,
        hierarchy_folder=tmp_path / "work" / "hierarchies",
        source_file=project / "kanon.yml",
    )


def test_the_manifest_resolves_to_the_same_spec(resolve: Resolve) -> None:
    spec = resolve(FULL)
    again = resolve(**{word: value for word, value in spec.as_manifest().items() if word != "search"})
    assert again.as_manifest() == spec.as_manifest()
    assert again.quasi_identifiers == spec.quasi_identifiers
    assert again.models == spec.models


def test_nothing_gives_the_defaults(resolve: Resolve, tmp_path: Path) -> None:
    nothing = Spec(hierarchy_folder=tmp_path / "work" / "hierarchies")
    assert resolve() == nothing
    assert resolve(k=None, table=None, redact=None) == nothing
    assert resolve("").source_file == tmp_path / "project" / "kanon.yml"


def test_a_relative_file_starts_at_the_base(resolve: Resolve, tmp_path: Path) -> None:
    (tmp_path / "work" / "kanon.yml").write_text("k: 9\nquasi_identifiers: {age: h/age.csv}\n")
    spec = resolve_spec(file=Path("kanon.yml"), base=tmp_path / "work")
    assert spec.k == 9
    assert spec.quasi_identifiers[0].hierarchy == tmp_path / "work" / "h" / "age.csv"


def test_flags_beat_the_file(resolve: Resolve, tmp_path: Path) -> None:
    spec = resolve(
        FULL,
        face="flag",
        db="other.duckdb",
        table="t",
        where="true",
        k="2",
        max_suppression="3",
        person="p",
        sensitive="a",
        keep='b,"c,d"',
        identifiers=[],
        output="o",
        overwrite=False,
        allow_empty=False,
        plan="frequency",
        search="minimal",
        vector="age=0,zip=1,sex=1,no=0",
        redact=False,
    )
    assert spec.db == tmp_path / "work" / "other.duckdb"
    assert (spec.table, spec.where, spec.k) == (TableName(("t",)), "true", 2)
    assert spec.max_suppression == MaxSuppression(rows=3)
    assert (spec.person, spec.sensitive, spec.insensitive, spec.identifiers) == (
        "p",
        ("a",),
        ("b", "c,d"),
        (),
    )
    assert (spec.output, spec.overwrite, spec.allow_empty) == (TableName(("o",)), False, False)
    assert (spec.plan, spec.redact) == ("frequency", False)
    assert spec.vector == {"age": 0, "zip": 1, "sex": 1, "no": 0}
    assert list(spec.vector) == ["age", "zip", "sex", "no"]
    assert len(spec.quasi_identifiers) == 4


@pytest.mark.parametrize("face", ["flag", "python"])
@pytest.mark.parametrize("given", [["zip", "AGE"], ("zip", "AGE"), "zip,AGE", {"zip": None, "AGE": {}}])
def test_given_names_keep_the_long_form_of_the_file(
    resolve: Resolve, tmp_path: Path, face: str, given: object
) -> None:
    spec = resolve(FULL.replace("vector:", "#"), face=face, quasi_identifiers=given)
    project = tmp_path / "project"
    assert spec.quasi_identifiers == (
        QuasiIdentifierSpec("zip", project / "h/zip.csv", "top", True, ";", True),
        QuasiIdentifierSpec("AGE", project / "h/age.csv"),
    )


@pytest.mark.parametrize(
    "given",
    [
        {"quasi_identifiers": {"zip": "h/age.csv"}},
        {"quasi_identifiers": {"zip": Path("h/age.csv")}},
        {"quasi_identifiers": {"zip": {"hierarchy": "h/age.csv"}}},
        {"quasi_identifiers": ["zip"], "hierarchies": {"ZIP": "h/age.csv"}},
    ],
)
def test_a_given_hierarchy_drops_what_described_the_other_file(
    resolve: Resolve, tmp_path: Path, given: dict[str, object]
) -> None:
    spec = resolve(FULL.replace("vector:", "#"), **given)
    hierarchy = tmp_path / "work" / "h" / "age.csv"
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("zip", hierarchy, "top"),)


def test_a_given_word_joins_those_of_the_file(resolve: Resolve, tmp_path: Path) -> None:
    spec = resolve(FULL.replace("vector:", "#"), quasi_identifiers={"zip": {"unmapped": "suppress"}})
    file = tmp_path / "project" / "h" / "zip.csv"
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("zip", file, "suppress", True, ";", True),)


@pytest.mark.parametrize("given", [{"age": "h/age.csv"}, ["age=h/age.csv"], "age=h/age.csv"])
def test_hierarchies_add_quasi_identifiers_when_none_are_listed(
    resolve: Resolve, tmp_path: Path, given: object
) -> None:
    hierarchy = tmp_path / "work" / "h" / "age.csv"
    assert resolve(hierarchies=given).quasi_identifiers == (QuasiIdentifierSpec("age", hierarchy),)
    spec = resolve("quasi_identifiers: [sex, Age]", hierarchies=given)
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("sex"), QuasiIdentifierSpec("Age", hierarchy))
    spec = resolve(quasi_identifiers="AGE,sex", hierarchies=given)
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("AGE", hierarchy), QuasiIdentifierSpec("sex"))


@pytest.mark.parametrize("word", ["quasi_identifiers", "sensitive", "insensitive", "identifiers"])
@pytest.mark.parametrize("value", ["", "~", "[]", "null"])
def test_lists_without_names(resolve: Resolve, word: str, value: str) -> None:
    assert getattr(resolve(f"{word}: {value}"), word) == ()


def test_given_empty_lists_beat_the_file(resolve: Resolve) -> None:
    spec = resolve(
        FULL.replace("vector:", "#"), quasi_identifiers=[], sensitive={}, insensitive=(), identifiers=[]
    )
    assert (spec.quasi_identifiers, spec.sensitive, spec.insensitive, spec.identifiers) == ((), (), (), ())


def test_columns_may_be_called_anything(resolve: Resolve) -> None:
    spec = resolve(
        "quasi_identifiers: {no: , on: null, 1: ~, null: {}, 'a\"b': , größe: , select: , Marital Status: }\n"
        "sensitive: {true: [], 2024-01-01: }\n"
        'insensitive: [off, 1.0, ~, "a,b"]\n'
        "person: y\n"
    )
    names = [each.column for each in spec.quasi_identifiers]
    assert names == ["no", "on", "1", "null", 'a"b', "größe", "select", "Marital Status"]
    assert spec.sensitive == ("true", "2024-01-01")
    assert spec.insensitive == ("off", "1.0", "~", "a,b")
    assert spec.person == "y"


def test_other_case_than_ascii_makes_another_column(resolve: Resolve) -> None:
    assert resolve(insensitive=["ä", "Ä"], sensitive=["ß", "ss"]).insensitive == ("ä", "Ä")


def test_column_lists_may_be_comma_separated_text(resolve: Resolve) -> None:
    spec = resolve('identifiers: name, ssn\nsensitive: "a,b"')
    assert spec.identifiers == ("name", "ssn")
    assert spec.sensitive == ("a", "b")


def test_sensitive_with_no_models(resolve: Resolve) -> None:
    assert resolve(sensitive={"a": [], "b": None, "c": ()}).sensitive == ("a", "b", "c")


@pytest.mark.parametrize(
    ("vector"), [{"age": 1, "b=c": 0}, 'age=1, "b=c"=0', ["age=1", '"b=c"=0'], {"age": "1", "b=c": "0"}]
)
def test_vectors(resolve: Resolve, vector: object) -> None:
    assert resolve(vector=vector).vector == {"age": 1, "b=c": 0}
    assert resolve(vector=vector, quasi_identifiers=["B=C", "Age"]).vector == {"B=C": 0, "Age": 1}


@pytest.mark.parametrize("k", [1, "1", " 1"[1:], 10**18])
def test_k(resolve: Resolve, k: object) -> None:
    assert resolve(k=k).k == int(str(k))


def test_tables_and_files(resolve: Resolve, tmp_path: Path) -> None:
    work, project = tmp_path / "work", tmp_path / "project"
    assert resolve("table: data/p.CSV").table_file == project / "data/p.CSV"
    assert resolve(table="p.parquet").table_file == work / "p.parquet"
    assert resolve(table="p.parquet").table == TableName(("p", "parquet"))
    assert resolve(table="p.parquet", db="x").table_file is None
    assert resolve(table='"p.parquet"').table_file is None
    assert resolve(table=Path("odd.name")).table_file == work / "odd.name"
    assert resolve(table="patients").table_file is None
    assert resolve(table=TableName(("a.csv",))).table_file is None
    assert resolve(output="o.parquet", db="x").output_file == work / "o.parquet"
    assert resolve(table="p.csv", output="q.csv").output_file == work / "q.csv"
    assert resolve(table=work / "p.csv").table_file == work / "p.csv"


def test_found_hierarchies(resolve: Resolve, tmp_path: Path) -> None:
    beside_base = tmp_path / "work" / "hierarchies"
    beside_base.mkdir()
    (beside_base / "sex.csv").touch()
    spec = resolve("quasi_identifiers: {SEX: {unmapped: top, header: false}, age: }")
    assert spec.quasi_identifiers == (
        QuasiIdentifierSpec("SEX", beside_base / "sex.csv", "top", header=False, found=True),
        QuasiIdentifierSpec("age"),
    )
    beside_file = tmp_path / "project" / "hierarchies"
    beside_file.mkdir()
    (beside_file / "age.csv").touch()
    spec = resolve("quasi_identifiers: [sex, age]")
    assert spec.hierarchy_folder == beside_file
    assert spec.quasi_identifiers == (
        QuasiIdentifierSpec("sex"),
        QuasiIdentifierSpec("age", beside_file / "age.csv", found=True),
    )
    spec = resolve("", quasi_identifiers={"age": "h/age.csv"})
    assert spec.quasi_identifiers[0].found is False


def test_the_folder_of_the_package_is_never_searched(resolve: Resolve, tmp_path: Path) -> None:
    own = tmp_path / "work" / "hierarchies"
    own.mkdir()
    (own / "age.csv").touch()
    spec = resolve(quasi_identifiers=["age"], builtins=own / ".." / "hierarchies")
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("age"),)
    assert spec.hierarchy_folder is None


def test_built_in_hierarchies(resolve: Resolve, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "age.csv").touch()
    spec = resolve("quasi_identifiers: {years: 'builtin:age'}", builtins=own)
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("years", own / "age.csv", builtin="age"),)
    assert spec.as_manifest()["quasi_identifiers"] == {
        "years": {"hierarchy": "builtin:age", "unmapped": "error"}
    }


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("table:levels", ("levels",)),
        ("table:clinic.levels", ("clinic", "levels")),
        ('table:"my ""schema""".a b', ('"my ""schema""".a b',)),
        ('table:"my ""schema"""."a.b"', ('my "schema"', "a.b")),
        ("table: levels", (" levels",)),
    ],
)
def test_a_table_as_hierarchy(resolve: Resolve, written: str, parts: tuple[str, ...]) -> None:
    table = TableName(parts)
    for spec in (
        resolve(quasi_identifiers={"age": written}),
        resolve(quasi_identifiers={"age": {"hierarchy": written, "add_top": False}}),
        resolve(hierarchies={"age": written}),
        resolve(
            "quasi_identifiers: {age: {hierarchy: h/age.csv, header: true}}", hierarchies={"age": written}
        ),
    ):
        assert spec.quasi_identifiers == (QuasiIdentifierSpec("age", hierarchy_table=table),)
        assert spec.as_manifest()["quasi_identifiers"] == {
            "age": {"hierarchy": f"table:{table}", "unmapped": "error"}
        }


def test_a_path_that_looks_like_a_table_is_a_path(resolve: Resolve) -> None:
    with pytest.raises(HierarchyError, match="no such hierarchy file"):
        resolve(hierarchies={"age": Path("table:levels")})


def test_a_parquet_file_as_hierarchy(resolve: Resolve, tmp_path: Path) -> None:
    path = tmp_path / "work" / "h" / "levels.Parquet"
    path.touch()
    spec = resolve(hierarchies={"age": "h/levels.Parquet"})
    assert spec.quasi_identifiers == (QuasiIdentifierSpec("age", path),)


@pytest.mark.parametrize("word", ["header: true", "delimiter: ;"])
def test_the_words_of_a_csv_file_are_refused_for_anything_else(
    resolve: Resolve, tmp_path: Path, word: str
) -> None:
    (tmp_path / "project" / "h" / "levels.parquet").touch()
    name = word.split(":")[0]
    for hierarchy, kind in (("table:levels", "a table"), ("h/levels.parquet", "a Parquet file")):
        with pytest.raises(SpecError) as caught:
            resolve(f"quasi_identifiers:\n  age:\n    hierarchy: '{hierarchy}'\n    {word}")
        assert str(caught.value).endswith(
            f":4: {name} is for a CSV file, and the hierarchy of column 'age' is {kind}; drop the word"
        )


@pytest.mark.parametrize(
    "column",
    [
        "../age",
        "..",
        ".",
        "",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\0b",
        "*",
        "ag?",
        "age.csv",
        "\ud800",
        "x" * 5000,
    ],
)
def test_a_column_name_never_leaves_the_folder(tmp_path: Path, column: str) -> None:
    folder = tmp_path / "hierarchies"
    folder.mkdir()
    for name in (tmp_path / "age.csv", folder / "age.csv"):
        name.touch()
    assert hierarchy_file_for(folder, column) is None


def test_hierarchy_file_for(tmp_path: Path) -> None:
    assert hierarchy_file_for(tmp_path / "none", "age") is None
    for name in ("Age.csv", "zip.CSV", "Größe.csv", "a.b.csv"):
        (tmp_path / name).touch()
    (tmp_path / "sex.csv").mkdir()
    assert hierarchy_file_for(tmp_path / "Age.csv", "age") is None
    assert hierarchy_file_for(tmp_path, "AGE") == tmp_path / "Age.csv"
    assert hierarchy_file_for(tmp_path, "zip") == tmp_path / "zip.CSV"
    assert hierarchy_file_for(tmp_path, "gRöße") == tmp_path / "Größe.csv"
    assert hierarchy_file_for(tmp_path, "grÖße") is None
    assert hierarchy_file_for(tmp_path, "a.b") == tmp_path / "a.b.csv"
    assert hierarchy_file_for(tmp_path, "sex") is None


def test_a_parquet_file_is_found_where_there_is_no_csv_file(tmp_path: Path) -> None:
    for name in ("Age.parquet", "zip.PARQUET", "sex.csv"):
        (tmp_path / name).touch()
    assert hierarchy_file_for(tmp_path, "age") == tmp_path / "Age.parquet"
    assert hierarchy_file_for(tmp_path, "zip") == tmp_path / "zip.PARQUET"
    (tmp_path / "AGE.csv").touch()
    with pytest.raises(HierarchyError) as caught:
        hierarchy_file_for(tmp_path, "age")
    assert str(caught.value) == (
        f"{tmp_path}: two hierarchy files fit the column 'age': 'AGE.csv' and 'Age.parquet'; "
        "name one under quasi_identifiers"
    )


def test_an_exact_file_name_wins_and_a_choice_is_refused(tmp_path: Path) -> None:
    for name in ("age.csv", "Age.csv"):
        (tmp_path / name).touch()
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system folds case")
    assert hierarchy_file_for(tmp_path, "Age") == tmp_path / "Age.csv"
    with pytest.raises(HierarchyError) as caught:
        hierarchy_file_for(tmp_path, "AGE")
    assert str(caught.value) == (
        f"{tmp_path}: several hierarchy files fit the column 'AGE': 'Age.csv', 'age.csv'; "
        "name one under quasi_identifiers"
    )
