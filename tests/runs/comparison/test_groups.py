"""The columns of designs: complete for every arrangement, and consistent with each other."""

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

import isoplane as ip
from isoplane.models import Layout, Network
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import LossSummary
from isoplane.runs.comparison.compared_design import ComparedDesign, size
from isoplane.runs.comparison.groups import failures, groups
from isoplane.runs.comparison.page import page
from isoplane.runs.comparison.rows import Row
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.tables import size_text
from tests.cases import for_each
from tests.runs.comparison.test_sizing import REQUEST

SMALL = replace(REQUEST, nodes=24, ports=12)
LEAST = Fraction(1, 2)


def compared(family, planes, relabelled=False, request=SMALL):
    arrangement = Arrangement(family, planes, relabelled)
    design = size(arrangement, request, LEAST)
    assert isinstance(design, SizedDesign)
    return ComparedDesign(arrangement, LEAST, design, request)


COMPARED = [
    ("hyperx", 1),
    ("leaf_spine", 2),
    ("hypercube", 2, True),
    ("slim_fly", 2),
    ("dragonfly", 1),
]


@for_each("arguments", COMPARED)
def test_every_column_of_a_group_has_a_value_and_no_other_and_bounds_hold(arguments, tmp_path):
    design, found = compared(*arguments), {}
    for group in groups():
        values = group.values(design)
        assert list(values) == [column.key for column in group.columns]
        found |= values
    assert found["throughput"] <= found["throughput_bound"] * (1 + 1e-12)
    assert found["throughput_flow"] <= found["throughput_bound"]
    assert found["bisection_bound"] <= found["bisection"] * (1 + 1e-12)
    assert found["bisection_spectral"] <= found["bisection_bound"] * (1 + 1e-12)
    assert found["bisection_metis"] is None or found["bisection"] <= found["bisection_metis"] * (1 + 1e-12)
    assert found["disjoint_paths_min"] <= found["disjoint_paths"]
    assert found["permutation_flow"] <= found["permutation_bound"] <= found["longest_permutation_bound"] * (1 + 1e-12)
    assert found["permutation_bound"] <= found["worst_permutation_bound"]
    assert found["worst_permutation"] <= found["worst_permutation_flow"] * (1 + 1e-3)
    if found["worst_permutation_adaptive"] is not None:
        assert found["worst_permutation"] <= found["worst_permutation_adaptive"] <= found["worst_permutation_bound"]
    if found["worst_permutation_exact"]:  # a permutation may send half of the nodes to the other half
        assert found["worst_permutation"] <= found["bisection"] + 1e-12
    assert found["nodes"] * SMALL.node_ports + 2 * found["cables"] + found["spare_ports"] == 12 * found["switches"]
    if found["aspl_spray"] is not None:
        assert found["aspl"] <= found["aspl_spray"]
    with nullcontext() if found["opensm"] else pytest.raises(ip.InputError, match="format=opensm"):
        ip.export(design.network.family, "opensm", tmp_path / str(arguments), layout=None)


def test_the_longest_cable_is_that_of_a_node_if_all_switches_share_a_rack():
    one_rack = replace(SMALL, site=replace(SMALL.site, layout=Layout(switches_per_rack=64, aspects=())))
    (cost,) = (group for group in groups() if "longest_cable_m" in [column.key for column in group.columns])
    assert cost.values(compared("leaf_spine", 2, request=one_rack))["longest_cable_m"] == 2  # others have 1 m


def test_what_disconnects_nodes_is_counted_in_draws_or_in_cables_where_each_fails_once():
    counted = {column.unit for column in failures.GROUP.columns if column.key.endswith("_disconnected")}
    assert counted == {"draws or cables", "cables that do, if at most 256 cables"}


@for_each(
    ("network", "disconnected", "throughput"),
    [
        (Torus(shape=(5,), assumed_cable_m=None), 0, 1 / 2),  # a path, with 2 · 3 packets on a cable in place of 3
        (Mesh(shape=(4,), assumed_cable_m=None), 3, None),
    ],
)
def test_the_loss_of_a_cable_is_that_of_the_worst_one(monkeypatch, network, disconnected, throughput):
    design = SimpleNamespace(network=Network(network, SMALL.site), request=SMALL)
    values = failures.values(design)
    assert (values["cable_lost_disconnected"], values["cable_lost_throughput"]) == (disconnected, throughput)
    monkeypatch.setattr(failures, "MAX_SINGLES", network.cables - 1)
    values = failures.values(design)
    assert (values["cable_lost_disconnected"], values["cable_lost_throughput"]) == (None, None)
    monkeypatch.undo()


