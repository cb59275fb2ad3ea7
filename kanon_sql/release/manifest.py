"""The manifest: what was asked, what was found and what left, as one JSON object; totals, never a row."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from kanon_sql._version import __version__
from kanon_sql.binding import Bound
from kanon_sql.errors import SpecError
from kanon_sql.lattice import DistanceVector, named
from kanon_sql.names import shown_path
from kanon_sql.risk import ClassSizes


def build_manifest(
    bound: Bound,
    vector: DistanceVector,
    summary: Mapping[str, object],
    *,
    sizes: ClassSizes,
    search: Mapping[str, object],
    persons: Mapping[str, object] | None,
    release_sql: str,
    engine: str,
    warnings: tuple[str, ...],
) -> dict[str, object]:
    """Everything that explains a release, ready for JSON.

    Args:
        bound: the spec, bound to its table.
        vector: the vector of the release.
        summary: the object that ``run --json`` prints.
        sizes: the class sizes of the release.
        search: how the vector was found.
        persons: persons in, released and lost, where persons are counted.
        release_sql: the statement that made the release; its shuffle key is a parameter and is not kept.
        engine: the engine and its version.
        warnings: what was warned of.
    """
    spec = bound.spec
    levels = [
        {
            "quasi_identifier": column.name,
            "type": column.sql_type,
            "level": level,
            "of": column.height,
            "allowed": list(column.levels),
            "dropped": column.name in bound.dropped_at(vector),
            "level_name": column.level_names[level],
            "hierarchy": column.hierarchy.name if column.hierarchy else None,
            "hierarchy_sha256": column.hierarchy.sha256 if column.hierarchy else None,
            "header": column.hierarchy.has_header if column.hierarchy else None,
            "unmapped": column.spec.unmapped,
        }
        for column, level in zip(bound.columns, vector, strict=True)
    ]
    return {
        **summary,
        "spec": spec.as_manifest(),
        "levels": levels,
        "null": "own value",
        "person_level": dict(persons) if persons is not None else None,
        "class_size_histogram": sizes.histogram(spec.k),
        "k_achieved": persons["smallest_class"] if persons is not None else sizes.smallest,
        "search": {**search, "vector": named(vector, bound.names)},
        "left_out": list(bound.left_out),
        "warnings": list(warnings),
        "release_sql": release_sql,
        "versions": {"kanon_sql": __version__, "engine": engine, "python": platform.python_version()},
    }


def refuse_own_file(path: Path, taken: Iterable[Path]) -> None:
    """Refuse to write what accompanies a run over a file that the run reads or writes.

    Raises:
        SpecError: the path is one of them.
    """
    if any(path.resolve() == each.resolve() for each in taken):
        raise SpecError(
            "this file is read or written by the run itself",
            where=shown_path(path),
            mend="name a file of its own",
        )


def refuse_unwritable(path: Path, taken: Iterable[Path] = ()) -> None:
    """Say early that a manifest could not be written, before anything is released.

    Args:
        path: where it would go.
        taken: files that the run reads or writes.

    Raises:
        SpecError: its folder does not exist or is not writable, it is a folder itself, or a file of the run.
    """
    refuse_own_file(path, taken)
    folder = path.parent
    if path.is_dir():
        raise SpecError("this is a folder, not a file to write", where=str(path), mend="name a file")
    if not folder.is_dir():
        raise SpecError("no such folder", where=str(folder), mend="make it first")
    if not os.access(folder, os.W_OK):
        raise SpecError("the folder cannot be written to", where=str(folder))


def write_manifest(manifest: Mapping[str, object], path: Path) -> None:
    """Write a manifest beside its place and rename it there, so that no half of one is ever seen."""
    refuse_unwritable(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(manifest, file, indent=2, ensure_ascii=False)
            file.write("\n")
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
