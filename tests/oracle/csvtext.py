"""Hierarchies as CSV text (DESIGN 5.1, 5.2, 5.4): an empty field is NULL, ``""`` the empty string."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.oracle.model import OracleHierarchy, Unmapped, Value, as_text


def hierarchy_csv(
    hierarchy: OracleHierarchy, delimiter: str = ";", header: bool = False, avoid: Iterable[Value] = ()
) -> str:
    """One line per ground value, level 0 first, RFC 4180 quoting, lines ended by a line feed.

    ``header`` puts a first line of level names. They are no ground value, no label, and none of ``avoid``
    (pass the values of the column), so that the rule of DESIGN 5.4 sees the header without a doubt.
    """
    lines = [[as_text(label) for label in path] for path in hierarchy.paths.values()]
    if header:
        taken = {cell for line in lines for cell in line} | {as_text(value) for value in avoid}
        suffix = ""
        while any(f"level_{level}{suffix}" in taken for level in range(hierarchy.height + 1)):
            suffix += "_"
        lines.insert(0, [f"level_{level}{suffix}" for level in range(hierarchy.height + 1)])
    return "".join(delimiter.join(_field(cell, delimiter) for cell in line) + "\n" for line in lines)


def write_hierarchy(
    path: Path,
    hierarchy: OracleHierarchy,
    delimiter: str = ";",
    header: bool = False,
    avoid: Iterable[Value] = (),
) -> Path:
    """``hierarchy_csv`` into a UTF-8 file, byte for byte; gives the path back."""
    path.write_bytes(hierarchy_csv(hierarchy, delimiter, header, avoid).encode())
    return path


def read_hierarchy(
    path: Path, delimiter: str = ";", unmapped: Unmapped = "error", ground: Callable[[str], Value] = str
) -> OracleHierarchy:
    """A headerless hierarchy file without quoting (those of the Adult table); ``ground`` types level 0."""
    lines = [line.split(delimiter) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return OracleHierarchy.from_paths(((ground(first), *rest) for first, *rest in lines), unmapped)


def _field(cell: str | None, delimiter: str) -> str:
    if cell is None:
        return ""
    if cell == "" or cell != cell.strip() or any(sign in cell for sign in (delimiter, '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell
