"""Reference fluid model in integers, independent of the native one; recomputes affected rates at every event."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heapify, heappop, heappush

from isoplane.models import InputError, MessageList
from isoplane.models.checks import fraction_of
from isoplane.models.families.hybrid import Hybrid

from .transfers.hybrid_transfers import RATES, Link, Transfer

BEGIN, SENT, ARRIVED = range(3)  # events of a transfer: its first bit, its last bit, its arrival
MASK = (1 << 64) - 1


# Units of time, rate and volume, as in `docs/objectives.md`: log2 of the ticks per ns, and of the units of rate per
# Gbit/s.
Grid = tuple[int, int]


def grid_of(hybrid: Hybrid, messages: MessageList) -> Grid:
    """Return the units for a workload on a network.

    Raises
    ------
    InputError
        If a rate is less than 2^-20 of the fastest, or messages could take 2^52 ns or more.
    """
    node, up, circuit = (fraction_of(getattr(hybrid, RATES[kind])) for kind in ("out", "up", "circuit"))
    bits = bits_over_links(messages)
    longest = bits * (hybrid.groups * (2 / node + 1 / circuit) + 2 / up)
    longest += messages.messages * hybrid.nodes * (max(hybrid.segment_delays_ns) + 32)
    return grid_for((node, up, circuit), longest, messages)


def grid_for(rates: Collection[Fraction], longest: Fraction, messages: MessageList) -> Grid:
    """Return the units for rates in Gbit/s and runs below `longest` ns plus all delays; errors as for `grid_of`."""
    scale, fastest = 0, max(rates)
    longest += Fraction(sum(map(int, messages.delay_ps)), 1000)
    while fastest * 2 ** (scale + 1) < 2**52:
        scale += 1
    if min(rates) * 2**20 < fastest:
        shown = f"{', '.join(map(str, list(rates)[:-1]))} and {list(rates)[-1]}"
        raise InputError(f"rates of {shown} Gbit/s: expected none below 1/2^20 of the fastest")
    ticks = 10
    while ticks > 0 and longest * 2**ticks >= 2**52:
        ticks -= 1
    if longest >= 2**52:
        bits = bits_over_links(messages)
        raise InputError(f"workload: {bits} bits could take longer than 52 days; expected shorter messages")
    return ticks, scale


def bits_over_links(messages: MessageList) -> int:
    """Return the bits of all messages between different nodes."""
    ends = zip(messages.source, messages.destination, messages.length_bytes, strict=True)
    return 8 * sum(int(length) for source, destination, length in ends if source != destination)


def hold_of(run: int, message: int) -> int:
    """Return the start jitter of a message in a run, in ticks: 0 in the first run, else 0 to 15 by SplitMix64.

    References
    ----------
    Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014.

    Examples
    --------
    >>> [hold_of(run, 7) for run in range(9)]
    [0, 2, 7, 9, 1, 13, 0, 12, 15]
    """
    if run == 0:
        return 0
    word = ((run << 32) + message + 0x9E3779B97F4A7C15) & MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return (word ^ word >> 31) >> 60


@dataclass
class _State:
    """State of a transfer in a run: volume left at tick `since`, rate since then, number of rates so far."""

    waits: int
    volume: int
    since: int = 0
    rate: int = 0
    version: int = 0


@dataclass
class FluidSimulation:
    """Event-driven simulation of transfers with max-min fair rates.

    Parameters
    ----------
    rates, transfers, grid
        The rate of each link in Gbit/s, the transfers with their links, and the units.
    """

    rates: Mapping[Link, Fraction]
    transfers: Sequence[Transfer]
    grid: Grid
    _capacity: dict[int, int] = field(default_factory=dict)
    _users: dict[int, set[int]] = field(default_factory=dict)
    _states: list[_State] = field(default_factory=list)
    _events: list[tuple[int, int, int, int]] = field(default_factory=list)  # tick, transfer, event, version
    _begun: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        numbers: dict[Link, int] = {}
        self._links = [
            [numbers.setdefault(link, len(numbers)) for link in transfer.links] for transfer in self.transfers
        ]
        ticks, scale = self.grid
        self._capacity = {number: int(self.rates[link] * 2**scale) for link, number in numbers.items()}
        half = Fraction(1, 2)
        self._delay = [sum(int(delay * 2**ticks + half) for delay in transfer.delays) for transfer in self.transfers]
        self._begin = [int(transfer.begin_ns * 2**ticks + half) for transfer in self.transfers]
        self._dependents: list[list[int]] = [[] for _ in self.transfers]
        for number, transfer in enumerate(self.transfers):
            for dependency in transfer.waits:
                self._dependents[dependency].append(number)

    def completion_ns(self, run: int) -> int:
        """Return the arrival time of the last transfer in a run, to the nearest ns, with halves rounded up."""
        ticks, _ = self.grid
        return (2 * self._last_tick(run) + (1 << ticks)) >> (ticks + 1)

    def begin_ticks(self, run: int) -> list[int]:
        """Return when each transfer begins in a run, in ticks."""
        self._last_tick(run)
        return self._begun

    def _last_tick(self, run: int) -> int:
        ticks, scale = self.grid
        per_bit = 2 ** (ticks + scale)
        jitter = [0 if transfer.message is None else hold_of(run, transfer.message) for transfer in self.transfers]
        self._hold = [begin + late for begin, late in zip(self._begin, jitter, strict=True)]
        self._users = {link: set() for link in self._capacity}
        self._begun = [0] * len(self.transfers)
        self._states = [_State(len(transfer.waits), transfer.bits * per_bit) for transfer in self.transfers]
        self._events = [(self._hold[n], n, BEGIN, 0) for n, transfer in enumerate(self.transfers) if not transfer.waits]
        heapify(self._events)
        last = 0
        while self._events:
            now = self._events[0][0]
            touched: set[int] = set()
            # All events of a tick come before any rate: a rate in between would hold for no time.
            while self._events and self._events[0][0] == now:
                _, number, event, version = heappop(self._events)
                if event != SENT or version == self._states[number].version:  # else the rate has changed since
                    touched |= self._handle(now, number, event)
                    last = now
            for links in self._components(touched):
                self._set_rates(now, self._fill(links))
        return last

    def _handle(self, now: int, number: int, event: int) -> set[int]:
        """Process an event of a transfer, and return the links whose users change."""
        state, links = self._states[number], self._links[number]
        if event == BEGIN:
            self._begun[number] = now
        if event == ARRIVED:
            for dependent in self._dependents[number]:
                self._states[dependent].waits -= 1
                if self._states[dependent].waits == 0:
                    heappush(self._events, (now + self._hold[dependent], dependent, BEGIN, 0))
            return set()
        if event == BEGIN and not links:
            heappush(self._events, (now, number, ARRIVED, 0))
        elif event == BEGIN:
            state.since = now
        else:
            state.version += 1
            heappush(self._events, (now + self._delay[number], number, ARRIVED, 0))
        for link in links:
            (set.add if event == BEGIN else set.remove)(self._users[link], number)
        return set(links)

    def _components(self, touched: set[int]) -> Iterator[list[int]]:
        """Yield each connected component of the changed links, where links that share a transfer are adjacent."""
        while touched:
            component = [touched.pop()]
            known, seen = set(component), set[int]()
            for link in component:
                new = self._users[link] - seen
                seen |= new
                reached = {other for number in new for other in self._links[number]} - known
                component += reached
                known |= reached
            touched -= known
            yield component

    def _fill(self, component: list[int]) -> dict[int, int]:
        """Return max-min fair rates by progressive filling: each round fixes the users of the bottleneck links."""
        rates: dict[int, int] = {}
        free = {link: self._capacity[link] for link in component}
        count = {link: len(self._users[link]) for link in component}
        next_shares = [(free[link] // count[link], link) for link in component if count[link]]
        heapify(next_shares)
        while next_shares:
            share, bottlenecks = next_shares[0][0], []
            while next_shares and next_shares[0][0] == share:
                link = heappop(next_shares)[1]
                # Shares on the heap may be out of date, but only too small, as they grow from round to round.
                if count[link] and free[link] // count[link] == share:
                    bottlenecks.append(link)
                elif count[link]:
                    heappush(next_shares, (free[link] // count[link], link))
            # Together: one after the other, equal links would leave remainders that depend on their order.
            for number in {number for link in bottlenecks for number in self._users[link] if number not in rates}:
                rates[number] = share
                for link in self._links[number]:
                    free[link] -= share
                    count[link] -= 1
        return rates

    def _set_rates(self, now: int, rates: dict[int, int]) -> None:
        for number, rate in rates.items():
            state = self._states[number]
            # An unchanged rate keeps its event; a new version makes the old event void, since heaps cannot delete.
            if rate != state.rate:
                state.volume -= state.rate * (now - state.since)
                state.since, state.rate, state.version = now, rate, state.version + 1
                # Rounded up: the last bit is sent at the first tick at which the volume is reached.
                heappush(self._events, (now - -state.volume // rate, number, SENT, state.version))
