"""Analytic results: zero-load latency and an upper bound on throughput."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import Policy, with_empty_queues

from ..flits.plan import detours_of
from ..flits.plane_ticks import PlaneTicks, plane_ticks
from ..hardware import Hardware
from ..traffic.permutations import PERMUTATIONS, Nodes, permutation
from ..traffic.traffic import Traffic
from .link_loads import busiest_of_all_pairs, busiest_of_pairs
from .uncontended import uncontended_ticks

SAMPLES = 64
SPREAD = 0x9E3779B1  # 2^32 over the golden ratio: its multiples spread evenly


def zero_load_latency_ns(network: Network, hardware: Hardware, source: int, destination: int) -> Fraction:
    """Return the latency in the network of an uncontended packet of full length.

    For F flits, a switch delay S, delays c_1 ... c_h of the cables between switches, and a delay a of the node cables,
    it is 2·a + S + Σ (c_i + S) plus F flit times, all rounded to ticks as in the simulation. In a direct network, whose
    nodes have no cables, it is Σ (c_i + S) plus F - 1 flit times, because the source switch has all flits at once.
    Store and forward adds F - 1 flit times per switch that the packet enters by a link. If link rates differ, flits
    follow their head at the rate of the slowest link so far. Buffers are assumed to cover the credit round trip. If
    several routes share the packets, the latency is the mean over them. All queues are empty, so that the routes of all
    planes do under ``adaptive``, and those of the nearest under ``spill``. The path is minimal, whatever the path
    selection of the hardware.

    Raises
    ------
    InputError
        If a node does not exist, the two are the same, no plane joins them, or a rate or a delay is out of range.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> float(zero_load_latency_ns(dual_cube(3, (3, 5, 7)), Hardware(), 0, 31))
    235.52
    """
    times = [plane_ticks(plane, hardware) for plane in network.planes]
    return _ticks_between(network, hardware, times, source, destination) * hardware.tick_ns


def _ticks_between(
    network: Network, hardware: Hardware, times: list[PlaneTicks], source: int, destination: int
) -> Fraction:
    """Return the mean latency over all routes between two nodes, in ticks."""
    for node in (source, destination):
        check_int("node", node, 0, network.nodes - 1)
    if source == destination:
        raise InputError(f"node={source}: sends to itself; expected two different nodes")
    paths = paths_between(network, np.array([source]), np.array([destination]), with_empty_queues(network.policy))
    mean_ticks = Fraction(0)
    for plane, first, last, weight, total in zip(
        paths.plane, paths.source_link, paths.destination_link, paths.weight, paths.denominator, strict=True
    ):
        ticks = uncontended_ticks(network.planes[plane], hardware, times[plane], int(first), int(last))
        mean_ticks += Fraction(int(weight), int(total)) * ticks
    return mean_ticks


def typical_latency_ticks(network: Network, hardware: Hardware) -> int:
    """Return the mean zero-load latency of a sample of pairs, in ticks: the time scale of a run.

    Raises
    ------
    InputError
        If there is a single node, and as in `zero_load_latency_ns`.
    """
    _check_nodes(network)
    total, nodes = Fraction(0), network.nodes
    times = [plane_ticks(plane, hardware) for plane in network.planes]
    samples = min(SAMPLES, nodes)
    for index in range(samples):
        source = index * nodes // samples
        # From 1 to N - 1 nodes further, so never the source itself.
        destination = (source + 1 + index * SPREAD % (nodes - 1)) % nodes
        total += _ticks_between(network, hardware, times, source, destination)
    return max(round(total / samples), 1)


def throughput_bound(
    network: Network,
    traffic: str | Nodes | Traffic = "uniform",
    hardware: Hardware = Hardware(),  # noqa: B008  # frozen
) -> Fraction:
    """Return an upper bound on throughput: the offered load at which the busiest link is fully utilised.

    Beyond it the backlog of that link grows without limit; where it is one of few such links, a run slightly beyond the
    bound may not show the growth (`Report.stable`). Traffic is split over the routes of the policy of the network,
    equally or by shares. For uniform traffic over a dual-plane cube with N nodes, c per switch, it is max_traffic / c ·
    (N - 1) / N, or less if the node links are busier than the links between switches. If the path selection of the
    hardware is ``valiant``, it is split evenly over all detours.

    Parameters
    ----------
    network
        The network.
    traffic
        ``uniform``, ``all_to_all`` (the same in the long run), a permutation, the destination of every node, or one of
        these or ``group_shift`` as a `Traffic`, whose rate and sizes have no effect.
    hardware
        Its link rate is the unit of the load, and the default rate of the links; its path selection determines the
        paths.

    Raises
    ------
    InputError
        If the pattern is unknown or does not fit the nodes, there is a single node, no node sends to another, no
        plane joins two nodes, or the policy is ``adaptive`` or ``spill``, or the path selection ``ugal``, whose split
        of the packets depends on the load.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> throughput_bound(dual_cube(3, (3, 5, 7))), Fraction(16, 3) / 4 * Fraction(31, 32)
    (Fraction(31, 24), Fraction(31, 24))
    """
    if hardware.path_selection == "ugal":
        raise InputError(
            "hardware.path_selection=ugal: no bound, because paths depend on the load; expected minimal, valiant"
        )
    return _bound(network, traffic, hardware, network.policy)


def estimated_bound(network: Network, traffic: str | Nodes | Traffic, hardware: Hardware) -> Fraction:
    """Return the throughput bound, or an estimate where the paths depend on the load.

    Under ``adaptive`` it is the bound for an even split over the planes; under ``spill``, that of ``nearest``; under
    ``ugal``, the larger of the bounds for minimal paths and for those of ``valiant``.

    Raises
    ------
    InputError
        As in `throughput_bound`, except for the policy and the path selection.
    """
    policy = with_empty_queues(network.policy)
    selections = ("minimal", "valiant") if hardware.path_selection == "ugal" else (hardware.path_selection,)
    return max(
        _bound(network, traffic, replace(hardware, path_selection=selection), policy) for selection in selections
    )


def detoured_bound(network: Network, destination: Nodes) -> Fraction | None:
    """Return the larger one of the bounds of a permutation over minimal routes and over random detours.

    It is the estimate of `estimated_bound` for adaptive routing, also for identical planes of a family with detours,
    whose nodes may have several links.

    Parameters
    ----------
    network
        The network.
    destination
        The node to which each node sends.

    Returns
    -------
    Fraction or None
        None if the network has no detours, or no node sends to another.

    Examples
    --------
    >>> from isoplane.models.families.hyperx import HyperX
    >>> full_mesh = Network(HyperX(shape=(8,), nodes_per_switch=4))
    >>> detoured_bound(full_mesh, np.roll(np.arange(32), 4))  # 4 nodes over one link, or 6 detours
    Fraction(3, 4)
    """
    family = getattr(network.family, "plane", network.family)
    try:
        detours = family.detours(network.planes)
    except InputError:  # too small for detours, or with routes by destination node, as over parallel cables
        return None
    if detours is None:
        return None
    nodes, policy = np.arange(network.nodes), with_empty_queues(network.policy)
    busiest = min(
        busiest_of_pairs(network, nodes, destination, Hardware(), policy, each)
        # Identical planes share the detours of one.
        for each in (None, detours * (len(network.planes) // len(detours)))
    )
    return 1 / busiest if busiest else None


def _bound(network: Network, traffic: str | Nodes | Traffic, hardware: Hardware, policy: Policy) -> Fraction:
    _check_nodes(network)
    if isinstance(traffic, Traffic) and traffic.pattern == "group_shift":
        # A source has one pair with each node of the other group, each with that part of its load.
        return traffic.groups(network.nodes)[0] / _busiest_of_group_shift(network, traffic, hardware, policy)
    if isinstance(traffic, Traffic):
        destinations = traffic.destinations(network)
        traffic = traffic.pattern if destinations is None else destinations
    detours = detours_of(network, hardware)
    if isinstance(traffic, str) and traffic in ("uniform", "all_to_all"):
        return 1 / busiest_of_all_pairs(network, hardware, policy, detours)
    if isinstance(traffic, str) and traffic not in PERMUTATIONS:
        raise InputError(
            f"traffic.pattern={traffic}: no bound; expected uniform, all_to_all, {', '.join(PERMUTATIONS)}"
        )
    destination = permutation(traffic, network) if isinstance(traffic, str) else traffic
    busiest = busiest_of_pairs(network, np.arange(network.nodes), destination, hardware, policy, detours)
    if not busiest:
        raise InputError("traffic: the pattern has no traffic between different nodes; expected some")
    return 1 / busiest


def _busiest_of_group_shift(network: Network, traffic: Traffic, hardware: Hardware, policy: Policy) -> Fraction:
    """Return the utilisation of the busiest link if every node offers a load of 1 to each node of its other group."""
    size, offset = traffic.groups(network.nodes)
    source = np.repeat(np.arange(network.nodes), size)
    group = (source // size + offset) % (network.nodes // size)
    destination = group * size + np.tile(np.arange(size), network.nodes)
    return busiest_of_pairs(network, source, destination, hardware, policy, detours_of(network, hardware))


def _check_nodes(network: Network) -> None:
    if network.nodes < 2:
        raise InputError("network.nodes=1: no other node to send to; expected at least 2")
