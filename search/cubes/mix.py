"""Which kinds of searchers suit which connection sets."""

from isoplane.objectives import CubeObjective

# Folded cubes have their best designs among the less symmetric ones; what tempering finds first is cheap cables.
PLAIN = ("anneal", "structured", "neighbourhood", "anneal", "anneal", "structured", "neighbourhood", "anneal")
FOLDED = ("neighbourhood", "anneal", "neighbourhood", "anneal", "neighbourhood", "anneal", "structured", "anneal")
CABLES = ("anneal", "neighbourhood", "temper", "neighbourhood", "anneal", "temper", "neighbourhood", "temper")
# Annealing chains of odd numbers begin quasi-cyclic, too; in the largest cubes a cycle from a random basis lasts too
# long for a short run, and the tables of walks outgrow the caches.
LARGE_FROM = 15
LARGE = ("structured", "anneal")


def usual_mix(n: int, folded: bool, objective: CubeObjective) -> tuple[str, ...]:
    """Return the kinds of chains of a portfolio: those that were measured to be good."""
    if objective.needs_layout:
        return CABLES
    if n >= LARGE_FROM:
        return LARGE
    return FOLDED if folded else PLAIN
