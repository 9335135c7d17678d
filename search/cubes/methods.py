"""How connection sets are searched: chains, starting designs, and default strategies."""

from collections.abc import Generator, Sequence
from dataclasses import replace

from isoplane.objectives import Lexicographic, SimulatedTimes
from isoplane.objectives.scoring.metric_scopes import needing

from ..core.chain_setup import ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal
from ..strategies.enumerate import Enumerate, may_enumerate
from ..strategies.pareto import Pareto
from ..strategies.portfolio import Portfolio
from .all_bases import AllBases
from .basis_chains import basis_chains
from .cache_misses import metrics_in
from .exact_search import Exact
from .judged_bases import JudgedBases
from .level_chains import level_chains
from .space import ConnectionSets
from .workload_starts import ASPL_AND_TRAFFIC, start_rounds

# Up to these values of n, an exact search takes at most 15 s on one core, half of the default time limit; for larger n,
# from half a minute to hours: see docs/algorithms.md. Where cables decide, sums and loads prune little.
EXACT_MAX_N = 8
EXACT_MAX_N_WITH_CABLES = 7
# Where longer cables may be better, or a function decides, every order of coordinates is visited.
EXACT_MAX_N_WITHOUT_BOUNDS = 6
EXACT_MAX_N_OF_FUNCTION = 5
EXACT_MAX_N_WITH_RACKS = 6  # whose losses are searched for most orders
# The best folded cubes are among the less symmetric ones; tempering is the fastest at finding cheap cables.
PLAIN = ("anneal", "structured", "neighbourhood", "anneal", "anneal", "structured", "neighbourhood", "anneal")
FOLDED = ("neighbourhood", "anneal", "neighbourhood", "anneal", "neighbourhood", "anneal", "structured", "anneal")
CABLES = ("anneal", "neighbourhood", "temper", "neighbourhood", "anneal", "temper", "neighbourhood", "temper")
# Annealing chains with odd indices also begin at quasi-cyclic bases; in the largest cubes a cycle from a random basis
# is too long for a short run, and the tables of large-neighbourhood walks outgrow the caches.
MIN_LARGE_N = 15
LARGE = ("structured", "anneal")


class BasisMethods(Methods[ConnectionSets]):
    """Methods for the space `ConnectionSets`, with or without a workload."""

    searches = ConnectionSets

    def candidates(self, objective: Lexicographic) -> AllBases | JudgedBases | None:
        """Return all bases; None for a front, and if a simulation ranks designs, because that takes seconds each."""
        fitted = self.space.fitted(objective)
        if self.space.workload is None and fitted.front is None:
            return JudgedBases(self.space, fitted)
        enumerable = self.space.workload is not None and not isinstance(fitted.evaluator, SimulatedTimes)
        return AllBases(self.space, fitted) if enumerable else None

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[ConnectionSets] | None:
        """Return annealing chains, parallel tempering and large-neighbourhood walks; annealing walks for a workload.

        Raises
        ------
        InputError
            If a parameter does not apply to walks under a workload.
        """
        fitted = self.space.fitted(objective)
        if self.space.workload is None:
            return basis_chains(self.space, fitted, settings)
        return level_chains(self.space, fitted, settings, starts)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return the kinds of chains of a portfolio, as chosen by measurement; only annealing under a workload."""
        if self.space.workload is not None:
            return ("anneal",)
        if self.space.fitted(objective).needs_layout:
            return CABLES
        if self.space.n >= MIN_LARGE_N:
            return LARGE
        return FOLDED if self.space.folded else PLAIN

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return exact search if it takes seconds; else Pareto chains for a front, and a portfolio for a score.

        Exact search takes seconds for n <= 7, and for n = 8 unless the first component of the score, a limit or a
        metric of the front depends on cables; if one does, and in some component or limit more may be better, only
        for n <= 6, as after the loss of a rack; for a function for n <= 5. Under a workload, return enumeration if it
        takes at most about 15 s, else annealing; where caches miss, enumeration or heuristics, too.
        """
        if self.space.workload is not None:
            return Enumerate() if may_enumerate(self.space, objective) else Anneal()
        fitted = self.space.fitted(objective)
        if self.space.is_judged(fitted):
            heuristic = Portfolio() if fitted.front is None else Pareto()
            return Enumerate() if may_enumerate(self.space, objective) else heuristic
        if self.space.n <= _exact_max_n(fitted):
            return Exact()
        return Portfolio() if fitted.front is None else Pareto()

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield, under a workload, the identical planes, then also the design with the best product of ASPL and load.

        Without a workload the chains begin at bases of their own.
        """
        if self.space.workload is not None:
            sets = self.space.with_workload(None)
            by_distances = BasisMethods(sets).default_strategy(sets.fitted(ASPL_AND_TRAFFIC))
            yield from start_rounds(sets, by_distances, task, replayed)

    def interleaved(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: ChainSetup[ConnectionSets],
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of walks; if a simulation ranks their designs, with one design to simulate in each."""
        is_simulated = isinstance(task.objective.evaluator, SimulatedTimes)
        yield from rounds_to_simulate(rounds, starts) if is_simulated else rounds


def _exact_max_n(objective: Lexicographic) -> int:
    """Return the largest n for which exact search is the default."""
    if objective.functions:
        return EXACT_MAX_N_OF_FUNCTION
    if needing("racks", "cubes") & metrics_in(objective):
        return EXACT_MAX_N_WITH_RACKS
    if objective.needs_layout:
        return EXACT_MAX_N_WITH_CABLES if objective.is_monotone else EXACT_MAX_N_WITHOUT_BOUNDS
    return EXACT_MAX_N


def rounds_to_simulate(
    rounds: Generator[Round, None, None], starts: tuple[Candidate, ...]
) -> Generator[Round, None, None]:
    """Yield rounds with at most one design each: the newest that has not been yielded, by the walks in turn.

    Parameters
    ----------
    rounds
        Rounds with the designs that walks keep. A round with as many evaluations as the last one repeats it.
    starts
        Designs that have been simulated.
    """
    seen, waiting, evaluations, number = set(starts), list[Candidate](), -1, 0
    for round_ in rounds:
        if round_.evaluations == evaluations:
            yield replace(round_, designs=())
            continue
        evaluations, number = round_.evaluations, number + 1
        new = [design for design in dict.fromkeys(round_.designs) if design not in seen]
        seen.update(new)
        if new:
            turn = number % len(new)
            # A stack: the newest designs come first, and of these that of the walk whose turn it is.
            waiting += [*new[:turn], *new[turn + 1 :], new[turn]]
        yield replace(round_, designs=(waiting.pop(),) if waiting else ())
