"""The benchmark of saturation: its members, their bounds and busiest links, and its searches with doubled resources."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from isoplane.models import family_named, family_names
from isoplane.simulator import Hardware, Simulation, Traffic
from tests.cases import for_each

MEMBERS = (*sorted(name for name in family_names() if family_named(name).kind != "circuits"), "port_aggregate")


@pytest.fixture(scope="module")
def script(import_script):
    return import_script("saturation")


def packets_over_ports(network):
    """Packets over every port between switches, by element and port, if each node sends one to every other node."""
    source, destination = np.nonzero(~np.eye(network.nodes, dtype=bool))
    found, hops, elements = [], [], 0
    for number, plane in enumerate(network.planes):
        link_of = np.arange(network.nodes) if plane.node_start is None else plane.node_start[:-1].astype(np.int64)
        assert np.all(plane.node_switch[link_of] == plane.node_switch[link_of + np.diff(plane.starts) - 1])
        start, link = network.route_links(link_of[source], link_of[destination], number)
        ports = np.argwhere(plane.topology.peer >= 0)
        number_in_plane = link - sum(each.links for each in network.plane_links[:number])
        found.append((elements + ports[:, 0], ports[:, 1], start, number_in_plane))
        hops.append(np.diff(start))
        elements += plane.topology.switches
    nearest = np.stack(hops) == np.min(hops, axis=0)
    share = nearest * (2 // nearest.sum(axis=0))  # in half packets, of at most two planes
    loads = {}
    for (element, port, _, link), plane_hops, plane_share in zip(found, hops, share, strict=True):
        load = np.bincount(link, np.repeat(plane_share, plane_hops))[: len(element)].astype(np.int64)
        loads |= dict(zip(zip(element.tolist(), port.tolist(), strict=True), load.tolist(), strict=True))
    return {key: Fraction(load, 2) for key, load in loads.items()}


def test_every_family_without_circuits_has_a_member(script):
    assert set(script.MEMBERS) == set(MEMBERS)


@for_each("name", MEMBERS)
def test_bounds_and_busiest_links_follow_from_a_walk_along_all_routes(script, name):
    network = script.MEMBERS[name]
    loads = packets_over_ports(network)
    peak = max(loads.values())
    rate = network.planes[0].starts[1] * len(network.planes)  # links of a node
    bound = script.bound_of(network, Fraction(int(rate)))
    assert bound.link_load == (network.nodes - 1) / peak
    assert bound.load == min(bound.link_load, rate)
    assert bound.busiest == {link for link, load in loads.items() if load == peak}


def test_only_the_chosen_member_of_full_bandwidth_is_limited_by_its_nodes(script):
    rates = {name: len(each.planes) * int(each.planes[0].starts[1]) for name, each in script.MEMBERS.items()}
    bounds = {name: script.bound_of(each, Fraction(rates[name])) for name, each in script.MEMBERS.items()}
    limited = [name for name, bound in bounds.items() if bound.load < bound.link_load]
    assert [name for name in limited if name in script.PARAMETERS] == ["fat_tree"]


def test_the_elements_and_ports_of_busiest_links_are_those_of_the_simulator(script):
    network = script.MEMBERS["multi_plane"]
    links = Simulation(network, Hardware(), Traffic(load=0.1), seed=1).links().tolist()
    target = {(element, port): end for element, end, port in links}
    first = [0, network.plane_switches[0]]
    busiest = script.bound_of(network, Fraction(2)).busiest
    assert {element >= first[1] for element, _ in busiest} == {False, True}
    for element, port in busiest:
        plane = int(element >= first[1])
        assert target[element, port] == first[plane] + network.planes[plane].topology.peer[element - first[plane], port]


@pytest.fixture
def run(script, monkeypatch, capsys):
    """Return a function that searches for the saturation of members, and returns its code and the rows printed."""

    def rows_of(*options):
        monkeypatch.setattr(sys, "argv", ["saturation", "--packets", "1", "--workers", "1", "--check", *options])
        code = script.main()
        _, *rows, hybrid, overlay = capsys.readouterr().out.splitlines()
        assert hybrid.startswith("hybrid: ")
        assert overlay.startswith("optical_overlay: ")
        return code, rows

    return rows_of


def fractions_of(text):
    """Return the last two numbers: the accepted load and that of the busiest links, as fractions of the bound."""
    return [float(word) for word in text.split()[-2:]]


def test_other_hardware_is_tried_for_members_below_the_goal_and_a_gap_that_channels_remove_is_accepted(run):
    code, (tree, mesh) = run("--only", "leaf_spine", "mesh", "--channels", "2")
    found, with_channels, with_buffers = tree.split("  doubled ")
    assert code == 0
    assert min(fractions_of(found)) < 0.9 <= min(fractions_of(with_channels))
    assert with_buffers.startswith("buffers ")
    assert "doubled" not in mesh
    assert min(fractions_of(mesh)) >= 0.9


def test_a_gap_that_neither_channels_nor_buffers_remove_is_a_failure(run):
    # With one or two channels, packets to different switches wait for each other at the inputs.
    code, (tree,) = run("--only", "leaf_spine", "--channels", "1")
    assert code == 1
    assert tree.count("  doubled ") == 2
    assert all(min(fractions_of(values)) < 0.9 for values in tree.split("  doubled "))
