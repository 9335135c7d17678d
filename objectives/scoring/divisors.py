"""Divisors that turn exact integers into metrics, as functions of a network and its workload, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload


def offsets(network: Network, _: Workload | None) -> int:
    """Return the number of offsets in a cube, 2^n."""
    return _shape(network)[0]


def pairs_of_switches(network: Network, _: Workload | None) -> int:
    """Return the number of ordered pairs of switches in a plane of cubes, 4^n."""
    return _shape(network)[0] ** 2


def packets(network: Network, _: Workload | None) -> int:
    """Return the number of packets that a switch of a cube sends, two per offset."""
    return 2 * _shape(network)[0]


def cable_ends_m(network: Network, _: Workload | None) -> int:
    """Return 1000 times the number of cable ends between switches of cubes: converts mm over both ends to m."""
    switches, links = _shape(network)
    return 1000 * links * switches


def packets_ns(network: Network, _: Workload | None) -> int:
    """Return the number of packets of all switches of cubes, 2 · 4^n, times the delay units per ns."""
    return 2 * _shape(network)[0] ** 2 * network.delay_units.per_ns


def pairs_of_links_ns(network: Network, _: Workload | None) -> int:
    """Return the number of switch pairs, 4^n, times the links per switch id times the delay units per ns."""
    switches, links = _shape(network)
    return links * switches**2 * network.delay_units.per_ns


def pairs(network: Network, _: Workload | None) -> int:
    """Return the number of ordered pairs of nodes."""
    return network.nodes**2


def nodes(network: Network, _: Workload | None) -> int:
    """Return the number of packets that a node sends, one to every node."""
    return network.nodes


def pairs_ns(network: Network, _: Workload | None) -> int:
    """Return the number of ordered pairs of nodes times the delay units per ns."""
    return network.nodes**2 * network.delay_units.per_ns


def ns(network: Network, _: Workload | None) -> int:
    """Return the delay units per ns."""
    return network.delay_units.per_ns


def cables_m(network: Network, _: Workload | None) -> int:
    """Return 1000 times the number of cables between switches: converts mm to m."""
    return 1000 * network.family.cables


def metre(_: Network, __: Workload | None) -> int:
    """Return 1000: converts mm to m."""
    return 1000


def node_cents(network: Network, _: Workload | None) -> int:
    """Return 100 times the number of nodes: converts cents to US$ per node."""
    return 100 * network.nodes


def million(_: Network, __: Workload | None) -> int:
    """Return 10^6: converts µm² to mm² and µW to W."""
    return 10**6


def billion(_: Network, __: Workload | None) -> int:
    """Return 10^9: converts 10^-9 hops to hops."""
    return 10**9


def messages(_: Network, workload: Workload | None) -> int:
    """Return the number of messages in all iterations of a workload."""
    assert workload is not None
    return workload.messages * workload.iterations


def cube_shape(network: Network) -> tuple[int, bool, int]:
    """Return the dimension of the cubes of a network, whether they are folded, and their number."""
    from isoplane.models.family_kinds.cube import cubes_of  # tables of metrics need no arrays

    cubes = cubes_of(network)
    return cubes.n, cubes.folded, len(cubes.planes)


def _shape(network: Network) -> tuple[int, int]:
    """Return the number of switches of a plane of cubes, and that of the links per switch id over all planes."""
    n, folded, planes = cube_shape(network)
    return 1 << n, planes * (n + folded)
