"""The bill of materials with spares, and the interfaces of nodes."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

import numpy as np

from isoplane.models import PriceList
from isoplane.models.arrays import rows_of
from isoplane.models.checks import cents
from isoplane.models.files.exact_text import dollars
from isoplane.objectives import Bill

from .cables import PlacedCables, part_name

HEADER = ("class", "description", "part", "count", "unit_usd", "price_usd", "spares", "spares_usd")
NODE_HEADER = (
    "node",
    "rack",
    "position",
    "interface",
    "interface_port",
    "rail",
    "plane",
    "switch",
    "switch_port",
    "label",
)
NODE_NAMES = ("node_name", "switch_name")  # further columns, if devices have names at the site


def material_rows(bill: Bill, prices: PriceList, spares: Fraction) -> Iterator[tuple[str | int, ...]]:
    """Yield the parts of a bill, each with the spares: a share of their number, rounded up.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import bill_of
    >>> for row in material_rows(bill_of(dual_cube(2, (1, 3))), PriceList(), Fraction(1, 20)):
    ...     print(*row, sep=",")
    switch,switch of 6 ports,switch of 6 ports,8,1861.68,14893.44,1,1861.68
    nic,interface of 2 ports,interface of 2 ports,16,485.00,7760.00,1,485.00
    cable,node cable of 2 m,cable 2 m,32,134.00,4288.00,2,268.00
    cable,cable of 1 m,cable 1 m,8,110.00,880.00,1,110.00
    """
    for part in bill.parts:
        extra = ceil(part.count * spares)
        yield (
            part.part_class,
            part.description,
            part_name(prices, part.length_mm) if part.length_mm else part.description,
            part.count,
            dollars(part.unit_cents),
            dollars(part.count * part.unit_cents),
            extra,
            dollars(extra * part.unit_cents),
        )


def interfaces(prices: PriceList, ports: int) -> tuple[int, ...]:
    """Return the ports of each interface of a node, most first, whose price is that of `PriceList.nic_cents`.

    Of several combinations with that price, it is one of the fewest interfaces.

    Examples
    --------
    >>> interfaces(PriceList(), 2), interfaces(PriceList(), 5)
    ((2,), (2, 2, 1))
    """
    if ports in prices.nics_usd:
        return (ports,)
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}  # price, number, ports, by number of ports
    for total in range(1, ports + 1):
        options = [
            (price + cents("", usd), number + 1, tuple(sorted((*chosen, size), reverse=True)))
            for size, usd in prices.nics_usd.items()
            if total - size in best
            for price, number, chosen in [best[total - size]]
        ]
        if options:
            best[total] = min(options)
    return best[ports][2]


def node_cable_rows(placed: PlacedCables) -> Iterator[tuple[str | int, ...]]:
    """Yield every node cable: node, its interface, the port of it and the rail, then the switch; by node and rail.

    Interfaces are the adapters that planes state, or else those of the catalogue.
    """
    cables = placed.cables
    at = np.flatnonzero(cables.to_node)
    at = at[np.lexsort((cables.other_port[at], cables.other[at]))]
    links = np.bincount(cables.other[at])
    slots = {count: _slots(interfaces(placed.prices, count)) for count in np.unique(links[links > 0]).tolist()}
    is_stated = bool(cables.adapter.any())
    racks, names = placed.floor.names, placed.names
    columns = (cables.other, cables.other_port, cables.plane, cables.switch_port, cables.adapter, cables.adapter_port)
    rows = rows_of(at, *placed.ends[at].T, *(column[at] for column in columns))
    for index, switch, device, node, rail, plane, port, *stated in rows:
        slot = stated if is_stated else slots[int(links[node])][rail - 1]
        place = names[device], racks[placed.rack[device]], int(placed.position[device])
        at_site = (placed.at_site[device], placed.at_site[switch]) if placed.at_site else ()
        yield *place, *slot, rail, plane, names[switch], port, placed.labels[index], *at_site


def _slots(sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return interface and port of it for each rail."""
    return [(number, port) for number, size in enumerate(sizes, start=1) for port in range(1, size + 1)]
