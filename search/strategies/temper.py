"""Parallel tempering over bases."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models.checks import check_int

from ..core.chain_strategy import ChainStrategy
from .temperatures import convert_range


@dataclass(frozen=True)
class Temper(ChainStrategy):
    """Ladders of replicas at fixed temperatures, with swaps between neighbours.

    The replicas of a chain have the temperatures coldest · (hottest / coldest)^(r / (replicas - 1)) and step in turn,
    32 evaluations each, with the moves and the energy E of `Anneal`. After each round of turns, neighbours r, r + 1
    swap their designs with probability min(1, exp((1 / T_r - 1 / T_(r+1)) (E_r - E_(r+1)))). Every second replica
    begins quasi-cyclic, the others at random. If the score depends on cables, a move is evaluated by the kernel only if
    it could be accepted, judged by its cables at the loads of the current design; up to 16 moves are drawn per
    evaluation.

    Parameters
    ----------
    chains
        Number of ladders, independent of the number of workers.
    replicas
        Number of replicas per ladder.
    coldest, hottest
        Lowest and highest temperature, relative to the score of the identical planes; by default an eightieth and a
        quarter of the default `hottest` of `Anneal`.

    References
    ----------
    Geyer, Markov chain Monte Carlo maximum likelihood, 1991; Hukushima and Nemoto, Exchange Monte Carlo method and
    application to spin glass simulations, 1996.

    Examples
    --------
    >>> Temper().name
    'temper'
    """

    name: ClassVar[str] = "temper"

    replicas: int = 12
    coldest: float | None = None
    hottest: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("strategy.replicas", self.replicas, 2, 256)
        convert_range(self, "coldest", "hottest")
