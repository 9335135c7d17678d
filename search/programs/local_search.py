"""Circuits by local search: starts for every graph of joined groups, and annealing chains from the best."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.distance_vector import segment_costs
from isoplane.objectives.fluid.circuits.group_bounds import up_bits
from isoplane.search._native import BottleneckSearch

from .branch_and_check import CircuitTimes
from .traffic import ScaledTraffic

Pairs = tuple[tuple[int, int], ...]

CHAINS = 4  # per round, independent of the number of workers
_MESSAGES = 50_000  # routed per native call, so that there are many calls per second
_REROUTED = 10  # about one message in ten is rerouted per move, if nodes have one port
_STEPS_PER_NODE = 50  # maximum per native call
TRIAL = 10  # native calls per start, before the best are selected
_MAX_PAIRS = 6  # maximum number of pairs of groups for which all subsets are tried


def order(evaluated: CircuitTimes) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Return the sort key of circuits, best first."""
    return evaluated.bottleneck, evaluated.total, evaluated.circuits.pairs


@dataclass
class LocalSearch:
    """Local search for circuits with a short bottleneck time, then a short total time.

    The seed and the number of rounds determine the result; workers share the chains of a round.

    Attributes
    ----------
    traffic, max_circuits
        The traffic, and the maximum number of circuits.
    seed
        Seed of all random choices.
    workers
        Number of chains that run in parallel.
    seconds_left
        Returns the seconds left.
    report
        Receives the best circuits of every search a few times per second.

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, 1983.
    """

    traffic: ScaledTraffic
    max_circuits: int
    seed: int
    workers: int
    seconds_left: Callable[[], float]
    report: Callable[[CircuitTimes], object]

    def __post_init__(self) -> None:
        messages = int(np.count_nonzero(self.traffic.sent))
        routed = messages if self.traffic.hybrid.ports_per_node > 1 else messages / _REROUTED
        self._steps = max(min(int(_MESSAGES / routed), _STEPS_PER_NODE * self.traffic.hybrid.nodes), 1)

    def evaluate(self, circuits: Circuits) -> CircuitTimes:
        """Return the times of circuits according to the model."""
        return self._best_of(self._search(0, circuits.pairs))

    def starts(self, known: Sequence[Circuits], calls: int = TRIAL) -> list[CircuitTimes]:
        """Return the results of short searches from known circuits and from all graphs of groups, best first.

        Graphs of joined groups whose uplinks alone exceed the best bottleneck time so far are skipped. Each search
        makes `calls` native calls.
        """
        initial = [
            self.evaluate(circuits) for circuits in (Circuits(), *known, busiest(self.traffic, self.max_circuits))
        ]
        results = [self._run(stream, start.circuits, calls) for stream, start in enumerate(initial)] + initial
        for stream, (bound, joined) in enumerate(group_graphs(self.traffic), len(initial)):
            if bound <= min(results, key=order).bottleneck and self.seconds_left() > 0:
                results.append(self._run(stream, spread(self.traffic.hybrid, joined, self.max_circuits), calls))
        return sorted(results, key=order)

    def chains(self, number: int, initial: Sequence[CircuitTimes], calls: int, limit: int = 0) -> list[CircuitTimes]:
        """Return the results of a round of chains; with a bottleneck limit in ticks they minimise the total time."""
        # Beyond the streams of the starts, so that no chain repeats the random numbers of one.
        streams = [1000 * (number + 1) + chain for chain in range(CHAINS)]
        with ThreadPoolExecutor(self.workers) as pool:
            runs = [
                pool.submit(self._run, stream, initial[chain % len(initial)].circuits, calls, limit)
                for chain, stream in enumerate(streams)
            ]
            return [run.result() for run in runs]

    def _search(self, stream: int, start: Sequence[tuple[int, int]], limit: int = 0) -> BottleneckSearch:
        hybrid, traffic = self.traffic.hybrid, self.traffic
        source, destination = np.nonzero(traffic.sent)
        sizes = (hybrid.groups, hybrid.nodes_per_group, hybrid.ports_per_node, self.max_circuits)
        # In units of bits per tick: what the native search calls ns are ticks here.
        rates = (1 / traffic.node, 1 / traffic.up, 1 / traffic.circuit)
        bits = traffic.sent[source, destination].astype(float).tolist()
        ends = (source.tolist(), destination.tolist())
        search = BottleneckSearch(sizes, rates, segment_costs(hybrid)[:2], ends, bits, self.seed, stream)
        # Busy times are sums of floats, so half a tick of room keeps rounding from excluding the limit itself.
        search.begin(list(start), limit + 0.5 if limit else 0.0)
        return search

    def _best_of(self, search: BottleneckSearch) -> CircuitTimes:
        return CircuitTimes(round(search.bottleneck_ns), round(search.total_ns), Circuits(tuple(search.best)))

    def _run(self, stream: int, start: Circuits, calls: int, limit: int = 0) -> CircuitTimes:
        search = self._search(stream, start.pairs, limit)
        for call in range(calls):
            if self.seconds_left() <= 0:
                break
            search.step(call * self._steps, (call + 1) * self._steps, calls * self._steps)
            self.report(self._best_of(search))
        return self._best_of(search)


