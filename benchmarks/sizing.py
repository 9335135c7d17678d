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

import numpy as np

from isoplane.models import Family, InputError, Layout, Network, PriceList, Site, family_named
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.network import NO_SITE
from isoplane.models.unrouted_plane import PlaneCables
from isoplane.runs.comparison.arrangements import Arrangement
from isoplane.runs.comparison.request import Request
from isoplane.runs.comparison.sizing import SizedDesign, cheapest

MACHINES = ((200, 24), (1001, 20), (1024, 36), (1500, 40), (17, 5))
THROUGHPUTS = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 4))
FAMILIES = (
    "torus", "mesh", "hyperx", "random_regular", "xpander", "full_mesh", "oft", "dragonfly", "megafly", "slim_fly",
    "polar_fly",
)  # fmt: skip
FLOOR = Layout(name="floor", switches_per_rack=8, aspects=(), nodes_per_rack=64)
TOLERANCE = Fraction(1, 1000)
PER_RACK, MOST_IN_RACK = 8, 64


def request_for(nodes: int, ports: int, by: str) -> Request:
    """Return the request of a machine, with whole switches or used ports."""
    prices = PriceList(by="switch", switch_ports=ports) if by == "switch" else PriceList()
    return Request(nodes, ports, 2, (1, 2), THROUGHPUTS, FAMILIES, None, None, None, Site(FLOOR, prices), 1)


