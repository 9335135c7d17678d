"""Distances, delay and throughput of the routes."""

from collections.abc import Mapping
from dataclasses import replace

from isoplane.models import Design, Network
from isoplane.objectives.general import GeneralExact, general_metrics
from isoplane.objectives.structure.plane_use import plane_use
from isoplane.runs.exports.export import refusal_of

from ..column import SHARE, Column, Group, Value
from ..compared_design import ComparedDesign
from ..sizes.distances import MAX_MEASURED_SWITCHES
from ..sizes.racks import on_site
from ..sizes.throughputs import requested_throughput, routed_throughput

ORDER = 20


def values(compared: ComparedDesign) -> Mapping[str, Value]:
    """Return distances, the mean delay with the cables of the layout, and the throughput; also under ``spray``."""
    family, planes, request = compared.family, compared.network.planes, compared.request
    found, throughput = _routes(compared.network), float(compared.design.throughput)
    sprayed: Mapping[str, Value] = dict.fromkeys(("aspl", "delay_ns"))
    spray_throughput: Value = None
    if len(planes) > 1 and all(plane is planes[0] for plane in planes):  # equally near, so that both policies agree
        sprayed, spray_throughput = found, throughput
    elif len(planes) > 1:
        other = replace(family, policy="spray")  # type: ignore[type-var]  # a dataclass with a field `policy`
        sprayed = _routes(on_site(other, request.site))
        spray_throughput = float(routed_throughput(other, request.node_ports))
    return {
        **found,
        "throughput": throughput,
        "throughput_requested": float(requested_throughput(family, request.nodes, request.node_ports)),
        "aspl_spray": sprayed["aspl"],
        "delay_spray_ns": sprayed["delay_ns"],
        "throughput_spray": spray_throughput,
        **(plane_use(compared.network) or dict.fromkeys(("pair_links", "pair_links_least", "plane_imbalance"))),
        "opensm": opensm(compared.network),
    }


def _routes(network: Network) -> dict[str, Value]:
    metrics = general_metrics(network, GeneralExact(network))
    return {name: metrics[name] for name in ("diameter", "aspl", "delay_ns")}


def opensm(network: Network) -> int | None:
    """Return 1 if OpenSM can load the routes as tables, else 0; None for too many switches to find out."""
    if max(plane.topology.switches for plane in network.cabling) > MAX_MEASURED_SWITCHES:
        return None
    return int(refusal_of("opensm", Design(network)) is None)


GROUP = Group(
    "Routes",
    "Means over all pairs of nodes, one at each place even if fewer are requested, with the cables of the layout; "
    "throughput is that of all-to-all traffic along the routes, in percent of the rate of all ports of a node: "
    "times their number it is the throughput per node of isoplane evaluate, in link capacities (95 % of 2 ports are "
    "1.9). That of the requested nodes is with these alone, spread evenly over the switches as isoplane export "
    "nodes=NUMBER attaches them; designs are sized to reach the least throughput both ways. Under “nearest”, a "
    "packet takes the plane with the shorter route to its destination; under “spray”, every flow is spread evenly "
    "over all planes, as network interfaces for several planes do. Relabelled planes then gain nothing over "
    "identical ones, but a pair of nodes can use its links in all planes at once, and under “nearest” only those in "
    "its nearest ones. OpenSM can load the routes as tables of ports (1: export format=opensm) if they need no "
    "virtual channels and those that meet on their way go on alike.",
    (
        Column("diameter", "diameter", "hops"),
        Column("aspl", "ASPL", "hops", 3),
        Column("delay_ns", "delay", "ns", 1),
        Column("throughput", "throughput, all places", SHARE, 3),
        Column("throughput_requested", "throughput, requested nodes", SHARE, 3),
        Column("aspl_spray", "ASPL, spray", "hops", 3),
        Column("delay_spray_ns", "delay, spray", "ns", 1),
        Column("throughput_spray", "throughput, spray", SHARE, 3),
        Column("pair_links", "links that one pair of nodes can use at once", "mean", 2),
        Column("pair_links_least", "links that one pair of nodes can use at once, least", "", 2),
        Column("plane_imbalance", "traffic of the most used plane", "times the mean", 3),
        Column("opensm", "tables for OpenSM"),
    ),
    values,
)
