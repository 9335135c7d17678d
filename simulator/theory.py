"""What follows without a simulation: latencies at zero load, and loads that no network of these routes can carry."""

from fractions import Fraction

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int
from isoplane.models.routing import links_of_route

from .hardware import Hardware
from .link_loads import busiest_of_all_pairs, busiest_of_permutation
from .permutations import PERMUTATIONS, Nodes

SAMPLES = 64
SPREAD = 0x9E3779B1  # 2^32 over the golden ratio: its multiples spread evenly


def zero_load_latency_ns(network: Network, hardware: Hardware, source: int, destination: int) -> Fraction:
    """Return the latency in the network of a longest packet that meets no other one.

    With F flits, switch delay S, delays c_1 ... c_h of the cables between switches and a of those to nodes it is
    2·a + S + Σ (c_i + S) and F flit times, all rounded to ticks as the simulation does. In a direct network, whose
    nodes have no cables, it is Σ (c_i + S) and F - 1 flit times, for the switch of the source has its flits at once.
    Store and forward adds F - 1 flit times for each switch that the packet enters by a link. Buffers are taken to cover
    the round trip of a credit. Where several planes are equally near, it is the mean over them.

    Raises
    ------
    InputError
        If a node does not exist, or both are the same.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> float(zero_load_latency_ns(dual_cube(3, (3, 5, 7)), Hardware(), 0, 31))
    235.52
    """
    for node in (source, destination):
        check_int("node", node, 0, network.nodes - 1)
    if source == destination:
        raise InputError(f"node={source}: sends to itself; allowed are two nodes")
    ways = []
    for plane in network.planes:
        target = plane.routes.targets(plane.node_switch)[destination]
        ways.append(links_of_route(plane.topology, plane.routes, int(plane.node_switch[source]), int(target)))
    nearest = min(map(len, ways))
    ticks = [
        _ticks(network, hardware, [int(plane.cable_mm[switch, port]) for switch, port, _ in way])
        for plane, way in zip(network.planes, ways, strict=True)
        if len(way) == nearest
    ]
    return Fraction(sum(ticks), len(ticks)) * hardware.tick_ns


def _ticks(network: Network, hardware: Hardware, cables_mm: list[int]) -> int:
    """Return the latency over links of these lengths, in ticks."""
    cables = sum(hardware.cable_ticks(Fraction(length, 1000)) for length in cables_mm)
    switches, flits = len(cables_mm), hardware.packet_flits
    if network.node_cable_mm is not None:
        cables += 2 * hardware.cable_ticks(Fraction(network.node_cable_mm, 1000))
        switches += 1
    waits = switches if network.node_cable_mm is not None else max(switches - 1, 0)
    late = (flits - 1) * waits if hardware.flow_control == "store_and_forward" else 0
    tail = flits if network.node_cable_mm is not None else flits - 1
    return cables + switches * hardware.switch_ticks + (tail + late) * hardware.speedup


def typical_latency_ticks(network: Network, hardware: Hardware) -> int:
    """Return the mean latency at zero load of a few pairs all over the network, in ticks: a measure of time.

    Raises
    ------
    InputError
        If there is a single node.
    """
    _check_nodes(network)
    total, nodes = Fraction(0), network.nodes
    samples = min(SAMPLES, nodes)
    for index in range(samples):
        source = index * nodes // samples
        destination = (source + 1 + index * SPREAD % (nodes - 1)) % nodes
        total += zero_load_latency_ns(network, hardware, source, destination)
    return max(round(total / samples / hardware.tick_ns), 1)


def load_bound(network: Network, traffic: str | Nodes = "uniform") -> Fraction:
    """Return the offered load at which the busiest link is offered as much as it can carry.

    Beyond it no run is stable. Each message takes the nearest plane; of equally near planes each has its share. For
    uniform traffic over a dual-plane cube with N nodes, c at each switch, it is max_traffic / c · (N - 1) / N, or less
    where the links of the nodes are busier than those between switches.

    Parameters
    ----------
    network
        The network.
    traffic
        ``uniform``, ``all_to_all`` (the same in the long run), a permutation, or the destination of every node.

    Raises
    ------
    InputError
        If the pattern is another one or does not fit the nodes, there is a single node, or nobody sends.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> load_bound(dual_cube(3, (3, 5, 7))), Fraction(16, 3) / 4 * Fraction(31, 32)
    (Fraction(31, 24), Fraction(31, 24))
    """
    _check_nodes(network)
    if not isinstance(traffic, str):
        busiest = busiest_of_permutation(network, traffic)
    elif traffic in ("uniform", "all_to_all"):
        busiest = busiest_of_all_pairs(network)
    elif traffic in PERMUTATIONS:
        busiest = busiest_of_permutation(network, PERMUTATIONS[traffic](network.nodes))
    else:
        raise InputError(f"traffic.pattern={traffic}: allowed for a bound are uniform, {', '.join(PERMUTATIONS)}")
    if not busiest:
        raise InputError("traffic: nobody sends to another node; allowed is a pattern in which somebody does")
    return 1 / busiest


def _check_nodes(network: Network) -> None:
    if network.nodes < 2:
        raise InputError("network.nodes=1: nobody to send to; allowed are at least 2")
