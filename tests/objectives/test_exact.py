"""Exact integers and metrics of a network match the reference field by field and bit for bit."""

from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Cube, InputError, Layout, Network, PriceList, Site, SwitchModel, dual_cube, port_aggregate
from isoplane.objectives import exact_metrics, metrics
from isoplane.objectives.reference import measure, measure_exact
from tests.cases import for_each
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


def assert_matches_the_reference(network):
    exact = exact_metrics(network)
    assert asdict(exact) == asdict(measure_exact(network))
    found, expected = metrics(network, exact), measure(network)
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


def test_a_cable_missing_from_the_catalogue_raises_input_error_with_its_generator():
    with pytest.raises(InputError, match=r"generator 8191 needs a cable of 129.9 m: the longest .* is 100 m"):
        exact_metrics(dual_cube(13, tuple(1 << i for i in range(13)), True))
    assert exact_metrics(dual_cube(13, tuple(1 << i for i in range(13)), True, layout=None)).delay is None
