"""Split weight enumerators of given networks, counted offset by offset."""

from functools import reduce
from itertools import combinations
from operator import xor

import numpy as np

from isoplane.models.mathematics.gf2 import coordinates_of_units


def routing_values(generators):
    """Return r_1(x) for every offset x."""
    units = coordinates_of_units(generators)
    values = [0] * (1 << len(generators))
    for x in range(1, len(values)):
        low = x & -x
        values[x] = values[x ^ low] ^ units[low.bit_length() - 1]
    return values


def mean_solution(generators, classes, enumerator, local_enumerators, variables):
    """Return the variables of a lifted program for the mean of a network and the same network with exchanged planes."""
    values = routing_values(generators)
    exchanged = [values.index(x) for x in range(len(values))]
    solution = np.zeros(variables)
    for view in (values, exchanged):
        _count_enumerator(view, classes, enumerator, solution)
        for r in sorted({r for r, _ in local_enumerators}):
            for links in combinations(range(classes.links), r):
                _count_local(view, links, classes, enumerator, local_enumerators, solution)
    return solution / 2


def _count_enumerator(values, classes, enumerator, solution):
    counted = np.zeros(enumerator.shape)
    for x, r in enumerate(values):
        counted[
            classes.index[classes.canonical((x.bit_count(),))], classes.index[classes.canonical((r.bit_count(),))]
        ] += 1
    for i, j in np.argwhere(enumerator >= 0):
        solution[enumerator[i, j]] += counted[i, j] if i == j else counted[i, j] / 2


def _count_local(values, links, classes, enumerator, local_enumerators, solution):
    all_links, link_mask = (1 << classes.links) - 1, sum(1 << c for c in links)
    offset = reduce(xor, (1 << c if 1 << c < len(values) else len(values) - 1 for c in links))
    route = values[offset]
    (w,) = classes.canonical((route.bit_count(),))
    route = route if route.bit_count() == w else all_links ^ route
    routes = [route, all_links ^ route] if classes.folded and 2 * w == classes.links else [route]
    local = local_enumerators[len(links), w]
    for route_mask in routes:
        counted = np.zeros(local.variables.shape)
        for x, r in enumerate(values):
            s = local.first.canonical(((x & link_mask).bit_count(), (x & ~link_mask).bit_count()))
            t = local.second.canonical(((r & route_mask).bit_count(), (r & all_links & ~route_mask).bit_count()))
            counted[local.first.index[s], local.second.index[t]] += 1 / len(routes)
        assert not counted[local.variables < 0].any()
        for variable, cells in groups(local.variables, enumerator[len(links), w]):
            solution[variable] += counted[cells].mean()


def groups(variables, count):
    """Yield each variable of a local enumerator except the number of links, with its cells."""
    for variable in np.unique(variables):
        if variable >= 0 and variable != count:
            yield variable, variables == variable
