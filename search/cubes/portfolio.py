"""A portfolio: chains of several kinds, which exchange designs."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.models.checks import check_int

from ..chains import run_chains
from ..strategy import Round, Task, require_score
from .anneal import Anneal
from .neighbourhood import Neighbourhood
from .searchers import BasisSearchers
from .task import CubeTask, cube_task
from .temper import Temper

# Each kind as its own strategy would have it.
KINDS: dict[str, Anneal | Temper | Neighbourhood] = {
    "anneal": Anneal(),
    "structured": Anneal(structured=True),
    "temper": Temper(),
    "neighbourhood": Neighbourhood(),
}

# Folded cubes have their best designs among the less symmetric ones; what tempering finds first is cheap cables.
PLAIN = ("anneal", "structured", "neighbourhood", "anneal", "anneal", "structured", "neighbourhood", "anneal")
FOLDED = ("neighbourhood", "anneal", "neighbourhood", "anneal", "neighbourhood", "anneal", "structured", "anneal")
CABLES = ("anneal", "neighbourhood", "temper", "neighbourhood", "anneal", "temper", "neighbourhood", "temper")
# Annealing chains of odd numbers begin quasi-cyclic, too; in the largest cubes a leg from a random basis lasts too long
# for a short run, and the tables of walks outgrow the caches.
LARGE_FROM = 15
LARGE = ("structured", "anneal")


@dataclass(frozen=True)
class Portfolio:
    """Annealing chains, ladders of replicas and walks through large neighbourhoods, with exchange of designs.

    What one kind finds another one improves: chains exchange designs after fixed numbers of evaluations. Each kind has
    the default parameters of its own strategy.

    Parameters
    ----------
    chains
        How many, whatever the number of workers.
    mix
        Kinds of the chains, `anneal`, `structured` (annealing that begins quasi-cyclic), `temper` or `neighbourhood`;
        chain k has kind k modulo the length of the list. By default the mix that was measured to be good where the
        first component of the score depends on cables, and else the one for the family.

    Raises
    ------
    InputError
        If a parameter is out of range.

    References
    ----------
    Huberman, Lukose, Hogg, An economics approach to hard computational problems, 1997.

    Examples
    --------
    >>> Portfolio().name
    'portfolio'
    """

    chains: int = 8
    mix: Sequence[str] | None = None

    def __post_init__(self) -> None:
        check_int("strategy.chains", self.chains, 1, 1024)
        if self.mix is None:
            return
        if isinstance(self.mix, str) or not isinstance(self.mix, Sequence) or not self.mix:
            raise InputError(f"strategy.mix={self.mix}: allowed is a list of {', '.join(KINDS)}")
        for kind in self.mix:
            if kind not in KINDS:
                raise InputError(f"strategy.mix={kind}: allowed are {', '.join(KINDS)}")
        object.__setattr__(self, "mix", tuple(self.mix))  # a config has a list

    @property
    def name(self) -> str:
        """What records call this strategy."""
        return "portfolio"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all chains by the same number of evaluations in each round.

        Raises
        ------
        InputError
            If the objective is a front.
        """
        yield from run_chains(self.setup(task), task, self.name)

    def setup(self, task: Task) -> BasisSearchers:
        """Return what all chains of a search have in common, and the kind of each."""
        require_score(task, self.name)
        cubes = cube_task(task, self.name)
        kinds = [KINDS[kind].kind(cubes) for kind in self.mix or usual_mix(cubes)]
        every = tuple(kinds[stream % len(kinds)] for stream in range(self.chains))
        return BasisSearchers(cubes.space, cubes.objective, False, every)


def usual_mix(task: CubeTask) -> tuple[str, ...]:
    """Return the kinds of chains that suit a task."""
    if task.objective.needs_layout:
        return CABLES
    if task.space.n >= LARGE_FROM:
        return LARGE
    return FOLDED if task.space.folded else PLAIN
