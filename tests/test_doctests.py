"""The examples in the docstrings are true, in every module of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import kanon_sql

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(kanon_sql.__path__, "kanon_sql.")
    if module.name != "kanon_sql.__main__"  # importing it runs the command line
)
AT_LEAST = 15


@pytest.mark.parametrize("name", ["kanon_sql", *MODULES])
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_many_modules_have_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    with_examples = [
        name
        for name in MODULES
        if any(found.examples for found in finder.find(importlib.import_module(name)))
    ]
    assert len(with_examples) >= AT_LEAST
