"""The rows of the program of circuits for the busy times of links and circuits."""

from itertools import permutations

import numpy as np

from .circuit_program import CircuitProgram, Sum, add_circuits, add_groups, add_routes, ordered
from .integer_program import IntegerProgram, Terms
from .traffic import ScaledTraffic

_MAX_UNSCALED = 1 << 16  # longer bottleneck times in ticks are counted in steps: solvers raise bounds value by value
_STEPS = 1 << 12  # minimum number of steps in a scaled bottleneck time
_PRECISION = 1 << 10  # of the coefficients of scaled times
_MAX_SUM = 1 << 53  # of busy times: solvers use 64-bit integers, or floats


def add_loads(program: CircuitProgram) -> Terms:
    """Add the busy times, which bound the bottleneck time from below, and return the terms of their total."""
    program.bottleneck = program.integers.variable(-(-program.limit // program.step))
    _add_relays(program)
    _add_uplinks(program)
    for node in range(program.traffic.hybrid.nodes):
        _add_node(program, node)
    if program.one_port:
        _add_far_ends(program)
    return _total(program)


def build_program(traffic: ScaledTraffic, max_circuits: int, limit: int) -> tuple[CircuitProgram, IntegerProgram]:
    """Return the program with the bottleneck time as the first objective and the total time as the second.

    It is a relaxation of the model for all assignments with a bottleneck time of at most `limit`: both objectives are
    lower bounds. They are counted in steps of ticks, with all coefficients rounded so that this stays true; the limit
    is exact to the tick.

    Parameters
    ----------
    traffic
        The traffic.
    max_circuits
        Maximum number of circuits.
    limit
        Upper limit of the busy time of any link or circuit, in ticks.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> from .solvers.cp_sat import solve
    >>> from .traffic import traffic_of
    >>> traffic = traffic_of(Hybrid(2, 2), stencil((2, 2)).message_list())
    >>> circuit_program, program = build_program(traffic, 2, 1000)
    >>> result = solve(program, 0, lambda: 10)
    >>> result.bound, circuit_program.circuits(result.values).pairs
    (32, ((0, 2), (1, 3)))
    """
    program = CircuitProgram(traffic, max_circuits, limit, 1 if limit < _MAX_UNSCALED else limit // _STEPS)
    add_circuits(program)
    add_groups(program)
    add_routes(program)
    total = add_loads(program)
    program.integers.objectives = ((program.bottleneck, 1),), total
    return program, program.integers


def _add_busy_time(program: CircuitProgram, ticks: int, terms: Sum, fixed: int = 0) -> None:
    """Bound the busy time of a resource, at `ticks` per unit of bits, by the bottleneck time.

    If a step is longer than a tick, the limit is a separate row. The bottleneck time is then at most 0.1 % too short:
    the ratio of a step to the ticks is approximated from above by a ratio of two small integers.
    """
    step_weight, bit_weight = 1, ticks
    if program.step > 1:
        program.integers.row(terms, upper=program.limit // ticks - fixed)
        bit_weight = -(-_PRECISION * ticks // program.step)
        step_weight = -(-bit_weight * program.step // ticks)
    program.integers.row(
        [(program.bottleneck, step_weight), *((v, -bit_weight * bits) for v, bits in terms)], lower=bit_weight * fixed
    )


def _add_relays(program: CircuitProgram) -> None:
    """Add the bits that nodes relay.

    Bits whose first circuit does not belong to their source are relayed through a node of the source's group that owns
    a circuit (an *owner*); bits whose last circuit does not belong to their destination, through an owner in the group
    of the destination.
    """
    traffic, integers, hybrid = program.traffic, program.integers, program.traffic.hybrid
    total_bits = int(traffic.sent.sum())
    for (node, group), circuits in program.circuits_into.items():
        program.relayed[node, group] = integers.variable(total_bits)
        integers.row(
            [*((v, total_bits * coefficient) for v, coefficient in circuits), (program.relayed[node, group], -1)],
            lower=0,
        )
    for node in range(hybrid.nodes):
        program.received[node], program.forwarded[node] = (
            integers.variable(total_bits),
            integers.variable(total_bits),
        )
        for terms, inner in (
            (_entering(program, node), traffic.inner[:, node]),
            (_leaving(program, node), traffic.inner[node]),
        ):
            # Without a circuit a node relays nothing, and with one no more than its link has room for.
            free = program.limit // traffic.node - int(inner.sum())
            integers.row(
                [(program.owner[node], max(free, 0)), *((v, -coefficient) for v, coefficient in terms)], lower=0
            )
    for group in range(hybrid.groups):
        _add_relays_of_group(program, range(group * hybrid.nodes_per_group, (group + 1) * hybrid.nodes_per_group))
    if program.one_port:
        _add_relays_by_group(program)


def _add_relays_of_group(program: CircuitProgram, nodes: range) -> None:
    """Require that the nodes of a group relay the bits that use a circuit of another one of them, in and out."""
    outgoing = [(pair, routes) for pair, routes in program.routes.items() if pair[0] in nodes]
    incoming = [(pair, routes) for pair, routes in program.routes.items() if pair[1] in nodes]
    entering = [
        (v, -bits)
        for pair, routes in outgoing
        for v, bits in _bits(program, pair, (routes.last, routes.via_other_circuits))
    ]
    leaving = [
        (v, -bits)
        for pair, routes in incoming
        for v, bits in _bits(program, pair, (routes.first, routes.via_other_circuits))
    ]
    program.integers.row([term for node in nodes for term in _entering(program, node)] + entering, lower=0)
    program.integers.row([term for node in nodes for term in _leaving(program, node)] + leaving, lower=0)


def _add_relays_by_group(program: CircuitProgram) -> None:
    """Require that traffic relayed between two joined groups uses the circuits that join them."""
    hybrid, total_bits = program.traffic.hybrid, int(program.traffic.sent.sum())
    for a, b in permutations(range(hybrid.groups), 2):
        nodes = range(a * hybrid.nodes_per_group, (a + 1) * hybrid.nodes_per_group)
        pairs = [pair for pair in program.routes if pair[0] in nodes and hybrid.group_of(pair[1]) == b]
        others = [(program.routes[pair].via_other_circuits, -int(program.traffic.sent[pair])) for pair in pairs]
        only_via_others = [(program.reached[ordered(a, b)], total_bits), (program.joined[ordered(a, b)], -total_bits)]
        program.integers.row([*((program.relayed[node, b], 1) for node in nodes), *others, *only_via_others], lower=0)


def _bits(program: CircuitProgram, pair: tuple[int, int], variables: tuple[int, ...]) -> Sum:
    return [(variable, int(program.traffic.sent[pair])) for variable in variables]


def _entering(program: CircuitProgram, node: int) -> Sum:
    return [*program.relays_to(node), (program.received[node], 1)]


def _leaving(program: CircuitProgram, node: int) -> Sum:
    return [(program.forwarded[node], 1)]


def _add_uplinks(program: CircuitProgram) -> None:
    """Add the uplinks and downlinks: they carry the traffic between groups that circuits do not connect."""
    traffic, hybrid = program.traffic, program.traffic.hybrid
    groups, bits = hybrid.groups, hybrid.between_groups(traffic.sent)
    np.fill_diagonal(bits, 0)
    for group in range(groups):
        for row in (bits[group], bits[:, group]):
            saved = [(program.reached[ordered(group, b)], -int(row[b])) for b in range(groups) if b != group]
            _add_busy_time(program, traffic.up, saved, int(row.sum()))


def _add_node(program: CircuitProgram, node: int) -> None:
    """Add the link of a node, out and in: the traffic that does not use its own circuits, and relayed traffic."""
    traffic = program.traffic
    outgoing, incoming = [], []
    for (source, destination), routes in program.routes.items():
        if source == node:
            outgoing += [
                (v, -bits)
                for v, bits in _bits(program, (source, destination), (routes.direct, routes.first, routes.both))
            ]
        elif destination == node:
            incoming += [
                (v, -bits)
                for v, bits in _bits(program, (source, destination), (routes.direct, routes.last, routes.both))
            ]
    _add_busy_time(program, traffic.node, [*outgoing, *_leaving(program, node)], int(traffic.sent[node].sum()))
    _add_busy_time(program, traffic.node, [*incoming, *_entering(program, node)], int(traffic.sent[:, node].sum()))


def _add_far_ends(program: CircuitProgram) -> None:
    """Add the traffic that nodes with one port relay for the far end of their circuit.

    All bits that a node sends over its circuit, except those for the far end itself, leave the far end over its link;
    so do relayed bits. All bits that it receives over its circuit, except those of the far end, have entered there.
    """
    integers, total_bits = program.integers, int(program.traffic.sent.sum())
    all_received: Sum = []
    for node in range(program.traffic.hybrid.nodes):
        sent: Sum = list(program.relays_to(node))
        direct: Sum = []
        received: Sum = []
        for (source, destination), routes in program.routes.items():
            if source == node:
                sent += _bits(program, (source, destination), (routes.first, routes.both))
                direct += _bits(program, (source, destination), (routes.direct,))
            elif destination == node:
                received += _bits(program, (source, destination), (routes.last, routes.both))
        all_received += [(v, -bits) for v, bits in received]
        _add_busy_time(program, program.traffic.circuit, [*sent, *direct, (program.received[node], 1)])
        for (a, b), circuit in program.circuit.items():
            if node in (a, b):
                far = a + b - node
                for variable, terms in ((program.forwarded[far], sent), (program.received[far], received)):
                    negative = [(v, -bits) for v, bits in terms]
                    integers.row([(variable, 1), (circuit, -total_bits), *negative], lower=-total_bits)
    nodes = range(program.traffic.hybrid.nodes)
    integers.row([*((program.received[node], 1) for node in nodes), *all_received], lower=0)
    relays = [(variable, 1) for variable in program.relayed.values()]
    needed = [
        (v, -bits)
        for pair, routes in program.routes.items()
        for v, bits in _bits(program, pair, (routes.via_other_circuits, routes.longer))
    ]
    integers.row([*relays, *needed], lower=0)


def _total(program: CircuitProgram) -> Terms:
    """Return the terms of the total busy time: the cost of the route of every bit, as routes have minimum cost."""
    traffic = program.traffic
    segment, circuit = 2 * traffic.node, traffic.circuit
    two_ends = 2 * circuit + segment if program.one_port else min(2 * circuit + segment, 2 * circuit)
    # Objectives have no constant, so a variable that is always 1 carries it.
    constant_one = program.integers.variable()
    program.integers.row([(constant_one, 1)], lower=1)
    fixed = segment * int(traffic.inner.sum())
    terms: Sum = []
    for pair, routes in program.routes.items():
        bits = int(traffic.sent[pair])
        packet_network_cost = segment + 2 * traffic.up
        fixed += packet_network_cost * bits
        groups = (traffic.hybrid.group_of(node) for node in pair)
        costs = {
            routes.direct: circuit,
            routes.first: circuit + segment,
            routes.last: circuit + segment,
            routes.both: two_ends,
        }
        costs |= {
            routes.via_other_circuits: circuit + 2 * segment,
            routes.longer: circuit + segment,
            program.reached[ordered(*groups)]: -packet_network_cost,
        }
        terms += [(variable, cost * bits) for variable, cost in costs.items()]
    merged: dict[int, int] = {}
    for variable, cost in [*terms, (constant_one, fixed)]:
        merged[variable] = merged.get(variable, 0) + cost
    program.total_step = -(-sum(map(abs, merged.values())) // _MAX_SUM)
    # Rounded down, negative costs as well, so that the total in steps stays a lower bound.
    return tuple((variable, cost // program.total_step) for variable, cost in merged.items())
