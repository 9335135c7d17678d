"""Designs of comparisons against brute force over all parameters of their families.

For machines of 200, 1,001, 1,024, 1,500 and 17 nodes, every member of a family that may be cheaper than the design of
the comparison is priced here, part by part on racks filled in order, and if it is cheaper, its routes are walked pair
by pair. With ``--check`` the exit code is 1 if a member with the throughput is more than 0.1 % cheaper.
"""

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil
from time import process_time

import numpy as np
from sized_members import Wanted, members

from isoplane.models import Family, Layout, Network, PriceList, Site
from isoplane.models.network import NO_SITE
from isoplane.models.planes.plane import Cabling
from isoplane.models.planes.spread_places import spread_places
from isoplane.runs.comparison.request import Request
from isoplane.runs.comparison.sizes.plane_counts import Arrangement
from isoplane.runs.comparison.sizes.sized_design import SizedDesign
from isoplane.runs.comparison.sizes.sizing import cheapest

MACHINES = ((200, 24), (1001, 20), (1024, 36), (1500, 40), (17, 5))
THROUGHPUTS = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 4))
FAMILIES = (
    "torus", "mesh", "hyperx", "random_regular", "xpander", "full_mesh", "oft", "dragonfly", "megafly", "slim_fly",
    "polar_fly",
)  # fmt: skip
BY_SWITCH = ("torus", "mesh", "random_regular", "xpander", "dragonfly", "slim_fly", "polar_fly")  # no parallel cables
SEARCHED = ("random_regular", "xpander", "slim_fly", "polar_fly")  # routes take longer to find than distances
FLOOR = Layout(name="floor", switches_per_rack=8, aspects=(), nodes_per_rack=64)
TOLERANCE = Fraction(1, 1000)
PER_RACK, MOST_IN_RACK = 8, 64


def request_for(nodes: int, ports: int, by: str) -> Request:
    """Return the request of a machine, with whole switches or used ports."""
    prices = PriceList(by="switch", switch_ports=ports) if by == "switch" else PriceList()
    return Request(nodes, ports, 2, (1, 2), THROUGHPUTS, FAMILIES, None, None, None, Site(FLOOR, prices), 1)


