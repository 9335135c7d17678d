"""Collective operations: every byte arrives where it belongs, and no more than that are sent."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models.workloads import (
    doubling_all_gather,
    expert_parallel,
    halving_doubling,
    halving_reduce_scatter,
    pipeline,
    ring_all_gather,
    ring_all_reduce,
    ring_reduce_scatter,
    tree_all_reduce,
)
from isoplane.models.workloads.collectives import algorithms, reductions
from isoplane.models.workloads.tree_all_reduce import parents
from tests.cases import for_each
from tests.models.process_programs.interpreter import arrivals

COUNTS = st.integers(2, 17)


def parts(size, count):
    """Return the lengths of parts that differ by at most a byte."""
    return [size // count + (part < size % count) for part in range(count)]


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.integers(1, 200))
def test_rings_send_every_part_over_all_links_but_one(processes, size):
    length = parts(size, processes)
    gathered, scattered = (
        work(processes, size).matrix() if size >= processes else None for work in (ring_all_gather, ring_reduce_scatter)
    )
    reduced = ring_all_reduce(processes, size).matrix()
    for i in range(processes):
        # Part i + 1 begins at process i + 1, so it does not pass from i to i + 1; part i + 1 of the sum ends at i.
        without_next = size - length[(i + 1) % processes]
        assert reduced[i, (i + 1) % processes] == without_next + size - length[(i + 2) % processes]
        if gathered is not None:
            assert gathered[i, (i + 1) % processes] == without_next
            assert scattered[i, (i + 1) % processes] == without_next
    assert reduced.sum() == 2 * (processes - 1) * size


@for_each("processes", [2, 4, 8, 32])
@for_each("size", [1, 9, 64, 1003])
def test_halving_scatters_and_doubling_gathers_with_the_fewest_bytes(processes, size):
    length = parts(size, processes)
    # Each process lacks all parts but its own, and each byte that arrives is one that it lacked.
    assert doubling_all_gather(processes, size).matrix().sum(axis=0).tolist() == [size - part for part in length]
    # Each process passes on every part but its own exactly once.
    assert halving_reduce_scatter(processes, size).matrix().sum(axis=1).tolist() == [size - part for part in length]
    both, halves = halving_doubling(processes, size), (doubling_all_gather, halving_reduce_scatter)
    assert (both.matrix() == sum(half(processes, size).matrix() for half in halves)).all()


@for_each("processes", range(2, 40))
def test_two_trees_span_all_processes_and_none_is_inside_both(processes):
    inner = []
    for tree in (0, 1):
        parent = parents(processes, tree)
        root = parent.index(-1)
        for process in range(processes):
            steps = 0
            while process != root:
                process, steps = parent[process], steps + 1
                assert steps <= 2 * processes.bit_length()
        children = np.bincount([up for up in parent if up >= 0], minlength=processes)
        assert children.max() <= 2
        inner.append(set(np.flatnonzero(children).tolist()) - {root})
    assert not inner[0] & inner[1] or processes % 2


@settings(max_examples=40, deadline=None)
@given(COUNTS, st.integers(1, 100), st.integers(1, 2), st.integers(1, 5))
def test_trees_send_the_vector_up_and_down_every_edge(processes, size, trees, chunks):
    work = tree_all_reduce(processes, size, trees, chunks)
    expected = np.zeros((processes, processes), dtype=np.int64)
    for tree, share in enumerate(parts(size, trees)):
        for process, parent in enumerate(parents(processes, tree)):
            if parent >= 0:
                expected[process, parent] += share
                expected[parent, process] += share
    assert (work.matrix() == expected).all()
    assert int(work.message_list().length_bytes.sum()) == 2 * (processes - 1) * size


def test_tokens_return_from_where_they_went_and_all_are_counted():
    work = expert_parallel(8, tokens=1000, token_bytes=7, choices=4, skew=1.2)
    there, back = (work.length_bytes[work.phase == phase] for phase in (0, 1))
    assert there.tolist() == back.tolist()
    assert work.source[work.phase == 0].tolist() == work.destination[work.phase == 1].tolist()
    assert set((work.length_bytes % 7).tolist()) == {0}
    matrix = work.matrix()[:, 0]  # to process 0 there and back
    assert matrix.max() <= 2 * 7 * 4000


def test_skew_concentrates_tokens_and_the_seed_decides_where():
    even, skewed = (expert_parallel(16, skew=skew).matrix().sum(axis=0) for skew in (0, 1))
    assert skewed.max() > 2 * even.max()
    assert expert_parallel(16, seed=3) == expert_parallel(16, seed=3)
    assert expert_parallel(16, seed=3) != expert_parallel(16, seed=4)


def completion_us(work):
    """Return when the last message of a workload arrives if none takes any time."""
    return max(arrivals(work.message_list())[1]) / 10**6


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_both_schedules_take_the_time_of_all_micro_batches_and_of_filling_the_pipeline(stages, batches, ahead, back):
    for schedule in ("gpipe", "1f1b"):
        work = pipeline(stages, batches, 8, ahead, back, schedule)
        assert completion_us(work) == (batches + stages - 1) * (ahead + back)
        assert work.matrix().sum() == 2 * 8 * batches * (stages - 1)


MEMBERS = [2, 3, 4, 5, 7, 8, 12, 16, 31]


def informed(steps, members):
    """Return, for each member, from which members information has reached it; a phase uses what was known before."""
    known = [{member} for member in range(members)]
    for phase in range(int(steps.phase.max(initial=-1)) + 1):
        before = [set(each) for each in known]
        for message in np.flatnonzero(steps.phase == phase):
            known[steps.destination[message]] |= before[steps.source[message]]
    return known


@for_each("members", MEMBERS)
def test_information_reaches_those_who_need_it(members):
    everyone = set(range(members))
    for steps in (
        algorithms.barrier(members),
        reductions.recursive_doubling(members, 9),
        reductions.halving_doubling(members, 4096),
        algorithms.ring_all_gather(members, 3),
    ):
        assert informed(steps, members) == [everyone] * members
    assert informed(algorithms.reduction(members, 8), members)[0] == everyone
    assert all(0 in known for known in informed(algorithms.broadcast(members, 8), members))
    assert len(algorithms.broadcast(members, 8).phase) == len(algorithms.reduction(members, 8).phase) == members - 1


@for_each("members", MEMBERS)
def test_a_scan_informs_each_member_of_those_before_it(members):
    known = informed(reductions.scan(members, 8), members)
    assert all(set(range(member + 1)) <= known[member] for member in range(members))
    assert reductions.scan(members, 8).phase.max() == (members - 1).bit_length() - 1


@for_each("members", MEMBERS)
def test_parts_of_any_lengths_are_gathered_scattered_and_passed_round_once(members):
    parts = np.arange(members) % 3 * 5
    for steps, root_end in (
        (algorithms.linear_gather(members, parts), "destination"),
        (algorithms.linear_scatter(members, parts), "source"),
    ):
        other_end = "source" if root_end == "destination" else "destination"
        assert not getattr(steps, root_end).any()
        assert steps.size_bytes.tolist() == parts[getattr(steps, other_end)].tolist()
        assert steps.size_bytes.sum() == parts[1:].sum()
    ring = algorithms.ring_all_gather(members, parts)
    arrived = np.bincount(ring.destination, ring.size_bytes, minlength=members)
    assert arrived.tolist() == (parts.sum() - parts).tolist()


@for_each("members", MEMBERS)
@for_each("size", [1, 7, 64, 1001])
def test_halving_and_doubling_reduces_every_byte_once_per_member_and_spreads_it(members, size):
    core = 1 << (members.bit_length() - 1)
    folded = members - core
    # Each of the core's members ends the reduce-scatter with its part: core - 1 parts of other members came to it.
    assert reductions.halving_doubling(members, size).size_bytes.sum() == 2 * size * (core - 1) + 2 * folded * size


@for_each("members", MEMBERS)
def test_an_all_to_all_sends_every_pair_its_bytes_once(members):
    sizes = np.arange(members * members).reshape(members, members)
    for size in (sizes, 3):
        steps, matrix = algorithms.all_to_all(members, size), np.zeros((members, members), dtype=np.int64)
        np.add.at(matrix, (steps.source, steps.destination), steps.size_bytes)
        assert (matrix == np.broadcast_to(size, sizes.shape) * ~np.eye(members, dtype=bool)).all()
        for phase in range(members - 1):
            assert len(set(steps.destination[steps.phase == phase])) == (steps.phase == phase).sum()


def test_all_reduces_of_more_than_2_kib_are_by_halving_and_doubling():
    assert (reductions.all_reduce(8, 2048).size_bytes == 2048).all()
    assert (reductions.all_reduce(8, 2056).size_bytes < 2056).all()


@for_each("size", [0, 1, 5, 12, 13])
def test_parts_of_a_vector_are_contiguous_and_differ_by_at_most_a_byte(size):
    starts = algorithms.part_start(size, 5, np.arange(6))
    assert (starts[0], starts[-1]) == (0, size)
    assert set(np.diff(starts).tolist()) <= {size // 5, size // 5 + 1}
