"""What follows without a simulation: latencies at zero load, and loads that no network of these routes can carry."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Fabric, FabricPlane, InputError
from isoplane.models.checks import check_int
from isoplane.models.routing import ARRIVED, hops, links_of_route
from isoplane.models.routing.offsets import common_moves, offset_between, representatives

from .hardware import Hardware
from .permutations import PERMUTATIONS, Nodes

Ints = NDArray[np.int64]

PAIRS = 1 << 20  # pairs of switches that are walked at once
SAMPLES = 64
SPREAD = 0x9E3779B1  # 2^32 over the golden ratio: its multiples spread evenly


def zero_load_latency_ns(fabric: Fabric, hardware: Hardware, source: int, destination: int) -> Fraction:
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
    >>> from isoplane.models import dual_cube, fabric_of
    >>> float(zero_load_latency_ns(fabric_of(dual_cube(3, (3, 5, 7))), Hardware(), 0, 31))
    235.52
    """
    for node in (source, destination):
        check_int("node", node, 0, fabric.nodes - 1)
    if source == destination:
        raise InputError(f"node={source}: sends to itself; allowed are two nodes")
    ends = source // fabric.nodes_per_switch, destination // fabric.nodes_per_switch
    ways = [links_of_route(plane.wiring, plane.routes, *ends) for plane in fabric.planes]
    nearest = min(map(len, ways))
    ticks = [
        _ticks(fabric, hardware, [int(plane.cable_mm[switch, port]) for switch, port, _ in way])
        for plane, way in zip(fabric.planes, ways, strict=True)
        if len(way) == nearest
    ]
    return Fraction(sum(ticks), len(ticks)) * hardware.tick_ns


def _ticks(fabric: Fabric, hardware: Hardware, cables_mm: list[int]) -> int:
    """Return the latency over links of these lengths, in ticks."""
    cables = sum(hardware.cable_ticks(Fraction(length, 1000)) for length in cables_mm)
    switches, flits = len(cables_mm), hardware.packet_flits
    if fabric.node_cable_mm is not None:
        cables += 2 * hardware.cable_ticks(Fraction(fabric.node_cable_mm, 1000))
        switches += 1
    waits = switches if fabric.node_cable_mm is not None else max(switches - 1, 0)
    late = (flits - 1) * waits if hardware.flow_control == "store_and_forward" else 0
    tail = flits if fabric.node_cable_mm is not None else flits - 1
    return cables + switches * hardware.switch_ticks + (tail + late) * hardware.speedup


def typical_latency_ticks(fabric: Fabric, hardware: Hardware) -> int:
    """Return the mean latency at zero load of a few pairs all over the network, in ticks: a measure of time.

    Raises
    ------
    InputError
        If there is a single node.
    """
    _check_nodes(fabric)
    total, nodes = Fraction(0), fabric.nodes
    samples = min(SAMPLES, nodes)
    for index in range(samples):
        source = index * nodes // samples
        destination = (source + 1 + index * SPREAD % (nodes - 1)) % nodes
        total += zero_load_latency_ns(fabric, hardware, source, destination)
    return max(round(total / samples / hardware.tick_ns), 1)


def load_bound(fabric: Fabric, traffic: str | Nodes = "uniform") -> Fraction:
    """Return the offered load at which the busiest link is offered as much as it can carry.

    Beyond it no run is stable. Each message takes the nearest plane; of equally near planes each has its share. For
    uniform traffic over a dual-plane cube with N nodes, c at each switch, it is max_traffic / c · (N - 1) / N, or less
    where the links of the nodes are busier than those between switches.

    Parameters
    ----------
    fabric
        The network.
    traffic
        ``uniform``, ``all_to_all`` (the same in the long run), a permutation, or the destination of every node.

    Raises
    ------
    InputError
        If the pattern is another one or does not fit the nodes, there is a single node, or nobody sends.

    Examples
    --------
    >>> from isoplane.models import dual_cube, fabric_of
    >>> load_bound(fabric_of(dual_cube(3, (3, 5, 7)))), Fraction(16, 3) / 4 * Fraction(31, 32)
    (Fraction(31, 24), Fraction(31, 24))
    """
    _check_nodes(fabric)
    if not isinstance(traffic, str):
        busiest = _permuted(fabric, traffic)
    elif traffic in ("uniform", "all_to_all"):
        busiest = _uniform(fabric)
    elif traffic in PERMUTATIONS:
        busiest = _permuted(fabric, PERMUTATIONS[traffic](fabric.nodes))
    else:
        raise InputError(f"traffic.pattern={traffic}: allowed for a bound are uniform, {', '.join(PERMUTATIONS)}")
    if not busiest:
        raise InputError("traffic: nobody sends to another node; allowed is a pattern in which somebody does")
    return 1 / busiest


def _check_nodes(fabric: Fabric) -> None:
    if fabric.nodes < 2:
        raise InputError("fabric.nodes=1: nobody to send to; allowed are at least 2")


