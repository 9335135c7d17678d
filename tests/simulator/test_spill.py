"""What spilling to the farther plane costs and gives, on a hypercube with the best known second plane."""

from dataclasses import replace
from functools import cache

from isoplane.models import Network, dual_cube
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.simulator import Hardware, Precision, Scenario, Simulation, Traffic, throughput_bound
from isoplane.simulator.hardware import MAX_SPILL_FLITS
from tests.cases import for_each

# With so many nodes at each switch, links between switches limit nearest too, and not the ports of nodes.
CUBE = dual_cube(6, (5, 13, 24, 26, 34, 35), nodes_per_switch=4)
SHORT_BUFFERS = Hardware(longest_cable_m=10)  # which fill quickly
OVERLOAD = 1.6  # of nodes with two ports, above what any of these networks carries
WARM_UP, END = 3000, 5000  # ticks


@cache
def carried(policy, identical=False):
    """The flits that arrive under uniform traffic that overloads the network: its saturation throughput."""
    network = CUBE.baseline if identical else CUBE
    network = Network(replace(network.family, policy=policy), network.site)
    run = Simulation(network, SHORT_BUFFERS, Traffic(load=OVERLOAD), seed=1, check_deadlock=False)
    run.run(WARM_UP)
    before = run.totals()["flits_arrived"]
    run.run(END)
    return run.totals()["flits_arrived"] - before


def test_spill_keeps_the_saturation_of_nearest():
    assert carried("nearest") > 1.15 * carried("nearest", identical=True)
    assert carried("spill") >= 0.97 * carried("nearest")


def test_spray_gains_nothing_over_identical_planes():
    identical = carried("spray", identical=True)
    assert identical == carried("nearest", identical=True)
    assert abs(carried("spray") / identical - 1) < 0.03


def test_a_lone_pair_has_more_than_nine_tenths_of_both_ports_under_spill():
    network = CUBE
    near, far = 4, network.nodes - 4  # at the next switch, and at the one at the other end of plane 0
    for destination in (near, far):
        traffic = Traffic("pair", load=2, pair=(0, destination))
        spilling = Network(replace(network.family, policy="spill"), network.site)
        precision = Precision(latency=0.05, accepted=0.02)
        assert Scenario(spilling, Hardware(), traffic, precision).run(None).accepted_load.mean >= 1.9


@for_each("policy", ["adaptive", "spill"])
def test_policies_of_queues_gain_and_lose_nothing_on_identical_planes(policy):
    assert abs(carried(policy, identical=True) / carried("nearest", identical=True) - 1) < 0.01


def test_spill_follows_planned_planes_until_a_queue_is_long():
    plane = Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=2.0)
    places = tuple(5 * place % 16 for place in range(16))
    nearest, spilling = (
        Network(Relabelled(plane=plane, places=(places,), routing="planned", policy=policy))
        for policy in ("nearest", "spill")
    )

    def busy(network, **hardware):
        run = Simulation(network, Hardware(**hardware), Traffic(load=1), seed=1)
        run.run(5000)
        assert run.audit() is None
        return run.link_busy().tolist()

    assert busy(spilling, spill_flits=MAX_SPILL_FLITS) == busy(nearest) != busy(spilling, spill_flits=0)
    pair, precision = Traffic("pair", load=2), Precision(latency=0.05, accepted=0.02)
    assert throughput_bound(nearest, pair) == 1
    assert Scenario(spilling, Hardware(), pair, precision).run(None).accepted_load.mean >= 1.9
