"""Confidence intervals by batch means, and truncation of the warm-up."""

import random

import numpy as np

from isoplane.models.mathematics.batch_means import STUDENT_T
from isoplane.simulator.measure import batches
from isoplane.simulator.measure.batches import Estimate, batch_sums, estimate
from isoplane.simulator.measure.steady import keeps_growing, truncation
from tests.cases import for_each


def autoregressive(rng, length, memory, start=0.0):
    """A series of mean 0 and of variance 1 whose correlation falls by the factor `memory` with each value."""
    values, level = [], start
    for _ in range(length):
        level = memory * level + (1 - memory**2) ** 0.5 * rng.gauss(0, 1)
        values.append(level)
    return values


def min_coverage_of_5_batches(autocovariance):
    """A lower bound on the coverage of the interval of 5 batches alone, for a stationary normal series.

    The means b of the batches are normal, with a known covariance S. The interval contains the true mean if
    mean(b)² <= t² · Σ (b_i - mean(b))² / 20, that is bᵀAb <= 0, and bᵀAb is distributed as Σ λ_i·z_i² with the
    eigenvalues λ of SA: one is positive, four are negative, and z are independent standard normal variables. With
    c_i = -λ_i / λ_0 this means z_0² <= Σ c_i·z_i². Replacing all c_i by their geometric mean g does not increase its
    probability, because, of all ellipsoids of equal volume around 0, the ball is the most probable (Okamoto, An
    inequality for the weighted sum of χ² variates, 1960). So the coverage is at least P(|T| <= 2·√g) for Student's T
    of 4 degrees of freedom, which is (3u - u³) / 2 with u = √(g / (1 + g)). Without correlation all c_i would be
    t² / 4, and the bound 95 %.

    The interval of `estimate` is at least as wide: the correction for neighbours and the other lengths only widen it.
    """
    blocks = len(autocovariance)
    lag = np.abs(np.subtract.outer(np.arange(blocks), np.arange(blocks)))
    means = np.kron(np.eye(5), np.full((1, blocks // 5), 5 / blocks))
    quadratic_form = np.full((5, 5), 1 / 25) - STUDENT_T[3] ** 2 / 20 * (np.eye(5) - 1 / 5)
    *negative, positive = sorted(np.linalg.eigvals(means @ autocovariance[lag] @ means.T @ quadratic_form).real)
    g = np.exp(np.mean(np.log(-np.array(negative) / positive)))
    u = np.sqrt(g / (1 + g))
    return (3 * u - u**3) / 2


def min_covered(runs, coverage):
    """Return the 0.1 % quantile of a binomial count: 3.09 standard deviations below its mean."""
    return runs * coverage - 3.09 * (runs * coverage * (1 - coverage)) ** 0.5


@for_each("memory", [0.0, 0.5, 0.8])
def test_intervals_cover_the_mean_of_correlated_blocks_as_often_as_those_of_5_batches(memory):
    rng = random.Random(1)
    waves = [autoregressive(rng, 320, memory, start=rng.gauss(0, 1)) for _ in range(200)]
    series = [[round(1000 * (10 + level)) for level in wave] for wave in waves]
    lowest = min_covered(200, min_coverage_of_5_batches(memory ** np.arange(320)))  # 176 to 178
    estimates = [estimate(blocks, [1] * 320) for blocks in series]
    assert sum(abs(each.mean - 10_000) <= each.half_width for each in estimates) >= lowest
    # Intervals for independent blocks fail if these are correlated: their coverage falls from 95 % to 74 % and 49 %.
    naive = sum(abs(np.mean(blocks) - 10_000) <= 1.96 * np.std(blocks) / 320**0.5 for blocks in series)
    assert (naive < lowest) == (memory > 0)


def test_a_mean_weighs_blocks_by_their_counts():
    assert estimate([3, 0, 30], [1, 0, 5]).mean == 33 / 6
    assert estimate([0, 0], [0, 0]) == Estimate(None, None)


def test_an_interval_needs_16_blocks():
    assert estimate([1, 2] * 7, [1] * 14).half_width is None
    assert estimate([1, 2] * 8, [1] * 16).half_width > 0


def test_batches_have_equal_size_and_the_surplus_is_dropped_at_the_start():
    assert batch_sums([9, 1, 2, 3, 4], 2) == [3, 7]
    assert len(STUDENT_T) == 30  # with more degrees of freedom, intervals are at most 2 % narrower


def test_the_interval_is_the_widest_of_all_lengths_of_batches():
    # Runs of 4 blocks alternate: batches of 8 blocks and more average that out, shorter ones do not.
    fast = estimate([0, 0, 0, 0, 10, 10, 10, 10] * 16, [1] * 128)
    slow = estimate([0] * 64 + [10] * 64, [1] * 128)
    assert fast.mean == slow.mean == 5
    assert slow.half_width > 5 > fast.half_width > 1


def wave_under_noise(rng):
    """A wave with 0.3 of the variance of the noise and a correlation time of 20 blocks; lag-1 correlation 0.22."""
    wave = autoregressive(rng, 320, 0.95, start=rng.gauss(0, 1))
    return [round(1000 * (10 + 0.55 * level + rng.gauss(0, 1))) for level in wave]


def test_a_slow_wave_under_strong_noise_is_detected(monkeypatch):
    def count_covered():
        rng = random.Random(5)
        estimates = [estimate(wave_under_noise(rng), [1] * 320) for _ in range(800)]
        return sum(abs(each.mean - 10_000) <= each.half_width for each in estimates)

    noise = np.eye(320)[0]
    coverage = min_coverage_of_5_batches(0.55**2 * 0.95 ** np.arange(320) + noise)
    assert 0.9 < coverage < 0.95
    lowest = min_covered(800, coverage)
    assert count_covered() >= lowest
    monkeypatch.setattr(batches, "MIN_BATCHES", (32,))
    assert count_covered() < lowest  # short batches alone reflect only the noise


def test_constant_blocks_have_an_interval_of_width_0():
    assert estimate([5] * 20, [2] * 20) == Estimate(2.5, 0.0)
    assert Estimate(2.5, 0.5).relative == 0.2
    assert Estimate(0.0, 0.5).relative is None
    assert Estimate(1.0).relative is None


def test_the_warm_up_of_a_series_that_settles_is_truncated():
    rng = random.Random(2)
    series = [100 + 400 * 0.5**t + rng.gauss(0, 1) for t in range(40)]
    assert 6 <= truncation(series, 0.01) <= 20  # 400 / 2^9 is below the noise


def test_a_series_that_keeps_rising_has_no_steady_state():
    assert truncation([100 + t for t in range(40)], 1) is None
    assert truncation([100 + t for t in range(40)], 20) == 20  # unless the tolerance is large


@for_each(
    ("backlog", "grows"),
    [
        (lambda t: 5 * t, True),
        (lambda t: max(5 * (t - 3), 0), True),  # after the network has filled
        (lambda t: int(100 * t**0.5), False),  # at the saturation point
        (lambda t: int(100 * (1 - 0.9**t)), False),
        (lambda t: 7, False),
        (lambda t: -t, False),
    ],
)
def test_only_a_backlog_that_grows_in_proportion_to_time_keeps_growing(backlog, grows):
    assert keeps_growing([backlog(t) for t in range(33)]) is grows
