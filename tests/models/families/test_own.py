"""Families of a user's own: what their members must return, before numbers are computed with it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from types import new_class
from typing import ClassVar

import pytest

import isoplane as ip
from isoplane.models import Design, Network, UniformFamily, families, routing
from isoplane.models.cabling.assumed_lengths import with_layout_lengths
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.leaf_spine import LeafSpineFamily
from isoplane.models.installed.entry_points import FAMILY_POINTS
from isoplane.models.routing import up_down
from isoplane.models.topologies import graph
from isoplane.objectives import metrics_of
from isoplane.runs.cli.keywords import config_from
from isoplane.runs.comparison.request import request_of
from isoplane.runs.comparison.rows import compare
from isoplane.runs.inputs.named_families import left_out_families
from isoplane.simulator.measure.sweep import sequential_map
from tests.cases import for_each, require_refusal
from tests.tools import install_package


@dataclass(frozen=True, kw_only=True)
class Line(UniformFamily):
    """A line of switches."""

    name: ClassVar[str] = "line"
    length: int = 4
    degree: ClassVar[int] = 2

    @property
    def switches(self):
        return self.length

    @property
    def cables(self):
        return self.length - 1

    @property
    def size_label(self):
        return f"of {self.length}"

    def topology(self):
        return graph([(i, i + 1) for i in range(self.length - 1)])

    def routes(self):
        return up_down(self.topology())

    @classmethod
    def fitting(cls, nodes, ports):
        """Yield the longest line, with a node at each switch."""
        if ports >= cls.degree + 1:
            yield cls(length=max(2, nodes), node_cable_m=2.0)


def with_members(base, **members):
    """Return a class with other members than its base class."""
    return dataclass(frozen=True, kw_only=True)(
        new_class("Own", (base,), exec_body=lambda space: space.update(members))
    )


def test_a_line_has_the_distances_of_a_line():
    hops = sum(abs(a - b) for a in range(4) for b in range(4))
    assert metrics_of(Design(Network(Line())))["total_hops"] == hops


@for_each(
    ("members", "message"),
    [
        ({"switches": property(lambda line: "4")}, "switches: '4'; expected a whole number"),
        ({"switches": property(lambda line: 4.0)}, "switches: 4.0; expected a whole number"),
        ({"switches": lambda line: 4}, "switches: a method without @property; expected a whole number"),
        ({"degree": "2"}, "degree: '2'; expected a whole number"),  # from which ports are computed
        ({"nodes": None}, "nodes: null; expected a whole number"),
        ({"cables": True}, "cables: True; expected a whole number"),
        ({"size_label": 4}, "size_label: 4; expected text"),
        ({"name": 4}, "name: 4; expected text"),
        ({"topology": lambda line: [(0, 1)]}, "topology: [(0, 1)]; expected an object of class Topology"),
        ({"routes": lambda line: None}, "routes: null; expected an object of class Routes"),
        ({"build": lambda line, site: None}, "build: null; expected an object of class tuple"),
        ({"build": lambda line, site: (3,)}, "build: 3; expected an object of class Cabling"),
        # Numbers that what is built does not have, by which metrics would be divided.
        ({"switches": 6}, "switches: 6; expected 4, as in what it builds"),
        ({"nodes": 5}, "nodes: 5; expected 4, as in what it builds"),
        ({"cables": 4}, "cables: 4; expected 3, as in what it builds, whose mean degree is 1.5"),
    ],
)
def test_a_member_of_a_wrong_type_or_number_is_named_with_what_is_expected(members, message):
    own = with_members(Line, **members)()
    require_refusal(lambda: metrics_of(Design(Network(own))), f"^Own.{message}$")


@dataclass(frozen=True, kw_only=True)
class Typed(Line):
    """A line with fields of all types that are checked."""

    name: ClassVar[str] = "typed"
    share: float = 0.5
    closed: bool = False
    colour: "str | None" = None
    steps: tuple[int, ...] = (1,)
    other: object = None


@for_each(
    ("field", "value", "message"),
    [
        ("length", "abc", "length='abc': expected a whole number"),
        ("length", 4.5, "length=4.5: expected a whole number"),
        ("length", None, "length=null: expected a whole number"),
        ("share", "half", "share='half': expected a number"),
        ("closed", 1, "closed=1: expected true or false"),
        ("colour", 7, "colour=7: expected text or null"),
        ("steps", [1, "b"], "steps=[1, 'b']: expected a list, of which each is a whole number"),
        ("steps", 1, "steps=1: expected a list, of which each is a whole number"),
    ],
)
def test_a_value_of_a_wrong_type_is_named_with_what_its_field_expects(field, value, message):
    require_refusal(lambda: Typed.read({field: value}), f"^network.{message}$")


def test_values_of_the_types_of_their_fields_are_taken():
    member = Typed.read({"length": 5, "share": 1, "closed": True, "colour": "red", "steps": [], "other": "anything"})
    assert member == Typed(length=5, share=1, closed=True, colour="red", steps=(), other="anything")


@for_each("kind", [ValueError, TypeError, ip.InputError])
def test_a_check_of_ones_own_refuses_a_config_in_one_line(kind):
    def check(line):
        if line.length % 3:
            raise kind(f"length={line.length}: expected a multiple of 3{more}")

    more, head = ("", "") if kind is ip.InputError else ("\nin two lines", "network=line: ")
    own = with_members(Line, __post_init__=check)
    assert own.read({"length": 6}).length == 6
    require_refusal(lambda: own.read({"length": 4}), f"^{head}length=4: expected a multiple of 3$")


def test_members_that_only_some_base_classes_have_are_checked_too():
    rest = dict.fromkeys(("leaves", "uplinks"), 2) | {"spines_of_leaves": lambda own: [], "size_label": ""}
    own = with_members(LeafSpineFamily, name="own", spines=Fraction(2), **rest)
    require_refusal(lambda: Network(own()), "^Own.spines: Fraction(2, 1); expected a whole number$")


SMALL = {"nodes": 6, "ports": 4, "failures": "none", "planes": 1, "node_ports": 1, "throughput": 0.1}


def compared(*names):
    """Return the rows of a comparison of families for 6 nodes."""
    config, _ = config_from("compare", {**SMALL, "families": [*names]})
    return [rows for _, rows in compare(request_of(config), sequential_map) if rows][-1]


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a function that installs a package with a class of a family."""

    def install(own):
        monkeypatch.setitem(globals(), "installed_class", own)
        install_package(tmp_path, monkeypatch, FAMILY_POINTS, **{own.name: f"{__name__}:installed_class"})

    yield install
    families._load_built_in.cache_clear()


