"""Rows that solutions and symmetries add to the program of an assignment."""

from itertools import permutations

import numpy as np

from isoplane.models.circuits import Circuits

from .assignment import CircuitProgram, between
from .statement import Row

_MOST_GROUPS = 5  # whose permutations are tried


def ties(program: CircuitProgram, circuits: Circuits) -> list[Row]:
    """Return how nodes share the circuits between two groups, for those nodes that own them in a set of circuits.

    With one port for each node, node i of a group sends what goes `none` of the ways with own circuits to owner number
    i mod k of the k owners. This holds wherever the same nodes of the group own circuits into the other one.
    """
    if not program.one_port:
        return []
    hybrid = program.traffic.hybrid
    owners: dict[tuple[int, int], list[int]] = {}
    for a, b in [*circuits.pairs, *((b, a) for a, b in circuits.pairs)]:
        owners.setdefault((hybrid.group_of(a), hybrid.group_of(b)), []).append(a)
    return [
        _share(program, home, into, sorted(own), number)
        for (home, into), own in sorted(owners.items())
        for number in range(len(own))
    ]


def _share(program: CircuitProgram, home: int, into: int, owners: list[int], number: int) -> Row:
    """Return the row of one owner: it relays its share, unless the owners are others."""
    traffic, size = program.traffic, program.traffic.hybrid.nodes_per_group
    share = [
        (ways.none, -int(traffic.sent[source, destination]))
        for (source, destination), ways in program.ways.items()
        if source // size == home and destination // size == into and source % size % len(owners) == number
    ]
    most = -sum(bits for _, bits in share)
    terms = [(program.relayed[owners[number], into], 1), *share]
    for node in range(
        home * size, (home + 1) * size
    ):  # an owner without a circuit there frees it, another one with one
        terms += [(variable, -most if node in owners else most) for variable, _ in program.into[node, into]]
    return Row(tuple(terms), -most * len(owners))


def symmetry(program: CircuitProgram) -> list[Row]:
    """Return rows that keep one of all assignments that differ by an exchange of whole groups.

    Such an exchange changes no time if it leaves the traffic as it is, and nodes have one port: ties are settled by the
    places of nodes in their groups. The assignment that is kept has the most circuits at early groups.
    """
    traffic = program.traffic
    hybrid, size = traffic.hybrid, traffic.hybrid.nodes_per_group
    if not program.one_port or hybrid.groups > _MOST_GROUPS:
        return []
    weight = [2 ** (hybrid.groups - 1 - group) for group in range(hybrid.groups)]
    pair_weight = {(a, b): weight[a] * weight[b] for a in range(hybrid.groups) for b in range(a + 1, hybrid.groups)}
    blocks = traffic.sent.reshape(hybrid.groups, size, hybrid.groups, size)
    found: dict[Row, None] = {}
    for order in permutations(range(hybrid.groups)):
        if np.array_equal(blocks[list(order)][:, :, list(order)], blocks):
            terms = []
            for (a, b), variable in program.circuit.items():
                groups = hybrid.group_of(a), hybrid.group_of(b)
                more = pair_weight[groups] - pair_weight[between(order[groups[0]], order[groups[1]])]
                terms += [(variable, more)] if more else []
            if terms:
                found[Row(tuple(terms), 0)] = None
    return list(found)
