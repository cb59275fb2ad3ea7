"""DuckDB's errors as ours: one line that says what, where and how to mend it."""

from __future__ import annotations

import re
from pathlib import Path

from kanon_sql.errors import DatabaseError, DataError, SpecError


def translate(error: Exception, where: str, name: str) -> Exception:
    """An engine's error as ours, in one line; our own pass through."""
    import duckdb

    if not isinstance(error, duckdb.Error | RuntimeError):
        return error
    text = str(error)
    first_line = text.strip().split("\n", 1)[0]
    if isinstance(error, duckdb.InterruptException) or "interrupted" in text.lower():
        return DatabaseError("the statement was interrupted", where=where)
    if "Could not set lock" in text:
        holder = re.search(r"held in (\S+) \(PID (\d+)\)", text)
        by = f"process {holder[2]} ({Path(holder[1]).name})" if holder else "another process"
        return DatabaseError(
            f"the database is locked by {by}",
            where=where,
            mend="close it there, or work on a copy; a read-only run can share it with other readers",
        )
    if "not a valid DuckDB database file" in text:
        return DatabaseError("this is not a DuckDB database file", where=where)
    if "version number" in text and "database file" in text:
        return DatabaseError(
            "the file was written by another version of DuckDB than the one installed",
            where=where,
            mend=first_line,
        )
    if "different configuration" in text or "already attached" in text or "Unique file handle" in text:
        return DatabaseError(
            "the file is open in this very process already",
            where=where,
            mend="pass that connection instead of the path, or close it first",
        )
    if isinstance(error, duckdb.ConversionException) and "Unimplemented type for cast" in text:
        return SpecError(
            "the row filter (where) or a view asks for a conversion that there is not",
            where=where,
            values=(first_line,),
            mend="write a condition that is true or false of a row",
        )
    if isinstance(error, duckdb.ConversionException | duckdb.OutOfRangeException):
        # Our own casts are tried casts: what fails is a row filter's, or that of a view that is the source.
        return DataError(
            "a value of the table cannot be converted as the row filter (where) or a view asks",
            where=where,
            values=(first_line,),
            mend="use TRY_CAST there",
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        if "temp" in text and ("directory" in text or "disk" in text.lower()):
            return DatabaseError("the temporary directory is full", where=where, mend="free disk space")
        return DatabaseError(
            "the engine ran out of memory", where=where, mend="raise its memory limit or free memory"
        )
    if "No space left" in text or "could not write" in text.lower():
        return DatabaseError("the disk is full", where=where, mend="free disk space")
    return DatabaseError(f"the engine refused the statement {name!r}", where=where, values=(first_line,))
