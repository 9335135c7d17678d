"""Conversion of links and transfers to the plan of the native engine, in exact ticks."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList
from isoplane.models.mathematics.spans import starts_of

from .._native import TransferPlan
from ..flits.message_trace import inverse
from .hybrid_links import HybridLink
from .transfers import Transfers

MAX_TICKS = 1 << 62


def common_tick_ns(links: Sequence[HybridLink], messages: MessageList) -> Fraction:
    """Return the largest 1 / q ns that divides the byte time of each link and all delays.

    Examples
    --------
    >>> from isoplane.models.circuits import Circuits
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> from isoplane.simulator.transfers.transfers import links_of
    >>> common_tick_ns(links_of(Hybrid(), Circuits()), stencil().message_list())  # 4/5 ns and 1/8 ns
    Fraction(1, 40)
    """
    times_ns = {time for link in links for time in (8 / link.gbps, link.wire_ns, link.delay_ns)}
    times_ns |= {Fraction(delay_ps, 1000) for delay_ps in np.unique(messages.delay_ps).tolist()}
    return Fraction(1, lcm(*(time.denominator for time in times_ns)))


def transfer_plan(
    links: Sequence[HybridLink],
    transfers: Transfers,
    messages: MessageList,
    tick_ns: Fraction,
    packet_bytes: int,
    window: int,
) -> TransferPlan:
    """Return the plan of a simulation.

    Parameters
    ----------
    links, transfers, messages
        The links, the transfers over them, and the messages that these are parts of.
    tick_ns
        Tick, from `common_tick_ns`.
    packet_bytes, window
        Maximum packet size; capacity of a queue in packets.

    Raises
    ------
    InputError
        If the run might exceed 2^62 of these ticks.
    """
    _require_ticks_fit(links, transfers, messages, tick_ns)

    def ticks(times_ns: Sequence[Fraction]) -> NDArray[np.int64]:
        return np.array([int(time / tick_ns) for time in times_ns], dtype=np.int64)

    plan = TransferPlan()
    plan.packet_bytes, plan.window = packet_bytes, window
    plan.set_links(
        byte_ticks=ticks([8 / link.gbps for link in links]),
        delay=ticks([link.delay_ns for link in links]),
        credit_delay=ticks([link.wire_ns for link in links]),
    )
    path_start, path = _concatenate(transfers.paths)
    wait_start, wait = _concatenate(transfers.depends_on)
    next_start, successors = inverse(wait_start, wait.astype(np.int32))
    # Only the first segment waits for computing at the source: relaying takes no time.
    begin_delay = np.zeros(len(transfers.paths), dtype=np.int64)
    begin_delay[transfers.first] = ticks([Fraction(delay_ps, 1000) for delay_ps in messages.delay_ps.tolist()])
    plan.set_transfers(
        bytes=messages.length_bytes[np.array(transfers.message)].astype(np.uint64),
        begin_delay=begin_delay,
        path_start=path_start.astype(np.uint32),
        path=path.astype(np.uint32),
        waits=np.diff(wait_start).astype(np.uint32),
        next_start=next_start.astype(np.uint32),
        next=successors.astype(np.uint32),
    )
    return plan


def _require_ticks_fit(
    links: Sequence[HybridLink], transfers: Transfers, messages: MessageList, tick_ns: Fraction
) -> None:
    """Raise unless all transfers, executed one by one and link by link, take at most 2^62 ticks."""
    lengths, hops = messages.length_bytes.tolist(), [len(path) for path in transfers.paths]
    carried_bytes = sum(hop * lengths[message] for hop, message in zip(hops, transfers.message, strict=True))
    max_ns = carried_bytes * max(8 / link.gbps for link in links)
    max_ns += sum(hops) * max(link.delay_ns + link.wire_ns for link in links)
    max_ns += Fraction(sum(messages.delay_ps.tolist()), 1000)
    if max_ns > MAX_TICKS * tick_ns:
        raise InputError(
            f"network: rates and delays need ticks of {float(tick_ns):g} ns, and messages may take "
            f"{float(max_ns / tick_ns):g} of them; expected at most 2^62"
        )


def _concatenate(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the start of each list in their concatenation, and the concatenation."""
    starts = starts_of(np.array([len(each) for each in lists], dtype=np.int64))
    return starts, np.array(list(chain.from_iterable(lists)), dtype=np.int64)
