"""Confidence intervals by batch means, and where the steady state begins."""

import random

import pytest

from isoplane.simulator.batches import FEWEST, STUDENT_T, Estimate, batched, estimate
from isoplane.simulator.steady import keeps_growing, truncation


def autoregressive(draw, length, memory, start=0.0):
    """A series of mean 0 and of variance 1 whose correlation falls by `memory` from value to value."""
    values, level = [], start
    for _ in range(length):
        level = memory * level + (1 - memory**2) ** 0.5 * draw.gauss(0, 1)
        values.append(level)
    return values


@pytest.mark.parametrize(("memory", "least"), [(0.0, 0.92), (0.5, 0.9), (0.8, 0.85)])
def test_about_95_of_100_intervals_cover_the_mean_even_of_correlated_blocks(memory, least):
    draw = random.Random(1)
    covered = 0
    for _ in range(500):
        series = [round(1000 * (10 + value)) for value in autoregressive(draw, 64, memory)]
        found = estimate(series, [1] * 64)
        covered += abs(found.mean - 10_000) <= found.half_width
    assert least <= covered / 500 <= 1


def test_a_mean_weighs_blocks_by_their_counts():
    assert estimate([3, 0, 30], [1, 0, 5]).mean == 33 / 6
    assert estimate([0, 0], [0, 0]) == Estimate(None, None)


def test_an_interval_needs_16_blocks():
    assert estimate([1, 2] * 7, [1] * 14).half_width is None
    assert estimate([1, 2] * 8, [1] * 16).half_width > 0


def test_there_are_16_to_31_batches_of_one_size_and_the_rest_is_left_out_in_front():
    assert batched([9, 1, 2, 3, 4], 2) == [3, 7]
    for blocks in range(FEWEST, 200):
        size = max(blocks // FEWEST, 1)
        assert FEWEST <= blocks // size <= 31
    assert len(STUDENT_T) == 30  # degrees of freedom of 31 batches


def test_blocks_that_do_not_vary_have_an_interval_of_no_width():
    assert estimate([5] * 20, [2] * 20) == Estimate(2.5, 0.0)
    assert Estimate(2.5, 0.5).relative == 0.2
    assert Estimate(0.0, 0.5).relative is None
    assert Estimate(1.0).relative is None


def test_the_warm_up_of_a_series_that_settles_is_left_out():
    draw = random.Random(2)
    series = [100 + 400 * 0.5**t + draw.gauss(0, 1) for t in range(40)]
    assert 6 <= truncation(series, 0.01) <= 20  # 400 / 2^9 is below the noise


def test_a_series_that_goes_on_rising_has_no_steady_state():
    assert truncation([100 + t for t in range(40)], 1) is None
    assert truncation([100 + t for t in range(40)], 20) == 20  # unless nobody asks for so much precision


def test_noise_has_hardly_any_warm_up():
    draw = random.Random(3)
    starts = [truncation(autoregressive(draw, 40, 0.0), 1.0) for _ in range(50)]
    assert None not in starts
    assert sorted(starts)[25] <= 10


@pytest.mark.parametrize(
    ("backlog", "grows"),
    [
        (lambda t: 5 * t, True),
        (lambda t: max(5 * (t - 3), 0), True),  # after the network was filled
        (lambda t: int(100 * t**0.5), False),  # at the edge of saturation
        (lambda t: int(100 * (1 - 0.9**t)), False),
        (lambda t: 7, False),
        (lambda t: -t, False),
    ],
)
def test_only_a_backlog_that_grows_in_proportion_to_time_keeps_growing(backlog, grows):
    assert keeps_growing([backlog(t) for t in range(33)]) is grows
