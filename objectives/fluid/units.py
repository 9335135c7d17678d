"""Integer units of the fluid model: ticks, rates and volumes."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from operator import mul

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList
from isoplane.models.arrays import Ints

FINEST_TICKS_LOG2 = 10  # log2 of the ticks per ns, unless a run would be too long
MAX_TICKS_LOG2 = 52  # a run takes fewer than 2^52 ticks
MAX_RATE_LOG2 = 52  # the fastest rate is between 2^51 and 2^52 units
MAX_RATIO = 1 << 20  # so the slowest is at least 2^31, and no fair share of it rounds to 0
WAITS_NS = 32  # upper bound on rounding to a whole tick plus start jitter, per transfer


@dataclass(frozen=True)
class Scales:
    """Scales of the integer units.

    Attributes
    ----------
    rate_log2, ticks_log2
        Log2 of the units of rate per Gbit/s, possibly negative, and of the ticks per ns.
    """

    rate_log2: int
    ticks_log2: int

    @property
    def volume_log2(self) -> int:
        """Log2 of the units of volume per bit."""
        return self.rate_log2 + self.ticks_log2

    def rate(self, gbps: Fraction) -> int:
        """Return a rate in units, rounded down."""
        return floor(gbps * _power(self.rate_log2))

    def ticks(self, delay_ns: Fraction) -> int:
        """Return a delay rounded to the nearest tick, with halves rounded up."""
        return floor(delay_ns * (1 << self.ticks_log2) + Fraction(1, 2))

    def begin_ticks(self, messages: MessageList) -> NDArray[np.float64]:
        """Return the delays of messages, rounded likewise."""
        whole_ns, rest_ps = np.divmod(messages.delay_ps, 1000)
        # Whole ns and the rest apart: a delay in ps, shifted by up to 11 bits, may exceed 64 bits.
        rest = ((rest_ps << self.ticks_log2 + 1) + 1000) // 2000
        ticks: NDArray[np.float64] = ((whole_ns << self.ticks_log2) + rest).astype(np.float64)
        return ticks


def scales_of(
    rates_gbps: Mapping[str, Fraction], longest_ns: Fraction, messages: MessageList, weight: Ints | None = None
) -> Scales:
    """Return the finest scales within the integer range.

    Parameters
    ----------
    rates_gbps
        The rates of all links by name.
    longest_ns
        Upper bound on the length of a run without delays of messages.
    messages
        The messages; one after the other, their delays take at most their sum.
    weight : int64[messages], optional
        How often each message occurs; by default once.

    Raises
    ------
    InputError
        If that bound is 2^52 ns or more, or a rate is less than 2^-20 of the fastest.
    """
    fastest = max(rates_gbps.values())
    for name, rate in rates_gbps.items():
        if rate * MAX_RATIO < fastest:
            raise InputError(
                f"{name}={float(rate):g}: expected at least {float(fastest) / MAX_RATIO:g}, 1/2^20 of the fastest rate"
            )
    times = [1] * messages.messages if weight is None else weight.tolist()
    delays_ns = Fraction(sum(map(mul, messages.delay_ps.tolist(), times)), 1000)
    ticks = min(FINEST_TICKS_LOG2, MAX_TICKS_LOG2 - _bits_of(longest_ns + delays_ns))
    if ticks < 0:
        delays = f" and delays of {float(delays_ns):g} ns" if delays_ns else ""
        raise InputError(
            f"workload: {8 * messages.sent_bytes} bits{delays} could take longer than 52 days on this network; "
            "expected shorter messages or higher rates"
        )
    return Scales(MAX_RATE_LOG2 - _bits_of(fastest), ticks)


def _bits_of(number: Fraction) -> int:
    """Return the smallest k such that the number is below 2^k."""
    # Bit lengths give the logarithm of a quotient up to one.
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    return guess if number < _power(guess) else guess + 1


def _power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent
