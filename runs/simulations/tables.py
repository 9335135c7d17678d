"""Reports of simulations as JSON and CSV; they hold numbers of the report only, no times of day or file paths."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, astuple, fields
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.files.exact_text import csv_text
from isoplane.simulator import Estimate, Latencies, Moment, Report, Saturation
from isoplane.simulator.measure.report import PERCENTILES

Cell = str | int | float | bool | None

# Fields of a report that have tables of their own.
TABLES = ("sent", "received", "collisions_at", "links", "link_load", "series", "input_ports", "table_wait_ns")

CURVE = (
    "offered_load",
    "accepted_load",
    "accepted_half_width",
    "network_latency_ns",
    "network_half_width_ns",
    "message_latency_ns",
    "message_half_width_ns",
    *(f"p{percent}_ns" for percent in PERCENTILES),
    "collisions_per_packet",
    "collided",
    "saturated",
    "steady",
    "limited",
    "complete",
    "deadlocks",
    "dropped_packets",
    "warm_up_ns",
    "measured_ns",
    "packets",
    "seed",
)


def curve_csv(reports: Sequence[Report]) -> str:
    """Return one row per report."""
    return csv_text(CURVE, (curve_row(report) for report in reports))


def curve_row(report: Report) -> list[Cell]:
    """Return the numbers of a run, in the order of `CURVE`."""
    estimates = report.accepted_load, report.network_latency_ns, report.message_latency_ns
    return [
        report.offered_load,
        *(part for found in estimates for part in (found.mean, found.half_width)),
        *report.percentiles_ns,
        *(getattr(report, name) for name in CURVE[10:]),
    ]


def distances_csv(reports: Sequence[Report]) -> str:
    """Return the latencies at each load by number of hops."""
    header = ["offered_load", "hops", *(field.name for field in fields(Latencies))]
    rows = ((r.offered_load, hops, *astuple(row)) for r in reports for hops, row in enumerate(r.by_distance))
    return csv_text(header, rows)


def pairs_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the latencies at each load by tracked pair, with the names of its nodes, if they have some."""
    name, named = _node_names(network), ("source_name", "destination_name")
    header = ["offered_load", "source", "destination", *(named if name else ()), *(f.name for f in fields(Latencies))]
    rows = (
        (r.offered_load, *pair, *(name[node] for node in pair if name), *astuple(row))
        for r in reports
        for pair, row in zip(r.pairs, r.by_pair, strict=True)
    )
    return csv_text(header, rows)


def series_csv(reports: Sequence[Report]) -> str:
    """Return the time series at each load: messages and bytes per interval."""
    header = ["offered_load", *(field.name for field in fields(Moment))]
    return csv_text(header, ((r.offered_load, *astuple(row)) for r in reports for row in r.series))


def nodes_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return messages sent, messages received and collisions of each node, in three columns per load; and its name."""
    counted, name = ("sent", "received", "collisions"), _node_names(network)
    header = ["node", *(["name"] if name else []), *(f"{each}_{r.offered_load}" for r in reports for each in counted)]
    columns: list[Sequence[Cell]] = [name] if name else []
    for report in reports:
        # In a direct network, packets collide in the switch of a node.
        first = 0 if network.node_cable_mm is None else sum(network.plane_switches)
        collisions = report.collisions_at[first : first + network.nodes]
        columns += [report.sent.tolist(), report.received.tolist(), collisions.tolist()]
    return csv_text(header, zip(range(network.nodes), *columns, strict=True))


def links_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the load of each link, in one column per load; with the names of its ends, if they have some."""
    named = ["from_name", "to_name"] if network.family.names else []
    header = ["plane", "from", "to", "port", *named, *(f"load_{r.offered_load}" for r in reports)]
    ends = [link_ends(network, *link) for link in reports[0].links.tolist()] if reports else []
    loads = zip(*(report.link_load.tolist() for report in reports), strict=True)
    return csv_text(header, ((*end, *load) for end, load in zip(ends, loads, strict=True)))


