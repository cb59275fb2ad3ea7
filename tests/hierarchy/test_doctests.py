import doctest
import importlib
import pkgutil

import pytest

import kanon_sql.hierarchy as room

MODULES = [f"{room.__name__}.{module.name}" for module in pkgutil.iter_modules(room.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
