"""Orders of all-to-all exchanges: what an order is, the patterns by name, and their messages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named, order_names
from tests.cases import for_each


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


@for_each(
    ("nodes", "destination", "message"),
    [
        ([0, 0], [[1, 0]], "nodes repeated"),
        ([0], [[0]], "order: processes=1"),
        ([0, 1], [[1, 0, 2]], "destinations of 3 processes; expected 2"),
        ([0, 1], [[1, 2]], "destination 2; expected -1 to 1"),
        ([0, 1], [[1, 1]], "process 1 receives twice in phase 0"),
        ([0, 1], [[1, 0], [1, -1]], "2 messages from process 0 to 1; expected 1"),
        ([0, 1], [[1, -1]], "0 messages from process 1 to 0; expected 1"),
        ([0, 1], [[0, -1], [1, 0]], "1 messages from process 0 to 0; expected 0"),
        ([0, 1], [[1.0, 0.0]], "expected 2-D integers"),
    ],
)
def test_what_is_no_exchange_is_refused(nodes, destination, message):
    with pytest.raises(InputError, match=message):
        ExchangeOrder("wrong", nodes, destination)


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
