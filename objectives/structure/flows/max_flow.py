"""Maximum concurrent flow: a flow and lengths of links that prove each other, in exact arithmetic."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.objectives import _native

from .flow_problem import MAX_DEMAND, FlowProblem

GAP = 1e-4
ITERATIONS = 100_000
LONGEST = 1 << 30  # of the lengths: precise to 1e-6 even if the mean is far below
SIMPLE = (1, 2, 3, 4, 6, 12, 60)  # longest length, for lengths that prove a simple fraction
MAX_SCALE = 1 << 40  # of the exact flow
CALL = 1 << 27  # flows moved in a native call: a fifth of a second
FIRST, GROWTH = 8, 1.4  # periods before the first certificate, and growth of their number up to the next one


@dataclass(frozen=True, eq=False)
class ConcurrentFlow:
    """A flow that carries all demands at the same rate, and lengths of links that bound this rate.

    Parameters
    ----------
    lower
        The flow carries `lower` times all demands at once within the capacities: `scale` · min capacity / load.
    upper
        No flow carries more: Σ capacity · length / Σ demand · distance.
    flow : int64[sources, links]
        Flow of each source over each link; `scale` times its demand arrives at each vertex, and the flow is conserved
        elsewhere.
    scale
        See `flow`.
    length : int64[links]
        Length of each link; 0 where the capacity is unlimited.
    iterations
        Number of iterations that led there.
    """

    lower: Fraction
    upper: Fraction
    flow: Ints
    scale: int
    length: Ints
    iterations: int

    @property
    def gap(self) -> float:
        """The relative difference of the bounds: 0 if they are equal."""
        return float(self.upper / self.lower - 1)


def max_concurrent_flow(
    problem: FlowProblem, gap: float = GAP, iterations: int = ITERATIONS, seconds: float | None = None
) -> ConcurrentFlow | None:
    """Find the highest rate at which all demands can be carried at once, whatever the paths.

    Both bounds are exact for the flow and the lengths returned; only how close they are depends on floating point.

    Parameters
    ----------
    problem
        The links and the demands.
    gap
        The search ends when the bounds differ by less than this, relative to the lower one.
    iterations
        It ends after as many iterations in any case.
    seconds
        It also ends after this time: then the result depends on the machine.

    Returns
    -------
    ConcurrentFlow or None
        None if no demand needs a link of limited capacity.

    Raises
    ------
    InputError
        If no path leads to a vertex with demand.

    References
    ----------
    Lu and Yang, Restarted Halpern PDHG for linear programming, 2024. Shahrokhi and Matula, The maximum concurrent flow
    problem, 1990.

    Examples
    --------
    >>> links = np.array([[0, 1], [1, 0], [1, 2], [2, 1]]).T  # a path of three vertices; the first sends to both others
    >>> problem = FlowProblem(*links, np.array([4, 4, 3, 3]), np.array([0]), np.array([[0, 1, 1]]))
    >>> found = max_concurrent_flow(problem)
    >>> found.lower, found.upper
    (Fraction(2, 1), Fraction(2, 1))
    """
    # Lengths of 1 are 0 on unlimited links only, so distance 0 means that capacity does not limit the flow.
    if not problem.demand.any() or not problem.bound(np.ones(len(problem.tail), dtype=np.int64))[1]:
        return None
    end, best = None if seconds is None else monotonic() + seconds, None
    for best in improving_flows(problem):
        if best.gap <= gap or best.iterations >= iterations or (end is not None and monotonic() >= end):
            break
    assert best is not None
    return _with_simple_lengths(problem, best)


def improving_flows(problem: FlowProblem) -> Iterator[ConcurrentFlow]:
    """Yield the best flow and lengths so far, without end, after more and more iterations."""
    arrays, best = _native.FlowIterations(problem.arrays), None
    length = (problem.capacity > 0).astype(np.int64)
    upper, scale = _upper(problem, length), min(MAX_SCALE, 1 << (MAX_DEMAND // problem.total_demand).bit_length() - 1)
    assert upper is not None
    for done in _periods(problem, arrays):
        candidate = _lengths(problem, arrays)
        flow = np.zeros((len(problem.source), len(problem.tail)), dtype=np.int64)
        arrays.feasible_flow(candidate, scale, flow)
        bound, lower = _upper(problem, candidate), _rate(problem, flow, scale)
        if bound is not None and bound < upper:
            length, upper = candidate, bound
        if best is not None and best.lower >= lower:
            lower, flow = best.lower, best.flow
        best = ConcurrentFlow(lower, upper, flow, scale, length, done * _native.FLOW_PERIOD)
        yield best


def _periods(problem: FlowProblem, arrays: _native.FlowIterations) -> Iterator[int]:
    """Iterate, in native calls of a fraction of a second, and yield the number of periods when certificates are due."""
    call = max(1, CALL // (_native.FLOW_PERIOD * problem.demand.shape[0] * len(problem.tail)))
    due, done = FIRST, 0
    while True:
        while done < due:
            periods = min(call, due - done)
            arrays.run(periods)
            done += periods
        yield done
        # Certificates stay few, and a search runs no more than about 40 % beyond the first good enough one.
        due = int(done * GROWTH) + 1


def _lengths(problem: FlowProblem, arrays: _native.FlowIterations) -> Ints:
    """Return the lengths of the last iterate."""
    real = np.zeros(len(problem.tail))
    arrays.lengths(real)
    return _rounded(problem, real, LONGEST)


def _with_simple_lengths(problem: FlowProblem, found: ConcurrentFlow) -> ConcurrentFlow:
    """Return the same flow with the simplest lengths that prove a bound at least as low."""
    for longest in SIMPLE:
        length = _rounded(problem, found.length, longest)
        upper = _upper(problem, length)
        if upper is not None and upper <= found.upper:
            return replace(found, upper=upper, length=length)
    return found


def _rounded(problem: FlowProblem, length: NDArray[np.number], longest: int) -> Ints:
    """Return lengths as integers of which the longest is given."""
    limited = np.where(problem.capacity == 0, 0.0, length)
    rounded: Ints = np.rint(limited * (longest / limited.max())).astype(np.int64)
    return rounded


def _upper(problem: FlowProblem, length: Ints) -> Fraction | None:
    """Return the bound that lengths prove; None if all demands are at distance 0."""
    room, distances = problem.bound(length)
    return Fraction(room, distances) if distances else None


def _rate(problem: FlowProblem, flow: Ints, scale: int) -> Fraction:
    """Return scale · min capacity / load exactly: of the links close to the least one in floating point."""
    load, is_limited = flow.sum(axis=0), problem.capacity > 0
    relative = np.where(is_limited, load / np.maximum(problem.capacity, 1), 0.0)
    # Fractions of all links would be slow; floats rule out those that surely have a lower load.
    busiest = np.flatnonzero(relative >= relative.max() * (1 - 1e-9))
    return min(Fraction(scale * int(problem.capacity[link]), int(load[link])) for link in busiest)
