"""Graphs for any objective: walks that evaluate the network after every move, from graphs of short paths."""

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial

import numpy as np

from isoplane.models.paths.nearest_plane import switch_hops
from isoplane.models.topologies import graph
from isoplane.models.workloads import parts_of
from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainKind
from ..core.measure import Measure, measure_of
from ..core.space import Candidate
from ..core.strategy import Round
from .host_space import HostGraphs
from .space import RegularGraphs

MEASURED = ChainKind(
    "MeasuredGraphAnnealing",
    "MeasuredGraphWalk",
    (("hottest", 0.2), ("coolest", 0.02), ("first_leg", 300), ("growth", 1.5)),
)
SHARE = 4  # evaluations of a round: balancing the routes of even a small graph takes a tenth of a second
STREAM = 1 << 32  # of random numbers, beyond those of the chains
CALLS = 64  # of a walk for short paths: some seconds in all
MESSAGES_SHARE = 100  # evaluations of such a call where the paths are those of messages


def short_paths(
    kind: ChainKind,
    task: _native.GraphTask | _native.HostTask | _native.MeasuredGraphTask,
    share: int,
    best: Candidate,
    seed: int,
    replayed: bool,
) -> Generator[Round, None, None]:
    """Yield the best graphs of a walk for short paths, which does not count as evaluations of the objective.

    Graphs of short paths load cables least, on average: those of short paths between all pairs that of uniform traffic,
    those of `hops_of_messages` that of a workload.

    Parameters
    ----------
    kind, task, share, best
        The walk, the evaluations of a call, and where it begins.
    seed, replayed
        Seed of the search, and whether it resumes from a checkpoint.
    """
    walk = getattr(_native, kind.native)(task, seed, STREAM, best, **dict(kind.settings))
    for _ in range(CALLS):
        walk.run(share)
        if (found := tuple(walk.designs()[0])) != best:
            best = found
            yield Round(0, (best,), replayed=replayed)


def hops_of_messages(space: RegularGraphs) -> Callable[[Sequence[int]], Measure]:
    """Return the function from graphs to the bytes of all messages of a workload times their hops, and relative ones.

    Graphs of short paths between all pairs of switches are no good beginning where few of them exchange messages.
    """
    family = space.family
    amount = np.zeros((family.switches, family.switches), dtype=np.int64)
    for weight, part in parts_of(space.workload) if space.workload is not None else ():
        messages = part.message_list()
        ends = (each // family.nodes_per_switch for each in (messages.source, messages.destination))
        np.add.at(amount, tuple(ends), weight * messages.length_bytes)

    def hops(candidate: Sequence[int]) -> int:
        return int((amount * switch_hops(graph(np.reshape(candidate, (-1, 2)), family.switches))).sum())

    first = max(1, hops(space.candidate(space.baseline)))

    def measured(candidate: Sequence[int]) -> Measure:
        found = hops(candidate)
        return found / first, (found,)

    return measured


def measured_task(
    space: RegularGraphs | HostGraphs, objective: Lexicographic, hosts: _native.HostTask, start: list[int]
) -> _native.MeasuredGraphTask:
    """Return the native task of a space for an objective: many cycles begin near the start, a graph of hosts.

    No cache of this module may hold it, since its function has the module, and native code no cyclic references.
    """
    function = measure_of(objective, partial(_integers, space, objective), space.candidate(space.baseline))
    return _native.MeasuredGraphTask(hosts, start, function)


def _integers(
    space: RegularGraphs | HostGraphs, objective: Lexicographic, names: tuple[str, ...], candidate: Candidate
) -> Mapping[str, int]:
    """Return exact integers of a graph, whose routes depend on the order of its edges."""
    design = space.design(space.canonical(candidate))
    return objective.evaluator.exact(design, names, objective.workload)
