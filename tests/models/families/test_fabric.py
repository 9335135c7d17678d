"""Existing fabrics: ports, attachments, tables, and the agreement with the families that they are copied from."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, dual_cube, family_named
from isoplane.models.cabling.cable_list import cable_list, interface_ports
from isoplane.models.failures.node_subsets import with_nodes
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.files.forwarding_tables import add_table_folder, file_name, table_content
from isoplane.objectives import metrics_of
from isoplane.runs.records import design_content, design_of_record
from tests.runs.formats.copies import copied_fabric, tables_of

SMALL = FabricPlane(
    switches=3,
    cables=((0, 3, 1, 5), (1, 2, 2, 1), (2, 9, 0, 7), (0, 4, 1, 4)),  # with parallel cables between 0 and 1
    nodes=((0, 0, 1), (1, 1, 1), (1, 2, 3), (3, 2, 8)),  # node 1 has two links, node 2 none
)
PAIR = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2), (1, 1, 2)))
OTHER = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2), (2, 1, 2)))
networks = st.sampled_from(
    [
        family_named("torus")(shape=(3, 4), nodes_per_switch=2, node_cable_m=2.0),
        family_named("fat_tree")(switch_ports=4),
        family_named("leaf_spine")(leaf_switches=3, spine_switches=2, nodes_per_leaf=3),
        family_named("dragonfly")(switches_per_group=4, global_ports=1, groups=5, nodes_per_switch=2),
        family_named("xgft")(children=(2, 3), parents=(1, 2)),
        dual_cube(3, (3, 5, 7)).family,
    ]
)


def metrics(network):
    """The general metrics: those of cubes have others."""
    general = Network(PlanesFamily("any", network.planes), network.site)
    return metrics_of(Design(general))


def test_every_cable_has_the_ports_at_both_ends_that_the_fabric_states():
    cables = cable_list(Network(Fabric(planes=(SMALL, OTHER))).cabling)
    ends = {
        (plane, switch, port): ("N" if node else "S", other, other_port)
        for plane, switch, port, node, other, other_port in zip(
            cables.plane.tolist(), cables.switch.tolist(), cables.switch_port.tolist(),
            cables.to_node.tolist(), cables.other.tolist(), cables.other_port.tolist(), strict=True
        )
    }  # fmt: skip
    assert ends == {
        (0, 0, 3): ("S", 1, 5), (0, 1, 2): ("S", 2, 1), (0, 0, 7): ("S", 2, 9), (0, 0, 4): ("S", 1, 4),
        (0, 0, 1): ("N", 0, 1), (0, 1, 1): ("N", 1, 1), (0, 2, 3): ("N", 1, 2), (0, 2, 8): ("N", 3, 1),
        (1, 0, 1): ("S", 1, 1), (1, 0, 2): ("N", 0, 2), (1, 1, 2): ("N", 2, 1),
    }  # fmt: skip


ENDS = st.lists(st.sets(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1), min_size=2, max_size=4)


@given(ENDS, st.randoms())
@settings(max_examples=50)
def test_stated_ports_of_a_node_keep_their_numbers_or_follow_those_of_the_adapter_before(used, rng):
    links = [(node, *end) for node, ends in enumerate(used) for end in ends]
    first = [link for link in links if rng.random() < 0.5] or links
    planes = []
    for chosen in (sorted(first), sorted({*links} - {*first})):
        nodes = tuple((node, 0, port) for port, (node, *_) in enumerate(chosen, start=2))
        ends = tuple((adapter, port) for _, adapter, port in chosen)
        planes.append(FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=nodes, adapter_ports=ends))
    cables = cable_list(Network(Fabric(planes=tuple(plane for plane in planes if plane.nodes))).cabling)
    cables = cables.where(cables.to_node)
    ends = zip(cables.other.tolist(), cables.adapter.tolist(), cables.adapter_port.tolist(), strict=True)
    rails = dict(zip(ends, cables.other_port.tolist(), strict=True))
    assert sorted(rails) == sorted(links)
    for node, ends in enumerate(used):
        before, repeats = 0, len({port for _, port in ends}) < len(ends)
        for adapter in (1, 2, 3):
            ports = [port for each, port in ends if each == adapter]
            assert all(rails[node, adapter, port] == port + before * repeats for port in ports)
            before += max(ports, default=0)
        assert len({rails[node, *end] for end in ends}) == len(ends)


def test_copies_of_a_plane_have_ports_of_their_own_at_each_node():
    plane = replace(PAIR, adapter_ports=((1, 2), (1, 2)))
    copies = Network(MultiPlane(plane=Fabric(planes=(plane,)), planes=2))
    for network, ports in ((Network(Fabric(planes=(plane,))), [[2, 2]]), (copies, [[1, 1], [2, 2]])):
        assert [each.tolist() for each in interface_ports(network.cabling)] == ports


def test_a_fabric_of_some_nodes_keeps_their_ports():
    planes = (
        replace(SMALL, adapter_ports=((1, 2), (1, 1), (2, 1), (1, 4))),
        replace(OTHER, adapter_ports=((1, 1), (1, 3))),
    )
    whole = Network(Fabric(planes=planes))
    assert [ports.tolist() for ports in interface_ports(whole.cabling)] == [[2, 1, 2, 4], [1, 3]]
    assert [ports.tolist() for ports in interface_ports(with_nodes(whole, [1, 2, 3]).cabling)] == [[1, 2, 4], [3]]


def test_a_fabric_is_described_by_the_switches_of_its_planes():
    assert Fabric(planes=(SMALL, OTHER)).description == "fabric of 3 + 2 switches, 4 nodes"


def test_a_fabric_is_read_back_from_a_record_and_pickled():
    plane = replace(SMALL, lengths_m=(1, None, 2.5, 3), adapter_ports=((1, 2), (1, 1), (2, 1), (1, 4)))
    other = replace(OTHER, adapter_ports=((1, 1), (1, 1)))
    fabric = Fabric(planes=(plane, other), routing="shortest", policy="spray")
    content = json.loads(json.dumps(design_content(Design(Network(fabric)))))
    assert design_of_record(content).network.family == fabric
    assert pickle.loads(pickle.dumps(Network(fabric))) == Network(fabric)


def test_cables_of_unknown_length_have_the_given_one():
    plane = replace(SMALL, lengths_m=(1, None, 2.5, 3))
    cables = cable_list(Network(Fabric(planes=(plane, OTHER), cable_m=7, node_cable_m=0.5)).cabling)
    lengths = cables.where(~cables.to_node)
    found = zip(lengths.plane.tolist(), lengths.switch.tolist(), lengths.switch_port.tolist(), strict=True)
    assert dict(zip(found, lengths.length_mm.tolist(), strict=True)) == {
        (0, 0, 3): 1000, (0, 1, 2): 7000, (0, 0, 7): 2500, (0, 0, 4): 3000, (1, 0, 1): 7000
    }  # fmt: skip
    assert set(cables.where(cables.to_node).length_mm.tolist()) == {500}


@given(networks, st.sampled_from(["shortest", "up_down", "hop_classes"]))
@settings(max_examples=12)
def test_a_copy_with_the_same_ports_and_routing_has_the_same_metrics(family, routing):
    network = Network(family, Site(layout=None))
    fabric = copied_fabric(network, routing)
    planes = []
    for plane, copy in zip(network.planes, Network(fabric).planes, strict=True):
        assert np.array_equal(plane.topology.peer, copy.topology.peer)
        assert np.array_equal(plane.topology.peer_port, copy.topology.peer_port)
        assert copy.node_cable_mm == 2000  # the default
        planes.append(replace(plane, routes=copy.routes, cable_mm=copy.cable_mm, node_cable_mm=2000))
    assert metrics(Network(fabric, Site())) == metrics(Network(PlanesFamily("given", tuple(planes)), Site()))


@pytest.fixture(scope="module")
def table_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    add_table_folder(folder)
    return folder


def with_tables(fabric, tables, folder):
    """The fabric with tables in files."""
    planes = []
    for plane, table in zip(fabric.planes, tables, strict=True):
        sha256, content = table_content(table)
        (folder / file_name(sha256)).write_bytes(content)
        planes.append(replace(plane, tables=sha256))
    return Fabric(planes=tuple(planes))


@given(networks)
@settings(max_examples=8)
def test_a_copy_with_the_tables_of_a_network_loads_every_link_alike(table_folder, family):
    network = Network(family, Site(layout=None))
    copy = Network(with_tables(copied_fabric(network, "up_down"), tables_of(network), table_folder))
    assert copy.family.routing == "tables"
    rng = np.random.default_rng(1)
    for number, plane in enumerate(network.planes):
        source, destination = rng.integers(0, len(plane.node_switch), (2, 200))
        start, link = network.links(source, destination, number)
        copied_start, copied_link = copy.links(source, destination, number)
        assert np.array_equal(start, copied_start)
        assert np.array_equal(link, copied_link)


def test_an_altered_or_missing_file_of_tables_is_rejected(table_folder):
    network = Network(family_named("fat_tree")(switch_ports=4), Site(layout=None))
    fabric = with_tables(copied_fabric(network, "up_down"), tables_of(network), table_folder)
    file = table_folder / file_name(fabric.planes[0].tables)
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(InputError, match="its SHA-256 is not that of its name; expected an unaltered file"):
        _ = Network(fabric).planes
    file.unlink()
    with pytest.raises(InputError, match=r"network\.planes\.tables=[0-9a-f]{64}: no file .*; expected one beside"):
        Fabric(planes=fabric.planes)
    assert Fabric(planes=fabric.planes, routing="up_down").routing == "up_down"  # needs no file


def test_tables_that_do_not_arrive_are_rejected(table_folder):
    ring = FabricPlane(
        switches=3, cables=((0, 1, 1, 2), (1, 1, 2, 2), (2, 1, 0, 2)), nodes=((0, 0, 3), (1, 1, 3), (2, 2, 3))
    )
    good = np.array([[3, 1, 2], [2, 3, 1], [1, 2, 3]])
    assert Network(with_tables(Fabric(planes=(ring,)), [good], table_folder)).planes[0].routes is not None
    for wrong, message in (
        (np.array([[3, 1, 1], [2, 3, 2], [1, 2, 3]]), "the route from 0 to 2 via column 2 returns"),
        (np.array([[3, 1, 0], [2, 3, 1], [1, 2, 3]]), "no route from switch 0 to switch 2"),
        (np.array([[3, 1, 9], [2, 3, 1], [1, 2, 3]]), "port 9 at switch 0 for node link 2; expected a port with"),
    ):
        with pytest.raises(InputError, match=message):
            _ = Network(with_tables(Fabric(planes=(ring,)), [wrong], table_folder)).planes


def test_rates_and_delays_of_cables_reach_the_plane():
    rates = {"rates_gbps": (100, 50, 50, 100), "node_rates_gbps": (200,) * 4}
    plane = replace(SMALL, **rates, delays_ns=(1, 2, 3, 0.5), node_delays_ns=(0,) * 4)
    other = replace(OTHER, rates_gbps=(100,), node_rates_gbps=(100, 100))
    timing = Network(Fabric(planes=(plane, other))).planes[0].timing
    assert timing.rate_mbps[0].tolist() == [0, 0, 100_000, 100_000, 0, 0, 50_000, 0, 0]
    assert timing.delay_ps[1].tolist() == [0, 2000, 0, 500, 1000, 0, 0, 0, 0]
    assert timing.node_rate_mbps.tolist() == [200_000] * 4
    assert timing.node_delay_ps.tolist() == [0] * 4
