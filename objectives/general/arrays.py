"""Networks as the native evaluator takes them."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network, Plane
from isoplane.models.node_groups import GroupLinks, NodeGroups, alike, node_groups
from isoplane.models.policy import plane_weights
from isoplane.models.ways import require_ways

from .. import _native

Ints = NDArray[np.int64]
Result = TypeVar("Result")

KEYS = {"table": _native.RouteKey.TABLE, "xor": _native.RouteKey.XOR, "torus": _native.RouteKey.TORUS}


@dataclass(frozen=True, eq=False)
class NetworkArrays:
    """A network for the native evaluator; where all switches of a label look alike, one stands for them.

    Parameters
    ----------
    network
        The network.
    stands_for_others
        Whether one switch may stand for all that look alike.
    """

    network: Network
    stands_for_others: bool = True

    @cached_property
    def groups(self) -> NodeGroups:
        """Its nodes, by groups."""
        return node_groups(self.network)

    @cached_property
    def _alike(self) -> tuple[Ints, Ints] | None:
        return alike(self.network) if self.stands_for_others else None

    @property
    def labels(self) -> list[Ints]:
        """A label for every switch of each plane."""
        if self._alike is not None:
            return [self._alike[0]] * len(self.network.planes)
        return [np.arange(switches) for switches in self.network.plane_switches]

    @property
    def sources(self) -> Ints:
        """Groups of nodes that stand for all."""
        return np.arange(len(self.groups.senders)) if self._alike is None else self._alike[1]

    @property
    def ends(self) -> Ints:
        """Ends of routes that stand for all."""
        return np.arange(len(self.groups.receivers)) if self._alike is None else self._alike[1]

    @property
    def senders(self) -> Ints:
        """Nodes of each group."""
        return self.groups.senders.astype(np.int64)

    @property
    def receivers(self) -> Ints:
        """Nodes of each of `ends`."""
        return self.groups.receivers[self.ends].astype(np.int64)

    @property
    def each_stands_for(self) -> int:
        """Groups for which each of `sources` stands."""
        return len(self.groups.senders) // len(self.sources)

    @cached_property
    def weights(self) -> list[int]:
        """By which planes share a packet; empty where the shortest ways of all planes share it.

        Raises
        ------
        InputError
            If that depends on queues, or no plane joins a pair of nodes.
        """
        require_ways(self.network)
        return list(plane_weights(self.network.policy, len(self.network.planes)) or ())

    @cached_property
    def planes(self) -> list[_native.PlaneArrays]:
        """Cables, routes, labels, and the links of groups and ends, of every plane."""
        return [self._plane(number, plane) for number, plane in enumerate(self.network.planes)]

    @property
    def carrying(self) -> list[_native.PlaneArrays]:
        """Those of the planes that carry packets."""
        return [plane for i, plane in enumerate(self.planes) if not self.weights or self.weights[i]]

    def _plane(self, number: int, plane: Plane) -> _native.PlaneArrays:
        routes, here, there = plane.routes, self.groups.source[number], self._ends_in(number)
        paths = routes.paths
        given = _native.RouteArrays(
            KEYS[routes.group],
            list(routes.shape),
            np.ascontiguousarray(routes.row, dtype=np.int32),
            routes.columns,
            None if routes.next_port is None else np.ascontiguousarray(routes.next_port),
            None if paths is None else np.ascontiguousarray(paths.starts),
            None if paths is None else np.ascontiguousarray(paths.ports),
        )
        switch, target = here.at.astype(np.int32), there.at.astype(np.int32)
        return _native.PlaneArrays(
            plane.topology.peer,
            given,
            self.labels[number].astype(np.int32),
            _native.LinkArrays(here.start, switch, switch),
            _native.LinkArrays(there.start, target, routes.switch_of(target).astype(np.int32)),
        )

    def _ends_in(self, number: int) -> GroupLinks:
        """Return the links of those ends that stand for all."""
        given = self.groups.target[number]
        if self._alike is None:
            return given
        counts = np.diff(given.start)[self.ends]  # equally many each
        links = given.start[self.ends][:, None] + np.arange(counts[0])
        return GroupLinks(np.concatenate([[0], np.cumsum(counts)]), given.at[links].ravel())


def in_threads(work: Callable[[slice], Result], count: int, step: int) -> Iterator[Result]:
    """Yield the results of some work on slices of a number of things, on all processors; in order.

    The results are exact sums, so that they do not depend on how many threads there are.
    """
    slices: Sequence[slice] = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ThreadPoolExecutor(min(threads, max(1, len(slices)))) as pool:
        yield from pool.map(work, slices)
