"""Linear programs that see the load of some links of a plane."""

import numpy as np

from .distance_bound import sum_bound
from .enumerator import add_enumerator, cube_classes, distance_costs
from .program import Builder, Program
from .weight_classes import WeightClasses


def group_program(n: int, folded: bool, links: int, above: bool) -> Program:
    """Return a program that bounds the sum of distances; its last variable, without a cost, is the load of some links.

    They are links of plane 0; which ones makes no difference, only how many. Planes can be exchanged, so what is proven
    holds for links of plane 1 too. Their load counts 2 for each of them and each offset that plane 0 reaches sooner and
    over this link, and 1 for each that both planes reach in equal time.

    Parameters
    ----------
    n, folded, links
        The network and the number of links whose loads are added.
    above
        Where a folded plane has two shortest routes: whether the one counts that uses more of these links.

    Examples
    --------
    >>> group_program(3, False, links=2, above=False).cost.tolist()[-1]
    0
    """
    others = n + folded - links
    first, second = WeightClasses((links, others) if others else (links,), folded), cube_classes(n, folded)
    builder, distances = Builder(), distance_costs(first, second)
    enumerator = add_enumerator(builder, first, second, distances)
    hops = zip(enumerator[1:, 1:].ravel().tolist(), distances[1:, 1:].ravel().tolist(), strict=True)
    builder.row(list(hops), sum_bound(n, folded), equation=False)
    packets = []
    for s, t in np.argwhere(enumerator >= 0).tolist():
        i, j, used = sum(first.types[s]), sum(second.types[t]), first.types[s][0]
        if folded and 2 * i == n + 1:
            used = max(used, links - used) if above else min(used, links - used)
        packets.append((int(enumerator[s, t]), -used * (2 * (i < j) + (i == j))))
    builder.row([(builder.variable(links * (2 << n)), 1), *packets], 0)
    return builder.build()
