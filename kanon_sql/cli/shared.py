"""What the commands share: flags become a spec, errors one line and an exit code."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from kanon_sql import resources
from kanon_sql.errors import InterruptedLate, KanonError, SpecError

SPEC_FILE = "kanon.yml"


def examples(*lines: str) -> str:
    """The end of a command's help; the mark keeps the lines as they are, to be copied."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def resolved_spec(
    file: str | None, *, only: frozenset[str] | None = None, names_only: bool = False, **given: object
) -> Any:
    from kanon_sql.spec import resolve_spec

    # `as` is a keyword of Python.
    given = {name.rstrip("_"): value for name, value in given.items()}
    base = Path.cwd()
    path = Path(file) if file is not None else Path(SPEC_FILE) if (base / SPEC_FILE).is_file() else None
    return resolve_spec(
        file=path,
        given=given,
        face="flag",
        base=base,
        builtins=resources.hierarchies_folder(),
        only=only,
        names_only=names_only,
    )


def with_default_file(spec: Any) -> Any:
    """The spec, with a file as its release where the source is one and nothing else is said."""
    from dataclasses import replace

    source = spec.table_file
    if source is None or spec.output_file is not None or spec.output_db is not None:
        return spec
    if spec.output is not None:
        raise SpecError(
            f"the release of a file is a file, and {spec.output} is none",
            where="--output",
            mend="name a .parquet or .csv file, or a database with --output-db",
        )
    stem, dot, ending = source.name.partition(".")
    stem = stem.strip("*?[]") or source.parent.name or "table"
    return replace(spec, output_file=Path.cwd() / f"{stem}_k{spec.k}{dot}{ending}")


def names_of(given: list[str] | None) -> list[str] | None:
    """Column names of a repeatable flag, each ``a,b`` or ``a``."""
    if not given:
        return None
    from kanon_sql.spec import split_names

    return [name for each in given for name in split_names(each)]


def pairs_of(given: list[str] | None) -> dict[str, str] | None:
    """``column=path`` of a repeatable flag; a column that holds ``=`` is quoted."""
    if not given:
        return None
    from kanon_sql.spec.text import split_pair

    pairs: dict[str, str] = {}
    for each in given:
        column, path = split_pair(each, "--hierarchy")
        if not path:
            raise SpecError(f"no file after {each!r}", where="--hierarchy", mend="write COLUMN=FILE")
        if column in pairs:
            raise SpecError(f"column {column} has two hierarchies", where="--hierarchy", mend="give one")
        pairs[column] = path
    return pairs


def print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@contextmanager
def one_line_errors(*, debug: bool, redact: bool) -> Iterator[None]:
    """One line on stderr and an exit code for every error that has one."""
    try:
        yield
        sys.stdout.flush()
    except KanonError as error:
        if debug:
            traceback.print_exc()
        typer.echo(f"error: {error.redacted() if redact else error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except InterruptedLate:
        typer.echo("interrupted: the release stands, verified; what was to follow was left out", err=True)
        raise typer.Exit(130) from None
    except KeyboardInterrupt:
        if debug:
            traceback.print_exc()
        typer.echo("interrupted: nothing was written", err=True)
        raise typer.Exit(130) from None
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _forget_stdout()
        raise typer.Exit(0) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _forget_stdout()
        typer.echo("error: what was found cannot be printed: no space left behind stdout", err=True)
        raise typer.Exit(6) from None


def _forget_stdout() -> None:
    """Let what is still to be printed go nowhere, so that the end of the program does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
