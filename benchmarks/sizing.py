"""Designs of comparisons against brute force over all parameters of their families.

For machines of 200, 1,001, 1,024, 1,500 and 17 nodes, every member of a family that may be cheaper than the design of
the comparison is priced here, part by part on racks filled in order, and if it is cheaper, its routes are walked pair
by pair. With ``--check`` the exit code is 1 if a member with the throughput is more than 0.1 % cheaper.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil
from time import process_time
from typing import Any

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
BY_SWITCH = ("torus", "mesh", "random_regular", "xpander", "dragonfly", "slim_fly", "polar_fly")  # no parallel cables
SEARCHED = ("random_regular", "xpander", "slim_fly", "polar_fly")  # routes take longer to find than distances
FLOOR = Layout(name="floor", switches_per_rack=8, aspects=(), nodes_per_rack=64)
TOLERANCE = Fraction(1, 1000)
PER_RACK, MOST_IN_RACK = 8, 64
Ints = Any  # one integer, or an array of them
Shape = tuple[int, ...]
Size = tuple[int, int, int, dict[str, object]]  # switches with nodes, switches, cables, parameters


def request_for(nodes: int, ports: int, by: str) -> Request:
    """Return the request of a machine, with whole switches or used ports."""
    prices = PriceList(by="switch", switch_ports=ports) if by == "switch" else PriceList()
    return Request(nodes, ports, 2, (1, 2), THROUGHPUTS, FAMILIES, None, None, None, Site(FLOOR, prices), 1)


@dataclass(frozen=True)
class Wanted:
    """Planes of a machine that would be cheaper than a design, with places for links of nodes, and their throughput."""

    request: Request
    planes: int
    throughput: Fraction
    below_cents: int

    @property
    def links(self) -> int:
        """Links of a node in a plane."""
        return 2 // self.planes

    @property
    def most_switches(self) -> int:
        """The most switches of a plane, with a cable for each but one, that may be cheap enough and have two nodes."""
        switches = np.arange(1, 2 * self.request.nodes)
        return int(self.is_cheap(switches, switches - 1).sum())

    def per_switch(self, holding: Ints) -> Ints:
        """Return the fewest places at each of a number of switches."""
        return -(-self.request.nodes // holding) * self.links

    def is_cheap(self, switches: Ints, cables: Ints) -> Ints:
        """Whether planes of some switches and cables may be cheap enough, if all cables are the cheapest ones."""
        nodes, prices = self.request.nodes, self.request.site.prices
        ports = switches * self.request.ports if prices.by == "switch" else 2 * cables + nodes * self.links
        floor = nodes * (48500 + 2 * 13400) + self.planes * (ports * 31028 + cables * 11000)
        return floor < self.below_cents

    def carries(self, places: Ints, capacity: Ints, others: Ints, total: Ints) -> Ints:
        """Whether links out of some places carry their share of the packets to others, whatever the routes."""
        return self.throughput.numerator * places * others <= self.throughput.denominator * capacity * total


def shapes(switches: int, is_allowed: Callable[[int], bool]) -> Iterator[tuple[int, ...]]:
    """Yield all ordered factorisations into allowed sides of at least 2."""
    if switches == 1:
        yield ()
    for side in range(2, switches + 1):
        if switches % side == 0 and is_allowed(side):
            yield from ((side, *rest) for rest in shapes(switches // side, is_allowed))


def grids(name: str, wanted: Wanted) -> Iterator[Size]:
    """Yield tori, meshes and HyperX: between two parts of every line, links carry the packets from one to the other."""
    for switches in range(2, wanted.most_switches + 1):
        places = wanted.per_switch(switches)

        def is_allowed(side: int, places: int = places) -> bool:
            low, high = side // 2, -(-side // 2)
            across = 2 if name == "torus" and side > 2 else 1
            return name == "hyperx" or bool(wanted.carries(places * low, across, high, side))

        for shape in shapes(switches, is_allowed):
            if max(shape) == 2:
                continue
            if name == "hyperx":
                least = tuple(-(-wanted.throughput * places // side) or 1 for side in shape)
                yield from hyperx_sizes(wanted, switches, shape, least)
                continue
            missing = sum(switches // side for side in shape if name == "mesh" or side == 2)
            cables = switches * len(shape) - missing
            for ties in ("positive", "parity") if name == "torus" else (None,):
                yield switches, switches, cables, {"shape": shape, **({"ties": ties} if ties else {})}


def hyperx_sizes(wanted: Wanted, switches: int, shape: Shape, least: Shape, chosen: Shape = ()) -> Iterator[Size]:
    """Yield all numbers of parallel cables, at least some in each dimension, within the ports and the price."""
    counts = (*chosen, *least[len(chosen) :])
    degree = sum(each * (side - 1) for each, side in zip(counts, shape, strict=True))
    if degree >= wanted.request.ports or not wanted.is_cheap(switches, switches * degree // 2):
        return
    if len(chosen) == len(shape):
        yield switches, switches, switches * degree // 2, {"shape": shape, "cables_per_pair": chosen}
        return
    for each in range(least[len(chosen)], wanted.request.ports):
        more = list(hyperx_sizes(wanted, switches, shape, least, (*chosen, each)))
        if not more:
            return
        yield from more


def graphs(name: str, wanted: Wanted) -> Iterator[Size]:
    """Yield random regular graphs and Xpanders whose links can carry the packets along paths as short as can be."""
    for degree, switches in product(range(3, wanted.request.ports), range(4, wanted.most_switches + 1)):
        cables = switches * degree // 2
        fits = degree < switches and switches * degree % 2 == 0 and (name != "xpander" or switches % (degree + 1) == 0)
        if not fits or not wanted.is_cheap(switches, cables):
            continue
        if wanted.carries(wanted.per_switch(switches), degree, shortest_sum(switches, degree), switches):
            lift = {"degree": degree, "lift": switches // (degree + 1)}
            yield switches, switches, cables, lift if name == "xpander" else {"switches": switches, "degree": degree}


def shortest_sum(switches: int, degree: int) -> int:
    """Return the least sum of the distances of a switch to all others."""
    left, here, distance, found = switches - 1, degree, 1, 0
    while left > 0:
        found += distance * min(here, left)
        left, here, distance = left - here, here * (degree - 1), distance + 1
    return found


def groups(name: str, wanted: Wanted) -> Iterator[Size]:
    """Yield dragonflies and megaflies of all parameters whose leaves and groups have links enough."""
    ports, most = wanted.request.ports, wanted.most_switches
    for leaves, spines in product(range(1, ports), range(1, ports) if name == "megafly" else (0,)):
        own = spines or leaves  # switches of a group with cables to other groups
        h, count = np.meshgrid(np.arange(1, ports), np.arange(2, most // (leaves + spines) + 1))
        h, count = (each[(count <= own * h + 1)] for each in (h, count))
        per_pair, places = own * h // (count - 1), wanted.per_switch(leaves * count)
        within = leaves * spines if spines else leaves * (leaves - 1) // 2
        cables = count * within + count * (count - 1) // 2 * per_pair
        switches, used = count * (leaves + spines), -(-per_pair * (count - 1) // own)
        fits = wanted.is_cheap(switches, cables) & wanted.carries(leaves * places, per_pair, 1, count)
        fits &= places + (spines or leaves - 1 + used) <= ports
        if spines:
            fits &= wanted.carries(places, spines, leaves * count - 1, leaves * count) & (leaves + used <= ports)
        else:  # the switch of the destination decides the cable between groups; few packets need no hop within them
            hops = leaves - 1 + (count - 1) * (2 * leaves - 1 - np.minimum(leaves, per_pair))
            fits &= wanted.carries(places, (leaves - 1) * leaves, hops, count)
            fits &= wanted.carries(places, 1, -(-leaves // per_pair), count)
        for index in np.flatnonzero(fits).tolist():
            keys = {"global_ports": int(h[index]), "groups": int(count[index])}
            keys |= (
                {"leaves_per_group": leaves, "spines_per_group": spines} if spines else {"switches_per_group": leaves}
            )
            for arrangement in ("absolute", "relative", "circulant"):
                yield (
                    leaves * int(count[index]),
                    int(switches[index]),
                    int(cables[index]),
                    {**keys, "arrangement": arrangement},
                )


def trees_and_planes(name: str, wanted: Wanted) -> Iterator[Size]:
    """Yield full meshes, orthogonal fat-trees, Slim Flies and PolarFlies of all parameters."""
    ports = wanted.request.ports
    for layers, uplinks in product(range(1, ports // 2 + 1), range(1, ports)) if name == "full_mesh" else ():
        leaves, spines = layers * (uplinks + 1), uplinks * (uplinks + 1) // 2
        yield leaves, leaves + spines, leaves * uplinks, {"layers": layers, "uplinks": uplinks}
    for q in range(2, ports) if name != "full_mesh" else ():
        points = q * q + q + 1
        for sides in (1, 2) if name == "oft" else ():
            yield sides * points, (sides + 1) * points, sides * points * (q + 1), {"q": q, "sides": sides}
        if name == "polar_fly":
            yield points, points, q * (q + 1) ** 2 // 2, {"q": q}
        if name == "slim_fly":
            yield 2 * q * q, 2 * q * q, q * q * (3 * q - 1) // 2, {"q": q}


def members(name: str, wanted: Wanted) -> Iterator[Family]:
    """Yield members with the fewest nodes at a switch, or one more, that fit the ports and may be cheaper."""
    kind, links, ports = family_named(name), wanted.links, wanted.request.ports
    field = "nodes_per_leaf" if name in ("oft", "full_mesh", "megafly") else "nodes_per_switch"
    balanced = {"routing": "balanced"} if name in SEARCHED else {}
    metres = {"node_cable_m": 2.0} if name in ("torus", "mesh") else {}
    for holding, switches, cables, keys in SIZES.get(name, trees_and_planes)(name, wanted):
        fewest = wanted.per_switch(holding)
        for places in (fewest, fewest + links):
            capacity = wanted.carries(places * holding, 2 * cables, holding - 1, holding)
            if places >= ports or not capacity or not wanted.is_cheap(switches, cables):
                continue
            try:
                plane = kind(**keys, **balanced, **metres, **{field: places}, cable_m=None)
                if plane.ports <= ports:
                    yield MultiPlane(plane=plane, planes=wanted.planes, links_per_node=links)
            except InputError:  # such as an order that is no prime power
                break


SIZES = {
    **dict.fromkeys(("torus", "mesh", "hyperx"), grids), **dict.fromkeys(("random_regular", "xpander"), graphs),
    **dict.fromkeys(("dragonfly", "megafly"), groups),
}  # fmt: skip


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


def own_throughput(family: Family, least: Fraction = Fraction(0)) -> Fraction:
    """Return the all-to-all throughput of the rate of a node, from the routes of a node of each switch to all others.

    The nodes of a switch take the same ones, and lead to the same ones in families `BY_SWITCH`: switches forward
    packets by destination. If it is below the least one, another such number is returned as soon as that is known.
    """
    plane = family.plane
    network = Network(plane, NO_SITE)
    nodes, load = plane.nodes, np.zeros(0, dtype=np.int64)
    _, firsts, alike = np.unique(network.unrouted_planes[0].node_switch, return_index=True, return_counts=True)
    assert (alike == alike[0]).all()
    targets, weight = (firsts, alike[0] ** 2) if plane.name in BY_SWITCH else (np.arange(nodes), alike[0])
    found = Fraction(10**9)
    for chosen in np.split(firsts, range(32, len(firsts), 32)):
        pairs = np.repeat(chosen, len(targets)), np.tile(targets, len(chosen))
        _, links = network.links(*pairs, 0)
        counted = np.bincount(links, minlength=len(load))
        counted[: len(load)] += load
        load = counted
        busiest = int(weight * load[: 2 * plane.cables].max(initial=0))  # links between switches come first
        found = Fraction(nodes, busiest) if busiest else found
        if found < least:
            break
    return found


def paths_are_short(family: Family, throughput: Fraction) -> bool:
    """Whether all links of a plane could carry the packets along the shortest paths between its switches."""
    plane = family.plane
    (cables,) = Network(plane, NO_SITE).unrouted_planes
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
            if own_throughput(family, least) >= least:
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
