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
from isoplane.models.node_groups import NodeGroups, alike, node_groups

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
    """

    network: Network

    @cached_property
    def groups(self) -> NodeGroups:
        """Its nodes, by groups."""
        return node_groups(self.network)

    @cached_property
    def _alike(self) -> tuple[Ints, Ints] | None:
        return alike(self.network)

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
    def each_stands_for(self) -> int:
        """Groups for which each of `sources` stands."""
        return len(self.groups.senders) // len(self.sources)

    @cached_property
    def planes(self) -> list[_native.PlaneArrays]:
        """Cables, routes, labels, and where groups and ends are, of every plane."""
        return [self._plane(number, plane) for number, plane in enumerate(self.network.planes)]

    def _plane(self, number: int, plane: Plane) -> _native.PlaneArrays:
        routes, target = plane.routes, self.groups.target[number][self.ends]
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
        return _native.PlaneArrays(
            plane.topology.peer,
            given,
            self.labels[number].astype(np.int32),
            self.groups.source[number].astype(np.int32),
            target.astype(np.int32),
            routes.switch_of(target).astype(np.int32),
        )


def in_threads(work: Callable[[slice], Result], count: int, step: int) -> Iterator[Result]:
    """Yield the results of some work on slices of a number of things, on all processors; in order.

    The results are exact sums, so that they do not depend on how many threads there are.
    """
    slices: Sequence[slice] = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ThreadPoolExecutor(min(threads, max(1, len(slices)))) as pool:
        yield from pool.map(work, slices)
