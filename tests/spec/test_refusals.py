"""Every refusal of a spec file: its one line and its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.errors import KanonError
from kanon_sql.spec import resolve_spec
from tests.spec.refusing import refusal

_TOP = (
    "db, table, where, k, k_map, max_suppression, person, quasi_identifiers, sensitive, insensitive, "
    "identifiers, search, output, output_db, as, partition_by, "
    "overwrite, allow_empty, plan, vector, timezone, threads, memory_limit, temp_directory, redact"
)
_QI = "hierarchy, unmapped, header, delimiter, add_top"
_K = "; give a whole number, 1 or more"
_MAX = "; write a number of rows such as 120, or a share such as 1%"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # words
        ("k: 5\ntabel: t", f"2: unknown word 'tabel'; did you mean 'table'? valid: {_TOP}"),
        ("xyzzy: t", f"1: unknown word 'xyzzy'; valid: {_TOP}"),
        ("no: t", f"1: unknown word 'no'; valid: {_TOP}"),
        ("? \n: t", f"1: unknown word ''; valid: {_TOP}"),
        (
            "max-suppression: 1",
            f"1: unknown word 'max-suppression'; did you mean 'max_suppression'? valid: {_TOP}",
        ),
        ("K: 5", f"1: unknown word 'K'; did you mean 'k'? valid: {_TOP}"),
        ('"a\\nb": 5', rf"1: unknown word 'a\nb'; valid: {_TOP}"),
        ("keep: [a]", "1: keep is no word of a file; in a file the word is insensitive"),
        (
            "hierarchies: {}",
            "1: hierarchies is no word of a file; in a file a hierarchy stands under quasi_identifiers",
        ),
        # not built yet
        ("objective: gcp", f"1: objective is not built yet; built: {_TOP}"),
        ("policy: [suppression]", f"1: policy is not built yet; built: {_TOP}"),
        ("policy:", f"1: policy is not built yet; built: {_TOP}"),
        ("search: all", "1: search: all is not built yet; built: search: minimal"),
        ("search: optimal", "1: search: optimal is not built yet; built: search: minimal"),
        ("quasi_identifiers:\n  age:\n    min_level: 0", f"3: min_level is not built yet; built: {_QI}"),
        ("quasi_identifiers:\n  age:\n    max_level: 0", f"3: max_level is not built yet; built: {_QI}"),
        ("quasi_identifiers:\n  age:\n    weight:", f"3: weight is not built yet; built: {_QI}"),
        # choices
        ("search: minimum", "1: unknown search 'minimum'; did you mean 'minimal'? valid: minimal"),
        ("search: [minimal]", "1: search takes one value, not a list"),
        ("plan: fast", "1: unknown plan 'fast'; valid: frequency, direct"),
        ("plan: Direct", "1: unknown plan 'Direct'; did you mean 'direct'? valid: frequency, direct"),
        (
            "quasi_identifiers: {a: {unmapped: tops}}",
            "1: unknown unmapped 'tops'; did you mean 'top'? valid: error, suppress, top",
        ),
        ("quasi_identifiers: {a: {unmapped: }}", "1: unmapped has no value; give one or leave the word out"),
        # k
        ("k: 0", f"1: malformed k '0'{_K}"),
        ("k: -1", f"1: malformed k '-1'{_K}"),
        ("k: 5.0", f"1: malformed k '5.0'{_K}"),
        ("k: five", f"1: malformed k 'five'{_K}"),
        ("k: true", f"1: malformed k 'true'{_K}"),
        ("k: 1e3", f"1: malformed k '1e3'{_K}"),
        ("k: 0x5", f"1: malformed k '0x5'{_K}"),
        ("k: 05", f"1: malformed k '05'{_K}"),
        ("k: 99999999999999999999", f"1: malformed k '99999999999999999999'{_K}"),
        ("k:", "1: k has no value; give one or leave the word out"),
        ("k: [5]", "1: k takes one value, not a list"),
        ("k: {k: 5}", "1: k takes one value, not a mapping"),
        # max_suppression
        (
            "max_suppression: 0.01",
            "1: malformed max_suppression '0.01': a bare fraction is ambiguous; "
            "write 1% for a share of the rows, or a whole number of rows",
        ),
        ("max_suppression: .inf", f"1: malformed max_suppression '.inf'{_MAX}"),
        ("max_suppression: 120%", f"1: malformed max_suppression '120%': more than 100%{_MAX}"),
        ("max_suppression:", "1: max_suppression has no value; give one or leave the word out"),
        # booleans
        ("allow_empty: yes", "1: allow_empty must be true or false, not 'yes'"),
        ("overwrite: 1", "1: overwrite must be true or false, not '1'"),
        ("redact: 'true'", "1: redact must be true or false, not 'true'"),
        ("redact:", "1: redact has no value; give one or leave the word out"),
        # text
        ("where: ' '", "1: where is blank; give one or leave the word out"),
        ("where:", "1: where has no value; give one or leave the word out"),
        ("where: [a]", "1: where takes one value, not a list"),
        ('where: "a\\0"', r"1: a where that is not valid text: 'a\x00'"),
        ("table: ''", "1: table is blank; give one or leave the word out"),
        ("table: {a: b}", "1: table takes one value, not a mapping"),
        ("db: ''", "1: db is blank; give one or leave the word out"),
        ("output: ~", "1: output has no value; give one or leave the word out"),
        ("table: t\noutput: T", "2: the output is the source table itself; give the release another name"),
        (
            'table: a.t\noutput: \'"A"."T"\'',
            "2: the output is the source table itself; give the release another name",
        ),
        (
            "table: p.csv\noutput: ./p.csv",
            "2: the output is the source table itself; give the release another name",
        ),
        # columns
        ("person:", "1: an empty column name in person"),
        ("person: [a]", "1: person takes column names, not a list"),
        ("identifiers: [a, ]\ninsensitive: [a, '']", "2: an empty column name in insensitive"),
        ("insensitive: [[a]]", "1: insensitive takes column names, not a list"),
        ("insensitive: [a: b]", "1: insensitive takes column names, not a mapping"),
        ("insensitive: {a: b}", "1: insensitive is a list of columns, not a mapping"),
        ('insensitive: ["\\ud800"]', r"1: a column name that is not valid text: '\ud800'"),
        ("insensitive:\n- ward\n- age\n- ward", "4: column 'ward' stands twice in insensitive; name it once"),
        (
            "identifiers: [name, NAME]",
            "1: column 'NAME' stands twice in identifiers, once as 'name'; name it once",
        ),
        ("sensitive: {a: [], A: []}", "1: column 'A' stands twice in sensitive, once as 'a'; name it once"),
        (
            "quasi_identifiers: [a, A]",
            "1: column 'A' stands twice in quasi_identifiers, once as 'a'; name it once",
        ),
        (
            "quasi_identifiers:\n  a:\n  A:",
            "3: column 'A' stands twice in quasi_identifiers, once as 'a'; name it once",
        ),
        # roles
        (
            "quasi_identifiers:\n  age:\nsensitive: [Age]",
            "3: column 'Age' is both a quasi-identifier (kanon.yml:2) and sensitive; give it one role",
        ),
        (
            "insensitive: [a]\nsensitive: [a]",
            "1: column 'a' is both sensitive (kanon.yml:2) and insensitive; give it one role",
        ),
        (
            "insensitive: [a]\nidentifiers: [a]",
            "2: column 'a' is both insensitive (kanon.yml:1) and an identifier; give it one role",
        ),
        (
            "identifiers: [pid]\nperson: PID",
            "2: column 'PID' is both an identifier (kanon.yml:1) and the person column; "
            "drop it from identifiers: the person column is never released as it is",
        ),
        (
            "quasi_identifiers: [pid]\nperson: pid",
            "2: column 'pid' is both a quasi-identifier (kanon.yml:1) and the person column; "
            "drop it from quasi_identifiers: the person column is never released as it is",
        ),
        # quasi-identifiers
        (
            "quasi_identifiers: {age: [a]}",
            "1: a quasi-identifier takes a hierarchy file or a mapping, not a list",
        ),
        ("quasi_identifiers: [age: h/age.csv]", "1: quasi_identifiers takes column names, not a mapping"),
        ("quasi_identifiers: {'': x}", "1: an empty column name in quasi_identifiers"),
        (
            "quasi_identifiers: {age: {hierarchie: x}}",
            f"1: unknown word of a quasi-identifier 'hierarchie'; did you mean 'hierarchy'? valid: {_QI}",
        ),
        ("quasi_identifiers: {age: {hierarchy: [x]}}", "1: hierarchy takes one value, not a list"),
        ("quasi_identifiers: {age: ''}", "1: hierarchy is blank; give one or leave the word out"),
        (
            "quasi_identifiers: {age: {header: yes, hierarchy: h/age.csv}}",
            "1: header must be true or false, not 'yes'",
        ),
        (
            "quasi_identifiers:\n  age:\n    add_top: true",
            "3: add_top of column 'age' needs a hierarchy file, and there is none; "
            "add hierarchy: or drop the word",
        ),
        (
            "quasi_identifiers: {age: {hierarchy: h/age.csv, delimiter: ab}}",
            '1: delimiter must be one character, not \'ab\'; write for example ";" or "\\t"',
        ),
        (
            "quasi_identifiers: {age: {hierarchy: h/age.csv, delimiter: '\"'}}",
            '1: delimiter must be one character, not \'"\'; write for example ";" or "\\t"',
        ),
        # vectors
        ("vector: {age: -1}", "1: malformed level '-1' of 'age'; give a whole number, 0 or more"),
        ("vector: {age: }", "1: vector has no value; give one or leave the word out"),
        ("vector: {age: [1]}", "1: vector takes one value, not a list"),
        ("vector: {age: 1, AGE: 1}", "1: column 'AGE' stands twice in vector, once as 'age'; name it once"),
        ("vector: age", "1: no '=' after 'age'; write column=value"),
        ("vector:", "1: vector has no value; give one or leave the word out"),
        (
            "quasi_identifiers: [age, zip]\nvector: {age: 1}",
            "2: the vector has no level for 'zip'; give one level per quasi-identifier",
        ),
        (
            "quasi_identifiers: [age]\nvector:\n  age: 1\n  agee: 1",
            "4: column 'agee' of the vector is no quasi-identifier; did you mean 'age'?",
        ),
    ],
)
def test_the_file(folder: Path, text: str, message: str) -> None:
    assert refusal(folder, text) == (f"kanon.yml:{message}", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "quasi_identifiers:\n  age: h/agee.csv",
            "2: no such hierarchy file: 'h/agee.csv'; did you mean 'age.csv'?",
        ),
        ("quasi_identifiers: {age: h/xyzzy}", "1: no such hierarchy file: 'h/xyzzy'"),
        (
            "quasi_identifiers: {age: g/age.csv}",
            "1: no such hierarchy file: 'g/age.csv'; there is no folder '{folder}/g'",
        ),
        ("quasi_identifiers: {age: {hierarchy: h}}", "1: a hierarchy is a file, and 'h' is a folder"),
        (
            f"quasi_identifiers: {{age: {'x' * 300}}}",
            f"1: cannot read the hierarchy file '{'x' * 79}…': File name too long",
        ),
        (
            "quasi_identifiers: {age: 'builtin:age'}",
            "1: no built-in hierarchy of that name: 'age'; none ships yet",
        ),
        ("quasi_identifiers: {age: 'builtin:'}", "1: no built-in hierarchy of that name: ''; none ships yet"),
        ("quasi_identifiers: {age: true}", "1: no such hierarchy file: 'true'"),
    ],
)
def test_hierarchies_of_the_file(folder: Path, text: str, message: str) -> None:
    assert refusal(folder, text) == (f"kanon.yml:{message}".replace("{folder}", str(folder)), 3)


def test_built_in_names_never_leave_their_folder(folder: Path) -> None:
    given = {"quasi_identifiers": {"a": "builtin:../h/age"}}
    with pytest.raises(KanonError) as caught:
        resolve_spec(given=given, base=folder, builtins=folder / "h")
    assert str(caught.value) == (
        "quasi_identifiers=: no built-in hierarchy of that name: '../h/age'; there are: age, zip"
    )
