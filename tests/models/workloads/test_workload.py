"""Workloads: their messages and dependencies."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
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
from tests.cases import for_each


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


@for_each(
    ("make", "message"),
    [
        (lambda: from_matrix(np.zeros((2, 2))), "no traffic between processes"),
        (
            lambda: from_matrix(np.array([[0, -1], [0, 0]])),
            "workload.matrix=-1 from process 0 to 1: expected an integer",
        ),
        (lambda: from_matrix(np.array([[0, 1 << 31], [0, 0]])), "workload.matrix=2147483648 from .* to 1073741824"),
        (lambda: from_matrix(np.array([[0, 0.5], [0, 0]])), "workload.matrix=0.5 from process 0 to 1"),
        (lambda: from_matrix(np.array([[0, np.inf], [0, 0]])), "workload.matrix=inf from process 0 to 1"),
        (lambda: from_matrix(np.array([["a", "b"], ["c", "d"]])), "entries of type <U1"),
        (lambda: from_matrix(np.zeros((2, 3))), r"of shape \(2, 3\)"),
        (lambda: stencil((8, 1)), "workload.shape=1: expected an integer from 2"),
        (lambda: stencil((1 << 11, 1 << 10)), "workload.shape=.*: 2097152 positions; expected at most 1048576"),
        (lambda: all_to_all(64, iterations=65536).message_list(), "264241152 messages; expected at most 33554432"),
        (lambda: stencil((2, 2), 0), "workload.message_bytes=0"),
        (lambda: sparse(4, 4), "workload.partners=4"),
        (lambda: recursive_doubling(6), "workload.processes=6"),
        (lambda: PhasedWorkload("w", 2, *map(np.array, ([0], [0], [0], [1]))), "process 0 sends to itself"),
        (lambda: PhasedWorkload("w", 2, *map(np.array, ([0], [0], [2], [1]))), "workload.destination=2"),
        (lambda: PhasedWorkload("w", 2, *map(np.array, ([0], [0], [1], [1, 2]))), "workload.length_bytes"),
        (lambda: replace(all_to_all(3), synchronised="yes"), "workload.synchronised=yes: expected true or false"),
    ],
)
def test_an_invalid_workload_is_rejected(make, message):
    with pytest.raises(InputError, match=message):
        make()


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
