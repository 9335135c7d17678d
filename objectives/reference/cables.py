"""Cable lengths and prices, counted cable by cable, and the cost of a network."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cubes, Layout, PriceList, Site

from .links import switch_cents

if TYPE_CHECKING:
    import igraph


def plane_cables(graph: igraph.Graph, layout: Layout, prices: PriceList) -> tuple[tuple[int, ...], int]:
    """Look up every cable between the switches of a plane in the catalogue.

    Return, for each of `Cube.links`, Σ over switches of the catalogue length in mm, each cable counted at both ends;
    and the total price in cents, each cable counted once.

    A cable between racks covers the Manhattan distance of the racks plus the slack; a cable inside a rack has the rack
    cable length. The catalogue rounds both lengths up.

    Raises
    ------
    InputError
        If the layout does not fit the switches, or no cable in the catalogue is long enough.

    References
    ----------
    Hosomi et al. 2021, section 3.1.2 and Table 2.

    Examples
    --------
    >>> from isoplane.models import ConnectionSet, Cube
    >>> from .graph import plane_graph
    >>> plane_cables(plane_graph(Cube(ConnectionSet.unit(3))), Layout(), PriceList())
    ((8000, 8000, 24000), 147200)
    """
    needed_mm = _needed_mm(graph, layout)
    lengths, cable_of = np.unique(needed_mm, return_inverse=True)
    # Longest first, so that an error names the longest.
    catalogue = [prices.cable_for_mm(int(length)) for length in lengths[::-1]][::-1]
    length_mm = np.array([length for length, _ in catalogue], dtype=np.int64)[cable_of]
    price_cents = np.array([price for _, price in catalogue], dtype=np.int64)[cable_of]
    link_of = np.array(graph.es["link"])
    both_ends = tuple(2 * int(length_mm[link_of == link].sum()) for link in range(link_of.max() + 1))
    return both_ends, int(price_cents.sum())


def longest_cable_mm(graphs: Sequence[igraph.Graph], layout: Layout, prices: PriceList) -> int:
    """Return the catalogue length of the longest cable between switches of planes, or of a node if that is longer."""
    switches = [prices.cable_for_mm(int(_needed_mm(graph, layout).max()))[0] for graph in graphs]
    return max(*switches, _thousandths(layout.node_cable_m))


def _needed_mm(graph: igraph.Graph, layout: Layout) -> NDArray[np.int64]:
    """Return the required length of each edge before the catalogue rounds it up, as ``int64[edges]``."""
    racks = np.array(graph.get_edgelist(), dtype=np.int64) // layout.switches_per_rack
    across, _ = layout.grid(graph.vcount())
    apart_across, apart_deep = (
        np.abs(coordinate[:, 0] - coordinate[:, 1]) for coordinate in (racks % across, racks // across)
    )
    between_racks = (
        apart_across * _thousandths(layout.pitch_across_m)
        + apart_deep * _thousandths(layout.pitch_deep_m)
        + _thousandths(layout.slack_m)
    )
    return np.where(racks[:, 0] == racks[:, 1], _thousandths(layout.rack_cable_m), between_racks)


def network_cost_cents(cubes: Cubes, site: Site, layout: Layout, switch_cable_cents: int) -> int:
    """Return the total price of a network in cents.

    cost = nodes·NIC + switches·planes·switch + nodes·node ports·node cable + switch cables.

    Parameters
    ----------
    cubes, site
        The network; without a list of switches, only the used ports of its switches are paid for.
    layout
        The layout of the site, which gives the length of the node cables.
    switch_cable_cents
        Total price of the cables between switches in all planes.

    Raises
    ------
    InputError
        If the catalogue lacks the network interface, the node cable or a switch.

    References
    ----------
    Hosomi et al. 2021, Table 3 and section 3.3.1.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network_cost_cents(dual_cube(2, (1, 2)).family, Site(), Layout(), 88000)  # 16 nodes, 8 switches of 6 ports
    2782144
    """
    prices = site.prices
    _, node_cable_cents = prices.cable_for_mm(_thousandths(layout.node_cable_m))
    switches = cubes.plane_switches * len(cubes.planes)
    node_cents = prices.nic_cents(cubes.node_ports) + cubes.node_ports * node_cable_cents
    return cubes.nodes * node_cents + switches * switch_cents(prices, cubes.ports) + switch_cable_cents


def _thousandths(value_m: float) -> int:
    """Convert metres to millimetres, which the layout has checked to be whole."""
    return int(Fraction(str(value_m)) * 1000)
