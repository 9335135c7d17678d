"""Placements of processes by their traffic, against the fluid model's loads and against all permutations."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.mathematics.partition import equal_parts
from isoplane.models.workloads import MappedWorkload, from_matrix, ring_all_reduce, stencil
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.search.placements.placement_search import by_cut, placement_bytes, searched

NETWORKS = {
    "torus": Network(Torus(shape=(3, 3))),
    "tree": Network(FatTree(switch_ports=4)),
    "cubes": dual_cube(3, (3, 5, 7)),  # nodes with several equally near planes
}


@st.composite
def placed_jobs(draw):
    """Draw a job on some nodes of a network; lengths divide evenly among planes."""
    network = NETWORKS[draw(st.sampled_from(sorted(NETWORKS)))]
    job = draw(st.integers(2, min(network.nodes, 8)))
    entries = draw(st.lists(st.integers(0, 9), min_size=job * job, max_size=job * job))
    matrix = 64 * np.array(entries).reshape(job, job) * (1 - np.eye(job, dtype=np.int64))
    matrix[0, 1] += 64
    nodes = draw(st.permutations(range(network.nodes)))[:job]
    return network, from_matrix(matrix), tuple(nodes)


@settings(deadline=None, max_examples=40)
@given(placed_jobs())
def test_the_bytes_of_a_placement_are_those_of_the_fluid_model(case):
    network, workload, nodes = case
    messages = MappedWorkload(workload, nodes, network.nodes).message_list()
    loads = NetworkFluidModel(network, messages).loads_bytes()
    assert placement_bytes(workload, network, nodes) == (loads.max(), loads.sum())


@settings(deadline=None, max_examples=15)
@given(placed_jobs())
def test_a_searched_placement_is_no_worse_than_those_it_starts_from(case):
    network, workload, _ = case
    found = searched(workload, network, evaluations=200)
    assert len(set(found)) == workload.processes
    cut, in_order = by_cut(workload, network), tuple(range(workload.processes))
    starts = [placement_bytes(workload, network, nodes) for nodes in (cut, in_order)]
    assert placement_bytes(workload, network, found) <= min(starts)


def test_the_search_finds_the_best_of_all_placements_of_a_small_job():
    network = Network(Torus(shape=(2, 3)))
    for seed in range(2):
        matrix = 64 * np.random.default_rng(seed).integers(0, 9, (6, 6)) * (1 - np.eye(6, dtype=np.int64))
        workload = from_matrix(matrix)
        best = min(placement_bytes(workload, network, nodes) for nodes in permutations(range(6)))
        assert placement_bytes(workload, network, searched(workload, network, seed, 3000)) == best


def test_a_cut_saves_a_shuffled_grid_a_third_of_its_bytes_times_hops():
    network = Network(Torus(shape=(8, 8)))
    shuffled = np.random.default_rng(1).permutation(64)
    matrix = stencil((8, 8), 1000, 1, periodic=True).matrix()[np.ix_(shuffled, shuffled)]
    workload = from_matrix(matrix)
    in_order = placement_bytes(workload, network, tuple(range(64)))
    cut = placement_bytes(workload, network, by_cut(workload, network))
    assert 3 * cut[1] < 2 * in_order[1]
    assert cut[1] >= matrix.sum()  # every byte takes a hop at least


def test_the_seed_decides_the_result():
    network, workload = NETWORKS["torus"], ring_all_reduce(9, 9000)
    found = [searched(workload, network, seed, 50) for seed in (1, 1, 2)]
    assert found[0] == found[1]
    assert by_cut(workload, network) == by_cut(workload, network)


def test_balanced_cuts_have_equal_parts():
    random = np.random.default_rng(3)
    weights = random.integers(0, 5, (12, 12)).astype(float)
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    assert np.bincount(equal_parts(weights, 3)).tolist() == [4, 4, 4]


def test_jobs_larger_than_the_machine_are_rejected():
    with pytest.raises(InputError, match="workload.processes=10: expected at most one for each of 9 nodes"):
        by_cut(ring_all_reduce(10, 1000), NETWORKS["torus"])
