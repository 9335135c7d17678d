"""Lengths of the routes of all pairs of nodes, against SimGrid's own tori, fat-trees and dragonflies.

SimGrid's routes have one link per hop and direction. Nodes of its tori are their switches, as in a direct network;
those of its trees and dragonflies have a link to their switch and one from it, even in the route of a node to itself.
Clusters have no loopback or limiter links unless the platform asks for them. So both sides count the same links.
"""

import subprocess
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from tests.cases import for_each
from tests.tools import HANG_S, compile_with_simgrid

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" lat="1us"
           topology="{topology}" topo_parameters="{parameters}"/>
</platform>
"""
few = settings(max_examples=8)  # each starts a process


@pytest.fixture(scope="module")
def simgrid(tmp_path_factory):
    """Return a function from a cluster to the number of links on the route of each pair of its nodes."""
    folder = tmp_path_factory.mktemp("simgrid")
    source, program, platform = (
        Path(__file__).with_name("simgrid_routes.cpp"),
        folder / "routes",
        folder / "cluster.xml",
    )
    compile_with_simgrid(source, program)

    def lengths(topology, parameters, nodes):
        platform.write_text(PLATFORM.format(last=nodes - 1, topology=topology, parameters=parameters))
        printed = subprocess.run([program, platform], check=True, capture_output=True, text=True, timeout=HANG_S).stdout
        return np.array([line.split() for line in printed.splitlines()], dtype=int)

    return lengths


def route_lengths(network, order=None):
    """Return the number of links on the route of each pair of nodes, taken in an order."""
    nodes = np.arange(network.nodes) if order is None else order
    source, destination = (each.ravel() for each in np.meshgrid(nodes, nodes, indexing="ij"))
    start, _ = network.route_links(source, destination, 0)
    return np.diff(start).reshape(len(nodes), len(nodes))


def joined(values):
    return ",".join(map(str, values))


@given(st.lists(st.integers(2, 6), min_size=1, max_size=4).map(tuple).filter(lambda shape: prod(shape) <= 100))
@few
def test_routes_of_a_torus_are_as_long_as_those_of_simgrid(simgrid, shape):
    expected = simgrid("TORUS", joined(shape), prod(shape))
    assert np.array_equal(route_lengths(Network(Torus(shape=shape))), expected)


@for_each("k", [2, 4, 6])
def test_routes_of_a_three_level_fat_tree_are_as_long_as_those_of_simgrid(simgrid, k):
    # k/2 nodes at an edge switch, k/2 edge switches in a pod, k pods; 1, k/2 and k/2 cables up from each.
    half = k // 2
    expected = simgrid("FAT_TREE", f"3;{half},{half},{k};1,{half},{half};1,1,1", k * half**2)
    assert np.array_equal(route_lengths(Network(FatTree(switch_ports=k))), expected)


@given(st.integers(2, 6), st.integers(1, 4), st.integers(1, 5))
@few
def test_routes_of_a_two_level_fat_tree_of_any_taper_are_as_long_as_those_of_simgrid(simgrid, leaves, spines, per_leaf):
    tree = LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=per_leaf)
    expected = simgrid("FAT_TREE", f"2;{per_leaf},{leaves};1,{spines};1,1", leaves * per_leaf)
    assert np.array_equal(route_lengths(Network(tree)), expected)


@st.composite
def cascades(draw):
    """Dragonflies with one global port a switch, one cable between two groups, and at most as many groups as blades."""
    blades = draw(st.integers(3, 6))
    groups = draw(st.integers(blades // 2 + 2, blades))
    arrangement = draw(st.sampled_from(["absolute", "relative", "circulant"]))
    return Dragonfly(switches_per_group=blades, global_ports=1, groups=groups, arrangement=arrangement)


def switches_of_blades(family):
    """Return our switch for each of SimGrid's blades, as int[groups, blades].

    SimGrid's dragonfly is a Cray Cascade, here of one chassis: blade t of group j has the cable to group t, and blade j
    of group t is at its other end. Ours are the same switches in another order within each group; those without a cable
    to another group come in any order.
    """
    blades, peer = family.switches_per_group, family.topology().peer
    found = np.full((family.groups, blades), -1)
    for group in range(family.groups):
        own = range(group * blades, (group + 1) * blades)
        others = {switch: set((peer[switch][peer[switch] >= 0] // blades).tolist()) - {group} for switch in own}
        for switch, (there,) in ((switch, there) for switch, there in others.items() if there):
            found[group, there] = switch
        found[group, found[group] < 0] = [switch for switch in own if not others[switch]]
    return found


@given(cascades())
@few
def test_routes_of_a_dragonfly_of_one_chassis_a_group_are_as_long_as_those_of_simgrid(simgrid, family):
    per_switch = family.nodes_per_switch
    expected = simgrid(
        "DRAGONFLY", f"{family.groups},1;1,1;{family.switches_per_group},1;{per_switch}", family.switches * per_switch
    )
    switch = switches_of_blades(family).ravel()
    assert sorted(switch.tolist()) == list(range(family.switches))
    order = (switch[:, None] * per_switch + np.arange(per_switch)).ravel()
    assert np.array_equal(route_lengths(Network(family), order), expected)
