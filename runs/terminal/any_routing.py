"""Routing-independent bounds on the terminal: times of a workload's busiest link, and the bound of an all-gather."""

from math import ceil

from isoplane.models import Design, InputError, Network
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.family_kinds.optical import refuse_circuits
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid.link_timing import link_timing
from isoplane.objectives.structure import TrafficTimes, gather_bound, traffic_times

from .table import columns, number


def any_routing_text(design: Design, workload: Workload | None, order: ExchangeOrder | None) -> str:
    """Return a table of the times of a workload over the routes of a network, over the best ones and over any.

    Below it are the least numbers of phases of its exchange, if it is one, and of shards of an all-gather, over any
    routes.

    Parameters
    ----------
    design, workload
        The network and its traffic.
    order
        The order of an all-to-all exchange in phases.

    Raises
    ------
    InputError
        If there is no workload, the network has circuits, or as for `traffic_times`.
    """
    network, expected = design.network, "expected a workload on a network without circuits"
    if workload is None:
        raise InputError(f"any_routing=true: no workload; {expected}")
    refuse_circuits(network.family, f"any_routing=true: a network with circuits; {expected}")
    times = traffic_times(network, workload.message_list())
    lines = [columns(_rows(network, times))]
    if order is not None and (least := _least_phases(network, order, workload, times)) is not None:
        lines.append(f"exchange in {order.phases} phases, at least {least} over any routes")
    gathered = gather_bound(network)
    if gathered is not None:
        inside = f"{int(gathered.nodes.sum())} nodes and {sum(int(each.sum()) for each in gathered.switches)} switches"
        lines.append(
            f"all-gather or reduce-scatter of all nodes: at least {number(float(gathered.ratio))} times as long as a "
            f"shard takes on a link, over the links out of {inside}"
        )
    return "\n".join(lines)


def _rows(network: Network, times: TrafficTimes) -> list[list[str]]:
    titles = {
        "over the routes of the network": times.routed,
        "over the best routes found": times.flow,
        "no routing is below": times.bound,
        "links of nodes, whatever the routes": None if network.node_cable_mm is None else times.node_links,
    }
    rows = [[title, "-" if ns is None else f"{float(ns):,.0f}", "ns"] for title, ns in titles.items()]
    return [["busiest link", "", ""], *rows]


def _least_phases(network: Network, order: ExchangeOrder, workload: Workload, times: TrafficTimes) -> int | None:
    """Return the least number of phases over any routes; None if a phase has no common duration."""
    rates = link_timing(network).rates_gbps
    if len(rates) > 1:
        return None
    message_ns = 8 * int(workload.length_bytes[0]) * workload.iterations / rates[0]
    return max(order.processes - 1, ceil(times.bound / message_ns))
