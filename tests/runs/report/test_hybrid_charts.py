"""The data behind the charts of hybrid networks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.models.placement import by_switch
from isoplane.models.workloads import sparse, stencil
from isoplane.objectives.fluid import RELAYS
from isoplane.runs.drawing.heat import MAX_LEVELS, level_ends, level_of
from isoplane.runs.drawing.positions import node_ring
from isoplane.runs.report.designs.evaluated_circuits import EvaluatedCircuits
from isoplane.runs.report.sections.busy_links import longest_ms
from isoplane.runs.report.sections.circuits import MAX_ROWS, circuit_rows, circuits_by_group
from isoplane.runs.report.sections.timeline import message_times_ns, timeline
from isoplane.runs.report.sections.traffic import block_starts, group_matrix, traffic_of
from isoplane.search.circuits.rules import round_robin

from .hybrid_cases import data

MEGABYTE = 1_000_000


def evaluated_design(hybrid, work, circuits, placement):
    return EvaluatedCircuits("", Design(Network(hybrid), circuits, placement), work)


@st.composite
def designs(draw):
    hybrid = Hybrid(draw(st.integers(2, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 2)))
    partners = draw(st.integers(1, min(3, hybrid.nodes - 1)))
    work = sparse(hybrid.nodes, partners, draw(st.integers(1, MEGABYTE)), draw(st.integers(1, 2)))
    placement = by_switch(hybrid.nodes)
    circuits = round_robin(hybrid, work, placement, draw(st.integers(0, hybrid.max_circuits)))
    return evaluated_design(hybrid, work, circuits, placement)


@settings(deadline=None)
@given(designs())
def test_busy_times_of_links_agree_with_the_metrics(design):
    times = design.busy_ms
    assert longest_ms(times) == pytest.approx(design.metrics["bottleneck_ns"] / 1e6, abs=1e-6)
    total = sum(float(each.sum()) for each in times.all())
    assert total == pytest.approx(design.metrics["total_ns"] / 1e6, abs=1e-6)


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS))
def test_the_timeline_ends_with_the_completion_and_delivers_everything(design, relay):
    (begun, arrived), (moments, in_flight, delivered) = message_times_ns(design, relay), timeline(design, relay)
    name = "completion_ns" if relay == "messages" else "completion_by_packets_ns"
    assert arrived.max() == moments[-1] == pytest.approx(design.metrics[name], abs=0.6)
    assert (begun < arrived).all()
    assert in_flight[-1] == 0
    assert (in_flight >= 0).all()
    assert delivered[-1] == design.messages.length_bytes.sum() * design.messages.iterations
    assert (moments[0], delivered[0]) == (0, 0)


@settings(deadline=None)
@given(designs(), st.integers(1, 8))
def test_no_traffic_is_lost_in_blocks(design, max_blocks):
    sent = design.messages.matrix().sum()
    starts, blocks, _ = traffic_of(design, max_blocks)
    assert len(blocks) <= max_blocks
    assert blocks.sum() == sent == group_matrix(design).sum()
    assert (starts[0], starts[-1]) == (0, design.hybrid.nodes)
    between = group_matrix(design).sum() - np.trace(group_matrix(design))
    assert between == design.shown["crossing_bytes"]


def test_blocks_never_straddle_the_border_of_a_group():
    for hybrid in (Hybrid(16, 64), Hybrid(256, 16), Hybrid(30, 37), Hybrid(2, 1)):
        starts = block_starts(hybrid)
        size = hybrid.nodes_per_group
        assert all(a // size == (b - 1) // size or (a % size, b % size) == (0, 0) for a, b in pairwise(starts))


def test_processes_are_in_the_order_of_their_nodes():
    case = data().design
    moved = evaluated_design(case.hybrid, case.messages, Circuits(), Placement((7, 1, 2, 3, 4, 5, 6, 0)))
    _, sent, kind = traffic_of(moved)
    assert sent[7, 1] == 1_250_000  # process 0 is on node 7 and sends to process 1
    assert kind[7, 1] == 1
    assert sent[0, 1] == 0


def test_pairs_joined_by_a_circuit_are_distinguished():
    _, _, kind = traffic_of(data().design)
    assert kind[0, 4] == kind[4, 0] == 2
    assert (kind[0, 1], kind[2, 6]) == (0, 1)


@settings(deadline=None)
@given(designs())
def test_every_circuit_is_counted_for_both_of_its_groups(design):
    assert circuits_by_group(design).sum() == 2 * len(design.circuits)


def test_nodes_lie_on_a_circle_group_by_group():
    found = node_ring(Hybrid(4, 2).group)
    assert np.hypot(*found.T) == pytest.approx(np.ones(8))
    assert (found[:2] > 0).all()  # group 0 has the first quarter


def test_the_table_has_the_ports_of_the_cross_connects_and_the_bytes_each_way():
    hybrid = Hybrid(2, 2, 2, circuit_gbps=8)
    work = stencil((2, 2), MEGABYTE, iterations=1)
    rows, note = circuit_rows(evaluated_design(hybrid, work, Circuits(((0, 2), (0, 3), (1, 3))), by_switch(4)))
    assert [row[:5] for row in rows[1:]] == [
        ["0", "0\xa0–\xa02", "0\xa0–\xa00", "0\xa0–\xa02", "0\xa0–\xa01"],
        ["1", "0\xa0–\xa03", "1\xa0–\xa00", "0\xa0–\xa03", "0\xa0–\xa01"],
        ["2", "1\xa0–\xa03", "0\xa0–\xa01", "1\xa0–\xa03", "0\xa0–\xa01"],
    ]
    assert rows[1][5:] == ["1", "1", "1"]  # a megabyte each way at 8 Gbit/s: a millisecond
    assert rows[2][5:] == ["0", "0", "0"]
    assert note == ""


def test_a_long_table_is_truncated_and_says_so():
    hybrid = Hybrid(2, 100)
    design = evaluated_design(hybrid, sparse(200, 2), Circuits(tuple((i, 100 + i) for i in range(100))), by_switch(200))
    rows, note = circuit_rows(design)
    assert len(rows) == 1 + MAX_ROWS
    assert "first 64 of 100" in note


@given(st.lists(st.integers(1, 10**9), min_size=1))
def test_every_value_is_in_the_lowest_level_that_reaches_it(values):
    ends = level_ends(np.array(values))
    assert len(ends) <= MAX_LEVELS
    assert ends[-1] == max(values)
    for value, level in zip(values, level_of(np.array(values), ends), strict=True):
        assert value <= ends[level] * (1 + 1e-9)
        assert level == 0 or value >= ends[level - 1]
