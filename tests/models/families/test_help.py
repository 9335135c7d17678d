"""The Parameters in the docstring of a family are shown as help on its keys."""

import re
from dataclasses import MISSING, fields
from importlib import resources
from inspect import cleandoc

from omegaconf import OmegaConf

from isoplane.models import family_named, family_names
from tests.cases import for_each


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
