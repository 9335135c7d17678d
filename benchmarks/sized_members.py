"""Members of all parameters of the families in `sizing.py`, but for those that cannot be cheap or fast enough."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from isoplane.models import Family, InputError, family_named
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.runs.comparison.request import Request

SEARCHED = ("random_regular", "xpander", "slim_fly", "polar_fly")  # routes take longer to find than distances
Ints = Any  # one integer, or an array of them
Shape = tuple[int, ...]
Size = tuple[int, int, int, dict[str, object]]  # switches with nodes, switches, cables, parameters


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
                plane = kind(**keys, **balanced, **metres, **{field: places}, assumed_cable_m=None)
                if plane.ports <= ports:
                    yield MultiPlane(plane=plane, planes=wanted.planes, links_per_node=links)
            except InputError:  # such as an order that is no prime power
                break


SIZES = {
    **dict.fromkeys(("torus", "mesh", "hyperx"), grids), **dict.fromkeys(("random_regular", "xpander"), graphs),
    **dict.fromkeys(("dragonfly", "megafly"), groups),
}  # fmt: skip
