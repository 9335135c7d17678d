"""Lower bounds on the sum of distances."""

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from isoplane.models.checks import check_int

from .certificates import proven, read_certificate, write_certificate
from .enumerations import enumerated_sum
from .enumerators.enumerator import multisets, pair_program, planes_program, sum_program
from .enumerators.lifted_depth import lifted_program
from .linear_program import LinearProgram
from .solver import multipliers

MOST_MULTISETS = 400  # variables of a program for several planes, which then takes seconds
# Depth of the lifted program by dimension, chosen for a solution time of minutes; other n use the split enumerator.
DEPTHS = {
    False: {3: 1, 4: 1, 5: 1, 6: 2, 7: 3, 8: 2, 9: 2, 10: 2, 11: 1, 12: 1},
    True: {3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3, 13: 1, 14: 1, 15: 1, 16: 1},
}

STEPS = 16  # to a hop, of the rewards that are tried: each gives a bound, and the highest one is the best
MOST_HOPS = 64  # that rewards reach; in a network of more, the bound is lower than it could be


def sum_bound(n: int, folded: bool, enumerated: bool = True) -> int:
    """Return a lower bound on the sum of distances of dual-plane cubes.

    It is proven by its certificate, or by the stored proof of an exact search if that is stronger.

    Parameters
    ----------
    n
        Dimension, 2..16.
    folded
        Whether both planes are folded.
    enumerated
        Whether the stored proof of an exact search is used as well.

    Raises
    ------
    InputError
        If n is outside 2..16.

    Examples
    --------
    >>> sum_bound(5, folded=False)  # attained
    58
    >>> sum_bound(7, folded=False), sum_bound(7, folded=False, enumerated=False)
    (344, 342)
    """
    check_int("network.n", n, 2, 16)
    minimum = enumerated_sum(n, folded) if enumerated else None
    return max(_certified_sum(n, folded), minimum or 0)


@lru_cache(maxsize=64)
def _certified_sum(n: int, folded: bool) -> int:
    """Return the bound that the stored certificate proves; to build its program takes most of the time."""
    name, program = certified_program(n, folded)
    certificate = read_certificate(name, n, folded)
    if certificate is None:
        raise FileNotFoundError(f"no certificate {name} for n={n}, folded={folded}: run `make bounds`")
    # Certificates hold no bound: it is recomputed from multipliers, none of which can prove too much.
    return proven(program, certificate["multipliers"])


@lru_cache(maxsize=64)
def relabelled_sum_bound(n: int, folded: bool, planes: int = 2) -> Fraction:
    """Return a lower bound on the sum of distances if any permutations of the switches make the planes of plane 0.

    The places of every switch in all planes are a code in the product of as many schemes of cubes. Its distance
    distribution, the mean over all switches of the number of others at i hops in one plane, j in another and so on,
    fulfils the inequalities of `sum_program` and `planes_program` (Delsarte 1973), as that of a linear code does, but
    need not be integers.

    Parameters
    ----------
    n, folded
        The cube.
    planes
        Number of planes; 0 is returned if the program is too large.

    Examples
    --------
    >>> float(round(relabelled_sum_bound(7, folded=False), 6))  # reached; 344 is the least of a basis
    336.0
    >>> float(round(relabelled_sum_bound(5, folded=False, planes=3), 6))  # reached
    47.0
    """
    if planes > 2:
        return _planes_bound(n, (0, planes) if folded else (planes, 0))
    program = sum_program(n, folded)
    return Fraction(*program.bound(multipliers(program)))


@lru_cache(maxsize=64)
def mixed_sum_bound(n: int, planes: tuple[int, int] = (1, 1)) -> Fraction:
    """Return the same bound for some hypercubes beside some folded ones; 0 if the program is too large.

    Examples
    --------
    >>> 119 < mixed_sum_bound(6) < 141  # of two folded hypercubes, and of two hypercubes
    True
    >>> float(round(mixed_sum_bound(7, (1, 2)), 3))  # where counts give 258
    259.0
    """
    if planes != (1, 1):
        return _planes_bound(n, planes)
    program = pair_program(n, (False, True))
    return Fraction(*program.bound(multipliers(program)))


def _planes_bound(n: int, planes: tuple[int, int]) -> Fraction:
    if multisets(n, planes) > MOST_MULTISETS:
        return Fraction(0)
    program = planes_program(n, planes)
    return Fraction(*program.bound(multipliers(program)))


