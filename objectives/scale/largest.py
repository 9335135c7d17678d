"""The largest networks of full bisection, by the number of ports of a switch."""

from collections.abc import Callable, Mapping

from isoplane.models import Family
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.mathematics.finite_field import prime_power

LATIN_SQUARE = "Latin-square fat-tree"

# By name, the largest network of its kind of switches with 2d ports.
LARGEST: Mapping[str, Callable[[int], Family]] = {
    "2-level fat-tree": lambda d: LeafSpine(leaf_switches=2 * d, spine_switches=d, nodes_per_leaf=d),
    "3-level fat-tree": lambda d: FatTree(switch_ports=2 * d),
    "multi-layer full mesh": lambda d: FullMesh(layers=d, uplinks=d, nodes_per_leaf=d),
    LATIN_SQUARE: lambda d: OrthogonalFatTree(q=d - 1, sides=2, nodes_per_leaf=d),
}


def exists(network: str, degree: int) -> bool:
    """Whether there is such a network: a Latin-square fat-tree needs a projective plane of order d - 1.

    Planes are built for prime powers only; no other order is known.

    Examples
    --------
    >>> [d for d in range(2, 12) if not exists(LATIN_SQUARE, d)]
    [2, 7, 11]
    """
    return network != LATIN_SQUARE or prime_power(degree - 1) is not None
