"""A portfolio: chains of several kinds that exchange designs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import InputError

from ..core.chain_strategy import ChainStrategy
from ..core.methods import methods_of
from ..core.strategy import Task
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
class Portfolio(ChainStrategy):
    """Annealing chains, parallel tempering and large-neighbourhood walks that exchange designs.

    Each kind improves on the designs of the others: chains exchange designs after fixed numbers of evaluations. Each
    kind has the default parameters of its own strategy.

    Parameters
    ----------
    chains
        Number of chains, independent of the number of workers.
    mix
        Kinds of the chains: `anneal`, `structured` (annealing from quasi-cyclic bases), `temper` or `neighbourhood`;
        chain k has the kind at k modulo the length of the list. The default was chosen by measurement: see the
        `mix` of a space's `Methods`.

    References
    ----------
    Huberman, Lukose, Hogg, An economics approach to hard computational problems, 1997.

    Examples
    --------
    >>> Portfolio().name
    'portfolio'
    """

    name: ClassVar[str] = "portfolio"

    mix: Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mix is None:
            return
        if isinstance(self.mix, str) or not isinstance(self.mix, Sequence) or not self.mix:
            raise InputError(f"strategy.mix={self.mix}: expected a list of {', '.join(KINDS)}")
        for kind in self.mix:
            if kind not in KINDS:
                raise InputError(f"strategy.mix={kind}: expected {', '.join(KINDS)}")
        object.__setattr__(self, "mix", tuple(self.mix))  # configs give a list

    def settings(self, task: Task) -> tuple[object, ...]:
        """Return the settings of every chain."""
        kinds = [KINDS[kind] for kind in self.mix or methods_of(task.space).mix(task.objective)]
        return tuple(kinds[stream % len(kinds)] for stream in range(self.chains))
