"""Groups of nodes by region of switches, for traffic between groups."""

import numpy as np

from isoplane.models import InputError, Network


def region_nodes(network: Network) -> int:
    """Return the number of nodes of each region of a network, such as a group of a dragonfly.

    Raises
    ------
    InputError
        If the network has no regions, or they are not ranges of equally many consecutive nodes.

    Examples
    --------
    >>> from isoplane.models.families.dragonfly import Dragonfly
    >>> region_nodes(Network(Dragonfly(switches_per_group=4, nodes_per_switch=2)))
    8
    """
    detours = network.detours
    if detours is None:
        raise InputError(
            f"traffic.group_nodes=null: network={network.name} has no regions; expected the number of nodes of a group"
        )
    plane = network.planes[0]
    region = detours[0].region[plane.node_switch]
    size = len(region) // detours[0].regions
    if plane.node_start is not None or not np.array_equal(region, np.arange(len(region)) // max(size, 1)):
        raise InputError(
            "traffic.group_nodes=null: regions of other than equally many consecutive nodes; expected the number of "
            "nodes of a group"
        )
    return size
