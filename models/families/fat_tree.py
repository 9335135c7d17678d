"""Three-level fat-trees of identical switches."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import ClassVar, Self

import numpy as np

from ..checks import Metres, check_cables_per_pair, check_int
from ..errors import InputError
from ..family_kinds.tree import TreeFamily
from ..family_kinds.uniform import format_shape
from ..planes.topology import Topology
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing.trees.up_choices import DEFAULT_SEED
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies.xgft import Shape

MAX_PORTS = 72  # 93,312 nodes


@dataclass(frozen=True)
class FatTree(TreeFamily):
    """A k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches below (k/2)² core switches.

    Each edge switch has k/2 nodes. Packets to node d go up through uplink d mod k/2 of an edge switch and uplink
    ⌊d / (k/2)⌋ mod k/2 of an aggregation switch (D-mod-k), and down the unique path; such routes are deadlock-free.
    Switches are numbered level by level, pods in order: edge, aggregation, core.

    Parallel cables make smaller trees of the same switches, still of full bisection. With q between edge and
    aggregation switches and p between aggregation and core switches, k/p pods have k/2q edge and k/2q aggregation
    switches each, and there are k²/4pq cores, of 5k²/4pq switches in all, and k³/4pq nodes. This is PGFT(3; k/2, k/2q,
    k/p; 1, k/2q, k/2p; 1, q, p), with routes as in `xgft_routes`.

    Parameters
    ----------
    switch_ports
        Ports of every switch, k; even.
    assumed_cable_m
        Length of all cables between switches, in metres; None if lengths follow from the layout.
    node_cable_m
        Length of the cable between a node and its switch.
    routing
        ``d_mod_k``, as above; ``random``: the same for a hash of the node, modulo (k/2)², in place of d.
    seed
        Seed of the hash.
    cables_per_pair
        Parallel cables between two switches, divisors of k/2: one number, or q and p.

    References
    ----------
    Al-Fares, Loukissas and Vahdat, A Scalable, Commodity Data Center Network Architecture, 2008, section 2.2.

    Examples
    --------
    >>> FatTree(switch_ports=16).nodes, FatTree(switch_ports=16).switches
    (1024, 320)
    >>> trunks = FatTree(switch_ports=32, cables_per_pair=(1, 8))
    >>> trunks.nodes, trunks.switches
    (1024, 160)
    """

    name: ClassVar[str] = "fat_tree"

    switch_ports: int = 8
    assumed_cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0
    routing: str = field(default="d_mod_k", metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=DEFAULT_SEED, metadata=ABSENT_IN_OLD_RECORDS)
    cables_per_pair: int | tuple[int, ...] = field(default=1, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        check_int("network.switch_ports", self.switch_ports, 2, MAX_PORTS)
        if self.switch_ports % 2:
            raise InputError(f"network.switch_ports={self.switch_ports}: expected an even number")
        cables = check_cables_per_pair(self.cables_per_pair, 2, "level but the last", self._half)
        object.__setattr__(self, "cables_per_pair", cables)
        for parallel in self._parallel:
            if self._half % parallel:
                raise InputError(
                    f"network.cables_per_pair={cables}: expected divisors of {self._half}, half of the ports"
                )
        self.check_fields()

    @property
    def _half(self) -> int:
        return self.switch_ports // 2

    @property
    def _parallel(self) -> tuple[int, ...]:
        """Parallel cables of edge and aggregation switches, and of aggregation and core switches, q and p."""
        return self.cables_per_pair if isinstance(self.cables_per_pair, tuple) else (self.cables_per_pair,) * 2

    @property
    def tree(self) -> Shape:
        """Children, parents and parallel cables as in `xgft`."""
        lower, upper = self._parallel
        pod = self._half // lower
        return (self._half, pod, self.switch_ports // upper), (1, pod, self._half // upper), (1, lower, upper)

    @property
    def size_label(self) -> str:
        """Ports of a switch, and the numbers of parallel cables if there are several."""
        parallel = "" if self.cables_per_pair == 1 else f", {format_shape(self._parallel)} cables per pair"
        return f"of {self.switch_ports}-port switches{parallel}"

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the smallest tree with at least `nodes` nodes, if its switches have at most `ports` ports.

        Examples
        --------
        >>> [tree.switch_ports for tree in FatTree.fitting(nodes=1500, ports=40)]  # 18³ / 4 = 1458
        [20]
        """
        trees = (cls(switch_ports=k) for k in range(2, min(ports, MAX_PORTS) + 1, 2))
        return (tree for tree in [next((tree for tree in trees if tree.nodes >= nodes), None)] if tree is not None)

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self]:
        """Yield all trees with at least `nodes` nodes, of full bisection whatever the taper; see `candidates`."""
        yield from cls.candidates(nodes, ports, Fraction(1), 1)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield all trees with at least `nodes` nodes and any numbers of parallel cables, by their costs.

        Examples
        --------
        >>> members = FatTree.candidates(1024, 36, throughput=Fraction(9, 10), links=1, costs=PartCosts(switch=1))
        >>> [(tree.switch_ports, tree.cables_per_pair, tree.switches) for tree in members][:3]
        [(32, (1, 8), 160), (32, (2, 4), 160), (32, (4, 2), 160)]
        """
        halves = range(links, min(ports, MAX_PORTS) // 2 + 1, links)
        trunks = ((half, [cables for cables in range(1, half + 1) if half % cables == 0]) for half in halves)
        trees = (
            cls(switch_ports=2 * half, cables_per_pair=cables)
            for half, numbers in trunks
            for cables in product(numbers, numbers)
            if 2 * half**3 >= nodes * prod(cables)
        )
        able = [tree for tree in trees if tree.throughput_bound >= throughput]
        yield from sorted(able, key=lambda tree: costs.of(tree.switches, tree.cables))

    @classmethod
    def of_tree(cls, shape: Shape) -> Self | None:
        """Return the tree with the switches and cables of a shape, if it is one.

        Examples
        --------
        >>> FatTree.of_tree(((2, 4, 8), (1, 4, 4), (1, 1, 1))).title  # half of the four places of an edge switch
        'fat_tree of 8-port switches'
        """
        (nodes, *_), parents, cables = shape
        half = parents[1] * cables[1] if len(parents) == 3 else MAX_PORTS
        if not nodes <= half <= MAX_PORTS // 2 or any(half % parallel for parallel in cables):
            return None
        tree = cls(switch_ports=2 * half, cables_per_pair=cables[1:])
        (_, *children), above, _ = tree.tree
        return tree if (tuple(children), above) == (shape[0][1:], parents) else None

    def topology(self) -> Topology:
        """Return the cables of `xgft`, with cores numbered by the aggregation switches below them, then by uplink."""
        tree, (_, pod, groups) = super().topology(), self.tree[1]
        cores = np.arange(pod * groups)
        first = tree.switches - len(cores)
        same = np.arange(first)
        # Roots above the same middle switch of every pod follow one another, as is usual in fat-trees; in XGFTs they
        # alternate.
        after = np.concatenate([same, first + cores % pod * groups + cores // pod])  # the new number of each switch
        before = np.concatenate([same, first + cores % groups * pod + cores // groups])
        return Topology(np.where(tree.peer < 0, -1, after[tree.peer])[before], tree.peer_port[before])
