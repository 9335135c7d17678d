"""Lists of messages as traffic."""

import numpy as np
import pytest

from isoplane.models import InputError, MessageList, dual_cube
from isoplane.simulator import Hardware, MessageTrace, Simulation

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


@pytest.mark.parametrize(
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
