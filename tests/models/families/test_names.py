"""Families by name, built in or from installed packages, and the help on their keys."""

import re
from dataclasses import MISSING, dataclass, fields
from importlib import resources
from importlib.metadata import EntryPoint
from inspect import cleandoc
from typing import ClassVar

import pytest
from omegaconf import OmegaConf

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


def documented(family):
    """The names under Parameters in the docstrings of a class and its bases."""
    names = set()
    for cls in family.__mro__:
        section = re.search(
            r"^Parameters\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", cleandoc(cls.__doc__ or ""), re.S | re.M
        )
        for line in re.findall(r"^\w[\w, ]*$", section[1], re.M) if section else ():
            names.update(line.split(", "))
    return names


@for_each("name", family_names())
def test_every_field_is_a_parameter_and_every_parameter_a_field(name):
    family = family_named(name)
    assert documented(family) == {field.name for field in fields(family)}


def test_a_graph_has_the_defaults_of_its_yaml_and_its_edges_in_a_file():
    text = resources.files("isoplane.conf").joinpath("network", "graph.yaml").read_text(encoding="utf-8")
    yaml = OmegaConf.to_container(OmegaConf.create(text))
    defaults = {field.name: field.default for field in fields(family_named("graph"))}
    assert defaults.pop("edges") is MISSING
    assert yaml == {"family": "graph", "file": None, **defaults}
