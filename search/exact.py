"""Exact search: proofs that no connection set is better."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace

from isoplane.models import InputError
from isoplane.models.checks import check_bool, check_int

from .anneal import Anneal
from .archive import Archive
from .chains import run_chains
from .connection_sets import Generators
from .strategy import CubeTask, Round, Task, cube_task
from .units import MAX_N, Plan, Walk

# The better the incumbents, the more can be cut; larger n repays a longer look.
HEAD_START = {7: 1 << 20, 8: 1 << 22, 9: 1 << 24, 10: 1 << 26}


@dataclass(frozen=True)
class Exact:
    """Visit every basis that could matter, one of each class under permutations of generators and of coordinates.

    A short annealing run gives the incumbents. Sets of generators then grow one by one, each class of them once, and
    are cut when no completion can have a small enough sum of distances: see `docs/algorithms.md`. With a layout a basis
    that could win by its loads and its shortest possible cables is tried in all orders of its coordinates.

    Parameters
    ----------
    head_start
        Evaluations of the annealing run; by default 2^17, and more for n >= 7.
    everything
        Cut nothing: the proof then counts all classes, and has their histogram by sum of distances.

    Raises
    ------
    InputError
        If a parameter is out of range.

    References
    ----------
    McKay, Isomorph-free exhaustive generation, 1998.

    Examples
    --------
    >>> Exact().name
    'exact'
    """

    head_start: int | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        if self.head_start is not None:
            check_int("strategy.head_start", self.head_start, 1)
        check_bool("strategy.everything", self.everything)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "exact"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Search the units on the fleet, and yield what they tell in their own order.

        Raises
        ------
        InputError
            If n is too large.
        """
        cubes = cube_task(task, self.name)
        if cubes.space.n > MAX_N:
            raise InputError(f"network.n={cubes.space.n}: allowed for strategy=exact is an integer from 2 to {MAX_N}")
        front = cubes.objective.front is not None
        head_start = self.head_start or HEAD_START.get(cubes.space.n, 1 << 17)
        head = replace(cubes, evaluations=min(head_start, cubes.evaluations or head_start))
        designs: dict[Generators, None] = {}
        done = 0
        for round_ in run_chains(Anneal().course(head, front=front), head, "exact-head"):
            designs.update(dict.fromkeys(round_.designs))
            done = round_.evaluations
            yield replace(round_, searched=0.0)
        plan = Plan(cubes.space, cubes.objective, self.everything, _kept(cubes, designs))
        yield from Walk(plan, cubes, done).rounds()


def _kept(task: CubeTask, designs: Iterable[Generators]) -> tuple[Generators, ...]:
    """Return the designs that no other beats."""
    archive = Archive(task.objective)
    list(archive.news(task.space, designs))
    return tuple(task.space.generators(design) for design in archive.designs)
