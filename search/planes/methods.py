"""How relabelled planes are searched: annealing walks whose moves exchange the places of two switches."""

from collections.abc import Sequence
from functools import lru_cache

from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Strategy
from ..strategies.anneal import Anneal, walk_kinds
from .space import Relabellings

# Temperatures relative to the mean change by an exchange of random places. Planes of cubes freeze like crystals between
# the two: those of n = 9 between 3 hops and 1, where that change is 16 hops.
SETTINGS = (("hottest", 0.2), ("coolest", 0.06), ("first_leg", 20_000), ("growth", 1.5))
WALK = ChainKind("RelabellingAnnealing", "RelabellingWalk", SETTINGS)
BYTES_IN_A_ROUND = 1 << 25  # of rows that a walk reads in a round: a fraction of a second


class _RelabellingMethods(Methods[Relabellings]):
    """Methods for relabelled planes."""

    searches = Relabellings

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[Relabellings] | None:
        """Return annealing walks; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to relabelled planes.
        """
        kinds = walk_kinds(settings, WALK, "relabelled planes")
        if kinds is None:
            return None
        space = self.space
        vertices = len(space.node_switches)
        # Between rounds a walk is restored from the places, which takes as long as some evaluations for each vertex.
        share = max(4 * vertices, BYTES_IN_A_ROUND // (4 * vertices * (space.family.planes - 1)))
        start = space.candidate(space.baseline)
        return ChainSetup(space, space.fitted(objective), kinds, _arguments, share, starts or (start,))

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind for relabelled planes."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return annealing with one walk for each of two cores."""
        return Anneal(chains=2)


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[Relabellings]) -> tuple[_native.RelabellingTask]:
    space = setup.space
    distances = space.distances.astype("uint8").tobytes()
    return (_native.RelabellingTask(len(space.node_switches), space.family.planes, distances),)
