"""Files as sources: how a Parquet or CSV file is read, settled once so that every statement reads it alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kanon_sql.backends.base import Engine
from kanon_sql.compiler import FileScan, statement
from kanon_sql.errors import DatabaseError, DataError, did_you_mean

_CSV_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")
_NUMERIC = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "REAL")
# What the sniffer says where it found nothing.
_NOTHING = "(empty)"


def scan_file(engine: Engine, path: Path) -> FileScan:
    """A Parquet file, a glob of them, or a CSV file, as something to select from.

    A CSV file's types are taken from all of its rows; a column in which a value starts with a zero that a
    number would lose (``00501``) stays text (DESIGN 5.2).

    Raises:
        DataError: there is no such file, or it is not what its name says.
    """
    [(files,)] = engine.run(statement("catalog/glob.sql.j2", path=str(path)))
    if not files:
        near = (
            did_you_mean(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else None
        )
        raise DataError("no such file", where=str(path), mend=near)
    try:
        if str(path).lower().endswith(_CSV_ENDINGS):
            if files > 1:
                raise DataError(
                    f"{files} CSV files are one source too many: each may be cut in its own way",
                    where=str(path),
                    mend="name one file, or make them Parquet first",
                )
            return _scan_csv(engine, path)
        scan = FileScan("parquet", str(path))
        file_columns(engine, scan)
        return scan
    except DatabaseError as error:
        raise DataError(
            f"the file cannot be read as {'CSV' if path.suffix != '.parquet' else 'Parquet'}",
            where=str(path),
            values=error.values,
        ) from error


def file_columns(engine: Engine, scan: FileScan) -> list[tuple[str, str]]:
    """The columns of a file, in order: (name, type)."""
    if scan.kind == "csv":
        return list(scan.columns)
    return [(row[0], row[1]) for row in engine.run(statement("catalog/file_columns.sql.j2", scan=scan))]


def _scan_csv(engine: Engine, path: Path) -> FileScan:
    [row] = engine.run(statement("catalog/sniff.sql.j2", path=str(path)))
    delimiter, quote, escape, skip, header, names, types, date_format, timestamp_format = row
    if skip:
        # What the sniffer would pass over may be the header and the first rows of a table that is cut wrongly.
        raise DataError(
            f"its first {skip} line(s) do not have the columns of those after them",
            where=str(path),
            mend="remove them if they are notes, or mend the lines that differ",
        )
    scan = FileScan(
        "csv",
        str(path),
        columns=tuple(zip(names, types, strict=True)),
        delimiter=delimiter,
        quote="" if quote == _NOTHING else quote,
        escape="" if escape == _NOTHING else escape,
        skip=skip,
        header=header,
        date_format=date_format or None,
        timestamp_format=timestamp_format or None,
    )
    numeric = [name for name, kind in scan.columns if any(word in kind for word in _NUMERIC)]
    if not numeric:
        return scan
    as_text = replace(scan, columns=tuple((name, "VARCHAR") for name in names))
    [zeros] = engine.run(statement("catalog/leading_zeros.sql.j2", scan=as_text, columns=numeric))
    text = {name for name, has_zeros in zip(numeric, zeros, strict=True) if has_zeros}
    return replace(
        scan, columns=tuple((name, "VARCHAR" if name in text else kind) for name, kind in scan.columns)
    )