def switches_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the collisions at each switch, in one column per load; and its name, if it has one.

    If look-ups are counted, they are in further columns, and each switch is followed by its input ports.
    """
    if reports and len(reports[0].input_ports):
        return _ports_csv(network, reports)
    names = network.family.names
    header = ["plane", "switch", *(["name"] if names else []), *(f"collisions_{r.offered_load}" for r in reports)]
    switches = [(plane, switch) for plane, count in enumerate(network.plane_switches) for switch in range(count)]
    rows = [(*each, names.switches[each[0]][each[1]]) for each in switches] if names else switches
    columns = (report.collisions_at[: len(rows)].tolist() for report in reports)
    return csv_text(header, ((*row, *cells) for row, cells in zip(rows, zip(*columns, strict=True), strict=True)))


BUSIEST = 8  # number of ports in a report
LOOK_UPS = ("look_ups", "hits", "cold_misses", "conflict_misses", "capacity_misses", "table_wait_ns")


def look_ups_of(report: Report, ports: NDArray[np.integer] | slice = slice(None)) -> list[Cell]:
    """Return the look-ups at some input ports together: `LOOK_UPS`.

    The last one is the mean wait of those that needed the table. Without caches there are no hits and misses.
    """
    shared_hits, extra_hits, *misses, table = report.look_ups[ports].sum(axis=0).tolist()
    waited_ns = float(report.table_wait_ns[ports].sum())
    mean_wait_ns = waited_ns / table if table else None
    hits = shared_hits + extra_hits
    if not report.look_ups[:, :-1].any():
        return [table, None, None, None, None, mean_wait_ns]
    return [hits + sum(misses), hits, *misses, mean_wait_ns]


def _ports_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return collisions and look-ups of each switch, and look-ups of each of its input ports."""
    names = network.family.names
    columns = [f"{name}_{report.offered_load}" for report in reports for name in ("collisions", *LOOK_UPS)]
    header = ["plane", "switch", *(["name"] if names else []), "port", "from", *columns]
    at, port, source = reports[0].input_ports.T
    places = [(plane, switch) for plane, count in enumerate(network.plane_switches) for switch in range(count)]
    rows: list[list[Cell]] = []
    for element, place in enumerate(places):
        start: list[Cell] = [*place, *([names.switches[place[0]][place[1]]] if names else [])]
        here = np.flatnonzero(at == element)
        here = here[np.argsort(port[here])]
        counted = [[int(report.collisions_at[element]), *look_ups_of(report, here)] for report in reports]
        rows.append([*start, None, None, *chain(*counted)])
        for index in here:
            # The node of a direct network is part of its switch.
            inside = source[index] == element
            end = f"n{place[1]}" if inside else link_ends(network, int(source[index]), element, int(port[index]))[1]
            counted = [[None, *look_ups_of(report, np.array([index]))] for report in reports]
            rows.append([*start, int(port[index]), end, *chain(*counted)])
    return csv_text(header, rows)


def _node_names(network: Network) -> tuple[str, ...]:
    """Return the names of nodes; none if they have none."""
    return network.family.names.nodes if network.family.names else ()


def link_ends(network: Network, start: int, end: int, port: int) -> tuple[Cell, ...]:
    """Return plane, ends, port and names of a link; elements are the switches of all planes, then the nodes."""
    ends, plane, names = list(accumulate(network.plane_switches)), port, network.family.names
    numbers, own = list[str](), list[str]()
    for element in (start, end):
        if element >= ends[-1]:
            number = element - ends[-1]
            numbers.append(f"n{number}")
            own += [names.nodes[number]] if names else []
            continue
        plane = bisect_right(ends, element)
        number = element - ends[plane] + network.plane_switches[plane]
        numbers.append(f"s{number}")
        own += [names.switches[plane][number]] if names else []
    return plane, *numbers, port, *own


def report_json(report: Report) -> dict[str, Any]:
    """Return a report without its tables of nodes and links, as JSON data."""
    found: dict[str, Any] = {}
    for field in fields(report):
        value = getattr(report, field.name)
        if field.name in TABLES:
            continue
        if field.name == "look_ups":
            if len(value):
                found[field.name] = _look_ups_json(report)
            continue
        if isinstance(value, Estimate):
            found[field.name] = asdict(value)
        elif field.name in ("by_distance", "by_pair"):
            found[field.name] = [asdict(row) for row in value]
        else:
            found[field.name] = list(map(_plain, value)) if isinstance(value, tuple) else value
    return found


def _look_ups_json(report: Report) -> dict[str, Any]:
    """Return the look-ups of all ports together, and of those that used their tables most."""

    def named(ports: NDArray[np.integer] | slice) -> dict[str, Any]:
        return dict(zip(LOOK_UPS, look_ups_of(report, ports), strict=True))

    busiest = np.argsort(-report.look_ups[:, -1], kind="stable")[:BUSIEST]
    ports = [
        {
            "element": int(report.input_ports[port, 0]),
            "port": int(report.input_ports[port, 1]),
            **named(np.array([port])),
        }
        for port in busiest
        if report.look_ups[port, -1]
    ]
    return {**named(slice(None)), "busiest_ports": ports}


def saturation_json(found: Saturation) -> dict[str, Any]:
    """Return the saturation of a network without the reports, as JSON data."""
    return {field.name: getattr(found, field.name) for field in fields(found) if field.name != "reports"}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
