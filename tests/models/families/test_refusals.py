"""What is no network of a family: one line that names the key, the value and what is allowed."""

from dataclasses import replace

from isoplane.models import Hybrid, Network, OpticalOverlay, dual_cube
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.graph import Graph
from isoplane.models.families.hybrid import tree_of
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree as Tree
from isoplane.models.families.xpander import Xpander
from isoplane.models.mathematics.random_graphs import random_regular_edges
from tests.cases import for_each, require_refusal
from tests.models.families.members import FABRIC, PAIR

BALANCED_32 = {"leaves_per_group": 32, "spines_per_group": 32, "global_ports": 32, "groups": 1025, "nodes_per_leaf": 32}


def overlay(**values):
    """An overlay over a direct network of 12 nodes, unless another is given."""
    return OpticalOverlay(**({"packet": Torus(shape=(4, 3))} | values))


def built(family):
    """The planes of a family."""
    return Network(family).planes


SIZES = [
    (lambda: SlimFly(q=6), "network.q=6: expected a prime power, such as 5 or 7"),
    (lambda: SlimFly(q=2), "network.q=2: expected an integer from 3 to 89"),
    (lambda: PolarFly(q=10), "network.q=10: expected a prime power, such as 9 or 11"),
    (lambda: PolarFly(q=128), "network.q=128: expected an integer from 2 to 127"),
    (lambda: OrthogonalFatTree(q=6), "network.q=6: expected a prime power, such as 5 or 7"),
    (lambda: OrthogonalFatTree(sides=3), "network.sides=3: expected an integer from 1 to 2"),
    (lambda: LeafSpine(leaf_switches=1), "network.leaf_switches=1: expected an integer from 2"),
    (lambda: LeafSpine(spine_switches=0), "network.spine_switches=0: expected an integer from 1"),
    (lambda: LeafSpine(cables_per_pair=129), "network.cables_per_pair=129: expected an integer from 1 to 128"),
    (lambda: FullMesh(layers=0), "network.layers=0: expected an integer from 1"),
    (lambda: FullMesh(nodes_per_leaf=0), "network.nodes_per_leaf=0: expected an integer from 1"),
    (lambda: FatTree(5), "network.switch_ports=5: expected an even number"),
    (lambda: FatTree(74), "network.switch_ports=74: expected an integer from 2 to 72"),
    (lambda: FatTree(assumed_cable_m=-1), "network.assumed_cable_m=-1"),
    (lambda: FatTree(cables_per_pair=5), "network.cables_per_pair=5: expected an integer from 1 to 4"),
    (lambda: FatTree(12, cables_per_pair=(2, 4)), "network.cables_per_pair=(2, 4): expected divisors of 6, half of"),
    (lambda: FatTree(cables_per_pair=(1, 2, 1)), "cables_per_pair=[1, 2, 1]: expected one number, or 2, one per level"),
    (lambda: Dragonfly(groups=10), "network.groups=10: expected an integer from 2 to 9"),
    (lambda: Dragonfly(arrangement="palm"), "network.arrangement='palm': expected absolute, relative, circulant"),
    (lambda: Dragonfly(routing="ugal"), "network.routing='ugal': expected minimal, up_down, shortest, hop_classes"),
    (lambda: Dragonfly(global_ports=0), "network.global_ports=0: expected an integer from 1 to 128"),
    (lambda: Megafly(groups=18), "network.groups=18: expected an integer from 2 to 17"),
    (lambda: Megafly(spines_per_group=0), "network.spines_per_group=0: expected an integer from 1 to 256"),
    (lambda: Megafly(leaves_per_group=257), "network.leaves_per_group=257: expected an integer from 1 to 256"),
    (lambda: Megafly(global_ports=0), "network.global_ports=0: expected an integer from 1 to 128"),
    (lambda: Megafly(**BALANCED_32).routes(), f"{1025 * 33} x {1025 * 1024} routes to nodes; expected at most"),
    (lambda: HyperX(shape=(4, 1)), "network.shape=1: expected an integer from 2 to"),
    (lambda: HyperX(cables_per_pair=0), "network.cables_per_pair=0: expected an integer from 1 to 256"),
    (lambda: HyperX(cables_per_pair=(1, 2, 3)), "network.cables_per_pair=[1, 2, 3]: expected one number, or 2, one"),
    (lambda: HyperX(shape=(70000,)).topology(), "shape=[70000]: 69999 ports per switch; expected at most 65534"),
    # 128² switches, and two columns for each: twice as many routes as there may be.
    (
        lambda: HyperX(shape=(128, 128), cables_per_pair=2, nodes_per_switch=4).routes(),
        f"{2**14} x {2**15} routes to nodes over parallel cables; expected at most",
    ),
    (lambda: RandomRegular(switches=9, degree=3), "network.degree=3: expected an even number for 9 switches"),
    (lambda: RandomRegular(switches=9, degree=9), "network.degree=9: expected an integer from 3 to 8"),
    (lambda: RandomRegular(switches=3), "network.switches=3: expected an integer from 4 to 16384"),
    (lambda: RandomRegular(seed=-1), "network.seed=-1: expected an integer of at least 0"),
    (lambda: RandomRegular(routing="ecmp"), "network.routing='ecmp': expected up_down, shortest, hop_classes"),
    (lambda: random_regular_edges(7, 3, 1), "degree=3: expected an even number for 7 switches"),
    (lambda: Xpander(degree=2), "network.degree=2: expected an integer from 3 to 512"),
    (lambda: Xpander(degree=7, lift=2049), "network.lift=2049: expected an integer from 1 to 2048"),
    (lambda: DirectHypercube.read({"n": 18}), "network.n=18: expected an integer from 1 to 17"),
    (lambda: DirectHypercube.read({"n": 1, "folded": True}), "network.n=1: expected an integer from 2 to 17"),
    (lambda: DirectHypercube.read({"n": 3, "folded": 1}), "network.folded=1: expected true or false"),
    (lambda: DirectHypercube.read({"n": 3, "generators": [1, 2]}), "2 generators; expected 3 independent generators"),
    (lambda: Torus(routing="x"), "network.routing='x': expected dimension_order, up_down, shortest, hop_classes,"),
    (lambda: RecursiveDiagonalTorus(routing="x"), "network.routing='x': expected turn_classes, vector, up_down"),
    (lambda: Torus(routing="shortest"), "network.datelines=true: "),
    (lambda: Torus(ties="random"), "network.ties='random': expected positive, parity"),
    (lambda: Torus(ties="parity", routing="balanced", datelines=False), "expected positive for network.routing=balanc"),
    (lambda: Torus(nodes_per_switch=2), "network.nodes_per_switch=2: expected 1 in a direct network"),
    (lambda: Graph.read({}), "network.file=null: expected an edge list or a GraphML file"),
    (lambda: built(Graph.read({"edges": [[0, 1], [2, 3]]})), "as with a cable from switch 0 to switch 2"),
    (lambda: Graph.read({"edges": [[0, 0]]}), "expected edges between two switches"),
]
TREES = [
    (lambda: Tree(parents=(2, 4, 4)), "network.parents[0]=2: expected 1, as every node has one link"),
    (lambda: Tree(parents=(1, 4)), "network.parents=[1, 4]: 2 levels; expected 3, as in network.children"),
    (lambda: Tree(children=(4,), parents=(1,)), "network.children=(4,): expected a list of 2 to 8 levels"),
    (lambda: Tree(children=4), "network.children=4: expected a list of 2 to 8 levels"),
    (lambda: Tree(children=(4, 4, 1)), "network.children[2]=1: expected an integer from 2 to 1024"),
    (lambda: Tree(children=(0, 4, 8)), "network.children[0]=0: expected an integer from 1 to 1024"),
    (lambda: Tree(parents=(1, 4, 0)), "network.parents[2]=0: expected an integer from 1 to 1024"),
    (lambda: Tree(children=(64,) * 3), "network=xgft (3; 64,64,64; 1,4,4): 262144 nodes; expected at most 131072"),
    (lambda: Tree(parents=(1, 512, 512)), "266272 switches; expected at most 131072"),  # 32 + 512 · 8 + 512²
    # Rows for level 1 and for 8⁵ + 8⁴ + 8³ + 8² + 8 + 1 subtrees, and columns for 2 · 8⁵ nodes.
    (
        lambda: Tree(children=(1, 2, 8, 8, 8, 8, 8), parents=(1,) * 7),
        f"{37450 * 65536} entries of the routing table; expected at most 268435456",
    ),
    (lambda: Tree(cables_per_pair=0), "network.cables_per_pair=0: expected an integer from 1 to 1024"),
    (lambda: Tree(cables_per_pair=(1, 2, 3)), "expected one number, or 2, one per level but the last"),
    (lambda: Tree(cables_per_pair=(2, 200)), "1600 cables of a switch between levels 2 and 3; expected at most"),
    (lambda: Tree(routing="shortest"), "network.routing='shortest': expected d_mod_k, random"),
    (lambda: Tree(seed=2), "network.seed=2: has no effect; allowed with network.routing=random"),
    (lambda: Tree(seed=-1, routing="random"), "network.seed=-1: expected an integer from 0 to 9223372036854775807"),
]
OF_OTHERS = [
    (lambda: Hybrid(groups=1), "network.groups=1"),
    (lambda: Hybrid(nodes_per_group=2000), "8000 nodes"),
    (lambda: Hybrid(circuit_gbps=0), "network.circuit_gbps=0"),
    (lambda: Hybrid(link_ns=-1), "network.link_ns=-1"),
    (lambda: built(Hybrid(2, node_gbps=1e-4)), "network.node_gbps=0.0001: expected an integer number of Mbit/s"),
    (lambda: built(Hybrid(2, up_gbps="6.4000001")), "network.up_gbps=6.4000001: "),
    (lambda: built(Hybrid(2, switch_ns="0.0001")), "network.switch_ns=0.0001: expected an integer number of ps"),
    (lambda: built(Hybrid(2, 2000)), "switch 0 has 2000 nodes"),
    (lambda: MultiPlane(plane=Torus()), "network.plane.node_cable_m=null: expected a length"),
    (lambda: MultiPlane(plane=dual_cube(3, (3, 5, 7)).family), "network.plane.family=hypercube: expected a family of"),
    (lambda: MultiPlane(planes=9), "network.planes=9: expected an integer from 1 to 8"),
    (lambda: MultiPlane(policy="fast"), "network.policy='fast': expected nearest"),
    (lambda: MultiPlane(plane=HyperX(shape=(3, 3), nodes_per_switch=1), links_per_node=2), "expected a divisor of 9"),
    (lambda: built(MultiPlane(plane=MultiPlane())), "has 2 planes; expected a family of one"),
    (lambda: MultiPlane.read({"planes": 2}), "network.plane=None: expected the keys of a family"),
    (lambda: overlay(group_size=5), "network.group_size=5: expected a divisor of 12 nodes with at least two groups,"),
    (lambda: overlay(group_size=0), "network.group_size=0: expected"),
    (lambda: overlay(packet=Torus(shape=(2,) * 11)), "has 2048 nodes; expected at most 1024"),
    (lambda: overlay(packet=Hybrid(2, 2)), "network.packet.family=hybrid: has circuits itself; expected a family"),
    (
        lambda: overlay(packet=Graph(edges=((0, 1), (1, 2), (2, 0)), nodes_per_switch=1), group_size=2),
        "network.group_size=2: expected a divisor of 3 nodes with at least two groups, such as 1",
    ),
    (lambda: overlay(circuit_gbps=0), "network.circuit_gbps=0: expected"),
    (lambda: overlay(circuit_ns=-1), "network.circuit_ns=-1: expected"),
    (lambda: overlay(packet_bytes=0), "network.packet_bytes=0: expected"),
    (lambda: OpticalOverlay.read({"packet": None}), "network.packet=None: expected the keys of a family, such as"),
    (lambda: tree_of(OpticalOverlay()), "network.family=optical_overlay: expected hybrid, whose packet network is"),
    (lambda: Fabric.read({"planes": []}), "0 planes; expected 1 to 8"),
    (lambda: Fabric.read({"planes": [{"switches": 2}]}), "keys switches; expected switches, cables, nodes and some of"),
    (lambda: Fabric.read({"planes": [3]}), "network.planes: 3; expected switches"),
    (lambda: Fabric.read({"planes": None}), "network.file=null: expected a file as isoplane import writes it"),
    (lambda: Fabric(planes=(PAIR,), routing="tables"), "network.routing='tables': expected balanced_up_down, up_down"),
    (
        lambda: Fabric(planes=(replace(PAIR, lengths_m=(2,)),), assumed_cable_m=None),
        "assumed_cable_m=null: expected a length",
    ),
    (lambda: Fabric.read({"planes": [PAIR], "nothing": 1}), "network.nothing: unknown"),
    (lambda: Fabric(planes=(replace(PAIR, adapter_ports=((1, 2), (1, 2))), PAIR)), "adapter_ports: none in plane 1;"),
]
THREE_NODES = ((0, 0, 1), (1, 1, 1), (2, 2, 3))
CONTRADICTIONS = [
    ({"cables": ((0, 3, 1, 5), (1, 5, 2, 1))}, "port 5 of switch 1 is used twice; expected one cable"),
    ({"nodes": ((0, 0, 3), (1, 1, 1), (2, 2, 3))}, "port 3 of switch 0 is used twice"),
    ({"nodes": ((1, 1, 1), (0, 0, 1))}, "not ascending by node; expected links in the order of nodes"),
    ({"nodes": ((0, 0, 1), (2, 1, 1))}, "node 1 has no link; expected one in a plane"),
    ({"nodes": ()}, "node 0 has no link; expected one"),
    (
        {"cables": ()},
        "components, of which the smallest is switch 0; expected connected switches, as with a cable from switch 0 to",
    ),
    ({"cables": ((0, 3, 3, 5),)}, "switch=3: expected an integer from 0 to 2"),
    ({"cables": ((0, 0, 1, 5),)}, "port=0: expected an integer from 1 to"),
    ({"cables": ((0, 2**64, 1, 1),)}, "cables=(0, 18446744073709551616, 1, 1): expected 4 integers of 64 bits"),
    ({"switches": 1 << 20, "cables": ((0, 4096, 1, 1),)}, "1048576 switches with cables at ports up to 4096; expected"),
    ({"cables": ((0, 1, 1),)}, "cables=(0, 1, 1): expected 4 integers"),
    ({"lengths_m": (1,)}, "lengths_m: 1 values; expected a number for each of 4"),
    ({"rates_gbps": (1, 1, None, 1)}, "rates_gbps: 4 values; expected a number for each"),
    ({"rates_gbps": (1, 1, 0.0001, 1)}, "rates_gbps=0.0001: expected a positive whole number of Mbit/s"),
    ({"tables": "x"}, "tables='x': expected the SHA-256"),
    ({"adapter_ports": ((1, 1), (1, 1))}, "adapter_ports: 2 pairs; expected an adapter and a port for each of 3"),
    ({"adapter_ports": ((1, 1), (1, 0), (1, 1))}, "adapter_ports: port=0: expected an integer from 1 to"),
    ({"adapter_ports": ((1, 1), (0, 1), (1, 1))}, "adapter_ports: adapter=0: expected an integer from 1 to"),
    ({"adapter_ports": (1, 1, 1)}, "adapter_ports=1: expected 2 integers"),
    (
        {"nodes": ((0, 0, 1), (1, 1, 1), (1, 2, 3)), "adapter_ports": ((1, 1), (1, 2), (1, 2))},
        "adapter_ports: port 2 of adapter 1 of node 1 is used twice; expected one link at each port",
    ),
]


@for_each(("make", "says"), SIZES + TREES + OF_OTHERS)
def test_a_wrong_parameter_is_named(make, says):
    require_refusal(make, says)


@for_each(("changes", "says"), CONTRADICTIONS)
def test_contradictions_in_a_fabric_are_rejected(changes, says):
    require_refusal(lambda: built(Fabric(planes=(replace(FABRIC, **{"nodes": THREE_NODES} | changes),))), says)
