"""Workloads, orders of exchanges and message lists: what they send, and what precedes what."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.exchanges.all_gather import direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.models.exchanges.gather_orders import gather_order_named
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
from isoplane.models.workloads.message_list import between_barriers, dependency_cycle
from tests.cases import for_each
from tests.models.workloads.test_refusals import message_list


@given(st.integers(2, 20), st.sampled_from(order_names()))
def test_every_pattern_sends_each_process_one_message_to_every_other_in_the_fewest_phases(processes, name):
    if name == "xor" and processes & (processes - 1):
        with pytest.raises(InputError, match="expected a power of two"):
            order_named(name, range(processes))
        return
    order = order_named(name, range(processes))
    assert order.phases == processes - 1  # none is idle, as P - 1 messages of each process need as many phases
    for phase in order.destination.tolist():
        assert sorted(phase) == list(range(processes))
    for source in range(processes):
        assert sorted(order.destination[:, source].tolist()) == [d for d in range(processes) if d != source]


def test_a_barrier_follows_all_messages_of_a_phase_and_all_of_the_next_follow_it():
    order = ExchangeOrder("by hand", [4, 2, 7], [[1, -1, -1], [2, 0, 1], [-1, 2, 0]])
    messages = order.with_barriers(8, 64)
    assert messages.source.tolist() == [4, 4, 4, 2, 7, 4, 2, 7]
    assert messages.destination.tolist() == [2, 4, 7, 4, 2, 4, 7, 4]
    assert messages.length_bytes.tolist() == [64, 0, 64, 64, 64, 0, 64, 64]
    depends_on = np.split(messages.dependency, messages.dependency_start[1:-1])
    assert [each.tolist() for each in depends_on] == [[], [0], [1], [1], [1], [2, 3, 4], [5], [5]]


def test_an_idle_phase_does_not_break_a_barrier():
    order = ExchangeOrder("by hand", [0, 1], [[1, -1], [-1, -1], [-1, 0]])
    assert order.with_barriers(2).dependency.tolist() == [0, 1]  # a single barrier


def test_the_workload_of_the_shift_order_is_the_usual_all_to_all():
    from isoplane.models.workloads import all_to_all

    assert order_named("shift", range(6)).workload(1000, 2) == all_to_all(6, 1000, 2)


def delivered(order):
    """The chunks of each process in the end, as sets, message by message; those of a phase are sent before it."""
    held = [{process} for process in range(order.processes)]
    for number in range(order.phases):
        before = [set(each) for each in held]
        for message in np.flatnonzero(order.phase == number).tolist():
            first = int(order.first[message])
            chunks = set(range(first, first + int(order.chunks[message])))
            assert chunks <= before[order.source[message]]
            assert not chunks & held[order.destination[message]]
            held[order.destination[message]] |= chunks
    return held


@given(st.integers(1, 6))
def test_recursive_doubling_delivers_all_chunks_in_as_many_phases_as_doublings(power):
    order = gather_order_named("recursive_doubling", 1 << power)
    assert order.phases == power
    assert delivered(order) == [set(range(1 << power))] * (1 << power)


@given(st.integers(2, 40))
def test_a_ring_sends_only_to_the_next_process_and_delivers_all_chunks(processes):
    order = gather_order_named("ring", processes)
    assert set(((order.destination - order.source) % processes).tolist()) == {1}
    assert order.phases == processes - 1
    assert delivered(order) == [set(range(processes))] * processes


@given(st.integers(2, 20))
def test_direct_messages_have_the_phases_of_the_exchange(processes):
    exchange = order_named("shift", range(processes))
    order = direct_gather(exchange)
    assert all((ours == theirs).all() for ours, theirs in zip(order.messages(), exchange.messages(), strict=True))
    assert delivered(order) == [set(range(processes))] * processes


def ancestors(messages):
    """Return the set of all messages before each one, directly or not."""
    found = []
    for message in range(messages.messages):
        start, end = messages.dependency_start[message : message + 2]
        direct = messages.dependency[start:end].tolist()
        found.append(set(direct).union(*(found[each] for each in direct)))
    return found


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(1, 3)), min_size=1, max_size=15))
def test_a_message_follows_exactly_the_messages_of_earlier_phases(rows):
    phase, source, step = np.array(sorted(rows)).T
    messages = between_barriers(4, 10 * phase, source, (source + step) % 4, 100 + phase)
    assert messages.sent_bytes == (100 + phase).sum()
    assert messages.local.sum() == len(set(phase.tolist())) - 1
    assert (messages.source[~messages.local] == source).all()
    sent, before = np.flatnonzero(~messages.local), ancestors(messages)
    for number, message in enumerate(sent.tolist()):
        expected = {int(each) for each, earlier in zip(sent, phase, strict=True) if earlier < phase[number]}
        assert {each for each in before[message] if not messages.local[each]} == expected
    assert len(messages.dependency) <= 2 * len(rows)


def test_barriers_of_a_million_messages_have_two_million_dependencies_at_most():
    phase = np.repeat(np.arange(4), 250_000)
    source = np.tile(np.arange(250_000), 4)
    messages = between_barriers(250_000, phase, source, (source + 1) % 250_000, np.ones(10**6, dtype=np.int64))
    assert len(messages.dependency) == 3 * 2 * 250_000


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