@for_each("family", ["hyperx", "leaf_spine", "slim_fly"])
def test_identical_planes_are_measured_like_the_whole_network(family):
    one = compared(family, 2)
    whole = ComparedDesign(one.arrangement, one.least, one.design, one.request)
    object.__setattr__(whole, "identical_planes", (whole.network, 1))
    structure = next(group for group in groups() if "bisection" in [column.key for column in group.columns])
    ours, theirs = structure.values(one), structure.values(whole)
    exact = [
        "throughput_flow",
        "throughput_bound",
        "disjoint_paths_min",
        "disjoint_paths",
        "shortest_paths_min",
    ]
    assert {key: ours[key] for key in exact} == pytest.approx({key: theirs[key] for key in exact}, rel=1e-3)
    permutations = next(group for group in groups() if group.title == "Worst traffic")
    ours, theirs = permutations.values(one), permutations.values(whole)
    exact = ["permutation_bound", "longest_permutation_bound", "worst_permutation"]
    assert {key: ours[key] for key in exact} == pytest.approx({key: theirs[key] for key in exact}, rel=1e-3)


def test_relabelled_planes_gain_nothing_under_spray():
    identical, relabelled = compared("hypercube", 2), compared("hypercube", 2, True)
    routes = next(group for group in groups() if group.title == "Routes")
    same, other = routes.values(identical), routes.values(relabelled)
    assert other["aspl"] < same["aspl"]
    assert other["aspl_spray"] >= same["aspl_spray"] == same["aspl"]


def test_designs_are_ordered_by_the_worst_permutation_and_the_range_of_the_price_stands_at_the_head():
    columns = [column.key for group in groups() for column in group.columns]
    rows = []
    for family, bound in (("hyperx", 0.25), ("leaf_spine", 0.5), ("full_mesh", None)):
        one = compared(family, 1)
        values = {**dict.fromkeys(columns, 1.0), "permutation_bound": bound}
        rows.append(Row(one.arrangement, one.least, one.design, values))
    text = page(replace(SMALL, throughputs=(LEAST,)), rows)
    table = text[text.index("Worst traffic") :]
    names = [size_text(row) for row in rows]
    places = [table.index(f"{number}  {names[number - 1]}") for number in (2, 1, 3)]
    assert places == sorted(places)
    rows[0].values.update(cost_low_usd_per_node=5.0, cost_high_usd_per_node=15.0)
    assert "in the ranges of prices: 5 to 15 " in page(replace(SMALL, throughputs=(LEAST,)), rows)
    assert ">Cables, power and price<" in text
    for row in rows:
        row.values["power_kw"] = None
    assert ">Cables and price<" in page(replace(SMALL, throughputs=(LEAST,)), rows)


def test_growth_starts_from_the_price_that_is_shown():
    floor = replace(SMALL, site=replace(SMALL.site, layout=Layout(aspects=(), assignment="search")))
    one = ComparedDesign(*_sized(floor), floor)
    cost = next(group for group in groups() if group.title == "Cables, power and price")
    growth = next(group for group in groups() if group.title == "Growth")
    larger = replace(floor, nodes=2 * floor.nodes)
    two = ComparedDesign(*_sized(larger), larger)
    shown = [2 * cost.values(two)["cost_usd_per_node"], cost.values(one)["cost_usd_per_node"]]
    added = (shown[0] - shown[1]) * floor.nodes
    assert growth.values(one)["growth_100_usd"] == pytest.approx(added)


def test_where_a_limit_excludes_the_larger_sizes_growth_says_which():
    near = replace(SMALL, diameter=1, ports=12)
    arrangement = Arrangement("hyperx", 2)
    design = size(arrangement, near, Fraction(1, 2))
    growth = next(group for group in groups() if group.title == "Growth")
    free, limited = (
        growth.values(ComparedDesign(arrangement, Fraction(1, 2), design, replace(near, nodes=60, diameter=limit)))
        for limit in (None, 1)
    )
    assert free["growth_100_usd"] > 0
    assert free["growth_100_reason"] is None
    assert limited["growth_100_usd"] is None
    assert limited["growth_100_reason"].endswith(" above the limit of 1")


def _sized(request):
    """A HyperX in two planes, whose racks are searched for."""
    arrangement = Arrangement("hyperx", 2)
    return arrangement, Fraction(1, 2), size(arrangement, request, Fraction(1, 2))


@for_each(("switch", "rack", "names"), [(5, 0, ["P0-S5", "R1-1"]), (6, 2, ["P1-S0", "R1-3"])])
def test_the_worst_losses_of_two_planes_have_the_names_of_exports(monkeypatch, switch, rack, names):
    two = compared("torus", 2)  # six switches in each plane, two of each in a rack
    for kind, worst in (("switch_lost", switch), ("rack_lost", rack)):
        monkeypatch.setattr(failures, kind, lambda *_, worst=worst: LossSummary(12, 12, Fraction(0), 0, None, worst))
    values = failures.values(two)
    assert [values["switch_lost_worst"], values["rack_lost_worst"]] == names


def test_the_worst_switch_to_lose_in_a_tree_is_a_spine():
    tree = compared("leaf_spine", 1)
    leaves = tree.family.plane.leaf_switches
    assert failures.values(tree)["switch_lost_worst"] == f"P0-S{leaves}"  # the first one
