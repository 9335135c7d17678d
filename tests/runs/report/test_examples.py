import doctest
import importlib
import pkgutil

import pytest

import isoplane.runs.report

MODULES = [module.name for module in pkgutil.walk_packages(isoplane.runs.report.__path__, "isoplane.runs.report.")]


@pytest.mark.parametrize("name", MODULES)
def test_every_docstring_example_gives_what_it_shows(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
