"""Random messages and lists of messages: what nodes create, and invalid traffic."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import MessageList, dual_cube
from isoplane.simulator import Hardware, MessageTrace, Simulation, Traffic
from tests.cases import for_each, require_refusal

from .networks import cube

SMALL_BUFFERS = Hardware(longest_cable_m=10)
SINGLE_FLIT = Hardware(packet_bits=256)  # packets of one flit


def count_created(traffic, ticks, hardware=SMALL_BUFFERS):
    """Number of messages created by each node in `ticks` ticks."""
    run = Simulation(cube(), hardware, traffic, 1)
    run.run(ticks)
    return run.sent().astype(int)


@for_each("load", [1.05, 1.1, 1.25, Fraction(1, 3), 0.0123456789012345])
@for_each("hardware", [SMALL_BUFFERS, SINGLE_FLIT])
def test_periodic_nodes_create_the_offered_load_at_fractional_periods(load, hardware):
    # A message is 8 flits, or 1, and a flit takes 2 ticks: at most the random phase of up to a period is missing.
    ticks = 40_000
    traffic = Traffic(load=load, injection="periodic")
    exact = Fraction(str(load)) * ticks / (2 * hardware.packet_flits)
    assert abs(count_created(traffic, ticks, hardware) - float(exact)).max() <= 1


def test_periodic_nodes_begin_at_different_times():
    run = Simulation(cube(), SMALL_BUFFERS, Traffic(load=0.01, injection="periodic"), 1)  # a message per 1600 ticks
    run.run(800)
    assert 0 < run.totals()["messages_created"] < 16
    run.run(1600)
    assert run.sent().tolist() == [1] * 16


@for_each("injection", ["bernoulli", "periodic"])
def test_nodes_create_at_most_one_message_per_tick(injection):
    assert Traffic(load=1).max_offered(SMALL_BUFFERS) == 16
    assert count_created(Traffic(load=16, injection=injection), 500).tolist() == [500] * 16
    traffic = Traffic(load=16.5, injection=injection)
    require_refusal(
        lambda: count_created(traffic, 1), "^traffic.load=16.5: 1.03125 messages per node and tick; expected"
    )


@for_each("injection", ["bernoulli", "periodic"])
def test_a_tiny_load_creates_few_messages(injection):
    assert count_created(Traffic(load=1e-9, injection=injection), 100_000).tolist() == [0] * 16
    for rate in ({"load": 1e-21}, {"interval_ns": 10**13}):
        traffic, ((name, value),) = Traffic(**rate, injection=injection), rate.items()
        require_refusal(lambda rare=traffic: count_created(rare, 1), f"^traffic.{name}={value}: ")


def test_the_mean_number_of_messages_is_the_offered_load():
    # 16 nodes, probability 1/32 in each of 100,000 ticks: mean 50,000, standard deviation 220.
    assert abs(count_created(Traffic(load=0.5), 100_000).sum() - 50_000) < 5 * 220


def test_waiting_nodes_send_in_turn():
    created = count_created(Traffic(load=1, max_in_flight=2), 100_000)
    assert created.min() > 60
    assert created.max() - created.min() <= 2


@settings(max_examples=25, deadline=None)
@given(
    rounds=st.integers(1, 5),
    remaining=st.integers(0, 15),
    injection=st.sampled_from(["bernoulli", "periodic"]),
    max_in_flight=st.one_of(st.none(), st.integers(1, 40)),
    seed=st.integers(0, 1000),
)
def test_all_to_all_is_balanced_at_its_end(rounds, remaining, injection, max_in_flight, seed):
    # 16 nodes: in a round each sends to each of the 15 others. The first nodes send one of the remaining messages each.
    max_created = 16 * 15 * rounds + remaining
    traffic = Traffic(
        load=1, pattern="all_to_all", injection=injection, max_created=max_created, max_in_flight=max_in_flight
    )
    pairs = [(source, other) for source in range(16) for other in range(16) if source != other]
    run = Simulation(cube(), SMALL_BUFFERS, traffic, seed, pairs)
    run.run(1_000_000)
    assert run.ended
    assert run.sent().tolist() == [15 * rounds + 1] * remaining + [15 * rounds] * (16 - remaining)
    extra = [(source, (source + 1) % 16) for source in range(remaining)]  # the first message of a round
    assert run.by_pair()[:, 0].tolist() == [rounds + (pair in extra) for pair in pairs]


@for_each(
    ("values", "message"),
    [
        ({"message_bytes": (8,)}, "traffic.message_bytes=[8]: expected [shortest, longest]"),
        ({"message_bytes": 8}, "traffic.message_bytes=8: expected a list of integers"),
        ({"message_bytes": (16, 8)}, "traffic.message_bytes=8: expected an integer from 16"),
        ({"message_bytes": (0, 8)}, "traffic.message_bytes=0: expected an integer from 1"),
        ({"hot_nodes": 3}, "traffic.hot_nodes=3: expected a list of integers"),
        ({"pair": 3}, "traffic.pair=3: expected a list of integers"),
        ({"pair": (0, 1)}, "traffic.pair=[0, 1]: has no effect with pattern=uniform; allowed with traffic=pair"),
        ({"max_in_flight": 0}, "traffic.max_in_flight=0: expected"),
        ({"pattern": "star"}, "traffic.pattern=star: expected uniform"),
        ({"injection": "never"}, "traffic.injection=never: expected bernoulli"),
        ({"interval_ns": 5}, "traffic: expected exactly one of load and interval_ns"),
        ({"load": 0}, "traffic.load=0: expected"),
    ],
)
def test_invalid_traffic_is_rejected(values, message):
    require_refusal(lambda: Traffic(**{"load": 1, **values}), f"^{message}")


@for_each("hot", [(), (16,), ("a",)])
def test_hot_nodes_must_exist(hot):
    traffic = Traffic("hot_spot", load=1, hot_nodes=hot)
    require_refusal(lambda: count_created(traffic, 1), "^traffic.hot_nodes=")


@for_each("pair", [(), (3,), (3, 3), (0, 1, 2), (0, 16), (-1, 0), (0, "a")])
def test_a_pair_must_be_two_different_nodes(pair):
    traffic = Traffic("pair", load=1, pair=pair)
    require_refusal(lambda: count_created(traffic, 1), "^traffic.pair=")


@for_each(("pair", "ends"), [(None, (0, 15)), ((0, 15), (0, 15)), ((7, 2), (7, 2))])
def test_only_the_first_node_of_a_pair_sends(pair, ends):
    run = Simulation(cube(), SMALL_BUFFERS, Traffic("pair", load=1, max_created=30, pair=pair), 1, [ends])
    run.run(1_000_000)
    assert run.ended
    assert {node: sent for node, sent in enumerate(run.sent().tolist()) if sent} == {ends[0]: 30}
    assert run.by_pair()[:, 0].tolist() == [30]


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
    require_refusal(call, message)


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
