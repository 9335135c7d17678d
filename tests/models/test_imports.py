"""Names that packages hand on, examples in docstrings, and names of devices."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
import warnings
from importlib import import_module

import pytest

import isoplane.models
from isoplane.models import Design, Network
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.imports import MOVED, handed_on
from isoplane.runs.records import design_content, design_of_record, id_of, names_content
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


MODULES = [module.name for module in pkgutil.walk_packages(isoplane.models.__path__, "isoplane.models.")]


@for_each("name", MODULES)
def test_docstring_examples_give_the_output_shown(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


PLANE = FabricPlane(switches=2, cables=((0, 3, 1, 5),), nodes=((0, 0, 1), (1, 1, 1)))
NAMES = DeviceNames((("leaf <0>", "P0-S1"),), ("host, 7", "N1"))


def test_a_device_is_shown_by_its_name_and_by_that_in_exports_unless_they_are_one():
    assert [NAMES.switch(0, switch) for switch in (0, 1)] == ["leaf <0> (P0-S0)", "P0-S1"]
    assert [NAMES.node(node) for node in (0, 1)] == ["host, 7 (N0)", "N1"]


def test_names_change_neither_the_design_nor_its_id():
    named, bare = Fabric(planes=(PLANE,), names=NAMES), Fabric(planes=(PLANE,))
    assert (named, hash(named)) == (bare, hash(bare))
    contents = [design_content(Design(Network(family))) for family in (named, bare)]
    assert contents[0] == contents[1]
    record = {**contents[0], **names_content(Design(Network(named)))}
    assert id_of(record) == id_of(contents[1])
    assert design_of_record(record).network.family.names == NAMES
    assert design_of_record(contents[1]).network.family.names is None
    assert names_content(Design(Network(bare))) == {}


def test_names_are_read_back_and_two_spellings_of_a_guid_are_one_alias():
    assert DeviceNames.read(NAMES.write()) == NAMES
    written = {**NAMES.write(), "aliases": {"0x1F": "P0-S0", "0x001f": "P0-S0"}}
    assert DeviceNames.read(written).guids == {"P0-S0": "0x1f"}
