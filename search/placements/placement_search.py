"""Placements of the processes of a job on the nodes of any network, by its traffic."""

from dataclasses import dataclass

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Floats, Ints
from isoplane.models.mathematics.partition import equal_parts
from isoplane.models.mathematics.spans import spans, starts_of
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid.paths import paths_of

MAX_NODES = 1 << 10
MAX_EXACT = 1 << 53
HOTTEST, COOLEST = 1 / 16, 1 / 65536  # thresholds of the search, relative to the first heaviest link
LEGS = 64  # steps from one to the other


def by_cut(workload: Workload, network: Network) -> tuple[int, ...]:
    """Return the node of every process by recursive cuts: few bytes go over long distances.

    The nodes are halved so that each half is close together, the processes so that few bytes go between the halves;
    each half of the processes takes a half of the nodes, and both are halved again.

    Raises
    ------
    InputError
        If there are more than 1024 nodes, more processes than nodes, or as for `paths_of`.

    References
    ----------
    Pellegrini and Roman, SCOTCH: a software package for static mapping by dual recursive bipartitioning of process and
    architecture graphs, 1996.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import from_matrix
    >>> pairs = from_matrix(np.kron(np.ones((2, 2), dtype=int), np.eye(2, dtype=int)))  # 0 with 2, 1 with 3
    >>> nodes = by_cut(pairs, Network(Torus(shape=(4,))))
    >>> (nodes[0] - nodes[2]) % 2, (nodes[1] - nodes[3]) % 2  # neighbours in the ring
    (1, 1)
    """
    hops = _Loads(workload, network).hops
    traffic = _square(workload, network)
    # A cut keeps heavy edges inside its parts, so the nearest nodes get the largest weights.
    closeness = hops.max() + 1 - hops
    np.fill_diagonal(closeness, 0)
    node_of = np.empty(network.nodes, dtype=np.int64)
    halves = [(np.arange(network.nodes), np.arange(network.nodes))]
    while halves:
        processes, nodes = halves.pop()
        if len(nodes) == 1:
            node_of[processes] = nodes
            continue
        both = _halves(traffic + traffic.T, processes), _halves(closeness, nodes)
        halves += list(zip(*both, strict=True))
    return tuple(node_of[: workload.processes].tolist())


def searched(workload: Workload, network: Network, seed: int = 1, evaluations: int = 20_000) -> tuple[int, ...]:
    """Return the node of every process by a search for a light heaviest link, then for few bytes times hops.

    Threshold accepting over exchanges of two processes, or of a process and an idle node, from the better of the
    placement in order and `by_cut`: an exchange is accepted unless it makes the heaviest link heavier, plus the mean
    load of links, by more than a threshold, which falls. All numbers are exact, so the result depends on the seed only.

    Parameters
    ----------
    workload, network
        The job and the network; all routes are those of its policy.
    seed
        Of the exchanges that are tried.
    evaluations
        Number of exchanges tried.

    Raises
    ------
    InputError
        As for `by_cut`, or if the bytes over a link might exceed the range of exact numbers.

    References
    ----------
    Dueck and Scheuer, Threshold accepting: a general purpose optimization algorithm, 1990.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> ring, network = ring_all_reduce(8, 8000), Network(Torus(shape=(4, 2)))
    >>> scattered = (0, 2, 4, 6, 1, 3, 5, 7)
    >>> [placement_bytes(ring, network, nodes)[0] for nodes in (scattered, searched(ring, network, evaluations=100))]
    [28000.0, 14000.0]
    """
    loads, random = _Loads(workload, network), np.random.default_rng(seed)
    nodes, job = network.nodes, workload.processes
    starts = [np.arange(nodes), np.array(_completed(by_cut(workload, network), nodes))]
    node_of = min(starts, key=lambda start: loads.of(start).key)
    state = loads.of(node_of)
    best, best_nodes, first = state.key, node_of.copy(), float(state.link.max())
    for step in range(evaluations):
        leg = step * LEGS // evaluations / (LEGS - 1)
        # The threshold of the last leg is 0: the search ends with a descent.
        limit = first * HOTTEST * (1 - leg) ** 4 + first * COOLEST * (leg < 1)
        process, node = int(random.integers(job)), int(random.integers(nodes))
        if process == node:
            continue
        changed = loads.exchanged(state, node_of, process, node)
        if changed.energy - state.energy > limit:
            continue
        node_of[[process, node]], state = node_of[[node, process]], changed
        if state.key < best:
            best, best_nodes = state.key, node_of.copy()
    return tuple(best_nodes[:job].tolist())


