"""Strategies for circuit assignments: rules, and annealing from the best of them."""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from threading import Event

from isoplane.fleet.threads import MOMENT_S
from isoplane.models import Circuits, Hybrid, InputError, Placement
from isoplane.models.checks import check_int
from isoplane.models.workloads import Workload

from ..chains import run_chains
from ..programs.statement import Left
from ..space import Candidate
from ..strategy import Round, Task
from ..temperatures import take_number, take_range
from . import rules as circuit_rules
from .assignments import Assignments, candidate_of
from .balanced import balanced
from .proof import with_proof
from .searchers import BottleneckAnnealing, CircuitAnnealing, CircuitSearchers, Kind
from .task import CircuitTask, circuit_task

Rule = Callable[[Hybrid, Workload, Placement, int], list[Circuits]]

# Those that need no clock, the quickest first: a matching of hundreds of nodes with several ports takes seconds.
QUICK: dict[str, Rule] = {
    "round_robin": lambda *problem: [circuit_rules.round_robin(*problem)],
    "greedy": circuit_rules.greedy,
    "matching": lambda *problem: [circuit_rules.matching(*problem)],
}
BALANCED = "balanced"
ROUNDS_BEFORE_PROOF = 8  # of walks: some seconds, so that a short search is not spent on its bound
RULES = (*QUICK, BALANCED)


@dataclass(frozen=True)
class CircuitRule:
    """Circuits by a rule, for every placement that the space begins with.

    Parameters
    ----------
    rule
        ``round_robin``, the rule of the paper; ``matching``; ``greedy``, of whose growing sets the best counts; or
        ``balanced``, a short search for the bottleneck alone.

    Raises
    ------
    InputError
        If the rule is unknown.

    References
    ----------
    `isoplane.search.circuits.rules`, `isoplane.search.circuits.balanced`.

    Examples
    --------
    >>> CircuitRule("round_robin").name
    'round_robin'
    """

    rule: str

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise InputError(f"strategy.rule={self.rule}: allowed are {', '.join(RULES)}")

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return self.rule

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield one round for every set of circuits and placement."""
        candidates = rule_candidates(circuit_task(task, self.name).space, self.rule)
        candidates += [] if task.start is None else [task.start]
        for evaluations, candidate in enumerate(candidates, 1):
            yield Round(evaluations, (candidate,))


def rule_candidates(space: Assignments, rule: str, left: Left = lambda: inf) -> list[Candidate]:
    """Return the candidates that a rule makes; one that takes time ends early once `left` tells that there is none."""

    def balance(hybrid: Hybrid, workload: Workload, placement: Placement, circuits: int) -> list[Circuits]:
        return [balanced(hybrid, workload, placement, circuits, left)]

    make = balance if rule == BALANCED else QUICK[rule]
    return [
        candidate_of(circuits, placement)
        for placement in space.placements
        for circuits in make(space.hybrid, space.workload, placement, space.most)
    ]


@dataclass(frozen=True)
class AnnealCircuits:
    """All rules, then annealing walks over circuits, and over placements where they are free; each in legs that grow.

    After a few rounds of the walks programs are asked once for a lower bound of the bottleneck time, where the
    placement stays (`prove_bound`): with a fixed effort, for some seconds in which the walks wait.

    A move takes an end of a circuit to another node of its group or to any free port, lets two circuits exchange ends,
    adds or removes a circuit, joins both ends of a message, gives the circuits of two groups anew, or lets two
    processes change places. It is accepted with probability min(1, exp(-ΔE / T)). E is the first component of the score
    plus 0.02 of each later one plus 0.2 of the 8-norm of the times that links and circuits are busy, each relative to
    the start of the walk. A leg draws its temperature log-uniformly from [coolest, hottest] and falls from there by
    `fall`; every second leg begins at the best design of its walk.

    Where the bottleneck time is minimised, then the total, and the placement stays, E is the sum of the 8th powers of
    the busy times of links and circuits (of the 24th in every second walk), relative to the least bottleneck time so
    far; T falls from 0.4 to 0.02 in every leg, half of the moves begin at a busiest link, and only what a move concerns
    is routed anew. `coolest`, `hottest` and `fall` are not used then.

    Parameters
    ----------
    chains
        How many walks, whatever the number of workers. They begin at the designs of the rules in turn.
    coolest, hottest
        Range of the temperature at which a leg begins.
    fall
        A leg ends at its temperature divided by this.
    first_leg
        Evaluations of the first leg.
    growth
        Legs are longer by this factor, one after the other.

    Raises
    ------
    InputError
        If a parameter is out of range.

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi, Optimization by Simulated Annealing, 1983.

    Examples
    --------
    >>> AnnealCircuits().name
    'anneal_circuits'
    """

    chains: int = 4
    coolest: float = 0.002
    hottest: float = 0.2
    fall: float = 20.0
    first_leg: int = 2000
    growth: float = 1.2

    def __post_init__(self) -> None:
        check_int("strategy.chains", self.chains, 1, 1024)
        check_int("strategy.first_leg", self.first_leg, 16)
        take_range(self, "coolest", "hottest")
        for name in ("fall", "growth"):
            take_number(self, name, 1)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "anneal_circuits"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield what the rules make, whatever the evaluations; then advance all walks by the same number of them."""
        circuits = circuit_task(task, self.name)
        judged = Round(0, ())
        with closing(rule_rounds(circuits, replayed=task.checkpoint.load(self.name) is not None)) as judging:
            for judged in judging:
                yield judged
        if task.evaluations is not None:
            circuits = replace(circuits, evaluations=max(0, task.evaluations - judged.evaluations))
        setup = self.setup(circuits, judged.designs)
        walks, before = run_chains(setup, circuits, self.name), ROUNDS_BEFORE_PROOF * setup.share * self.chains
        with closing(with_proof(walks, circuits, judged.designs, before)) as rounds:
            for round_ in rounds:
                yield replace(round_, evaluations=judged.evaluations + round_.evaluations)

    def setup(self, task: CircuitTask, starts: tuple[Candidate, ...]) -> CircuitSearchers:
        """Return what all walks of a search have in common."""
        return CircuitSearchers(task.space, task.objective, (self._kind(task),) * self.chains, starts)

    def _kind(self, task: CircuitTask) -> Kind:
        components = task.objective.components
        if task.space.placement != "free" and components == ("bottleneck", "total")[: len(components)]:
            return BottleneckAnnealing(self.first_leg, self.growth)
        return CircuitAnnealing(self.coolest, self.hottest, self.fall, self.first_leg, self.growth)


