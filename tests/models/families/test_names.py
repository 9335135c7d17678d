"""Families by name, the help on their keys, and networks inside of others."""

import re
from dataclasses import MISSING, dataclass, fields
from functools import partial
from importlib import resources
from inspect import cleandoc
from itertools import product
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from isoplane.models import (
    Family,
    InputError,
    Network,
    OpticalOverlay,
    Site,
    UniformFamily,
    dual_cube,
    families,
    family_named,
    family_names,
)
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families._dual_cube import port_aggregate
from isoplane.models.families._nested import keys_within
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.installed.entry_points import FAMILY_POINTS
from isoplane.objectives.general import GeneralExact
from tests.cases import for_each, require_refusal
from tests.models.families.members import PLANES
from tests.tools import install_package


@dataclass(frozen=True, kw_only=True)
class Ring(Torus):
    name: ClassVar[str] = "ring"


@dataclass(frozen=True, kw_only=True)
class Unconnected(UniformFamily):
    """Does not say what its cables connect."""

    name: ClassVar[str] = "ring"
    switches: ClassVar[int] = 3
    degree: ClassVar[int] = 2
    size_label: ClassVar[str] = "3"


@dataclass(frozen=True, kw_only=True)
class Titled(Ring):
    title: str  # in place of a property


@dataclass(frozen=True, kw_only=True)
class Switched(UniformFamily):
    name: ClassVar[str] = "ring"
    switches: int  # in place of one that is abstract


class Undecorated(Family):
    name: ClassVar[str] = "ring"


