"""How regular graphs are searched: annealing walks, plain and with symmetries."""

from collections.abc import Sequence
from functools import lru_cache

from isoplane.objectives import Lexicographic

from .. import _native
from ..core.chain_setup import ChainKind, ChainSetup
from ..core.methods import Methods
from ..core.space import Candidate
from ..core.strategy import Strategy
from ..strategies.anneal import Anneal, walk_kinds
from .groups import groups_of
from .space import RegularGraphs

# Temperatures relative to the mean change by a move, and in hops; evaluations of the first cycles, and their growth.
SETTINGS = (("hottest", 0.2), ("coolest", 0.4), ("first_leg", 4000), ("growth", 1.5))
WALK = ChainKind("GraphAnnealing", "GraphWalk", SETTINGS)
WORDS_IN_A_ROUND = 1 << 26  # of rows that a walk without symmetries reads in a round and hop: a fraction of a second


class _GraphMethods(Methods[RegularGraphs]):
    """Methods for regular graphs."""

    searches = RegularGraphs

    def chain_setup(
        self, objective: Lexicographic, settings: Sequence[object], starts: tuple[Candidate, ...] = ()
    ) -> ChainSetup[RegularGraphs] | None:
        """Return annealing walks; None if any settings belong to another strategy.

        Raises
        ------
        InputError
            If a parameter does not apply to graphs.
        """
        kinds = walk_kinds(settings, WALK, "graphs")
        if kinds is None:
            return None
        space = self.space
        switches, words = space.family.switches, -(-space.family.switches // 64)
        share = max(4, min(1 << 14, WORDS_IN_A_ROUND // (switches * space.family.degree * words)))
        start = space.candidate(space.baseline)
        return ChainSetup(space, space.fitted(objective), kinds, _arguments, share, starts or (start,))

    def mix(self, objective: Lexicographic) -> tuple[str, ...]:
        """Return annealing, the only kind for graphs."""
        return ("anneal",)

    def default_strategy(self, objective: Lexicographic) -> Strategy:
        """Return annealing with one walk for each of two cores."""
        return Anneal(chains=2)


@lru_cache(maxsize=8)
def _arguments(setup: ChainSetup[RegularGraphs]) -> tuple[_native.GraphTask]:
    family = setup.space.family
    groups = groups_of(family.switches, family.degree, setup.space.symmetry)
    return (_native.GraphTask(family.switches, family.degree, groups, setup.objective.metrics[0] == "diameter"),)
