"""What planes, routes and paths refuse: one line that names the value and what is allowed."""

from dataclasses import replace

import numpy as np

from isoplane.models import Network, Topology
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.hyperx import HyperX
from isoplane.models.planes.route_steps import route_steps
from isoplane.models.routing import (
    ARRIVED,
    ChannelRule,
    Detours,
    Paths,
    Routes,
    balanced_table,
    channel_cycle,
    check_up_routing,
    detour_channel_cycle,
    dragonfly_detours,
    dragonfly_minimal,
    forwarding_table,
    hop_classes,
    hops,
    links_of_route,
    shared_tables,
    torus_order,
    torus_parity_order,
    up_down,
)
from isoplane.models.topologies import GlobalCables, dragonfly, graph, torus
from tests.cases import for_each, require_refusal
from tests.models.trees import two_levels

ROUTES = torus_order((4, 3))


PATHS = Paths(np.zeros(13, dtype=np.uint32), np.zeros(0, dtype=np.uint16))


TABLE = Routes(
    "table",
    np.array([0, 0, 1]),
    next_port=np.array([[0, 0, 0], [0, 1, 1]], dtype=np.uint16),
    column=np.array([2, 0, 0, 1], dtype=np.int32),
    target_switch=np.array([0, 1, 1], dtype=np.int32),
)


PATH = graph([(0, 1), (1, 2)])


DATELINES = torus_order((5,), datelines=True)


EVERY_LINK = replace(DATELINES.channels, dateline=np.ones((5, 2), dtype=bool))


CLOCKWISE = Paths(np.array([0, 0, 1, 3, 5, 6], dtype=np.uint32), np.array([0, 0, 0, 1, 1, 1], dtype=np.uint16))


CABLES = GlobalCables(4, 2, 9, "relative")


MINIMAL, DETOURS = dragonfly_minimal(CABLES), dragonfly_detours(CABLES)


def rejected(switches, ports, *more):
    """The lengths of routes by offset in a ring, some of which do not exist."""
    table = np.array([ports], dtype=np.uint16)
    return hops(
        torus((switches,)), Routes("torus", np.zeros(switches, dtype=np.int32), table, *more, shape=(switches,))
    )


def changed(entries):
    """The steps of routes from switches 0 to 3 to all switches of a ring, with some other ports in the table."""
    ring, routes = torus((4,)), forwarding_table(torus((4,)))
    for at, port in entries.items():
        routes.next_port[at] = port
    source, target = np.divmod(np.arange(16), 4)
    return list(route_steps(ring, routes, source, target))


def as_paths(starts, ports):
    return Paths(np.array(starts, dtype=np.uint32), np.array(ports, dtype=np.uint16))


def table(next_port):
    """A table of all pairs of three switches."""
    return Routes("table", np.arange(3, dtype=np.int32), next_port=np.array(next_port, dtype=np.uint16))


def without_cable(topology, switch, port):
    """A topology without one cable."""
    peer, peer_port = topology.peer.copy(), topology.peer_port.copy()
    for end in ((switch, port), (peer[switch, port], peer_port[switch, port])):
        peer[end] = peer_port[end] = -1
    return Topology(peer, peer_port)


def by_column():
    """The lengths of the routes of a tree in which a spine sends packets for leaf 1 to leaf 2, and this back."""
    topology, table, target_switch = two_levels()
    table[4, 6] = 2
    columns = {"column": np.arange(16, dtype=np.int32), "target_switch": target_switch.astype(np.int32)}
    return hops(topology, Routes("table", np.arange(6), next_port=table.astype(np.uint16), **columns))


def to_regions(port):
    """The ends of routes to regions that all take one port of a path of three switches."""
    rule = ChannelRule(np.zeros(2, dtype=np.int32), np.ones((3, 2), dtype=np.bool_), classes=4, start=-1)
    return Detours(np.arange(3, dtype=np.int32), np.full((3, 3), port, dtype=np.uint16), rule).ends(PATH)


ENTRIES = "routes: expected 12 entries per row, as many as switches$"


INTEGERS = "expected integers from 0 to 2 in a one-dimensional array"


MISSING = without_cable(torus((4, 3)), 5, 0)


LOOP = [[ARRIVED, 0, 0], [1, ARRIVED, 1], [0, 1, ARRIVED]]


