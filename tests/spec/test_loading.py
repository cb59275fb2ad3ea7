"""kanon.yml as a tree: text as written, lines, and what YAML may do that a spec may not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kanon_sql.errors import SpecError
from kanon_sql.spec.loading import MAX_BYTES, load_file, parse_text
from kanon_sql.spec.located import Entries, Items, Located, Scalar


def parse(text: str) -> Entries:
    return parse_text(text, "kanon.yml", Path("here"))


def plain(node: Located) -> object:
    """The tree as plain data, scalars as (raw, value)."""
    if isinstance(node, Scalar):
        return node.raw, node.value
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return {key.raw: plain(value) for key, value in node.entries}


@pytest.mark.parametrize(
    "text", ["", "\n", "# only a comment\n", "---\n", "~", "null", "--- # nothing\n...\n", "{}"]
)
def test_nothing_is_an_empty_spec(text: str) -> None:
    assert parse(text).entries == ()


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("nUll", "nUll"),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("1", "1"),
        ("1.50", "1.50"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"),
        ("1%", "1%"),
        ("=", "="),
    ],
)
def test_scalars_keep_their_text(raw: str, value: object) -> None:
    assert plain(parse(f"a: {raw}")) == {"a": (raw, value)}


@pytest.mark.parametrize("quoted", ["'true'", '"true"'])
def test_quoted_words_are_text(quoted: str) -> None:
    assert plain(parse(f"a: {quoted}")) == {"a": ("true", "true")}


def test_block_scalars_are_text() -> None:
    assert plain(parse("a: >-\n  age > 3\n  AND true\nb: |-\n  null\n")) == {
        "a": ("age > 3 AND true", "age > 3 AND true"),
        "b": ("null", "null"),
    }


def test_keys_keep_their_text() -> None:
    tree = parse("no: 1\n1: 2\nnull: 3\n1.0: 4\n'<<': 5\n~: 6\n")
    assert [key.raw for key, _ in tree.entries] == ["no", "1", "null", "1.0", "<<", "~"]


def test_every_value_has_its_place() -> None:
    tree = parse("a:\n  - x\n  - {y: z}\n\nb: 1\n")
    items, b = tree.entries[0][1], tree.entries[1][1]
    assert isinstance(items, Items)
    assert [item.place.where for item in items.items] == ["kanon.yml:2", "kanon.yml:3"]
    assert b.place.where == "kanon.yml:5"
    assert b.place.folder == Path("here")


_NOT_VALID = "not valid YAML: "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a", "kanon.yml:1: a spec is a mapping of words to values, not a list"),
        ("\njust text", "kanon.yml:2: a spec is a mapping of words to values, not 'just text'"),
        ("k: 1\nt: x\nk: 2", "kanon.yml:3: 'k' stands twice, first on line 1"),
        ("{k: 1, k: 2}", "kanon.yml:1: 'k' stands twice, first on line 1"),
        ("q:\n  a: 1\n  b: 2\n  'a': 3", "kanon.yml:4: 'a' stands twice, first on line 2"),
        ("k: 1\n---\nk: 2", "kanon.yml:2: a second document; keep one spec per file"),
        (
            "k: 1\n...\nk: 2",
            f"kanon.yml:3: {_NOT_VALID}expected '<document start>', but found '<block mapping start>'",
        ),
        ("a: &x 1", "kanon.yml:1: anchors and aliases are not read; write the value out"),
        ("a: &x [*x]", "kanon.yml:1: anchors and aliases are not read; write the value out"),
        ("a: 1\nb: *x", "kanon.yml:2: anchors and aliases are not read; write the value out"),
        ("*x : 1", "kanon.yml:1: anchors and aliases are not read; write the value out"),
        ("&x a: 1", "kanon.yml:1: anchors and aliases are not read; write the value out"),
        ("<<: {k: 1}", "kanon.yml:1: merge keys are not read; write the words out"),
        ("k: !!str 1", "kanon.yml:1: the tag 'tag:yaml.org,2002:str' is not read; leave the tag out"),
        (
            "k: !!python/object/apply:os.system ['true']",
            "kanon.yml:1: the tag 'tag:yaml.org,2002:python/object/apply:os.system' is not read; "
            "leave the tag out",
        ),
        ("k: !own {a: 1}", "kanon.yml:1: the tag '!own' is not read; leave the tag out"),
        ("k: ! 1", "kanon.yml:1: the tag '!' is not read; leave the tag out"),
        ("? [a]\n: 1", "kanon.yml:1: a list cannot be a key; write a single word"),
        ("? {a: 1}\n: 1", "kanon.yml:1: a mapping cannot be a key; write a single word"),
        ("a: " + "[" * 100_000, "kanon.yml:1: nested too deeply"),
        ("a: " + "{b: " * 100_000, "kanon.yml:1: nested too deeply"),
        (
            "k: 5\n\ttable: x",
            rf"kanon.yml:2: {_NOT_VALID}found character '\t' that cannot start any token; "
            "indent with spaces, not tabs",
        ),
        ("k: [1", f"kanon.yml:1: {_NOT_VALID}expected ',' or ']', but got '<stream end>'"),
        ("k: 'x", f"kanon.yml:1: {_NOT_VALID}found unexpected end of stream"),
        ("a\n b: c", f"kanon.yml:2: {_NOT_VALID}mapping values are not allowed here"),
        ("k: 1\n  b: 2", f"kanon.yml:2: {_NOT_VALID}mapping values are not allowed here"),
        ("k: @x", f"kanon.yml:1: {_NOT_VALID}found character '@' that cannot start any token"),
        ("a:\n  b: \x07", r"kanon.yml:2: the character '\x07' may not stand in YAML"),
        ("a: \0", r"kanon.yml:1: the character '\x00' may not stand in YAML"),
        ('a: 1\nk: "\\UFFFFFFFF"', f"kanon.yml:2: {_NOT_VALID}a number out of range"),
        (f"%YAML {'1' * 5000}.1\n---\n", f"kanon.yml:1: {_NOT_VALID}a number out of range"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse(text)
    assert str(caught.value) == message
    assert caught.value.exit_code == 2


def test_an_alias_bomb_is_refused_at_its_first_anchor() -> None:
    rows = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    with pytest.raises(SpecError, match=r"^kanon.yml:1: anchors and aliases are not read"):
        parse("\n".join(rows))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"k: 5\nt: \xff", "{file}:2: not UTF-8; save the file as UTF-8"),
        ("k: 5".encode("utf-16"), "{file}:1: not UTF-8; save the file as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "{file}: larger than 1 MiB, which no spec is"),
    ],
)
def test_refused_bytes(tmp_path: Path, data: bytes, message: str) -> None:
    file = tmp_path / "kanon.yml"
    file.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        load_file(file)
    assert str(caught.value) == message.format(file=file)


def test_a_byte_order_mark_and_other_line_ends_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "kanon.yml"
    file.write_bytes(b"\xef\xbb\xbfk: 5\r\ntable: t\r\n")
    tree = load_file(file, "kanon.yml")
    assert plain(tree) == {"k": ("5", "5"), "table": ("t", "t")}
    assert tree.entries[1][0].place.where == "kanon.yml:2"
    assert tree.place.folder == tmp_path


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def message(path: Path) -> str:
        with pytest.raises(SpecError) as caught:
            load_file(path, "kanon.yml")
        return str(caught.value)

    assert message(tmp_path / "none.yml") == "kanon.yml: no such file"
    assert message(tmp_path) == "kanon.yml: a folder, not a spec file"
    assert message(tmp_path / "a\0b") == "kanon.yml: cannot be read: embedded null byte"
    assert message(tmp_path / ("x" * 5000)) == "kanon.yml: cannot be read: File name too long"
    if Path("/dev/zero").exists():
        assert message(Path("/dev/zero")) == "kanon.yml: larger than 1 MiB, which no spec is"


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_file_name_stays_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_file(tmp_path / "a\nb.yml")
    assert "\n" not in str(caught.value)
