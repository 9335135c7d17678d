"""Workloads and message lists: their messages, dependencies and cycles."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models.workloads import (
    PhasedWorkload,
    all_to_all,
    dense,
    from_matrix,
    recursive_doubling,
    ring_all_reduce,
    sparse,
    stencil,
)
from isoplane.models.workloads.message_list import dependency_cycle
from tests.cases import for_each
from tests.models.workloads.test_refusals import message_list


def dependencies(workload):
    """Return the dependencies of each message."""
    messages = workload.message_list()
    starts = messages.dependency_start
    return [set(messages.dependency[starts[i] : starts[i + 1]].tolist()) for i in range(messages.messages)]


@for_each("shape", [(2, 2), (2, 3), (3, 2, 4), (5,)])
def test_a_periodic_stencil_has_each_neighbour_once(shape):
    matrix = stencil(shape, 7, periodic=True).matrix()
    assert set(np.unique(matrix)) == {0, 7}
    expected = sum(1 if size == 2 else 2 for size in shape)
    assert (np.count_nonzero(matrix, axis=1) == expected).all()


def test_phases_are_sorted():
    columns = ([5, 2], [0, 1], [1, 0], [8, 9])
    workload = PhasedWorkload("by hand", 2, *map(np.array, columns))
    assert workload.source.tolist() == [1, 0]
    assert dependencies(workload) == [set(), {0}]


def test_collectives_send_the_required_volume():
    processes, vector = 8, 64
    assert ring_all_reduce(processes, vector).length_bytes.sum() == 2 * (processes - 1) * vector
    matrix = recursive_doubling(processes, vector).matrix()
    assert (matrix.sum(axis=0) == 3 * vector).all()
    exchange = all_to_all(processes, 5)
    assert (exchange.matrix() == 5 * ~np.eye(processes, dtype=bool)).all()
    for phase in range(processes - 1):  # every phase is a permutation
        assert sorted(exchange.destination[exchange.phase == phase]) == list(range(processes))


def test_random_workloads_depend_on_their_seed_and_no_process_sends_to_itself():
    assert (sparse(16, 3, seed=5).matrix() == sparse(16, 3, seed=5).matrix()).all()
    assert (sparse(16, 3, seed=5).matrix() != sparse(16, 3, seed=6).matrix()).any()
    assert (np.count_nonzero(sparse(16, 3).matrix(), axis=1) == 3).all()
    lengths = dense(16, 1000).matrix()[~np.eye(16, dtype=bool)]
    assert (lengths.min() >= 1, lengths.max() <= 1000, len(set(lengths.tolist())) > 100) == (True, True, True)


def test_a_workload_from_a_matrix_has_that_matrix():
    matrix = np.array([[0, 3, 0], [1, 0, 2], [0, 0, 0]])
    assert (from_matrix(matrix).matrix() == matrix).all()
    assert (from_matrix(matrix.astype(float)).matrix() == matrix).all()


def test_scaled_messages_have_at_least_one_byte():
    assert stencil((2, 2), 10).scaled(4).length_bytes.tolist() == [2] * 8
    assert stencil((2, 2), 3).scaled(4).length_bytes.tolist() == [1] * 8


@st.composite
def phased_workloads(draw, synchronised=False):
    """Draw a workload of a few phases between four processes."""
    row = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3), st.integers(1, 9))
    phase, source, step, lengths = np.array(draw(st.lists(row, min_size=1, max_size=12))).T
    destination = (source + step) % 4
    return PhasedWorkload("drawn", 4, phase, source, destination, lengths, draw(st.integers(1, 3)), synchronised)


@given(phased_workloads())
def test_a_process_awaits_what_it_has_sent_and_received_since_it_last_sent(workload):
    messages, phases = workload.message_list(), sorted(set(workload.phase.tolist()))
    unfinished, expected, index = [[] for _ in range(4)], [], 0
    for _ in range(workload.iterations):
        for phase in phases:
            of_phase = np.flatnonzero(workload.phase == phase).tolist()
            expected += [list(unfinished[workload.source[message]]) for message in of_phase]
            for message in of_phase:
                unfinished[workload.source[message]] = []
            for message in of_phase:
                unfinished[workload.source[message]].append(index)
                unfinished[workload.destination[message]].append(index)
                index += 1
    found = np.split(messages.dependency, messages.dependency_start[1:-1])
    assert [each.tolist() for each in found] == expected


@given(phased_workloads(synchronised=True))
def test_synchronised_phases_have_barriers_between_them_and_the_same_messages(workload):
    messages, plain = workload.message_list(), replace(workload, synchronised=False).message_list()
    for name in ("source", "destination", "length_bytes"):
        assert (getattr(messages, name)[~messages.local] == getattr(plain, name)).all()
    phases = len(set(workload.phase.tolist())) * workload.iterations
    assert messages.local.sum() == phases - 1
    assert workload != replace(workload, synchronised=False)


def csr(lists):
    starts = np.cumsum([0, *map(len, lists)])
    return starts, np.array([other for others in lists for other in others], dtype=np.int32)


def test_a_message_list_holds_narrow_arrays():
    messages = message_list()
    assert messages.messages == 3
    assert messages.source.dtype == messages.destination.dtype == messages.dependency.dtype == np.int32
    assert messages.length_bytes.dtype == messages.delay_ps.dtype == messages.dependency_start.dtype == np.int64
    assert messages.delay_ps.tolist() == [0, 10**18, 5]


def test_a_local_message_may_be_empty_and_is_not_sent():
    messages = message_list(destination=[1, 1, 2], length_bytes=[5, 0, 7])
    assert messages.local.tolist() == [False, True, True]
    assert messages.sent_bytes == 5


@given(st.lists(st.lists(st.integers(0, 7), max_size=3), min_size=8, max_size=8))
def test_a_cycle_is_found_if_and_only_if_it_exists(lists):
    found = dependency_cycle(*csr(lists))
    for message, dependency in pairwise(found):
        assert dependency in lists[message]
    assert not found or (found[0] == found[-1] and len(set(found)) == len(found) - 1)
    waiting = set(range(8))
    for _ in range(8):
        waiting = {message for message in waiting if waiting & set(lists[message])}
    assert bool(found) == bool(waiting)


def test_a_chain_of_a_hundred_thousand_messages_is_followed_to_its_end():
    lists = [[message + 1] for message in range(99_999)]
    assert dependency_cycle(*csr([*lists, []])) == ()
    assert len(dependency_cycle(*csr([*lists, [50_000]]))) == 50_001
