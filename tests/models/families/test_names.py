"""Families by name: built in, from installed packages, or unknown."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import ClassVar

import pytest

from isoplane.models import InputError, families, family_named, family_names
from isoplane.models.families.torus import Torus
from tests.cases import for_each


@dataclass(frozen=True, kw_only=True)
class Ring(Torus):
    name: ClassVar[str] = "ring"


@pytest.fixture
def install(monkeypatch):
    """Return a function that simulates an installed package with entry points, given as name=value."""

    def simulate(**points):
        found = {name: EntryPoint(name, value, families.ENTRY_POINTS) for name, value in points.items()}
        monkeypatch.setattr(families, "_entry_points", lambda: found)

    return simulate


def test_every_built_in_family_has_the_name_of_its_file():
    assert {"hypercube", "folded_hypercube", "hybrid", "torus", "mesh", "rdt", "fat_tree", "xgft", "graph"} <= set(
        family_names()
    )
    assert all(family_named(name).name == name for name in family_names())


def test_an_installed_package_can_provide_a_family(install):
    install(ring=f"{__name__}:Ring")
    assert "ring" in family_names()
    assert family_named("ring") is Ring


def test_a_built_in_family_takes_precedence_over_an_installed_one(install):
    install(torus=f"{__name__}:Ring")
    assert family_named("torus") is Torus


@for_each("value", ["missing_module_of_a_test:Ring", f"{__name__}:Missing", f"{__name__}:pytest"])
def test_a_bad_entry_point_is_reported(install, value):
    install(ring=value)
    with pytest.raises(InputError, match="network=ring: ") as caught:
        family_named("ring")
    assert "\n" not in str(caught.value)


@for_each("name", ["nothing", 3, None, "../torus", ["torus"]])
def test_an_unknown_name_is_rejected_with_the_known_ones(name):
    with pytest.raises(
        InputError, match=r"network\.family=.*: expected direct_hypercube, dragonfly, fabric, fat_tree, "
    ):
        family_named(name)
