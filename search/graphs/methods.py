"""How graphs are searched: annealing walks over regular graphs, plain and with symmetries, and over host graphs."""

from collections.abc import Generator, Sequence
from functools import lru_cache

from isoplane.models import InputError
from isoplane.objectives import SWITCHES, Lexicographic

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal, walk_kinds
from .constructions import best_construction
from .groups import groups_of
from .host_members import best_member, host_task
from .host_prices import price_rounds
from .host_space import HostGraphs, by_distances, by_price
from .measured import MEASURED, MESSAGES_SHARE, SHARE, hops_of_messages, measured_task, short_paths
from .placed import placed_task, racks_of
from .space import RACKS, RegularGraphs, is_measured

# Temperatures relative to the mean change by a move, and in hops; evaluations of the first cycles, and their growth.
SETTINGS = (("hottest", 0.2), ("coolest", 0.4), ("first_leg", 4000), ("growth", 1.5))
WALK = ChainKind("GraphAnnealing", "GraphWalk", SETTINGS)
PLACED_SETTINGS = (("hottest", 0.05), ("coolest", 0.0005), ("first_leg", 20_000), ("growth", 1.5))
GUIDES = 4  # of so many walks by cables or within limits, one searches graphs with symmetries for short distances
PLACED_WALK = ChainKind("PlacedAnnealing", "PlacedWalk", PLACED_SETTINGS)
HOST_WALK = ChainKind("HostAnnealing", "HostWalk", SETTINGS)
WORDS_IN_A_ROUND = 1 << 26  # of rows that a walk without symmetries reads in a round and hop: a fraction of a second
LEAST_RACK_SHARE = 16  # the same where each evaluation searches the graph once more for every rack
SHORT = Lexicographic("aspl", (("total_hops",),), SWITCHES)
LEAST_SHARE = 400  # evaluations of a round: of large graphs, a walk that is restored first computes all distances


