"""From a composed config to the loads of a sweep."""

from fractions import Fraction

import pytest
from hydra import compose, initialize_config_module

from isoplane.models import InputError
from isoplane.runs.config import config_values as values
from isoplane.runs.config.designs import network_of_config
from isoplane.runs.config.scenario import case_of
from tests.cases import for_each


def build_case(*overrides):
    """The case that these overrides describe."""
    with initialize_config_module("isoplane.conf", version_base="1.3"):
        config = values.plain(compose("simulate", list(overrides)))
    return case_of(config, network_of_config(config))


def test_loads_are_chosen_up_to_a_tenth_above_the_limit():
    loads = build_case("network.n=3", "network.generators=[3,5,7]").loads  # 31/24 = 1.2917
    assert [float(load) for load in loads] == [0.129, 0.388, 0.646, 0.904, 1.033, 1.162, 1.292, 1.421]


def test_the_chosen_loads_differ_even_if_a_network_carries_little():
    # In a ring of 2048 nodes a message crosses 512 links on average, and each node has two links: a limit of 1/256.
    case = build_case("network=torus", "network.shape=[2048]")
    assert Fraction(1, 260) < case.scenario.saturation_guess() < Fraction(1, 250)
    assert len(set(case.loads)) == 8
    assert list(case.loads) == sorted(case.loads)


def test_no_load_is_chosen_that_nodes_cannot_create():
    # Packets of one flit, at most one per tick.
    loads = build_case(
        "network.n=3", "network.generators=[3,5,7]", "hardware.packet_bits=256", "hardware.speedup=1"
    ).loads
    assert loads[-1] == 1
    assert list(loads) == sorted(set(loads))


def test_a_limited_number_of_messages_is_simulated_without_saturation():
    case = build_case("network.n=3", "network.generators=[3,5,7]", "traffic.max_created=100", "saturation=false")
    assert (case.tolerance, case.scenario.traffic.max_created) == (None, 100)


def test_traffic_between_groups_takes_the_groups_of_the_network():
    options = ["network=dragonfly", "traffic=group_shift", "hardware.path_selection=valiant", "traffic.offset=2"]
    scenario = build_case(*options).scenario  # 4 switches of 2 nodes in each of 9 groups
    assert scenario.traffic.groups(72) == (8, 2)
    assert not scenario.check_deadlock  # proven free of deadlock
    assert build_case(*options, "traffic.group_nodes=24").scenario.traffic.groups(72) == (24, 2)


@for_each(
    ("overrides", "message"),
    [
        ("network=torus traffic=group_shift", "traffic.group_nodes=null: network=torus has no regions; expected"),
        (
            "network=torus hardware.path_selection=ugal",
            "network=torus has no detours; allowed with network=dragonfly, hyperx, polar_fly, slim_fly",
        ),
        # Two halves of two hops.
        (
            "network=slim_fly hardware.path_selection=ugal hardware.virtual_channels=3",
            "up to 4 hops.*expected hardware.virtual_channels=4 or more, or .* with path_selection=minimal",
        ),
        (
            "network=torus hardware.virtual_channels=1",
            "for routes whose crossings of datelines need 2 classes .*; expected hardware.virtual_channels=2 or more",
        ),
        (
            "network=torus network.shape=[35] network.datelines=false network.routing=hop_classes",
            "routes of up to 17 hops, .* expected routes with fewer classes, such as those of the routing up_down",
        ),
        ("network=dragonfly network.groups=2 hardware.path_selection=valiant", "detours.region: 2 regions; expected"),
    ],
)
def test_path_selections_and_groups_need_regions(overrides, message):
    with pytest.raises(InputError, match=message):
        build_case(*overrides.split())
