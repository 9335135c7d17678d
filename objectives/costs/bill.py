"""The bill of a network: its parts with their prices and powers, and ranges of its price."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network, PriceList
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int, fraction_of, milliwatts
from isoplane.models.mathematics.spans import spans
from isoplane.models.planes.spread_places import spread_places
from isoplane.models.site.prices import PART_CLASSES, PartClass

from .lookups import lookup_powers

NO_MISSES = Fraction(0)
Needs = Mapping[str, Counter[int]]  # numbers of parts by kind, then by ports in use or length in millimetres


@dataclass(frozen=True)
class Part:
    """Equal parts of a network.

    Attributes
    ----------
    part_class
        ``switch``, ``nic``, ``copper``, ``optics``, or ``cable`` if the catalogue does not distinguish them.
    description
        What it is, for display.
    count
        Number of such parts.
    unit_cents, unit_milliwatts
        Price and power of one of them; the power is None if it is not stated.
    length_mm
        Length of a cable; 0 for other parts.
    """

    part_class: PartClass
    description: str
    count: int
    unit_cents: int
    unit_milliwatts: int | Fraction | None = None
    length_mm: int = 0


@dataclass(frozen=True)
class Bill:
    """The parts of a network.

    Attributes
    ----------
    parts
        The parts, each kind once: switches, interfaces and cables of nodes, cables between switches.
    ranges
        The ranges of prices by class of part, as in `PriceList`.
    lookups
        Routing tables and caches of the switches, which are included in the price of these, for the power of their
        look-ups; empty if the switch model does not state it.
    """

    parts: tuple[Part, ...]
    ranges: Mapping[str, tuple[float, float]]
    lookups: tuple[Part, ...] = ()

    @property
    def total_cents(self) -> int:
        """Price of all parts."""
        return sum(part.count * part.unit_cents for part in self.parts)

    @property
    def watts(self) -> float | None:
        """Power of all parts whose power the catalogue or the switch model states; None if they state none."""
        powers = ((part.count, part.unit_milliwatts) for part in (*self.parts, *self.lookups))
        stated = [count * power for count, power in powers if power is not None]
        return float(Fraction(sum(stated)) / 1000) if stated else None

    def class_cents(self, part_class: PartClass) -> int:
        """Return the price of all parts of a class."""
        return sum(part.count * part.unit_cents for part in self.parts if part.part_class == part_class)

    def length_m(self, part_class: PartClass) -> float:
        """Return the total length of all cables of a class, those of nodes included."""
        return sum(part.count * part.length_mm for part in self.parts if part.part_class == part_class) / 1000


def bill_of(network: Network, nodes: int | None = None, miss_rate: Fraction = NO_MISSES) -> Bill:
    """Return the parts of a network of switches: switches, interfaces, and cables from the catalogue.

    A switch is the cheapest one with enough ports, or is paid for by used port (`PriceList.switch_for`); the number of
    ports of an interface is the number of links of its node over all planes; nodes of a direct network need neither
    interfaces nor cables. A cable is the shortest one that is long enough.

    Parameters
    ----------
    network
        The network.
    nodes
        Number of nodes that are bought, at `spread_places`; the other places have no interfaces and node cables. All by
        default.
    miss_rate
        Share of the packets that miss the cache of an input port, for the power of their look-ups.

    Raises
    ------
    InputError
        If the network has no layout, or the catalogue lacks a switch, an interface or a cable.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> bill = bill_of(dual_cube(2, (1, 3)))
    >>> [(part.count, part.description, part.unit_cents) for part in bill.parts[:2]]
    [(8, 'switch of 6 ports', 186168), (16, 'interface of 2 ports', 48500)]
    >>> bill.total_cents, bill.length_m("cable"), bill.watts  # 32 node cables of 2 m, 8 cables of 1 m
    (2782144, 72.0, None)
    """
    if network.site.layout is None:
        raise InputError("layout=none: the price needs a layout")
    prices, needs = network.site.prices, parts_needed(network, nodes)
    parts = (part for kind in KINDS for part in KINDS[kind](prices, needs[kind]))
    return Bill(tuple(parts), prices.ranges, tuple(_lookups(network, miss_rate)))


def parts_needed(network: Network, nodes: int | None = None) -> Needs:
    """Return how many parts of each kind a network needs, by their ports in use or length in millimetres.

    They depend on the layout and on the lengths of the cables in the catalogue, but on no price.

    Parameters
    ----------
    network, nodes
        As in `bill_of`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> needs = parts_needed(dual_cube(2, (1, 3)))
    >>> dict(needs["switch"]), dict(needs["node cable"]), cents_of(needs, PriceList())
    ({6: 8}, {2000: 32}, 2782144)
    """
    needs: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS}
    for plane in network.cabling:
        needs["switch"].update(dict(enumerate(np.bincount(plane.ports_used).tolist())))
        lengths, ends = np.unique(plane.cable_mm[plane.topology.peer >= 0], return_counts=True)
        needs["cable"].update(dict(zip(lengths.tolist(), (ends // 2).tolist(), strict=True)))
    if network.node_cable_mm is not None:
        places = _bought_places(network, network.nodes if nodes is None else nodes)
        links = np.sum([np.diff(plane.starts) for plane in network.cabling], axis=0)[places]
        needs["nic"].update(links.tolist())
        needs["node cable"] = _node_lengths(network, places)
    return {kind: +counts for kind, counts in needs.items()}  # without numbers of ports of no switch


def cents_of(needs: Needs, prices: PriceList) -> int:
    """Return the price of parts in cents, which is linear in the prices of the catalogue.

    Raises
    ------
    InputError
        If the catalogue lacks one.
    """
    sizes = ((kind, size, count) for kind, counts in needs.items() for size, count in counts.items())
    return sum(count * unit_cents(prices, kind, size) for kind, size, count in sizes)


@lru_cache(maxsize=1 << 16)
def unit_cents(prices: PriceList, kind: str, size: int) -> int:
    """Return the price in cents of a part of one of `KINDS`, with a number of ports or a length in millimetres."""
    (part,) = KINDS[kind](prices, {size: 1})
    return part.unit_cents


def _switches(prices: PriceList, counts: Mapping[int, int]) -> Iterator[Part]:
    per_port = None if prices.switch_port_w is None else milliwatts("", prices.switch_port_w)
    for used, count in sorted(counts.items()):
        size, cents = prices.switch_for(used)
        description = f"switch of {size} ports" + (f", {used} used" if used < size else "")
        yield Part("switch", description, count, cents, None if per_port is None else used * per_port)


def _interfaces(prices: PriceList, counts: Mapping[int, int]) -> Iterator[Part]:
    per_port = None if prices.nic_w is None else milliwatts("", prices.nic_w)
    for ports, count in sorted(counts.items()):
        power = None if per_port is None else ports * per_port
        description = "interface of 1 port" if ports == 1 else f"interface of {ports} ports"
        yield Part("nic", description, count, prices.nic_cents(ports), power)


def _lookups(network: Network, miss_rate: Fraction) -> Iterator[Part]:
    """Yield the routing tables and the caches of all switches by number of ports and rates, if their power is stated.

    Every port in use takes up `SwitchModel.lookup_load` of its rate.
    """
    switch = network.site.switch
    for ports, gbps, count, power in lookup_powers(network, miss_rate):
        used = f"switch of {ports} ports at {float(gbps * fraction_of(switch.lookup_load)):g} Gbit/s"
        table_w, caches_w = power.table_dynamic_w + power.table_static_w, power.cache_dynamic_w + power.cache_static_w
        yield Part("switch", f"routing table of a {used}", count, 0, 1000 * table_w)
        if switch.cache is not None:
            yield Part("switch", f"caches of a {used}", count, 0, 1000 * caches_w)


def _bought_places(network: Network, nodes: int) -> Ints:
    """Return places of nodes that need the same parts as those that are bought."""
    are_alike = all(
        plane.node_cables_mm is None and len(set(np.diff(plane.starts).tolist())) == 1 for plane in network.cabling
    )
    # Without the order of `spread_places`: the sizing rule prices thousands of networks.
    return np.arange(min(nodes, network.nodes)) if are_alike else spread_places(network.cabling, nodes)


def _node_lengths(network: Network, places: Ints) -> Counter[int]:
    """Return the number of cables of the nodes at some places, by length."""
    lengths: Counter[int] = Counter()
    for plane in network.cabling:
        counts = np.diff(plane.starts)[places]
        if plane.node_cables_mm is None:  # all are equal
            lengths[plane.node_cable_mm or 0] += int(counts.sum())
        else:
            lengths.update(plane.node_cables_mm[spans(plane.starts[places], counts)].tolist())
    return lengths


def _cable_parts(name: str, prices: PriceList, lengths: Mapping[int, int]) -> Iterator[Part]:
    """Yield the cables of the catalogue that numbers of cables of given lengths need."""
    parts: Counter[tuple[int, int]] = Counter()
    for needed_mm, count in lengths.items():
        parts[prices.cable_for_mm(needed_mm)] += count
    for (length_mm, cents), count in sorted(parts.items()):
        part_class = prices.cable_class(length_mm)
        optical = part_class == "optics" and prices.optical_cable_w is not None
        power = milliwatts("", prices.optical_cable_w) if optical else None
        yield Part(part_class, f"{name} of {length_mm / 1000:g} m", count, cents, power, length_mm)


# By kind of part, in the order of bills: from a catalogue and numbers of parts by size to the parts.
KINDS: Mapping[str, Callable[[PriceList, Mapping[int, int]], Iterator[Part]]] = {
    "switch": _switches,
    "nic": _interfaces,
    "node cable": partial(_cable_parts, "node cable"),
    "cable": partial(_cable_parts, "cable"),
}


def price_range(bill: Bill) -> tuple[float, float, float]:
    """Return the lowest, the given and the highest price in US$, if every class is at the end of its range.

    Examples
    --------
    >>> ranges = {"switch": (0.5, 2), "nic": (0.8, 1)}
    >>> price_range(Bill((Part("switch", "", 2, 10000), Part("nic", "", 1, 5000), Part("copper", "", 3, 100)), ranges))
    (143.0, 253.0, 453.0)
    """
    ends = [sum(bill.class_cents(each) * bill.ranges.get(each, (1, 1))[end] for each in PART_CLASSES) for end in (0, 1)]
    return ends[0] / 100, bill.total_cents / 100, ends[1] / 100


def price_draws(bill: Bill, draws: int, seed: int) -> NDArray[np.float64]:
    """Return prices in US$ with the factor of each class drawn from its range, log-uniformly.

    Draw i has the same factors in every bill of one catalogue and seed, so that the prices of two networks can be
    compared draw by draw; the first draws of a longer series are those of a shorter one.

    Parameters
    ----------
    bill
        The parts.
    draws
        Number of draws.
    seed
        Seed of the draws.

    Returns
    -------
    float64[draws]
        The prices.

    Examples
    --------
    >>> cheap, dear = (Bill((Part("nic", "", count, 1000),), {"nic": (0.5, 2)}) for count in (9, 10))
    >>> bool((price_draws(cheap, 100, 1) < price_draws(dear, 100, 1)).all())
    True
    """
    check_int("draws", draws, 1)
    check_int("seed", seed, 0)
    low, high = np.array([bill.ranges.get(each, (1, 1)) for each in PART_CLASSES], dtype=np.float64).T
    # Row by row, so that a longer series begins with the draws of a shorter one.
    share = np.random.default_rng(seed).random((draws, len(PART_CLASSES)))
    class_usd = np.array([bill.class_cents(each) for each in PART_CLASSES]) / 100
    found: NDArray[np.float64] = (low * (high / low) ** share * class_usd).sum(axis=1)
    return found
