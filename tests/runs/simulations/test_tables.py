"""The tables of a simulation agree with its reports; computed numbers stand beside the ones that they predict."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from types import SimpleNamespace

import pytest

from isoplane.models import Network, RoutingCache, SwitchModel, dual_cube
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.report.sections.packets import look_up_rows
from isoplane.runs.simulations import tables
from isoplane.runs.simulations.comparison import compared
from isoplane.simulator import Estimate, Hardware, Precision, Scenario, Traffic, sweep
from isoplane.simulator.measure.latencies import Latencies
from tests.cases import for_each

from .samples import LOADS, NETWORK, PAIRS, ROUGH, reports


def rows(text):
    return list(csv.DictReader(StringIO(text)))


def test_the_curve_has_a_row_per_run_and_empty_cells_for_unknown_values():
    found = rows(tables.curve_csv(reports()))
    assert tuple(found[0]) == tables.CURVE
    for row, report in zip(found, reports(), strict=True):
        assert float(row["offered_load"]) == report.offered_load
        assert float(row["accepted_half_width"]) == report.accepted_load.half_width
        assert [float(row[f"p{percent}_ns"]) for percent in (50, 95, 99)] == list(report.percentiles_ns)
        assert (row["saturated"], int(row["seed"])) == (str(report.saturated).lower(), report.seed)
    assert [row["network_half_width_ns"] == "" for row in found] == [False, False, True]


def test_latencies_by_distance_and_by_pair_have_all_columns():
    hops, pairs = rows(tables.distances_csv(reports())), rows(tables.pairs_csv(NETWORK, reports()))
    columns = list(Latencies.__dataclass_fields__)
    assert list(hops[0]) == ["offered_load", "hops", *columns]
    assert list(pairs[0]) == ["offered_load", "source", "destination", *columns]
    assert [(int(row["source"]), int(row["destination"])) for row in pairs] == [*PAIRS] * len(LOADS)
    for report in reports():
        own = [row for row in hops if float(row["offered_load"]) == report.offered_load]
        assert [int(row["hops"]) for row in own] == list(range(len(own)))
        assert sum(int(row["packets"]) for row in own) == report.packets
        # Each message is one packet, and both latencies start at the creation of the message.
        assert [row["messages"] for row in own] == [row["packets"] for row in own]
        assert [row["message_ns"] for row in own] == [row["creation_ns"] for row in own]
        latencies = [(float(row["network_ns"]), float(row["message_ns"])) for row in own if row["packets"] != "0"]
        assert all(network <= message for network, message in latencies)


def test_a_series_counts_the_remaining_messages():
    for report in reports():
        own = [row for row in rows(tables.series_csv([report])) if row]
        created, arrived = (sum(int(row[f"{what}_messages"]) for row in own) for what in ("injected", "arrived"))
        assert created - arrived == int(own[-1]["remaining_messages"])


def test_tables_have_the_names_of_devices_if_there_are_some():
    plain, named = Network(FABRIC), Network(replace(FABRIC, names=DEVICES))
    scenario = Scenario(plain, Hardware(), Traffic(load=1), Precision(max_packets=200), tracked_pairs=((0, 1),), seed=1)
    found = sweep(scenario, [Fraction(1, 10)])
    for table in (tables.nodes_csv, tables.switches_csv, tables.links_csv, tables.pairs_csv):
        bare, full = rows(table(plain, found)), rows(table(named, found))
        own = [key for key in full[0] if key not in bare[0]]
        assert [{key: row[key] for key in row if key not in own} for row in full] == bare
        assert 1 <= len(own) <= 2
    assert [row["name"] for row in rows(tables.nodes_csv(named, found))] == ["host, 7", 'host "8"']
    assert [row["name"] for row in rows(tables.switches_csv(named, found))] == ["leaf", "spine"]
    ends = {
        (row["from"], row["to"]): (row["from_name"], row["to_name"]) for row in rows(tables.links_csv(named, found))
    }
    assert ends["s0", "s1"] == ("leaf", "spine")
    assert ends["n1", "s1"] == ('host "8"', "spine")
    assert rows(tables.pairs_csv(named, found))[0]["destination_name"] == 'host "8"'


FABRIC = Fabric(planes=(FabricPlane(switches=2, cables=((0, 2, 1, 2),), nodes=((0, 0, 1), (1, 1, 1))),))
DEVICES = DeviceNames((("leaf", "spine"),), ("host, 7", 'host "8"'))


def test_nodes_are_listed_with_packets_and_collisions_at_each_load():
    found = rows(tables.nodes_csv(NETWORK, reports()))
    assert [int(row["node"]) for row in found] == list(range(NETWORK.nodes))
    for report in reports():
        received = [int(row[f"received_{report.offered_load}"]) for row in found]
        assert received == report.received.tolist()
        collisions = sum(int(row[f"collisions_{report.offered_load}"]) for row in found)
        # Nodes come after the switches of both planes.
        assert collisions == report.collisions_at[sum(NETWORK.plane_switches) :].sum()


@for_each("cached", (True, False))
def test_switches_with_caches_or_slow_tables_are_followed_by_the_look_ups_of_their_ports(cached):
    cache = RoutingCache(entries=4, ways=2) if cached else None
    switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, table_interval_ns=10, cache=cache)
    network = Network(Torus(shape=(3, 3), node_cable_m=2.0))
    scenario = Scenario(network, Hardware(switch=switch), Traffic(load=1), Precision(0.2, 0.2, max_packets=500), seed=1)
    (report,) = sweep(scenario, [Fraction(1, 4)])
    found = rows(tables.switches_csv(network, [report]))
    assert len(found) == 9 * (1 + 4 + 1)  # a switch has four cables and a node
    cells = ["look_ups", "hits", "cold_misses", "conflict_misses", "capacity_misses"]
    switch, *ports = [[row["from"], *(int(row[f"{cell}_0.25"] or 0) for cell in cells)] for row in found[:6]]
    assert [end for end, *_ in ports] == ["s1", "s2", "s3", "s6", "n0"]
    assert switch[1:] == [sum(column) for column in zip(*(counts for _, *counts in ports), strict=True)]
    assert found[0]["collisions_0.25"] == str(report.collisions_at[0])
    total = json.loads(json.dumps(tables.report_json(report)))["look_ups"]
    table, *page = look_up_rows({"runs": [{"offered_load": 0.25, "look_ups": total}]}, network.plane_switches)
    assert len(table) == len(page[0])
    assert page[0][1] == f"{total['look_ups']:,}"
    assert page[1][0].startswith(f"plane 0, switch {total['busiest_ports'][0]['element']}, port ")
    assert total["look_ups"] == sum(int(row["look_ups_0.25"]) for row in found if row["port"])
    assert total["table_wait_ns"] > 0
    if cached:
        assert total["look_ups"] == sum(total[cell] for cell in cells[1:])
    else:
        assert {total[cell] for cell in cells[1:]} == {None}


def test_switches_and_links_are_listed_plane_by_plane():
    switches, links = rows(tables.switches_csv(NETWORK, reports())), rows(tables.links_csv(NETWORK, reports()))
    assert [(row["plane"], row["switch"]) for row in switches] == [(str(p), str(s)) for p in (0, 1) for s in range(8)]
    assert len(links) == 2 * (
        8 * 3 + 2 * NETWORK.nodes
    )  # 3 ports of each switch, and both directions of the link of each node
    for row in links:
        assert all(0 <= float(row[f"load_{report.offered_load}"]) <= 1 for report in reports())
        ends = row["from"][0] + row["to"][0]
        assert ends in ("ss", "sn", "ns")
        if ends == "ss":  # plane 0 has the generators 1, 2, 4, plane 1 those of `NETWORK`
            generators = ((1, 2, 4), (3, 5, 7))[int(row["plane"])]
            assert int(row["from"][1:]) ^ int(row["to"][1:]) in generators


@for_each("node_cable_m", [None, 2.0])
def test_free_ports_are_no_links(node_cable_m):
    mesh = Network(Mesh(shape=(3, 3), node_cable_m=node_cable_m))
    report = sweep(Scenario(mesh, Hardware(longest_cable_m=10), Traffic(load=1), ROUGH), [0.1])
    (plane,) = mesh.planes
    ends = {
        (f"s{switch}", f"s{peer}") for switch, peers in enumerate(plane.topology.peer) for peer in peers if peer >= 0
    }
    if node_cable_m is not None:
        ends |= {(f"n{node}", f"s{node}") for node in range(9)} | {(f"s{node}", f"n{node}") for node in range(9)}
    listed = [(row["from"], row["to"]) for row in rows(tables.links_csv(mesh, report))]
    assert (len(listed), set(listed)) == (len(ends), ends)


def test_a_report_as_json_has_everything_but_the_tables_of_nodes_and_links_and_the_series():
    report = reports()[0]
    content = json.loads(json.dumps(tables.report_json(report)))
    left_out = {"sent", "received", "collisions_at", "links", "link_load", "series"}
    left_out |= {"input_ports", "look_ups", "table_wait_ns"}  # which are empty
    assert set(content) == set(type(report).__dataclass_fields__) - left_out
    assert content["accepted_load"]["mean"] == pytest.approx(report.offered_load, rel=0.1)
    assert content["pairs"] == [list(pair) for pair in PAIRS]


CUBE = dual_cube(3, (3, 5, 7))  # its links can carry a load of 31/24 per node


def rows_of(load, hardware=None, network=CUBE, throughput=None, **traffic):
    """The titles and computed numbers in the comparison of a run at this load."""
    scenario = Scenario(network, hardware or Hardware(), Traffic(load=1, **traffic))
    report = SimpleNamespace(stable=True, offered_load=load, network_latency_ns=Estimate(240.0, 1.0))
    saturation = None if throughput is None else SimpleNamespace(throughput=throughput)
    return [(quantity, computed) for quantity, _, _, computed in compared(network, scenario, [report], saturation)]


def test_a_latency_is_compared_up_to_a_quarter_of_the_load_that_the_links_can_carry():
    assert rows_of(0.32) == [  # 31/96 = 0.3229
        ("latency at load 0.32, against delay", 231.0),
        ("latency at load 0.32, against delay_paper", 231.0),
    ]
    assert rows_of(0.33) == []
    assert rows_of(0.2, message_bytes=(256, 256)) != []
    assert rows_of(0.2, message_bytes=(256, 257)) == []  # messages of several packets


@for_each(
    ("hardware", "note"),
    [
        # 2048 bits take 20.48 ns at 100 Gbit/s.
        (Hardware(packet_bits=8192), " (packets of 81.92 ns, not 20.48 ns)"),
        (Hardware(link_gbps=200), " (packets of 10.24 ns, not 20.48 ns)"),
        (Hardware(flow_control="store_and_forward"), " (store_and_forward)"),
        (Hardware(flow_control="wormhole"), ""),
    ],
)
def test_hardware_without_comparable_delays_is_noted(hardware, note):
    assert rows_of(0.2, hardware)[0][0] == f"latency at load 0.2{note}, against delay"


def test_a_throughput_is_compared_with_the_capacity_of_the_busiest_links():
    assert rows_of(1, throughput=1.2) == [("saturation throughput, against max_traffic of a node", 16 / 3 / 4)]
    square = dual_cube(2, (1, 2), nodes_per_switch=1)  # links between switches can carry 4 per node, those of a node 2
    assert rows_of(2, network=square, throughput=1.9) == [("saturation throughput, against the links of a node", 2.0)]


@for_each(("selection", "count"), [("minimal", 2), ("valiant", 0), ("ugal", 0)])
def test_detours_are_not_compared_with_metrics_of_minimal_routes(selection, count):
    found = rows_of(0.01, Hardware(path_selection=selection), Network(Dragonfly()), throughput=0.5)
    assert len(found) == count  # delay and throughput
