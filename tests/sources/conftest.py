"""The people in a database, and the answer for them as a plain table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sources.support import Answer, People, answer, make_people


@pytest.fixture
def people(tmp_path: Path) -> People:
    return make_people(tmp_path)


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    here = make_people(tmp_path_factory.mktemp("plain"))
    found = answer(here.run(here.database, table="people", output="released"))
    vector, suppressed, rows = found
    # Something was generalized, something suppressed; NULL, empty and awkward texts are in what is left.
    assert (sum(vector.values()), suppressed) == (1, 13)
    assert {row[3] for row in rows} == {None, "", 'a "b", c', "flu", "two\nlines", "größe"}
    return found
