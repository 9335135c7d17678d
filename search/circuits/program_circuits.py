"""Circuits by integer programming: local search, and a program whose solutions the model validates."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from threading import Event
from typing import ClassVar

from isoplane.models import Circuits, Hybrid, InputError, MessageList, Placement
from isoplane.models.checks import check_bool, exact_number
from isoplane.objectives import Lexicographic

from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task, require_space
from ..programs import CircuitSolution, SolverHandle, assign_circuits
from ..programs.solvers.solver import Solver
from .proof_rounds import proof_round, set_after
from .rule_rounds import QUICK
from .space import CircuitSpace, candidate_of


@dataclass(frozen=True)
class _Call:
    """The arguments of `assign_circuits` for one placement, by name; picklable, so that it can run on any fleet.

    Within this process the circuits found so far are visible, and all calls can be ended together; other processes are
    ended by their fleet.
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


# The circuits of a placement, the incumbents on the way to them, and the solvers used.
_Result = tuple[CircuitSolution, list[Circuits], list[str]]


def _run_call(call: _Call) -> _Result:
    """Return the result of a call; an error also ends the other calls, because a failing fleet waits for them."""
    try:
        solution = assign_circuits(**vars(call))
    except BaseException:
        call.running.end()
        raise
    return solution, call.running.found, call.running.solvers


@dataclass(frozen=True)
class ProgramCircuits(Strategy):
    """The shortest bottleneck time, then the shortest total, with a proof or a bound: see `assign_circuits`.

    Objectives with another first component are rejected: for them the bottleneck time is only a lower bound. Each
    placement of the space gets separate circuits. Proofs hold for spaces with one placement; there a proven total
    makes the design optimal if all times are whole ns. A result is reproducible if every placement is solved to
    optimality within its time limit.

    Parameters
    ----------
    solver
        ``cp_sat``, ``highs`` or ``gurobi``.
    seconds
        Time limit per placement, after which the best circuits so far are returned. A stop may end it earlier.
    log
        Whether solvers print their log.

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

    name: ClassVar[str] = "program"

    solver: str = "cp_sat"
    seconds: float = 10
    log: bool = False

    def __post_init__(self) -> None:
        Solver(self.solver)  # checks the name
        exact_number("strategy.seconds", self.seconds, above=True)
        check_bool("strategy.log", self.log)

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Yield a round for the rules, then one per placement once its circuits are assigned.

        In between, there is a round for each new incumbent of a placement, and there are rounds without designs while
        no incumbent is new. Closing the generator ends all solvers promptly.

        Raises
        ------
        InputError
            If the space is not one of circuits, or the first component of the objective is not the bottleneck time.
        """
        space, stop = require_space(task, CircuitSpace, self.name), Event()
        _require_bottleneck(space.fitted(task.objective))
        calls = self._calls(task, space, stop)
        candidates = [candidate_of(known, call.placement) for call in calls for known in call.start]
        candidates += [] if task.start is None else [task.start]
        evaluations = len(candidates)
        yield Round(evaluations, tuple(candidates))
        solvers, yielded = [call.running.solvers for call in calls], [0] * len(calls)

        def new_rounds(index: int, incumbents: list[Circuits]) -> Iterator[Round]:
            """Yield a round for each incumbent of a call since the last time."""
            first, yielded[index] = yielded[index], max(yielded[index], len(incumbents))
            for circuits in incumbents[first:]:
                yield Round(evaluations, (candidate_of(circuits, calls[index].placement),))

        with (
            closing(task.fleet.map(_run_call, calls)) as results,
            set_after(stop),
        ):  # set first, because closing waits for the calls
            for indexed in results:
                for index, call in enumerate(calls):
                    yield from new_rounds(index, call.running.found)
                if indexed is None:
                    yield Round(evaluations, (), solver=_joined(solvers))
                    continue
                index, (solution, incumbents, solvers[index]) = indexed
                yield from new_rounds(index, incumbents)
                evaluations += 1
                proven = proof_round(evaluations, calls[index].placement, space, task.objective, solution)
                yield replace(proven, solver=_joined(solvers))

    def _calls(self, task: Task, space: CircuitSpace, stop: Event) -> list[_Call]:
        calls = []
        for placement in space.placements:
            rules = (rule(space.optical, space.workload, placement, space.max_circuits)[-1] for rule in QUICK.values())
            known = tuple(dict.fromkeys([*rules, *_known(space, task.start, placement)]))
            settings = (self.solver, self.seconds, task.seed, self.log, SolverHandle(stop))
            calls.append(_Call(space.tree, space.messages, space.max_circuits, placement, known, *settings))
        return calls


def _require_bottleneck(objective: Lexicographic) -> None:
    """Require an objective that integer programs minimise, not one that they only bound from below.

    Raises
    ------
    InputError
        If its first component is another time: the shortest bottleneck can be far from the shortest completion.
    """
    if objective.score_names[0] != "bottleneck":
        raise InputError(
            f"strategy=program: objective={objective.name} is not minimised by integer programs, only bounded by the "
            "bottleneck time; expected objective=bottleneck, or strategy=auto, which proves a bound of completion"
        )


def _joined(solvers: list[list[str]]) -> str | None:
    """Return the solvers used so far, in the notation of records; None if there are none."""
    return "+".join(dict.fromkeys(name for used in solvers for name in used)) or None


def _known(space: CircuitSpace, start: Candidate | None, placement: Placement) -> list[Circuits]:
    """Return the circuits of the warm start, if it has this placement."""
    if start is None:
        return []
    circuits, start_placement = space.design(start).assignment
    return [circuits] if circuits and start_placement == placement else []
