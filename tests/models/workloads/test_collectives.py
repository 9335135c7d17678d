"""Collective operations of clusters: every byte arrives where it belongs, and no more than that are sent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
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
from isoplane.models.workloads.tree_all_reduce import parents
from tests.cases import for_each

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


def completion_us(work, latency_us=0):
    """Return when the last message of a workload arrives if each takes some time."""
    messages, arrived = work.message_list(), []
    for i in range(messages.messages):
        on = messages.dependency[messages.dependency_start[i] : messages.dependency_start[i + 1]].tolist()
        moment = max([0, *(arrived[j] for j in on)]) + int(messages.delay_ps[i])
        arrived.append(moment + 10**6 * latency_us * (messages.source[i] != messages.destination[i]))
    return max(arrived) / 10**6


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 6), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_both_schedules_take_the_time_of_all_micro_batches_and_of_filling_the_pipeline(stages, batches, ahead, back):
    for schedule in ("gpipe", "1f1b"):
        work = pipeline(stages, batches, 8, ahead, back, schedule)
        assert completion_us(work) == (batches + stages - 1) * (ahead + back)
        assert work.matrix().sum() == 2 * 8 * batches * (stages - 1)


@for_each(
    ("make", "message"),
    [
        (lambda: doubling_all_gather(6), "workload.processes=6: expected a power of two for doubling all gather"),
        (lambda: ring_all_gather(4, 0), "workload.vector_bytes=0"),
        (lambda: tree_all_reduce(4, trees=3), "workload.trees=3: expected an integer from 1 to 2"),
        (lambda: tree_all_reduce(4, chunks=0), "workload.chunks=0"),
        (lambda: tree_all_reduce(4096, chunks=4096), "workload: 67092480 messages; expected at most 33554432"),
        (lambda: pipeline(4096, 65536), "workload: 536739840 messages; expected at most 33554432"),
        (lambda: expert_parallel(4, choices=17), "workload.choices=17: expected an integer from 1 to 16"),
        (lambda: expert_parallel(4, skew=-1), "workload.skew=-1"),
        (lambda: pipeline(4, schedule="2f"), "workload.schedule='2f': expected gpipe, 1f1b"),
        (lambda: pipeline(4, forward_us=-1), "workload.forward_us=-1"),
    ],
)
def test_invalid_parameters_are_rejected(make, message):
    with pytest.raises(InputError, match=message):
        make()
