"""Files as they come: encodings, other formats, missing files, and the example files of ARX."""

import hashlib
from pathlib import Path

import pytest

from kanon_sql.errors import HierarchyError, SpecError
from kanon_sql.hierarchy import read_hierarchy_bytes, read_hierarchy_file


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "f.csv: the file is empty; write one line per ground value"),
        (b"\xef\xbb\xbf", "f.csv: the file is empty; write one line per ground value"),
        (b"\r\n\n", "f.csv: the file is empty; write one line per ground value"),
        (
            "a;*\r\nö;*".encode("latin-1"),
            "f.csv:2: not UTF-8 at byte offset 5 (0xf6), it looks like Latin-1; save it as UTF-8",
        ),
        (
            b"a;*\nb;\x80;*\n",
            "f.csv:2: not UTF-8 at byte offset 6 (0x80), it looks like Windows-1252; save it as UTF-8",
        ),
        (b"a;*\rb\x81;*\r", "f.csv:2: not UTF-8 at byte offset 5 (0x81); save it as UTF-8"),
        ("ü;*\n".encode() + b"\xfc;*", "f.csv:2: not UTF-8 at byte offset 5 (0xfc); save it as UTF-8"),
        (
            b"\xef\xbb\xbfa;*\n\xfc;*",
            "f.csv:2: not UTF-8 at byte offset 7 (0xfc), it looks like Latin-1; save it as UTF-8",
        ),
        ("a;*".encode("utf-16"), "f.csv: the file is UTF-16, not UTF-8; save it as UTF-8"),
        (b"a;*\nb;\0", "f.csv:2: not a CSV file: a NUL byte at byte offset 6; name one in UTF-8"),
        (
            b"PK\x03\x04\x14\0",
            "f.csv: not a CSV file but a zip archive such as an .xlsx workbook;"
            " save the sheet as CSV in UTF-8",
        ),
        (b"\x1f\x8b\x08\0", "f.csv: not a CSV file but gzip-compressed; decompress it first"),
        (b"PAR1\x15\0PAR1", "f.csv: not a CSV file but a Parquet file; write it as CSV in UTF-8"),
        (
            b"\xac\xed\x00\x05sr",
            "f.csv: not a CSV file but a serialized Java object such as ARX's .ahs;"
            " export the hierarchy as CSV",
        ),
        (b'a;*\n"b;*', 'f.csv:2: a quote opens here and is never closed; close it with `"`'),
        (
            b'a;*\n"b"c;*',
            'f.csv:2: text after a closing quote; a quote inside a quoted cell is written twice, `""`',
        ),
    ],
)
def test_what_is_not_utf8_csv_is_refused(raw, message):
    with pytest.raises(HierarchyError) as caught:
        read_hierarchy_bytes(raw, name="f.csv")
    assert str(caught.value) == message


def test_a_label_may_begin_like_another_format():
    assert read_hierarchy_bytes(b"PAR1;*\nx;*", name="f.csv").rows == (("PAR1", "*"), ("x", "*"))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_keeps_its_bytes_sum_and_loses_its_mark(mark):
    raw = mark + "größer;*\n☃;*\n".encode()
    file = read_hierarchy_bytes(raw, name="f.csv")
    assert file.rows == (("größer", "*"), ("☃", "*"))
    assert file.sha256 == hashlib.sha256(raw).hexdigest()


def test_the_path_is_the_name_unless_one_is_given(tmp_path):
    path = tmp_path / "sex.csv"
    path.write_bytes(b"f;*\nm;*\n")
    assert read_hierarchy_file(path).name == path.as_posix()
    assert read_hierarchy_file(path, name="sex").build(header=None).name == "sex"


def test_a_missing_file_hints_at_its_neighbour(tmp_path):
    (tmp_path / "education.csv").write_text("a;*")
    with pytest.raises(HierarchyError) as caught:
        read_hierarchy_file(tmp_path / "eductaion.csv", name="eductaion.csv")
    assert str(caught.value) == "eductaion.csv: no such file; did you mean 'education.csv'?"
    with pytest.raises(HierarchyError) as caught:
        read_hierarchy_file(tmp_path / "no" / "age.csv", name="age.csv")
    assert str(caught.value) == "age.csv: no such file"


def test_a_directory(tmp_path):
    with pytest.raises(HierarchyError) as caught:
        read_hierarchy_file(tmp_path, name="d")
    assert str(caught.value) == "d: this is a directory; name a CSV file"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(13, "Permission denied"), "f: no permission to read the file; make it readable"),
        (OSError(5, "Input/output error"), "f: the file cannot be read: Input/output error"),
        (ValueError("embedded null byte"), "f: the file cannot be read: embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_read(monkeypatch, error, message):
    def fail(_path):
        raise error

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(HierarchyError) as caught:
        read_hierarchy_file(Path("f"))
    assert str(caught.value) == message


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r", "\0"])
def test_a_delimiter_that_cannot_separate_is_a_fault_of_the_spec(delimiter):
    with pytest.raises(SpecError):
        read_hierarchy_bytes(b"a;*", name="f.csv", delimiter=delimiter)


@pytest.mark.parametrize(
    ("file", "height", "count"),
    [
        ("adult/adult_hierarchy_age.csv", 4, 100),
        ("adult/adult_hierarchy_education.csv", 3, 16),
        ("adult/adult_hierarchy_marital-status.csv", 2, 7),
        ("adult/adult_hierarchy_native-country.csv", 2, 41),
        ("adult/adult_hierarchy_occupation.csv", 2, 14),
        ("adult/adult_hierarchy_race.csv", 1, 5),
        ("adult/adult_hierarchy_salary-class.csv", 1, 2),
        ("adult/adult_hierarchy_sex.csv", 1, 2),
        ("adult/adult_hierarchy_workclass.csv", 2, 8),
        ("arx-examples/test2_hierarchy_Age.csv", 2, 9),
        ("arx-examples/test2_hierarchy_Disease.csv", 3, 6),
        ("arx-examples/test2_hierarchy_ZIPCode.csv", 5, 9),
        ("arx-examples/test_hierarchy_age.csv", 2, 100),
        ("arx-examples/test_hierarchy_gender.csv", 1, 2),
        ("arx-examples/test_hierarchy_zipcode.csv", 5, 10_000),
    ],
)
def test_the_example_files_of_arx(shared, file, height, count):
    hierarchy = read_hierarchy_file(shared / "data" / file).build(header=None)
    assert (hierarchy.delimiter, hierarchy.has_header) == (";", False)
    assert (hierarchy.height, len(hierarchy.rows)) == (height, count)


def test_a_specification_file_of_arx_is_no_csv(shared):
    with pytest.raises(HierarchyError, match="serialized Java object"):
        read_hierarchy_file(shared / "data" / "arx-examples/hierarchy-age.ahs")
