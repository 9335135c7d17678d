"""The cross-connects of an optical switch as comma-separated values."""

from collections import Counter

from isoplane.models import Circuits, HybridNetwork

HEADER = "circuit,node_a,port_a,node_b,port_b,group_a,group_b"


def cross_connects(hybrid: HybridNetwork, circuits: Circuits) -> str:
    """Return a line for every circuit: which port of which node is joined to which.

    Circuits are in ascending order; the ports of a node are given out in that order, from 0 on.

    Examples
    --------
    >>> print(cross_connects(HybridNetwork(2, 2), Circuits(((1, 2),))), end="")
    circuit,node_a,port_a,node_b,port_b,group_a,group_b
    0,1,0,2,0,0,1
    """
    used: Counter[int] = Counter()
    lines = [HEADER]
    for number, (a, b) in enumerate(circuits.pairs):
        lines.append(f"{number},{a},{used[a]},{b},{used[b]},{hybrid.group_of(a)},{hybrid.group_of(b)}")
        used.update((a, b))
    return "".join(f"{line}\n" for line in lines)
