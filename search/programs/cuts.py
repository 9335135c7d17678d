"""Rows that solutions add to the program of an assignment."""

from isoplane.models.circuits import Circuits

from .assignment import CircuitProgram
from .statement import Row


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
