"""Default mixes of searchers of a portfolio for connection sets."""

from isoplane.objectives import CubeObjective

# The best folded cubes are among the less symmetric ones; tempering is the fastest at finding cheap cables.
PLAIN = ("anneal", "structured", "neighbourhood", "anneal", "anneal", "structured", "neighbourhood", "anneal")
FOLDED = ("neighbourhood", "anneal", "neighbourhood", "anneal", "neighbourhood", "anneal", "structured", "anneal")
CABLES = ("anneal", "neighbourhood", "temper", "neighbourhood", "anneal", "temper", "neighbourhood", "temper")
# Annealing chains with odd indices also begin at quasi-cyclic bases; in the largest cubes a cycle from a random basis
# is too long for a short run, and the tables of large-neighbourhood walks outgrow the caches.
MIN_LARGE_N = 15
LARGE = ("structured", "anneal")


def default_mix(n: int, folded: bool, objective: CubeObjective) -> tuple[str, ...]:
    """Return the kinds of chains of a portfolio, as chosen by measurement."""
    if objective.needs_layout:
        return CABLES
    if n >= MIN_LARGE_N:
        return LARGE
    return FOLDED if folded else PLAIN
