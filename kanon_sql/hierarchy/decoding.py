"""From the bytes of a file to text: UTF-8 or a clear refusal that says what the file seems to be."""

from __future__ import annotations

import re

from kanon_sql.errors import HierarchyError

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LINE_BREAK = re.compile(rb"\r\n|\r|\n")

_OTHER_FORMATS = (
    (b"\xac\xed\x00\x05", "a serialized Java object such as ARX's .ahs", "export the hierarchy as CSV"),
    (b"PK\x03\x04", "a zip archive such as an .xlsx workbook", "save the sheet as CSV in UTF-8"),
    (b"\xd0\xcf\x11\xe0", "an Office document such as an .xls workbook", "save the sheet as CSV in UTF-8"),
    (b"\x1f\x8b", "gzip-compressed", "decompress it first"),
    (b"PAR1", "a Parquet file", "write it as CSV in UTF-8"),
)


def decode(raw: bytes, name: str) -> str:
    """The text of a file's bytes, without the mark that may open UTF-8.

    >>> decode(b"\\xef\\xbb\\xbfgr\\xc3\\xb6\\xc3\\x9fer;*", "size.csv")
    'größer;*'
    """
    body = raw.removeprefix(_UTF8_MARK)
    offset = raw.find(b"\0")
    if offset < 0:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            offset = error.start + len(raw) - len(body)
    where = f"{name}:{1 + len(_LINE_BREAK.findall(raw[:offset]))}"
    for mark, what, mend in _OTHER_FORMATS:
        if raw.startswith(mark):
            raise HierarchyError(f"not a CSV file but {what}", where=name, mend=mend)
    if raw.startswith(_UTF16_MARKS):
        raise HierarchyError("the file is UTF-16, not UTF-8", where=name, mend="save it as UTF-8")
    if raw[offset] == 0:
        raise HierarchyError(
            f"not a CSV file: a NUL byte at byte offset {offset}", where=where, mend="name one in UTF-8"
        )
    raise HierarchyError(
        f"not UTF-8 at byte offset {offset} (0x{raw[offset]:02x}){_likely_encoding(raw, offset)}",
        where=where,
        mend="save it as UTF-8",
    )


def _likely_encoding(raw: bytes, offset: int) -> str:
    if not raw[:offset].removeprefix(_UTF8_MARK).isascii():
        return ""  # UTF-8 so far, so a damaged file rather than another encoding
    if not any(0x80 <= byte < 0xA0 for byte in raw):
        return ", it looks like Latin-1"
    try:
        raw.decode("cp1252")
    except UnicodeDecodeError:
        return ""
    return ", it looks like Windows-1252"
