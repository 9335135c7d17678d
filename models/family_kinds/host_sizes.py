"""Numbers of switches that can carry some nodes, each at any of them."""

from functools import lru_cache

from ..errors import InputError
from .uniform import least_hops

MAX_SWITCHES = 4096


def least_switches(nodes: int, ports: int, key: str = "network.ports") -> int:
    """Return the fewest switches that carry some nodes, with the cables of a tree: from 2.

    Raises
    ------
    InputError
        If there are more than `MAX_SWITCHES`.

    Examples
    --------
    >>> least_switches(1024, 36)  # 31 (36 - 2) + 2 = 1056
    31
    """
    least = max(2, -(-(nodes - 2) // (ports - 2)))
    if least > MAX_SWITCHES:
        raise InputError(
            f"{key}={ports}: {MAX_SWITCHES} switches carry {MAX_SWITCHES * (ports - 2) + 2} nodes; expected "
            f"at least {2 - (2 - nodes) // MAX_SWITCHES} ports for {nodes}"
        )
    return least


@lru_cache(maxsize=64)
def default_switches(nodes: int, ports: int, planes: int) -> int:
    """Return the number of switches of a plane for which the Moore bound leaves the shortest paths open.

    Examples
    --------
    >>> default_switches(1024, 36, 1)
    54
    """

    def mean_hops(switches: int) -> tuple[float, int]:
        degree = min(switches - 1, planes * max(1, (ports * switches - nodes) // switches))
        return least_hops(switches, degree) / switches, switches

    return min(map(mean_hops, range(least_switches(nodes, ports), min(MAX_SWITCHES, 2 * nodes) + 1)))[1]


def evenly(nodes: int, switches: int) -> tuple[int, ...]:
    """Return numbers of nodes at switches that are as even as can be, ascending.

    Examples
    --------
    >>> evenly(8, 3)
    (2, 3, 3)
    """
    return tuple((nodes + place) // switches for place in range(switches))
