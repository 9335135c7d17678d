"""Reports of simulations as JSON and CSV; they hold numbers of the report only, no times of day or file paths."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from csv import writer
from dataclasses import asdict, astuple, fields
from io import StringIO
from itertools import accumulate
from typing import Any

from isoplane.models import Network
from isoplane.simulator import Estimate, Latencies, Moment, Report, Saturation
from isoplane.simulator.measure.report import PERCENTILES

Cell = str | int | float | bool | None

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


def csv(header: Iterable[str], rows: Iterable[Iterable[Cell]]) -> str:
    r"""Return a table as CSV; unknown values are empty, and text is quoted where needed.

    Examples
    --------
    >>> csv(["load", "stable"], [[0.5, True], [None, False]])
    'load,stable\n0.5,true\n,false\n'
    """
    text = StringIO()
    writer(text, lineterminator="\n").writerows(map(_lower, row) for row in (header, *rows))
    return text.getvalue()


def _lower(cell: Cell) -> Cell:
    """Return a truth value as text, anything else as it is."""
    return str(cell).lower() if isinstance(cell, bool) else cell


def curve_csv(reports: Sequence[Report]) -> str:
    """Return one row per report."""
    return csv(CURVE, (_curve_row(report) for report in reports))


def _curve_row(report: Report) -> list[Cell]:
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
    return csv(header, rows)


def pairs_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the latencies at each load by tracked pair, with the names of its nodes, if they have some."""
    name, named = _node_names(network), ("source_name", "destination_name")
    header = ["offered_load", "source", "destination", *(named if name else ()), *(f.name for f in fields(Latencies))]
    rows = (
        (r.offered_load, *pair, *(name[node] for node in pair if name), *astuple(row))
        for r in reports
        for pair, row in zip(r.pairs, r.by_pair, strict=True)
    )
    return csv(header, rows)


def series_csv(reports: Sequence[Report]) -> str:
    """Return the time series at each load: messages and bytes per interval."""
    header = ["offered_load", *(field.name for field in fields(Moment))]
    return csv(header, ((r.offered_load, *astuple(row)) for r in reports for row in r.series))


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
    return csv(header, zip(range(network.nodes), *columns, strict=True))


def links_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the load of each link, in one column per load; with the names of its ends, if they have some."""
    named = ["from_name", "to_name"] if network.family.names else []
    header = ["plane", "from", "to", "port", *named, *(f"load_{r.offered_load}" for r in reports)]
    ends = [link_ends(network, *link) for link in reports[0].links.tolist()] if reports else []
    loads = zip(*(report.link_load.tolist() for report in reports), strict=True)
    return csv(header, ((*end, *load) for end, load in zip(ends, loads, strict=True)))


def switches_csv(network: Network, reports: Sequence[Report]) -> str:
    """Return the collisions at each switch, in one column per load; and its name, if it has one."""
    names = network.family.names
    header = ["plane", "switch", *(["name"] if names else []), *(f"collisions_{r.offered_load}" for r in reports)]
    switches = [(plane, switch) for plane, count in enumerate(network.plane_switches) for switch in range(count)]
    rows = [(*each, names.switches[each[0]][each[1]]) for each in switches] if names else switches
    columns = (report.collisions_at[: len(rows)].tolist() for report in reports)
    return csv(header, ((*row, *cells) for row, cells in zip(rows, zip(*columns, strict=True), strict=True)))


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
        if field.name in ("sent", "received", "collisions_at", "links", "link_load", "series"):
            continue
        if isinstance(value, Estimate):
            found[field.name] = asdict(value)
        elif field.name in ("by_distance", "by_pair"):
            found[field.name] = [asdict(row) for row in value]
        else:
            found[field.name] = list(map(_plain, value)) if isinstance(value, tuple) else value
    return found


def saturation_json(found: Saturation) -> dict[str, Any]:
    """Return the saturation of a network without the reports, as JSON data."""
    return {field.name: getattr(found, field.name) for field in fields(found) if field.name != "reports"}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
