import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Layout, PriceList, assign_racks, cable_table, dual_cube
from isoplane.models.topologies import graph
from tests.cases import for_each


@for_each(
    ("n", "grid"),
    [(1, (1, 1)), (2, (1, 1)), (3, (2, 1)), (4, (4, 1)), (5, (4, 2)), (8, (16, 4)), (9, (16, 8)), (12, (64, 16))],
)
def test_grids_are_four_or_two_times_as_wide_as_deep(n, grid):
    assert Layout().grid(1 << n) == grid
    assert grid[0] * grid[1] == max(1, (1 << n) // 4)


@for_each(
    ("switch", "other", "needed_mm", "cable_mm"),
    [
        (8, 12, 2800, 3000),  # racks 2 and 3, neighbours: 0.8 + 2.0 m
        (0, 31, 6900, 10000),  # racks 0 and 7, opposite corners of 4x2: 3 x 0.8 + 2.5 + 2.0 m
    ],
)
def test_the_cables_of_the_papers_figure_4_have_their_lengths(switch, other, needed_mm, cable_mm):
    assert Layout().cable_mm(switch, other, switches=32) == needed_mm
    assert PriceList().cable_for_mm(needed_mm)[0] == cable_mm


@given(st.integers(0, 255), st.integers(0, 255))
def test_a_cable_has_the_same_length_from_either_end(switch, other):
    assert Layout().cable_mm(switch, other, 256) == Layout().cable_mm(other, switch, 256)


def test_a_given_grid_overrides_the_aspects():
    layout = Layout(racks_across=3, racks_deep=3)
    assert layout.grid(32) == (3, 3)  # 8 racks on 9 positions
    assert layout.positions_mm(32)[3].tolist() == [0, 2500]


@for_each(
    ("fields", "message"),
    [
        ({"switches_per_rack": 0}, "layout.switches_per_rack=0: expected an integer from 1 to 1048576"),
        ({"aspects": (4, 0)}, "layout.aspects=0: expected an integer of at least 1"),
        ({"aspects": 4}, "layout.aspects=4: expected a list of integers"),
        ({"pitch_across_m": -0.8}, "layout.pitch_across_m=-0.8: expected a number of at least 0"),
        ({"pitch_deep_m": "far"}, "layout.pitch_deep_m='far': expected a number of at least 0"),
        ({"slack_m": float("nan")}, "layout.slack_m=nan: expected a number of at least 0"),
        ({"slack_m": float("inf")}, "layout.slack_m=inf: expected a number of at least 0"),
        ({"rack_cable_m": 1.0005}, "layout.rack_cable_m=1.0005: expected a length in metres with at most three"),
        ({"node_cable_m": None}, "layout.node_cable_m=None: expected a number of at least 0"),
        ({"racks_across": 4}, "layout.racks_across and layout.racks_deep: give both or neither"),
        ({"racks_across": 0, "racks_deep": 1}, "layout.racks_across=0: expected an integer of at least 1"),
        ({"racks_across": 1, "racks_deep": 1.5}, "layout.racks_deep=1.5: expected an integer of at least 1"),
        ({"nodes_per_rack": 0}, "layout.nodes_per_rack=0: expected an integer of at least 1"),
        ({"assignment": "random"}, "layout.assignment='random': expected in_order, metis, search"),
        ({"seed": -1}, "layout.seed=-1: expected an integer from 0 to 2147483647"),
    ],
)
def test_a_bad_layout_is_reported_with_the_allowed_values(fields, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Layout(**fields)


def test_a_grid_with_too_few_racks_is_reported_with_the_required_number():
    layout = Layout(racks_across=4, racks_deep=4)
    message = "layout.racks_across=4, layout.racks_deep=4: too few racks; expected at least 64 in total"
    with pytest.raises(InputError, match=re.escape(message)):
        layout.grid(256)


@given(st.integers(1, 200), st.integers(0, 40), st.integers(0, 40))
def test_without_aspects_no_grid_has_a_shorter_longer_side_nor_one_as_short_fewer_places(racks, across_dm, deep_dm):
    layout = Layout(aspects=(), pitch_across_m=across_dm / 10, pitch_deep_m=deep_dm / 10)
    across, deep = layout.grid_of(racks)
    others = ((each, -(-racks // each)) for each in range(1, racks + 1))
    best = min((max(a * across_dm, d * deep_dm), a * d) for a, d in others)
    assert (max(across * across_dm, deep * deep_dm), across * deep) == best
    assert across * (deep - 1) < racks <= across * deep  # unused places only in the last row


def test_no_aspects_may_be_given_as_null():
    assert Layout(aspects=None) == Layout(aspects=[]) == Layout(aspects=())


@for_each(
    ("fields", "message"),
    [
        ({"assignment": "metis"}, "layout.assignment=metis: cubes fill racks by switch id; expected in_order"),
        ({"nodes_per_rack": 16}, "layout.nodes_per_rack=16: cubes fill racks by switch id; expected null"),
    ],
)
def test_cubes_need_racks_filled_by_switch_id(fields, message):
    network = dual_cube(3, (3, 5, 7), layout=Layout(**fields))
    with pytest.raises(InputError, match=re.escape(message)):
        cable_table(3, network.site.layout, PriceList())
    with pytest.raises(InputError, match=re.escape(message)):
        _ = network.planes


@given(st.integers(1, 40), st.integers(1, 10), st.integers(1, 8), st.none() | st.integers(8, 40))
def test_a_layout_filled_by_id_has_the_racks_that_both_capacities_give(switches, per_rack, nodes, nodes_per_rack):
    layout = Layout(switches_per_rack=per_rack, nodes_per_rack=nodes_per_rack, aspects=())
    chain = graph([(i, i + 1) for i in range(switches - 1)] or [(0, 1)], max(2, switches))
    rack = assign_racks(chain, np.full(chain.switches, nodes), layout).rack
    assert rack.tolist() == (np.arange(chain.switches) // layout.filled_by_id(nodes).switches_per_rack).tolist()


def test_aspects_that_fit_no_grid_are_reported_with_the_alternative():
    message = (
        "layout.aspects=[3]: none fits 16 racks; expected layout=floor, or layout.aspects=[] for cubes, which take "
    )
    with pytest.raises(InputError, match=re.escape(message)):
        Layout(aspects=(3,)).grid(64)