def shapes(switches: int) -> Iterator[tuple[int, ...]]:
    """Yield all ordered factorisations into sides of at least 2."""
    if switches == 1:
        yield ()
    for side in range(2, switches + 1):
        if switches % side == 0:
            yield from ((side, *rest) for rest in shapes(switches // side))


def cables_per_pair(shape: tuple[int, ...], ports: int) -> Iterator[tuple[int, ...]]:
    """Yield all numbers of parallel cables in each dimension within a number of ports."""
    if not shape:
        yield ()
        return
    for each in range(1, ports // (shape[0] - 1) + 1):
        for rest in cables_per_pair(shape[1:], ports - each * (shape[0] - 1)):
            yield (each, *rest)


def parameters(name: str, places: int, ports: int, step: int) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield all parameters of a family but the nodes at a switch, with the number of switches that have nodes."""
    most = 2 * -(-places // step)
    if name in ("torus", "mesh", "hyperx"):
        for switches in range(2, most):
            for shape in shapes(switches):
                if max(shape) == 2 or sum(min(2, side - 1) for side in shape) >= ports:
                    continue
                if name == "hyperx":
                    for each in cables_per_pair(shape, ports - 1):
                        yield switches, {"shape": shape, "cables_per_pair": each}
                else:
                    for ties in ("positive", "parity") if name == "torus" else (None,):
                        yield switches, {"shape": shape, **({"ties": ties} if ties else {})}
    elif name == "random_regular":
        for switches, degree in product(range(4, most), range(3, ports)):
            if switches * degree % 2 == 0 and degree < switches:
                yield switches, {"switches": switches, "degree": degree}
    elif name == "xpander":
        for degree in range(3, ports):
            for lift in range(1, most // (degree + 1) + 2):
                yield lift * (degree + 1), {"degree": degree, "lift": lift}
    elif name == "full_mesh":
        for layers, uplinks in product(range(1, ports // 2 + 1), range(1, ports)):
            yield layers * (uplinks + 1), {"layers": layers, "uplinks": uplinks}
    elif name in ("oft", "slim_fly", "polar_fly"):
        for q in range(2, ports):
            of_q = {"oft": q * q + q + 1, "polar_fly": q * q + q + 1, "slim_fly": 2 * q * q}[name]
            for sides in (1, 2) if name == "oft" else (1,):
                yield sides * of_q, {"q": q, **({"sides": sides} if name == "oft" else {})}
    elif name == "dragonfly":
        for a, h, arrangement in product(range(1, ports), range(1, ports), ("absolute", "relative", "circulant")):
            for groups in range(2, min(a * h + 1, most // a + 1) + 1):
                keys = {"switches_per_group": a, "global_ports": h, "groups": groups, "arrangement": arrangement}
                yield a * groups, keys
    else:
        for leaves, spines, h in product(range(1, ports), repeat=3):
            for groups in range(2, min(spines * h + 1, most // leaves + 1) + 1):
                keys = {"leaves_per_group": leaves, "spines_per_group": spines, "global_ports": h, "groups": groups}
                yield leaves * groups, keys


def members(name: str, nodes: int, ports: int, planes: int) -> Iterator[Family]:
    """Yield all members with the fewest nodes at a switch, or one node more, that are valid and fit the ports."""
    kind, links = family_named(name), 2 // planes
    field = "nodes_per_leaf" if name in ("oft", "full_mesh", "megafly") else "nodes_per_switch"
    balanced = {"routing": "balanced"} if name in ("random_regular", "xpander", "slim_fly", "polar_fly") else {}
    cables = {"node_cable_m": 2.0} if name in ("torus", "mesh") else {}
    for switches, keys in parameters(name, nodes * links, ports, links):
        fewest = -(-nodes // switches) * links
        for at_switch in (fewest, fewest + links):
            if at_switch < ports:
                try:
                    plane = kind(**keys, **balanced, **cables, **{field: at_switch}, cable_m=None)
                    if plane.ports <= ports:
                        yield MultiPlane(plane=plane, planes=planes, links_per_node=links)
                except InputError:  # such as an order that is no prime power
                    break


def floor_cents(family: Family, request: Request) -> int:
    """Return a lower bound on the price: all cables are the cheapest ones."""
    nodes, prices = request.nodes, request.site.prices
    used = 2 * family.cables + 2 * nodes
    bought = family.switches * request.ports if prices.by == "switch" else used
    return nodes * (48500 + 2 * 13400) + bought * 31028 + family.cables * 11000


def own_cents(family: Family, request: Request) -> int:
    """Return the price, part by part, with racks filled in the order of switch ids."""
    planes = Network(family, NO_SITE).unrouted_planes
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


def racks_of(plane: PlaneCables, planes: int) -> tuple[np.ndarray, int]:
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


def own_throughput(family: Family) -> Fraction:
    """Return the all-to-all throughput of the rate of a node from the routes of all pairs of places in a plane."""
    plane = family.plane
    network = Network(plane, NO_SITE)
    nodes, load = plane.nodes, np.zeros(0, dtype=np.int64)
    for source in range(0, nodes, 64):
        chosen = np.arange(source, min(source + 64, nodes))
        pairs = np.repeat(chosen, nodes), np.tile(np.arange(nodes), len(chosen))
        _, links = network.links(*pairs, 0)
        counted = np.bincount(links, minlength=len(load))
        counted[: len(load)] += load
        load = counted
    busiest = int(load[: 2 * plane.cables].max(initial=0))  # links between switches come first
    return Fraction(nodes, busiest) if busiest else Fraction(10**9)


def has_capacity(family: Family, throughput: Fraction) -> bool:
    """Return whether all links could carry the packets between different switches, of one hop each."""
    plane = family.plane
    at_switch = plane.nodes_at_switch
    return 2 * plane.cables * plane.nodes >= throughput * plane.nodes * (plane.nodes - at_switch)


def violations(name: str, request: Request, planes: int, throughputs: tuple[Fraction, ...]) -> Iterator[str]:
    """Yield the members that are cheaper than the design of the comparison by more than the tolerance, in words."""
    ours = {}
    for least in throughputs:
        design = cheapest(Arrangement(name, planes).members(request, least), request, least)
        ours[least] = design.price_cents if isinstance(design, SizedDesign) else 1 << 61
        if isinstance(design, SizedDesign) and own_cents(design.family, request) != design.price_cents:
            yield f"{design.family.title}: {design.price_cents} cents; {own_cents(design.family, request)} here"
    limits = {least: cents * (1 - TOLERANCE) for least, cents in ours.items()}
    for family in members(name, request.nodes, request.ports, planes):
        floor = floor_cents(family, request)
        able = [least for least, limit in limits.items() if floor < limit and has_capacity(family, least)]
        if not able or (cents := own_cents(family, request)) >= max(limits[least] for least in able):
            continue
        throughput = own_throughput(family)
        for least in able:
            if cents < limits[least] and throughput >= least:
                yield (
                    f"{family.title}: {cents / 100 / request.nodes:,.2f} US$ per node for {float(least):g}, "
                    f"{float(1 - cents / Fraction(ours[least])):.2%} below"
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
        cheaper = list(violations(name, request_for(nodes, ports, by), planes, THROUGHPUTS))
        found += len(cheaper)
        print(f"{nodes} nodes, {ports} ports, by {by}: {name}, {planes} planes: {len(cheaper)} cheaper", flush=True)
        print("".join(f"  {text}\n" for text in cheaper[:5]), end="", flush=True)
    return int(options.check and found > 0)


if __name__ == "__main__":
    sys.exit(main())