def rule_rounds(task: CircuitTask, replayed: bool = False) -> Generator[Round, None, None]:
    """Yield what the task begins with and a quick rule makes, then the same with what each further rule makes.

    These are the best of each rule for every placement, the best first. While a rule takes its time, rounds without
    designs are yielded; whoever closes the generator ends it.
    """
    given = [] if task.start is None else [task.start]
    best, spent, yielded = [each for each in _best(task, given) if each], len(given), False
    for rule in QUICK:
        made = rule_candidates(task.space, rule)
        for judged in _best(task, made):
            if judged is not None:
                best.append(judged)
            elif yielded:  # a design of 128 nodes that all send to all takes seconds
                yield Round(spent, (), replayed=replayed)
        spent, yielded = spent + len(made), True
        yield Round(spent, _in_order(best), replayed=replayed)
    with closing(_balanced(task.space)) as balancing:
        for found in balancing:
            if found is None:
                yield Round(spent, (), replayed=replayed)
            else:
                best += [each for each in _best(task, found) if each]
                yield Round(spent + len(found), _in_order(best), replayed=replayed)


_Judged = tuple[tuple[int, ...], Candidate]


def _best(task: CircuitTask, candidates: list[Candidate]) -> Iterator[_Judged | None]:
    """Yield None after each of some candidates, then the best of them for each placement, with its score."""
    best: dict[tuple[int, ...], _Judged] = {}
    for candidate in candidates:
        scored = task.objective.point(task.space.design(candidate)), candidate
        placed = candidate[: task.space.hybrid.nodes]
        best[placed] = min(best.get(placed, scored), scored)
        yield None
    yield from best.values()


def _in_order(judged: list[_Judged]) -> tuple[Candidate, ...]:
    return tuple(dict.fromkeys(candidate for _, candidate in sorted(judged)))


def _balanced(space: Assignments) -> Generator[list[Candidate] | None, None, None]:
    """Yield None again and again while circuits are balanced, then what came out; closing this ends it early."""
    closed = Event()
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(rule_candidates, space, BALANCED, lambda: -inf if closed.is_set() else inf)
        try:
            while wait([made], MOMENT_S).not_done:
                yield None
            yield made.result()
        finally:
            closed.set()