@lru_cache(maxsize=64)
def pair_load_bound(n: int, folded: tuple[bool, bool], times: tuple[int, int]) -> Fraction:
    """Return a lower bound on the load of the busiest link of two cubes, over any permutations of the switches.

    Packets from every switch to every other take the nearer plane, in halves if both are equally near. A link of plane
    p carries M_p = H_p / (2 L_p) of them on average, where L_p are its links at a switch (`pair_program`). As
    Σ w_p H_p = Σ 2 w_p L_p / t_p · t_p M_p for any weights w, the largest t_p M_p is at least the minimum of the left
    side over Σ 2 w_p L_p / t_p. The best of some weights is taken.

    Parameters
    ----------
    n
        Dimension.
    folded
        Which of the planes are folded.
    times
        Time t of a packet on a link of each plane.

    Examples
    --------
    >>> float(round(pair_load_bound(6, (False, False), (1, 1)), 3))  # 141 hops over 12 links
    11.75
    """
    bounds = []
    for weight in range(STEPS + 1):
        weights = (weight, STEPS - weight)
        program = pair_program(n, folded, weights)
        over = sum(Fraction(2 * w * (n + f), time) for w, f, time in zip(weights, folded, times, strict=True))
        bounds.append(Fraction(*program.bound(multipliers(program))) / over)
    return max(bounds)


@lru_cache(maxsize=64)
def least_host_hops(nodes: int, ports: int, planes: int) -> int:
    """Return a lower bound on the sum of distances over all ordered pairs of nodes, of any switches with some ports.

    Distances are hops between switches in the nearest of some planes, in which every node is at the same switch. For
    every number m of hops, pairs at a distance h below m are together at most `nodes` · `most_short` hops short of m.

    References
    ----------
    Yasudo, Koibuchi, Nakano, Matsutani and Amano, Designing High-Performance Interconnection Networks with Host-Switch
    Graphs, 2019: bounds for one plane, whose paths have a hop more at each end.

    Examples
    --------
    >>> least_host_hops(1024, 24, 1) / (1024 * 1023) + 2
    3.8367546432062563
    """
    best = Fraction(0)
    for step in range(1, STEPS * MOST_HOPS + 1):
        reward = Fraction(step, STEPS)
        bound = nodes * (reward * (nodes - 1) - most_short(ports, reward, planes))
        if bound < best:  # concave in the reward
            break
        best = bound
    return 2 * ceil(best / 2)  # both orders of a pair are equally far apart


def most_short(ports: int, reward: Fraction, planes: int = 1) -> Fraction:
    """Return the most hops that the pairs of a node with others are short of a number of hops, `reward`.

    A switch of P ports with d nodes has at most P - d cables in each plane. Of the ordered pairs of nodes, at most
    Σ d (d - 1) over all switches are at distance 0 and, as the nodes of both ends of a walk multiply to at most the
    mean of their squares, at most Σ d² (P - d) (P - 1)^(h - 1) at distance h in each plane. So at a switch with d nodes
    these are ``reward`` for each of d - 1 nodes, and ``reward - h`` for each of d (P - d) (P - 1)^(h - 1) in each
    plane, for the best d from 1 to P.
    """
    far = planes * sum(
        ((reward - hops) * Fraction(ports - 1) ** (hops - 1) for hops in range(1, ceil(reward))), Fraction()
    )
    best = (ports + reward / far) / 2 if far else Fraction(ports)
    nearest = (min(max(1, each), ports) for each in (floor(best), ceil(best)))
    return max(reward * (nodes - 1) + far * nodes * (ports - nodes) for nodes in nearest)


def certify_sum(n: int, folded: bool) -> int:
    """Solve the linear program for the sum of distances, store its certificate, and return the bound."""
    name, program = certified_program(n, folded)
    duals = multipliers(program)
    write_certificate(name, n, folded, duals)
    return proven(program, duals)


def certified_program(n: int, folded: bool) -> tuple[str, LinearProgram]:
    """Return the name and the linear program of the stored certificate."""
    depth = DEPTHS[folded].get(n)
    return ("split", sum_program(n, folded)) if depth is None else ("lifted", lifted_program(n, folded, depth))
