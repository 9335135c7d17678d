"""Chains over circuits and placements: annealing walks."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from isoplane.models import InputError
from isoplane.objectives import Lexicographic
from isoplane.objectives.fluid.circuits.bounds import bits_between
from isoplane.objectives.fluid.circuits.data import circuit_data

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup, guide_of
from ..core.space import Candidate
from ..strategies.anneal import Anneal
from .space import CircuitSpace

MESSAGES_IN_A_ROUND = 1 << 15  # of all evaluations of a walk per round: a fraction of a second
COOLEST, HOTTEST, FALL = 0.002, 0.2, 20.0  # temperatures relative to the score of the initial design; their fall
_REROUTED = 10  # about one message in ten is rerouted per move of a walk for the bottleneck time


def circuit_chains(
    space: CircuitSpace, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...]
) -> ChainSetup[CircuitSpace] | None:
    """Return walks with the settings of `Anneal`; None if any settings belong to another strategy.

    Raises
    ------
    InputError
        If a parameter does not apply to circuits.
    """
    objective = guide_of(objective)
    names = objective.score_names
    # Busy times depend only on the bits between processes, of all iterations together.
    busy_only = space.has_tree and space.placement != "free" and names == ("bottleneck", "total")[: len(names)]
    kinds = tuple(_kind(space, busy_only, strategy) for strategy in settings if isinstance(strategy, Anneal))
    if len(kinds) < len(settings):
        return None
    work = space.workload
    routed = work.messages * work.iterations
    if busy_only:
        routed = -(-work.messages // (1 if space.optical.ports_per_node > 1 else _REROUTED))
    return ChainSetup(space, objective, kinds, _arguments, max(4, MESSAGES_IN_A_ROUND // routed), starts)


def _kind(space: CircuitSpace, busy_only: bool, settings: Anneal) -> ChainKind:
    if settings.structured:
        raise InputError(f"strategy.structured=true: {space.varies} expect false")
    legs = (("first_leg", settings.first_leg or 2000), ("growth", settings.growth))
    if busy_only:
        return ChainKind("BottleneckAnnealing", "BottleneckWalk", legs)
    hottest = settings.hottest or max(HOTTEST, settings.coolest or 0)
    coolest = settings.coolest or min(hottest, COOLEST)
    heat = (("coolest", coolest), ("hottest", hottest), ("fall", settings.fall or FALL))
    return ChainKind("CircuitAnnealing", "CircuitWalk", (*heat, *legs))


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[CircuitSpace]) -> tuple[_native.HybridTask]:
    optical, busy_only = setup.space.optical, setup.kinds[0].native == "BottleneckWalk"
    rates, costs, units, packet_paths, begin_ticks = circuit_data(optical, setup.space.site, setup.space.messages)
    task = _native.HybridTask(
        optical.groups,
        optical.nodes_per_group,
        list(rates),
        list(costs),
        units,
        *(_merged_messages(setup.space) if busy_only else _messages(setup.space)),
        [] if busy_only else begin_ticks.tolist(),
        [_native.hybrid_metric_names().index(metric) for metric in setup.objective.score_names],
        optical.ports_per_node,
        setup.space.max_circuits,
        setup.space.placement == "free",
        packet_paths,
    )
    return (task,)


# Sources, destinations, bits, and dependencies of messages.
_Messages = tuple[list[int], list[int], list[float], list[int], list[int]]


def _messages(space: CircuitSpace) -> _Messages:
    messages = space.messages
    return (
        messages.source.tolist(),
        messages.destination.tolist(),
        (8.0 * messages.length_bytes).tolist(),
        messages.dependency_start.tolist(),
        messages.dependency.tolist(),
    )


def _merged_messages(space: CircuitSpace) -> _Messages:
    """Return one message per pair of communicating processes, with the sum of its bits."""
    sent = bits_between(space.optical, space.messages)
    source, destination = np.nonzero(sent)
    bits = sent[source, destination].astype(float).tolist()
    return source.tolist(), destination.tolist(), bits, [0] * (len(bits) + 1), []
