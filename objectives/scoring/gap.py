"""Relative optimality gap between a score and its lower bound."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil


def relative_gap(score: int, bound: int | None) -> Fraction | None:
    """Return (score - bound) / |score| of a score component, or None without a bound.

    Stops, tables, reports and benchmarks all use this definition. The gap is zero if and only if the score reaches its
    bound, that is, if the component is proven optimal.

    Parameters
    ----------
    score
        The component.
    bound
        A proven lower bound on it.

    Examples
    --------
    >>> relative_gap(800, 796), relative_gap(800, None), relative_gap(0, 0), relative_gap(-4, -5)
    (Fraction(1, 200), None, Fraction(0, 1), Fraction(1, 4))
    """
    if bound is None or (score == 0 > bound):
        return None
    return Fraction(score - bound, abs(score)) if score else Fraction(0)


def relative_gaps(score: Sequence[int], bound: Sequence[int | None]) -> tuple[Fraction | None, ...]:
    """Return the gap of every component of a score; an empty bound leaves all of them unknown.

    Examples
    --------
    >>> relative_gaps((800, 100), (796, None)), relative_gaps((800,), ())
    ((Fraction(1, 200), None), (None,))
    """
    return tuple(relative_gap(*pair) for pair in zip(score, bound or (None,) * len(score), strict=True))


def gap_text(gap: Fraction | None) -> str:
    """Format a gap in percent with two decimals, rounded up, as it is a guarantee: ``0.00 %`` only if exactly zero.

    Examples
    --------
    >>> gap_text(Fraction(48, 11568)), gap_text(Fraction(0)), gap_text(Fraction(1, 10**6)), gap_text(None)
    ('0.42 %', '0.00 %', '0.01 %', 'unknown')
    """
    if gap is None:
        return "unknown"
    whole, hundredths = divmod(ceil(gap * 10_000), 100)
    return f"{whole}.{hundredths:02} %"
