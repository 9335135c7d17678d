"""The whole numbers in which the fluid model computes: ticks, rates and volumes."""

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
    rates = dict(zip(("node_gbps", "up_gbps", "circuit_gbps"), hybrid.rates_gbps, strict=True))
    fastest = max(rates.values())
    scale = MAX_RATE - _bits_of(fastest)
    for name, rate in rates.items():
        if rate * MAX_RATIO < fastest:
            raise InputError(
                f"network.{name}={float(rate):g}: allowed is at least {float(fastest) / MAX_RATIO:g}, a 2^20th of the "
                "fastest rate"
            )
    ticks = min(FINEST_TICKS, MAX_TICKS - _bits_of(_longest_ns(hybrid, messages)))
    if ticks < 0:
        raise InputError(
            f"workload: {8 * int(messages.length_bytes.sum())} bits could take longer than 52 days on this network; "
            "allowed are shorter messages or higher rates"
        )
    node, up, circuit = (floor(rate * _power(scale)) for rate in rates.values())
    inside, between, over = (floor(delay * 2**ticks + Fraction(1, 2)) for delay in hybrid.leg_delays_ns)
    return FluidUnits(node, up, circuit, inside, between, over, ticks, scale + ticks)


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
