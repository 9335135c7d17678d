"""Detection of the steady state of a run: truncation of the warm-up, and steady growth of the backlog."""

from collections.abc import Sequence

MIN_SPEED_RATIO = 0.85  # late over early growth rate; 0.71 for a diffusing queue, growing as the square root of time


def truncation(series: Sequence[float], tolerance: float) -> int | None:
    """Return the number of values to truncate as warm-up; None if the steady state is not reached.

    The marginal standard error rule (MSER): truncate the first d values, with d minimising the variance of the rest
    divided by their number, and accept d if it is at most half of all. If d is larger, truncate half, provided the two
    halves of the rest differ by at most the tolerance: then the bias is below the requested precision.

    Parameters
    ----------
    series
        Means over blocks of equal time.
    tolerance
        In the unit of the values.

    References
    ----------
    White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output, 1997; White, Cobb and Spratt, A
    Comparison of Five Steady-State Truncation Heuristics for Simulation, 2000: MSER, and its form for means of blocks.

    Examples
    --------
    >>> truncation([9, 7, 5, 5, 4, 5, 4, 5, 4, 5], 0.1), truncation(range(20), 0.1)
    (2, None)
    """
    # At least four values remain, since fewer are alike by chance; of equal errors, the least d keeps most of them.
    least = min(range(max(len(series) - 3, 1)), key=lambda d: (_marginal_error(series[d:]), d))
    return least if least <= len(series) // 2 else settled_half(series, tolerance)


def settled_half(series: Sequence[float], tolerance: float) -> int | None:
    """Return where the second half of a series begins; None if its own two halves differ by more than the tolerance.

    The accepted load of an overloaded network converges as the inverse square root of time, because its internal queues
    fill like those of a network at the saturation point. MSER would place the end of such a warm-up in the noise.

    Parameters
    ----------
    series
        Means over blocks of equal time.
    tolerance
        In the unit of the values. For a series a - b / sqrt(t), the mean of that half is below the limit
        a by six times the difference between its own halves.

    Examples
    --------
    >>> settled_half([8, 2, 5, 5, 5, 5, 5, 5], 0.1), settled_half(range(20), 0.1)
    (4, None)
    """
    half = len(series) // 2
    middle = (half + len(series)) // 2
    return half if abs(_mean(series[middle:]) - _mean(series[half:middle])) <= tolerance else None


def _marginal_error(rest: Sequence[float]) -> float:
    mean = _mean(rest)
    return sum((value - mean) ** 2 for value in rest) / len(rest) ** 2


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def keeps_growing(levels: Sequence[int]) -> bool:
    """Whether a backlog grows without slowing down, as that of an overloaded network does.

    A backlog that tends to a steady state grows ever more slowly; at the edge of saturation as the square root of time,
    0.71 times as fast in the last half of a run as in the quarter before. It counts as growing if that factor is at
    least 0.85.

    Parameters
    ----------
    levels
        The backlog at equidistant times, from the start.

    Examples
    --------
    >>> keeps_growing([3 * t for t in range(33)]), keeps_growing([int(100 * t**0.5) for t in range(33)])
    (True, False)
    """
    last = len(levels) - 1
    quarter, half = last // 4, last // 2
    early_rate = (levels[half] - levels[quarter]) / (half - quarter)
    late_rate = (levels[last] - levels[half]) / (last - half)
    return early_rate > 0 and late_rate >= MIN_SPEED_RATIO * early_rate