def own_cents(family: Family, request: Request) -> int:
    """Return the price, part by part, with racks filled in the order of switch ids."""
    planes = Network(family, NO_SITE).cabling
    prices, catalogue = request.site.prices, sorted((round(1000 * m), usd) for m, usd in PriceList().cables_usd.items())
    ports = 2 * family.nodes + 2 * family.cables
    bought = family.switches * request.ports if prices.by == "switch" else ports
    cents = request.nodes * (48500 + 2 * 13400) + bought * 31028
    plane = planes[0]
    rack, racks = racks_of(plane, len(planes))
    across = FLOOR.grid_of(racks)[0]
    one, port = np.nonzero(plane.topology.peer >= 0)
    other = plane.topology.peer[one, port]
    apart = 800 * np.abs(rack[one] % across - rack[other] % across)
    apart += 2500 * np.abs(rack[one] // across - rack[other] // across) + 2000
    needed = np.where(rack[one] == rack[other], 1000, apart)
    lengths, usd = np.array(catalogue).T
    bought_at = np.searchsorted(lengths, needed)
    if bought_at.max(initial=0) == len(lengths):
        return 1 << 62
    return cents + len(planes) * int((usd[bought_at] * 100).sum()) // 2


def racks_of(plane: Cabling, planes: int) -> tuple[np.ndarray, int]:
    """Return the rack of each switch of a plane: as many switches as fit, with their nodes."""
    nodes = np.diff(plane.starts)
    links = int(nodes.max())
    at = np.bincount(plane.node_switch, minlength=plane.topology.switches) // links
    rack, held, inside, current = np.empty(len(at), dtype=np.int64), 0, 0, 0
    for switch, count in enumerate(at.tolist()):
        if held == PER_RACK // planes or (held and inside + count > MOST_IN_RACK):
            current, held, inside = current + 1, 0, 0
        rack[switch], held, inside = current, held + 1, inside + count
    return rack, current + 1


def own_throughput(family: Family, least: Fraction = Fraction(0)) -> Fraction:
    """Return the all-to-all throughput of the rate of a node, from the routes of a node of each switch to all others.

    The nodes of a switch take the same ones, and lead to the same ones in families `BY_SWITCH`: switches forward
    packets by destination. If it is below the least one, another such number is returned as soon as that is known.
    """
    plane = family.plane
    network = Network(plane, NO_SITE)
    nodes, load = plane.nodes, np.zeros(0, dtype=np.int64)
    _, firsts, alike = np.unique(network.cabling[0].node_switch, return_index=True, return_counts=True)
    assert (alike == alike[0]).all()
    targets, weight = (firsts, alike[0] ** 2) if plane.name in BY_SWITCH else (np.arange(nodes), alike[0])
    found = Fraction(10**9)
    for chosen in np.split(firsts, range(32, len(firsts), 32)):
        pairs = np.repeat(chosen, len(targets)), np.tile(targets, len(chosen))
        _, links = network.route_links(*pairs, 0)
        counted = np.bincount(links, minlength=len(load))
        counted[: len(load)] += load
        load = counted
        busiest = int(weight * load[: 2 * plane.cables].max(initial=0))  # links between switches come first
        found = Fraction(nodes, busiest) if busiest else found
        if found < least:
            break
    return found


def requested_throughput(family: Family, nodes: int) -> Fraction:
    """Return the all-to-all throughput with some of the nodes, from the routes between these.

    The k links of node i are places k i to k i + k - 1 of the plane, and each sends as much to each as any other.
    """
    plane, links = family.plane, family.links_per_node
    network, load = Network(plane, NO_SITE), np.zeros(0, dtype=np.int64)
    places = spread_places(Network(family, NO_SITE).cabling, nodes)
    chosen = (links * places[:, None] + np.arange(links)).ravel()
    for source in chosen:
        _, taken = network.route_links(np.full(len(chosen), source), chosen, 0)
        counted = np.bincount(taken, minlength=len(load))
        counted[: len(load)] += load
        load = counted
    busiest = int(load[: 2 * plane.cables].max(initial=0))  # links between switches come first
    return Fraction(len(chosen), busiest) if busiest else Fraction(10**9)


def paths_are_short(family: Family, throughput: Fraction) -> bool:
    """Whether all links of a plane could carry the packets along the shortest paths between its switches."""
    plane = family.plane
    (cables,) = Network(plane, NO_SITE).cabling
    switch, port = np.nonzero(cables.topology.peer >= 0)
    ends = switch, cables.topology.peer[switch, port]
    nodes = np.bincount(cables.node_switch, minlength=cables.topology.switches)
    near = np.eye(len(nodes), dtype=np.float32)
    step, hops = near.copy(), 0
    step[ends] = 1
    while not (near > 0).all():
        hops += int(nodes @ (near == 0) @ nodes)
        near = np.minimum(near @ step, 1)
    return hops * throughput <= 2 * plane.cables * plane.nodes


def violations(name: str, request: Request, planes: int, throughputs: tuple[Fraction, ...]) -> Iterator[str]:
    """Yield the members that are cheaper than the design of the comparison by more than the tolerance, in words."""
    for least in throughputs:
        design = cheapest(Arrangement(name, planes).members(request, least), request, least)
        ours = design.price_cents if isinstance(design, SizedDesign) else 1 << 61
        if isinstance(design, SizedDesign) and own_cents(design.family, request) != design.price_cents:
            yield f"{design.family.title}: {design.price_cents} cents; {own_cents(design.family, request)} here"
        wanted = Wanted(request, planes, least, ceil(ours * (1 - TOLERANCE)))
        for family in members(name, wanted):
            if (cents := own_cents(family, request)) >= wanted.below_cents:
                continue
            if name in SEARCHED and not paths_are_short(family, least):
                continue
            if own_throughput(family, least) >= least and requested_throughput(family, request.nodes) >= least:
                yield (
                    f"{family.title}: {cents / 100 / request.nodes:,.2f} US$ per node for {float(least):g}, "
                    f"{float(1 - cents / Fraction(ours)):.2%} below"
                )


def main() -> int:
    """Print the violations of all machines, families, planes and rules; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit code 1 if a member is cheaper")
    parser.add_argument("--machine", type=int, nargs="*", default=range(len(MACHINES)), help="numbers of machines")
    parser.add_argument("--family", nargs="*", default=FAMILIES, help="names of families")
    options = parser.parse_args()
    found = 0
    for number, by, name, planes in product(options.machine, ("switch", "port"), options.family, (1, 2)):
        nodes, ports = MACHINES[number]
        start = process_time()
        cheaper = list(violations(name, request_for(nodes, ports, by), planes, THROUGHPUTS))
        found += len(cheaper)
        case, seconds = f"{nodes} nodes, {ports} ports, by {by}: {name}, planes={planes}", process_time() - start
        print(f"{case}: {len(cheaper)} cheaper, {seconds:.1f} s", flush=True)
        print("".join(f"  {text}\n" for text in cheaper[:5]), end="", flush=True)
    return int(options.check and found > 0)


if __name__ == "__main__":
    sys.exit(main())
