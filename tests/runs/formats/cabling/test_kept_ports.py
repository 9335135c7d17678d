"""The ports of a built design that cables keep: those that stay where they are, and those of nodes."""

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, Layout, Network, Site, dual_cube
from isoplane.models.cabling.cable_list import cable_list, interface_ports
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.runs.exports.kept_ports import rewired
from tests.cases import for_each, require_refusal

from .files_of import contents, rows

SITE = Site(Layout(aspects=(), switches_per_rack=3))
CUBES = dual_cube(3, (3, 5, 7), nodes_per_switch=1).family
FAMILIES = [CUBES, Torus(shape=(2, 5), node_cable_m=2), Torus(shape=(4, 4), ties="parity", node_cable_m=2)]


def as_fabric(network):
    """The network as an imported fabric whose switches number their ports in any order, some of them free."""
    planes, every = [], cable_list(network.cabling)
    for number, plane in enumerate(network.cabling):
        random, cables = np.random.default_rng(number), every.where(every.plane == number)
        most = int(plane.ports_used.max()) + 3
        port = np.array([random.permutation(most) + 1 for _ in range(plane.topology.switches)])
        near = port[cables.switch, cables.switch_port]
        far = port[np.where(cables.to_node, 0, cables.other), np.where(cables.to_node, 0, cables.other_port)]
        ends = np.column_stack([cables.switch, near, cables.other, far])[~cables.to_node].tolist()
        links = np.column_stack([cables.other, cables.switch, near])[cables.to_node].tolist()
        planes.append(FabricPlane(switches=len(port), cables=tuple(map(tuple, ends)), nodes=tuple(map(tuple, links))))
    return Network(Fabric(planes=tuple(planes), assumed_cable_m=None), network.site)


def ends_of(network):
    """The device and the port at both ends of each cable."""
    cables = cable_list(network.cabling)
    columns = (cables.plane, cables.to_node, cables.switch, cables.switch_port, cables.other, cables.other_port)
    return Counter(zip(*(column.tolist() for column in columns), strict=True))


@for_each("family", FAMILIES)
def test_nothing_moves_if_only_the_ports_of_the_built_fabric_are_numbered_otherwise(family):
    design = Network(family, SITE)
    built = as_fabric(design)
    wired = rewired(design, built)
    assert ends_of(wired) == ends_of(built) != ends_of(design)
    assert rows(contents("cabling", Design(design), rewired_from=Design(built))["moves.csv"]) == []


def visited(network, cabled):
    """The devices on each source route of a network, by ports of cabled devices."""
    far = {}
    for plane, to_node, switch, port, other, other_port in ends_of(cabled):
        near, away = (plane, switch), (None if to_node else plane, other)
        far[near, port], far[away, other_port] = away, near
    found = []
    for row in rows(contents("source_routes", Design(network), rewired_from=Design(cabled))["routes.csv"]):
        found.append([(None, int(row["source"]))])
        for port in (row["source_rail"], *row["ports"].split()):
            found[-1].append(far[found[-1][-1], int(port)])
    return found


@for_each("family", FAMILIES)
def test_routes_lead_over_the_same_devices_at_the_ports_in_use(family):
    design = Network(family, SITE)
    assert visited(design, as_fabric(design)) == visited(design, design)


def test_a_switch_takes_more_ports_only_if_the_design_does():
    # A star of switches becomes a ring: the middle one has fewer cables afterwards, the others more.
    nodes = tuple((node, node, 1) for node in range(4))
    star = FabricPlane(switches=4, cables=((0, 5, 1, 7), (0, 6, 2, 7), (0, 7, 3, 7)), nodes=nodes)
    ring = Network(Torus(shape=(4,), node_cable_m=2), SITE)  # whose cables are at ports 1 and 2, and nodes at 3
    ports = [set() for _ in range(4)]
    for _, to_node, switch, port, other, other_port in ends_of(rewired(ring, Network(Fabric(planes=(star,)), SITE))):
        ports[switch].add(port)
        if not to_node:
            ports[other].add(other_port)
    assert ports == [{1, 5, 7}, {1, 2, 7}, {1, 2, 7}, {1, 2, 7}]


