"""Orders of an all-gather: what they deliver, and what is not one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.models.exchanges.all_gather import GatherOrder, direct_gather
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.exchanges.gather_orders import gather_order_named
from tests.cases import for_each


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


RING = gather_order_named("ring", 3)
COLUMNS = ("phase", "source", "destination", "first", "chunks")


@for_each(
    ("change", "message"),
    [
        ({"phase": [0, 0, 0, 2, 1, 1]}, "phases out of order; expected ascending ones"),
        ({"source": [0, 1, 2, 0, 1, 3]}, "order: source=3: expected an integer from 0 to 2"),
        ({"chunks": [1, 1, 1, 1, 1, 2]}, "order: process 2 sends chunk 2 before|receives chunk 2, which it has"),
        ({"chunks": [1, 1, 2, 1, 1, 1]}, "order: last chunk=3: expected an integer from 0 to 2"),
        ({"first": [0, 1, 2, 1, 0, 1]}, "process 0 sends chunk 1 before it has it; expected chunks of earlier phases"),
        ({"first": [0, 1, 2, 0, 0, 1]}, "process 1 receives chunk 0, which it has; expected each chunk once"),
        ({"destination": [1, 1, 0, 1, 2, 0]}, "process 1 receives twice in phase 0; expected at most one message"),
        ({"source": [1, 1, 2, 0, 1, 2]}, "process 1 sends twice in phase 0; expected at most one message"),
        ({"chunks": [1] * 5}, "columns of different lengths, or no messages; expected a value for each message"),
    ],
)
def test_messages_that_are_no_all_gather_are_refused(change, message):
    columns = {name: np.array(change.get(name, getattr(RING, name))) for name in COLUMNS}
    with pytest.raises(InputError, match=message):
        GatherOrder("damaged", 3, **columns)


def test_an_all_gather_that_ends_too_early_is_refused():
    with pytest.raises(InputError, match="process 0 ends without chunk 1; expected all chunks"):
        GatherOrder("damaged", 3, *(getattr(RING, name)[:3] for name in COLUMNS))


@for_each(
    ("make", "message"),
    [
        (lambda: gather_order_named("tree", 4), "order='tree': expected recursive_doubling, ring"),
        (lambda: gather_order_named("recursive_doubling", 6), "6 processes; expected a power of two"),
        (lambda: gather_order_named("ring", 1), "order: processes=1: expected an integer from 2 to 1024"),
        (lambda: direct_gather(ExchangeOrder("job", [1, 2], [[1, 0]])), "a job on some of the nodes; expected proc"),
    ],
)
def test_orders_that_do_not_exist_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
