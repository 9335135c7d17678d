"""The topology of hypercubes, plain and folded."""

import numpy as np

from ..cubes.cube import Cube
from ..planes.topology import Topology


def cube_topology(cube: Cube) -> Topology:
    """Return the cables of a hypercube plane: port k of switch x leads to port k of x ⊕ ``cube.links[k]``.

    References
    ----------
    Hosomi et al. 2021, section 2.1.

    Examples
    --------
    >>> from ..cubes.connection_set import ConnectionSet
    >>> cube_topology(Cube(ConnectionSet.unit(3), folded=True)).peer[0].tolist()
    [1, 2, 4, 7]
    """
    links = np.array(cube.links, dtype=np.int32)
    peer = np.arange(1 << cube.n, dtype=np.int32)[:, None] ^ links
    return Topology(peer, np.broadcast_to(np.arange(len(links), dtype=np.int32), peer.shape))
