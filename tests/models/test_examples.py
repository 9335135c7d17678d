import doctest
import importlib
import pkgutil

import isoplane.models
from tests.cases import for_each

MODULES = [module.name for module in pkgutil.walk_packages(isoplane.models.__path__, "isoplane.models.")]


@for_each("name", MODULES)
def test_docstring_examples_give_the_output_shown(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
