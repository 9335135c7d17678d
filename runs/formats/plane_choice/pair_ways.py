"""The ways of all pairs of nodes, some sources at a time."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.policy import with_empty_queues
from isoplane.models.ways import Ways, require_ways, ways_between

Ints = NDArray[np.int64]
PAIRS_AT_ONCE = 1 << 18


def check_pairs(network: Network, format_name: str, max_nodes: int, instead: str) -> None:
    """Raise an `InputError` if a network has too many nodes for a line for each pair, or not all pairs have a way.

    Raises
    ------
    InputError
        If it has an optical switch, or more than `max_nodes` nodes, or two nodes have no way.
    """
    if network.optical is not None:
        raise InputError(
            f"format={format_name}: the design has circuits of an optical switch; expected a network of packet switches"
        )
    if network.nodes > max_nodes:
        raise InputError(f"format={format_name}: {network.nodes} nodes; expected at most {max_nodes}{instead}")
    if with_empty_queues(network.policy) == network.policy:
        require_ways(network)


def pair_ways(network: Network) -> Iterator[tuple[Ints, Ints, Ways]]:
    """Yield source and destination of each way, and the ways, ascending by source, destination and plane.

    Under ``adaptive``, these are the ways with empty queues.
    """
    at_once = max(1, PAIRS_AT_ONCE // network.nodes)
    for start in range(0, network.nodes, at_once):
        sources = np.arange(start, min(start + at_once, network.nodes))
        source = sources.repeat(network.nodes)
        destination = np.tile(np.arange(network.nodes), len(sources))
        elsewhere = source != destination
        source, destination = source[elsewhere], destination[elsewhere]
        ways = ways_between(network, source, destination, with_empty_queues(network.policy))
        order = np.argsort(ways.pair, kind="stable")
        ways = Ways(*(getattr(ways, name)[order] for name in Ways.__dataclass_fields__))
        yield source[ways.pair], destination[ways.pair], ways