def test_a_family_with_sizes_is_compared(installed):
    for make_known in (lambda: None, lambda: installed(Line)):  # a program finds what it has defined
        make_known()
        (row,) = compared("line")
        assert row.design.family == with_layout_lengths(Line(length=6, node_cable_m=2.0))


@for_each(
    ("fitting", "message"),
    [
        (classmethod(lambda cls, nodes, ports: [3]), "^Own.fitting: 3; expected an object of class Own$"),
        (lambda nodes, ports: [], "has fitting without @classmethod; expected @classmethod def fitting"),
    ],
)
def test_wrong_sizes_are_refused(installed, fitting, message):
    installed(with_members(Line, name="own", fitting=fitting))
    require_refusal(lambda: compared("own"), message)


def test_members_with_routings_of_isoplane_look_for_packages_once(monkeypatch):
    members = [Torus(shape=(3, 3)), Torus(datelines=False, routing="balanced"), SlimFly()]
    monkeypatch.setattr(routing, "points_of", None)
    assert [replace(member) for member in members] == members
    assert [member.reaches_bound for member in members[:2]] == [True, False]


def test_a_class_that_a_program_has_defined_is_compared_where_it_is_given():
    (row,) = ip.compare(families=[Line], **SMALL).rows
    assert row["family"] == Line.name
    assert Line.name in left_out_families()  # where none are given, which a note says


@for_each(
    ("family", "message"),
    [
        (with_members(Line), "has the name 'line', which is that of tests.models.families.test_own.Line"),
        (with_members(Torus), "has the name 'torus', which is that of isoplane.models.families.torus.Torus"),
        (with_members(UniformFamily), "does not define "),
    ],
)
def test_a_class_that_is_not_found_by_its_name_is_refused(family, message):
    require_refusal(lambda: ip.compare(families=family, **SMALL), f"^families=Own {message}")
