"""Small networks with random traffic, their best circuits by brute force, and the installed solvers."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from isoplane.models import MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import from_matrix
from isoplane.objectives.fluid import FluidModel
from isoplane.search.programs import SOLVERS
from isoplane.search.programs.local_search import LocalSearch
from isoplane.search.programs.traffic import ScaledTraffic

Pairs = tuple[tuple[int, int], ...]
INSTALLED = [name for name in SOLVERS if name != "gurobi" or find_spec("gurobipy")]
SHAPES = ((2, 3, 16), (3, 2, 64), (2, 4, 2), (4, 2, 8))  # groups, nodes per group, rate of uplinks in Gbit/s


def all_circuits(hybrid: Hybrid, max_circuits: int) -> Iterator[Pairs]:
    """All sets of at most `max_circuits` circuits that the ports allow, parallel circuits included."""
    pairs = [
        pair for pair in combinations(range(hybrid.nodes), 2) if hybrid.group_of(pair[0]) != hybrid.group_of(pair[1])
    ]

    def extend(first: int, chosen: Pairs) -> Iterator[Pairs]:
        yield chosen
        if len(chosen) == max_circuits:
            return
        used = [node for pair in chosen for node in pair]
        for index in range(first, len(pairs)):
            if all(used.count(node) < hybrid.ports_per_node for node in pairs[index]):
                yield from extend(index, (*chosen, pairs[index]))

    return extend(0, ())


def least_times(model: FluidModel, max_circuits: int) -> tuple[int, int]:
    """The shortest bottleneck time, and the shortest total time with it, in ns."""
    return min(model.busy_times_ns(Circuits(pairs)) for pairs in all_circuits(model.hybrid, max_circuits))


def exact_ticks(traffic: ScaledTraffic, max_circuits: int) -> int:
    """The shortest bottleneck time in ticks; `least_times` rounds to ns, which may be below the exact time."""
    local = LocalSearch(traffic, max_circuits, 0, 1, lambda: 0.0, lambda _: None)
    return min(local.evaluate(Circuits(pairs)).bottleneck for pairs in all_circuits(traffic.hybrid, max_circuits))


def a_minute() -> float:
    """Return the seconds left: more than any bound of these networks takes."""
    return 60.0


@st.composite
def small_traffic(draw, max_kilobytes: int) -> tuple[Hybrid, MessageList]:
    """A network, and messages of up to `max_kilobytes` kilobytes."""
    groups, size, up_gbps = draw(st.sampled_from(SHAPES))
    nodes = groups * size
    entries = draw(st.lists(st.integers(0, max_kilobytes), min_size=nodes**2, max_size=nodes**2))
    matrix = np.array(entries).reshape(nodes, nodes)
    matrix[0, 1] += 1  # so that there is traffic
    return Hybrid(groups, size, up_gbps=up_gbps), from_matrix(matrix * 1000).message_list()
