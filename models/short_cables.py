"""Node cables that are too short, because links of a node lead to other racks."""

from dataclasses import dataclass

import numpy as np

from .network import Network


@dataclass(frozen=True)
class ShortNodeCables:
    """The node cables of a network that are shorter than their racks require.

    Attributes
    ----------
    count, cables
        Their number, and that of all node cables.
    length_mm
        The length of every node cable: that of the catalogue, or the given one if that is longer than the catalogue's.
    longest_mm
        The greatest length that is required.
    """

    count: int
    cables: int
    length_mm: int
    longest_mm: int


def short_node_cables(network: Network) -> ShortNodeCables | None:
    """Return the node cables that are too short; None if there are none, or lengths do not follow from a layout.

    A node is in the rack of the switch at its first link, with a cable that is long enough inside a rack. Its other
    links may lead to other racks, but all node cables have one length, with which delay and cost are computed.

    Raises
    ------
    InputError
        If the layout does not fit a plane.

    Examples
    --------
    >>> from .families.multi_plane import MultiPlane
    >>> from .families.torus import Torus
    >>> torus = Torus(shape=(4, 4), nodes_per_switch=1, cable_m=None, node_cable_m=2.0)
    >>> short_node_cables(Network(MultiPlane(plane=torus, links_per_node=8)))  # a node at two racks in both planes
    ShortNodeCables(count=16, cables=32, length_mm=2000, longest_mm=2800)
    """
    family = network.family
    if not family.lengths_from_layout or family.is_cubes:  # a node of cubes has one switch id
        return None
    floor = network.floor
    planes = network.unrouted_planes
    has_one_place = all(plane is planes[0] for plane in planes) and (np.diff(planes[0].starts) <= 1).all()
    if floor is None or network.node_cable_mm is None or has_one_place:
        return None
    needed = np.concatenate(
        [
            floor.needed_mm(rack[plane.node_switch], floor.of_nodes[plane.node])
            for plane, rack in zip(planes, floor.of_switches, strict=True)
        ]
    )
    given_mm = network.node_cable_mm
    length_mm = min((mm for mm in network.site.prices.lengths_mm.tolist() if mm >= given_mm), default=given_mm)
    count, longest = int((needed > length_mm).sum()), int(needed.max())
    return ShortNodeCables(count, len(needed), length_mm, longest) if count else None
