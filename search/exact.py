"""Exact search for small n."""

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from isoplane.models import InputError
from isoplane.models.checks import check_int

from . import _native
from .anneal import Anneal
from .chains import run_chains
from .strategy import Round, Task, threads

MAX_N: int = _native.EXACT_MAX_N
LANES = 8
# A round of all lanes lasts a fraction of a second on one core.
EVALUATIONS_PER_ROUND = 1 << 18


@dataclass(frozen=True)
class Exact:
    """Judge every basis, up to permutations of generators and of coordinates; the result is proven optimal.

    A short annealing run gives the first design. With a layout a class of bases is tried under all n! permutations of
    coordinates only if its loads, the lightest cables for the weights of its generators and the best order of plane 0
    could beat what is known.

    Parameters
    ----------
    head_start
        Evaluations of the annealing run.

    Raises
    ------
    InputError
        If there are none.

    Examples
    --------
    >>> Exact().name
    'exact'
    """

    head_start: int = 1 << 17

    def __post_init__(self) -> None:
        check_int("strategy.head_start", self.head_start, 1)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "exact"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all lanes by the same number of evaluations in each round.

        Raises
        ------
        InputError
            If n is too large.
        """
        if task.space.n > MAX_N:
            raise InputError(f"network.n={task.space.n}: allowed for strategy=exact is an integer from 2 to {MAX_N}")
        front = task.objective.front is not None
        head_start = self.head_start if task.evaluations is None else min(self.head_start, task.evaluations)
        head = replace(task, evaluations=head_start)
        designs: list[list[int]] = []
        done = 0
        anneal = Anneal()
        for round_ in run_chains(anneal.course(head, front=front), anneal.chains, head, "exact-head"):
            designs += [list(design) for design in round_.designs]
            done = round_.evaluations
            yield round_
        search = _native.ExactSearch(task.space.evaluator(task.objective), front)
        lanes = [_native.ExactLane(search, first, LANES) for first in range(LANES)]
        with ExitStack() as stack:
            apply = threads(stack, task.fleet.workers)
            while not all(lane.done for lane in lanes):
                if task.evaluations is not None and done + sum(lane.evaluations for lane in lanes) >= task.evaluations:
                    return
                # Lanes know the designs of the rounds before, whoever walks them.
                found = apply(partial(_walk, designs), lanes)
                designs = _distinct(found)
                walked = sum(lane.evaluations for lane in lanes)
                complete = all(lane.done for lane in lanes)
                yield Round(done + walked, tuple(tuple(design) for design in designs), complete)


def _walk(designs: list[list[int]], lane: _native.ExactLane) -> list[list[int]]:
    return lane.run(EVALUATIONS_PER_ROUND, designs)


def _distinct(found: list[list[list[int]]]) -> list[list[int]]:
    """Return the designs of all lanes, in the order of the lanes, each once."""
    return [list(design) for design in dict.fromkeys(tuple(design) for designs in found for design in designs)]
