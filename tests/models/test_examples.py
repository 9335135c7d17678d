import doctest
import importlib
import pkgutil

import pytest

import isoplane.models
import isoplane.objectives.reference

MODULES = [
    module.name
    for package in (isoplane.models, isoplane.objectives.reference)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_docstring_gives_what_it_shows(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
