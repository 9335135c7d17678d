"""Busy times of links and circuits in the program of an assignment."""

from itertools import permutations

import numpy as np

from .assignment import CircuitProgram, Sum, add_circuits, add_groups, between
from .route_choices import add_ways
from .statement import Statement, Terms
from .traffic import Traffic

_FINE = 1 << 16  # a bottleneck time of so many ticks is counted in steps: solvers raise a bound value by value
_STEPS = 1 << 12
_PRECISION = 1 << 10
_MOST = 1 << 53  # no sum of busy times is larger: solvers count in 64 bits, or in floats


def add_loads(made: CircuitProgram) -> Terms:
    """Add the busy times, which the bottleneck time is not below, and return the total of them."""
    made.bottleneck = made.builder.variable(-(-made.limit // made.step))
    _add_relays(made)
    _add_links_up(made)
    for node in range(made.traffic.hybrid.nodes):
        _add_node(made, node)
    if made.one_port:
        _add_far_ends(made)
    return _total(made)


def state(traffic: Traffic, most: int, limit: int) -> tuple[CircuitProgram, Statement]:
    """Return the program whose first objective is the bottleneck time and whose second one is the total time.

    Both are at most those of the model for every assignment whose bottleneck time is `limit` at most. They are counted
    in steps of ticks, with all factors rounded so that they stay below the model's; the limit is kept to the tick.

    Parameters
    ----------
    traffic
        What is sent.
    most
        How many circuits there may be.
    limit
        Longest time that any link or circuit may be busy, in ticks.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> from .cp_sat import solve
    >>> from .traffic import traffic_of
    >>> traffic = traffic_of(Hybrid(2, 2), stencil((2, 2)).message_list())
    >>> program, statement = state(traffic, 2, 1000)
    >>> outcome = solve(statement, 0, lambda: 10)
    >>> outcome.bound, program.circuits(outcome.values).pairs
    (32, ((0, 2), (1, 3)))
    """
    made = CircuitProgram(traffic, most, limit, 1 if limit < _FINE else limit // _STEPS)
    add_circuits(made)
    add_groups(made)
    add_ways(made)
    total = add_loads(made)
    return made, made.builder.build(((made.bottleneck, 1),), total)


def _busy(made: CircuitProgram, ticks: int, terms: Sum, fixed: int = 0) -> None:
    """Add that a resource with so many ticks for a unit of bits is not busy for longer than the bottleneck time.

    Where a step is longer than a tick, the limit has a row of its own. The bottleneck time then is at most a thousandth
    too short: the ratio of two small factors is rounded up from that of a step and the ticks.
    """
    length, times = 1, ticks
    if made.step > 1:
        made.builder.row(terms, most=made.limit // ticks - fixed)
        times = -(-_PRECISION * ticks // made.step)
        length = -(-times * made.step // ticks)
    made.builder.row([(made.bottleneck, length), *((v, -times * bits) for v, bits in terms)], least=times * fixed)


def _add_relays(made: CircuitProgram) -> None:
    """Add what nodes relay.

    Bits that do not go over a circuit of their source first enter an owner of its group; those that do not go over a
    circuit of their destination last leave an owner of its group.
    """
    traffic, builder, hybrid = made.traffic, made.builder, made.traffic.hybrid
    whole = int(traffic.sent.sum())
    for (node, group), into in made.into.items():
        made.relayed[node, group] = builder.variable(whole)
        builder.row([*((v, whole * by) for v, by in into), (made.relayed[node, group], -1)], least=0)
    for node in range(hybrid.nodes):
        made.received[node], made.sent_on[node] = builder.variable(whole), builder.variable(whole)
        for enters, inner in (
            (_entering(made, node), traffic.inner[:, node]),
            (_leaving(made, node), traffic.inner[node]),
        ):
            free = made.limit // traffic.node - int(inner.sum())
            builder.row([(made.owner[node], max(free, 0)), *((v, -by) for v, by in enters)], least=0)
    for group in range(hybrid.groups):
        nodes = range(group * hybrid.nodes_per_group, (group + 1) * hybrid.nodes_per_group)
        out = [(pair, ways) for pair, ways in made.ways.items() if pair[0] in nodes]
        back = [(pair, ways) for pair, ways in made.ways.items() if pair[1] in nodes]
        enter = [(v, -bits) for pair, ways in out for v, bits in _bits(made, pair, (ways.last, ways.none))]
        leave = [(v, -bits) for pair, ways in back for v, bits in _bits(made, pair, (ways.first, ways.none))]
        builder.row([term for node in nodes for term in _entering(made, node)] + enter, least=0)
        builder.row([term for node in nodes for term in _leaving(made, node)] + leave, least=0)
    if made.one_port:
        _add_relays_by_group(made)


def _add_relays_by_group(made: CircuitProgram) -> None:
    """Add that relays between two joined groups use the circuits that join them."""
    hybrid, whole = made.traffic.hybrid, int(made.traffic.sent.sum())
    for a, b in permutations(range(hybrid.groups), 2):
        nodes = range(a * hybrid.nodes_per_group, (a + 1) * hybrid.nodes_per_group)
        pairs = [pair for pair in made.ways if pair[0] in nodes and hybrid.group_of(pair[1]) == b]
        none = [(made.ways[pair].none, -int(made.traffic.sent[pair])) for pair in pairs]
        longer = [(made.reached[between(a, b)], whole), (made.joined[between(a, b)], -whole)]
        made.builder.row([*((made.relayed[node, b], 1) for node in nodes), *none, *longer], least=0)


def _bits(made: CircuitProgram, pair: tuple[int, int], variables: tuple[int, ...]) -> Sum:
    return [(variable, int(made.traffic.sent[pair])) for variable in variables]


def _entering(made: CircuitProgram, node: int) -> Sum:
    return [*made.relays_to(node), (made.received[node], 1)]


def _leaving(made: CircuitProgram, node: int) -> Sum:
    return [(made.sent_on[node], 1)]


def _add_links_up(made: CircuitProgram) -> None:
    """Add the links up and down: they carry what goes between groups that circuits do not lead between."""
    traffic, hybrid = made.traffic, made.traffic.hybrid
    groups, bits = hybrid.groups, hybrid.between_groups(traffic.sent)
    np.fill_diagonal(bits, 0)
    for group in range(groups):
        for row in (bits[group], bits[:, group]):
            spared = [(made.reached[between(group, b)], -int(row[b])) for b in range(groups) if b != group]
            _busy(made, traffic.up, spared, int(row.sum()))


def _add_node(made: CircuitProgram, node: int) -> None:
    """Add the link of a node, out and in: all that does not use its own circuits, and what it relays."""
    traffic = made.traffic
    out, into = [], []
    for (source, destination), ways in made.ways.items():
        if source == node:
            out += [(v, -bits) for v, bits in _bits(made, (source, destination), (ways.direct, ways.first, ways.both))]
        elif destination == node:
            into += [(v, -bits) for v, bits in _bits(made, (source, destination), (ways.direct, ways.last, ways.both))]
    _busy(made, traffic.node, [*out, *_leaving(made, node)], int(traffic.sent[node].sum()))
    _busy(made, traffic.node, [*into, *_entering(made, node)], int(traffic.sent[:, node].sum()))


def _add_far_ends(made: CircuitProgram) -> None:
    """Add what nodes with one port do for the far end of their circuit.

    All that a node does not send to the far end of its circuit leaves there again, over the link of the far end; so do
    relays. All that it receives over its circuit, but from the far end, has entered there.
    """
    builder, whole = made.builder, int(made.traffic.sent.sum())
    all_received: Sum = []
    for node in range(made.traffic.hybrid.nodes):
        sent: Sum = list(made.relays_to(node))
        own: Sum = []
        got: Sum = []
        for (source, destination), ways in made.ways.items():
            if source == node:
                sent += _bits(made, (source, destination), (ways.first, ways.both))
                own += _bits(made, (source, destination), (ways.direct,))
            elif destination == node:
                got += _bits(made, (source, destination), (ways.last, ways.both))
        all_received += [(v, -bits) for v, bits in got]
        _busy(made, made.traffic.circuit, [*sent, *own, (made.received[node], 1)])
        for (a, b), circuit in made.circuit.items():
            if node in (a, b):
                far = a + b - node
                for variable, terms in ((made.sent_on[far], sent), (made.received[far], got)):
                    negative = [(v, -bits) for v, bits in terms]
                    builder.row([(variable, 1), (circuit, -whole), *negative], least=-whole)
    every = range(made.traffic.hybrid.nodes)
    builder.row([*((made.received[node], 1) for node in every), *all_received], least=0)
    relays = [(variable, 1) for variable in made.relayed.values()]
    two = [(v, -bits) for pair, ways in made.ways.items() for v, bits in _bits(made, pair, (ways.none, ways.longer))]
    builder.row([*relays, *two], least=0)


def _total(made: CircuitProgram) -> Terms:
    """Return the total busy time: the cost of its way for every bit, since routes are those of the least cost."""
    traffic = made.traffic
    leg, circuit = 2 * traffic.node, traffic.circuit
    two_ends = 2 * circuit + leg if made.one_port else min(2 * circuit + leg, 2 * circuit)
    one = made.builder.variable()
    made.builder.row([(one, 1)], least=1)
    fixed = leg * int(traffic.inner.sum())
    terms: Sum = []
    for pair, ways in made.ways.items():
        bits = int(traffic.sent[pair])
        apart = leg + 2 * traffic.up
        fixed += apart * bits
        groups = (traffic.hybrid.group_of(node) for node in pair)
        costs = {ways.direct: circuit, ways.first: circuit + leg, ways.last: circuit + leg, ways.both: two_ends}
        costs |= {ways.none: circuit + 2 * leg, ways.longer: circuit + leg, made.reached[between(*groups)]: -apart}
        terms += [(variable, cost * bits) for variable, cost in costs.items()]
    merged: dict[int, int] = {}
    for variable, cost in [*terms, (one, fixed)]:
        merged[variable] = merged.get(variable, 0) + cost
    made.total_step = -(-sum(map(abs, merged.values())) // _MOST)
    return tuple((variable, cost // made.total_step) for variable, cost in merged.items())
