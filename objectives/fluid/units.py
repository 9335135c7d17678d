"""The whole numbers in which the fluid model computes: ticks, rates and volumes."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from fractions import Fraction
from math import floor

from isoplane.models import InputError, MessageList
from isoplane.models.families.hybrid import Hybrid

FINEST_TICKS = 10  # 2^10 ticks in a ns, where there is room for them
MAX_TICKS = 52  # a course takes fewer than 2^52 ticks
MAX_RATE = 52  # the fastest rate is below 2^52 units, and at least half of that
MAX_RATIO = 1 << 20  # so the slowest is at least 2^31: shared by as many as there may be, it is not 0
WAITS_NS = 32  # at least what a transfer waits for a whole tick at its end, and before a jittered start


@dataclass(frozen=True)
class FluidUnits:
    """Rates in units of volume in a tick, delays in ticks.

    Attributes
    ----------
    node_rate, up_rate, circuit_rate
        Of the link of a node, of a link up, and of a circuit: rounded down.
    inside, between, circuit
        Delays of a leg inside a group, of one over the packet network, and of a circuit: to the nearest tick.
    ticks_log2, volume_log2
        A ns has 2^`ticks_log2` ticks, and a bit 2^`volume_log2` units of volume.
    """

    node_rate: int
    up_rate: int
    circuit_rate: int
    inside: int
    between: int
    circuit: int
    ticks_log2: int
    volume_log2: int

    @property
    def numbers(self) -> list[int]:
        """All in their order, as native code takes them."""
        return list(astuple(self))


def units_of(hybrid: Hybrid, messages: MessageList) -> FluidUnits:
    """Return the units for a workload on a network.

    A tick is 2^-10 ns, or as much longer as the longest course that any circuits could give must be to end before
    2^52 ticks. While messages are sent some link is full, so they take no longer than all links are busy: B bits over
    circuits at most B·g·(1 / c + 2 / e), and over the packet network 2·B·(1 / e + 1 / u), with g groups, and rates e of
    nodes, u of links up and c of circuits.

    Raises
    ------
    InputError
        If that is 2^52 ns or more, or a rate is less than a 2^20th of the fastest.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> units = units_of(Hybrid(), stencil().message_list())
    >>> units.ticks_log2, units.volume_log2, units.node_rate == 10 << 45, units.circuit
    (10, 55, True, 81920)
    """
    names = ("network.node_gbps", "network.up_gbps", "network.circuit_gbps")
    rates = dict(zip(names, hybrid.rates_gbps, strict=True))
    scales = scales_of(rates, _longest_ns(hybrid, messages), messages)
    inside, between, over = (scales.ticks(delay) for delay in hybrid.leg_delays_ns)
    node, up, circuit = (scales.rate(rate) for rate in rates.values())
    return FluidUnits(node, up, circuit, inside, between, over, scales.ticks_log2, scales.volume_log2)


@dataclass(frozen=True)
class Scales:
    """What whole numbers stand for.

    Attributes
    ----------
    rate_log2, ticks_log2
        A Gbit/s is 2^`rate_log2` units of rate, which may be less than one; a ns has 2^`ticks_log2` ticks.
    """

    rate_log2: int
    ticks_log2: int

    @property
    def volume_log2(self) -> int:
        """A bit is 2^`volume_log2` units of volume."""
        return self.rate_log2 + self.ticks_log2

    def rate(self, gbps: Fraction) -> int:
        """Return a rate, rounded down."""
        return floor(gbps * _power(self.rate_log2))

    def ticks(self, delay_ns: Fraction) -> int:
        """Return a delay to the nearest tick, halves upwards."""
        return floor(delay_ns * (1 << self.ticks_log2) + Fraction(1, 2))


def scales_of(rates_gbps: Mapping[str, Fraction], longest_ns: Fraction, messages: MessageList) -> Scales:
    """Return the finest scales that there is room for.

    Parameters
    ----------
    rates_gbps
        The rates of all links, by what they are called.
    longest_ns
        A time before which the course of all messages is over.
    messages
        What is sent.

    Raises
    ------
    InputError
        If that time is 2^52 ns or more, or a rate is less than a 2^20th of the fastest.
    """
    fastest = max(rates_gbps.values())
    for name, rate in rates_gbps.items():
        if rate * MAX_RATIO < fastest:
            raise InputError(
                f"{name}={float(rate):g}: expected at least {float(fastest) / MAX_RATIO:g}, a 2^20th of the "
                "fastest rate"
            )
    ticks = min(FINEST_TICKS, MAX_TICKS - _bits_of(longest_ns))
    if ticks < 0:
        raise InputError(
            f"workload: {8 * int(messages.length_bytes.sum())} bits could take longer than 52 days on this network; "
            "expected shorter messages or higher rates"
        )
    return Scales(MAX_RATE - _bits_of(fastest), ticks)


def _longest_ns(hybrid: Hybrid, messages: MessageList) -> Fraction:
    node, up, circuit = hybrid.rates_gbps
    busy = 8 * int(messages.length_bytes.sum()) * (hybrid.groups * (2 / node + 1 / circuit) + 2 / up)
    return busy + messages.messages * hybrid.nodes * (max(hybrid.leg_delays_ns) + WAITS_NS)


def _bits_of(number: Fraction) -> int:
    """Return the least k with a number below 2^k."""
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    return guess if number < _power(guess) else guess + 1


def _power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent
