"""Orders of all-to-all exchanges and of all-gathers: what they deliver, and what precedes what."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.exchanges.all_gather import direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from isoplane.models.exchanges.gather_orders import gather_order_named
from isoplane.models.workloads.phase_barriers import between_barriers


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
