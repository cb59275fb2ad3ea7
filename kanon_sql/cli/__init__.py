"""The command line: thin faces that parse, call the api, and print."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point of ``kanon-sql``."""
    try:
        from kanon_sql.cli.app import app

        app(prog_name="kanon-sql")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
