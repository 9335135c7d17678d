"""Re-cabling, walked on the files alone."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from igraph import Graph

from isoplane.models import ConnectionSet, Design, Layout, Network, Plane, PriceList, Site, dual_cube
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.routing import forwarding_table
from isoplane.models.topologies import graph
from isoplane.runs.exports.built_design import device_names
from isoplane.runs.exports.cabling.rewiring import other_racks
from isoplane.runs.exports.exporter import Exported
from tests.assembled import assembled
from tests.cases import for_each, require_refusal

from .files_of import by_places, contents, devices_of, rows, wiring

LAYOUT = Layout(aspects=(), switches_per_rack=3)


def metres(part):
    """The length of a part such as `copper 5 m`."""
    return float(part.split()[-2])


def components(cables, vertices):
    """The number of the component of each vertex."""
    named = Graph.TupleList([*((vertex, vertex) for vertex in vertices), *((a, b) for (a, _), (b, _) in cables)])
    return dict(zip(named.vs["name"], named.connected_components().membership, strict=True))


def walk(old, new):
    """Carry out the moves of the files on the old schedule; return the parts of a plane and nodes off, of each step."""
    before, files = wiring(contents("cabling", old)), contents("cabling", new, rewired_from=old)
    after, moves = wiring(files), rows(files["moves.csv"])
    plugged = {ends: row["plane"] for ends, row in before.items()}
    parts = {ends: row["part"] for ends, row in before.items()}  # what is really plugged
    devices = {row[f"{end}_device"] for row in before.values() for end in ("from", "to")}
    stock, bought, found, longer, mounted = {}, Counter(), [], set(), []
    added = {row[f"{end}_device"] for row in after.values() for end in ("from", "to")} - devices
    for number, row in enumerate(moves, start=1):
        assert row["step"] == str(number)
        ends = frozenset((row[f"{end}_device"], row[f"{end}_port"]) for end in "ab")
        if row["action"] == "mount":
            assert row["label"] == row["a_device"]
            mounted.append(row["a_device"])
            bought[row["part"]] += 1
            continue
        if row["action"].startswith("unplug"):
            assert plugged.pop(ends) == row["plane"]
            stock[row["label"]] = parts.pop(ends)
            assert stock[row["label"]] == row["part"]
        else:
            assert not {end for each in plugged for end in each} & ends
            assert {device for device, _ in ends} & added <= set(mounted)
            plugged[ends] = row["plane"]
            if row["cable"] == "new":
                assert row["part"] not in stock.values()
                if row["action"] == "plug":
                    longer |= {label for label, part in stock.items() if metres(part) > metres(row["part"])}
                bought[row["part"]] += 1
                parts[ends] = row["part"]
            else:
                parts[ends] = stock.pop(row["cable"])
                assert metres(parts[ends]) >= metres(row["part"])
        assert row["action"].endswith("temporary") == (ends not in before and ends not in after)
        switches = {device for device in devices if device.startswith(f"P{row['plane']}-")}
        of_plane = [each for each, plane in plugged.items() if plane == row["plane"]]
        between = [each for each in of_plane if all(device[0] == "P" for device, _ in each)]
        part = components(between, switches)
        assert int(row["plane_parts"]) == len({part[switch] for switch in switches})
        linked = {device for each in plugged for device, _ in each}
        assert int(row["nodes_off"]) == sum(device not in linked for device in devices if device[0] == "N")
        fabric = components(plugged, devices)
        found.append((int(row["plane_parts"]), int(row["nodes_off"]), len({fabric[device] for device in devices})))
    assert sorted(mounted) == sorted(added)
    assert plugged == {ends: row["plane"] for ends, row in after.items()}
    assert not longer & set(stock)  # what is bought could not have been one of those left over
    left = Counter(stock.values())
    for row in rows(files["moves_parts.csv"]):
        assert (int(row["bought"]), int(row["left_over"])) == (bought.pop(row["part"], 0), left.pop(row["part"], 0))
    assert not bought
    assert not left
    check_summary(rows(files["moves_summary.csv"]), moves, before, after)
    return found


def check_summary(summary, moves, before, after):
    for row in summary:
        of_plane = [move for move in moves if move["plane"] == row["plane"]]
        actions = Counter(move["action"] for move in of_plane)
        assert int(row["unplugged"]) == actions["unplug"]
        assert int(row["plugged"]) == actions["plug"]
        assert int(row["temporary"]) == actions["plug temporary"] == actions["unplug temporary"]
        cables = [[ends for ends, each in wires.items() if each["plane"] == row["plane"]] for wires in (before, after)]
        assert int(row["kept"]) == len(cables[0]) - actions["unplug"] == len(cables[1]) - actions["plug"]
        assert int(row["most_parts"]) == max((int(move["plane_parts"]) for move in of_plane), default=1)
        is_connected = all(move["plane_parts"] == "1" for move in of_plane)
        assert (row["plane_connected"] == "in every step") == is_connected


def cubes(connections, **site):
    return Design(dual_cube(connections.n, connections.generators, nodes_per_switch=1, layout=LAYOUT, **site))


def random_design(seed, sizes, nodes=4):
    """One or two planes of random graphs, with the nodes at random switches."""
    random = np.random.default_rng(seed)
    planes = []
    for switches in sizes:
        edges = [(i, int(random.integers(i))) for i in range(1, switches)]
        edges += [tuple(random.choice(switches, 2, replace=False).tolist()) for _ in range(random.integers(switches))]
        topology = graph(edges)
        lengths = np.where(topology.peer >= 0, 1000 + 1000 * ((topology.peer + np.arange(switches)[:, None]) % 3), 0)
        node_switch = random.integers(switches, size=nodes, dtype=np.int32)
        planes.append(Plane(topology, lengths, node_switch, 1000, routes=forwarding_table(topology)))
    prices = PriceList(switches_usd={int(random.integers(12, 40)): 1})
    return Design(replace(assembled(f"random {seed}", tuple(planes)), site=Site(Layout(switches_per_rack=99), prices)))


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30), st.sampled_from([(6,), (5, 7)]))
@example(16, 17, (5, 7))  # a temporary cable is bought while a longer one is unplugged
@settings(deadline=None, max_examples=25)
def test_nodes_of_two_planes_stay_connected_while_both_are_recabled(old, new, sizes):
    found = walk(random_design(old, sizes), random_design(new, sizes))
    if len(sizes) == 2:
        assert all(nodes_off == 0 for _, nodes_off, _ in found)
        assert all(fabric == 1 for parts, _, fabric in found if parts == 1)


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30), st.sampled_from([(6,), (5, 7)]), st.data())
@settings(deadline=None, max_examples=25)
def test_devices_that_a_design_adds_are_mounted_and_cabled_beside_those_that_stay(old, new, sizes, data):
    larger = tuple(size + data.draw(st.integers(0, 6)) for size in sizes)
    built, design = random_design(old, sizes), random_design(new, larger, 4 + data.draw(st.integers(0, 3)))
    found = walk(built, design)
    before, files = contents("cabling", built), contents("cabling", design, rewired_from=built)
    assert by_places(files) == by_places(contents("cabling", design))
    kept = sum(int(row["kept"]) for row in rows(files["moves_summary.csv"]))
    assert kept == (devices_of(before) & devices_of(files)).total()
    stand, racks = rack_of_device(before), rack_of_device(files)
    assert {device: racks[device] for device in stand} == stand
    assert {rack for device, rack in racks.items() if device[0] == "P" and device not in stand}.isdisjoint(
        stand.values()
    )
    if len(sizes) == 2:
        assert all(nodes_off == 0 for _, nodes_off, _ in found)


@given(st.integers(0, 1 << 30), st.integers(0, 1 << 30), st.sampled_from([(6,), (5, 7)]))
@settings(deadline=None, max_examples=25)
def test_every_cable_stays_that_joins_two_devices_which_the_new_design_joins(old, new, sizes):
    built, design = random_design(old, sizes), random_design(new, sizes)
    before, files = contents("cabling", built), contents("cabling", design, rewired_from=built)
    stay = devices_of(before) & devices_of(files)
    assert devices_of(files) == devices_of(contents("cabling", design))
    summary = rows(files["moves_summary.csv"])
    assert sum(int(row["kept"]) for row in summary) == stay.total()
    assert {row["other_ports"] for row in summary} == {"0"}
    assert len(wiring(before).keys() & wiring(files).keys()) == stay.total()


def test_the_page_of_moves_has_every_step():
    files = contents(
        "cabling", cubes(ConnectionSet(3, (3, 5, 7))), rewired_from=cubes(ConnectionSet(3, (1, 2, 4))), pages=True
    )
    moves, parts = rows(files["moves.csv"]), rows(files["moves_parts.csv"])
    assert len(moves) > 0
    page = files["moves.html"]
    assert page.count('<td class="label">') == len(moves)
    assert all(f'<td class="label">{row["label"]}</td>' in page for row in moves)
    assert all(f'<td>{row["part"]}</td><td class="number">{row["bought"]}</td>' in page for row in parts)


def test_a_longer_cable_that_would_be_left_over_is_used_again_where_one_of_the_part_is_missing():
    def square(length_m, pairs):
        plane = FabricPlane(switches=4, cables=pairs, nodes=tuple((node, node, 9) for node in range(4)))
        return Design(Network(Fabric(planes=(plane,), assumed_cable_m=length_m), Site(LAYOUT)))

    kept = ((0, 1, 1, 1), (2, 1, 3, 1), (0, 3, 2, 3))
    built, crossed = (*kept, (1, 2, 2, 2), (0, 2, 3, 2)), (*kept, (1, 2, 3, 2), (0, 2, 2, 2))
    for built_m, wanted_m, used in ((5, 1, 2), (1, 5, 0)):
        old, new = square(built_m, built), square(wanted_m, crossed)
        walk(old, new)
        moves = rows(contents("cabling", new, rewired_from=old)["moves.csv"])
        assert sum(row["cable"] not in ("", "new") for row in moves) == used


@for_each(
    ("shape", "layout", "message"),
    [
        (
            (4, 5),
            LAYOUT,
            "torus 4x5 has P0-S16, but not torus 4x4; expected a design with all switches and nodes of the built one, "
            "and as many planes$",
        ),
        ((4, 4), None, "torus 4x4 has no layout; expected a design with racks"),
        (
            (4, 4),
            Layout(aspects=(3,)),
            "^rewired_from: the layout of this record: layout.aspects=[3]: none fits 4 racks; expected layout=floor, "
            "or layout.aspects=[] for cubes, which take any number of racks, or racks_across and racks_deep; any of "
            "these with network.assumed_cable_m=null; save the record again with such a layout",
        ),
    ],
)
def test_only_designs_with_all_devices_of_the_built_one_are_rewired(shape, layout, message):
    design, built = (
        Design(Network(Torus(shape=each, node_cable_m=2), Site(floor)))
        for each, floor in (((4, 4), LAYOUT), (shape, layout))
    )
    require_refusal(lambda: contents("cabling", design, rewired_from=built), message)


@for_each("shape", [(4, 4), (6, 4)])
def test_devices_stay_in_the_racks_of_the_built_design_and_cables_are_long_enough_there(shape):
    built, design = (
        Design(Network(Torus(shape=shape, assumed_cable_m=None, node_cable_m=2), Site(Layout(aspects=(), **racks))))
        for shape, racks in (((2, 8), {"switches_per_rack": 3, "assignment": "search"}), (shape, {}))
    )
    before, files = contents("cabling", built), contents("cabling", design, rewired_from=built)
    racks, alone, cables = (
        rack_of_device(before),
        rack_of_device(contents("cabling", design)),
        rows(files["schedule.csv"]),
    )
    placed = rack_of_device(files)
    assert {device: placed[device] for device in racks} == racks != {device: alone[device] for device in racks}
    assert {cable["remark"] for cable in cables} == {""}
    further = Counter(rack for device, rack in placed.items() if device[0] == "P" and device not in racks)
    assert max(further.values(), default=0) in (0, 3)
    assert all(placed[f"N{switch}"] == placed[f"P0-S{switch}"] for switch in range(len(placed) // 2))
    says = other_racks(built.network, design.network)
    first = next(name for name in device_names(built.network) if name in says)
    assert says.startswith(f"racks: devices stay in those of the built design, {first} in {racks[first]}; the design ")
    assert other_racks(built.network, built.network) is None


def test_a_design_whose_own_layout_does_not_fit_is_built_in_the_racks_of_the_built_one():
    built, design = (
        Design(Network(Torus(shape=shape, node_cable_m=2), Site(Layout(aspects=aspects))))
        for shape, aspects in (((4, 6), ()), ((2, 12), (4, 2)))  # six racks are no grid of 4:1 or 2:1
    )
    message = "^record=a.json: its layout: layout.aspects=[4, 2]: none fits 6 racks; expected "
    require_refusal(lambda: Exported(design, {}, {"record": "a.json"}).require_floor("cabling"), message)
    assert rack_of_device(contents("cabling", design, rewired_from=built)) == rack_of_device(contents("cabling", built))


def rack_of_device(files):
    """The rack of each device in a schedule."""
    ends = product(rows(files["schedule.csv"]), ("from", "to"))
    return {cable[f"{end}_device"]: cable[f"{end}_rack"] for cable, end in ends}


def test_a_cable_whose_ends_stay_is_kept_whatever_length_the_designs_have_for_it():
    # Ports 1 to 3 of two switches with three cables, of which two are exchanged at one end.
    straight, crossed = ([(0, port, 1, other) for port, other in enumerate(ends, 1)] for ends in ((1, 2, 3), (2, 1, 3)))
    for built_m, planned_m in ((1, 3), (3, 1)):
        built, design = (
            Design(
                Network(
                    Fabric(
                        planes=(FabricPlane(switches=2, cables=tuple(cables), nodes=((0, 0, 7), (1, 1, 7))),),
                        assumed_cable_m=length_m,
                        node_cable_m=length_m,
                    ),
                    Site(LAYOUT),
                )
            )
            for cables, length_m in ((straight, built_m), (crossed, planned_m))
        )
        files = contents("cabling", design, rewired_from=built)
        (summary,) = rows(files["moves_summary.csv"])
        assert summary["kept"] == "3"  # one cable, and two of nodes
        assert summary["other_ports"] == "2"  # for a fabric states its ports
        assert Counter(row["action"].split()[0] for row in rows(files["moves.csv"])) == {"unplug": 2, "plug": 2}
