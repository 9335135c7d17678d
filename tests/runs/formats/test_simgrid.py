"""SimGrid platforms, loaded by SimGrid: paths, latencies and times of messages between all pairs of nodes.

Rates and delays of the switch model are chosen such that all times are whole ticks of the packet simulator.
"""

import json
import re
import subprocess
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from isoplane.models import Design, Network, RoutingCache, Site, SwitchModel, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.planes.link_rates import Timing
from isoplane.models.workloads import ring_all_reduce
from isoplane.objectives.general import general_exact
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.exports.exporters import simgrid as exporter
from isoplane.simulator import Hardware, zero_load_latency_ns
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.runs.formats.copies import rows
from tests.tools import HANG_S, compile_with_simgrid

SWITCH = SwitchModel(delay_ns=90, cable_delay_ns_per_m=5, endpoint_delay_ns=110)  # 90 ns and two cables of 2 m
HARDWARE = Hardware(flit_bits=100, packet_bits=2000, speedup=2, switch=SWITCH)  # ticks of 0.5 ns, as is 0.1 m
BYTES = 250
FLIT_NS = 1


@pytest.fixture(scope="module")
def pairs_of(tmp_path_factory):
    """Return a function from a network to the latency, the time of a message and the links of all pairs, by SimGrid."""
    folder = tmp_path_factory.mktemp("simgrid")
    source, program, platform = Path(__file__).with_name("simgrid_pairs.cpp"), folder / "pairs", folder / "platform.xml"
    compile_with_simgrid(source, program)

    def pairs(network):
        platform.write_bytes(platform_of(network))
        command = [program, platform, str(BYTES), "--cfg=network/model:CM02"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=HANG_S).stdout
        found = (
            (float(latency) * 1e9, float(time) * 1e9, links)
            for latency, time, *links in map(str.split, printed.splitlines())
        )
        return dict(zip(permutations(range(network.nodes), 2), found, strict=True))

    return pairs


def platform_of(network):
    ((name, content),) = ((name, b"".join(content)) for name, content in exporter.files(Exported(Design(network), {})))
    assert name == "platform.xml"
    return content


def receivers(network):
    """Return the device at the other end of each port, by names, and the length of the cable in mm."""
    found = {}
    for plane, a, port, to_node, b, other_port, mm in rows(network):
        one, other = f"P{plane}-S{a}", f"N{b}" if to_node else f"P{plane}-S{b}"
        found[f"{one}:{port}"], found[f"{other}:{other_port}"] = (other, mm), (one, mm)
    return found


