"""Sizes of trees with parallel cables that reach a number of nodes within a number of ports per switch."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import heappop, heappush, merge
from math import ceil, prod

from ..checks import MAX_NODES_PER_SWITCH
from ..site.part_costs import PartCosts
from ..topologies.xgft import Shape
from .minimal_sizes import multiple_from

MAX_LEVELS, MAX_CABLES = 8, 1024  # of a tree; of a switch to the level above or below
MAX_TREE_NODES = MAX_TREE_SWITCHES = 1 << 17

Size = tuple[int, int, Shape]  # with the numbers of switches and of cables between them
# The least links up of each subtree of levels 1, 2, ..., from the children of a switch of each; () if none suffice.
Uplinks = Callable[[tuple[int, ...]], tuple[int, ...]]


def uplinks_for_throughput(throughput: Fraction) -> Uplinks:
    """Return the rule for the links up of a subtree with which D-mod-k reaches an all-to-all throughput.

    Of N nodes a subtree has M, and each of its links down may lead to at most k = ⌊N / t (N - M)⌋ of them
    (`xgft_heaviest_load`), so it has at least ⌈M / k⌉.

    Parameters
    ----------
    throughput
        The throughput t.

    Examples
    --------
    >>> uplinks_for_throughput(Fraction(1, 2))((10, 5, 20))  # each link of a subtree serves two nodes
    (5, 25)
    """

    def uplinks(children: tuple[int, ...]) -> tuple[int, ...]:
        nodes, links = prod(children), []
        for level in range(1, len(children)):
            inside = prod(children[:level])
            served = nodes * throughput.denominator // (throughput.numerator * (nodes - inside))
            if not served:
                return ()
            links.append(-(-inside // served))
        return tuple(links)

    return uplinks


def uplinks_for_taper(taper: Fraction) -> Uplinks:
    """Return the rule for the links up of a subtree: of its leaves `taper` as many as nodes, all other levels as below.

    Examples
    --------
    >>> uplinks_for_taper(Fraction(1, 2))((9, 4, 20))
    (5, 20)
    """

    def uplinks(children: tuple[int, ...]) -> tuple[int, ...]:
        of_leaf = ceil(taper * children[0])
        return tuple(of_leaf * prod(children[1:level]) for level in range(1, len(children)))

    return uplinks


def trunks(links: int, most: int) -> list[tuple[int, int]]:
    """Return numbers of parents and of parallel cables to each with at least so many links, the fewest cables for each.

    Parameters
    ----------
    links
        Least number of links.
    most
        Most parallel cables.

    Examples
    --------
    >>> trunks(9, most=5)
    [(9, 1), (5, 2), (3, 3), (2, 5)]
    """
    fewest: dict[int, int] = {}
    for cables in range(1, min(most, links) + 1):
        # Cables ascend, so that the first number for some parents is the least.
        fewest.setdefault(-(-links // cables), cables)
    return list(fewest.items())


def two_level_sizes(nodes: int, ports: int, links: int, uplinks: Uplinks) -> Iterator[Size]:
    """Yield the sizes of trees of two levels: for each number of leaves, the fewest nodes and all numbers of spines.

    Parameters
    ----------
    nodes, ports
        Least number of nodes, and most ports of a switch.
    links
        Divisor of the nodes at a leaf.
    uplinks
        The least links up of a leaf.

    Examples
    --------
    >>> for switches, cables, shape in two_level_sizes(12, 8, 1, uplinks_for_taper(Fraction(1))):
    ...     print(switches, cables, shape)
    5 12 ((4, 3), (1, 2), (1, 2))
    7 12 ((4, 3), (1, 4), (1, 1))
    6 16 ((3, 4), (1, 2), (1, 2))
    7 12 ((3, 4), (1, 3), (1, 1))
    8 15 ((3, 5), (1, 3), (1, 1))
    8 12 ((2, 6), (1, 2), (1, 1))
    9 14 ((2, 7), (1, 2), (1, 1))
    10 16 ((2, 8), (1, 2), (1, 1))
    """
    for leaves in range(2, min(ports, MAX_CABLES) + 1):
        at_leaf = multiple_from(-(-nodes // leaves), links)
        for least in uplinks((at_leaf, leaves)) if at_leaf <= MAX_NODES_PER_SWITCH else ():
            for spines, cables in reversed(trunks(least, min(ports, MAX_CABLES) // leaves)):
                if at_leaf + spines * cables <= ports:
                    yield leaves + spines, leaves * spines * cables, ((at_leaf, leaves), (1, spines), (1, cables))


def three_level_sizes(nodes: int, ports: int, links: int, uplinks: Uplinks, costs: PartCosts) -> Iterator[Size]:
    """Yield the sizes of trees of three levels with the fewest subtrees of a root, in ascending order of their costs.

    Trees of the same children cost at least what the least links up of their subtrees need, with all ports of the upper
    levels in use. These bounds are sorted, and only the trees of those bounds are listed that are reached.

    Parameters
    ----------
    nodes, ports, links, uplinks
        As in `two_level_sizes`.
    costs
        The costs of switches and of cables.

    Examples
    --------
    >>> next(three_level_sizes(1024, 36, 1, uplinks_for_taper(Fraction(1)), PartCosts(switch=10)))
    (152, 2088, ((18, 2, 29), (1, 2, 18), (1, 9, 1)))
    """
    groups = sorted(
        (costs.of(*_least_parts(children, least, ports)), children, least)
        for children in _three_levels(nodes, ports, links)
        if (least := uplinks(children)) and children[0] + least[0] <= ports
    )
    ready: list[tuple[int, Size]] = []
    for bound, children, least in groups:
        # Strictly: trees still to be listed may cost exactly this bound, and precede those that wait with equal costs.
        while ready and ready[0][0] < bound:
            yield heappop(ready)[1]
        for size in _with_trunks(children, least, ports):
            heappush(ready, (costs.of(*size[:2]), size))
    while ready:
        yield heappop(ready)[1]


def cheapest_trees(nodes: int, ports: int, links: int, uplinks: Uplinks, costs: PartCosts) -> Iterator[Shape]:
    """Yield the shapes of trees of two and of three levels in ascending order of their costs.

    Parameters
    ----------
    nodes, ports, links, uplinks, costs
        As in `three_level_sizes`.

    Examples
    --------
    >>> next(cheapest_trees(60, 16, 1, uplinks_for_throughput(Fraction(1, 2)), PartCosts()))
    ((10, 6), (1, 5), (1, 1))
    """

    def rank(size: Size) -> tuple[int, Size]:
        return costs.of(*size[:2]), size

    two_levels = (size for size in two_level_sizes(nodes, ports, links, uplinks) if prod(size[2][0]) <= MAX_TREE_NODES)
    three_levels = three_level_sizes(nodes, ports, links, uplinks, costs)
    yield from (shape for _, _, shape in merge(sorted(two_levels, key=rank), three_levels, key=rank))


def cheapest_by_leaf(nodes: int, ports: int, uplinks: Uplinks) -> Iterator[Shape]:
    """Yield, for each number of nodes at a leaf, the three-level trees of the fewest switches and of the fewest cables.

    Parameters
    ----------
    nodes, ports, uplinks
        As in `three_level_sizes`.

    Examples
    --------
    >>> list(cheapest_by_leaf(30, 6, uplinks_for_taper(Fraction(1))))[:2]
    [((2, 3, 5), (1, 2, 3), (1, 1, 1)), ((3, 2, 5), (1, 3, 2), (1, 1, 1))]
    """
    shapes = {}
    for costs in (PartCosts(switch=ports**3), PartCosts()):
        fewest: dict[int, Shape] = {}
        for _, _, shape in three_level_sizes(nodes, ports, 1, uplinks, costs):
            fewest.setdefault(shape[0][0], shape)
        shapes.update(dict.fromkeys(fewest.values()))
    yield from shapes


def _three_levels(nodes: int, ports: int, links: int) -> Iterator[tuple[int, int, int]]:
    """Yield the children of switches of all three levels, the fewest of a root."""
    most = min(ports, MAX_CABLES)
    for leaf in range(links, min(ports, MAX_NODES_PER_SWITCH + 1), links):
        for pod in range(1, min(most, -(-nodes // leaf) + 1)):
            root = max(2, -(-nodes // (leaf * pod)))
            if root <= most and leaf * pod * root <= MAX_TREE_NODES:
                yield leaf, pod, root


def _least_parts(children: tuple[int, int, int], least: tuple[int, ...], ports: int) -> tuple[int, int]:
    """Return lower bounds on the switches and the cables of all trees of the same children."""
    _, pod, root = children
    lower, upper = root * pod * least[0], root * least[1]
    return pod * root + -(-(lower + upper) // ports) + -(-upper // ports), lower + upper


def _with_trunks(children: tuple[int, int, int], least: tuple[int, ...], ports: int) -> Iterator[Size]:
    """Yield the trees of the same children: any number of middle switches in a pod, and of roots, that suffices."""
    leaf, pod, root = children
    for middle in range(1, ports - leaf + 1):
        lower = -(-least[0] // middle)
        down = pod * lower
        if leaf + middle * lower > ports or down >= min(ports, MAX_CABLES + 1):
            continue
        for roots, upper in trunks(-(-least[1] // middle), min(ports, MAX_CABLES) // root):
            switches = root * (pod + middle) + middle * roots
            if down + roots * upper <= ports and roots * upper <= MAX_CABLES and switches <= MAX_TREE_SWITCHES:
                cables = root * middle * (down + roots * upper)
                yield switches, cables, (children, (1, middle, roots), (1, lower, upper))
