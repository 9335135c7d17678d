"""Networks in the array form of the native evaluator."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from isoplane.models import Network, Plane, steps
from isoplane.models.arrays import Bools, Ints
from isoplane.models.mathematics.spans import starts_of
from isoplane.models.paths.node_classes import GroupLinks, NodeGroups, node_groups, switch_classes
from isoplane.models.paths.path_shares import require_paths
from isoplane.models.policy import plane_weights

from .. import _native

Result = TypeVar("Result")

KEYS = {"table": _native.RouteKey.TABLE, "xor": _native.RouteKey.XOR, "torus": _native.RouteKey.TORUS}


@dataclass(frozen=True, eq=False)
class NetworkArrays:
    """A network in the array form of the native evaluator; equivalent switches may be reduced to a representative.

    `merged_planes` has fewer paths with the same traffic: identical planes, and links of all nodes that lead to the
    same switches, are merged into one.

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
        """Weights by which planes share a packet; empty if the shortest paths of all planes share it.

        Raises
        ------
        InputError
            If the policy depends on queues, or no plane connects a pair of nodes.
        """
        require_paths(self.network)
        return list(plane_weights(self.network.policy, len(self.network.planes)) or ())

    @cached_property
    def planes(self) -> list[_native.PlaneArrays]:
        """Cables, routes, labels, and links of groups and ends, per plane."""
        return [self._plane(number, plane) for number, plane in enumerate(self.network.planes)]

    @cached_property
    def identical_planes(self) -> int:
        """Number of planes that each of `merged_planes` stands for: all of them if they are identical, else 1."""
        planes = self.network.planes
        is_even = not isinstance(self.network.policy, tuple) and all(plane is planes[0] for plane in planes)
        return len(planes) if is_even else 1

    @cached_property
    def _equal_links(self) -> tuple[int, int]:
        """Number of equal links of every group of nodes in every plane, and of every end; 1 if they differ."""
        if isinstance(self.network.policy, tuple):
            return 1, 1
        ends = [self._ends_in(number) for number in range(len(self.network.planes))]
        return equal_links(self.groups.source), equal_links(ends)

    @property
    def merged_paths(self) -> int:
        """Number of equally long paths of a packet that each path over `merged_planes` stands for."""
        of_groups, of_ends = self._equal_links
        return self.identical_planes * of_groups * of_ends

    @cached_property
    def merged_planes(self) -> list[_native.PlaneArrays]:
        """As `planes`, without the paths that are equal to others."""
        if self.merged_paths == 1:
            return self.planes
        planes = self.network.planes[: len(self.network.planes) // self.identical_planes]
        return [self._plane(number, plane, *self._equal_links) for number, plane in enumerate(planes)]

    @property
    def shared_paths(self) -> int | None:
        """Least common multiple of the numbers of shortest paths over `merged_planes`; None if routes decide it.

        If all links of a node are at the same switch of one plane, its packets to itself take all its k paths, of no
        hops, and other packets take 1 to k: for k up to 2, the multiple is k.
        """
        of_groups, of_ends = self._equal_links
        group_links = np.unique(np.diff(self.groups.source[0].start)) // of_groups
        end_links = np.unique(np.diff(self._ends_in(0).start)) // of_ends
        is_known = len(self.merged_planes) == 1 and group_links.tolist() == [1] and end_links.tolist() in ([1], [2])
        return int(end_links[0]) if is_known else None

    @property
    def merged_weights(self) -> list[int]:
        """The weights of `merged_planes`; empty if the shortest paths of all planes share a packet."""
        return self.weights[: len(self.merged_planes)]

    @property
    def carrying_planes(self) -> list[_native.PlaneArrays]:
        """Those of `merged_planes` that carry packets."""
        return [plane for i, plane in enumerate(self.merged_planes) if not self.weights or self.weights[i]]

    def without_switches(self, number: int, lost: Bools) -> _native.PlaneArrays:
        """Return the cables of a plane and the links of groups without some switches; it has no routes.

        Parameters
        ----------
        number
            Index of the plane.
        lost : bool[switches]
            The switches that it loses.
        """
        peer, links = self.network.planes[number].topology.peer, self.groups.source[number]
        cables = np.where((peer < 0) | lost[:, None] | lost[peer], -1, peer).astype(np.int32)
        kept = ~lost[links.at]
        start = starts_of(np.bincount(links.group[kept], minlength=len(links.start) - 1))
        at, switches, none = links.at[kept].astype(np.int32), np.zeros(len(lost), dtype=np.int32), np.zeros(0, np.int32)
        routes = _native.RouteArrays(
            KEYS["table"], [], switches, 0, np.zeros((1, 0), dtype=np.uint16), None, None, None
        )
        ends = _native.LinkArrays(np.zeros(1, dtype=np.int64), none, none)
        return _native.PlaneArrays(cables, routes, switches, _native.LinkArrays(start, at, at), ends)

    def _plane(self, number: int, plane: Plane, of_groups: int = 1, of_ends: int = 1) -> _native.PlaneArrays:
        """Return the arrays of a plane, with one of every few equal links of groups and of ends."""
        routes, paths = plane.routes, plane.routes.paths
        group_links = _one_of_equal(self.groups.source[number], of_groups)
        end_links = _one_of_equal(self._ends_in(number), of_ends)
        route_arrays = _native.RouteArrays(
            KEYS[routes.group],
            list(routes.shape),
            np.ascontiguousarray(routes.row, dtype=np.int32),
            routes.columns,
            None if routes.next_port is None else np.ascontiguousarray(routes.next_port),
            None if paths is None else np.ascontiguousarray(paths.starts),
            None if paths is None else np.ascontiguousarray(paths.ports),
            None if routes.carried is None else np.ascontiguousarray(routes.carried),
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


def equal_links(planes: Sequence[GroupLinks]) -> int:
    """Return the number of links of every group in every plane if all links of each group are equal, else 1.

    Examples
    --------
    >>> two_switches = GroupLinks(np.array([0, 2, 4]), np.array([5, 5, 7, 7]))
    >>> equal_links([two_switches]), equal_links([two_switches, GroupLinks(np.array([0, 2, 4]), np.arange(4))])
    (2, 1)
    """
    counts = np.concatenate([np.diff(links.start) for links in planes])
    if len(counts) == 0 or counts[0] < 1 or (counts != counts[0]).any():
        return 1
    by_group = [links.at.reshape(-1, counts[0]) for links in planes]
    return int(counts[0]) if all((links == links[:, :1]).all() for links in by_group) else 1


def _one_of_equal(links: GroupLinks, equal: int) -> GroupLinks:
    return links if equal == 1 else GroupLinks(links.start // equal, links.at[::equal])


def in_threads(
    work: Callable[[slice], Result], count: int, step: int, title: str | None = None, threads: int | None = None
) -> Iterator[Result]:
    """Yield the results of `work` on consecutive slices of `range(count)`, in order, computed on all processors.

    The results are exact sums, so they do not depend on the number of threads. After an interruption the calls that
    run are not waited for.

    Parameters
    ----------
    work, count, step
        What is called, with slices of `step` numbers.
    title
        What is computed, for those who wait; None if it takes no time.
    threads
        By default one for each processor; 1 for calls that share an object.
    """
    slices: Sequence[slice] = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    # Containers and job schedulers may allow a process fewer processors than the machine has.
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    pool = ThreadPoolExecutor(min(threads or processors, max(1, len(slices))))
    try:
        with nullcontext() if title is None else steps.step(title) as shown:
            for done, result in enumerate(pool.map(work, slices), start=1):
                if shown is not None:
                    shown.done = done / len(slices)
                yield result
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
