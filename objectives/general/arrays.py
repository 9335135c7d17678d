"""Networks in the array form of the native evaluator."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network, Plane
from isoplane.models.node_groups import GroupLinks, NodeGroups, node_groups, switch_classes
from isoplane.models.policy import plane_weights
from isoplane.models.ways import require_ways

from .. import _native

Ints = NDArray[np.int64]
Result = TypeVar("Result")

KEYS = {"table": _native.RouteKey.TABLE, "xor": _native.RouteKey.XOR, "torus": _native.RouteKey.TORUS}


@dataclass(frozen=True, eq=False)
class NetworkArrays:
    """A network in the array form of the native evaluator; equivalent switches may be reduced to a representative.

    Parameters
    ----------
    network
        The network.
    use_representatives
        Whether one switch may represent all equivalent ones.
    """

    network: Network
    use_representatives: bool = True

    @cached_property
    def groups(self) -> NodeGroups:
        """The groups of its nodes."""
        return node_groups(self.network)

    @cached_property
    def _classes(self) -> tuple[Ints, Ints] | None:
        return switch_classes(self.network) if self.use_representatives else None

    @property
    def labels(self) -> list[Ints]:
        """Label of every switch, per plane; equivalent switches share a label."""
        if self._classes is not None:
            return [self._classes[0]] * len(self.network.planes)
        return [np.arange(switches) for switches in self.network.plane_switches]

    @property
    def sources(self) -> Ints:
        """Representative groups of nodes."""
        return np.arange(len(self.groups.senders)) if self._classes is None else self._classes[1]

    @property
    def ends(self) -> Ints:
        """Representative destinations of routes."""
        return np.arange(len(self.groups.receivers)) if self._classes is None else self._classes[1]

    @property
    def senders(self) -> Ints:
        """Number of nodes in each group."""
        return self.groups.senders.astype(np.int64)

    @property
    def receivers(self) -> Ints:
        """Number of nodes at each of `ends`."""
        return self.groups.receivers[self.ends].astype(np.int64)

    @property
    def groups_per_source(self) -> int:
        """Number of groups represented by each of `sources`."""
        return len(self.groups.senders) // len(self.sources)

    @cached_property
    def weights(self) -> list[int]:
        """Weights by which planes share a packet; empty if the shortest ways of all planes share it.

        Raises
        ------
        InputError
            If the policy depends on queues, or no plane connects a pair of nodes.
        """
        require_ways(self.network)
        return list(plane_weights(self.network.policy, len(self.network.planes)) or ())

    @cached_property
    def planes(self) -> list[_native.PlaneArrays]:
        """Cables, routes, labels, and links of groups and ends, per plane."""
        return [self._plane(number, plane) for number, plane in enumerate(self.network.planes)]

    @property
    def carrying_planes(self) -> list[_native.PlaneArrays]:
        """The planes that carry packets."""
        return [plane for i, plane in enumerate(self.planes) if not self.weights or self.weights[i]]

    def _plane(self, number: int, plane: Plane) -> _native.PlaneArrays:
        routes, group_links, end_links = plane.routes, self.groups.source[number], self._ends_in(number)
        paths = routes.paths
        route_arrays = _native.RouteArrays(
            KEYS[routes.group],
            list(routes.shape),
            np.ascontiguousarray(routes.row, dtype=np.int32),
            routes.columns,
            None if routes.next_port is None else np.ascontiguousarray(routes.next_port),
            None if paths is None else np.ascontiguousarray(paths.starts),
            None if paths is None else np.ascontiguousarray(paths.ports),
        )
        switch, target = group_links.at.astype(np.int32), end_links.at.astype(np.int32)
        return _native.PlaneArrays(
            plane.topology.peer,
            route_arrays,
            self.labels[number].astype(np.int32),
            _native.LinkArrays(group_links.start, switch, switch),
            _native.LinkArrays(end_links.start, target, routes.switch_of(target).astype(np.int32)),
        )

    def _ends_in(self, number: int) -> GroupLinks:
        """Return the links of the representative ends."""
        target = self.groups.target[number]
        if self._classes is None:
            return target
        counts = np.diff(target.start)[self.ends]  # the same number for each
        links = target.start[self.ends][:, None] + np.arange(counts[0])
        return GroupLinks(np.concatenate([[0], np.cumsum(counts)]), target.at[links].ravel())


def in_threads(work: Callable[[slice], Result], count: int, step: int) -> Iterator[Result]:
    """Yield the results of `work` on consecutive slices of `range(count)`, in order, computed on all processors.

    The results are exact sums, so they do not depend on the number of threads.
    """
    slices: Sequence[slice] = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with ThreadPoolExecutor(min(threads, max(1, len(slices)))) as pool:
        yield from pool.map(work, slices)
