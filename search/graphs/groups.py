"""Groups of symmetries that graphs may have: semidirect products of two cyclic groups."""

Group = tuple[int, int, int]  # (a, b, k): (i, j) (i', j') = (i + k^j i', j + j'), with k^b = 1 modulo a


def groups_of(switches: int, degree: int, symmetry: str = "auto") -> list[Group]:
    """Return the groups whose orders divide a number of switches, each of which can act freely on a regular graph.

    Of equal products (a, b, k), whose k generate the same automorphisms of the first factor, the first is given. An
    order that leaves an odd number of ends of edges needs elements that are their own inverse, so it is even.

    Parameters
    ----------
    switches, degree
        Of the graphs.
    symmetry
        As in `GraphVariable`.

    Examples
    --------
    >>> groups_of(8, 3)
    [(1, 1, 1), (2, 1, 1), (4, 1, 1), (8, 1, 1), (4, 2, 3)]
    """
    if symmetry == "none":
        return [(1, 1, 1)]
    found = []
    for order in divisors(switches):
        if switches // order * degree % 2 and order % 2:
            continue
        found.append((order, 1, 1))
        if symmetry == "auto":
            found += [(a, order // a, k) for a in divisors(order) for k in multipliers(a, order // a)]
    return found


def multipliers(a: int, b: int) -> list[int]:
    """Return numbers k above 1 with k^b = 1 modulo a, one for each set of their powers.

    Examples
    --------
    >>> multipliers(7, 3), multipliers(8, 2)
    ([2], [3, 5, 7])
    """
    found: dict[frozenset[int], int] = {}
    for k in range(2, a):
        if b > 1 and pow(k, b, a) == 1:
            found.setdefault(frozenset(pow(k, j, a) for j in range(b)), k)
    return list(found.values())


def divisors(number: int) -> list[int]:
    """Return the divisors of a number, ascending."""
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]
