"""A portfolio: chains of several kinds that exchange designs."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from isoplane.models import InputError
from isoplane.models.checks import check_int

from ..core.methods import methods_of
from ..core.run_searchers import run_searchers
from ..core.strategy import Round, Task, require_score
from .anneal import Anneal
from .neighbourhood import Neighbourhood
from .temper import Temper

# Each kind with the default parameters of its own strategy.
KINDS: dict[str, Anneal | Temper | Neighbourhood] = {
    "anneal": Anneal(),
    "structured": Anneal(structured=True),
    "temper": Temper(),
    "neighbourhood": Neighbourhood(),
}


@dataclass(frozen=True)
class Portfolio:
    """Annealing chains, parallel tempering and large-neighbourhood walks that exchange designs.

    Each kind improves on the designs of the others: chains exchange designs after fixed numbers of evaluations. Each
    kind has the default parameters of its own strategy.

    Parameters
    ----------
    chains
        Number of chains, independent of the number of workers.
    mix
        Kinds of the chains: `anneal`, `structured` (annealing from quasi-cyclic bases), `temper` or `neighbourhood`;
        chain k has the kind at k modulo the length of the list. The default was chosen by measurement: one mix if the
        first component of the score depends on cables, otherwise one per family.

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
        object.__setattr__(self, "mix", tuple(self.mix))  # configs give a list

    @property
    def name(self) -> str:
        """Name of the strategy in records."""
        return "portfolio"

    def rounds(self, task: Task) -> Generator[Round, None, None]:
        """Advance all chains by the same number of evaluations per round.

        Raises
        ------
        InputError
            If the objective is a front.
        """
        require_score(task, self.name)
        yield from run_searchers(task, self.settings(task), self.name)

    def settings(self, task: Task) -> tuple[object, ...]:
        """Return the settings of every chain."""
        kinds = [KINDS[kind] for kind in self.mix or methods_of(task.space).mix(task.objective)]
        return tuple(kinds[stream % len(kinds)] for stream in range(self.chains))
