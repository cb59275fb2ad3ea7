"""Where the hierarchy of a quasi-identifier is: a file named, built in or found by the column's name; a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kanon_sql.errors import HierarchyError, did_you_mean, one_line
from kanon_sql.names import ascii_fold
from kanon_sql.spec.located import Scalar
from kanon_sql.spec.model import TableName
from kanon_sql.spec.readers import read_path
from kanon_sql.spec.text import shown

BUILTIN = "builtin:"
TABLE = "table:"
PARQUET = ".parquet"


def hierarchy_file_for(folder: Path, column: str) -> Path | None:
    """The file ``<column>.csv`` of the folder, else ``<column>.parquet``, or None.

    ASCII case makes no difference, an exact match wins. The folder's entries are compared with the name; the
    name is never made a path, so it cannot leave the folder.

    Raises:
        HierarchyError: the folder cannot be listed, both files are there, or several fit and none exactly.
    """
    listed = _listed(folder)
    csv, parquet = (_fitting(listed, folder, column, ending) for ending in (".csv", PARQUET))
    if csv is not None and parquet is not None:
        what = (
            f"two hierarchy files fit the column {shown(column)}: {shown(csv.name)} and {shown(parquet.name)}"
        )
        raise HierarchyError(what, where=one_line(str(folder)), mend="name one under quasi_identifiers")
    return csv or parquet


def is_parquet(path: Path) -> bool:
    """Whether a hierarchy file is read as Parquet, by its name."""
    return path.suffix.lower() == PARQUET


def named_table(node: Scalar) -> TableName | None:
    """The table that a spec names as ``table:<name>``, or None where it names none.

    Raises:
        SpecError: the name is blank, or no valid text.
    """
    if node.raw is None or not node.raw.startswith(TABLE):
        return None
    return TableName.parse(node.raw[len(TABLE) :], node.place.where)


def _fitting(listed: Sequence[Path], folder: Path, column: str, ending: str) -> Path | None:
    wanted = f"{column}{ending}"
    named = [path for path in listed if ascii_fold(path.name) == ascii_fold(wanted)]
    files = {path.name: path for path in named if os.path.isfile(path)}  # noqa: PTH113 (is_file may raise)
    if len(files) > 1 and wanted not in files:
        names = ", ".join(shown(name) for name in sorted(files))
        what = f"several hierarchy files fit the column {shown(column)}: {names}"
        raise HierarchyError(what, where=one_line(str(folder)), mend="name one under quasi_identifiers")
    return files.get(wanted) or next(iter(files.values()), None)


def hierarchy_folder(source_file: Path | None, base: Path, builtins: Path | None) -> Path | None:
    """``hierarchies/`` beside the spec file if it is there, else beside ``base``; never the package's own.

    None where nothing but the package's own folder is left.
    """
    folder = base / "hierarchies"
    if source_file is not None and (source_file.parent / "hierarchies").is_dir():
        folder = source_file.parent / "hierarchies"
    own = builtins is not None and os.path.realpath(folder) == os.path.realpath(builtins)
    return None if own else folder


def named_hierarchy(node: Scalar, builtins: Path | None) -> tuple[Path, str | None]:
    """The file a spec names, and the name of the built-in one if it is that.

    Raises:
        SpecError: the path is blank, or no path.
        HierarchyError: there is no such file.
    """
    where = node.place.where
    if node.raw is not None and node.raw.startswith(BUILTIN):
        name = node.raw[len(BUILTIN) :]
        listed = () if builtins is None else _listed(builtins)
        present = {path.stem: path for path in sorted(listed) if path.suffix == ".csv"}
        if name not in present:
            there = f"there are: {', '.join(present)}" if present else "none ships yet"
            what = f"no built-in hierarchy of that name: {shown(name)}"
            raise HierarchyError(what, where=where, mend=there)
        return present[name], name
    path = read_path(node, "hierarchy")
    words = shown(node.raw if node.raw is not None else str(node.value))
    try:
        is_file, is_folder = path.is_file(), path.is_dir()
    except OSError as error:
        reason = one_line(error.strerror or str(error))
        raise HierarchyError(f"cannot read the hierarchy file {words}: {reason}", where=where) from None
    if is_folder:
        raise HierarchyError(f"a hierarchy is a file, and {words} is a folder", where=where)
    if not is_file:
        raise HierarchyError(f"no such hierarchy file: {words}", where=where, mend=_near(path))
    return path, None


def _listed(folder: Path) -> tuple[Path, ...]:
    try:
        return tuple(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        reason = one_line(error.strerror or str(error))
        raise HierarchyError(f"cannot list the folder: {reason}", where=one_line(str(folder))) from None


def _near(path: Path) -> str | None:
    try:
        names = [each.name for each in path.parent.iterdir() if each.is_file()]
    except FileNotFoundError:
        return f"there is no folder {shown(str(path.parent))}"
    except (OSError, ValueError):
        return None
    return did_you_mean(path.name, names)
