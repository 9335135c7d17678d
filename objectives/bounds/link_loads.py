"""How far the load of a single link can be from the mean: linear programs that see one link."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from .certificates import proven, read_certificate, write_certificate
from .lifted import View, add_view
from .program import Builder, Program
from .solver import multipliers
from .split import add_enumerator, cube_half, distance_costs
from .sums import sum_bound


@dataclass(frozen=True)
class LoadCut:
    """A law of every link of every network: sum of distances + price · load ≥ least. A negative price bounds above."""

    price: int
    least: int


def link_program(n: int, folded: bool, w: int, above: bool) -> Program:
    """Return a program that bounds the sum of distances; its last variable, without a cost, is the load of a link.

    The link has w hops in the other plane. Both planes are alike, so it may be a link of plane 0. Its load counts 2 for
    each offset that plane 0 reaches sooner and over this link, and 1 for each that both planes reach in equal time.

    Parameters
    ----------
    n, folded, w
        The network and the link.
    above
        Where a folded plane has two shortest routes: whether the load counts those, to be bounded from above.

    Examples
    --------
    >>> int(link_program(3, False, w=1, above=False).cost[-1])
    0
    """
    builder, half = Builder(), cube_half(n, folded)
    distances = distance_costs(half, half)
    enumerator = add_enumerator(builder, half, half, distances)
    one = builder.variable(1)
    builder.row([(one, 1)], 1)
    view = add_view(builder, half, one, w)
    cells: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for s, t, i, j in _offsets(view):
        cells[i, j].append((int(view.variables[s, t]), 1))
    for (i, j), parts in cells.items():
        builder.row([*parts, (int(enumerator[i, j]), -1)], 0)
    hops = zip(enumerator[1:, 1:].ravel().tolist(), distances[1:, 1:].ravel().tolist(), strict=True)
    builder.row(list(hops), sum_bound(n, folded), equation=False)
    packets = [(int(view.variables[s, t]), -_packets(view, s, i, j, above)) for s, t, i, j in _offsets(view)]
    builder.row([(builder.variable(2 << n), 1), *packets], 0)
    return builder.build()


def _offsets(view: View) -> Iterator[tuple[int, int, int, int]]:
    """Yield the types of all pairs but offset 0, and the hops in either plane."""
    for s, t in np.argwhere(view.variables >= 0).tolist():
        if s:
            yield s, t, int(view.first.distances[s]), int(view.second.distances[t])


def _packets(view: View, s: int, i: int, j: int, above: bool) -> int:
    """Return how many of the two packets to an offset use the link."""
    used = view.first.types[s][0]
    if view.first.folded and 2 * i == view.first.links:
        used = int(above)
    return used * (2 * (i < j) + (i == j))


def _programs(n: int, folded: bool) -> Iterator[tuple[int, Program]]:
    """Yield each price of a packet, where a hop costs 1, with the program of each kind of link.

    Any prices give laws; the wider cable lengths spread, the higher are those that bound delays best.
    """
    size = 1 << max(0, (n - 7) // 2)
    kinds = range(1, len(cube_half(n, folded).types))
    programs = {(w, above): link_program(n, folded, w, above) for w in kinds for above in ((False, True)[: 1 + folded])}
    for price in (size, -size, 2 * size, -2 * size):
        for w in kinds:
            program = programs[w, folded and price < 0]
            yield price, replace(program, cost=np.append(program.cost[:-1], price))


def certify_loads(n: int, folded: bool) -> None:
    """Solve the programs of all links and keep their multipliers in one certificate."""
    found = [multipliers(program) for _, program in _programs(n, folded)]
    write_certificate("links", n, folded, np.concatenate(found))


@lru_cache(maxsize=64)
def load_cuts(n: int, folded: bool) -> tuple[LoadCut, ...]:
    """Return the laws of single links that the kept certificate proves, for links of any number of hops."""
    kept = read_certificate("links", n, folded)
    if kept is None:
        return ()
    left = kept["multipliers"]
    assert isinstance(left, np.ndarray)
    least: dict[int, int] = {}
    for price, program in _programs(n, folded):
        part, left = np.split(left, [len(program.least)])
        bound = proven(program, part)
        least[price] = min(bound, least.get(price, bound))
    return tuple(LoadCut(price, bound) for price, bound in least.items())


def load_range(cuts: tuple[LoadCut, ...], hops: int, capacity: int) -> tuple[int, int]:
    """Return the least and the largest load of a link in a network with this sum of distances.

    Examples
    --------
    >>> load_range((LoadCut(2, 120), LoadCut(-2, 60)), hops=100, capacity=99)
    (10, 20)
    """
    smallest = [-((hops - cut.least) // cut.price) for cut in cuts if cut.price > 0]
    largest = [(hops - cut.least) // -cut.price for cut in cuts if cut.price < 0]
    return max([0, *smallest]), min([capacity, *largest])
