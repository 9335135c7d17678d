"""Valid inequalities derived from solutions of the program of an assignment."""

from isoplane.models.circuits import Circuits

from .assignment import CircuitProgram
from .integer_program import Row


def owner_shares(program: CircuitProgram, circuits: Circuits) -> list[Row]:
    """Return a row for each owner in a set of circuits: the share that it relays of the traffic between two groups.

    With one port per node, node i of a group sends the traffic that uses only circuits of other nodes to owner i mod k
    of the k owners, by the routing of the model. This holds for all circuits in which the same nodes own circuits into
    that group.
    """
    if not program.one_port:
        return []
    hybrid = program.traffic.hybrid
    owners: dict[tuple[int, int], list[int]] = {}
    for a, b in [*circuits.pairs, *((b, a) for a, b in circuits.pairs)]:
        owners.setdefault((hybrid.group_of(a), hybrid.group_of(b)), []).append(a)
    return [
        _owner_share(program, group, target_group, sorted(own), index)
        for (group, target_group), own in sorted(owners.items())
        for index in range(len(own))
    ]


def _owner_share(program: CircuitProgram, group: int, target_group: int, owners: list[int], index: int) -> Row:
    """Return the row of one owner: it relays its share, if the owners are the same."""
    traffic, size = program.traffic, program.traffic.hybrid.nodes_per_group
    share = [
        (routes.via_other_circuits, -int(traffic.sent[source, destination]))
        for (source, destination), routes in program.routes.items()
        if source // size == group and destination // size == target_group and source % size % len(owners) == index
    ]
    total = -sum(bits for _, bits in share)
    terms = [(program.relayed[owners[index], target_group], 1), *share]
    # Big-M terms: the row is slack if an owner has no circuit into the group, or another node has one.
    for node in range(group * size, (group + 1) * size):
        terms += [
            (variable, -total if node in owners else total) for variable, _ in program.circuits_into[node, target_group]
        ]
    return Row(tuple(terms), -total * len(owners))
