"""What some formats cannot express: parallel links, nodes with several links in a plane."""

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.paths.path_shares import require_paths
from isoplane.models.planes.plane import Cabling
from isoplane.models.policy import with_empty_queues

from .exporter import Exported


def require_ways_of_pairs(network: Network) -> None:
    """Raise an `InputError` if two nodes have no way; policies that look at queues are not checked."""
    if with_empty_queues(network.policy) == network.policy:
        require_paths(network)


def require_no_parallel_links(format_name: str, exported: Exported, *, of_nodes: bool = True) -> None:
    """Raise an `InputError` if two devices are joined by several cables, or a switch is joined to itself.

    Parameters
    ----------
    format_name, exported
        The format and the design.
    of_nodes
        Whether to check the cables of nodes, not only those between switches.
    """
    cables = exported.cables.where(of_nodes | ~exported.cables.to_node)
    columns = cables.plane, cables.to_node, cables.switch, cables.other
    pairs, counts = np.unique(
        np.stack([column.astype(np.int64) for column in columns], axis=1), axis=0, return_counts=True
    )
    is_loop = (pairs[:, 1] == 0) & (pairs[:, 2] == pairs[:, 3])
    for wrong in np.flatnonzero((counts > 1) | is_loop)[:1]:
        plane, to_node, switch, other = pairs[wrong].tolist()
        ends = switch_name(plane, switch), node_name(other) if to_node else switch_name(plane, other)
        raise InputError(
            f"format={format_name}: cables between {' and '.join(ends)}: {counts[wrong]}; expected at most one between "
            "two different devices"
        )


def require_single_links(format_name: str, planes: tuple[Cabling, ...]) -> None:
    """Raise an `InputError` unless every node has exactly one link in each plane."""
    for number, plane in enumerate(planes):
        links = np.diff(plane.starts)
        for node in np.flatnonzero(links != 1)[:1]:
            raise InputError(
                f"format={format_name}: {node_name(node)} has {links[node]} links in plane {number}; expected one in "
                "each plane"
            )
