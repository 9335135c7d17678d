"""Lists of messages as traffic."""

import numpy as np
import pytest

from isoplane.models import InputError, MessageList, dual_cube
from isoplane.simulator import Hardware, MessageTrace, Simulation
from tests.cases import for_each

NETWORK = dual_cube(2, (1, 2))


def chain(nodes=16, delay_ps=0):
    """Node 0 sends to 5, which replies."""
    columns = [[0, 5], [5, 0], [256, 256], [0, delay_ps], [0, 0, 1], [0]]
    return MessageList(nodes, *map(np.array, columns))


def times(traffic):
    simulation = Simulation(NETWORK, Hardware(), traffic, seed=1)
    simulation.run(10**6)
    assert simulation.ended
    assert simulation.audit() is None
    return simulation.listed_created().tolist(), simulation.listed_arrived().tolist()


def test_a_reply_waits_for_its_message_and_for_its_delay():
    created, arrived = times(chain(delay_ps=1281))  # a tick is 1.28 ns: rounded up to two
    assert created == [0, arrived[0] + 2]
    assert arrived[1] - created[1] == arrived[0]
    assert times(MessageTrace(chain(delay_ps=1281), performance=2))[0] == [0, arrived[0] + 1]


@for_each(
    ("call", "message"),
    [
        (lambda: times(chain(nodes=8)), "messages: written for 8 nodes; expected 16, the nodes of the network"),
        (lambda: MessageTrace(chain(), performance=0), "traffic.performance=0"),
        (lambda: MessageTrace(chain(), max_in_flight=0), "traffic.max_in_flight=0"),
        (lambda: times(MessageTrace(chain(delay_ps=10**18), performance=1e-9)), "expected at most 2^60"),
    ],
)
def test_inconsistent_lists_raise_input_error(call, message):
    with pytest.raises(InputError) as raised:
        call()
    assert message in str(raised.value)


def message_list(rows, after, nodes=16):
    """Return messages (source, destination, bytes, delay in ps), each after some others."""
    dependency = np.array([message for messages in after for message in messages], dtype=np.int32)
    return MessageList(nodes, *np.array(rows).T, np.cumsum([0, *map(len, after)]), dependency)


def test_local_messages_arrive_when_their_delay_has_elapsed():
    # 2 computes while 0 is under way; 3 waits for both; 4 and 5 follow it within the tick.
    rows = [(0, 5, 256, 0), (5, 5, 0, 0), (5, 5, 0, 10**6), (5, 5, 7, 0), (5, 5, 0, 0), (5, 0, 256, 0)]
    created, arrived = times(message_list(rows, [[], [], [], [0, 2], [3], [1, 4]]))
    assert created[1:5] == arrived[1:5]
    assert arrived[1] == 0
    assert arrived[2] == 782  # 10^6 ps in ticks of 1.28 ns
    assert arrived[0] < 782 == arrived[3] == arrived[4] == created[5]
    assert arrived[5] - created[5] == arrived[0]


def test_local_messages_pass_those_that_wait_for_the_network():
    rows = [(0, 5, 4096, 0), (0, 6, 256, 0), (0, 0, 0, 1280)]
    trace = MessageTrace(message_list(rows, [[], [], []]), max_in_flight=1)
    created, arrived = times(trace)
    assert created == [0, arrived[0], 1]
    assert arrived[2] == 1


def test_messages_that_no_link_carries_are_not_counted():
    simulation = Simulation(NETWORK, Hardware(), message_list([(0, 0, 9, 0), (1, 1, 0, 5)], [[], [0]]), seed=1)
    simulation.run(10**6)
    assert simulation.ended
    assert simulation.totals()["messages_created"] == simulation.totals()["bits_created"] == 0
