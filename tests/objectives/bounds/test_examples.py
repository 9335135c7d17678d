import doctest
import importlib
import pkgutil

import pytest

import isoplane.objectives.bounds

MODULES = [module.name for module in pkgutil.iter_modules(isoplane.objectives.bounds.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__main__"])
def test_every_example_of_a_docstring_gives_what_it_shows(name):
    assert doctest.testmod(importlib.import_module(f"isoplane.objectives.bounds.{name}")).failed == 0
