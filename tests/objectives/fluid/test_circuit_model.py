"""Fluid model of hybrid networks against rational arithmetic and invariants."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.family_kinds.distance_vector import distance_vector, route_over
from isoplane.models.placement import Placement
from isoplane.models.workloads import (
    all_to_all,
    from_matrix,
    stencil,
)
from isoplane.objectives.fluid import RELAYS, FluidModel
from isoplane.objectives.fluid.circuits.data import tree_units
from isoplane.objectives.reference.fluid_simulation import grid_of
from isoplane.objectives.reference.fluid_times import tree_times
from isoplane.objectives.reference.rationals import completion_ns
from tests.cases import for_each, require_refusal
from tests.strategies import circuit_pairs

from .sample_networks import message_lists

NO_CIRCUITS = Circuits()
MEGABYTE = 1_250_000  # a millisecond at 10 Gbit/s


@st.composite
def designs(draw):
    """Draw a small network with circuits, a placement, and messages."""
    hybrid = Hybrid(draw(st.integers(2, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2)))
    nodes = range(hybrid.nodes)
    pairs = draw(circuit_pairs(hybrid.group.tolist(), hybrid.ports_per_node))
    placement = Placement(tuple(draw(st.permutations(list(nodes)))))
    return hybrid, draw(message_lists(hybrid.nodes)), Circuits(pairs), placement


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS))
def test_the_completion_matches_rational_arithmetic(design, relay):
    hybrid, messages, circuits, placement = design
    exact = completion_ns(hybrid, messages, circuits, placement, relay)
    found = FluidModel(hybrid, messages, relay).times(circuits, placement)
    # Ticks of 2^-10 ns: a segment ends up to a tick late, begins up to half a tick off the delay of its message and, in
    # all runs but the first, up to 15 ticks late.
    assert abs(found.completion_ns - exact) <= 0.5 + 16.5 * 2**-10 * 2 * messages.messages


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS))
def test_every_run_matches_the_reference(design, relay):
    hybrid, messages, circuits, placement = design
    model = FluidModel(hybrid, messages, relay)
    found = model.times(circuits, placement)
    reference = tree_times(hybrid, messages, circuits, placement, relay)
    for name in ("completion_ns", "completion_min_ns", "completion_max_ns"):
        assert getattr(found, name) == reference[name], name
    assert round(model.arrivals_ns(circuits, placement).max()) == pytest.approx(found.completion_ns, abs=1)
    assert found.bottleneck_ns <= min(found.completion_ns, found.total_ns)
    assert model.synchronised_ns(circuits, placement) == pytest.approx(reference["synchronised_ns"], abs=1)


@given(designs())
def test_messages_take_the_routes_of_the_tables(design):
    hybrid, messages, circuits, placement = design
    tables = distance_vector(hybrid, circuits)
    expected = [
        route_over(tables, placement.nodes[source], placement.nodes[destination])
        for source, destination in zip(messages.source, messages.destination, strict=True)
    ]
    model = FluidModel(hybrid, messages)
    assert model.routes(circuits, placement) == expected
    assert model.times(circuits, placement).hops == sum(len(route) - 1 for route in expected)


def single_message_times(bytes_, hybrid=None, circuits=NO_CIRCUITS, relay="messages", ends=(0, 3)):
    """Return the times of a single message in two groups of two nodes."""
    matrix = np.zeros((4, 4), dtype=np.int64)
    matrix[ends] = bytes_
    return FluidModel(hybrid or Hybrid(2, 2), from_matrix(matrix).message_list(), relay).times(circuits)


@for_each(
    ("call", "message"),
    [
        (lambda: FluidModel(Hybrid(2, 3), stencil((2, 2)).message_list()), "workload.processes=4"),
        (lambda: FluidModel(Hybrid(2, 2), stencil((2, 2)).message_list(), "cells"), "network.relay=cells"),
        (lambda: single_message_times(1, circuits=Circuits(((0, 1),))), "inside group"),
        (
            lambda: FluidModel(Hybrid(2, 2), stencil((2, 2)).message_list()).times(Circuits(), Placement((0, 1))),
            "placement: 2 processes",
        ),
        (
            lambda: FluidModel(
                Hybrid(2, 1),
                MessageList(2, *map(np.array, ([0] * 5, [1] * 5, [8] * 5, [10**18] * 5, [0] * 6, []))),
            ),
            "320 bits and delays of 5e+15 ns could take longer than 52 days",
        ),
    ],
)
def test_invalid_input_is_rejected(call, message):
    require_refusal(call, message)


def test_a_chaotic_run_is_reported_with_its_spread():
    # Exact rationals give 213,997,769 ns; ticks of 1 to 2^-60 ns gave 211.3 to 230.9 ms.
    circuits, hybrid = Circuits(((0, 8), (1, 16), (2, 24), (9, 17))), Hybrid(4, 8, up_gbps=10)
    messages = all_to_all(32).message_list()
    found = FluidModel(hybrid, messages).times(circuits)
    assert found.completion_min_ns <= 213_997_769 <= found.completion_max_ns
    assert found.completion_min_ns < found.completion_ns < found.completion_max_ns
    assert found.completion_max_ns - found.completion_min_ns <= 0.12 * found.completion_ns


def test_rates_and_times_out_of_the_integer_range_are_rejected():
    workload = stencil((2, 2)).message_list()
    # Rates below 1 / 2^20 of the rate of circuits: below 32 / 2^20 Gbit/s for circuits of 32, and 0.954 for 10^6.
    for rates, message in (
        ({"up_gbps": 1e-6}, "up_gbps=1e-06"),
        ({"up_gbps": 0.9, "circuit_gbps": 10**6}, "up_gbps=0.9"),
    ):
        with pytest.raises(InputError, match=rf"network.{message}: .* 1/2\^20"):
            FluidModel(Hybrid(2, 2, **rates), workload)
        with pytest.raises(InputError, match=r"1/2\^20"):
            grid_of(Hybrid(2, 2, **rates), workload)
    slow = Hybrid(2, 2, **{f"{name}_gbps": 1e-6 for name in ("node", "up", "circuit")})
    for build in (FluidModel, tree_units, grid_of):
        with pytest.raises(InputError, match="longer than 52 days"):
            build(slow, stencil((2, 2), 1 << 30).message_list())


def test_ticks_are_longer_if_a_run_may_be_long():
    # 8 messages of 2^30 bytes take up to 2^36 · (2 · (2 / 10 + 1 / 32) + 2 / 64) ns, below 2^35; rates of a thousandth,
    # below 2^45. Runs of fewer than 2^52 ticks then have up to 2^7 per ns.
    rates = {"node_gbps": 10, "up_gbps": 64, "circuit_gbps": 32}
    fast, slow = Hybrid(2, 2, **rates), Hybrid(2, 2, **{name: rates[name] / 1000 for name in rates})
    messages = stencil((2, 2), 1 << 30, iterations=1).message_list()
    assert [tree_units(hybrid, messages)[1].ticks_log2 for hybrid in (fast, slow)] == [10, 7]
    times = [FluidModel(hybrid, messages).times(Circuits()).completion_ns for hybrid in (fast, slow)]
    assert times[1] == pytest.approx(1000 * times[0], rel=1e-5)
