"""Small members of every family, for facts that hold for all of them."""

from math import prod

from hypothesis import strategies as st

from isoplane.models import Hybrid, OpticalOverlay, cube_planes, dual_cube, family_named, family_names
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.graph import Graph
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.families.xgft import ExtendedFatTree
from isoplane.models.families.xpander import Xpander
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from tests.strategies import connected_edges, random_basis

ARRANGEMENTS = ("absolute", "relative", "circulant")
TREE_ROUTINGS = st.sampled_from([("d_mod_k", 1), ("random", 0), ("random", 7)])
FABRIC = FabricPlane(
    switches=3,
    cables=((0, 3, 1, 5), (1, 2, 2, 1), (2, 9, 0, 7), (0, 4, 1, 4)),  # with parallel cables between 0 and 1
    nodes=((0, 0, 1), (1, 1, 1), (1, 2, 3), (3, 2, 8)),  # node 1 has two links, node 2 none
)
WHOLE_FABRIC = FabricPlane(
    switches=4,
    cables=((0, 1, 1, 1), (1, 2, 2, 1), (2, 2, 3, 2), (3, 1, 0, 2)),
    nodes=tuple((node, node, 9) for node in range(4)),
)
PAIR = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2), (1, 1, 2)))
OTHER_FABRIC = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2), (2, 1, 2)))

shapes = st.lists(st.integers(2, 5), min_size=1, max_size=3).map(tuple).filter(lambda shape: prod(shape) <= 64)
attached = st.sampled_from([{}, {"nodes_per_switch": 3, "node_cable_m": 2}, {"node_cable_m": 0}])
leaf_spines = st.builds(
    LeafSpine,
    leaf_switches=st.integers(2, 6),
    spine_switches=st.integers(1, 5),
    nodes_per_leaf=st.integers(1, 6),
    cables_per_pair=st.integers(1, 3),
)
full_meshes = st.builds(FullMesh, layers=st.integers(1, 4), uplinks=st.integers(1, 5), nodes_per_leaf=st.integers(1, 4))
orthogonal_trees = st.builds(
    OrthogonalFatTree, q=st.sampled_from([2, 3, 4]), sides=st.integers(1, 2), nodes_per_leaf=st.integers(1, 5)
)


