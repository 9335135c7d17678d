"""The contention-free all-to-all order of a network, if its family knows one."""

from typing import Protocol, runtime_checkable

from numpy.typing import ArrayLike

from ..errors import InputError
from ..families import family_named, family_names
from ..network import Network
from .all_to_all import ExchangeOrder

CONTENTION_FREE = "contention_free"  # the name of this order


@runtime_checkable
class OrdersExchanges(Protocol):
    """A family that knows a contention-free order of the all-to-all exchange, over its own routes."""

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the order of a job on some nodes, in ascending order; on all of them by default.

        Raises
        ------
        InputError
            If the order is not known for this member, or not for this job.
        """


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
    family = network.family
    if isinstance(family, OrdersExchanges):
        return family.contention_free_order(nodes)
    known = [name for name in family_names() if issubclass(family_named(name), OrdersExchanges)]
    raise InputError(
        f"order=contention_free: none is known for network={network.name}; allowed with network={', '.join(known)}"
    )
