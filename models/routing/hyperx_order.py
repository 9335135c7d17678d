"""Dimension-order routing in HyperX networks."""

from collections.abc import Sequence

import numpy as np

from ..grid import check_shape, coordinates
from ..topologies.hyperx import first_ports
from .routes import ARRIVED, Routes


def hyperx_order(shape: Sequence[int]) -> Routes:
    """Return the routes of a HyperX network that correct x first, then y, z, ..., in one hop each.

    They need no virtual channels, because a channel depends only on channels of higher dimensions.

    Raises
    ------
    InputError
        If a size is below 2 or the network is too large.

    References
    ----------
    Ahn et al., HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks, 2009.

    Examples
    --------
    >>> hyperx_order((3, 2)).next_port.tolist()
    [[65535, 0, 1, 2, 0, 1]]
    """
    sizes = check_shape(shape)
    offset, first = coordinates(np.arange(int(np.prod(sizes))), sizes), first_ports(sizes)
    next_port = np.full(len(offset), ARRIVED, dtype=np.uint16)
    for i in reversed(range(len(sizes))):
        ahead = offset[:, i]
        next_port = np.where(ahead == 0, next_port, first[i] + ahead - 1).astype(np.uint16)
    return Routes("torus", np.zeros(len(offset), dtype=np.int32), next_port=next_port[None], shape=sizes)
