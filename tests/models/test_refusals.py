"""What the models refuse: one line that names the key, the value and what is allowed."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from isoplane.models import (
    BasisVariable,
    CircuitsVariable,
    ConnectionSet,
    Cube,
    Layout,
    Network,
    OpticalSwitch,
    PlacementVariable,
    PriceList,
    SwitchModel,
    cable_table,
    cube_planes,
    dual_cube,
    port_aggregate,
)
from isoplane.models.cabling.racks import assign_racks
from isoplane.models.checks import cents, check_bool, check_int, exact_number, millimetres
from isoplane.models.circuits import Circuits
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.mathematics.finite_field import check_prime_power
from isoplane.models.mathematics.grid import check_shape
from isoplane.models.placement import Placement, by_groups
from isoplane.models.policy import check_policy
from isoplane.models.topologies import graph
from isoplane.objectives import exact_metrics
from isoplane.objectives.reference import cube_metrics
from tests.cases import for_each, require_refusal
from tests.models.families.members import PAIR

basis = ConnectionSet.basis
NUMBERS = [
    (lambda: check_int("x", 0, 1), "^x=0: expected an integer of at least 1$"),
    (lambda: check_int("x", 9, 1, 8), "^x=9: expected an integer from 1 to 8$"),
    (lambda: check_int("x", True, 0), "^x=True: expected an integer of at least 0$"),
    (lambda: check_bool("x", 1), "^x=1: expected true or false$"),
    (lambda: exact_number("x", "1,5"), "^x='1,5': expected a number of at least 0$"),
    (lambda: exact_number("x", False), "^x=False: expected a number of at least 0$"),
    (lambda: exact_number("x", 0, above=True), "^x=0: expected a number above 0$"),
    (lambda: exact_number("x", 3, 4), "^x=3: expected a number of at least 4$"),
    (lambda: exact_number("x", 2 * 10**15, above=True), "expected a number above 0 and at most 1000000000000000$"),
    (lambda: exact_number("x", 10**200), f"^x=1{'0' * 76}...: expected"),  # cut, as by `shown`
    (lambda: exact_number("x", Fraction(5, 2), high=2), "^x=2.5: expected a number of at least 0 and at most 2$"),
    (lambda: millimetres("x", 0.0001), "^x=0.0001: expected a length in metres with at most three decimals$"),
    (lambda: cents("x", 0.001), "^x=0.001: expected a price in US$ with at most two decimals$"),
    (lambda: check_shape(()), "^shape=(): expected a list of sizes, one per dimension, such as [4,4]$"),
    (lambda: check_shape((4, 1)), "^shape=1: expected an integer from 2 to 1048576$"),
    (lambda: check_shape((1 << 11, 1 << 10)), "^shape=[2048, 1024]: 2097152 positions; expected at most 1048576$"),
    (lambda: check_prime_power("q", 6), "q=6: expected a prime power, such as 5 or 7"),
    (lambda: check_prime_power("q", 1), "q=1: expected an integer from 2 to 256"),
    (
        lambda: check_policy("policy", "random", 2),
        "expected nearest, spray, adaptive, spill, or one share per plane such as ",
    ),
    (lambda: check_policy("policy", [0, 0], 2), "at least one positive share"),
    (lambda: check_policy("policy", [1, -1], 2), "policy[1]=-1: expected an integer from 0 to 1024"),
]
CUBES = [
    (lambda: basis(3, (1, 2, 3)), "generators=[1, 2, 3]: not a basis, since 3 = 1 ^ 2; expected 3 independent"),
    # 1 ^ 2 = 3, 3 ^ 4 = 7: 7 is the sum of all three, 8 is not involved
    (lambda: basis(4, (8, 7, 4, 2, 1)), "not a basis, since 7 = 1 ^ 2 ^ 4; expected 4 independent generators"),
    (lambda: basis(3, (1, 2)), "generators=[1, 2]: 2 generators; expected 3 independent generators"),
    (lambda: basis(3, (0, 1, 2)), "generator=0: expected an integer from 1 to 7"),
    (lambda: basis(3, (1, 2, 8)), "generator=8: expected an integer from 1 to 7"),
    (lambda: basis(3, (1, 2, 2)), "generators=[1, 2, 2]: 2 occurs twice; expected distinct generators"),
    (lambda: basis(0, ()), "n=0: expected an integer from 1 to 17"),
    (lambda: basis(18, ()), "n=18: expected an integer from 1 to 17"),
    (lambda: ConnectionSet(3, 5), "generators=5: expected a list of integers"),
    (lambda: Cube(ConnectionSet.unit(3), folded="no"), "folded='no': expected true or false"),
    (lambda: dual_cube(1, (1,)), "network.n=1: expected an integer from 2 to 16"),
    (lambda: dual_cube(17, (1,)), "network.n=17: expected an integer from 2 to 16"),
    (lambda: Network(cube_planes(())), "network.planes=0: expected an integer from 1 to 8"),
    (lambda: Network(cube_planes((cube(3),) * 9)), "network.planes=9: expected an integer from 1 to 8"),
    (lambda: cube_planes((cube(3), cube(4))), "network.planes: expected planes of the same dimension, all plain or"),
    (lambda: cube_planes((cube(3), cube(3, True))), "network.planes: expected planes of the same dimension"),
    (lambda: cube_planes((Cube(basis(3, (3, 5, 7))), cube(3))), "plane 0 is [3, 5, 7]; expected the unit basis"),
    (lambda: cube_planes((cube(3),), nodes_per_switch=0), "nodes_per_switch=0: expected an integer from 1 to 1024"),
    (lambda: cube_planes((cube(3),), ports_per_node=3), "network.ports_per_node=3: expected an integer from 1 to 2"),
    (lambda: port_aggregate(dual_cube(3, (3, 5, 7), nodes_per_switch=3)), "expected an even number for Port-Aggregate"),
    (lambda: replace(dual_cube(3, (3, 5, 7)).family, policy=(2, 1)).require_kernels(), "[2, 1]: expected nearest"),
    (lambda: exact_metrics(THREE_PLANES), "network.planes=3: expected an integer from 1 to 2"),
    (lambda: cube_metrics(THREE_PLANES), "network.planes=3: expected an integer from 1 to 2"),
    (lambda: BasisVariable(3).within("x", [3, 5, 7]), "network.x=[3, 5, 7]: the search determines them; expected null"),
    (lambda: CircuitsVariable(1, 4).within("x", 5), "network.x=5: expected an integer from 0 to 4"),
    (lambda: CircuitsVariable(1, 4).within("x", [[0, 4]]), "the search determines them; expected their maximum number"),
    (lambda: PlacementVariable(8).within("x", None), "network.x=null: expected by_switch, by_communication, free"),
    (lambda: PlacementVariable(8).within("x", "home"), "network.x=home: expected by_switch"),
]
CIRCUITS = [
    (lambda: Circuits(((0, 2), (2, 0))).require_fit(OPTICAL), "circuits: 2 at node 0; expected at most 1"),
    (lambda: Circuits(((1, 1),)), "circuits: [1, 1]; expected two different nodes"),
    (lambda: Circuits(((0, 1),)).require_fit(OPTICAL), "[0, 1] inside group 0"),
    (lambda: Circuits(((0, 6),)).require_fit(OPTICAL), "node=6"),
    (lambda: Circuits(((-1, 3),)).require_fit(OPTICAL), "node=-1"),
    (lambda: Placement((0, 2)), "no process on node 1"),
    (lambda: by_groups((0, 0, 1), 2), "1 processes in group 1"),
    (lambda: OpticalSwitch((0, 0)), "optical.group: 1 groups of nodes; expected at least 2"),
    (lambda: OpticalSwitch((0, 1), ports_per_node=0), "optical.ports_per_node=0"),
    (lambda: OpticalSwitch((0, 1), gbps=0), "optical.gbps=0"),
    (lambda: OpticalSwitch((0, 1), delay_ns=-1), "optical.delay_ns=-1"),
]
SITE = [
    (lambda: SwitchModel(delay_ns=-1), "switch.delay_ns=-1: expected a number of at least 0"),
    (lambda: SwitchModel(cable_delay_ns_per_m=-1), "switch.cable_delay_ns_per_m=-1: expected a number of at least 0"),
    (lambda: SwitchModel(endpoint_delay_ns=-1), "switch.endpoint_delay_ns=-1: expected a number of at least 0"),
    (lambda: Layout(switches_per_rack=0), "layout.switches_per_rack=0: expected an integer from 1 to 1048576"),
    (lambda: Layout(aspects=(4, 0)), "layout.aspects=0: expected an integer of at least 1"),
    (lambda: Layout(aspects=4), "layout.aspects=4: expected a list of integers"),
    (lambda: Layout(pitch_across_m=-0.8), "layout.pitch_across_m=-0.8: expected a number of at least 0"),
    (lambda: Layout(pitch_deep_m="far"), "layout.pitch_deep_m='far': expected a number of at least 0"),
    (lambda: Layout(slack_m=float("nan")), "layout.slack_m=nan: expected a number of at least 0"),
    (lambda: Layout(rack_cable_m=1.0005), "layout.rack_cable_m=1.0005: expected a length in metres with at most three"),
    (lambda: Layout(node_cable_m=None), "layout.node_cable_m=null: expected a number of at least 0"),
    (lambda: Layout(racks_across=4), "layout.racks_across and layout.racks_deep: give both or neither"),
    (lambda: Layout(racks_across=0, racks_deep=1), "layout.racks_across=0: expected an integer of at least 1"),
    (lambda: Layout(racks_across=1, racks_deep=1.5), "layout.racks_deep=1.5: expected an integer of at least 1"),
    (lambda: Layout(nodes_per_rack=0), "layout.nodes_per_rack=0: expected an integer of at least 1"),
    (lambda: Layout(assignment="random"), "layout.assignment='random': expected in_order, metis, search"),
    (lambda: Layout(seed=-1), "layout.seed=-1: expected an integer from 0 to 2147483647"),
    (lambda: Layout(racks_across=4, racks_deep=4).grid(256), "too few racks; expected at least 64 in total"),
    (lambda: Layout(aspects=(3,)).grid(64), "aspects=[3]: none fits 16 racks; expected layout=floor, or"),
    (
        lambda: assign_racks(graph([(0, 1), (1, 2)], 3), np.array([4, 9, 8]), Layout(aspects=(), nodes_per_rack=8)),
        "layout.nodes_per_rack=8: switch 1 has 9 nodes; expected at least as many",
    ),
    (lambda: dual_cube(3, (3, 5, 7), layout=Layout(assignment="metis")).planes, "layout.assignment=metis: cubes fill"),
    (lambda: cable_table(3, Layout(nodes_per_rack=16), PriceList()), "switch id; expected layout.nodes_per_rack=null"),
    (
        lambda: Layout(name="floor", nodes_per_rack=64, assignment="search").require_filled_by_id(),
        "layout=floor: cubes fill racks by switch id; expected layout.assignment=in_order layout.nodes_per_rack=null",
    ),
    # 2048 racks on 64 x 32: from corner to corner 63 x 0.8 + 31 x 2.5 + 2.0 = 129.9 m
    (lambda: cable_table(13, Layout(), PriceList()).require_cable(8191, PriceList()), "8191 needs a cable of"),
    (lambda: cable_table(13, Layout(), PriceList()).require_all_cables(PriceList()), "needs a cable of 129.9 m"),
    (lambda: PriceList().cable_for_mm(100_001), "a cable of 100.001 m: the longest in prices=infiniband_edr is 100 m"),
    (lambda: PriceList(nics_usd={2: 485, 4: 900}).nic_cents(5), "none with 5 ports in all; expected sums of [2, 4]"),
    (lambda: PriceList(cables_usd={}), "prices: expected a catalogue with at least one cable and one network"),
    (lambda: PriceList(nics_usd={}), "prices: expected a catalogue with at least one cable and one network interface"),
    (lambda: PriceList(cables_usd=[1.0]), "prices.cables_usd=[1.0]: expected a mapping to prices in US$"),
    (lambda: PriceList(cables_usd={0: 1}), "prices.cables_usd: a cable of 0 m; expected lengths above 0"),
    (lambda: PriceList(cables_usd={1.0: -1}), "prices.cables_usd[1.0]=-1: expected a number of at least 0"),
    (lambda: PriceList(cables_usd={1.0: 1.005}), "prices.cables_usd[1.0]=1.005: expected a price in US$ with at most"),
    (lambda: PriceList(nics_usd={0: 1}), "prices.nics_usd=0: expected an integer of at least 1"),
    (lambda: PriceList(switch_port_usd=True), "prices.switch_port_usd=True: expected a number of at least 0"),
    (lambda: PriceList(by="cable"), "prices.by='cable': expected port, switch"),
    (lambda: PriceList(by="switch"), "expected the ports of every switch, such as prices.switch_ports=36"),
    (lambda: PriceList(switch_ports=36), "prices.switch_ports=36: has no effect; expected prices.by=switch"),
    (lambda: PriceList(by="switch", switch_ports=0), "prices.switch_ports=0: expected an integer of at least 1"),
    (lambda: PriceList(by="switch", switch_ports=9, switches_usd={8: 1}), "a switch of 9 ports: the largest in"),
    (lambda: Fabric(planes=(PAIR,), names=DeviceNames((("a", "b"),), ("c",))), "expected names of 2 switches and 2"),
    (lambda: names(nodes=3), "names: not lists of text; expected names of switches"),
    (lambda: names(switches=[[1]]), "names: not lists of text; expected names of switches"),
    (lambda: names(more=[]), "names: not lists of text; expected names of switches"),
    (lambda: DeviceNames.read(3), "names: not lists of text; expected names of switches"),
    (lambda: names(aliases={"0x1F": "P0-S0", "0x001f": "P0-S0", "0x1f": "N1"}), "0x1f is N1, but 0x1F P0-S0; expected"),
    (lambda: names(aliases={"a": "N\u0663"}), "names.aliases: expected a device such as P0-S12"),
    (lambda: names(aliases={"a": "N" + "1" * 5000}), "names.aliases: expected a device such as P0-S12"),
]
OPTICAL = Hybrid(groups=3, nodes_per_group=2).optical


def cube(n, folded=False):
    return Cube(ConnectionSet.unit(n), folded)


def names(**changes):
    return DeviceNames.read({"switches": [["a", "b"]], "nodes": ["c"], **changes})


THREE_PLANES = Network(cube_planes((cube(3), cube(3), dual_cube(3, (3, 5, 7)).family.planes[1])))


@for_each(("make", "says"), NUMBERS + CUBES + CIRCUITS + SITE)
def test_a_wrong_value_is_named(make, says):
    require_refusal(make, says)