OF_ROUTES = [
    (lambda: replace(ROUTES, next_port=None), "^routes: expected either next ports or paths$"),
    (lambda: replace(ROUTES, paths=PATHS), "^routes: expected either next ports or paths$"),
    (lambda: replace(ROUTES, next_port=ROUTES.next_port[:, :9]), ENTRIES),
    (lambda: replace(ROUTES, next_port=ROUTES.next_port[0]), ENTRIES),
    (lambda: replace(ROUTES, next_port=None, paths=replace(PATHS, starts=PATHS.starts[1:])), ENTRIES),
    (lambda: replace(ROUTES, shape=(4, 4)), "^routes.shape=[4, 4]: expected a torus of 12 switches$"),
    (lambda: replace(TABLE, target_switch=None), "one column per node, with routes.target_switch, or neither of them"),
    (lambda: replace(TABLE, group="xor"), "routes.column: given with group=xor; expected tables of next ports"),
    (lambda: replace(TABLE, target_switch=TABLE.target_switch[:2]), "2 entries per row, as many as routes.target_sw"),
    (lambda: replace(TABLE, column=TABLE.column - 1), f"routes.column: -1 at 1; {INTEGERS}"),
    (lambda: replace(TABLE, target_switch=TABLE.target_switch + 2), f"routes.target_switch: 3 at 1; {INTEGERS}"),
    (lambda: replace(TABLE, column=TABLE.column[None]), "routes.column: an array of shape (1, 4); expected integers"),
    (lambda: TABLE.require_fit(PATH, np.array([1, 0, 0])), "routes.column: 4 nodes; expected 3, as in the plane"),
    (lambda: TABLE.require_fit(PATH, np.array([1, 0, 2, 1])), "routes.column=0 of node 2: leads to switch 0;"),
    (lambda: hops(torus((4, 3)), torus_order((4, 4))), "routes: 16 switches; expected 12, as in the topology"),
    (lambda: hops(torus((4, 3)), replace(ROUTES, row=np.arange(12))), "with 12 rows; expected the rows 0 to 0"),
    (
        lambda: hops(torus((4, 3)), replace(ROUTES, channels=torus_order((12,), datelines=True).channels)),
        "routes.channels: 2 ports; expected 4, as in the topology",
    ),
    (lambda: links_of_route(MISSING, ROUTES, 5, 6), "from 5 to 6 takes port 0 of switch 5; expected ports with a"),
    (lambda: hops(MISSING, ROUTES), "; expected ports with a cable"),
    (
        lambda: hops(torus((3,)), Routes("table", np.arange(3), next_port=np.array(LOOP, dtype=np.uint16))),
        "routes: the route from 0 to 2 returns to switch 1; expected routes without loops",
    ),
    (by_column, "the route from 0 to 1 via column 6 returns to switch 2; expected routes without loops"),
    (lambda: rejected(4, [ARRIVED, 0, ARRIVED, 1]), "the route from 0 to 2 ends at switch 0; expected its destination"),
    (
        lambda: hops(
            torus((4,)), Routes("torus", ROUTES.row[:4], paths=as_paths([0, 0, 1, 2, 3], [0, 0, 1]), shape=(4,))
        ),
        "routes: the route from 0 to 2 ends at switch 1; expected its destination",
    ),
    (lambda: rejected(3, [ARRIVED, 0, 7]), "the route from 0 to 2 takes port 7 of switch 0"),
    (
        lambda: links_of_route(torus((5,)), replace(DATELINES, channels=replace(DATELINES.channels, classes=1)), 4, 1),
        "routes: the route from 4 to 1 needs class 1 at switch 4; expected classes below 1",
    ),
    (lambda: changed({(0, 2): 0, (1, 2): 1}), "from 0 to 2 returns to switch"),  # and 1 sends them back to 0
    (lambda: changed({(1, 2): 7}), "from 1 to 2 takes port 7 of switch 1"),
    (
        lambda: list(
            route_steps(
                graph([(0, 1)]),
                Routes("table", np.arange(2, dtype=np.int32), paths=as_paths([0, 0, 1, 1, 1], [0])),
                np.array([0, 1]),
                np.array([1, 0]),
            )
        ),
        "from 1 to 0 ends at switch 1",
    ),
]


