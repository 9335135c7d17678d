import doctest
import importlib
import pkgutil

import pytest

import isoplane.models
import isoplane.objectives.reference
import isoplane.simulator

MODULES = [
    module.name
    for package in (isoplane.models, isoplane.objectives.reference, isoplane.simulator)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_give_the_output_shown(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
