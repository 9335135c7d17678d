"""Distances over links with lengths, and a search for lengths that prove a low bound on throughput."""

from fractions import Fraction

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Floats, Ints
from isoplane.objectives import _native
from isoplane.objectives.general.arrays import in_threads

from .capacity_graph import CapacityGraph

LONGEST = 1000  # of the lengths of a search: precise to 0.1 %, and quick to search through
SOURCES = 64  # per native call
AVERAGING = 0.1  # weight of the loads of a round
ROUNDS, PATIENCE = 60, 20  # rounds of a search, and rounds without a better bound that end it
SEARCH_STEPS, LEAST_SOURCES = 120_000_000, 128  # links visited by a search, and the least number of groups
CONVERGED = 1e-6


def evaluate_lengths(graph: CapacityGraph, length: Ints, sources: Ints, with_loads: bool = False) -> tuple[int, Floats]:
    """Return the sum of distances from some groups of nodes to all nodes, and the loads along shortest paths.

    The load of a link is the number of pairs of nodes whose traffic takes it if all shortest paths share it evenly;
    there are none if not requested.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes.
    """
    start, head = graph.start, graph.head.astype(np.int32)
    at, short = graph.group_links.at.astype(np.int32), length.astype(np.int32)

    def work(part: slice) -> tuple[int, Floats]:
        load = np.zeros(len(head) if with_loads else 0)
        distances = _native.weighted_distances(
            start, head, short, graph.nodes, graph.group_links.start, at, sources[part].copy(), load
        )
        return distances, load

    total, loads = 0, np.zeros(len(head) if with_loads else 0)
    for distances, load in in_threads(work, len(sources), SOURCES):  # in order, so that sums do not depend on threads
        if distances < 0:
            raise InputError(
                "network.planes: none connects some pair of nodes; expected links of both in a connected plane"
            )
        total += distances
        loads += load
    return total, loads


def length_bound(graph: CapacityGraph, length: Ints) -> Fraction | None:
    """Return the bound on the throughput per node that lengths of links prove; None without traffic between switches.

    If every node sends at rate θ, evenly to all N nodes, each pair of nodes occupies at least θ / N times its distance:
    θ ≤ N · Σ capacity · length / Σ distance, for all lengths of at least 0. The result is exact.
    """
    distances, _ = evaluate_lengths(graph, length, np.arange(len(graph.nodes)))
    return bound_of(graph, length, distances)


def bound_of(graph: CapacityGraph, length: Ints, distances: int) -> Fraction | None:
    """Return the bound of `length_bound`, given the sum of distances from all groups of nodes."""
    room = sum(a * b for a, b in zip(graph.capacity.tolist(), length.tolist(), strict=True))
    return Fraction(int(graph.nodes.sum()) * room, graph.unit * distances) if distances else None


def ones_of(graph: CapacityGraph) -> Ints:
    """Return a length of 1 for each link."""
    return np.ones(len(graph.tail), dtype=np.int64)


def evaluate_equal(graph: CapacityGraph) -> tuple[int, Floats]:
    """Return the distances and loads of lengths of 1 from all groups of nodes."""
    return evaluate_lengths(graph, ones_of(graph), np.arange(len(graph.nodes)), with_loads=True)


