"""Message lists: validation, and cycles of dependencies."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, MessageList
from isoplane.models.workloads.message_list import dependency_cycle
from tests.cases import for_each

CHAIN = {
    "nodes": 3,
    "source": [0, 1, 2],
    "destination": [1, 2, 0],
    "length_bytes": [8, 8, 1 << 30],
    "delay_ps": [0, 10**18, 5],
    "dependency_start": [0, 0, 1, 2],
    "dependency": [0, 1],
}


def message_list(**changes):
    fields = CHAIN | changes
    return MessageList(**{name: np.array(value) if name != "nodes" else value for name, value in fields.items()})


def csr(lists):
    starts = np.cumsum([0, *map(len, lists)])
    return starts, np.array([other for others in lists for other in others], dtype=np.int32)


def test_a_message_list_holds_narrow_arrays():
    messages = message_list()
    assert messages.messages == 3
    assert messages.source.dtype == messages.destination.dtype == messages.dependency.dtype == np.int32
    assert messages.length_bytes.dtype == messages.delay_ps.dtype == messages.dependency_start.dtype == np.int64
    assert messages.delay_ps.tolist() == [0, 10**18, 5]


@for_each(
    ("changes", "message"),
    [
        ({"nodes": 1}, "nodes=1: expected an integer from 2 to"),
        ({"source": [0, 1]}, r"messages: destination of shape \(3,\); expected \(2,\)"),
        ({"dependency_start": [0, 0, 2]}, r"messages: dependency_start of shape \(3,\); expected \(4,\)"),
        ({"dependency_start": [0, 1, 0, 2]}, "dependency_start; expected ascending integers from 0 to 2"),
        ({"dependency_start": [0, 0, 1, 1]}, "dependency_start; expected ascending integers from 0 to 2"),
        ({"source": [0, 1, 3]}, "source=3; expected 0 to 2"),
        ({"source": [0, 1, 1 << 32]}, "source=4294967296; expected 0 to 2"),
        ({"destination": [1, 2, -1]}, "destination=-1; expected 0 to 2"),
        (
            {"destination": [0, 2, 0], "length_bytes": [0, 0, 8]},
            "message 1: length_bytes=0; expected 1 to 1073741824 between different nodes",
        ),
        ({"length_bytes": [8, -1, 8]}, "length_bytes=-1; expected 0 to 1073741824"),
        ({"delay_ps": [0, 0, -1]}, "delay_ps=-1; expected 0 to"),
        ({"dependency": [0, 3]}, "dependency=3; expected 0 to 2"),
        ({"dependency": [2, 1]}, "message 1 after 2 after 1; expected no cycle"),
        ({"dependency": [1, 0]}, "message 1 after 1; expected no cycle"),
    ],
)
def test_inconsistent_arrays_are_rejected(changes, message):
    with pytest.raises(InputError, match=message):
        message_list(**changes)


def test_a_local_message_may_be_empty_and_is_not_sent():
    messages = message_list(destination=[1, 1, 2], length_bytes=[5, 0, 7])
    assert messages.local.tolist() == [False, True, True]
    assert messages.sent_bytes == 5


def test_a_list_without_messages_is_rejected():
    empty = {name: [] for name in CHAIN if name not in ("nodes", "dependency_start")}
    with pytest.raises(InputError, match="messages: none; expected at least one"):
        message_list(**empty, dependency_start=[0])


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
