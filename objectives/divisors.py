"""The numbers by which exact integers are divided to give metrics: of a network, and of a workload if there is one."""

from isoplane.models import Network
from isoplane.models.workloads import Workload


def offsets(network: Network, _: Workload | None) -> int:
    """Return the offsets from a switch of cubes: 2^n."""
    return network.cubes.plane_switches


def packets(network: Network, _: Workload | None) -> int:
    """Return the packets of a switch of cubes, two to every offset."""
    return 2 * network.cubes.plane_switches


def cable_ends_m(network: Network, _: Workload | None) -> int:
    """Return the ends of the cables between switches of cubes, a thousandfold: from mm at both ends to m."""
    return 1000 * _links(network) * network.cubes.plane_switches


def packets_ns(network: Network, _: Workload | None) -> int:
    """Return the packets of all switches of cubes, 2 · 4^n, times the delay units of a ns."""
    return 2 * network.cubes.plane_switches**2 * network.site.switch.units().per_ns


def pairs_of_links_ns(network: Network, _: Workload | None) -> int:
    """Return the pairs of switches of cubes, 4^n, times the links of a switch id and the delay units of a ns."""
    return _links(network) * network.cubes.plane_switches**2 * network.site.switch.units().per_ns


def pairs(network: Network, _: Workload | None) -> int:
    """Return the ordered pairs of nodes."""
    return network.nodes**2


def nodes(network: Network, _: Workload | None) -> int:
    """Return the packets that a node sends, one to every node."""
    return network.nodes


def pairs_ns(network: Network, _: Workload | None) -> int:
    """Return the ordered pairs of nodes, times the delay units of a ns."""
    return network.nodes**2 * network.site.switch.units().per_ns


def cables_m(network: Network, _: Workload | None) -> int:
    """Return the cables between switches, a thousandfold: from mm to m."""
    return 1000 * network.family.cables


def node_cents(network: Network, _: Workload | None) -> int:
    """Return the nodes, a hundredfold: from cents to US$ for each node."""
    return 100 * network.nodes


def messages(_: Network, workload: Workload | None) -> int:
    """Return the messages of all iterations of a workload."""
    assert workload is not None
    return workload.messages * workload.iterations


def _links(network: Network) -> int:
    """Return the links of a switch id of cubes, in all planes."""
    return len(network.cubes.planes) * (network.cubes.n + network.cubes.folded)
