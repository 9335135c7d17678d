"""Means with confidence intervals, by the method of batch means."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

# Quantile 0.975 of Student's t by degrees of freedom, from 1 on; those of more are at most these.
STUDENT_T = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
FEWEST = (32, 16, 8, 5)  # batches, of ever longer time
LEAST_BLOCKS = 16  # for an interval


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95 % confidence interval.

    Attributes
    ----------
    mean
        Of all that was measured; None where nothing was.
    half_width
        None where there are too few blocks for it, or nothing that the mean could be an estimate of.
    """

    mean: float | None
    half_width: float | None = None

    @property
    def relative(self) -> float | None:
        """Half the width over the mean."""
        return self.half_width / abs(self.mean) if self.half_width is not None and self.mean else None


def batched(values: Sequence[int], batches: int) -> list[int]:
    """Return sums of neighbouring values: so many batches of one size, without the values that are too many in front.

    Examples
    --------
    >>> batched([1, 2, 3, 4, 5], 2)
    [5, 9]
    """
    size = len(values) // batches
    rest = len(values) - size * batches
    return [sum(values[rest + i * size : rest + (i + 1) * size]) for i in range(batches)]


def estimate(sums: Sequence[int], counts: Sequence[int]) -> Estimate:
    """Return a mean over what blocks of a run counted, one after the other in a steady state.

    The blocks are joined to k batches of one size, with the sums S_i of what is averaged and the counts N_i. The mean
    is m = Σ S_i / Σ N_i, the variance of its estimate that of the residuals S_i - m·N_i over k and the square of the
    mean N_i. What is left of the correlation of neighbouring batches, r > 0, makes the interval wider by
    √((1 + r) / (1 - r)), as in a series whose correlation falls geometrically.

    Near saturation fast noise hides a queue that hardly changes from block to block, and batches that are too short
    see the noise alone. So the interval is the widest of four: of at least 32, 16, 8 and 5 batches, each as many as
    there are of whole blocks. Where blocks are not correlated, it is a fifth wider than that of 8 batches alone.

    Parameters
    ----------
    sums, counts
        Of each block. With fewer blocks than 16 there is a mean only.

    References
    ----------
    Law and Kelton, Simulation Modeling and Analysis, 2000, section 9.5.3; Alexopoulos and Seila, Output Data Analysis,
    in Handbook of Simulation, 1998. The correction for r: Tafazzoli, Wilson, Lada and Steiger, Performance of Skart: A
    Skewness- and Autoregression-Adjusted Batch Means Procedure for Simulation Analysis, 2011.

    Examples
    --------
    >>> estimate([10, 12] * 16, [1] * 32)
    Estimate(mean=11.0, half_width=0.36675402673867435)
    """
    if sum(counts) == 0:
        return Estimate(None)
    mean = sum(sums) / sum(counts)
    if len(sums) < LEAST_BLOCKS:
        return Estimate(mean)
    widths = [_half_width(sums, counts, fewest) for fewest in FEWEST]
    return Estimate(mean, None if None in widths else max(width for width in widths if width is not None))


def _half_width(sums: Sequence[int], counts: Sequence[int], fewest: int) -> float | None:
    """Return half the interval of at least so many batches, or of single blocks where there are fewer."""
    batches = len(sums) // max(len(sums) // fewest, 1)
    totals, sizes = batched(sums, batches), batched(counts, batches)
    if sum(sizes) == 0:
        return None
    mean = sum(totals) / sum(sizes)
    residuals = [total - mean * size for total, size in zip(totals, sizes, strict=True)]
    squares = sum(residual * residual for residual in residuals)
    if squares == 0:
        return 0.0
    neighbours = sum(residuals[i] * residuals[i + 1] for i in range(batches - 1))
    correlation = min(max(neighbours / squares, 0.0), 0.9)
    error = sqrt(squares / (batches - 1) / batches) / (sum(sizes) / batches)
    quantile = STUDENT_T[min(batches - 1, len(STUDENT_T)) - 1]
    return quantile * error * sqrt((1 + correlation) / (1 - correlation))
