"""Collectives as messages between the buffers of ranks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.exchanges.all_gather import GatherOrder
from isoplane.models.exchanges.all_to_all import ExchangeOrder

INPUT, OUTPUT = "i", "o"


@dataclass(frozen=True, eq=False)
class Schedule:
    """Messages in phases, from chunks of a buffer of one rank to chunks of the output of another one.

    Parameters
    ----------
    collective
        Name of the collective in the format.
    name
        Name of the order.
    ranks
        Number of ranks.
    inputs, outputs
        Chunks in the input and in the output of a rank.
    phase, source, destination : int64[messages]
        Phase of each message, ascending, and its two ranks.
    from_input : bool[messages]
        Whether it is read from the input of its source, not from the output.
    source_offset, destination_offset, chunks : int64[messages]
        First chunk in the buffers of both ranks, and number of chunks.
    own : int64[ranks, 2]
        The chunk of its input that each rank copies, and where it belongs in the output.
    """

    collective: str
    name: str
    ranks: int
    inputs: int
    outputs: int
    phase: Ints
    source: Ints
    destination: Ints
    from_input: NDArray[np.bool_]
    source_offset: Ints
    destination_offset: Ints
    chunks: Ints
    own: Ints


def all_to_all(order: ExchangeOrder) -> Schedule:
    """Return an exchange: chunk d of the input of rank s becomes chunk s of the output of rank d.

    Examples
    --------
    >>> schedule = all_to_all(ExchangeOrder("by hand", [0, 1], [[1, 0]]))
    >>> schedule.source_offset.tolist(), schedule.destination_offset.tolist()
    ([1, 0], [0, 1])
    """
    phase, source, destination = order.messages()
    ones, ranks = np.ones_like(phase), order.processes
    own = np.stack([np.arange(ranks)] * 2, axis=1)
    ends = (source, destination, ones == 1, destination, source)
    return Schedule("alltoall", order.name, ranks, ranks, ranks, phase, *ends, ones, own)


def all_gather(order: GatherOrder) -> Schedule:
    """Return an all-gather: the only chunk of the input of rank s becomes chunk s of all outputs.

    A rank sends its own chunk from the input, and others, or both together, from the output.

    Examples
    --------
    >>> from isoplane.models.exchanges.gather_orders import gather_order_named
    >>> schedule = all_gather(gather_order_named("recursive_doubling", 4))
    >>> schedule.from_input.tolist()
    [True, True, True, True, False, False, False, False]
    """
    alone = (order.chunks == 1) & (order.first == order.source)
    own = np.stack([np.zeros(order.processes, dtype=np.int64), np.arange(order.processes)], axis=1)
    ends = (order.source, order.destination, alone, np.where(alone, 0, order.first), order.first)
    return Schedule("allgather", order.name, order.processes, 1, order.processes, order.phase, *ends, order.chunks, own)
