"""The command line: thin faces that parse, call the api, and print."""

from __future__ import annotations

import io
import signal
import sys


def main() -> None:
    """The entry point of ``kanon-sql``."""
    for stream in (sys.stdout, sys.stderr):
        # An arrow that the terminal's encoding lacks must not fail a run that has released already.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    # A polite end is an interruption: what is half done is undone, and scratch files are removed.
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    try:
        from kanon_sql.cli.app import app

        app(prog_name="kanon-sql")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    finally:
        # All is said and undone: one more Ctrl-C while Python ends would only be shown as a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
