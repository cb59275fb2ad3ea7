"""How the tests of refusals get one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import KanonError
from kanon_sql.spec import resolve_spec


def refusal(folder: Path, text: str | None, face: Any = "python", **given: object) -> tuple[str, int]:
    if text is not None:
        (folder / "kanon.yml").write_text(text, encoding="utf-8")
    with pytest.raises(KanonError) as caught:
        resolve_spec(file=None if text is None else Path("kanon.yml"), given=given, face=face, base=folder)
    assert str(caught.value).isprintable()
    assert caught.value.redacted() == str(caught.value)
    return str(caught.value), caught.value.exit_code
