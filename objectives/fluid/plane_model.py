"""Fluid model of any network of switches: completion time of a workload."""

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.mathematics.spans import spans, starts_of
from isoplane.models.placement import Placement, by_switch
from isoplane.objectives import _native

from .cache_misses import begins_ns, look_ups_of_transfers
from .link_timing import link_timing
from .message_levels import message_levels, synchronised_time_ns
from .paths import path_transfers
from .times import Times, in_one_thread, run_times
from .transfer_weights import transfer_weights
from .units import WAITS_NS, Scales, scales_of

MAX_ENTRIES = 1 << 27  # links of all transfers, or pairs that depend on each other: each takes 57 to 116 bytes


class NetworkFluidModel:
    """Fluid model of a workload on a network of switches, of any family.

    The policy of the network divides each message among paths (`paths_of`). Each part is a transfer over all links of
    its path, including those of nodes, and the message arrives with its last part. At every moment the rates of all
    transfers are max-min fair. Delays of links and switches are added at the end. All computations are in integers, and
    completion times are those of nine runs, as for hybrid networks (`FluidModel`).

    Where packets may miss the caches of switches, a transfer takes the time of a look-up in the table more for each
    switch at which it misses. Which these are follows from one look-up for each transfer and switch, in the order in
    which messages begin if all hit, without jitter (`look_ups_of_transfers`); all runs have the same misses.

    Parameters
    ----------
    network
        The network; its circuits are ignored.
    messages
        The messages and their dependencies, between as many processes as there are nodes.
    placement
        By default process i on node i.
    sharing
        ``equal``: transfers share links max-min fairly. ``cm02``, as in that model of SimGrid: the delay L of its path
        passes before the first bit of a transfer, which then has the weight 1 / L (`transfer_weights`); rates divided
        by weights are max-min fair.
    repeats : int64[messages], optional
        How often each message occurs in a longer workload of which these are a part. Loads, busy times and units of
        time are those of the longer one, runs those of the part.
    jitter : int64[messages], optional
        The number of each message for which its jitter is drawn; by default its own.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ, the policy is adaptive, a route does not arrive, rates or times
        are outside the range of the integers, or weights are.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2: max-min fairness and progressive filling.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil((4, 4), 1_250_000, iterations=1, periodic=True).message_list()
    >>> NetworkFluidModel(Network(Torus(shape=(4, 4))), work).times().completion_ns  # 0.1 ms at 100 Gbit/s plus 95 ns
    100095
    """

    def __init__(
        self,
        network: Network,
        messages: MessageList,
        placement: Placement | None = None,
        sharing: str = "equal",
        *,
        repeats: Ints | None = None,
        jitter: Ints | None = None,
    ) -> None:
        if messages.nodes != network.nodes:
            raise InputError(f"workload.processes={messages.nodes}: expected one for each of {network.nodes} nodes")
        placement = by_switch(network.nodes) if placement is None else placement
        if len(placement.nodes) != network.nodes:
            raise InputError(f"placement: {len(placement.nodes)} processes; expected {network.nodes}")
        self._network, self._messages, self._placement, self._sharing = network, messages, placement, sharing
        self._repeats = np.ones(messages.messages, dtype=np.int64) if repeats is None else repeats
        self._jitter = np.zeros(0, dtype=np.uint32) if jitter is None else jitter.astype(np.uint32)
        self._timing = link_timing(network)
        self._transfers = path_transfers(network, messages, placement)
        self._runs_of_hits, self._begin_delay_ns = self._make_runs(np.zeros_like(self._transfers.path))

    def times(self) -> Times:
        """Return all times of the workload; a message is a single segment, and a local one none."""
        runs = sorted(self.runs_ns)
        segments = int(self._repeats[~self._messages.local].sum())
        return Times(runs[len(runs) // 2], runs[0], runs[-1], *self.busy_ns(), segments)

    @cached_property
    def look_ups(self) -> tuple[Ints, Ints, Ints]:
        """The misses of each transfer, and the look-ups and hits of each input port; see `look_ups_of_transfers`."""
        arrivals = in_one_thread(lambda: np.array(self._runs_of_hits.arrivals_ns(0)), "order of messages")
        begins = begins_ns(self._messages, arrivals, self._begin_delay_ns)
        return look_ups_of_transfers(self._network, self._messages, self._placement, self._transfers, begins)

    @cached_property
    def _runs(self) -> _native.TransferRuns:
        if self._network.site.switch.never_misses(self._network.nodes):
            return self._runs_of_hits
        misses, *_ = self.look_ups
        del self._runs_of_hits  # before as much memory is taken again
        return self._make_runs(misses)[0]

    @cached_property
    def runs_ns(self) -> list[int]:
        """The completion of each run; runs of the same number on another network have the same jitter."""
        return run_times(self._runs.run_ns)

    def loads_bytes(self) -> Ints:
        """Return the bytes over every link, in the order of `isoplane.models.planes.links`."""
        repeated = self._transfers.length_bytes * self._repeats[self._transfers.message]
        return replace(self._transfers, length_bytes=repeated).bytes_of_links(len(self._timing.rate))

    def arrivals_ns(self) -> NDArray[np.float64]:
        """Return the arrival time of each message, in the run in which each begins as soon as possible."""
        return np.array(self._runs.arrivals_ns(0))

    def arrival_ticks(self, run: int) -> NDArray[np.float64]:
        """Return the arrival of each transfer (`transfer_message`) in a run, in ticks of 2^-`ticks_log2` ns."""
        ticks = np.empty(len(self._transfers.message))
        self._runs.arrival_ticks(run, ticks)
        return ticks

    @property
    def transfer_message(self) -> Ints:
        """The message of each transfer, ascending."""
        return self._transfers.message

    def synchronised_ns(self) -> int:
        """Return the time of the workload level by level, to the nearest ns; see `synchronised_time_ns`."""
        message_level = message_levels(self._messages)
        return _nearest(synchronised_time_ns(self._transfers, message_level, self._timing))

    def busy_ns(self) -> tuple[int, int]:
        """Return the busy time of the busiest link, and the sum over all links, to the nearest ns."""
        busiest, total = self._exact_busy_ns
        return _nearest(busiest), _nearest(total)

    @cached_property
    def _exact_busy_ns(self) -> tuple[Fraction, Fraction]:
        """Return the busy time of the busiest link, and the sum over all links."""
        loads, busiest, total = self.loads_bytes(), Fraction(0), Fraction(0)
        for number, rate in enumerate(self._timing.rates_gbps):
            link_loads = loads[self._timing.rate == number]
            busiest = max(busiest, 8 * int(link_loads.max(initial=0)) / rate)
            total += 8 * int(link_loads.sum()) / rate
        return busiest, total

    def _make_runs(self, misses: Ints) -> tuple[_native.TransferRuns, NDArray[np.float64]]:
        """Return the runs for the number of misses of each transfer, and the delay of each message in ns."""
        transfers, timing = self._transfers, self._timing
        # `reduceat` returns an element, not 0, for an empty range, so the path without links stays outside.
        of_linked = np.add.reduceat(timing.delay[transfers.paths.link], transfers.paths.link_start[:-2])
        of_misses = self._network.delay_units.lookup * np.arange(int(misses.max()) + 1)
        delays = np.append(of_linked, 0)[:, None] + of_misses  # the last path has no links
        longest = Fraction(int(delays[transfers.path, misses].max()), timing.per_ns) + WAITS_NS
        # While anything is sent, some link is saturated: no run is longer than all busy times in a row.
        longest_ns = self._exact_busy_ns[1] + int(self._repeats[transfers.message].sum()) * longest
        extreme_rates = {
            "the slowest link_gbps": min(timing.rates_gbps),
            "the fastest link_gbps": max(timing.rates_gbps),
        }
        scales = scales_of(extreme_rates, longest_ns, self._messages, self._repeats)
        self.ticks_log2 = scales.ticks_log2
        capacity = np.array([float(scales.rate(rate)) for rate in timing.rates_gbps])[timing.rate]
        lengths = transfers.paths.lengths[transfers.path]
        _require_room(int(lengths.sum()))
        use = transfers.paths.link[spans(transfers.paths.link_start[:-1][transfers.path], lengths)]
        weight = transfer_weights(self._sharing, lengths > 0, delays[transfers.path, misses], use, capacity)
        delay_ticks = _ticks(delays, timing.per_ns, scales)[transfers.path, misses]
        none = np.zeros_like(delay_ticks)
        lead, trail = (none[:0], delay_ticks) if self._sharing == "equal" else (delay_ticks, none)
        next_start, successors = self._successors()
        begin_ticks = scales.begin_ticks(self._messages)
        runs = _native.TransferRuns(
            capacity,
            (8 * transfers.length_bytes).astype(np.float64),
            trail,
            starts_of(lengths).astype(np.uint32),
            use.astype(np.uint32),
            next_start.astype(np.uint32),
            successors.astype(np.uint32),
            transfers.message.astype(np.uint32),
            begin_ticks,
            scales.ticks_log2,
            scales.volume_log2,
            weight.astype(np.uint32),
            lead,
            self._jitter,
        )
        self.longest_delay_ticks = int(delay_ticks.max())
        return runs, np.ldexp(begin_ticks, -scales.ticks_log2)

    def _successors(self) -> tuple[Ints, Ints]:
        """Return the successors of each transfer: all transfers of the messages that depend on its message."""
        messages, message_of = self._messages, self._transfers.message
        waiting = np.repeat(np.arange(messages.messages), np.diff(messages.dependency_start))
        # Messages name what they wait for; sorted by that, the list gives the successors of each.
        dependent = waiting[np.argsort(messages.dependency, kind="stable")]
        first = starts_of(np.bincount(messages.dependency, minlength=messages.messages))
        parts = np.bincount(message_of, minlength=messages.messages)
        successor_parts = spans(starts_of(parts)[:-1][dependent], parts[dependent])
        begin = starts_of(parts[dependent])[first]
        lengths = np.diff(begin)[message_of]
        _require_room(int(lengths.sum()))
        return starts_of(lengths), successor_parts[spans(begin[:-1][message_of], lengths)]


def _ticks(delays: Ints, per_ns: int, scales: Scales) -> NDArray[np.float64]:
    """Return delays rounded to the nearest tick."""
    distinct, index = np.unique(delays, return_inverse=True)
    ticks: NDArray[np.float64] = np.array([float(scales.ticks(Fraction(delay, per_ns))) for delay in distinct.tolist()])
    return ticks[index].reshape(delays.shape)


def _nearest(time_ns: Fraction) -> int:
    """Return the nearest whole ns, with halves rounded up."""
    return floor(time_ns + Fraction(1, 2))


def _require_room(entries: int) -> None:
    if entries > MAX_ENTRIES:
        raise InputError(f"workload: {entries} entries in the lists of its transfers; expected at most {MAX_ENTRIES}")