@dataclass(frozen=True, kw_only=True)
class Sizeless(Ring):
    size: int


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a package with families, given as name=value."""
    yield partial(install_package, tmp_path, monkeypatch, FAMILY_POINTS)
    families._load_built_in.cache_clear()


def test_an_installed_package_can_provide_a_family(install):
    install(ring=f"{__name__}:Ring")
    assert "ring" in family_names()
    assert family_named("ring") is Ring


@for_each("named", [family_named, lambda name: family_names(), families.is_family])
def test_a_package_with_the_name_of_a_built_in_family_is_refused_in_one_line(install, named):
    families._load_built_in.cache_clear()
    install(torus=f"{__name__}:Ring")
    message = "entry point isoplane.families: torus = .*:Ring: a name of isoplane itself; expected a name of its own"
    with pytest.raises(InputError, match=message):
        named("torus")


@for_each(
    ("value", "message"),
    [
        *((value, "cannot be imported (") for value in ("missing_module_of_a_test:Ring", f"{__name__}:Missing")),
        (f"{__name__}:pytest", "expected a subclass of isoplane.models.Family$"),
        (f"{__name__}:Undecorated", "Undecorated is no dataclass; expected @dataclass"),
        (
            f"{__name__}:Titled",
            "has a field title in place of a property of its base class; expected a default: title:",
        ),
        (f"{__name__}:Switched", "has a field switches in place of a property of its base class; expected a default: "),
        (f"{__name__}:Unconnected", "does not define routes, topology; expected all that is abstract"),
    ],
)
def test_a_bad_entry_point_is_reported(install, value, message):
    install(ring=value)
    require_refusal(lambda: family_named("ring"), message)


def test_a_value_without_a_default_is_asked_for():
    require_refusal(lambda: Sizeless.read({"shape": [4]}), "^network.size: missing; expected a value")
    assert Sizeless.read({"shape": [4], "size": 3}).size == 3


@for_each("name", ["nothing", 3, None, "../torus", ["torus"]])
def test_an_unknown_name_is_rejected_with_the_known_ones(name):
    with pytest.raises(
        InputError, match=r"network\.family=.*: expected .*direct_hypercube, dragonfly, fabric, fat_tree, "
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
    assert yaml == {"family": "graph", "file": None, "edges": None, **defaults}


OUTER = [("multi_plane", "plane"), ("optical_overlay", "packet")]


def message_of(family, keys):
    with pytest.raises(InputError) as caught:
        family_named(family).read(keys)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@for_each(("family", "place"), OUTER)
@for_each(
    "keys",
    [
        {"family": "torus", "shape": [1]},
        {"family": "slim_fly", "q": 6},
        {"family": "slim_fly", "assumed_cable_m": -1},
        {"family": "hyperx", "routing": "xy"},
        {"family": "hyperx", "depth": 3},
        {"family": "dragonfly", "groups": 10},
        {"family": "graph", "file": None},
        {"family": "leaf_spine", "seed": 2},  # names network.routing, too
        {"family": "torus", "datelines": True, "routing": "up_down"},  # the same
        {"family": "xgft", "children": [2, 2], "parents": [1, 2, 3]},  # names network.children, too
    ],
)
def test_all_keys_in_a_message_have_the_prefix_of_their_network(family, place, keys):
    alone = message_of(keys["family"], {key: value for key, value in keys.items() if key != "family"})
    assert alone.startswith("network.")
    assert message_of(family, {place: keys}) == alone.replace("network.", f"network.{place}.")


def inner(**keys):
    return {"packet": {"family": "multi_plane", "plane": keys or None}}


@for_each(
    ("family", "keys", "says"),
    [
        *((family, {place: {"family": name}}, f"^network.{place}.family={name!r}: expected")
          for (family, place), name in product(OUTER, ("absent", None, 3))),
        ("optical_overlay", inner(family="slim_fly", q=6), "^network.packet.plane.q=6: expected a prime power"),
        ("optical_overlay", inner(family="leaf_spine", seed=2), "allowed with network.packet.plane.routing=random$"),
        ("optical_overlay", inner(), "^network.packet.plane=None: expected the keys of a family"),
        ("multi_plane", {"plane": {"family": "slim_fly", "q": 7}, "planes": 9}, "^network.planes=9: expected"),
        ("multi_plane", {"plane": {"family": "slim_fly", "q": 7}, "depth": 9}, "^network.depth: unknown"),
        ("multi_plane", {"plane": {"family": "graph", "file": "a network.txt"}}, "^network.plane.file=a network.txt: "),
    ],
)  # fmt: skip
def test_prefixes_are_those_of_all_networks_around(family, keys, says):
    require_refusal(lambda: family_named(family).read(keys), says)


def test_errors_of_building_have_the_prefix():
    network = Network(OpticalOverlay(packet=MultiPlane(plane=MultiPlane()), group_size=1), Site(layout=None))
    for says in ("^network.packet.plane: ", "has 2 planes; expected a family of one"):
        require_refusal(lambda: network.planes, says)


def test_other_errors_pass_unchanged():
    with pytest.raises(InputError, match=r"^layout=null: expected racks$"), keys_within("plane"):
        raise InputError("layout=null: expected racks")
    with pytest.raises(ValueError, match=r"^network\.q$"), keys_within("plane"):
        raise ValueError("network.q")


def test_links_of_a_plane_whose_nodes_have_several_are_grouped_by_node():
    hyperx = HyperX(shape=(3, 2), nodes_per_switch=4)
    nested = MultiPlane(plane=MultiPlane(plane=hyperx, planes=1, links_per_node=2), links_per_node=2)
    flat = MultiPlane(plane=hyperx, links_per_node=4)
    assert nested.nodes == flat.nodes == 6
    planes = zip(Network(nested).planes, Network(flat).planes, strict=True)
    assert all(one.starts.tolist() == other.starts.tolist() == list(range(0, 25, 4)) for one, other in planes)


@given(PLANES, st.integers(2, 4), st.sampled_from(["nearest", "spray"]))
def test_identical_planes_multiply_the_throughput_and_keep_the_distances(plane, planes, policy):
    one = GeneralExact(Network(plane))
    several = GeneralExact(Network(MultiPlane(plane=plane, planes=planes, policy=policy)))
    assert several.peak_load * one.parts * planes == one.peak_load * several.parts
    assert several.total_hops * one.hop_parts == one.total_hops * several.hop_parts
    assert several.diameter == one.diameter


def test_one_plane_with_two_links_per_node_is_port_aggregate():
    # Port-Aggregate of the dual-plane 3-cube: a 4-cube with both links of 2 nodes at each switch.
    baseline = port_aggregate(dual_cube(3, (1, 2, 4), layout=None))
    plane = Torus(shape=(2, 2, 2, 2), nodes_per_switch=4, node_cable_m=2.0, datelines=False)
    ours = GeneralExact(Network(MultiPlane(plane=plane, planes=1, links_per_node=2), Site(layout=None)))
    theirs = GeneralExact(baseline)
    assert (ours.total_hops, ours.diameter) == (theirs.total_hops, theirs.diameter)
    assert ours.peak_load * theirs.parts == theirs.peak_load * ours.parts


@given(PLANES)
def test_lengths_from_the_layout_are_those_of_the_plane(plane):
    family = MultiPlane(plane=plane)
    assert family.assumed_cable_m == plane.assumed_cable_m
    free = with_layout_lengths(family)
    assert free.assumed_cable_m is None
    built = Network(free, Site(layout=None)).planes
    assert all(not each.cable_mm.any() for each in built)


def test_a_config_names_the_family_of_its_planes():
    keys = {"plane": {"family": "slim_fly", "q": 7}, "planes": 2}
    assert MultiPlane.read(keys) == MultiPlane(plane=SlimFly(q=7))
    assert MultiPlane.read({"plane": {"family": "slim_fly", "assumed_cable_m": None}}).assumed_cable_m is None


def test_records_keep_the_older_name_of_the_assumed_length_of_cables():
    family = SlimFly(assumed_cable_m=7.5)
    keys = family.write()["network"]
    assert keys["cable_m"] == 7.5
    assert "assumed_cable_m" not in keys
    assert SlimFly.read(keys) == SlimFly.read({"assumed_cable_m": 7.5}) == family
    assert (
        SlimFly.read({"assumed_cable_m": 5.0, "cable_m": None}).assumed_cable_m is None
    )  # a default, and a user's file


@for_each("name", ["leaf_spine", "full_mesh"])
@given(st.integers(1, 600), st.integers(4, 40), st.fractions(min_value="1/4", max_value=1, max_denominator=8))
def test_a_taper_is_the_ratio_of_uplinks_to_nodes_of_a_leaf(name, nodes, ports, taper):
    for member in family_named(name).tapered(nodes, ports, taper):
        assert member.nodes >= nodes
        assert member.ports <= ports
        assert member.cables >= taper * member.nodes  # all cables are uplinks of leaves, the same number at each
