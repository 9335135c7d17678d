"""Conflicts in the sets of a cache: balls in bins, exactly and drawn, and ids that follow each other."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Crc, RoutingCache
from isoplane.objectives.caches import count_look_ups, evicted_by_conflicts, evicted_share_of_random_ids
from tests.cases import for_each

# Percent of random ids that conflicts evict from 2,048 entries, by ids and ways (Hirasawa et al. 2020, figure 5).
SHARES = {
    (512, 1): 11.50, (512, 2): 3.25, (512, 4): 0.429, (512, 8): 0.014, (512, 16): 0,
    (256, 4): 0.036, (1024, 16): 0.076,
}  # fmt: skip
TRIALS = 1000


@for_each(("ids", "ways"), SHARES)
def test_the_share_of_random_ids_that_conflicts_evict_is_that_of_balls_in_bins(ids, ways):
    share = evicted_share_of_random_ids(RoutingCache(2048, ways), ids)
    assert round(100 * float(share), 2 if ways <= 2 else 3) == SHARES[ids, ways]


@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 6))
def test_the_expected_share_is_the_mean_over_all_assignments_of_ids_to_sets(ways, sets, ids):
    evicted = [
        sum(max(0, assignment.count(chosen) - ways) for chosen in range(sets))
        for assignment in product(range(sets), repeat=ids)
    ]
    share = evicted_share_of_random_ids(RoutingCache(sets * ways, ways), ids)
    assert share == Fraction(sum(evicted), len(evicted) * ids)


@for_each(("ids", "ways"), SHARES)
def test_random_ids_conflict_as_often_as_balls_in_bins(ids, ways):
    random, cache = np.random.default_rng(ids + ways), RoutingCache(2048, ways)
    drawn = [random.choice(1 << 32, ids, replace=False) for _ in range(TRIALS)]
    evicted = np.array([evicted_by_conflicts(cache, numbers) for numbers in drawn])
    expected = ids * float(evicted_share_of_random_ids(cache, ids))
    # Events of which less than one is expected in all trials are Poisson: their variance is their mean.
    variance = expected if expected * TRIALS < 1 else evicted.var(ddof=1)
    assert abs(evicted.mean() - expected) <= 3 * sqrt(variance / TRIALS)


@for_each(("ways", "replacement"), product((1, 2, 4, 8), ("lru", "fifo")))
def test_a_cache_evicts_the_ids_beyond_the_ways_of_their_set(ways, replacement):
    # Of a set, the last ids stay. Looked up again from the last to the first, all that were evicted miss.
    cache = RoutingCache(2048, ways, replacement=replacement)
    ids = np.random.default_rng(ways).choice(1 << 32, 1500, replace=False)
    number = np.arange(1500, dtype=np.uint32)
    start = np.array([0, 1500])
    counts = count_look_ups(cache, cache.sets_of(ids), (start, number[::-1].copy()), (start, number))
    assert counts.conflict.tolist() == counts.misses.tolist() == [evicted_by_conflicts(cache, ids)]


@for_each("ids", (256, 512, 1024, 2048))
def test_aligned_ids_do_not_conflict_if_the_lowest_byte_comes_first(ids):
    for ways, first in product((1, 2, 4, 8, 16), (0, 2048, 6144, 1 << 20)):
        assert evicted_by_conflicts(RoutingCache(2048, ways), np.arange(first, first + ids)) == 0


@for_each("ids", (256, 512, 1024, 2048))
def test_aligned_ids_conflict_in_small_sets_if_the_highest_byte_comes_first(ids):
    evicted = {
        ways: evicted_by_conflicts(RoutingCache(2048, ways, hash=Crc(byte_order="big")), np.arange(ids))
        for ways in (1, 2, 4, 8, 16)
    }
    assert {ways for ways, count in evicted.items() if count} == ({1, 2} if ids >= 1024 else set())


def test_ids_that_are_not_aligned_conflict_slightly():
    assert evicted_by_conflicts(RoutingCache(2048, 4), np.arange(5000, 5000 + 2048)) == 8
    assert evicted_by_conflicts(RoutingCache(2048, 4, hash=None), np.arange(5000, 5000 + 2048)) == 0
