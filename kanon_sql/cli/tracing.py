"""``--trace FILE``: every statement that runs, in order, as a SQL file that grows while it runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kanon_sql.errors import DatabaseError, SpecError

if TYPE_CHECKING:
    from kanon_sql.backends import Executed


@contextmanager
def tracing(file: str | None, taken: Iterable[Path] = ()) -> Iterator[Callable[[Executed], None] | None]:
    """A tracer that writes to a file, or None where none is asked for.

    A statement stands there with its number, its name, how long it took and how many rows it answered;
    the values that were bound to it do not.

    Args:
        file: where it goes.
        taken: files that the run reads or writes.

    Raises:
        SpecError: the file cannot be written, or is one of the run's.
        DatabaseError: the disk is full (raised by the tracer itself).
    """
    if file is None:
        yield None
        return
    from kanon_sql.release.manifest import refuse_own_file

    refuse_own_file(Path(file), taken)
    try:
        out = Path(file).open("w", encoding="utf-8")  # noqa: SIM115 - closed below
    except OSError as error:
        raise SpecError(f"the trace cannot be written ({error.strerror})", where=file) from None
    number = 0

    def write(event: Executed) -> None:
        nonlocal number
        number += 1
        answer = "failed" if event.failed else f"{event.rows} row(s)"
        try:
            out.write(f"-- {number:04} {event.name}: {event.seconds:.4f} s, {answer}\n")
            out.write(event.sql.rstrip().rstrip(";") + ";\n\n")
            out.flush()
        except OSError as error:
            raise DatabaseError(f"the trace cannot be written ({error.strerror})", where=file) from None

    try:
        yield write
    finally:
        with contextlib.suppress(OSError):
            out.close()
