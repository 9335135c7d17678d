"""Search for an all-to-all order of few phases, over the routes of any network."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int, exact_number
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.contention_free_order import contention_free_order
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.objectives import relative_gap
from isoplane.search._native import PhaseSearch
from isoplane.search.programs.phase_program import assign_phases

from .exchange import Exchange

EVALUATIONS_PER_CALL = 1 << 12  # bounds the time of a native call, which blocks interrupts
PROGRAM_MESSAGES = 56  # up to 8 processes, constraint programs decide what the local search leaves open
EVALUATIONS_BEFORE_PROGRAM = 1 << 15  # without an improvement


@dataclass(frozen=True, eq=False)
class OrderSolution:
    """An order without contention that has fewer phases than all before, or a higher bound.

    Attributes
    ----------
    order
        The order.
    bound
        Proven lower bound on the number of phases over the same routes.
    evaluations
        Evaluations of the search so far: messages that were put into a phase.
    seconds
        Time since the search began.
    """

    order: ExchangeOrder
    bound: int
    evaluations: int
    seconds: float

    @property
    def phases(self) -> int:
        """Number of phases."""
        return self.order.phases

    @property
    def gap(self) -> float:
        """The `relative_gap` of the number of phases."""
        return float(relative_gap(self.phases, self.bound) or 0)

    @property
    def is_optimal(self) -> bool:
        """Whether no order over these routes has fewer phases."""
        return self.phases == self.bound


def search_order(
    network: Network,
    nodes: ArrayLike | None = None,
    *,
    evaluations: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
) -> Iterator[OrderSolution]:
    """Yield orders of ever fewer phases, in none of which two messages share a directed link, until one is optimal.

    The search starts from the known order with the fewest phases, of which colliding messages are moved to further
    phases, or from first fit. For up to 8 processes, a constraint program completes it, so that the last order is
    optimal.

    Parameters
    ----------
    network
        A network without circuits, whose routes are kept.
    nodes : int[processes]
        The nodes of a job; all by default.
    evaluations, seconds
        Ends of the search; the same number of evaluations gives the same orders. None for no limit.
    seed
        Seed of the search.

    Raises
    ------
    InputError
        If a number is out of range, or as for `Exchange.of`.

    References
    ----------
    Blöchliger and Zufferey, A graph coloring heuristic using partial solutions and a reactive tabu scheme, 2008.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> *_, best = search_order(Network(Torus(shape=(5,))), evaluations=10000)
    >>> best.phases, best.bound
    (4, 4)
    """
    check_int("seed", seed, 0, (1 << 64) - 1)
    if evaluations is not None:
        check_int("evaluations", evaluations, 1)
    limit_s = None if seconds is None else float(exact_number("seconds", seconds, above=True))
    exchange, begun = Exchange.of(network, nodes), time.monotonic()
    engine, bound = _first(network, exchange, seed), exchange.bound

    def found(phase: NDArray[np.int32]) -> OrderSolution:
        return OrderSolution(exchange.order(phase), bound, engine.evaluations, time.monotonic() - begun)

    yield found(engine.best())
    phases, improved_at = engine.phases, engine.evaluations
    while phases > bound and (evaluations is None or engine.evaluations < evaluations):
        if limit_s is not None and time.monotonic() - begun >= limit_s:
            return
        left = EVALUATIONS_PER_CALL if evaluations is None else evaluations - engine.evaluations
        engine.run(min(EVALUATIONS_PER_CALL, left))
        if engine.phases < phases:
            phases, improved_at = engine.phases, engine.evaluations
            yield found(engine.best())
        elif exchange.messages <= PROGRAM_MESSAGES and engine.evaluations - improved_at >= EVALUATIONS_BEFORE_PROGRAM:
            better = assign_phases(exchange.start, exchange.resource, bound)
            while better is None:
                # The constraint program has no solution: that proves one more phase to be necessary.
                bound += 1
                better = engine.best() if bound == phases else assign_phases(exchange.start, exchange.resource, bound)
            yield found(better)
            return


def _first(network: Network, exchange: Exchange, seed: int) -> PhaseSearch:
    """Return the search from the start with the fewest phases; of equal ones, the first."""
    starts = [np.full(exchange.messages, -1, dtype=np.int32), *map(exchange.phases_of, _known(network, exchange))]
    try:
        engines = [
            PhaseSearch(exchange.resources, exchange.start, exchange.resource, start, seed, 0) for start in starts
        ]
    except ValueError as error:  # the sums of loads along routes exceed what the search can hold
        highest = f"{exchange.processes} processes, {exchange.bound} messages over the busiest link"
        raise InputError(f"order: {highest}: {error}; expected fewer processes, or an order by name") from error
    return min(engines, key=lambda engine: engine.phases)


def _known(network: Network, exchange: Exchange) -> Iterator[ExchangeOrder]:
    """Yield the known orders of so many processes, and that of the network."""
    for name in order_names():
        try:
            yield order_named(name, exchange.nodes)
        except InputError:  # not of so many processes
            continue
    try:
        yield contention_free_order(network, exchange.nodes)
    except InputError:  # not of this network, or not of this job
        return
