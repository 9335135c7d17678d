"""The contention-free all-to-all order of a network, if its family knows one."""

from collections.abc import Callable

from numpy.typing import ArrayLike

from ..errors import InputError
from ..families import family_named, family_names
from ..network import Network
from .all_to_all import ExchangeOrder

CONTENTION_FREE = "contention_free"  # the name of this order
CONTENTION_FREE_ORDER = "contention_free_order"  # the method of a family that knows one over its own routes


def contention_free_order(network: Network, nodes: ArrayLike | None = None) -> ExchangeOrder:
    """Return an all-to-all order in N - 1 phases in none of which two messages share a directed link.

    Parameters
    ----------
    network
        The network.
    nodes : int[processes]
        The nodes of a job, in ascending order; all by default.

    Raises
    ------
    InputError
        If the family knows no such order, or not for this member or this job.

    Examples
    --------
    >>> from ..families.full_mesh import FullMesh
    >>> contention_free_order(Network(FullMesh())).phases  # of the testbed with 32 nodes
    31
    """
    order_of: Callable[[ArrayLike | None], ExchangeOrder] | None = getattr(network.family, CONTENTION_FREE_ORDER, None)
    if order_of is not None:
        return order_of(nodes)
    known = [name for name in family_names() if hasattr(family_named(name), CONTENTION_FREE_ORDER)]
    raise InputError(
        f"order=contention_free: none is known for network={network.name}; allowed with network={', '.join(known)}"
    )