def two_planes_of_other_groups():
    """Two rings of three switches with four nodes each: nodes 2 i and 2 i + 1 are at switches i // 2 and i % 3."""
    (ring,) = Network(Torus(shape=(3,), nodes_per_switch=4, node_cable_m=2.0)).planes
    other = replace(ring, node_switch=np.arange(12, dtype=np.int32) // 2 % 3)
    return Network(PlanesFamily("two rings", (ring, other)), Site(None, switch=SWITCH))


CUBES = dual_cube(3, (3, 5, 7), nodes_per_switch=2, switch=SWITCH)
# Sums of the generators of one plane: of 1, 2, 4, and of 3, 5, 7.
UNEQUALLY_NEAR = {1, 2, 3, 4, 5, 7}  # 1 is 3 + 5 + 7 of plane 1; 2 is 5 + 7; 4 is 3 + 7; 6 is 2 + 4 and 3 + 5
NETWORKS = {
    "cubes": CUBES,
    "sprayed cubes": Network(replace(CUBES.family, policy="spray"), CUBES.site),
    "adaptive cubes": Network(replace(CUBES.family, policy="adaptive"), CUBES.site),
    "cubes that spill": Network(replace(CUBES.family, policy="spill"), CUBES.site),
    "cubes with shares": Network(replace(CUBES.family, policy=(2, 1)), CUBES.site),
    "one of two cubes": Network(replace(CUBES.family, policy=(0, 1)), CUBES.site),
    "a fat-tree": Network(FatTree(switch_ports=4), Site(switch=SWITCH)),
    "parallel cables": Network(FatTree(switch_ports=8, cables_per_pair=(2, 4)), Site(switch=SWITCH)),
    "two links for each node": Network(
        MultiPlane(plane=HyperX(shape=(2, 3), nodes_per_switch=4), planes=2, links_per_node=2), Site(switch=SWITCH)
    ),
    "planes with other groups": two_planes_of_other_groups(),
}


@for_each("name", NETWORKS)
def test_the_routes_of_simgrid_follow_the_cables_and_take_the_zero_load_latency(pairs_of, name):
    network, cables = NETWORKS[name], receivers(NETWORKS[name])
    for (source, destination), (latency_ns, time_ns, links) in pairs_of(network).items():
        links = [link for link in links if link != "crossbar"]
        devices = [cables[link][0] for link in links]
        assert links[0].startswith(f"N{source}:")
        assert [link.split(":")[0] for link in links[1:]] == devices[:-1]
        assert devices[-1] == f"N{destination}"
        length_mm, switches = sum(cables[link][1] for link in links), len(links) - 1
        expected_ns = length_mm * 5 / 1000 + switches * 90
        assert latency_ns == pytest.approx(expected_ns, rel=1e-9)
        assert time_ns == pytest.approx(expected_ns + BYTES * 8 / 100, rel=1e-9)


@for_each("name", ["cubes", "a fat-tree", "parallel cables", "two links for each node", "one of two cubes"])
def test_a_message_takes_the_latency_of_an_uncontended_packet_of_its_size(pairs_of, name):
    # Where both cubes are equally near, their cables differ in length, and the latency of packets is a mean over both.
    network, checked = NETWORKS[name], 0
    for pair, (_, time_ns, _) in pairs_of(network).items():
        if name != "cubes" or (pair[0] ^ pair[1]) // 2 in UNEQUALLY_NEAR:
            assert time_ns == pytest.approx(float(zero_load_latency_ns(network, HARDWARE, *pair)), rel=1e-9)
            checked += 1
    assert checked == (16 * 2 * len(UNEQUALLY_NEAR) if name == "cubes" else network.nodes * (network.nodes - 1))


def test_nodes_of_a_direct_network_need_a_flit_time_more_than_an_uncontended_packet(pairs_of):
    # Their switch has the whole packet at once; a message arrives when its last bit has left the last link.
    network = Network(Torus(shape=(3, 4), assumed_cable_m=3.0), Site(switch=SWITCH))
    for pair, (_, time_ns, _) in pairs_of(network).items():
        expected_ns = float(zero_load_latency_ns(network, HARDWARE, *pair)) + FLIT_NS
        assert time_ns == pytest.approx(expected_ns, rel=1e-9)


def test_rates_and_delays_of_a_plane_replace_those_of_the_switch_model(pairs_of):
    (ring,) = Network(Torus(shape=(3,), node_cable_m=2.0)).planes
    timing = Timing(
        rate_mbps=np.full((3, 2), 25_000),
        node_rate_mbps=np.array([50_000, 10_000, 50_000]),
        delay_ps=np.full((3, 2), 1_500),
        node_delay_ps=np.array([7_000, 8_000, 9_000]),
        switch_delay_ps=np.array([100_000, 200_000, 400_000]),
    )
    network = assembled("ring", (replace(ring, timing=timing),))
    found = pairs_of(network)
    for (a, b), (latency_ns, time_ns, _) in found.items():
        # Every two switches of the ring are neighbours.
        expected_ns = (7 + a) + 1.5 + (7 + b) + (100 << a) + (100 << b)
        assert latency_ns == pytest.approx(expected_ns, rel=1e-9)
        slowest_gbps = 10 if 1 in (a, b) else 25
        assert time_ns == pytest.approx(expected_ns + BYTES * 8 / slowest_gbps, rel=1e-9)


@for_each(
    ("family", "routes", "groups"),
    [
        (Torus(shape=(64, 64)), 4096 * 4095, 4096),
        (Torus(shape=(5,), nodes_per_switch=1024, node_cable_m=2.0), 5 * 4 + 5 * 1024 * 1023, 5),
    ],
)
def test_a_design_with_more_than_4194304_routes_is_rejected_before_the_first_file(family, routes, groups):
    files = exporter.files(Exported(Design(Network(family)), {}))
    message = f"^format=simgrid: {routes} routes of {groups} groups of nodes; expected at most 4194304$"
    require_refusal(lambda: next(files), message)


def cached(node_cable_m=2.0, **cache):
    """A 5-ary 2-cube with the switches of case study 1 of Hirasawa et al. 2020, and caches."""
    switch = SwitchModel(
        delay_ns=100, endpoint_delay_ns=None, routing_ns=25, packet_bytes=0, cache=RoutingCache(**cache)
    )
    return Network(Torus(shape=(5, 5), assumed_cable_m=1.0, node_cable_m=node_cable_m), Site(switch=switch))


def latencies_of(text):
    return {link: float(ns) for link, ns in re.findall(r'<link id="(\S+)" bandwidth="\S+" latency="(\S+)ns"', text)}


def test_latencies_have_the_mean_look_up_of_each_port_under_uniform_traffic(pairs_of):
    # Ports of nodes pass 24 destinations, those of the first dimension 10, those of the second 2: see equation 2.
    network = cached(entries=8, ways=8)
    node, first, second = 10 + 77 + 25 * 16 / 24, 5 + 77 + 25 * 2 / 10, 5 + 77
    shown = latencies_of(platform_of(network).decode())
    assert {link: ns for link, ns in shown.items() if link.startswith("N")} == {f"N{i}:1": node for i in range(25)}
    ports = [[ns for link, ns in shown.items() if link.endswith(f":{port}")] for port in (1, 2, 3, 4, 5)]
    assert [set(of_port) for of_port in ports] == [{node, first}, {first}, {second}, {second}, {10.0}]
    # Two hops in either dimension: the largest latency of equation 4.
    exact = general_exact(network)
    largest_ns = exact.max_delay / (exact.max_delay_parts * network.delay_units.per_ns)
    assert node + 2 * first + 2 * second + 10 == pytest.approx(largest_ns, rel=1e-9)
    assert max(latency_ns for latency_ns, _, _ in pairs_of(network).values()) == pytest.approx(largest_ns, rel=1e-9)


def test_latencies_have_the_mean_look_up_of_each_port_of_a_workload(tmp_path):
    # Every node sends to the next one 48 times, and misses once at each port on the way.
    network, work = cached(start="cold"), ring_all_reduce(25, 25_000)
    given = Exported(Design(network), {"id": "0"}, {}, lambda: work)
    formats = {name: exporter_named(name) for name in ("simgrid", "graphml")}
    export(given, formats, tmp_path)
    shown = latencies_of((tmp_path / "simgrid" / "platform.xml").read_text())
    assert [shown[f"N{node}:1"] for node in range(25)] == pytest.approx([10 + 77 + 25 / 48] * 25, rel=1e-12)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["switch_delays"] == (
        "of packets that hit the cache of their port, though some miss it, unless the format says otherwise"
    )
    assert [entry.get("switch_delays", "")[:45] for entry in manifest["formats"]] == [
        "mean at each port over its packets under the ",
        "",
    ]


def test_a_direct_network_has_no_links_for_the_misses_of_its_nodes():
    message = "format=simgrid: packets may miss switch.cache, whose ports a direct network has no links for"
    require_refusal(lambda: platform_of(cached(None, start="cold")), message)
    assert min(latencies_of(platform_of(cached(None)).decode()).values()) == 5 + 77
