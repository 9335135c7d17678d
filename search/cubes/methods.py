"""How connection sets are searched: searchers, starting designs, and default strategies."""

from collections.abc import Generator, Sequence
from dataclasses import replace

from isoplane.objectives import Lexicographic, SimulatedTimes

from ..core.methods import Methods
from ..core.searchers import SearcherSetup
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal
from ..strategies.enumerate import Enumerate, may_enumerate
from ..strategies.pareto import Pareto
from ..strategies.portfolio import Portfolio
from .all_bases import AllBases
from .exact import Exact
from .level_searchers import level_walks
from .searchers import basis_searchers
from .space import ConnectionSets
from .workload_space import WorkloadConnectionSets
from .workload_starts import ASPL_AND_TRAFFIC, start_rounds

# Up to these values of n, an exact search takes at most 15 s on one core, half of the default time limit; for larger n,
# from half a minute to hours: see docs/algorithms.md. If the score depends on cables, sums and loads prune little.
EXACT_MAX_N = 8
EXACT_MAX_N_WITH_CABLES = 7
# The best folded cubes are among the less symmetric ones; tempering is the fastest at finding cheap cables.
PLAIN = ("anneal", "structured", "neighbourhood", "anneal", "anneal", "structured", "neighbourhood", "anneal")
FOLDED = ("neighbourhood", "anneal", "neighbourhood", "anneal", "neighbourhood", "anneal", "structured", "anneal")
CABLES = ("anneal", "neighbourhood", "temper", "neighbourhood", "anneal", "temper", "neighbourhood", "temper")
# Annealing chains with odd indices also begin at quasi-cyclic bases; in the largest cubes a cycle from a random basis
# is too long for a short run, and the tables of large-neighbourhood walks outgrow the caches.
MIN_LARGE_N = 15
LARGE = ("structured", "anneal")


class BasisMethods(Methods[ConnectionSets]):
    """Methods for connection sets without a workload."""

    searches = ConnectionSets

    def searchers(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> SearcherSetup | None:
        """Return annealing chains, parallel tempering and large-neighbourhood walks."""
        return basis_searchers(self.space, self.space.fitted(objective), settings)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return the kinds of chains of a portfolio, as chosen by measurement."""
        if self.space.fitted(objective).needs_layout:
            return CABLES
        if self.space.n >= MIN_LARGE_N:
            return LARGE
        return FOLDED if self.space.folded else PLAIN

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return exact search if it takes seconds; else Pareto chains for a front, and a portfolio for a score.

        Exact search takes seconds for n <= 7, and for n = 8 unless the first component of the score, or a metric of the
        front, depends on cables.
        """
        fitted = self.space.fitted(objective)
        if self.space.n <= (EXACT_MAX_N_WITH_CABLES if fitted.needs_layout else EXACT_MAX_N):
            return Exact()
        return Portfolio() if fitted.front is None else Pareto()


class WorkloadBasisMethods(Methods[WorkloadConnectionSets]):
    """Methods for connection sets under a workload."""

    searches = WorkloadConnectionSets

    def candidates(self, objective: Lexicographic) -> AllBases | None:
        """Return all bases; None if a simulation judges them, because that takes seconds each."""
        fitted = self.space.fitted(objective)
        return None if isinstance(fitted.evaluator, SimulatedTimes) else AllBases(self.space, fitted)

    def searchers(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> SearcherSetup | None:
        """Return annealing walks.

        Raises
        ------
        InputError
            If a parameter does not apply to them.
        """
        return level_walks(self.space, self.space.fitted(objective), settings, starts)

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind under a workload."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return enumeration if it takes at most about 15 s, else annealing."""
        return Enumerate() if may_enumerate(self.space, objective) else Anneal()

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield the identical planes, then also the design with the best product of ASPL and load."""
        sets = self.space.sets
        by_distances = BasisMethods(sets).default_strategy(sets.fitted(ASPL_AND_TRAFFIC))
        yield from start_rounds(sets, by_distances, task, replayed)

    def with_proof(
        self,
        rounds: Generator[Round, None, None],
        task: Task,
        setup: SearcherSetup,
        starts: tuple[Candidate, ...],
    ) -> Generator[Round, None, None]:
        """Yield the rounds of walks; if a simulation judges their designs, with one design to judge in each."""
        is_judged = isinstance(task.objective.evaluator, SimulatedTimes)
        yield from judged_rounds(rounds, starts) if is_judged else rounds


def judged_rounds(rounds: Generator[Round, None, None], starts: tuple[Candidate, ...]) -> Generator[Round, None, None]:
    """Yield rounds with at most one design each: the newest that has not been yielded, by the walks in turn.

    Parameters
    ----------
    rounds
        Rounds with the designs that walks keep. A round with as many evaluations as the last one repeats it.
    starts
        Designs that have been judged.
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
            waiting += [*new[:turn], *new[turn + 1 :], new[turn]]
        yield replace(round_, designs=(waiting.pop(),) if waiting else ())
