import doctest
import importlib
import pkgutil

import pytest

import isoplane.runs.records

MODULES = [f"isoplane.runs.records.{module.name}" for module in pkgutil.iter_modules(isoplane.runs.records.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_every_docstring_example_gives_what_it_shows(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
