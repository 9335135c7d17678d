"""Native annealing walks over circuits and placements."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from isoplane.models import InputError
from isoplane.objectives import Lexicographic
from isoplane.objectives.fluid.bound import bits_between
from isoplane.objectives.fluid.native_network import native_network

from .. import _native
from ..core.searchers import State, state_error
from ..core.space import Candidate
from ..strategies.anneal import Anneal
from .space import Assignments

MESSAGES_IN_A_ROUND = 1 << 15  # of all evaluations of a walk per round: a fraction of a second
COOLEST, HOTTEST, FALL = 0.002, 0.2, 20.0  # temperatures relative to the score of the initial design; their fall
_REROUTED = 10  # about one message in ten is rerouted per move of a walk for the bottleneck time


@dataclass(frozen=True)
class CircuitAnnealing:
    """Settings of a walk: see `Anneal`."""

    coolest: float
    hottest: float
    fall: float
    first_leg: int
    growth: float


@dataclass(frozen=True)
class BottleneckAnnealing:
    """Settings of a walk for the bottleneck time at a fixed placement: see `Anneal`."""

    first_leg: int
    growth: float


def annealing_walks(
    space: Assignments, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...]
) -> "CircuitSearchers | None":
    """Return walks with the settings of `Anneal`; None if any settings belong to another strategy.

    Raises
    ------
    InputError
        If a parameter does not apply to circuits.
    """
    kinds = tuple(_kind(space, objective, each) for each in settings if isinstance(each, Anneal))
    return CircuitSearchers(space, objective, kinds, starts) if len(kinds) == len(settings) else None


def _kind(space: Assignments, objective: Lexicographic, settings: Anneal) -> "Kind":
    if settings.structured:
        raise InputError(f"strategy.structured=true: {space.varies} expect false")
    first_leg = settings.first_leg or 2000
    names = objective.score_names
    if space.hybrid.is_tree and space.placement != "free" and names == ("bottleneck", "total")[: len(names)]:
        return BottleneckAnnealing(first_leg, settings.growth)
    hottest = settings.hottest or max(HOTTEST, settings.coolest or 0)
    coolest = settings.coolest or min(hottest, COOLEST)
    return CircuitAnnealing(coolest, hottest, settings.fall or FALL, first_leg, settings.growth)


Kind = CircuitAnnealing | BottleneckAnnealing
Walk = _native.CircuitWalk | _native.BottleneckWalk
_NATIVE: dict[type[Kind], type[_native.CircuitWalk] | type[_native.BottleneckWalk]] = {
    CircuitAnnealing: _native.CircuitWalk,
    BottleneckAnnealing: _native.BottleneckWalk,
}


@dataclass(frozen=True)
class CircuitSearchers:
    """The common setup of all walks over circuits.

    Attributes
    ----------
    space, objective
        The search space, and the score to minimise.
    kinds
        Settings of each walk.
    starts
        Initial designs, assigned to walks in turn.
    """

    space: Assignments
    objective: Lexicographic
    kinds: tuple[Kind, ...]
    starts: tuple[Candidate, ...]

    @property
    def front(self) -> bool:
        """Whether the search is for a Pareto front: never."""
        return False

    @property
    def for_bottleneck(self) -> bool:
        """Whether walks minimise only busy times, which depend only on the bits between processes."""
        return isinstance(self.kinds[0], BottleneckAnnealing)

    @property
    def share(self) -> int:
        """Number of evaluations per walk and round."""
        work = self.space.workload
        routed = work.messages * work.iterations
        if self.for_bottleneck:
            messages_per_rerouted = 1 if self.space.hybrid.ports_per_node > 1 else _REROUTED
            routed = -(-work.messages // messages_per_rerouted)  # the messages of all iterations are merged
        return max(4, MESSAGES_IN_A_ROUND // routed)

    def first(self, seed: int, stream: int, start: Candidate | None) -> State:
        """Return the initial state of a walk."""
        initial = start or self.starts[stream % len(self.starts)]
        kind = self.kinds[stream]
        return _NATIVE[type(kind)](_task(self), seed, stream, list(initial), **asdict(kind)).state()

    def searcher(self, stream: int, state: State) -> Walk:
        """Return the walk with a saved state.

        Raises
        ------
        InputError
            If the state is damaged.
        """
        kind = self.kinds[stream]
        try:
            return _NATIVE[type(kind)].restored(_task(self), state, **asdict(kind))
        except (ValueError, TypeError) as error:
            raise state_error(error) from error

    def score(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the score of a candidate."""
        return self.objective.point(self.space.design(candidate))

    def takes_best(self, stream: int) -> bool:
        """Whether a walk is offered the best design at every exchange: never, so that walks stay diverse."""
        return False


@lru_cache(maxsize=8)
def _task(setup: CircuitSearchers) -> _native.HybridTask:
    hybrid = setup.space.hybrid
    network = native_network(hybrid, setup.space.site, setup.space.messages)
    return _native.HybridTask(
        hybrid.groups,
        hybrid.nodes_per_group,
        list(network.rates),
        list(network.costs),
        network.units,
        *(_merged_messages(setup.space) if setup.for_bottleneck else _messages(setup.space)),
        [] if setup.for_bottleneck else network.begin_ticks.tolist(),
        [_native.hybrid_metric_names().index(metric) for metric in setup.objective.score_names],
        hybrid.ports_per_node,
        setup.space.max_circuits,
        setup.space.placement == "free",
        network.packet_ways,
    )


# Sources, destinations, bits, and dependencies of messages.
_Messages = tuple[list[int], list[int], list[float], list[int], list[int]]


def _messages(space: Assignments) -> _Messages:
    messages = space.messages
    return (
        messages.source.tolist(),
        messages.destination.tolist(),
        (8.0 * messages.length_bytes).tolist(),
        messages.dependency_start.tolist(),
        messages.dependency.tolist(),
    )


def _merged_messages(space: Assignments) -> _Messages:
    """Return one message per pair of communicating processes, with the sum of its bits."""
    sent = bits_between(space.hybrid, space.messages)
    source, destination = np.nonzero(sent)
    bits = sent[source, destination].astype(float).tolist()
    return source.tolist(), destination.tolist(), bits, [0] * (len(bits) + 1), []
