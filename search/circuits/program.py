"""Circuits by programs: local search and an integer program whose solutions the model judges."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event

from isoplane.models import Circuits, Hybrid, InputError, MessageList, Placement
from isoplane.models.checks import check_bool, exact_number
from isoplane.objectives.fluid import WorkloadObjective

from ..programs import Assignment, SolverHandle, assign_circuits
from ..programs.solvers import chosen
from ..space import Candidate
from ..strategy import Round, Task, require_space
from .assignments import Assignments
from .candidates import candidate_of
from .proof import proof_round, set_after
from .rule_rounds import QUICK


@dataclass(frozen=True)
class _Call:
    """One placement whose circuits are asked for; picklable, so that any fleet can answer.

    Threads of this process see what is found meanwhile, and end all calls together; other processes are ended by their
    fleet.
    """

    hybrid: Hybrid
    messages: MessageList
    circuits: int
    placement: Placement
    start: tuple[Circuits, ...]
    solver: str
    seconds: float
    seed: int
    log: bool
    running: SolverHandle


@dataclass(frozen=True)
class _Answer:
    """The circuits of a placement, all that were the best on the way to them, and who was asked for them."""

    assignment: Assignment
    found: list[Circuits]
    solvers: list[str]


def _answer(call: _Call) -> _Answer:
    """Return the answer; what goes wrong ends the other calls: a fleet that fails waits for them."""
    try:
        assignment = assign_circuits(
            call.hybrid,
            call.messages,
            call.circuits,
            call.placement,
            solver=call.solver,
            seconds=call.seconds,
            seed=call.seed,
            start=call.start,
            log=call.log,
            running=call.running,
        )
    except BaseException:
        call.running.end()
        raise
    return _Answer(assignment, call.running.found, call.running.solvers)


@dataclass(frozen=True)
class ProgramCircuits:
    """The shortest bottleneck time, then the shortest total, with a proof or a bound: `assign_circuits`.

    Objectives that begin with another time are refused: their bottleneck time is a lower bound only. Each placement
    that the space begins with gets circuits of its own. What is proven holds for spaces with one placement; there a
    proven total makes the design optimal where all times are whole ns. A result repeats where every placement is
    settled before its time is over.

    Parameters
    ----------
    solver
        ``cp_sat``, ``highs`` or ``gurobi``.
    seconds
        For each placement; then the best circuits so far count. A stop ends programs before that.
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

        Between them there is one for all circuits that are the best of their placement for a while, and rounds without
        designs while there are none. Whoever closes the generator ends all programs within a moment.

        Raises
        ------
        InputError
            If the space is none of circuits, or the objective does not begin with the bottleneck time.
        """
        space, stop = require_space(task, Assignments, self.name), Event()
        _require_bottleneck(space.fitted(task.objective))
        calls = self._calls(task, space, stop)
        found = [candidate_of(known, call.placement) for call in calls for known in call.start]
        found += [] if task.start is None else [task.start]
        evaluations = len(found)
        yield Round(evaluations, tuple(found))
        told = [_Told(call) for call in calls]
        with closing(task.fleet.map(_answer, calls)) as answers, set_after(stop):  # in this order: the first one waits
            for ended in answers:
                for one in told:
                    yield from (Round(evaluations, (new,)) for new in one.news(one.call.running.found))
                if ended is None:
                    yield Round(evaluations, (), solver=_solver(told))
                    continue
                index, answer = ended
                yield from (Round(evaluations, (new,)) for new in told[index].news(answer.found))
                evaluations += 1
                told[index].solvers = answer.solvers
                found_by = proof_round(evaluations, calls[index].placement, space, task.objective, answer.assignment)
                yield replace(found_by, solver=_solver(told))

    def _calls(self, task: Task, space: Assignments, stop: Event) -> list[_Call]:
        calls = []
        for placement in space.placements:
            rules = (make(space.hybrid, space.workload, placement, space.most)[-1] for make in QUICK.values())
            known = tuple(dict.fromkeys([*rules, *_known(space, task.start, placement)]))
            settings = (self.solver, self.seconds, task.seed, self.log, SolverHandle(stop))
            calls.append(_Call(space.hybrid, space.messages, space.most, placement, known, *settings))
        return calls


def _require_bottleneck(objective: WorkloadObjective) -> None:
    """Make sure that what programs minimise is what is asked for, not a lower bound of it.

    Raises
    ------
    InputError
        If it is not: circuits with the shortest bottleneck time can be far from the shortest completion.
    """
    if objective.components[0] != "bottleneck":
        raise InputError(
            f"strategy=program: objective={objective.name} is not what programs minimise, which is the bottleneck "
            "time; expected objective=bottleneck, or strategy=auto, which has programs prove a bound of completion"
        )


class _Told:
    """How much of what a call finds has been told."""

    def __init__(self, call: _Call) -> None:
        self.call = call
        self.solvers = call.running.solvers
        self._count = 0

    def news(self, found: list[Circuits]) -> list[Candidate]:
        """Return what was found since this was asked last, in the order in which it was found."""
        new = found[self._count :]
        self._count += len(new)
        return [candidate_of(circuits, self.call.placement) for circuits in new]


def _solver(told: list[_Told]) -> str | None:
    """Return who has solved programs so far, as records tell it."""
    return "+".join(dict.fromkeys(name for one in told for name in one.solvers)) or None


def _known(space: Assignments, start: Candidate | None, placement: Placement) -> list[Circuits]:
    """Return the circuits that the search was given, if they are for this placement."""
    if start is None:
        return []
    circuits, there = space.design(start).assigned
    return [circuits] if circuits and there == placement else []
