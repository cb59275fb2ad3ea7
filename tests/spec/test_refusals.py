"""Every refusal of a spec file: its one line and its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.errors import KanonError
from kanon_sql.spec import resolve_spec
from tests.spec.refusing import refusal

_TOP = (
    "db, table, where, k, k_map, max_suppression, person, quasi_identifiers, sensitive, insensitive, "
    "identifiers, search, objective, policy, max_suppression_per, time_budget, drop_at_top, "
    "output, output_db, as, partition_by, "
    "overwrite, allow_empty, plan, vector, timezone, threads, memory_limit, temp_directory, redact"
)
_QI = "hierarchy, unmapped, header, delimiter, add_top, min_level, max_level, level, weight"
_SEARCHES = "minimal, all, optimal"
_OBJECTIVES = (
    "accuracy, completeness, prec, gcp, gcp_geometric, discernibility, discernibility_star, average_class_size, "
    "c_avg, non_uniform_entropy"
)
_POLICIES = "absolute_distance, relative_distance, distribution, suppression"
_LEVEL = "; give a whole number, 0 or more"
_UNDER = "1: {} is no word of a file; in a file it stands under the column in quasi_identifiers"
_TIME = "; write it with its unit, such as 60s, 5m or 1h"
_PER = (
    "; write it as in max_suppression_per: {column: region, share: 5%}, or as a flag: column=region,share=5%"
)
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
        *(
            (f"{word}: {{a: 1}}", _UNDER.format(word))
            for word in ("min_level", "max_level", "level", "weight")
        ),
        # levels and weights
        *(
            (
                f"quasi_identifiers:\n  a:\n    {word}: {level}",
                f"3: malformed {word} '{level}' of 'a'{_LEVEL}",
            )
            for word in ("min_level", "max_level", "level")
            for level in ("-1", "1.0", "one", "01")
        ),
        (
            "quasi_identifiers: {a: {min_level: }}",
            "1: min_level has no value; give one or leave the word out",
        ),
        ("quasi_identifiers: {a: {level: [1]}}", "1: level takes one value, not a list"),
        (
            "quasi_identifiers:\n  a:\n    level: 1\n    max_level: 2",
            "4: level of column 'a' fixes it, and max_level is given too; give level, or min_level and max_level",
        ),
        (
            "quasi_identifiers:\n  a:\n    max_level: 1\n    min_level: 2",
            "4: min_level 2 of column 'a' is above its max_level 1; exchange them, or leave one of them out",
        ),
        *(
            (
                f"quasi_identifiers: {{a: {{weight: {weight}}}}}",
                f"1: malformed weight of column 'a' '{weight}'; give a number, above 0",
            )
            for weight in ("0", "-1", "much", "1e3", "0.0")
        ),
        # which vector
        (
            "search: optimal",
            f"1: search: optimal needs an objective; name the measure to make best: {_OBJECTIVES}",
        ),
        (
            "objective: gcp",
            "1: objective is for search: optimal, and the search is minimal; say search: optimal, or drop it",
        ),
        (
            "search: all\nobjective: gcp",
            "2: objective is for search: optimal, and the search is all; say search: optimal, or drop it",
        ),
        (
            "search: optimal\nobjective: gpc",
            f"2: unknown objective 'gpc'; did you mean 'gcp'? valid: {_OBJECTIVES}",
        ),
        (
            "search: optimal\nobjective: gcp\npolicy: suppression",
            "3: policy is not for search: optimal, where the objective decides; "
            "drop it, or say search: minimal or search: all",
        ),
        ("policy: least", f"1: unknown policy 'least'; valid: {_POLICIES}"),
        (
            "policy:\n  - suppression\n  - suppresion",
            f"3: unknown policy 'suppresion'; did you mean 'suppression'? valid: {_POLICIES}",
        ),
        ("policy: [suppression, suppression]", "1: suppression stands twice in policy; name it once"),
        ("policy:", "1: policy has no value; give one or leave the word out"),
        ("policy: []", "1: policy has no value; give one or leave the word out"),
        ("policy: {}", "1: policy takes one value, not a mapping"),
        *(
            (f"time_budget: {time}", f"1: malformed time_budget '{time}'{_TIME}")
            for time in ("60", "0s", "5 d", "-1s")
        ),
        ("time_budget:", "1: time_budget has no value; give one or leave the word out"),
        ("drop_at_top: yes", "1: drop_at_top must be true or false, not 'yes'"),
        ("max_suppression_per: {column: a}", f"1: max_suppression_per needs share{_PER}"),
        ("max_suppression_per: region", f"1: no '=' after 'region'{_PER}"),
        (
            "max_suppression_per: {column: a, shares: 5%}",
            "1: unknown word of max_suppression_per 'shares'; did you mean 'share'? valid: column, share",
        ),
        (
            "max_suppression_per: {column: a, share: 5}",
            "1: malformed share of max_suppression_per '5'; write a share of the rows such as 5%",
        ),
        (
            "max_suppression_per: {column: a, share: 0.05}",
            "1: malformed share of max_suppression_per '0.05'; write 5% for a share of the rows",
        ),
        (
            "max_suppression_per:\n - {column: a, share: 5%}\n - {column: A, share: 6%}",
            "3: column 'A' stands twice in max_suppression_per, once as 'a'; name it once",
        ),
        # choices
        ("search: minimum", f"1: unknown search 'minimum'; did you mean 'minimal'? valid: {_SEARCHES}"),
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
