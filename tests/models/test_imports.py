"""Names that packages hand on, and modules at the names that they had before."""

import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import isoplane.models
from isoplane.models.imports import MOVED, handed_on
from tests.cases import for_each


@for_each("old", MOVED)
def test_a_module_that_has_moved_is_found_by_its_old_name_with_a_warning(old):
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"^{old} is {MOVED[old]} now$"):
        module = import_module(old)
    new = import_module(MOVED[old])
    names = [name for name in vars(new) if not name.startswith("__")]
    assert names
    assert all(getattr(module, name) is getattr(new, name) for name in names)


def test_a_name_that_has_changed_is_found_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"^isoplane.models.HybridFamily is OpticalFamily now$"):
        assert isoplane.models.HybridFamily is isoplane.models.OpticalFamily


def test_a_name_is_imported_at_its_first_use():
    loaded = "print('numpy' in sys.modules)"
    code = f"import sys, isoplane.models; {loaded}; isoplane.models.Layout; {loaded}"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "False\nTrue\n"


def test_all_names_of_a_package_are_found_and_no_others():
    assert all(getattr(isoplane.models, name) is not None for name in isoplane.models.__all__)
    with pytest.raises(AttributeError, match=r"^module 'isoplane.models' has no attribute 'Nothing'$"):
        handed_on("isoplane.models", isoplane.models.__file__)("Nothing")
    with warnings.catch_warnings(), pytest.raises(ModuleNotFoundError):
        import_module("isoplane.models.nothing")
