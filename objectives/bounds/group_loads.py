"""Linear programs that combine the sum of distances with the load of some links of a plane."""

import numpy as np

from .distance_bound import sum_bound
from .enumerators.enumerator import add_enumerator, cube_classes, distance_costs
from .enumerators.weight_classes import WeightClasses
from .program import LinearProgram, ProgramBuilder


def group_program(n: int, folded: bool, links: int, above: bool) -> LinearProgram:
    """Return a program for the sum of distances; its last variable, of cost 0, is the load of some links of plane 0.

    All sets of the same number of links are equivalent under relabelling, and planes can be exchanged, so the result
    also holds for links of plane 1. Each link on the route of an offset carries 2 packets if the offset is nearer in
    plane 0 and 1 on a tie. Split by hops over the chosen links and over the others, the enumerator determines the load.

    Parameters
    ----------
    n, folded, links
        The network and the number of links whose loads are summed.
    above
        Whether the load is bounded from above. At half distance a folded plane has two shortest routes; the inequality
        is valid for both only if the one with more of these links is counted for upper bounds, the other for lower
        ones.

    Examples
    --------
    >>> group_program(3, False, links=2, above=False).cost.tolist()[-1]
    0
    """
    others = n + folded - links
    first, second = WeightClasses((links, others) if others else (links,), folded), cube_classes(n, folded)
    builder, distances = ProgramBuilder(), distance_costs(first, second)
    enumerator = add_enumerator(builder, first, second, distances)
    hops = zip(enumerator[1:, 1:].ravel().tolist(), distances[1:, 1:].ravel().tolist(), strict=True)
    builder.add_row(list(hops), sum_bound(n, folded), equation=False)
    packets = []
    for s, t in np.argwhere(enumerator >= 0).tolist():
        i, j, used = sum(first.types[s]), sum(second.types[t]), first.types[s][0]
        if folded and 2 * i == n + 1:
            used = max(used, links - used) if above else min(used, links - used)
        packets.append((int(enumerator[s, t]), -used * (2 * (i < j) + (i == j))))
    builder.add_row([(builder.add_variable(links * (2 << n)), 1), *packets], 0)
    return builder.build()
