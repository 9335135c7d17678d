"""The integer program of circuits: its variables for circuits, joined groups and routes.

The program models the first and the last circuit of every message, but not the choice among equally short routes in
between. It is a relaxation: every assignment satisfies it, but the model may rate a solution worse than the program
does. `branch_and_check` closes that gap.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

from isoplane.models.circuits import Circuits

from .integer_program import IntegerProgram, Row
from .traffic import ScaledTraffic

Sum = list[tuple[int, int]]  # (variable, coefficient) terms of a row

_MAX_CUT_GROUPS = 6


@dataclass
class _RouteVariables:
    """The 0-1 variables of a pair of nodes, one for each kind of route over circuits.

    Attributes
    ----------
    direct
        Over a circuit that joins both nodes.
    first, last, both
        Over a circuit of the source first, of the destination last, or both, via other nodes.
    via_other_circuits
        Over circuits of other nodes only.
    third
        The cases of `both` in which both circuits lead into the same third group, by that group.
    longer
        Over additional circuits, because no circuit joins their groups.
    """

    direct: int
    first: int
    last: int
    both: int
    via_other_circuits: int
    third: list[int]
    longer: int


@dataclass
class CircuitProgram:
    """The integer program of circuits, and what each of its variables means.

    Attributes
    ----------
    traffic, max_circuits
        The traffic, and the maximum number of circuits.
    limit
        Upper limit of the busy time of a link or circuit, in ticks.
    circuit
        Whether a circuit joins two nodes of different groups, by pair of nodes in ascending order.
    copies
        Whether at least 1 (which is `circuit`), 2, ... parallel circuits join two nodes, by the same pair.
    circuits_into
        Circuits from a node into a group, by node and group.
    owner
        Whether a node owns a circuit, by node.
    joined, reached
        Whether a circuit joins two groups, and whether circuits connect them, by pair of groups in ascending order.
    relayed
        Bits that a node relays over its circuits into a group for other nodes, by node and group.
    received, forwarded
        Bits that enter a node over its link for the far end of its circuit (with one port), and bits that leave it over
        its link after a circuit, by node.
    routes
        The routes, by source and destination.
    bottleneck
        The bottleneck time, in steps.
    step, total_step
        Ticks in a step of the bottleneck time and of the total time.
    """

    traffic: ScaledTraffic
    max_circuits: int
    limit: int
    step: int
    integers: IntegerProgram = field(default_factory=IntegerProgram)
    circuit: dict[tuple[int, int], int] = field(default_factory=dict)
    copies: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    circuits_into: dict[tuple[int, int], Sum] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    joined: dict[tuple[int, int], int] = field(default_factory=dict)
    reached: dict[tuple[int, int], int] = field(default_factory=dict)
    relayed: dict[tuple[int, int], int] = field(default_factory=dict)
    received: dict[int, int] = field(default_factory=dict)
    forwarded: dict[int, int] = field(default_factory=dict)
    routes: dict[tuple[int, int], _RouteVariables] = field(default_factory=dict)
    bottleneck: int = 0
    total_step: int = 1

    @property
    def one_port(self) -> bool:
        """Whether each node has one port."""
        return self.traffic.hybrid.ports_per_node == 1

    def circuits(self, values: list[int]) -> Circuits:
        """Return the circuits of a solution."""
        return Circuits(tuple(pair for pair, copies in self.copies.items() for copy in copies if values[copy]))

    def values(self, circuits: Circuits) -> dict[int, int]:
        """Return the values of the circuit variables for a set of circuits, which determine it."""
        count = Counter(circuits.pairs)
        return {
            v: int(copy < count[pair]) for pair, variables in self.copies.items() for copy, v in enumerate(variables)
        }

    def no_good(self, circuits: Circuits) -> Row:
        """Return the no-good cut that excludes one set of circuits."""
        terms = tuple((variable, 1 - 2 * value) for variable, value in self.values(circuits).items())
        # The terms add up to the number of variables that differ, less that of the circuits: one must differ.
        return Row(terms, 1 - len(circuits))

    def relays_to(self, node: int) -> Sum:
        """Return the terms of the bits that a node relays over its circuits for others."""
        groups = range(self.traffic.hybrid.groups)
        return [(self.relayed[node, group], 1) for group in groups if (node, group) in self.relayed]


def ordered(a: int, b: int) -> tuple[int, int]:
    """Return two numbers in ascending order."""
    return (a, b) if a < b else (b, a)


def add_circuits(program: CircuitProgram) -> None:
    """Add the circuits of nodes, limited by their ports and by the maximum number of circuits."""
    hybrid, integers = program.traffic.hybrid, program.integers
    pairs = [(a, b) for a, b in combinations(range(hybrid.nodes), 2) if hybrid.group_of(a) != hybrid.group_of(b)]
    parallel = max(min(hybrid.ports_per_node, program.max_circuits), 1)
    program.copies = {pair: [integers.variable() for _ in range(parallel)] for pair in pairs}
    program.circuit = {pair: variables[0] for pair, variables in program.copies.items()}
    integers.row(
        [(variable, 1) for variables in program.copies.values() for variable in variables], upper=program.max_circuits
    )
    for (a, b), copies in program.copies.items():
        program.circuits_into.setdefault((a, hybrid.group_of(b)), []).extend((variable, 1) for variable in copies)
        program.circuits_into.setdefault((b, hybrid.group_of(a)), []).extend((variable, 1) for variable in copies)
        for fewer, more in pairwise(copies):
            # Parallel circuits are alike: their order removes solutions that differ by names only.
            integers.row([(fewer, 1), (more, -1)], lower=0)
    for node in range(hybrid.nodes):
        circuits = [term for (source, _), terms in program.circuits_into.items() if source == node for term in terms]
        program.owner[node] = integers.variable()
        integers.row([*circuits, (program.owner[node], -1)], lower=0)
        integers.row([*circuits, (program.owner[node], -hybrid.ports_per_node)], upper=0)


def add_groups(program: CircuitProgram) -> None:
    """Add the joined groups, and their transitive closure: the groups that circuits connect."""
    hybrid, integers = program.traffic.hybrid, program.integers
    pairs = list(combinations(range(hybrid.groups), 2))
    program.joined = {pair: integers.variable() for pair in pairs}
    program.reached = {pair: integers.variable() for pair in pairs}
    for pair, joined in program.joined.items():
        circuits = [v for (a, b), v in program.circuit.items() if (hybrid.group_of(a), hybrid.group_of(b)) == pair]
        integers.row([*((variable, 1) for variable in circuits), (joined, -1)], lower=0)
        for variable in circuits:
            integers.row([(joined, 1), (variable, -1)], lower=0)
        integers.row([(program.reached[pair], 1), (joined, -1)], lower=0)
    for a, b, c in permutations(range(hybrid.groups), 3):
        two_hops = [(program.reached[ordered(a, b)], -1), (program.reached[ordered(b, c)], -1)]
        integers.row([(program.reached[ordered(a, c)], 1), *two_hops], lower=-1)
    # The closure alone would let groups be reached without circuits: every cut between them must have one.
    for side in _sides(hybrid.groups):
        crossing = [(v, 1) for (a, b), v in program.joined.items() if (a in side) != (b in side)]
        for (a, b), variable in program.reached.items():
            if (a in side) != (b in side):
                integers.row([*crossing, (variable, -1)], lower=0)


def add_routes(program: CircuitProgram) -> None:
    """Add the routes of every two communicating nodes of different groups.

    With one port per node, and groups that a circuit joins, the route of minimum cost is the first of these that there
    is:

    - over the circuit of the source into the group of the destination (`direct` or `first`: one circuit, and at most
      one segment inside a group);
    - over the circuit of the destination into the group of the source (`last`);
    - over circuits of both into the same third group, if a circuit costs no more than a segment (`both`);
    - over a circuit of other nodes between the groups, with two segments (`via_other_circuits`).

    Groups that are connected only via other groups need one more circuit and segment.
    """
    for source, destination in program.traffic.pairs:
        _add_routes_between(program, source, destination)


def _add_routes_between(program: CircuitProgram, source: int, destination: int) -> None:
    hybrid, integers = program.traffic.hybrid, program.integers
    groups = hybrid.group_of(source), hybrid.group_of(destination)
    direct = program.circuit[ordered(source, destination)]
    first, last, both, others = (integers.variable() for _ in range(4))
    thirds = [group for group in range(hybrid.groups) if group not in groups] if program.one_port else []
    third = [integers.variable() for _ in thirds]
    routes = _RouteVariables(direct, first, last, both, others, third, integers.variable())
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


def _sides(groups: int) -> list[set[int]]:
    """Return one side of every cut between groups; if there are many groups, only the single groups."""
    max_size = groups // 2 if groups <= _MAX_CUT_GROUPS else 1
    return [set(side) for size in range(1, max_size + 1) for side in combinations(range(groups), size)]
