"""How relabelled planes are searched: annealing walks that exchange the places of two switches, or are linear."""

from collections.abc import Generator, Sequence
from functools import lru_cache

from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Round, Strategy, Task
from ..strategies.anneal import Anneal, walk_kinds
from ..strategies.portfolio import Portfolio
from .linear_starts import LINEAR, WALK, linear_starts, task_of
from .space import Relabellings

BYTES_IN_A_ROUND = 1 << 25  # of rows that a walk reads in a round: a fraction of a second
MOST_TO_EXCHANGE = 1024  # switches: one exchange after the other improves larger planes too slowly


class _RelabellingMethods(Methods[Relabellings]):
    """Methods for relabelled planes."""

    searches = Relabellings

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[Relabellings] | None:
        """Return annealing walks, structured ones over linear places; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to relabelled planes.
        """
        kinds = walk_kinds(settings, WALK, self.space.varies, LINEAR if self._are_linear else None)
        if kinds is None:
            return None
        space = self.space
        vertices = len(space.node_switches)
        # Between rounds a walk is restored from the places, which takes as long as some evaluations for each vertex.
        share = max(4 * vertices, BYTES_IN_A_ROUND // (4 * vertices * (space.family.planes - 1)))
        start = space.candidate(space.baseline)
        return ChainSetup(space, space.fitted(objective), kinds, _arguments, share, starts or (start,))

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, mostly over linear places where these are the best known."""
        few, many = ("structured", "anneal") if self._are_exchanged else ("anneal", "structured")
        return (many, many, many, few) if self._are_linear else ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return walks by exchanges, one for each of two cores, or a portfolio where linear places are better."""
        return Anneal(chains=2) if self._are_exchanged or not self._are_linear else Portfolio(chains=4)

    def starts(self, task: Task, *, replayed: bool = False) -> Generator[Round, None, None]:
        """Yield linear planes and products of smaller ones, unless the task has a start."""
        if self._are_linear and task.start is None:
            yield from linear_starts(self.space, task.seed, replayed)

    @property
    def _are_exchanged(self) -> bool:
        """Whether exchanges of places find better planes than linear places: two planes, if these are not too large."""
        return self.space.family.planes == 2 and len(self.space.node_switches) <= MOST_TO_EXCHANGE

    @property
    def _are_linear(self) -> bool:
        """Whether places can be linear."""
        return task_of(self.space).dimension is not None


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[Relabellings]) -> tuple[_native.RelabellingTask]:
    return (task_of(setup.space),)
