"""Several processes on a node: messages between them take no link, but keep their dependencies and delays."""

import json

import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import WorkloadMix, all_to_all, from_matrix, npb, pipeline, ring_all_reduce, stencil
from isoplane.models.workloads.mapped_workload import in_groups, placed_on, require_all_nodes
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.objectives.fluid.plane_evaluation import plane_metrics
from isoplane.runs.config.assignments import workload_of
from isoplane.runs.config.placements import on_nodes
from isoplane.runs.records import workload_from, workload_json
from isoplane.runs.records.verification import network_time_metrics
from isoplane.search.placements.placement_search import by_cut, searched
from isoplane.simulator import Hardware, workload_time_ns
from tests.cases import for_each
from tests.models.process_programs.interpreter import arrivals

WORKLOADS = {
    "ft": npb("ft", "S", 8, 2, gflops=1),
    "cg": npb("cg", "S", 8, 1, gflops="0.5", eager_bytes=0),
    "dt": npb("dt", "S", 5, graph="BH"),
    "stencil": stencil((2, 3), 1000, 2),
    "synchronised": workload_of({"workload": {"kind": "all_to_all", "processes": 7, "message_bytes": 100,
                                              "iterations": 2, "synchronised": True}}),
}  # fmt: skip


@for_each("several", [2, 3])
@for_each("name", WORKLOADS)
def test_messages_between_nodes_begin_when_those_merged_by_hand_do(name, several):
    workload = WORKLOADS[name]
    listed, grouped = workload.message_list(), in_groups(workload, several)
    pairs = zip(listed.source.tolist(), listed.destination.tolist(), strict=True)
    ends = [(a // several, b // several) for a, b in pairs]
    latency = [0 if a == b else 1000 + 7 * a + b for a, b in ends]
    merged = grouped.message_list()
    assert list(zip(merged.source.tolist(), merged.destination.tolist(), strict=True)) == ends
    assert merged.local.tolist() == [not time for time in latency]
    assert arrivals(merged, latency.__getitem__) == arrivals(listed, latency.__getitem__)
    sent = [length for length, (a, b) in zip(listed.length_bytes.tolist(), ends, strict=True) if a != b]
    assert grouped.length_bytes.tolist() * grouped.iterations == sent
    assert grouped.messages * grouped.iterations == len(sent)
    matrix = np.zeros((grouped.processes, grouped.processes), dtype=np.int64)
    for (a, b), length in zip(ends, listed.length_bytes.tolist(), strict=True):
        matrix[a, b] += length * (a != b)
    assert (grouped.iterations * grouped.matrix() == matrix).all()


def test_stages_on_a_node_pass_on_without_a_link():
    work, network = pipeline(4, 1, 1_000_000, 100, 200), Network(Torus(shape=(2,)))
    # 4 stages compute forward and backward; only the middle one of 3 boundaries is between the nodes.
    computing_ns = 4 * 100_000 + 4 * 200_000
    grouped, once = in_groups(work, 2).message_list(), from_matrix(np.array([[0, 1_000_000], [0, 0]])).message_list()
    fluid = [NetworkFluidModel(network, messages).times().completion_ns for messages in (grouped, once)]
    assert fluid[0] == computing_ns + 2 * fluid[1]
    flits = [workload_time_ns(network, Hardware(), messages) for messages in (grouped, once)]
    assert flits[0] == computing_ns + 2 * flits[1]


@for_each("name", ["ft", "stencil"])
def test_the_reference_agrees_on_times(name):
    grouped, network = in_groups(WORKLOADS[name], 2), Network(Torus(shape=(4,)))
    grouped = placed_on(grouped, (3, 0, 1, 2)[: grouped.processes], 4)
    assert network_time_metrics(network, grouped) == plane_metrics(network, grouped)


def test_as_many_processes_as_a_workload_can_have_share_nodes():
    # Of 4 · 256 · 255 messages in a square of 256 x 256 processes, 2 in each of 256 · 128 pairs stay in a node.
    assert in_groups(stencil((256, 256), 8, 1), 2).messages == 4 * 256 * 255 - 2 * 256 * 128


def test_groups_are_placed_by_their_traffic():
    network, work = Network(Torus(shape=(3, 3))), npb("ft", "S", 16, 1)
    full = work.matrix()
    by_hand = from_matrix(sum(full[a::2, b::2] for a in (0, 1) for b in (0, 1)) * (1 - np.eye(8, dtype=np.int64)))
    grouped = in_groups(work, 2)
    assert by_cut(grouped, network) == by_cut(by_hand, network)
    assert searched(grouped, network, 1, 50) == searched(by_hand, network, 1, 50)
    for rule in ("in_order", "random", "by_cut", "searched"):
        placed = on_nodes(grouped, {"placement": rule, "placement_evaluations": 50}, network)
        assert [a == b for a, b in zip(placed.nodes[0::2], placed.nodes[1::2], strict=True)] == [True] * 8
        assert len(set(placed.nodes)) == 8


def test_mixes_have_parts_with_equally_many_nodes():
    mix = WorkloadMix([(2, in_groups(all_to_all(8, 10), 2)), (1, ring_all_reduce(4, 400))])
    placed = on_nodes(mix, {"placement": [4, 3, 2, 1]}, Network(Torus(shape=(5,))))
    assert placed.matrix()[4].tolist() == [0, 2 * 40, 2 * 40, 2 * 40 + 600, 0]


@for_each("name", WORKLOADS)
def test_records_keep_the_processes_of_a_node(name):
    workload = WORKLOADS[name]
    assert workload_json(in_groups(workload, 1)) == workload_json(workload)
    assert workload_json(in_groups(workload, 2)) == {**workload_json(workload), "processes_per_node": 2}
    assert workload_from(workload_json(in_groups(workload, 2))) == in_groups(workload, 2)
    for several in (1, 2):
        groups = in_groups(workload, several)
        placed = placed_on(groups, tuple(range(groups.processes, 0, -1)), groups.processes + 3)
        assert workload_from(json.loads(json.dumps(workload_json(placed)))) == placed


def test_processes_that_do_not_fit_are_rejected():
    network = Network(Torus(shape=(4, 15)))
    with pytest.raises(InputError, match="^workload.processes=256: expected at most 4 for each of 60 nodes$"):
        on_nodes(in_groups(npb("ep", "S", 256), 4), {}, network)
    pairs = Network(Torus(shape=(4,)))
    assert on_nodes(in_groups(all_to_all(8, 8), 2), {}, pairs).processes == 4
    with pytest.raises(InputError, match="^workload.processes=9: expected at most 2 for each of 4 nodes$"):
        on_nodes(in_groups(all_to_all(9, 8), 2), {}, pairs)
    for processes in (7, 8):
        require_all_nodes(in_groups(all_to_all(processes, 8), 2), 4)
    with pytest.raises(InputError, match="^workload.processes=6: expected 7 to 8, 2 for each of 4 nodes$"):
        require_all_nodes(in_groups(all_to_all(6, 8), 2), 4)
    with pytest.raises(InputError, match="^placement: 2 nodes; expected one for each of 3 groups of 2 processes$"):
        on_nodes(in_groups(all_to_all(5, 8), 2), {"placement": [3, 1]}, network)
    # As many nodes as the network has, in order, are too many as well.
    with pytest.raises(InputError, match="^placement: 60 nodes; expected one for each of 3 groups of 2 processes$"):
        on_nodes(in_groups(all_to_all(5, 8), 2), {"placement": list(range(60))}, network)
    with pytest.raises(InputError, match="^placement: 60 nodes; expected one for each of 5 processes$"):
        on_nodes(all_to_all(5, 8), {"placement": list(range(60))}, network)
    with pytest.raises(InputError, match="^placement: 4 processes on node 3; expected at most 2$"):
        on_nodes(in_groups(all_to_all(4, 8), 2), {"placement": [3, 3]}, network)
    with pytest.raises(InputError, match="^workload.processes_per_node=5: all messages are between processes"):
        in_groups(all_to_all(5, 8), 5)
    with pytest.raises(InputError, match="^workload.processes_per_node=0: expected an integer from 1"):
        in_groups(all_to_all(5, 8), 0)
