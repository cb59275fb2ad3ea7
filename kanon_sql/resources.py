"""Where the files that are not Python live: ``sql/`` and ``hierarchies/``.

In an installed wheel both stand inside the package; in a checkout (and an editable install) they stand
at the top of the repository, beside it.
"""

from __future__ import annotations

from pathlib import Path


def root() -> Path:
    """The folder that holds ``sql/`` and ``hierarchies/``."""
    package = Path(__file__).parent
    return package if (package / "sql").is_dir() else package.parent


def sql_folder() -> Path:
    """The folder of the SQL templates."""
    return root() / "sql"


def hierarchies_folder() -> Path:
    """The folder of the hierarchies that ship with the package (reached as ``builtin:<name>`` only)."""
    return root() / "hierarchies"