class _GraphMethods(Methods[RegularGraphs]):
    """Methods for regular graphs."""

    searches = RegularGraphs

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[RegularGraphs] | None:
        """Return annealing walks; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to graphs.
        """
        space = self.space
        fitted = space.fitted(objective)
        symmetric, measured = space.has_symmetries(fitted), is_measured(fitted)
        kinds = walk_kinds(settings, MEASURED if measured else WALK if symmetric else PLACED_WALK, "graphs")
        if kinds is None:
            return None
        starts = starts or (space.candidate(space.baseline),)
        if measured:
            return ChainSetup(space, fitted, kinds, _measured, SHARE, starts)
        takers = frozenset[int]()
        if space.is_guided(fitted):
            guides = range(GUIDES - 1, len(kinds), GUIDES)
            kinds = tuple(WALK if stream in guides else kind for stream, kind in enumerate(kinds))
            takers = frozenset(range(len(kinds))) - set(guides)
        share = max(LEAST_SHARE, _share(space.family.switches, space.family.degree))
        if set(fitted.metrics) & set(RACKS):
            share = max(LEAST_RACK_SHARE, share // (int(racks_of(space.baseline.network)[-1]) + 1))
        arguments = _arguments if symmetric else _placed_arguments
        return ChainSetup(space, fitted, kinds, arguments, share, starts, takers=takers)

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield the best construction and the random graph, unless a search has a start of its own or others to vary.

        Places of switches and limits need no shortest paths to begin with. Walks that evaluate networks, which are
        slow, begin at the best graph of one by distances, or near the start.
        """
        space, objective = self.space, self.space.fitted(task.objective)
        measured = is_measured(objective)
        if task.start is not None and measured:
            yield Round(0, (task.start,), replayed=replayed)
        if task.start is not None or not (measured or space.has_symmetries(objective)):
            return
        baseline, family = space.candidate(space.baseline), space.family
        start = best_construction(space, SHORT if measured else objective, task.seed)
        if start is not None or measured:
            yield Round(0, (start or baseline, baseline), replayed=replayed)
        if measured:
            graphs, share = _graph_task(space, SHORT), _share(family.switches, family.degree)
            yield from short_paths(WALK, graphs, share, start or baseline, task.seed, replayed)
        if space.workload is not None:
            near = _native.MeasuredGraphTask(*_as_hosts(space, baseline), hops_of_messages(space))
            yield from short_paths(MEASURED, near, MESSAGES_SHARE, baseline, task.seed, replayed)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind for graphs."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return annealing with walks for each of two cores, more of them where some search for short distances."""
        return Anneal(chains=GUIDES if self.space.is_guided(self.space.fitted(objective)) else 2)


class _HostMethods(Methods[HostGraphs]):
    """Methods for graphs of nodes and ports."""

    searches = HostGraphs

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[HostGraphs] | None:
        """Return annealing walks; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to graphs.
        """
        space, fitted = self.space, self.space.fitted(objective)
        measured = not (by_distances(fitted) or by_price(fitted))
        kinds = walk_kinds(settings, MEASURED if measured else HOST_WALK, "graphs")
        if kinds is None:
            return None
        starts = starts or (space.candidate(space.baseline),)
        if measured:
            return ChainSetup(space, fitted, kinds, _measured_hosts, SHARE, starts)
        return ChainSetup(space, fitted, kinds, _host_arguments, self._share, starts)

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield the best of the members of families, and the random graph, unless a search has a start of its own.

        Walks that evaluate networks, which are slow, begin at the best graph of one by distances, or near the start.
        """
        space, baseline = self.space, self.space.candidate(self.space.baseline)
        measured = not by_distances(task.objective)
        if task.start is not None:
            if measured:
                yield Round(0, (task.start,), replayed=replayed)
            return
        start = best_member(space, task.seed)
        if start is not None or measured:
            yield Round(0, (start or baseline, baseline), replayed=replayed)
        if measured:
            graphs = host_task(space, space.sizes)
            yield from short_paths(HOST_WALK, graphs, self._share, start or baseline, task.seed, replayed)

    @property
    def _share(self) -> int:
        """The evaluations of a round of walks by distances."""
        family = self.space.family
        return _share(self.space.candidate(self.space.baseline)[0], family.planes * family.ports)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind for graphs."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return annealing with one walk for each of two cores."""
        return Anneal(chains=2)

    def rounds(self, strategy: Strategy, task: Task) -> Generator[Round, None, None]:
        """Yield the rounds of walks for the shortest paths, or of a scan of numbers of switches and cables by price.

        Raises
        ------
        InputError
            If the objective is a price and the strategy is not annealing.
        """
        if not by_price(task.objective):
            yield from strategy.rounds(task)
            return
        kinds = walk_kinds((strategy,), HOST_WALK, "graphs by price")
        if kinds is None:
            raise InputError(
                f"strategy={strategy.name}: has no searchers for {task.space.subject} by price; expected anneal"
            )
        yield from price_rounds(self.space, task, dict(kinds[0].settings))


def _share(switches: int, cables: int) -> int:
    """Return the evaluations of a round for walks over graphs of some switches with so many cables each."""
    return max(4, min(1 << 14, WORDS_IN_A_ROUND // (switches * cables * -(-switches // 64))))


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[RegularGraphs]) -> tuple[_native.GraphTask]:
    return (_graph_task(setup.space, setup.objective),)


def _graph_task(space: RegularGraphs, objective: Lexicographic) -> _native.GraphTask:
    family = space.family
    groups = groups_of(family.switches, family.degree, space.symmetry)
    return _native.GraphTask(family.switches, family.degree, groups, "diameter" in objective.metrics[0])


@lru_cache(maxsize=8)
def _placed_arguments(setup: ChainSetup[RegularGraphs]) -> tuple[_native.PlacedTask]:
    graphs = _graph_task(setup.space, setup.objective)
    return (placed_task(setup.space.baseline.network, graphs, setup.objective),)


@lru_cache(maxsize=8)
def _measured(setup: ChainSetup[RegularGraphs]) -> tuple[_native.MeasuredGraphTask]:
    return (measured_task(setup.space, setup.objective, *_as_hosts(setup.space, setup.starts[0])),)


def _as_hosts(space: RegularGraphs, start: Candidate) -> tuple[_native.HostTask, list[int]]:
    """Return regular graphs as those of a host at every switch, and a start among them."""
    switches, cables = space.family.switches, space.family.cables
    hosts = _native.HostTask(switches, space.family.degree + 1, 1, cables, False, [switches])
    return hosts, [switches, *[1] * switches, cables, *start]


@lru_cache(maxsize=8)
def _measured_hosts(setup: ChainSetup[HostGraphs]) -> tuple[_native.MeasuredGraphTask]:
    hosts = host_task(setup.space, setup.space.sizes)
    return (measured_task(setup.space, setup.objective, hosts, list(setup.starts[0])),)


@lru_cache(maxsize=8)
def _host_arguments(setup: ChainSetup[HostGraphs]) -> tuple[_native.HostTask]:
    return (host_task(setup.space, setup.space.sizes),)
