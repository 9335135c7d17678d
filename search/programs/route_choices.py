"""The ways of messages in the program of an assignment: which circuits they take first and last."""

from .assignment import CircuitProgram, Sum, Ways, between


def add_ways(made: CircuitProgram) -> None:
    """Add for every two nodes of different groups that communicate how their bits go.

    With one port for each node, and groups that are joined:

    - a node whose circuit leads into the group of the destination uses it (`direct` or `first`: one circuit, and a leg
      inside a group at most);
    - else a circuit of the destination that leads into the group of the source is used (`last`);
    - else circuits of both into the same third group, if a circuit costs no more than a leg (`both`);
    - else two legs and a circuit between the groups are (`none`).

    Groups that are joined over others alone need a circuit and a leg more.
    """
    for source, destination in made.traffic.pairs:
        _add(made, source, destination)


def _add(made: CircuitProgram, source: int, destination: int) -> None:
    hybrid, builder = made.traffic.hybrid, made.builder
    groups = hybrid.group_of(source), hybrid.group_of(destination)
    direct = made.circuit[between(source, destination)]
    first, last, both, none = (builder.variable() for _ in range(4))
    thirds = [group for group in range(hybrid.groups) if group not in groups] if made.one_port else []
    ways = Ways(direct, first, last, both, none, [builder.variable() for _ in thirds], builder.variable())
    made.ways[source, destination] = ways
    reached, joined = (variables[between(*groups)] for variables in (made.reached, made.joined))
    builder.row([(way, 1) for way in (direct, first, last, both, none)] + [(reached, -1)], least=0, most=0)
    builder.row([(made.owner[source], 1), (first, -1), (both, -1), (direct, -1)], least=0)
    builder.row([(made.owner[destination], 1), (last, -1), (both, -1), (direct, -1)], least=0)
    there, back = made.into[source, groups[1]], made.into[destination, groups[0]]
    ports = hybrid.ports_per_node
    builder.row([*((way, ports) for way in (direct, first, both)), *_times(there, -1)], least=0)
    builder.row([*((way, ports) for way in (direct, first, last, both)), *_times(back, -1)], least=0)
    if made.one_port:
        longer = [(reached, 1), (joined, -1)]
        builder.row([*there, *longer, (first, -1), (direct, -1)], least=0)
        builder.row([*back, *longer, (last, -1), (direct, -1)], least=0)
        _add_thirds(made, source, destination, thirds)
        more = [(way, 1) for way in (first, last, both, none)] + [(way, -1) for way in ways.same]
        builder.row([(ways.longer, -1), *more, *longer], most=1)


def _add_thirds(made: CircuitProgram, source: int, destination: int, thirds: list[int]) -> None:
    """Add the ways over a leg in a third group, into which circuits of both ends lead."""
    ways, builder, traffic = made.ways[source, destination], made.builder, made.traffic
    groups = traffic.hybrid.group_of(source), traffic.hybrid.group_of(destination)
    longer = [(made.reached[between(*groups)], 1), (made.joined[between(*groups)], -1)]
    builder.row([*((way, 1) for way in ways.same), *longer, (ways.both, -1)], least=0)
    builder.row([(ways.both, 1), *((way, -1) for way in ways.same)], least=0)
    for group, same in zip(thirds, ways.same, strict=True):
        there, back = made.into[source, group], made.into[destination, group]
        builder.row([*there, (same, -1)], least=0)
        builder.row([*back, (same, -1)], least=0)
        if traffic.circuit <= 2 * traffic.node:
            builder.row([(same, 1), *_times(there, -1), *_times(back, -1)], least=-1)


def _times(terms: Sum, factor: int) -> Sum:
    return [(variable, factor * by) for variable, by in terms]
