"""The all-to-all throughput of a member along its routes."""

from fractions import Fraction
from functools import lru_cache

from isoplane.models import Family, Network
from isoplane.models.failures.node_subsets import spread_nodes
from isoplane.models.families.multi_plane import one_plane, throughput_bound
from isoplane.models.network import NO_SITE
from isoplane.objectives.general import GeneralExact

known_bound = lru_cache(maxsize=1 << 14)(throughput_bound)  # does not change with the prices


@lru_cache(maxsize=1 << 14)
def routed_throughput(family: Family, node_ports: int) -> Fraction:
    """Return the routed all-to-all throughput per node, as a fraction of the rate of its ports.

    Examples
    --------
    >>> from isoplane.models.families.leaf_spine import LeafSpine
    >>> routed_throughput(LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=4), 1)  # 1 / (1 - 1/8)
    Fraction(8, 7)
    """
    bound, is_reached = known_bound(family)
    if bound is not None and is_reached:
        return bound / node_ports
    exact = GeneralExact(Network(family, NO_SITE))
    return Fraction(exact.parts * family.nodes, exact.peak_load * node_ports)


@lru_cache(maxsize=1 << 14)
def requested_throughput(family: Family, nodes: int, node_ports: int) -> Fraction:
    """Return the `routed_throughput` if only some of the places have nodes, at `spread_places`.

    It can be lower than with a node at each place. Of N nodes at M places, none of whose switches has lost one, each
    sends 1/N of its rate to each other, where it was 1/M, so that links between full switches have a higher load.

    Examples
    --------
    Two nodes at each of three switches of a full mesh load a link by 2 * 2/6, and without one of them by 2 * 2/5.

    >>> from isoplane.models.families.hyperx import HyperX
    >>> mesh = HyperX(shape=(3,), nodes_per_switch=2, node_cable_m=2)
    >>> requested_throughput(mesh, 6, 1), requested_throughput(mesh, 5, 1)
    (Fraction(3, 2), Fraction(5, 4))
    """
    one, planes = one_plane(family)
    network = Network(one, NO_SITE)
    if nodes >= family.nodes or network.node_cable_mm is None:  # nodes in switches cannot be left out
        return routed_throughput(family, node_ports)
    exact = GeneralExact(spread_nodes(network, nodes))
    return Fraction(exact.parts * nodes * planes, exact.peak_load * node_ports)
