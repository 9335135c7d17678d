"""Nodes with the same switches and routes, which share their routes to other nodes."""

from dataclasses import dataclass

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.planes.links import PlaneLinks


@dataclass(frozen=True, eq=False)
class PlatformZones:
    """The nodes of a network in zones: those of a zone have their links to the same switches, by the same routes.

    Attributes
    ----------
    network
        The network.
    zone : int64[nodes]
        The zone of each node, ascending by the first node of each.
    first : int64[zones]
        The first node of each zone.
    """

    network: Network
    zone: Ints
    first: Ints

    def __len__(self) -> int:
        return len(self.first)

    @property
    def is_flat(self) -> bool:
        """Whether each node is a separate zone, so that routes are between nodes."""
        return len(self.first) == len(self.zone)

    @property
    def routes(self) -> int:
        """Number of routes between zones, and between the nodes of each."""
        sizes = np.bincount(self.zone)
        return len(sizes) * (len(sizes) - 1) + int((sizes * (sizes - 1)).sum())

    @property
    def share_switches(self) -> bool:
        """Whether nodes of two zones are at the same switch, so that some routes between zones have no cable."""
        for plane in self.network.planes:
            pairs = np.unique(np.stack([plane.node_switch, self.zone[plane.node]]), axis=1)
            if len(np.unique(pairs[0])) < pairs.shape[1]:
                return True
        return False


def platform_zones(network: Network) -> PlatformZones:
    """Return the zones of a network.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> platform_zones(dual_cube(2, (1, 3))).zone.tolist()  # four nodes at each switch
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    """
    rows = [_link_rows(links) for links in network.plane_links]
    _, first, zone = np.unique(np.concatenate(rows), axis=1, return_index=True, return_inverse=True)
    # np.unique numbers zones by their links; they are to follow their first nodes.
    return PlatformZones(network, np.argsort(np.argsort(first))[zone.ravel()], np.sort(first))


def _link_rows(links: PlaneLinks) -> Ints:
    """Return switch and target of every link of each node in a plane, as int64[2 * links, nodes], padded with -1."""
    plane = links.plane
    number = np.arange(len(plane.node)) - plane.starts[plane.node]
    rows = np.full((2, int(np.diff(plane.starts).max()), plane.nodes), -1, dtype=np.int64)
    rows[0, number, plane.node] = plane.node_switch
    rows[1, number, plane.node] = plane.routes.targets(plane.node_switch)
    return rows.reshape(-1, plane.nodes)
