"""Circuits by local search: starts for every way to join groups, and chains of simulated annealing from the best."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from isoplane.models.circuits import Circuits
from isoplane.models.routing.distance_vector import leg_costs
from isoplane.search._native import BottleneckSearch

from .exact import Judged
from .starts import busiest, patterns, spread
from .traffic import Traffic

CHAINS = 4  # side by side in a round, whatever the number of workers
_MESSAGES = 50_000  # that a native call routes, many times each second
_CONCERNED = 10  # one in so many is routed anew after a move, where nodes have one port
_STEPS_PER_NODE = 50  # at most, in a native call
TRIAL = 10  # native calls for a start, before the best are chosen


def order(judged: Judged) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Return what decides which circuits are better."""
    return judged.bottleneck, judged.total, judged.circuits.pairs


@dataclass
class Local:
    """Local search for circuits that make the bottleneck time short, then the total time.

    The seed and the number of rounds decide the result; workers share the chains of a round.

    Attributes
    ----------
    traffic, most
        What is sent; how many circuits there may be.
    seed
        Decides all.
    workers
        How many chains run at a time.
    left
        Tells how many seconds are left.
    tell
        Hears of the best circuits of every search a few times each second.

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, 1983.
    """

    traffic: Traffic
    most: int
    seed: int
    workers: int
    left: Callable[[], float]
    tell: Callable[[Judged], object]

    def __post_init__(self) -> None:
        messages = int(np.count_nonzero(self.traffic.sent))
        routed = messages if self.traffic.hybrid.ports_per_node > 1 else messages / _CONCERNED
        self._steps = max(min(int(_MESSAGES / routed), _STEPS_PER_NODE * self.traffic.hybrid.nodes), 1)

    def judge(self, circuits: Circuits) -> Judged:
        """Return the times of circuits by the model."""
        return self._judged(self._search(0, circuits.pairs))

    def starts(self, known: Sequence[Circuits], calls: int = TRIAL) -> list[Judged]:
        """Return what short searches make of known circuits, the busiest pairs and all ways to join groups, best first.

        Ways to join groups whose links up alone are busy for longer than the best circuits so far are left out. Each of
        the searches is so many native calls.
        """
        given = [self.judge(circuits) for circuits in (Circuits(), *known, busiest(self.traffic, self.most))]
        found = [self._run(number, judged.circuits, calls) for number, judged in enumerate(given)] + given
        for number, (floor, joined) in enumerate(patterns(self.traffic), len(given)):
            if floor <= min(found, key=order).bottleneck and self.left() > 0:
                found.append(self._run(number, spread(self.traffic.hybrid, joined, self.most), calls))
        return sorted(found, key=order)

    def chains(self, number: int, begin: Sequence[Judged], calls: int, limit: int = 0) -> list[Judged]:
        """Return the ends of a round of chains from several starts; with a limit in ticks they make the total less."""
        streams = [1000 * (number + 1) + chain for chain in range(CHAINS)]
        with ThreadPoolExecutor(self.workers) as pool:
            runs = [
                pool.submit(self._run, stream, begin[chain % len(begin)].circuits, calls, limit)
                for chain, stream in enumerate(streams)
            ]
            return [run.result() for run in runs]

    def _search(self, stream: int, start: Sequence[tuple[int, int]], limit: int = 0) -> BottleneckSearch:
        hybrid, traffic = self.traffic.hybrid, self.traffic
        source, destination = np.nonzero(traffic.sent)
        sizes = (hybrid.groups, hybrid.nodes_per_group, hybrid.ports_per_node, self.most)
        rates = (1 / traffic.node, 1 / traffic.up, 1 / traffic.circuit)
        bits = traffic.sent[source, destination].astype(float).tolist()
        ends = (source.tolist(), destination.tolist())
        search = BottleneckSearch(sizes, rates, leg_costs(hybrid)[:2], ends, bits, self.seed, stream)
        search.begin(list(start), limit + 0.5 if limit else 0.0)
        return search

    def _judged(self, search: BottleneckSearch) -> Judged:
        return Judged(round(search.bottleneck_ns), round(search.total_ns), Circuits(tuple(search.best)))

    def _run(self, stream: int, start: Circuits, calls: int, limit: int = 0) -> Judged:
        search = self._search(stream, start.pairs, limit)
        for call in range(calls):
            if self.left() <= 0:
                break
            search.step(call * self._steps, (call + 1) * self._steps, calls * self._steps)
            self.tell(self._judged(search))
        return self._judged(search)
