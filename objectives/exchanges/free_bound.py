"""Least number of phases of an exchange over any routes."""

from math import ceil

from isoplane.models import InputError, Network

from ..structure.throughput_bound import concurrent_flow


def free_routing_bound(network: Network, seed: int = 0) -> int:
    """Return a lower bound on the phases of an exchange among all nodes without contention, whatever the routes.

    With the rate θ at which all N nodes can at most send to all of them evenly (`concurrent_flow`), each link carries
    at least N / θ messages on average in some weighting, and one in each phase. So there are at least ⌈N / θ⌉ phases,
    and N - 1.

    Parameters
    ----------
    network
        A network without circuits, whose links state no rates.
    seed
        Seed of `concurrent_flow`.

    Raises
    ------
    InputError
        If links state rates, or as for `concurrent_flow`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> free_routing_bound(Network(Torus(shape=(8,)))), free_routing_bound(Network(Torus(shape=(4, 4))))
    (8, 15)
    """
    if any(plane.timing.rate_mbps is not None for plane in network.planes):
        raise InputError(f"network={network.name}: links with rates; expected links that carry one message in a phase")
    value = concurrent_flow(network, seed).value
    return network.nodes - 1 if value is None else max(network.nodes - 1, ceil(network.nodes / value))