@st.composite
def dragonflies(draw, max_switches=36):
    """A dragonfly, balanced or not."""
    a, h = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    groups = draw(st.integers(2, max(2, min(a * h + 1, max_switches // a))))
    arrangement = draw(st.sampled_from(ARRANGEMENTS))
    return Dragonfly(switches_per_group=a, global_ports=h, groups=groups, arrangement=arrangement)


@st.composite
def megaflies(draw):
    """A Megafly, balanced or not."""
    spines, h = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    return Megafly(
        leaves_per_group=draw(st.integers(1, 4)),
        spines_per_group=spines,
        global_ports=h,
        groups=draw(st.integers(2, min(spines * h + 1, 8))),
        arrangement=draw(st.sampled_from(ARRANGEMENTS)),
        nodes_per_leaf=draw(st.integers(1, 4)),
    )


@st.composite
def fat_trees(draw):
    """A fat-tree with as many parallel cables of each level as divide half of the ports."""
    half = draw(st.integers(1, 6))
    divisors = [number for number in range(1, half + 1) if half % number == 0]
    cables = draw(st.sampled_from(divisors)), draw(st.sampled_from(divisors))
    routing, seed = draw(TREE_ROUTINGS)
    return FatTree(2 * half, draw(st.sampled_from([5, 2.5])), cables_per_pair=cables, routing=routing, seed=seed)


@st.composite
def extended_trees(draw, largest=60):
    """A tree of two to four levels with a limited number of nodes and of switches; half have parallel cables."""
    levels = draw(st.integers(2, 4))
    cables = draw(st.one_of(st.just(1), st.tuples(*[st.integers(1, 4)] * (levels - 1))))
    children, parents = [draw(st.integers(1, 5))], [1]
    for _ in range(levels - 1):
        children.append(draw(st.integers(1, max(2, min(6, largest // prod(children) // 2)))))
        parents.append(draw(st.integers(1, 5)))
    children[-1] = max(2, children[-1])
    routing, seed = draw(TREE_ROUTINGS)
    tree = ExtendedFatTree(tuple(children), tuple(parents), routing, seed, cables_per_pair=cables)
    return tree if tree.switches <= largest else ExtendedFatTree(tree.children, (1,) * levels, cables_per_pair=cables)


@st.composite
def hyperx(draw):
    """A HyperX network, most of them with parallel cables in some dimension."""
    shape = draw(shapes.filter(lambda shape: prod(shape) <= 30))
    cables = draw(st.lists(st.integers(1, 4), min_size=len(shape), max_size=len(shape)))
    return HyperX(shape=shape, cables_per_pair=tuple(cables), nodes_per_switch=draw(st.integers(1, 3)))


@st.composite
def regular_graphs(draw):
    """A random regular graph."""
    switches = draw(st.integers(4, 24))
    degree = draw(st.integers(3, switches - 1).filter(lambda degree: switches * degree % 2 == 0))
    return RandomRegular(switches=switches, degree=degree, seed=draw(st.integers(0, 1000)))


@st.composite
def free_graphs(draw):
    """A regular graph that a search may choose."""
    switches = draw(st.integers(4, 16))
    degree = draw(st.integers(3, switches - 1).filter(lambda degree: switches * degree % 2 == 0))
    return FreeGraph(switches=switches, degree=degree, nodes_per_switch=draw(st.integers(1, 3)))


@st.composite
def host_graphs(draw):
    """A graph for nodes and ports that a search may choose."""
    ports = draw(st.integers(4, 9))
    switches = draw(st.integers(2, 8))
    nodes = draw(st.integers(3, min(20, switches * (ports - 2) + 2)))
    keys = {"nodes": nodes, "ports": ports, "switches": switches, "planes": draw(st.integers(1, 3))}
    return HostGraph.read(keys)


def cubes(folded):
    """Two planes of cubes, plain or folded."""

    def of(n, nodes_per_switch):
        return cube_planes(dual_cube(n, random_basis(n, n).generators, folded).family.planes, nodes_per_switch)

    return st.builds(of, st.integers(2, 5), st.integers(1, 5))


def _direct_hypercube(n, folded, more):
    return DirectHypercube(n=n, folded=folded, generators=random_basis(n, n).generators, **more)


@st.composite
def relabelled(draw):
    """Planes in which switches have random places, also of a cube."""
    cube = cube_planes(dual_cube(3, (1, 2, 4)).family.planes[:1], nodes_per_switch=2)
    folded = cube_planes(dual_cube(4, (1, 2, 4, 8), folded=True).family.planes[:1], nodes_per_switch=1)
    sizes = [
        HyperX(shape=(3, 2), nodes_per_switch=4),
        SlimFly(q=3, nodes_per_switch=2),
        Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0),
        LeafSpine(leaf_switches=3, spine_switches=2, nodes_per_leaf=2),
        cube,
        folded,
    ]
    plane, planes = draw(st.sampled_from(sizes)), draw(st.integers(2, 3))
    moved = 3 if isinstance(plane, LeafSpine) else plane.switches  # the others have no nodes
    fixed = tuple(range(moved, plane.switches))
    given = planes - draw(st.integers(0, 1))  # that of plane 0, too, or not
    places = draw(st.tuples(*[st.permutations(range(moved)).map(lambda moved: (*moved, *fixed))] * given))
    policy, routing = draw(st.sampled_from([("nearest", None), ("nearest", "planned"), ("spray", None)]))
    mixed = draw(st.sampled_from([None, (planes - 1,), tuple(range(1, planes))])) if plane is cube else None
    rates = None if routing else draw(rates_of(planes))
    return Relabelled(
        plane=plane, planes=planes, places=places, folded=mixed, policy=policy, routing=routing, rates_gbps=rates
    )


def rates_of(planes):
    """Rates of planes in Gbit/s, or none."""
    return st.none() | st.tuples(*[st.sampled_from([100, 200, 400])] * planes)


@st.composite
def multi_planes(draw):
    """Several planes with one or more links to every node."""
    planes, links = draw(st.integers(1, 4)), draw(st.sampled_from([1, 2]))
    return MultiPlane(plane=draw(PLANES), planes=planes, links_per_node=links, rates_gbps=draw(rates_of(planes)))


PLANES = st.sampled_from(
    [
        HyperX(shape=(3, 2), nodes_per_switch=4),
        FatTree(switch_ports=4),
        FullMesh(layers=2, uplinks=3, nodes_per_leaf=2),
        SlimFly(q=3, nodes_per_switch=2),
        Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0),
    ]
)
CHOSEN = {
    "direct_hypercube": st.builds(_direct_hypercube, st.integers(2, 5), st.booleans(), attached),
    "dragonfly": dragonflies(),
    "fabric": st.builds(
        Fabric,
        planes=st.just((FABRIC, OTHER_FABRIC, WHOLE_FABRIC)),
        routing=st.sampled_from(["balanced_up_down", "shortest", "up_down", "hop_classes"]),
        policy=st.sampled_from(["nearest", "spray"]),
    ),
    "fat_tree": fat_trees(),
    "folded_hypercube": cubes(folded=True),
    "free_graph": free_graphs(),
    "full_mesh": full_meshes,
    "graph": st.builds(lambda edges: Graph(edges=tuple(edges), nodes_per_switch=2, node_cable_m=1), connected_edges(9)),
    "host_graph": host_graphs(),
    "hybrid": st.builds(Hybrid, st.integers(2, 5), st.integers(1, 5)),
    "hypercube": cubes(folded=False),
    "hyperx": hyperx(),
    "leaf_spine": leaf_spines,
    "megafly": megaflies(),
    "mesh": st.builds(lambda shape, more: Mesh(shape=shape, **more), shapes, attached),
    "multi_plane": multi_planes(),
    "oft": orthogonal_trees,
    "optical_overlay": st.builds(
        OpticalOverlay, packet=PLANES, ports_per_node=st.integers(1, 2), circuit_gbps=st.sampled_from([10, 12.5])
    ),
    "polar_fly": st.builds(PolarFly, q=st.sampled_from([2, 3, 4, 5]), nodes_per_switch=st.integers(1, 3)),
    "random_regular": regular_graphs(),
    "relabelled": relabelled(),
    "rdt": st.builds(lambda side, more: RecursiveDiagonalTorus(side=4 * side, **more), st.integers(1, 3), attached),
    "slim_fly": st.builds(SlimFly, q=st.sampled_from([3, 4, 5]), nodes_per_switch=st.integers(1, 3)),
    "torus": st.builds(
        lambda shape, ties, more: Torus(shape=shape, ties=ties, **more),
        shapes,
        st.sampled_from(["positive", "parity"]),
        attached,
    ),
    "xgft": extended_trees(),
    "xpander": st.builds(Xpander, degree=st.integers(3, 6), lift=st.integers(1, 5), seed=st.integers(0, 1000)),
}
# A family without a choice of its own is tested at its defaults.
MEMBERS = {name: CHOSEN.get(name, st.builds(family_named(name))) for name in family_names()}
