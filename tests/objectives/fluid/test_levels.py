"""Levels of messages, and times level by level, against the reference and by hand."""

from fractions import Fraction
from math import floor

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import MessageList, dual_cube
from isoplane.models.placement import by_switch
from isoplane.models.workloads import all_to_all
from isoplane.objectives.fluid import NetworkFluidModel, network_score_ns
from isoplane.objectives.fluid.levels import longest_chain, message_levels
from isoplane.objectives.reference.fluid_times import level_sum_ns
from isoplane.objectives.reference.transfers.plane_transfers import plane_transfers

from .sample_networks import random_network


def random_messages(nodes, seed, messages=30):
    """Return messages that depend on random others, in an order that is not that of their dependencies."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, nodes, messages)
    destination = (source + rng.integers(1, nodes, messages)) % nodes
    number = rng.permutation(messages)
    depends = [[] for _ in range(messages)]
    for rank in range(1, messages):
        count = int(rng.integers(0, 3))
        depends[number[rank]] = sorted({int(number[i]) for i in rng.integers(0, rank, count)})
    start = np.cumsum([0, *map(len, depends)])
    dependency = np.array([each for all_ in depends for each in all_], dtype=np.int32)
    return MessageList(
        nodes, source, destination, rng.integers(1, 10**6, messages), np.zeros(messages, int), start, dependency
    )


def dependencies(messages, message):
    return messages.dependency[messages.dependency_start[message] : messages.dependency_start[message + 1]].tolist()


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_level_is_one_more_than_the_highest_among_the_dependencies(seed):
    messages = random_messages(7, seed)
    level = message_levels(messages)
    for message in range(messages.messages):
        assert level[message] == max((level[each] + 1 for each in dependencies(messages, message)), default=0)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_longest_chain_is_the_latest_end_without_contention(seed):
    messages = random_messages(7, seed)
    level, time = message_levels(messages), np.random.default_rng(seed).integers(1, 100, messages.messages)
    end = {}
    for message in np.argsort(level, kind="stable").tolist():
        end[message] = time[message] + max((end[each] for each in dependencies(messages, message)), default=0)
    assert longest_chain(messages, level, time.astype(float)) == max(end.values())


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_times_level_by_level_match_the_reference_on_any_network(network_seed, seed):
    network = random_network(network_seed)
    messages = random_messages(network.nodes, seed)
    found = NetworkFluidModel(network, messages).synchronised_ns()
    expected = level_sum_ns(*plane_transfers(network, messages, by_switch(network.nodes)), messages)
    assert found == floor(expected + Fraction(1, 2))


def test_scores_without_completions_equal_those_with_all_times():
    network, work = dual_cube(3, (3, 5, 7), nodes_per_switch=1), all_to_all(8, 999)
    names = ("synchronised", "bottleneck", "total")
    assert network_score_ns(network, work, names) == network_score_ns(network, work, ("completion", *names))[1:]
