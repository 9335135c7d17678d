"""Message rates of nodes, and invalid traffic."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.simulator import Hardware, Simulation, Traffic
from tests.cases import for_each

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
    with pytest.raises(InputError, match=r"^traffic\.load=16\.5: 1\.03125 messages per node and tick; expected"):
        count_created(Traffic(load=16.5, injection=injection), 1)


@for_each("injection", ["bernoulli", "periodic"])
def test_a_tiny_load_creates_few_messages(injection):
    assert count_created(Traffic(load=1e-9, injection=injection), 100_000).tolist() == [0] * 16
    with pytest.raises(InputError, match=r"^traffic\.load=1e-21: .*; expected at most 1 and at least 2\^-40"):
        count_created(Traffic(load=1e-21, injection=injection), 1)
    with pytest.raises(InputError, match=r"^traffic\.interval_ns=10000000000000: "):
        count_created(Traffic(interval_ns=10**13, injection=injection), 1)


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
        ({"message_bytes": (8,)}, r"traffic.message_bytes=\[8\]: expected \[shortest, longest\]"),
        ({"message_bytes": 8}, "traffic.message_bytes=8: expected a list of integers"),
        ({"message_bytes": (16, 8)}, "traffic.message_bytes=8: expected an integer from 16"),
        ({"message_bytes": (0, 8)}, "traffic.message_bytes=0: expected an integer from 1"),
        ({"hot_nodes": 3}, "traffic.hot_nodes=3: expected a list of integers"),
        ({"max_in_flight": 0}, "traffic.max_in_flight=0: expected"),
        ({"pattern": "star"}, "traffic.pattern=star: expected uniform"),
        ({"injection": "never"}, "traffic.injection=never: expected bernoulli"),
        ({"interval_ns": 5}, "traffic: expected exactly one of load and interval_ns"),
        ({"load": 0}, "traffic.load=0: expected"),
    ],
)
def test_invalid_traffic_is_rejected(values, message):
    with pytest.raises(InputError, match=f"^{message}"):
        Traffic(**{"load": 1, **values})


@for_each("hot", [(), (16,), ("a",)])
def test_hot_nodes_must_exist(hot):
    with pytest.raises(InputError, match=r"^traffic\.hot_nodes="):
        count_created(Traffic("hot_spot", load=1, hot_nodes=hot), 1)
