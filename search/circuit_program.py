"""Circuits by programs: local search and an integer program whose solutions the model judges."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models import Circuits, HybridNetwork, MessageList, Placement
from isoplane.models.checks import check_bool, exact_number

from .circuit_strategies import RULES, CircuitTask, circuit_task
from .programs import Assignment, assign_circuits
from .programs.solvers import chosen
from .space import Candidate
from .strategy import Round, Task


@dataclass(frozen=True)
class _Call:
    """One placement whose circuits are asked for; picklable, so that any fleet can answer."""

    hybrid: HybridNetwork
    messages: MessageList
    circuits: int
    placement: Placement
    start: tuple[Circuits, ...]
    solver: str
    seconds: float
    seed: int
    log: bool


def _answer(call: _Call) -> Assignment:
    return assign_circuits(
        call.hybrid,
        call.messages,
        call.circuits,
        call.placement,
        solver=call.solver,
        seconds=call.seconds,
        seed=call.seed,
        start=call.start,
        log=call.log,
    )


@dataclass(frozen=True)
class ProgramCircuits:
    """The shortest bottleneck time, then the shortest total, with a proof or a bound: `assign_circuits`.

    Each placement that the space begins with gets circuits of its own. What is proven holds for spaces with one
    placement; for the objective ``bottleneck`` a proven total makes the design optimal.

    Parameters
    ----------
    solver
        ``cp_sat``, ``highs`` or ``gurobi``.
    seconds
        For each placement; then the best circuits so far count.
    log
        Whether solvers tell what they do.

    Raises
    ------
    InputError
        If a solver is unknown or a value out of range.

    References
    ----------
    `isoplane.search.programs`.

    Examples
    --------
    >>> ProgramCircuits().name
    'program'
    """

    solver: str = "cp_sat"
    seconds: float = 20
    log: bool = False

    def __post_init__(self) -> None:
        chosen(self.solver)
        exact_number("strategy.seconds", self.seconds, above=True)
        check_bool("strategy.log", self.log)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "program"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield a round for the rules, then one for every placement whose circuits are assigned.

        While programs are solved the round before is repeated. The first round of all tells what the rules make.
        """
        circuits = circuit_task(task, self.name)
        found = [_candidate(call.placement, known) for call in self._calls(circuits) for known in call.start]
        yield Round(len(found), tuple(found))
        evaluations = len(found)
        for ended in task.fleet.map(_answer, self._calls(circuits)):
            if ended is None:
                yield Round(evaluations, tuple(found))
                continue
            index, answer = ended
            evaluations += 1
            found.append(_candidate(circuits.space.placements[index], answer.circuits))
            yield _round(evaluations, found, circuits, answer)

    def _calls(self, task: CircuitTask) -> list[_Call]:
        space = task.space
        calls = []
        for placement in space.placements:
            rules = (RULES[name](space.hybrid, space.workload, placement, space.most)[-1] for name in RULES)
            known = tuple(dict.fromkeys(rules))
            settings = (self.solver, self.seconds, task.seed, self.log)
            calls.append(_Call(space.hybrid, space.messages, space.most, placement, known, *settings))
        return calls


def _candidate(placement: Placement, circuits: Circuits) -> Candidate:
    return (*placement.nodes, *(node for pair in circuits.pairs for node in pair))


def _round(evaluations: int, found: list[Candidate], task: CircuitTask, answer: Assignment) -> Round:
    """Return the round of an answer, with what it proves of the whole space."""
    space, components = task.space, task.objective.components
    if space.placement == "free":
        return Round(evaluations, tuple(found))
    complete = answer.total_optimal and components == ("bottleneck", "total")
    bound = tuple(None if name == "total" else answer.bound_ns for name in components)
    return Round(evaluations, tuple(found), complete=complete, bound=None if complete else bound)
