"""How the tests of refusals say what is wrong, and hold an invocation against it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cli.warehouse import RUN, change, run, tables


@dataclass(frozen=True)
class Wrong:
    """A wrong invocation.

    Attributes:
        about: its name among the tests.
        args: the command line.
        exit_code: that of DESIGN 9.
        message: parts of the line that follows ``error: ``, as regular expressions, in any order.
        before: what is made beforehand.
    """

    about: str
    args: tuple[str, ...]
    exit_code: int
    message: tuple[str, ...]
    before: Callable[[], object] | None = None


def wrong(
    about: str, args: str | tuple[str, ...], exit_code: int, *message: str, before: object = None
) -> Wrong:
    split = tuple(args.split()) if isinstance(args, str) else args
    return Wrong(about, split, exit_code, message, before)  # type: ignore[arg-type]


def ran(
    about: str, more: str | tuple[str, ...], exit_code: int, *message: str, before: object = None
) -> Wrong:
    """A wrong ``run`` on the table of patients."""
    split = tuple(more.split()) if isinstance(more, str) else more
    return wrong(about, (*RUN, *split), exit_code, *message, before=before)


def spec(text: str) -> Callable[[], object]:
    return lambda: Path("kanon.yml").write_text(text, encoding="utf-8")


def file(name: str, content: str | bytes) -> Callable[[], object]:
    raw = content.encode() if isinstance(content, str) else content
    return lambda: Path(name).write_bytes(raw)


def sql(*statements: str) -> Callable[[], object]:
    return lambda: change(*statements)


def everything_in(folder: Path) -> dict[str, bytes]:
    # The database may be rewritten by a checkpoint; its tables are compared beside.
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "warehouse.duckdb"
    }


def refused(each: Wrong, folder: Path) -> None:
    """One line on stderr and the exit code, nothing on stdout, and nothing written."""
    if each.before is not None:
        each.before()
    database = Path("warehouse.duckdb")
    before = database.read_bytes(), everything_in(folder)
    result = run(*each.args)
    assert result.exit_code == each.exit_code, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert result.stderr.endswith("\n")
    [line] = result.stderr.splitlines()
    assert line.startswith("error: ")
    message = line.removeprefix("error: ")
    for part in each.message:
        assert re.search(part, message), f"{part!r} is not in: {message}"
    assert message.isprintable()
    assert everything_in(folder) == before[1]
    if database.read_bytes() != before[0]:
        after = tables()
        database.write_bytes(before[0])
        assert after == tables()
