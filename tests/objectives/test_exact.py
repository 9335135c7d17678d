"""Exact integers and metrics, of a network and of a batch, match the reference field by field."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Cube, Layout, Network, PriceList, Site, SwitchModel, dual_cube, port_aggregate
from isoplane.objectives import evaluate_batch, exact_metrics, metrics
from isoplane.objectives.reference import cube_metrics, measure_cubes
from tests.cases import for_each, require_refusal
from tests.strategies import bases_up_to, random_basis

SITES = st.sampled_from(
    [
        {},
        {"layout": None},
        {"layout": Layout(switches_per_rack=2, racks_across=16, racks_deep=8, slack_m=0.5)},
        {"switch": SwitchModel(delay_ns=33.3333, cable_delay_ns_per_m=4.75, endpoint_delay_ns=0)},
        {"prices": PriceList(cables_usd={0.5: 1.01, 7: 22.2, 70.5: 333.33, 200: 4}, nics_usd={1: 5, 2: 7.77})},
        {"nodes_per_switch": 6},
    ]
)
NAMES = list(cube_metrics(dual_cube(2, (1, 3))))
CABLE_NAMES = NAMES[4:]
CUSTOM = {
    "layout": Layout(switches_per_rack=2, racks_across=16, racks_deep=8),
    "prices": PriceList(cables_usd={1.5: 1.01, 7: 22.2, 200: 4}, nics_usd={2: 7.77}),
    "switch": SwitchModel(delay_ns=33.3333, cable_delay_ns_per_m=4.75),
    "nodes_per_switch": 3,
}


def assert_matches_the_reference(network):
    exact = exact_metrics(network)
    expected = asdict(measure_cubes(network))
    assert {name: value for name, value in vars(exact).items() if name in expected}.items() <= expected.items()
    found, expected = metrics(network, exact), cube_metrics(network)
    assert list(found) == list(expected)
    assert [repr(value) for value in found.values()] == [repr(value) for value in expected.values()]


@given(bases_up_to(8), st.booleans(), SITES)
@settings(max_examples=60)
def test_two_planes_match_the_reference(connections, folded, site):
    assert_matches_the_reference(dual_cube(connections.n, connections.generators, folded, **site))


@for_each("folded", [False, True])
@for_each("n", [2, 3, 5, 8])
def test_identical_planes_and_port_aggregate_match_the_reference(n, folded):
    network = dual_cube(n, random_basis(n, n).generators, folded)
    assert_matches_the_reference(network.baseline)
    assert_matches_the_reference(port_aggregate(network))
    assert_matches_the_reference(port_aggregate(replace(network, site=Site(layout=None))))


@given(bases_up_to(6), st.booleans())
@settings(max_examples=20)
def test_a_single_plane_of_any_basis_matches_the_reference(connections, folded):
    # In its own basis the plane is the unit cube, so it has the distances and twice the loads of that cube.
    network = port_aggregate(dual_cube(connections.n, connections.generators, folded))
    single = Network(replace(network.family, planes=(Cube(connections, folded),)))
    assert_matches_the_reference(single)


def rows(n, count, seed=0):
    return np.array([random_basis(n, seed + k).generators for k in range(count)], dtype=np.uint32)


@for_each("site", [{"layout": Layout()}, CUSTOM])
@for_each("folded", [False, True])
@for_each("n", range(2, 9))
def test_arrays_hold_the_metrics_of_the_reference(n, folded, site):
    generators = rows(n, 10, seed=n)
    found = evaluate_batch(generators, folded, **site)
    for index, row in enumerate(generators.tolist()):
        expected = cube_metrics(dual_cube(n, tuple(row), folded, **site))
        # Arrays round more than once; everything else is exact.
        assert {name: getattr(found, name)[index] for name in NAMES} == pytest.approx(expected, rel=1e-14)
        for name in ("sum_of_distances", "max_load", "aspl", "max_traffic"):
            assert getattr(found, name)[index] == expected[name]


def test_lengths_delays_and_costs_are_none_without_a_layout():
    found = evaluate_batch(rows(16, 1))
    assert all(getattr(found, name) is None for name in CABLE_NAMES)
    assert found.sum_of_distances.dtype == found.max_load.dtype == np.int64
    assert found.aspl[0] == found.sum_of_distances[0] / 2**16


def test_empty_and_strided_batches_are_accepted():
    assert evaluate_batch(np.empty((0, 5), dtype=np.uint32), layout=Layout()).delay_ns.shape == (0,)
    generators = rows(6, 8)
    strided = evaluate_batch(generators[::2, ::-1], True, layout=Layout())
    contiguous = evaluate_batch(generators[::2], True, layout=Layout())
    assert strided.delay_ns.tolist() == contiguous.delay_ns.tolist()


@for_each(
    "generators",
    [
        np.array([3, 5, 7], dtype=np.uint32),
        np.array([[3, 5, 7]], dtype=np.int64),
        np.array([[1]], dtype=np.uint32),
        np.ones((1, 17), dtype=np.uint32),
        np.ones((1, 3, 3), dtype=np.uint32),
    ],
)
def test_arrays_of_the_wrong_shape_or_type_are_rejected(generators):
    require_refusal(lambda: evaluate_batch(generators), "expected uint32[batch, n] with n from 2 to 16")


def test_a_cable_missing_from_the_catalogue_is_rejected_with_its_row():
    generators = rows(6, 3)
    short = PriceList(cables_usd={1: 1, 2: 2, 6: 3})  # enough for the unit vectors: 5.2 m for 4 racks across
    with pytest.raises(ValueError, match=r"^row \d: generator \d+ needs a cable of .* m: the longest .* is 6 m"):
        evaluate_batch(generators, layout=Layout(), prices=short)
    with pytest.raises(ValueError, match=r"^generator 63 needs a cable"):  # the folded link of plane 0, in every row
        evaluate_batch(generators, folded=True, layout=Layout(), prices=short)
