"""Simulated annealing over bases."""

from collections.abc import Generator
from dataclasses import dataclass

from isoplane.models.checks import check_bool, check_int

from ..chains import run_chains
from ..strategy import Round, Task
from ..temperatures import take_number, take_range
from .searchers import Annealing, BasisSearchers
from .task import CubeTask, cube_task, usual_heat


@dataclass(frozen=True)
class Anneal:
    """Independent annealing chains; each in legs that grow, from random, quasi-cyclic and good bases.

    A move changes one or two coordinates of a generator, adds a generator to another or, where a layout tells
    coordinates apart, exchanges two of them; it is accepted with probability min(1, exp(-ΔE / T)). E is the first
    component of the score relative to that of the identical planes, plus 0.02 of each later one. A leg draws its
    temperature log-uniformly from [coolest, hottest] and falls from there by `fall`; quasi-cyclic legs move whole
    orbits of a random symmetry.

    Parameters
    ----------
    chains
        How many, whatever the number of workers.
    coolest, hottest
        Range of the temperature at which a leg begins, relative to the score of the identical planes; by default
        0.02 where the first component depends on cables, else 0.22 · 2^(-n/2), for the steps of a sum of distances are
        finer in larger cubes; and a sixteenth of it.
    fall
        A leg ends at its temperature divided by this.
    first_leg
        Evaluations of a chain's first legs; by default 16 · 2^n.
    growth
        Legs of each later round of five are longer by this factor.
    structured
        Leave out the legs from random bases and from the best design: what remains begins quasi-cyclic.

    Raises
    ------
    InputError
        If a parameter is out of range.

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi, Optimization by Simulated Annealing, 1983.

    Examples
    --------
    >>> Anneal().name
    'anneal'
    """

    chains: int = 8
    coolest: float | None = None
    hottest: float | None = None
    fall: float = 10.0
    first_leg: int | None = None
    growth: float = 1.2
    structured: bool = False

    def __post_init__(self) -> None:
        check_int("strategy.chains", self.chains, 1, 1024)
        if self.first_leg is not None:
            check_int("strategy.first_leg", self.first_leg, 64)
        take_range(self, "coolest", "hottest")
        for name in ("fall", "growth"):
            take_number(self, name, 1)
        check_bool("strategy.structured", self.structured)

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "anneal"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all chains by the same number of evaluations in each round."""
        yield from run_chains(self.setup(task, front=False), task, self.name)

    def setup(self, task: Task, *, front: bool) -> BasisSearchers:
        """Return what all chains of a search for the best score, or for a front, have in common."""
        cubes = cube_task(task, self.name)
        return BasisSearchers(cubes.space, cubes.objective, front, (self.kind(cubes),) * self.chains)

    def kind(self, task: CubeTask) -> Annealing:
        """Return the settings of a chain."""
        n = task.space.n
        hottest = self.hottest or usual_heat(task)
        coolest, first_leg = self.coolest or hottest / 16, self.first_leg or 16 << n
        return Annealing(coolest, hottest, self.fall, first_leg, self.growth, self.structured)
