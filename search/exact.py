"""Exact search for small n."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace

from isoplane.models import InputError

from . import _native
from .anneal import Anneal, run_chains
from .strategy import Round, Task, threads

MAX_N: int = _native.EXACT_MAX_N
UNITS_PER_ROUND = 16


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

    Examples
    --------
    >>> Exact().name
    'exact'
    """

    head_start: int = 1 << 17

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "exact"

    def rounds(self, task: Task) -> Iterator[Round]:
        """Walk the units of the search in order, as many in a round as last a moment.

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
        for round_ in run_chains(Anneal(), head, front=front):
            designs, done = [list(design) for design in round_.designs], round_.evaluations
            yield round_
        search = _native.ExactSearch(task.space.evaluator(task.objective), front)
        with ExitStack() as stack:
            apply = threads(stack, task.workers)
            # Units of a round know the designs of the rounds before, whoever walks them.
            for begin in range(0, search.units, UNITS_PER_ROUND):
                if task.evaluations is not None and done >= task.evaluations:
                    return
                units = range(begin, min(begin + UNITS_PER_ROUND, search.units))
                known = designs
                found = apply(lambda unit: search.run(unit, unit + 1, known), list(units))  # noqa: B023 - used at once
                done += sum(evaluations for _, evaluations in found)
                designs = [design for kept, _ in found for design in kept]
                complete = units.stop == search.units
                yield Round(done, tuple(tuple(design) for design in designs), complete)