def test_a_rule_of_ports_is_refused_where_cables_keep_others():
    design = Network(CUBES, SITE)
    given = {"rewired_from": Design(as_fabric(design))}
    require_refusal(lambda: contents("plane_rule", Design(design), **given), "plane_rule: cables of plane 0 keep ")
    assert contents("plane_rule", Design(design), rewired_from=Design(design)) == contents("plane_rule", Design(design))


def fabric(links, adapter_ports=None):
    """Two switches with a cable at port 9, and links of one node in a plane, as switch and port."""
    nodes = tuple((0, *link) for link in links)
    plane = FabricPlane(switches=2, cables=((0, 9, 1, 9),), nodes=nodes, adapter_ports=adapter_ports)
    return Network(Fabric(planes=(plane,)))


def node_cables(cables):
    """Switch, port and port of the node of each node cable."""
    at = cables.to_node
    columns = (getattr(cables, name)[at].tolist() for name in ("switch", "switch_port", "other_port"))
    return list(zip(*columns, strict=True))


LINKS = st.permutations([(switch, port) for switch in (0, 1) for port in (1, 2, 3)])


@given(st.integers(1, 4), LINKS, LINKS, st.permutations(range(2, 8)))
def test_no_other_choice_among_the_built_ports_moves_fewer_node_cables(count, old, new, ports):
    built = fabric(old[:count], tuple((1, port) for port in ports[:count]))
    network = fabric(new[:count])
    before = {(*link, port) for link, port in zip(old, ports[:count], strict=False)}
    wired = rewired(network, built)
    cables = cable_list(wired.cabling)
    after = node_cables(cables)
    assert [each[:2] for each in after] == new[:count]
    assert sorted(port for *_, port in after) == sorted(ports[:count])
    best = max(
        len(before & {(*link, port) for link, port in zip(new, chosen, strict=False)})
        for chosen in permutations(ports[:count])
    )
    assert len(before & set(after)) == best
    assert interface_ports(wired.cabling)[0].tolist() == [port for *_, port in after]
    assert cables.adapter_port[cables.to_node].tolist() == [port for *_, port in after]


SWITCHES = MultiPlane(plane=HyperX(shape=(2,), nodes_per_switch=3, node_cable_m=2), planes=1, links_per_node=2)


