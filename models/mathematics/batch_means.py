"""Means of correlated series that settle: where they have, in batches that are not correlated, with their quantile."""

from math import inf, sqrt

import numpy as np

from ..arrays import Floats

# 0.975 quantile of Student's t for 1, 2, ... degrees of freedom; it decreases, so the last value is safe for more.
STUDENT_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
MIN_BATCHES = 16
ONE_SIDED_10_PERCENT = 1.2816  # quantile of the normal distribution


def student_t(values: int) -> float:
    """Return the factor from the standard error of the mean of independent values to its 95 % half-width.

    Examples
    --------
    >>> student_t(9), student_t(1000)
    (2.306, 2.042)
    """
    return STUDENT_T[min(values - 1, len(STUDENT_T)) - 1]


def settled_from(series: Floats) -> int | None:
    """Return from which value on a series has settled: None if not before its middle.

    This is the marginal standard error rule: of n values x_i the first d are left out for which
    Σ_{i ≥ d} (x_i - m_d)² / (n - d)² is least, m_d being the mean of the others.

    References
    ----------
    White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output, 1997.

    Examples
    --------
    >>> settled_from(np.array([9.0, 5, 2, 1, 2, 1, 2, 1, 2, 1]))
    2
    >>> settled_from(np.arange(10.0)) is None
    True
    """
    half = len(series) // 2
    centred = series - series.mean()
    count = len(series) - np.arange(half + 1)
    sums, squares = (np.cumsum(powers[::-1])[::-1][: half + 1] for powers in (centred, centred**2))
    first = int(np.argmin((squares - sums**2 / count) / count**2))
    return None if first == half else first


def uncorrelated_batches(series: Floats) -> Floats | None:
    """Return the means of the shortest batches that are correlated neither in time nor between runs.

    Their size is doubled until, in the mean of the runs, von Neumann's ratio does not show a positive correlation of
    neighbours, nor an analysis of variance one of the runs, each at a level of 10 %; the result is None if that leaves
    fewer than 16. Values at the front that fill no batch are left out.

    Parameters
    ----------
    series : float64[runs, values]
        Values of two or more runs.

    References
    ----------
    Fishman and Yarberry, An Implementation of the Batch Means Method, INFORMS Journal on Computing 9, 1997. Paulson,
    An Approximate Normalization of the Analysis of Variance Distribution, 1942.

    Examples
    --------
    >>> values = np.random.default_rng(1).normal(0, 1, (2, 64))
    >>> uncorrelated_batches(values).shape, uncorrelated_batches(np.repeat(values, 4, axis=1)).shape
    ((2, 64), (2, 64))
    >>> uncorrelated_batches(np.stack([values[0], values[0] + 0.1 * values[1]])) is None
    True
    """
    values, size = series.shape[1], 1
    while values // size >= MIN_BATCHES:
        batches = values // size
        means: Floats = series[:, values - batches * size :].reshape(-1, batches, size).mean(axis=2)
        if not _correlate_in_time(means.mean(axis=0)) and not _correlate_between_runs(means):
            return means
        size *= 2
    return None


def _correlate_in_time(values: Floats) -> bool:
    """Return whether neighbours correlate, by 1 minus half of the ratio, of which mean and variance are known."""
    count, squares = len(values), float(((values - values.mean()) ** 2).sum())
    correlation = 1 - float((np.diff(values) ** 2).sum()) / (2 * squares) if squares else 0.0
    return correlation > ONE_SIDED_10_PERCENT * sqrt((count - 2) / (count * count - 1))


def _correlate_between_runs(values: Floats) -> bool:
    """Return whether the runs have more variance in common than independent ones, by the F distribution."""
    runs, count = len(values), len(values.T)
    common: Floats = values.mean(axis=0)
    rest: Floats = values - common - values.mean(axis=1, keepdims=True) + common.mean()
    freedom, freedom_rest = count - 1, (count - 1) * (runs - 1)
    variance = runs * float(((common - common.mean()) ** 2).sum()) / freedom
    variance_rest = float((rest**2).sum()) / freedom_rest
    if variance_rest == 0:
        return variance > 0
    root = float(np.cbrt(variance / variance_rest))
    of_common, of_rest = 2 / (9 * freedom), 2 / (9 * freedom_rest)
    return (1 - of_rest) * root - (1 - of_common) > ONE_SIDED_10_PERCENT * sqrt(of_rest * root**2 + of_common)


def settled_means(series: Floats, rest: int) -> tuple[Floats, float]:
    """Return the mean of the settled values of each run, and how far from it the next `rest` ones are, in sum.

    The half-width is that of the 95 % interval of the sum of these values, in the mean of the runs. Runs of a chaotic
    system that begin alike stay alike until their differences, which grow exponentially, are as large as those between
    values: until then all are one initial transient. So values count as settled where both the mean of the runs and the
    logarithm of their standard deviation have, and batches have to be as uncorrelated between runs as in time. Batches
    give the variance s² of the mean of n values in all runs; that of the sum of the next ones is s² · (rest² + rest ·
    n). The means of the runs give s² as well, a larger one if these are in different states that last. The wider of the
    two intervals is taken.

    It is infinite for a single run, or if values are not settled, too few, or correlated. What no run has met yet is in
    no interval, such as a chaos that ends after some time.

    Parameters
    ----------
    series : float64[runs, values]
        Values of several runs. Standard deviations below 1 count as 1.
    rest
        Number of further values.

    References
    ----------
    Alexopoulos and Seila, Output Data Analysis, in Handbook of Simulation, 1998: batch means and replications.

    Examples
    --------
    >>> values = np.random.default_rng(2).normal(1000, 10, (9, 400))
    >>> means, half_width = settled_means(values, 1000)
    >>> round(means.mean()), round(half_width / 1000, 2)  # t · 10 · √(1 / 3600 + 1 / 9000)
    (1000, 0.52)
    """
    runs, values = series.shape
    if not values:
        return np.zeros(runs), inf
    spread = np.log(np.maximum(series.std(axis=0), 1))
    starts = [start for start in map(settled_from, (series.mean(axis=0), spread)) if start is not None]
    settled = series[:, max(starts, default=values // 2) :]
    means: Floats = settled.mean(axis=1)
    batches = uncorrelated_batches(settled) if runs > 1 and len(starts) == 2 else None
    if batches is None:
        return means, inf
    errors = [student_t(len(part)) * sqrt(part.var(ddof=1) / len(part)) for part in (batches.mean(axis=0), means)]
    return means, max(errors) * sqrt(rest**2 + rest * settled.shape[1])