TABLES = [
    (
        lambda: forwarding_table(graph([(0, 1), (2, 3)])),
        "topology: 2 components, of which the smallest is switches 0, 1; expected",
    ),
    (lambda: forwarding_table(torus((256, 128))), "switches=32768: expected an integer from 1 to 16384"),
    (
        lambda: up_down(graph([(0, 1), (2, 3)])),
        "topology: 2 components, of which the smallest is switches 0, 1; expected",
    ),
    (lambda: up_down(torus((4,)), root=4), "root=4: expected an integer from 0 to 3"),
    (lambda: balanced_table(torus((4,)), [1, 1]), "weight: expected 4 integers from 0 to 1024"),
    (lambda: balanced_table(torus((4,)), [1, -1, 1, 1]), "weight: expected 4 integers from 0 to 1024"),
    (lambda: balanced_table(torus((4,)), [1, 1, 1, 5000]), "weight: expected 4 integers from 0 to 1024"),
    (lambda: hops(PATH, table([[0, 0, 0]] * 3)), "from 0 to 2 returns to switch 1; expected routes"),
    (lambda: hops(PATH, table([[0, 0, 1], [0, 0, 1], [0, 0, 0]])), "takes port 1 of switch 0; expected ports with"),
    (lambda: shared_tables([0, 1], [0, 0]), "next_port: an array of shape (2,) for 2 nodes; expected a row per switch"),
    (lambda: shared_tables([[0, 1]], [0]), "an array of shape (1, 2) for 1 nodes; expected a row per switch, with one"),
    (lambda: shared_tables([[0, -1]], [0, 0]), "next_port: int64 from -1 to 0; expected integers from 0 to 65535"),
    (lambda: shared_tables([[0, 1]], [0, 1]), "target_switch: int64 from 0 to 1; expected integers from 0 to 0"),
    (lambda: check_up_routing("shortest", 1), "network.routing='shortest': expected d_mod_k, random"),
    (lambda: check_up_routing("random", True), "network.seed=True: expected an integer from 0 to 9223372036854775807"),
    (lambda: check_up_routing("d_mod_k", 0), "network.seed=0: has no effect; allowed with network.routing=random"),
    # 1022 x 1022 offsets of 511 hops on average, for two parities: 1022² · 1022 / 2 · 2.
    (lambda: torus_parity_order((1022, 1022)), f"{1022**3} ports of source routes"),
]


CHANNELS = [
    (lambda: channel_cycle(torus((5,)), DATELINES, 1), "virtual_channels=1: expected an integer of at least 2"),
    (
        lambda: channel_cycle(torus((8,)), hop_classes(torus((8,)), forwarding_table(torus((8,)))), 3),
        "^virtual_channels=3: expected an integer of at least 4",
    ),
    (
        lambda: channel_cycle(torus((5,)), replace(DATELINES, channels=EVERY_LINK), 2),
        "a route needs 3; expected at least 3",
    ),
    (
        lambda: channel_cycle(torus((5,)), replace(DATELINES, channels=EVERY_LINK, next_port=None, paths=CLOCKWISE), 2),
        "routes.channels.classes=2: a route needs 3; expected at least 3",
    ),
    (lambda: detour_channel_cycle(dragonfly(CABLES), MINIMAL, DETOURS, 2), "=2: expected an integer of at least 3$"),
    (lambda: Network(Dragonfly(groups=2)).detours, "^detours.region: 2 regions; expected at least 3$"),
    (lambda: Network(HyperX(shape=(2,))).detours, "^detours.region: 2 regions; expected at least 3$"),
    (lambda: to_regions(0), "expected routes without loops"),
    (lambda: to_regions(1), "^detours.next_port=1 of switch 0 to region 1: expected a port with a cable$"),
]


@for_each(("make", "says"), OF_ROUTES + TABLES + CHANNELS)
def test_wrong_routes_are_named(make, says):
    require_refusal(make, says)


def test_the_target_of_a_node_is_its_column_or_its_switch():
    TABLE.require_fit(PATH, np.array([1, 0, 0, 1]))
    assert TABLE.targets(np.array([1, 0, 0, 1])).tolist() == [2, 0, 0, 1]
    assert TABLE.switch_of(np.array([2, 0])).tolist() == [1, 0]
    assert ROUTES.targets(np.array([7, 3])).tolist() == ROUTES.switch_of(np.array([7, 3])).tolist() == [7, 3]
    assert replace(ROUTES, next_port=None, paths=PATHS).columns == 12  # an entry for each row and offset
