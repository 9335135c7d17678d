"""The synthetic log repeats the published parameters of its model within three standard errors."""

from math import inf, lgamma, log, log2, sqrt

import numpy as np
import pytest

from isoplane.runs.inputs.job_logs import read_job_log, swf_lines, synthetic_log
from tests.cases import for_each, require_refusal

# As the authors publish them, for all jobs; the machine has 2^13 processors, so that u is from 0.8 to 10.5 or 13.
SERIAL, POWER_OF_2 = 0.244, 0.576
U_LOW, U_MEDIAN, U_HIGH, U_PROBABILITY = 0.8, 10.5, 13.0, 0.86
HALF_HOUR_S, DAY_S = 1800, 86400
LONGEST_RUN, LONGEST_GAP = 12.0, 13.0  # logarithms of seconds


@pytest.fixture(scope="module")
def jobs():
    return synthetic_log(7)


def share_of_u(u):
    """The probability of a smaller u: two uniform distributions."""
    if u <= U_MEDIAN:
        return U_PROBABILITY * max(u - U_LOW, 0) / (U_MEDIAN - U_LOW)
    return U_PROBABILITY + (1 - U_PROBABILITY) * (min(u, U_HIGH) - U_MEDIAN) / (U_HIGH - U_MEDIAN)


def gamma_density(x, shape, scale):
    return np.exp((shape - 1) * np.log(x) - x / scale - lgamma(shape) - shape * log(scale))


def moments(shape, scale, longest, steps=400_000):
    """The integrals of 1, floor(e^x) and floor(e^x)^2 over a gamma distribution up to a limit, by midpoints."""
    x = (np.arange(steps) + 0.5) * (longest / steps)
    weights = gamma_density(x, shape, scale) * (longest / steps)
    seconds = np.floor(np.exp(x))
    return np.array([weights.sum(), weights @ seconds, weights @ seconds**2])


def assert_share(hits, share):
    """Require a share of jobs within three standard errors of its probability."""
    assert abs(np.mean(hits) - share) < 3 * sqrt(share * (1 - share) / len(hits))


def test_the_shares_of_serial_jobs_and_of_powers_of_two_are_those_of_the_model(jobs):
    sizes = jobs.allocated
    assert_share(sizes == 1, SERIAL)
    # Of the other jobs, with 2^u rounded, some have a power of 2 by chance.
    chance = sum(share_of_u(log2(2**k + 0.5)) - share_of_u(log2(2**k - 0.5)) for k in range(1, 14))
    assert_share(np.isin(sizes, 2 ** np.arange(1, 14)), POWER_OF_2 + (1 - SERIAL - POWER_OF_2) * chance)


@for_each("k", range(1, 13))
def test_sizes_have_two_stages(jobs, k):
    smaller = POWER_OF_2 * share_of_u(k + 0.5) + (1 - SERIAL - POWER_OF_2) * share_of_u(log2(2**k + 0.5))
    assert_share(jobs.allocated <= 2**k, SERIAL + smaller)


def test_the_second_stage_has_its_probability(jobs):
    parallel = jobs.allocated[jobs.allocated > 1]
    # 2^10.5 = 1448.2, and no power of 2 is between it and 1448.5.
    rounded, other = POWER_OF_2 / (1 - SERIAL), 1 - POWER_OF_2 / (1 - SERIAL)
    assert_share(parallel > 1448, rounded * (1 - U_PROBABILITY) + other * (1 - share_of_u(log2(1448.5))))
    assert parallel.max() <= 2**13


@for_each(("least", "most"), [(1, 1), (2, 8), (9, 143), (145, 8192)])
def test_run_times_have_the_mean_of_two_gamma_distributions_whose_shares_depend_on_the_size(jobs, least, most):
    chosen = (jobs.allocated >= least) & (jobs.allocated <= most)
    short = np.clip(-0.0054 * jobs.allocated[chosen] + 0.78, 0, 1)[:, None]
    assert (short.max() == 0) == (least == 145)
    weights = short * moments(4.2, 0.94, LONGEST_RUN) + (1 - short) * moments(312, 0.03, LONGEST_RUN)
    # Longer times are drawn again, so those up to the limit have a probability of 1.
    means, squares = (weights[:, 1:] / weights[:, :1]).T
    standard_error = sqrt((squares - means**2).sum()) / chosen.sum()
    assert abs(jobs.run_s[chosen].mean() - means.mean()) < 3 * standard_error


def cycle_by_midpoints():
    """The jobs of each half-hour of the day, from midnight, relative to the mean."""
    steps = 2000
    x = 10.5 + (np.arange(48 * steps) + 0.5) / steps  # from half-hour 11 of the day, which ends at 5:30
    weights = gamma_density(x, 8.1737, 3.9631).reshape(48, steps).mean(axis=1)
    return np.roll(weights, 10) / weights.mean()


def test_the_mean_time_between_arrivals_is_that_of_the_model(jobs):
    total, mean, square = moments(10.2303 * 1.0225, 0.4871, LONGEST_GAP)
    mean, square = mean / total, square / total
    # On the clock of the model, a half-hour is as long as its share of the jobs.
    passed = np.concatenate([[0], np.cumsum(cycle_by_midpoints())]) * HALF_HOUR_S
    days, rest = divmod(int(jobs.submit_s[-1]), DAY_S)
    end_s = days * DAY_S + np.interp(rest, np.arange(49) * HALF_HOUR_S, passed)
    assert abs(end_s / len(jobs.submit_s) - mean) < 3 * sqrt((square - mean**2) / len(jobs.submit_s))


@for_each("window", range(4))
def test_arrivals_follow_the_daily_cycle(jobs, window):
    total, mean, _ = moments(10.2303 * 1.0225, 0.4871, LONGEST_GAP)
    days = int(jobs.submit_s[-1]) // DAY_S
    day, hour = jobs.submit_s // DAY_S, jobs.submit_s % DAY_S // 3600
    counts = np.bincount(day[(hour // 6 == window) & (day < days)], minlength=days)
    expected = cycle_by_midpoints()[12 * window : 12 * window + 12].sum() * HALF_HOUR_S / (mean / total)
    assert abs(counts.mean() - expected) < 3 * counts.std() / sqrt(days)


def test_the_seed_decides(jobs, tmp_path):
    path = tmp_path / "synthetic.swf"
    path.write_text("".join(swf_lines(jobs)))
    again, other = read_job_log(path), synthetic_log(8)
    for name in ("submit_s", "run_s", "allocated", "requested", "status"):
        assert np.array_equal(getattr(again, name), getattr(jobs, name))
    assert again.is_model
    assert not np.array_equal(other.run_s, jobs.run_s)
    assert len(jobs.run_s) == 50_000
    assert np.diff(jobs.submit_s).min() >= 0


@for_each(
    ("options", "problem"),
    [
        ({"jobs": 0}, "^jobs=0: expected an integer of at least 1$"),
        ({"processors": 8}, "^processors=8: expected an integer from 16 to 1048576$"),
        ({"processors": 1000}, "^processors=1000: expected a power of 2$"),
        ({"processors": inf}, "^processors=inf: expected an integer"),
    ],
)
def test_sizes_out_of_range_are_bad_input(options, problem):
    require_refusal(lambda: synthetic_log(1, **options), problem)
