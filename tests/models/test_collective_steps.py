"""Algorithms of collective operations deliver what they should, and no more bytes than they must."""

import numpy as np

from isoplane.models.workloads.collectives.algorithms import (
    all_to_all,
    barrier,
    broadcast,
    linear_gather,
    linear_scatter,
    part_start,
    reduction,
    ring_all_gather,
)
from isoplane.models.workloads.collectives.reductions import all_reduce, halving_doubling, recursive_doubling, scan
from tests.cases import for_each

MEMBERS = [2, 3, 4, 5, 7, 8, 12, 16, 31]


def informed(steps, members):
    """Return, for each member, from which members information has reached it; a phase uses what was known before."""
    known = [{member} for member in range(members)]
    for phase in range(int(steps.phase.max(initial=-1)) + 1):
        before = [set(each) for each in known]
        for message in np.flatnonzero(steps.phase == phase):
            known[steps.destination[message]] |= before[steps.source[message]]
    return known


@for_each("members", MEMBERS)
def test_information_reaches_those_who_need_it(members):
    everyone = set(range(members))
    for steps in (
        barrier(members),
        recursive_doubling(members, 9),
        halving_doubling(members, 4096),
        ring_all_gather(members, 3),
    ):
        assert informed(steps, members) == [everyone] * members
    assert informed(reduction(members, 8), members)[0] == everyone
    assert all(0 in known for known in informed(broadcast(members, 8), members))
    assert len(broadcast(members, 8).phase) == len(reduction(members, 8).phase) == members - 1


@for_each("members", MEMBERS)
def test_a_scan_informs_each_member_of_those_before_it(members):
    known = informed(scan(members, 8), members)
    assert all(set(range(member + 1)) <= known[member] for member in range(members))
    assert scan(members, 8).phase.max() == (members - 1).bit_length() - 1


@for_each("members", MEMBERS)
def test_parts_of_any_lengths_are_gathered_scattered_and_passed_round_once(members):
    parts = np.arange(members) % 3 * 5
    for steps, root_end in ((linear_gather(members, parts), "destination"), (linear_scatter(members, parts), "source")):
        other_end = "source" if root_end == "destination" else "destination"
        assert not getattr(steps, root_end).any()
        assert steps.size_bytes.tolist() == parts[getattr(steps, other_end)].tolist()
        assert steps.size_bytes.sum() == parts[1:].sum()
    ring = ring_all_gather(members, parts)
    arrived = np.bincount(ring.destination, ring.size_bytes, minlength=members)
    assert arrived.tolist() == (parts.sum() - parts).tolist()


@for_each("members", MEMBERS)
@for_each("size", [1, 7, 64, 1001])
def test_halving_and_doubling_reduces_every_byte_once_per_member_and_spreads_it(members, size):
    core = 1 << (members.bit_length() - 1)
    folded = members - core
    # Each of the core's members ends the reduce-scatter with its part: core - 1 parts of other members came to it.
    assert halving_doubling(members, size).size_bytes.sum() == 2 * size * (core - 1) + 2 * folded * size


@for_each("members", MEMBERS)
def test_an_all_to_all_sends_every_pair_its_bytes_once(members):
    sizes = np.arange(members * members).reshape(members, members)
    for size in (sizes, 3):
        steps, matrix = all_to_all(members, size), np.zeros((members, members), dtype=np.int64)
        np.add.at(matrix, (steps.source, steps.destination), steps.size_bytes)
        assert (matrix == np.broadcast_to(size, sizes.shape) * ~np.eye(members, dtype=bool)).all()
        for phase in range(members - 1):
            assert len(set(steps.destination[steps.phase == phase])) == (steps.phase == phase).sum()


def test_all_reduces_of_more_than_2_kib_are_by_halving_and_doubling():
    assert (all_reduce(8, 2048).size_bytes == 2048).all()
    assert (all_reduce(8, 2056).size_bytes < 2056).all()


@for_each("size", [0, 1, 5, 12, 13])
def test_parts_of_a_vector_are_contiguous_and_differ_by_at_most_a_byte(size):
    starts = part_start(size, 5, np.arange(6))
    assert (starts[0], starts[-1]) == (0, size)
    assert set(np.diff(starts).tolist()) <= {size // 5, size // 5 + 1}
