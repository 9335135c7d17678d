"""Circuit assignment as an integer program, and circuits from its solutions.

The program knows for every message over which circuits it goes first and last, not which of equally near ways the
nodes between take: so all assignments keep to it, but not all of its solutions are as good as they look. `exact` makes
up for that.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

from isoplane.models.circuits import Circuits

from .statement import Builder, Row
from .traffic import Traffic

Sum = list[tuple[int, int]]  # terms of a row

_MAX_CUT_GROUPS = 6


@dataclass
class Ways:
    """How the bits of a pair of nodes may go, one 0-1 variable for each way that does not use the packet network.

    Attributes
    ----------
    direct
        Over a circuit that joins both.
    first, last, both
        Over a circuit of the source first, of the destination last, or both, with other nodes between.
    none
        Over circuits of other nodes.
    same
        `both` in third groups, where both circuits lead into one.
    longer
        Over more circuits than those ways need, for their groups are not joined.
    """

    direct: int
    first: int
    last: int
    both: int
    none: int
    same: list[int]
    longer: int


@dataclass
class CircuitProgram:
    """The variables of the program.

    Attributes
    ----------
    traffic, most
        What is sent; how many circuits there may be.
    limit
        Longest time that a link or circuit may be busy, in ticks.
    circuit
        By two nodes of different groups, the smaller first: whether a circuit joins them.
    copies
        By the same: whether so many circuits join them, 1 (which is `circuit`) and more where ports allow.
    into
        By node and group: circuits of the node that lead there.
    owner
        By node: whether it owns a circuit.
    joined, reached
        By two groups, the smaller first: whether a circuit joins them; whether circuits lead from one to the other.
    relayed, received, sent_on
        By node: bits that enter it for its circuits over its link, those of them that are for the far end of its
        circuit (with one port), and bits that leave it over its link after a circuit.
    ways
        By source and destination.
    bottleneck
        The longest busy time, in steps.
    step, total_step
        Ticks in a step of the bottleneck time and of the total time.
    """

    traffic: Traffic
    most: int
    limit: int
    step: int
    builder: Builder = field(default_factory=Builder)
    circuit: dict[tuple[int, int], int] = field(default_factory=dict)
    copies: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    into: dict[tuple[int, int], Sum] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    joined: dict[tuple[int, int], int] = field(default_factory=dict)
    reached: dict[tuple[int, int], int] = field(default_factory=dict)
    relayed: dict[tuple[int, int], int] = field(default_factory=dict)
    received: dict[int, int] = field(default_factory=dict)
    sent_on: dict[int, int] = field(default_factory=dict)
    ways: dict[tuple[int, int], Ways] = field(default_factory=dict)
    bottleneck: int = 0
    total_step: int = 1

    @property
    def one_port(self) -> bool:
        """Whether each node has one port."""
        return self.traffic.hybrid.ports_per_node == 1

    def circuits(self, values: list[int]) -> Circuits:
        """Return the circuits of a solution."""
        return Circuits(tuple(pair for pair, own in self.copies.items() for variable in own if values[variable]))

    def values(self, circuits: Circuits) -> dict[int, int]:
        """Return the variables of circuits, which tell a set of them."""
        there = Counter(circuits.pairs)
        return {v: int(number < there[pair]) for pair, own in self.copies.items() for number, v in enumerate(own)}

    def without(self, circuits: Circuits) -> Row:
        """Return the row that excludes one set of circuits."""
        terms = tuple((variable, 1 - 2 * there) for variable, there in self.values(circuits).items())
        return Row(terms, 1 - len(circuits))

    def relays_to(self, node: int) -> Sum:
        """Return the terms of what a node relays over its circuits for others."""
        groups = range(self.traffic.hybrid.groups)
        return [(self.relayed[node, group], 1) for group in groups if (node, group) in self.relayed]


def between(a: int, b: int) -> tuple[int, int]:
    """Return two numbers in ascending order."""
    return (a, b) if a < b else (b, a)


def add_circuits(made: CircuitProgram) -> None:
    """Add what nodes own: at most as many circuits as they have ports, and as there may be in all."""
    hybrid, builder = made.traffic.hybrid, made.builder
    pairs = [(a, b) for a, b in combinations(range(hybrid.nodes), 2) if hybrid.group_of(a) != hybrid.group_of(b)]
    parallel = max(min(hybrid.ports_per_node, made.most), 1)
    made.copies = {pair: [builder.variable() for _ in range(parallel)] for pair in pairs}
    made.circuit = {pair: own[0] for pair, own in made.copies.items()}
    builder.row([(variable, 1) for own in made.copies.values() for variable in own], most=made.most)
    for (a, b), copies in made.copies.items():
        made.into.setdefault((a, hybrid.group_of(b)), []).extend((variable, 1) for variable in copies)
        made.into.setdefault((b, hybrid.group_of(a)), []).extend((variable, 1) for variable in copies)
        for fewer, more in pairwise(copies):
            builder.row([(fewer, 1), (more, -1)], least=0)
    for node in range(hybrid.nodes):
        own = [term for (at, _), terms in made.into.items() if at == node for term in terms]
        made.owner[node] = builder.variable()
        builder.row([*own, (made.owner[node], -1)], least=0)
        builder.row([*own, (made.owner[node], -hybrid.ports_per_node)], most=0)


def add_groups(made: CircuitProgram) -> None:
    """Add which groups circuits join and lead to, and the links up that carry what goes between all others."""
    hybrid, builder = made.traffic.hybrid, made.builder
    pairs = list(combinations(range(hybrid.groups), 2))
    made.joined = {pair: builder.variable() for pair in pairs}
    made.reached = {pair: builder.variable() for pair in pairs}
    for pair, joins in made.joined.items():
        over = [v for (a, b), v in made.circuit.items() if (hybrid.group_of(a), hybrid.group_of(b)) == pair]
        builder.row([*((variable, 1) for variable in over), (joins, -1)], least=0)
        for variable in over:
            builder.row([(joins, 1), (variable, -1)], least=0)
        builder.row([(made.reached[pair], 1), (joins, -1)], least=0)
    for a, b, c in permutations(range(hybrid.groups), 3):
        legs = [(made.reached[between(a, b)], -1), (made.reached[between(b, c)], -1)]
        builder.row([(made.reached[between(a, c)], 1), *legs], least=-1)
    for side in _sides(hybrid.groups):
        across = [(v, 1) for (a, b), v in made.joined.items() if (a in side) != (b in side)]
        for (a, b), variable in made.reached.items():
            if (a in side) != (b in side):
                builder.row([*across, (variable, -1)], least=0)


def _sides(groups: int) -> list[set[int]]:
    """Return all cuts between few groups; between many, those around one."""
    most = groups // 2 if groups <= _MAX_CUT_GROUPS else 1
    return [set(side) for size in range(1, most + 1) for side in combinations(range(groups), size)]
