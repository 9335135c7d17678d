"""All times of a hybrid network under a workload, by arrays: for verification at any size. Shares no native code."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList
from isoplane.models.checks import exact_number
from isoplane.models.circuits import Circuits
from isoplane.models.hybrid import HybridNetwork
from isoplane.models.placement import Placement

from .fluid import RATES, Transfer, transfers_of

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]

SAME_NS = 1e-3  # moments within a picosecond are one, as sums of floats may differ by rounding


@dataclass(frozen=True)
class ReferenceTimes:
    """What a workload takes, in ns but for the last two.

    Attributes
    ----------
    completion, bottleneck, total
        As in `isoplane.objectives.fluid.Times`.
    heaviest_load_bytes
        Most bytes over one direction of a link or circuit.
    hops
        Legs of all messages.
    """

    completion: float
    bottleneck: float
    total: float
    heaviest_load_bytes: int
    hops: int


def reference_times(
    hybrid: HybridNetwork, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> ReferenceTimes:
    """Return the times of a workload, to a few units in the last place of a double.

    Rates are found from scratch at every moment at which a transfer begins or ends. A link whose fair share is the
    least on the way of each of its transfers fixes their rates; so many links are settled at once.

    Parameters
    ----------
    hybrid, messages, circuits, placement, relay
        As in `isoplane.objectives.fluid.FluidModel`.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2: every transfer of a max-min fair allocation has a link that is
    full and on which none is faster.

    Examples
    --------
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()
    >>> reference_times(HybridNetwork(2, 1), work, Circuits(), by_switch(2), "messages").completion
    2340.0
    """
    transfers = transfers_of(hybrid, messages, circuits, placement, relay)
    course = _Course(hybrid, transfers)
    loads: dict[tuple[str, int, int], int] = {}
    for transfer in transfers:
        for link in transfer.links:
            loads[link] = loads.get(link, 0) + int(transfer.bits)
    busy = [bits / float(exact_number("", getattr(hybrid, RATES[link[0]]))) for link, bits in loads.items()]
    hops = sum(transfer.legs for transfer in transfers)
    return ReferenceTimes(course.completion(), max(busy), sum(busy), max(loads.values()) // 8, hops)


class _Course:
    """Transfers over time."""

    def __init__(self, hybrid: HybridNetwork, transfers: list[Transfer]) -> None:
        links = {link: number for number, link in enumerate(sorted({one for t in transfers for one in t.links}))}
        self._use_transfer = np.repeat(np.arange(len(transfers)), [len(t.links) for t in transfers])
        self._use_link = np.array([links[link] for t in transfers for link in t.links], dtype=np.int64)
        self._capacity = np.array([float(exact_number("", getattr(hybrid, RATES[link[0]]))) for link in links])
        self._left = np.array([float(t.bits) for t in transfers])
        self._latency = np.array([float(t.latency) for t in transfers])
        self._waits = np.array([len(t.waits) for t in transfers])
        self._after: list[list[int]] = [[] for _ in transfers]
        for number, transfer in enumerate(transfers):
            for before in transfer.waits:
                self._after[before].append(number)

    def completion(self) -> float:
        """Return when the last transfer is over."""
        now, active = 0.0, self._waits == 0
        over: dict[int, float] = {}  # of those whose last bit was sent
        while active.any() or over:
            numbers = np.flatnonzero(active)
            rates = self._rates(active)
            ends = now + self._left[numbers] / rates[numbers]
            moment = min([*ends.min(initial=np.inf, keepdims=True), *over.values()])
            self._left[numbers] -= rates[numbers] * (moment - now)
            sent = numbers[ends <= moment + SAME_NS]
            active[sent] = False
            over.update({int(number): moment + self._latency[number] for number in sent})
            now = moment
            for number in [number for number, when in over.items() if when <= now + SAME_NS]:
                del over[number]
                self._waits[self._after[number]] -= 1
                active[[next_ for next_ in self._after[number] if self._waits[next_] == 0]] = True
        return float(now)

    def _rates(self, active: NDArray[np.bool_]) -> Reals:
        rates, open_ = np.zeros(len(active)), active.copy()
        free = self._capacity.copy()
        while open_.any():
            here = open_[self._use_transfer]
            transfer, link = self._use_transfer[here], self._use_link[here]
            users = np.bincount(link, minlength=len(free))
            share = np.where(users > 0, free / np.maximum(users, 1), np.inf)
            least = np.full(len(active), np.inf)
            np.minimum.at(least, transfer, share[link])
            low = np.full(len(free), np.inf)
            np.minimum.at(low, link, least[transfer])
            full = (share <= low * (1 + 1e-12)) & (users > 0)
            fixed = np.zeros(len(active), dtype=bool)
            fixed[transfer[full[link]]] = True
            rates[fixed] = least[fixed]
            np.subtract.at(free, link, np.where(fixed[transfer], least[transfer], 0))
            open_ &= ~fixed
        return rates
