"""A portfolio: chains of several kinds, which exchange designs."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .anneal import Anneal
from .neighbourhood import Neighbourhood
from .run_searchers import run_searchers
from .strategy import Round, Task, require_score
from .temper import Temper

# Each kind as its own strategy would have it.
KINDS: dict[str, Anneal | Temper | Neighbourhood] = {
    "anneal": Anneal(),
    "structured": Anneal(structured=True),
    "temper": Temper(),
    "neighbourhood": Neighbourhood(),
}


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
            raise InputError(f"strategy.mix={self.mix}: expected a list of {', '.join(KINDS)}")
        for kind in self.mix:
            if kind not in KINDS:
                raise InputError(f"strategy.mix={kind}: expected {', '.join(KINDS)}")
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
        require_score(task, self.name)
        yield from run_searchers(task, self.settings(task), self.name)

    def settings(self, task: Task) -> tuple[object, ...]:
        """Return the settings of every chain."""
        kinds = [KINDS[kind] for kind in self.mix or task.space.mix(task.objective)]
        return tuple(kinds[stream % len(kinds)] for stream in range(self.chains))