def placement_bytes(workload: Workload, network: Network, nodes: tuple[int, ...]) -> tuple[float, float]:
    """Return the bytes over the heaviest link in an iteration, and the bytes over all links, for a placement.

    Raises
    ------
    InputError
        As for `searched`.
    """
    loads = _Loads(workload, network)
    state = loads.of(np.array(_completed(nodes, network.nodes)))
    return float(state.link.max()) / loads.parts, float(state.link.sum()) / loads.parts


@dataclass(frozen=True, eq=False)
class _State:
    """Bytes over every link, times the number of parts of a message."""

    link: Floats

    @property
    def key(self) -> tuple[float, float]:
        return float(self.link.max()), float(self.link.sum())

    @property
    def energy(self) -> float:
        return float(self.link.max()) + float(self.link.sum()) / len(self.link)


class _Loads:
    """Loads of links by the traffic between processes, which are completed by idle ones to one for each node."""

    def __init__(self, workload: Workload, network: Network) -> None:
        nodes = network.nodes
        if nodes > MAX_NODES:
            raise InputError(f"placement: {nodes} nodes; expected at most {MAX_NODES} for placements by traffic")
        self._nodes, self._traffic = nodes, _square(workload, network)
        pairs = np.flatnonzero(~np.eye(nodes, dtype=bool).ravel())
        paths = paths_of(network, pairs // nodes, pairs % nodes)
        total = np.bincount(paths.pair, paths.share, minlength=len(pairs)).astype(np.int64)
        self.parts = int(np.lcm.reduce(np.unique(total)))
        lengths = paths.lengths
        part = np.repeat(paths.share * (self.parts // total[paths.pair]), lengths).astype(np.float64)
        self._link, self._part = paths.link, part
        per_pair = np.zeros(nodes**2, dtype=np.int64)
        per_pair[pairs] = np.bincount(paths.pair, lengths, minlength=len(pairs)).astype(np.int64)
        self._start, self._length = starts_of(per_pair)[:-1], per_pair
        self._links = int(paths.link.max()) + 1
        hops = np.zeros(nodes**2)
        hops[pairs] = np.bincount(paths.pair, paths.share * lengths, minlength=len(pairs)) * (self.parts // total)
        self.hops: Floats = hops.reshape(nodes, nodes) + hops.reshape(nodes, nodes).T
        if float(self._traffic.sum()) * self.parts * float(self._length.max()) >= MAX_EXACT:
            raise InputError("workload: bytes over links beyond 2^53; expected shorter messages")

    def of(self, node_of: Ints) -> _State:
        """Return the loads of a placement."""
        source, destination = np.nonzero(self._traffic)
        return _State(self._sum(source, destination, node_of))

    def exchanged(self, state: _State, node_of: Ints, one: int, other: int) -> _State:
        """Return the loads after two processes have exchanged their nodes."""
        touched = np.zeros_like(self._traffic, dtype=bool)
        touched[[one, other]] = touched[:, [one, other]] = True
        source, destination = np.nonzero(touched & (self._traffic > 0))
        after = node_of.copy()
        after[[one, other]] = node_of[[other, one]]
        before = self._sum(source, destination, node_of)
        # Whole numbers below 2^53 are exact as doubles, so differences never drift.
        return _State(state.link - before + self._sum(source, destination, after))

    def _sum(self, source: Ints, destination: Ints, node_of: Ints) -> Floats:
        pair = node_of[source] * self._nodes + node_of[destination]
        lengths = self._length[pair]
        entry = spans(self._start[pair], lengths)
        weights = self._part[entry] * np.repeat(self._traffic[source, destination], lengths)
        return np.bincount(self._link[entry], weights, minlength=self._links).astype(np.float64)


def _square(workload: Workload, network: Network) -> Floats:
    """Return the bytes between processes, completed by idle ones to one for each node."""
    job, nodes = workload.processes, network.nodes
    if job > nodes:
        raise InputError(f"workload.processes={job}: expected at most one for each of {nodes} nodes")
    traffic = np.zeros((nodes, nodes))
    traffic[:job, :job] = workload.matrix()
    np.fill_diagonal(traffic, 0)
    return traffic


def _completed(nodes: tuple[int, ...], count: int) -> list[int]:
    """Return a placement with the idle nodes after those of processes."""
    return [*nodes, *sorted(set(range(count)) - set(nodes))]


def _halves(weights: Floats, members: Ints) -> tuple[Ints, Ints]:
    """Return the members of both halves of a cut, the smaller one first."""
    # Equal parts need an even number, so a member without traffic may join.
    even = len(members) + len(members) % 2
    inside = np.zeros((even, even))
    inside[: len(members), : len(members)] = weights[np.ix_(members, members)]
    part = equal_parts(inside, 2)[: len(members)]
    halves = [members[part == part[0]], members[part != part[0]]]
    small, large = sorted(halves, key=len)
    return small, large
