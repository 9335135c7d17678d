"""Circuits by programs: local search and an integer program whose solutions the model judges."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models import Circuits, HybridNetwork, MessageList, Placement
from isoplane.models.checks import check_bool, exact_number

from .assignments import Assignments, candidate_of
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
    placement; for the objective ``bottleneck`` a proven total makes the design optimal where all times are whole ns. A
    result repeats where every placement is settled before its time is over.

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
    seconds: float = 10
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
        calls = self._calls(circuits)
        found = [candidate_of(known, call.placement) for call in calls for known in call.start]
        found += [] if task.start is None else [task.start]
        yield Round(len(found), tuple(found))
        evaluations = len(found)
        for ended in task.fleet.map(_answer, calls):
            if ended is None:
                yield Round(evaluations, tuple(found))
                continue
            index, answer = ended
            evaluations += 1
            found.append(candidate_of(answer.circuits, calls[index].placement))
            yield _round(evaluations, found, circuits, answer)

    def _calls(self, task: CircuitTask) -> list[_Call]:
        space = task.space
        calls = []
        for placement in space.placements:
            rules = (RULES[name](space.hybrid, space.workload, placement, space.most)[-1] for name in RULES)
            known = tuple(dict.fromkeys([*rules, *_known(task, placement)]))
            settings = (self.solver, self.seconds, task.seed, self.log)
            calls.append(_Call(space.hybrid, space.messages, space.most, placement, known, *settings))
        return calls


def _known(task: CircuitTask, placement: Placement) -> list[Circuits]:
    """Return the circuits that the search was given, if they are for this placement."""
    if task.start is None:
        return []
    circuits, there = task.space.design(task.start).assigned
    return [circuits] if circuits and there == placement else []


def _whole_times(space: Assignments) -> bool:
    """Whether all times are whole ns, so that what is shortest in exact times is so in scores as well."""
    hybrid, bits = space.hybrid, 8 * space.workload.length_bytes
    return all((length / rate).denominator == 1 for rate in hybrid.rates_gbps for length in set(bits.tolist()))


def _round(evaluations: int, found: list[Candidate], task: CircuitTask, answer: Assignment) -> Round:
    """Return the round of an answer, with what it proves of the whole space."""
    space, components = task.space, task.objective.components
    if space.placement == "free":
        return Round(evaluations, tuple(found))
    complete = answer.total_optimal and components == ("bottleneck", "total") and _whole_times(space)
    bound = tuple(None if name == "total" else answer.bound_ns for name in components)
    return Round(evaluations, tuple(found), complete=complete, bound=None if complete else bound)
