"""Intervals of the sums of values to come, from those of several runs."""

from math import comb, inf, isfinite

import numpy as np

from isoplane.models.mathematics.batch_means import settled_means

RUNS, VALUES, REST = 9, 300, 700


def autoregressive(random, runs, values, correlation):
    """Return stationary series of mean 1000, in which neighbours have a correlation."""
    noise = random.normal(0, 10, (runs, values + 100))
    series = np.zeros_like(noise)
    for i in range(1, noise.shape[1]):
        series[:, i] = correlation * series[:, i - 1] + noise[:, i]
    return 1000 + series[:, 100:]


def least(count, share=0.95, level=0.001):
    """Return the least number of intervals that contain their value, unless fewer than a share of all intervals do."""
    below, number = 0.0, -1
    while below <= level:
        number += 1
        below += comb(count, number) * share**number * (1 - share) ** (count - number)
    return number


def test_intervals_contain_the_sum_of_the_values_to_come():
    """Also where the first values differ from later ones, and neighbours correlate."""
    random = np.random.default_rng(1)
    errors, widths = [], []
    for _ in range(200):
        series = autoregressive(random, RUNS, VALUES + REST, correlation=0.6)
        series += 100 * np.exp(-np.arange(VALUES + REST) / 5)
        means, width = settled_means(series[:, :VALUES], REST)
        if isfinite(width):
            errors.append(abs((series[:, VALUES:].sum(axis=1) - REST * means).mean()))
            widths.append(width)
    assert len(widths) >= 50
    assert sum(error <= width for error, width in zip(errors, widths, strict=True)) >= least(len(widths))
    # The variance of the mean of n of these values is 10² / (1 - 0.6)² / n, and t at most that of 16 batches.
    assert np.median(widths) <= 2.131 * 25 / RUNS**0.5 * (REST**2 / (VALUES / 2) + REST) ** 0.5


def test_runs_that_are_still_alike_have_no_interval():
    """Nine copies of a series are no more than one, and their differences may yet grow."""
    random = np.random.default_rng(2)
    for seen in range(20, VALUES, 40):
        series = np.repeat(autoregressive(random, 1, seen, correlation=0), RUNS, axis=0)
        assert settled_means(series + random.normal(0, 0.1, series.shape), REST)[1] == inf
    assert settled_means(autoregressive(random, 1, VALUES, correlation=0), REST)[1] == inf


def test_runs_in_different_states_widen_the_interval():
    """Two states of mean 990 and 1010: the standard error of the mean of nine runs is that of these numbers."""
    random = np.random.default_rng(3)
    states = np.array([[-10], [10]])[random.integers(2, size=RUNS)]
    means, width = settled_means(autoregressive(random, RUNS, VALUES, correlation=0) + states, REST)
    assert isfinite(width)
    assert width >= 2.306 * means.std(ddof=1) / 3 * REST