def busiest(traffic: ScaledTraffic, max_circuits: int) -> Circuits:
    """Return circuits between the pairs of nodes with the most mutual traffic, as far as ports are free.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> from .traffic import traffic_of
    >>> busiest(traffic_of(Hybrid(2, 2), stencil((2, 2)).message_list()), 2).pairs
    ((0, 2), (1, 3))
    """
    mutual = traffic.sent + traffic.sent.T
    pairs = {(min(pair), max(pair)) for pair in traffic.pairs}
    free = [traffic.hybrid.ports_per_node] * traffic.hybrid.nodes
    chosen: list[tuple[int, int]] = []
    for a, b in sorted(pairs, key=lambda pair: (-int(mutual[pair]), pair)):
        if len(chosen) < max_circuits and free[a] and free[b]:
            chosen.append((a, b))
            free[a], free[b] = free[a] - 1, free[b] - 1
    return Circuits(tuple(chosen))


def group_graphs(traffic: ScaledTraffic) -> list[tuple[int, Pairs]]:
    """Return graphs of joined groups, each with the maximum busy time of an uplink or downlink in ticks, ascending.

    These are all graphs or, for more than four groups, those of the busiest pairs: all pairs, half of them, and so on.
    """
    hybrid = traffic.hybrid
    bits = hybrid.between_groups(traffic.sent)
    pairs = sorted(combinations(range(hybrid.groups), 2), key=lambda pair: -int(bits[pair] + bits[pair[::-1]]))
    if len(pairs) <= _MAX_PAIRS:
        chosen = [joined for count in range(1, len(pairs) + 1) for joined in combinations(pairs, count)]
    else:
        chosen = [tuple(pairs[: len(pairs) >> halves]) for halves in range(len(pairs).bit_length())]
    return sorted((traffic.up * _max_uplink_bits(bits, joined), joined) for joined in chosen)


def _max_uplink_bits(bits: NDArray[np.int64], joined: Pairs) -> int:
    """Return the maximum bits of an uplink or downlink if circuits connect the joined groups."""
    part = list(range(len(bits)))
    for a, b in joined:
        part = [part[a] if number == part[b] else number for number in part]
    return int(up_bits(bits, part))


def spread(hybrid: Hybrid, joined: Pairs, max_circuits: int) -> Circuits:
    """Return circuits that join pairs of groups in turn, each between the lowest nodes with free ports.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2, step 3.

    Examples
    --------
    >>> spread(Hybrid(3, 2), ((0, 1), (1, 2)), 9).pairs
    ((0, 2), (3, 4))
    """
    size = hybrid.nodes_per_group
    ports = [
        [node for _ in range(hybrid.ports_per_node) for node in range(g * size, (g + 1) * size)]
        for g in range(hybrid.groups)
    ]
    chosen: set[tuple[int, int]] = set()
    open_pairs = list(joined)
    while open_pairs and len(chosen) < max_circuits:
        a, b = open_pairs.pop(0)
        if ports[a] and ports[b] and (ports[a][0], ports[b][0]) not in chosen:
            chosen.add((ports[a].pop(0), ports[b].pop(0)))
            open_pairs.append((a, b))
    return Circuits(tuple(chosen))
