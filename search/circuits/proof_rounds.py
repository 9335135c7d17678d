"""Proofs by integer programming, on their own or between the rounds of annealing walks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from threading import Event
from typing import Any

from isoplane.models import Circuits, Hybrid, InputError, MessageList, Placement
from isoplane.objectives import Lexicographic

from ..core.space import Candidate
from ..core.strategy import Round, Task
from ..programs import CircuitSolution, SolverHandle
from ..programs.circuit_solution import prove_bound
from .space import CircuitSpace, candidate_of

PAGE = "proof"


# The network, its messages, the maximum number of circuits, a placement, the known circuits, and a handle to end the
# proof: the arguments of `prove_bound`, picklable, so that it can run on any fleet.
_Call = tuple[Hybrid, MessageList, int, Placement, tuple[Circuits, ...], SolverHandle]


def _prove(call: _Call) -> tuple[CircuitSolution, list[str]]:
    *_, running = call
    return prove_bound(*call), running.solvers


def interleave_proof(
    walks: Generator[Round, None, None],
    task: Task,
    space: CircuitSpace,
    starts: tuple[Candidate, ...],
    evaluations_before_proof: int,
) -> Generator[Round, None, None]:
    """Yield the rounds of walks, among them one round with a bound from integer programming.

    The bound is computed once, for spaces with one placement, and at the same point of every run: after
    `evaluations_before_proof` evaluations of the walks, with all their incumbents so far. The walks wait meanwhile.
    Closing the generator ends the proof promptly.

    Parameters
    ----------
    walks
        Rounds of the walks.
    task
        The task; the page `PAGE` of its checkpoint holds the proof.
    space
        The space of the task.
    starts
        Initial designs of the walks.
    evaluations_before_proof
        Number of evaluations of the walks before the proof.
    """
    page, pending = task.checkpoint.load(PAGE), space.placement != "free"
    known = dict.fromkeys(starts)  # all designs so far: replayed rounds contain only the new ones
    with closing(walks):
        for round_ in walks:
            yield round_
            known |= dict.fromkeys(round_.designs if pending else ())
            if pending and round_.evaluations >= evaluations_before_proof:
                pending = False
                if page is None:
                    yield from _prove_rounds(task, space, round_.evaluations, tuple(known))
                else:
                    yield _replayed_round(page, space, round_.evaluations)


def _prove_rounds(task: Task, space: CircuitSpace, evaluations: int, known: tuple[Candidate, ...]) -> Iterator[Round]:
    """Yield rounds without designs while programs are solved, then one with the proof, which is saved."""
    placement, stop = space.placements[0], Event()
    circuits = tuple(dict.fromkeys(space.design(candidate).assignment[0] for candidate in known))
    call = space.tree, space.messages, space.max_circuits, placement, circuits, SolverHandle(stop)
    with closing(task.fleet.map(_prove, [call])) as results, set_after(stop):
        for indexed in results:
            if indexed is None:
                yield Round(evaluations, ())
                continue
            proof, solvers = indexed[1]
            solver = "+".join(solvers) or None
            proven = replace(proof_round(evaluations, placement, space, task.objective, proof), solver=solver)
            page = {"designs": proven.designs, "complete": proven.complete, "bound": proven.bound}
            task.checkpoint.save(PAGE, page | {"bound_by": proven.source and proven.source.by, "solver": solver})
            yield proven


def _replayed_round(page: Any, space: CircuitSpace, evaluations: int) -> Round:
    """Return the round of a page of the checkpoint.

    Raises
    ------
    InputError
        If the page is damaged.
    """
    try:
        designs = tuple(tuple(map(int, design)) for design in page["designs"])
        bound = None if page["bound"] is None else tuple(page["bound"])
        complete, source, solver = bool(page["complete"]), space.proven_by(page["bound_by"]), page["solver"]
        return Round(evaluations, designs, complete, replayed=True, bound=bound, source=source, solver=solver)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("checkpoint: not a page of a proof; expected one written by isoplane") from error


@contextmanager
def set_after(stop: Event) -> Iterator[None]:
    """Set an event after the block, to end all calls that poll it."""
    try:
        yield
    finally:
        stop.set()


def _whole_times(space: CircuitSpace) -> bool:
    """Whether all times are whole ns, so that an optimum in exact times is optimal in rounded scores as well."""
    hybrid, bits = space.tree, 8 * space.workload.length_bytes
    return all((length / rate).denominator == 1 for rate in hybrid.rates_gbps for length in set(bits.tolist()))


def proof_round(
    evaluations: int, placement: Placement, space: CircuitSpace, objective: Lexicographic, solution: CircuitSolution
) -> Round:
    """Return the round of a solution, with its proof if that covers the whole space."""
    designs = (candidate_of(solution.circuits, placement),)
    names = space.fitted(objective).score_names
    if space.placement == "free":
        return Round(evaluations, designs)
    complete = solution.total_optimal and names == ("bottleneck", "total") and _whole_times(space)
    bound = space.fitted(objective).bounds(lambda name: None if name == "total" else solution.bound_ns)
    source = space.proven_by(f"program:{solution.solver}" if complete else solution.bound_by)
    return Round(evaluations, designs, complete=complete, bound=None if complete else bound, source=source)
