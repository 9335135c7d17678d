"""The tables of a simulation agree with its reports."""

import csv
import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO

import pytest

from isoplane.models import Network
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.simulations import tables
from isoplane.simulator import Hardware, Precision, Scenario, Traffic, sweep
from isoplane.simulator.measure.latencies import Latencies

from .samples import LOADS, NETWORK, PAIRS, reports


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


def test_a_report_as_json_has_everything_but_the_tables_of_nodes_and_links_and_the_series():
    report = reports()[0]
    content = json.loads(json.dumps(tables.report_json(report)))
    left_out = {"sent", "received", "collisions_at", "links", "link_load", "series"}
    assert set(content) == set(type(report).__dataclass_fields__) - left_out
    assert content["accepted_load"]["mean"] == pytest.approx(report.offered_load, rel=0.1)
    assert content["pairs"] == [list(pair) for pair in PAIRS]