def search_lengths(
    graph: CapacityGraph, seed: int, equal: tuple[int, Floats] | None = None
) -> tuple[Ints, float | None]:
    """Search for the lengths of links that prove the lowest bound on throughput.

    Equal lengths are kept if shortest paths that share traffic evenly reach their bound. Otherwise they are improved;
    of large networks some groups of nodes, chosen by the seed, represent all.

    Parameters
    ----------
    graph
        The links.
    seed
        Seed of that choice.
    equal
        The result of `evaluate_equal`, if known.

    Returns
    -------
    int64[links], float or None
        The lengths, from 0 to 1000, and the throughput per node of the best flow found; None without traffic between
        switches. The flow is feasible, but for rounding errors.
    """
    lengths, flow, is_optimal = _equal_lengths(graph, *(equal or evaluate_equal(graph)))
    if is_optimal:
        return lengths, flow
    groups, count = np.arange(len(graph.nodes)), max(LEAST_SOURCES, SEARCH_STEPS // (ROUNDS * len(graph.tail)))
    if len(groups) <= count:
        lengths, peak = _improve(graph, groups)
        return lengths, _throughput(graph, peak)
    return _improve(graph, np.sort(np.random.default_rng(seed).choice(groups, count, replace=False)))[0], flow


def equal_lengths(graph: CapacityGraph) -> tuple[Ints, float | None]:
    """Return lengths of 1, and the throughput per node if all shortest paths share traffic evenly, as in a search."""
    return _equal_lengths(graph, *evaluate_equal(graph))[:2]


def _equal_lengths(graph: CapacityGraph, distances: int, load: Floats) -> tuple[Ints, float | None, bool]:
    """Return lengths of 1, the throughput if all shortest paths share traffic evenly, and whether it is optimal."""
    ones, peak = ones_of(graph), float((load / graph.capacity).max(initial=0.0))
    return ones, _throughput(graph, peak), peak <= _load_bound(graph, ones, distances) * (1 + CONVERGED)


def _throughput(graph: CapacityGraph, peak: float) -> float | None:
    return float(graph.nodes.sum() / graph.unit / peak) if peak else None


def _improve(graph: CapacityGraph, sources: Ints) -> tuple[Ints, float]:
    """Return better lengths than equal ones, and the load of the busiest link of the best flow, by its capacity.

    The volume algorithm: lengths change by factors, in the direction of the mean loads of previous rounds, by a step
    that Polyak's rule derives from the distance between the bound and the heaviest mean load.

    References
    ----------
    Barahona and Anbil, The volume algorithm: producing primal solutions with a subgradient method, 2000.
    """
    best = ones_of(graph)
    distances, load = evaluate_lengths(graph, best, sources, with_loads=True)
    base, mean_load, step = np.zeros(len(graph.tail)), load / graph.capacity, 0.5
    highest, peak, idle = _load_bound(graph, best, distances), float(mean_load.max()), 0
    for _ in range(min(ROUNDS, SEARCH_STEPS // (len(sources) * len(graph.tail)) + 1)):
        logarithm = base + _step(graph, best, mean_load, step * (peak - highest))
        length = np.rint(np.exp(logarithm - logarithm.max()) * LONGEST).astype(np.int64)
        distances, load = evaluate_lengths(graph, length, sources, with_loads=True)
        bound = _load_bound(graph, length, distances)
        # The best lengths so far remain valid; only loads are lost, and with them the direction of the next step.
        if not np.isfinite(load).all():  # too many shortest paths to count
            break
        mean_load = (1 - AVERAGING) * mean_load + AVERAGING * load / graph.capacity
        peak = min(peak, float(mean_load.max()))
        if bound > highest:
            best, highest, base, step, idle = length, bound, logarithm, min(1.0, step * 1.1), 0
        else:
            step, idle = max(0.01, step * 0.7), idle + 1
        if idle == PATIENCE or peak <= highest * (1 + CONVERGED):
            break
    return best, peak


def _load_bound(graph: CapacityGraph, length: Ints, distances: int) -> float:
    """Return the lower bound on the relative load of the busiest link that lengths prove."""
    room = float((graph.capacity * length).sum())
    return distances / room if room else 0.0


def _step(graph: CapacityGraph, length: Ints, mean_load: Floats, rise: float) -> Floats:
    """Return the change of the logarithms of the lengths that would raise the bound by `rise` if it were linear."""
    share = graph.capacity * length / (graph.capacity * length).sum()
    excess = mean_load - (mean_load * share).sum()
    variance = float((share * excess**2).sum())
    return np.clip(rise / variance * excess, -1, 1) if variance else np.zeros(len(excess))
