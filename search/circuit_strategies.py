"""Strategies for circuit assignments: rules, annealing, and the best of all."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace

from isoplane.models import Circuits, HybridNetwork, InputError, Placement
from isoplane.models.checks import check_int
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import HybridObjective

from . import circuit_rules
from .assignments import Assignments, candidate_of
from .balanced_circuits import balanced
from .chains import run_chains
from .circuit_course import CircuitAnnealing, CircuitCourse
from .space import Candidate
from .strategy import Round, Task
from .temperatures import take_number, take_range

Rule = Callable[[HybridNetwork, Workload, Placement, int], list[Circuits]]

RULES: dict[str, Rule] = {
    "round_robin": lambda *problem: [circuit_rules.round_robin(*problem)],
    "matching": lambda *problem: [circuit_rules.matching(*problem)],
    "greedy": circuit_rules.greedy,
    "balanced": lambda *problem: [balanced(*problem)],
}
QUICK = ("round_robin", "matching", "greedy")  # rules that take no time


@dataclass(frozen=True)
class CircuitTask(Task):
    """A task whose space is one of circuit assignments."""

    space: Assignments
    objective: HybridObjective


def circuit_task(task: Task, name: str) -> CircuitTask:
    """Return a task as one of circuit assignments.

    Raises
    ------
    InputError
        If its space is another one, naming the strategy that was asked for it.
    """
    if not isinstance(task.space, Assignments) or not isinstance(task.objective, HybridObjective):
        family = task.space.baseline.network.family
        raise InputError(f"strategy={name}: assigns circuits of hybrid networks; allowed for {family} are others")
    return CircuitTask(**vars(task))


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
    `isoplane.search.circuit_rules`, `isoplane.search.balanced_circuits`.

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


def rule_candidates(space: Assignments, rule: str) -> list[Candidate]:
    """Return the candidates that a rule makes."""
    return [
        candidate_of(circuits, placement)
        for placement in space.placements
        for circuits in RULES[rule](space.hybrid, space.workload, placement, space.most)
    ]


@dataclass(frozen=True)
class AnnealCircuits:
    """Independent annealing walks over circuits, and over placements where they are free; each in legs that grow.

    A move takes an end of a circuit to another node of its group or to any free port, lets two circuits exchange ends,
    adds or removes a circuit, joins both ends of a message, gives the circuits of two groups anew, or lets two
    processes change places. It is accepted with probability min(1, exp(-ΔE / T)). E is the first component of the score
    plus 0.02 of each later one plus 0.2 of the 8-norm of the times that links and circuits are busy, each relative to
    the start of the walk. A leg draws its temperature log-uniformly from [coolest, hottest] and falls from there by
    `fall`; every second leg begins at the best design of its walk.

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
        """Advance all walks by the same number of evaluations in each round."""
        circuits = circuit_task(task, self.name)
        yield from run_chains(self.course(circuits, rule_starts(circuits)[0]), task, self.name)

    def course(self, task: CircuitTask, starts: tuple[Candidate, ...]) -> CircuitCourse:
        """Return what all walks of a search have in common."""
        kind = CircuitAnnealing(self.coolest, self.hottest, self.fall, self.first_leg, self.growth)
        return CircuitCourse(task.space, task.objective, (kind,) * self.chains, starts)


Judged = tuple[tuple[int, ...], Candidate]


def rule_starts(task: CircuitTask) -> tuple[tuple[Candidate, ...], int]:
    """Return the best design of each rule and placement, the best first, and how many were judged."""
    best, count = _judged(task, RULES)
    return _in_order(best), count


def _judged(task: CircuitTask, rules: Iterable[str]) -> tuple[list[Judged], int]:
    """Return the best design of each rule and placement with its score, and how many were judged."""
    best: dict[tuple[str, tuple[int, ...]], Judged] = {}
    nodes, count = task.space.hybrid.nodes, 0
    for rule in rules:
        for candidate in rule_candidates(task.space, rule):
            count += 1
            scored = task.objective.point(task.space.design(candidate)), candidate
            key = rule, candidate[:nodes]
            best[key] = min(best.get(key, scored), scored)
    return list(best.values()), count


def _in_order(judged: list[Judged]) -> tuple[Candidate, ...]:
    return tuple(dict.fromkeys(candidate for _, candidate in sorted(judged)))


@dataclass(frozen=True)
class BestAssignment:
    """The default for hybrid networks: all rules, then annealing from the best designs of the rules.

    Examples
    --------
    >>> BestAssignment().name
    'best_assignment'
    """

    anneal: AnnealCircuits = field(default_factory=AnnealCircuits)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "best_assignment"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield what the rules make, all of it whatever the evaluations, then what annealing makes of that."""
        circuits, known = circuit_task(task, self.name), task.journal.load(self.name) is not None
        best, spent = _judged(circuits, QUICK)
        yield Round(spent, _in_order(best), known=known)  # soon: the other rules take seconds
        others, more = _judged(circuits, [rule for rule in RULES if rule not in QUICK])
        starts, spent = _in_order([*best, *others]), spent + more
        yield Round(spent, starts, known=known)
        if task.evaluations is not None:
            circuits = replace(circuits, evaluations=max(0, task.evaluations - spent))
        for round_ in run_chains(self.anneal.course(circuits, starts), circuits, self.name):
            yield replace(round_, evaluations=spent + round_.evaluations)
