"""The route choices of messages in the program of an assignment: their first and last circuits."""

from .assignment import CircuitProgram, RouteChoices, Sum, ordered


def add_routes(program: CircuitProgram) -> None:
    """Add the route choices of every two communicating nodes of different groups.

    With one port per node and joined groups, the route of minimum cost uses

    - the circuit of the source if it leads into the group of the destination (`direct` or `first`: one circuit, and at
      most one segment inside a group);
    - else a circuit of the destination that leads into the group of the source (`last`);
    - else circuits of both into the same third group, if a circuit costs no more than a segment (`both`);
    - else a circuit between the groups, with two segments (`others`).

    Groups that are connected only via other groups need one more circuit and segment.
    """
    for source, destination in program.traffic.pairs:
        _add(program, source, destination)


def _add(program: CircuitProgram, source: int, destination: int) -> None:
    hybrid, integers = program.traffic.hybrid, program.integers
    groups = hybrid.group_of(source), hybrid.group_of(destination)
    direct = program.circuit[ordered(source, destination)]
    first, last, both, others = (integers.variable() for _ in range(4))
    thirds = [group for group in range(hybrid.groups) if group not in groups] if program.one_port else []
    routes = RouteChoices(direct, first, last, both, others, [integers.variable() for _ in thirds], integers.variable())
    program.routes[source, destination] = routes
    reached, joined = (variables[ordered(*groups)] for variables in (program.reached, program.joined))
    # Connected groups take exactly one of these routes, others the packet network.
    integers.row([(route, 1) for route in (direct, first, last, both, others)] + [(reached, -1)], lower=0, upper=0)
    integers.row([(program.owner[source], 1), (first, -1), (both, -1), (direct, -1)], lower=0)
    integers.row([(program.owner[destination], 1), (last, -1), (both, -1), (direct, -1)], lower=0)
    source_circuits, destination_circuits = (
        program.circuits_into[source, groups[1]],
        program.circuits_into[destination, groups[0]],
    )
    ports = hybrid.ports_per_node
    integers.row([*((route, ports) for route in (direct, first, both)), *_scaled(source_circuits, -1)], lower=0)
    integers.row(
        [*((route, ports) for route in (direct, first, last, both)), *_scaled(destination_circuits, -1)], lower=0
    )
    if program.one_port:
        only_via_others = [(reached, 1), (joined, -1)]
        integers.row([*source_circuits, *only_via_others, (first, -1), (direct, -1)], lower=0)
        integers.row([*destination_circuits, *only_via_others, (last, -1), (direct, -1)], lower=0)
        _add_thirds(program, source, destination, thirds)
        not_direct = [(route, 1) for route in (first, last, both, others)] + [(route, -1) for route in routes.third]
        integers.row([(routes.longer, -1), *not_direct, *only_via_others], upper=1)


def _add_thirds(program: CircuitProgram, source: int, destination: int, thirds: list[int]) -> None:
    """Add the routes over a segment in a third group that circuits of both ends lead into."""
    routes, integers, traffic = program.routes[source, destination], program.integers, program.traffic
    groups = traffic.hybrid.group_of(source), traffic.hybrid.group_of(destination)
    only_via_others = [(program.reached[ordered(*groups)], 1), (program.joined[ordered(*groups)], -1)]
    integers.row([*((route, 1) for route in routes.third), *only_via_others, (routes.both, -1)], lower=0)
    integers.row([(routes.both, 1), *((route, -1) for route in routes.third)], lower=0)
    for group, third in zip(thirds, routes.third, strict=True):
        source_circuits, destination_circuits = (
            program.circuits_into[source, group],
            program.circuits_into[destination, group],
        )
        integers.row([*source_circuits, (third, -1)], lower=0)
        integers.row([*destination_circuits, (third, -1)], lower=0)
        # Routing prefers a second circuit only if it is no dearer than the segment that it replaces.
        if traffic.circuit <= 2 * traffic.node:
            integers.row([(third, 1), *_scaled(source_circuits, -1), *_scaled(destination_circuits, -1)], lower=-1)


def _scaled(terms: Sum, factor: int) -> Sum:
    return [(variable, factor * coefficient) for variable, coefficient in terms]