def _uniform(fabric: Fabric) -> Fraction:
    """Return the load of the busiest link when every node offers 1 to all others evenly."""
    labels, first = alike(fabric)
    lengths = _lengths(fabric)
    whole, nodes_each = _whole(fabric), fabric.nodes_per_switch
    uses = [np.zeros((int(labels.max()) + 1, plane.wiring.ports), dtype=np.int64) for plane in fabric.planes]
    most_at_node = 0
    everyone = np.arange(fabric.switches)
    step = max(1, PAIRS // fabric.switches)
    local = whole // len(fabric.planes) * (nodes_each - 1)
    for start in range(0, len(first), step):
        some = first[start : start + step]
        for plane, share, use in zip(
            fabric.planes, _shares(fabric, lengths, some[:, None], everyone), uses, strict=True
        ):
            here, there = np.repeat(some, fabric.switches), np.tile(everyone, len(some))
            _walk(plane, here, there, share.ravel(), labels, use)
            most_at_node = max(most_at_node, int(share.sum(axis=1).max()) * nodes_each + local)
        for share in _shares(fabric, lengths, everyone, some[:, None]):  # what these receive
            most_at_node = max(most_at_node, int(share.sum(axis=1).max()) * nodes_each + local)
    most = max(int(use.max(initial=0)) for use in uses) * nodes_each**2
    if fabric.node_cable_mm is not None:
        most = max(most, most_at_node)
    return Fraction(most, whole * (fabric.nodes - 1))


def _permuted(fabric: Fabric, table: Ints) -> Fraction:
    """Return the load of the busiest link when every node offers 1 to its destination."""
    source = np.flatnonzero(table != np.arange(fabric.nodes))
    here, there = source // fabric.nodes_per_switch, table[source] // fabric.nodes_per_switch
    most = 0
    shares = _shares(fabric, _lengths(fabric), here, there, within=True)
    for plane, share in zip(fabric.planes, shares, strict=True):
        use = np.zeros(plane.wiring.peer.shape, dtype=np.int64)
        _walk(plane, here, there, share, np.arange(fabric.switches), use)
        most = max(most, int(use.max(initial=0)))
        if fabric.node_cable_mm is not None:
            received = np.bincount(table[source], weights=share, minlength=1)
            most = max(most, int(share.max(initial=0)), int(received.max()))
    return Fraction(most, _whole(fabric))


def _whole(fabric: Fabric) -> int:
    """Return a number that any number of planes divides: the parts of which a message is made."""
    return lcm(*range(1, len(fabric.planes) + 1))


def alike(fabric: Fabric) -> tuple[Ints, Ints]:
    """Return a label for every switch, the same where all look alike in all planes, and a switch for each label."""
    one = fabric.planes[0].routes
    for plane in fabric.planes:
        routes = plane.routes
        same = (routes.group, routes.shape) == (one.group, one.shape)
        if not same or not np.array_equal(routes.switch_class, one.switch_class):
            break
        if common_moves(plane.wiring, routes) is None:
            break
    else:
        return one.switch_class.astype(np.int64), representatives(one)
    return np.arange(fabric.switches), np.arange(fabric.switches)


def _lengths(fabric: Fabric) -> list[NDArray[np.int32]]:
    """Return the length of each route of each plane."""
    return [hops(plane.wiring, plane.routes) for plane in fabric.planes]


def _shares(
    fabric: Fabric, tables: Sequence[NDArray[np.int32]], here: Ints, there: Ints, within: bool = False
) -> Iterator[Ints]:
    """Yield for each plane how many parts of a message between switches it takes; none within a switch by default."""
    shape, lengths = np.broadcast_shapes(here.shape, there.shape), []
    for plane, table in zip(fabric.planes, tables, strict=True):
        row = np.broadcast_to(plane.routes.switch_class[here], shape)
        lengths.append(table[row, offset_between(plane.routes, here, there)])
    nearest = np.minimum.reduce(lengths)
    ties = sum((length == nearest).astype(np.int64) for length in lengths)
    for length in lengths:
        share = np.where(length == nearest, _whole(fabric) // ties, 0)
        yield share if within else np.where(here == there, 0, share)


def _walk(plane: FabricPlane, here: Ints, there: Ints, share: Ints, labels: Ints, use: Ints) -> None:
    """Follow routes to their ends, and add their shares to the use of every link, by label of the switch and port."""
    going = np.flatnonzero((share > 0) & (here != there))
    here, there, share = here[going].astype(np.int64), there[going], share[going]
    start, step = here, 0
    while len(here):
        port = _ports(plane, start, here, there, step)
        on = port != ARRIVED
        here, there, share, start, port = here[on], there[on], share[on], start[on], port[on]
        flat = labels[here] * use.shape[1] + port
        use += np.bincount(flat, weights=share, minlength=use.size).astype(np.int64).reshape(use.shape)
        here = plane.wiring.peer[here, port].astype(np.int64)
        step += 1


def _ports(plane: FabricPlane, start: Ints, here: Ints, there: Ints, step: int) -> Ints:
    """Return the next ports of packets after so many hops."""
    routes = plane.routes
    if routes.next_port is not None:
        found: Ints = routes.next_port[routes.switch_class[here], offset_between(routes, here, there)].astype(np.int64)
        return found
    assert routes.paths is not None
    entry = routes.switch_class[start] * routes.offsets + offset_between(routes, start, there)
    at, end = routes.paths.starts[entry].astype(np.int64) + step, routes.paths.starts[entry + 1]
    inside = at < end
    return np.where(inside, routes.paths.ports[np.where(inside, at, 0)], ARRIVED)