@given(LINKS)
def test_no_other_choice_of_ports_moves_fewer_of_several_links_of_a_node(links):
    # In the design node 1 is at both switches, the others at one each; in the built one they are anywhere.
    nodes = tuple((place // 2, *links[place]) for place in range(6))
    built = Network(Fabric(planes=(FabricPlane(switches=2, cables=((0, 9, 1, 9),), nodes=nodes),)))
    design = Network(SWITCHES)
    before, wanted, after = (ends_of(network) for network in (built, design, rewired(design, built)))
    best = 1  # the cable between the switches
    for switch in (0, 1):
        links = [(near, other, rail) for _, to_node, near, _, other, rail in wanted if to_node and near == switch]
        ports = {port for _, _, near, port, *_ in before if near == switch} | set(range(1, len(links) + 1))
        best += max(
            sum(before[0, True, switch, port, *link[1:]] for link, port in zip(links, chosen, strict=True))
            for chosen in permutations(ports - {9}, len(links))
        )
    assert (before & after).total() == best


def test_ports_that_a_design_states_or_that_the_built_one_leaves_open_stay():
    stated, other, plain = fabric([(0, 1)], ((1, 2),)), fabric([(0, 1)], ((1, 5),)), fabric([(0, 1)])
    for network, built in ((other, stated), (plain, plain), (plain, None)):
        assert node_cables(cable_list(rewired(network, built).cabling)) == node_cables(cable_list(network.cabling))


def test_a_built_design_with_other_links_of_a_node_is_rejected_by_its_name():
    built, network = fabric([(0, 1), (1, 1)], ((1, 2), (1, 3))), fabric([(0, 1)])
    require_refusal(lambda: rewired(network, built), "rewired_from: links of N0 in plane 0: 2 in ")


def test_places_that_are_not_bought_are_left_out_if_the_built_design_has_only_the_nodes_that_are():
    nodes = tuple((node, switch, 8 + node % 2) for node, switch in enumerate((0, 0, 1, 2, 2)))
    path = FabricPlane(switches=3, cables=((0, 1, 1, 1), (1, 2, 2, 1)), nodes=nodes)
    built = Network(Fabric(planes=(path,)), SITE)
    ring = Network(Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2), SITE)
    wired = rewired(ring, built, nodes=5)
    assert (wired.nodes, wired.title) == (5, "torus 3, with 5 of its 6 nodes")
    assert [plane.node_switch.tolist() for plane in wired.planes] == [[0, 0, 1, 2, 2]]
    assert node_cables(cable_list(wired.cabling)) == node_cables(cable_list(built.cabling))
    assert len(wired.floor.of_nodes) == 5
    whole = cable_list(rewired(ring, built).cabling)  # with a sixth node, which is new, at the place that is left
    assert dict(zip(whole.other[whole.to_node].tolist(), whole.switch[whole.to_node].tolist(), strict=True))[5] == 1


@given(st.lists(st.sampled_from(range(4)), min_size=1, max_size=5), st.permutations(range(4)), st.integers(0, 2))
def test_built_nodes_get_the_places_where_most_of_their_cables_stay(switches, numbers, further):
    # In both planes a node of the built fabric is anywhere; the design has two places at each switch.
    cables = tuple((switch, 9, (switch + 1) % 4, 8) for switch in range(4))
    ends = [[(node, switch, 1 + node) for node, switch in enumerate(switches)] for _ in range(2)]
    ends[1] = [(node, numbers[switch], port) for node, switch, port in ends[1]]
    built = Network(Fabric(planes=tuple(FabricPlane(switches=4, cables=cables, nodes=tuple(each)) for each in ends)))
    design = Network(MultiPlane(plane=Torus(shape=(4,), nodes_per_switch=2, node_cable_m=2)))
    wired = rewired(design, built, nodes=len(switches) + further)
    assert wired.nodes == len(switches) + further
    before, after = (
        [tuple(int(plane.node_switch[node]) for plane in network.planes) for node in range(network.nodes)]
        for network in (built, wired)
    )
    assert not Counter(after) - Counter((switch, switch) for switch in range(4) for _ in range(2))

    def kept(places):
        return sum(a == b for node, place in zip(before, places, strict=True) for a, b in zip(node, place, strict=True))

    choices = permutations([(switch, switch) for switch in range(4) for _ in range(2)], len(switches))
    assert kept(after[: len(switches)]) == max(map(kept, choices))
    assert ends_of(pickle.loads(pickle.dumps(wired))) == ends_of(wired)
    stay = Counter(end[:3] + end[4:5] for end in ends_of(built)) & Counter(end[:3] + end[4:5] for end in ends_of(wired))
    assert (ends_of(built) & ends_of(wired)).total() == stay.total()  # at their ports, too


def test_a_node_that_is_added_has_one_adapter_beside_the_stated_ones():
    built = fabric([(0, 1), (1, 1)], ((1, 2), (2, 2)))
    plane = FabricPlane(switches=2, cables=((0, 9, 1, 9),), nodes=((0, 0, 1), (0, 1, 1), (1, 0, 2), (1, 1, 2)))
    cables = cable_list(rewired(Network(Fabric(planes=(plane,))), built).cabling)
    adapters = [column[cables.to_node].tolist() for column in (cables.other, cables.adapter, cables.adapter_port)]
    assert list(zip(*adapters, strict=True)) == [(0, 1, 2), (0, 2, 2), (1, 1, 1), (1, 1, 2)]


def test_further_racks_have_to_fit_the_layout_of_the_built_design():
    ring, torus = (Network(Torus(shape=shape, node_cable_m=2), Site(Layout())) for shape in ((8,), (12,)))
    says = (
        "rewired_from: 1 further racks beside 2 that are built, with the layout of this record: layout.aspects=[4, 2]: "
    )
    require_refusal(lambda: rewired(torus, ring).floor, says)


def test_a_design_with_more_planes_or_nodes_inside_of_switches_is_refused():
    ring = Torus(shape=(4,), node_cable_m=2)
    two, inside = Network(MultiPlane(plane=ring, planes=2)), Network(Torus(shape=(4,)))
    require_refusal(lambda: rewired(two, Network(ring)), " has P1-S0, but not torus 4; ")
    for network, built in ((inside, Network(ring)), (Network(ring), inside)):
        require_refusal(lambda pair=(network, built): rewired(*pair), "has N0, but not ")
