"""The hardware that is simulated: switches, links and packets, stated once and the same for all networks."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from isoplane.models import InputError, SwitchModel
from isoplane.models.checks import check_bool, check_int, exact_number

FlowControl = Literal["store_and_forward", "virtual_cut_through", "wormhole"]
FLOW_CONTROLS: tuple[FlowControl, ...] = ("store_and_forward", "virtual_cut_through", "wormhole")
TIES = ("alternate", "shorter_queue")
DEADLOCKS = ("report", "drop")
MAX_CHANNELS = 16
# What the engine can hold. It has lists of events for each tick that it looks ahead, 600 MB for the longest delays.
MAX_FLIT_BITS, MAX_PACKET_BITS, MAX_GBPS = 1 << 16, 1 << 20, 10**6
MAX_PACKET_FLITS, MAX_OUTPUT_FLITS, MAX_BUFFER_FLITS = (1 << 14) - 1, (1 << 16) - 1, (1 << 24) - 1
MAX_DELAY_TICKS = 1 << 20
MAX_OUTPUT_TICKS = 1 << 22  # in which the slowest link carries what an output holds, and a packet


@dataclass(frozen=True)
class Hardware:
    """Input-queued switches with virtual channels and credits, their links, and the packets on them.

    The unit of time is a tick, in which a crossbar moves one flit from each input and to each output; a link of
    `link_gbps` needs `speedup` ticks for a flit, one whose plane states another rate any whole number of them.

    Parameters
    ----------
    name
        What reports call it.
    flow_control
        ``store_and_forward``, ``virtual_cut_through`` or ``wormhole``.
    virtual_channels
        Of every link, 1..16.
    link_gbps
        Rate of all links whose plane states none, in Gbit/s; loads are in units of it.
    flit_bits, packet_bits, header_bits
        Size of a flit; of the longest packet; and the part of each packet that carries no data.
    padded
        Whether all packets are as long as the longest.
    speedup
        How many times faster than a link of that rate the crossbar is.
    buffer_flits
        Flits that an input holds for each virtual channel. By default they cover the round trip of a credit over the
        longest cable that is sold, 2 · cable + switch delay, at `link_gbps`: a faster link needs more.
    longest_cable_m
        That cable.
    output_flits
        Flits that an output holds; by default a packet of each virtual channel.
    tie
        Which of two equally near planes a node chooses: they ``alternate``, or the ``shorter_queue``.
    deadlock
        Whether a deadlock ends the run (``report``) or costs a packet (``drop``).
    deadlock_check_flits
        A deadlock is looked for once in the time of so many flits on a link.
    switch
        Delays of switches and cables. The switch delay is that from the first bit of a packet at the input to its first
        bit at the output; with store and forward it counts from the last bit at the input.
    routing_ns
        The part of the switch delay that only the head of a packet needs, once it stands in front of its queue; the
        flits behind it follow through the switch without. Worms alone have heads that go ahead.

    Raises
    ------
    InputError
        If a value is out of range, or buffers are smaller than a packet where whole packets must fit.

    References
    ----------
    Hosomi et al. 2021, section 3.4.1: input buffers, a crossbar of twice the link rate, small output buffers, 90 ns
    from port to port, 100 Gbit/s. The 131 ns of section 3.2.1 fit packets of 256 bytes.

    Examples
    --------
    >>> hardware = Hardware()
    >>> hardware.packet_flits, hardware.buffer, hardware.output, float(hardware.tick_ns)
    (8, 426, 32, 1.28)
    """

    name: str = "infiniband_edr"
    flow_control: FlowControl = "virtual_cut_through"
    virtual_channels: int = 4
    link_gbps: float | Fraction = 100
    flit_bits: int = 256
    packet_bits: int = 2048
    header_bits: int = 0
    padded: bool = True
    speedup: int = 2
    buffer_flits: int | None = None
    longest_cable_m: float = 100
    output_flits: int | None = None
    tie: str = "alternate"
    deadlock: str = "report"
    deadlock_check_flits: int = 512
    switch: SwitchModel = field(default_factory=SwitchModel)
    routing_ns: float | Fraction = 0

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("flow_control", self.flow_control, FLOW_CONTROLS),
            ("tie", self.tie, TIES),
            ("deadlock", self.deadlock, DEADLOCKS),
        ):
            if value not in allowed:
                raise InputError(f"hardware.{name}={value}: expected {', '.join(allowed)}")
        check_int("hardware.virtual_channels", self.virtual_channels, 1, MAX_CHANNELS)
        exact_number("hardware.link_gbps", self.link_gbps, high=MAX_GBPS, above=True)
        check_int("hardware.flit_bits", self.flit_bits, 1, MAX_FLIT_BITS)
        check_int("hardware.packet_bits", self.packet_bits, 1, MAX_PACKET_BITS)
        check_int("hardware.header_bits", self.header_bits, 0, self.packet_bits - 1)
        check_bool("hardware.padded", self.padded)
        check_int("hardware.speedup", self.speedup, 1, 16)
        check_int("hardware.deadlock_check_flits", self.deadlock_check_flits, 1, 1 << 32)
        exact_number("hardware.longest_cable_m", self.longest_cable_m, high=10**6)
        if exact_number("hardware.routing_ns", self.routing_ns) and self.flow_control != "wormhole":
            raise InputError(f"hardware.routing_ns={self.routing_ns}: expected 0, but for wormhole")
        if self.packet_flits > MAX_PACKET_FLITS:
            raise InputError(
                f"hardware.flit_bits={self.flit_bits}: packets of {self.packet_flits} flits; expected at most "
                f"{MAX_PACKET_FLITS}"
            )
        self._check_delay()
        self._check_buffer()
        self._check_output()

    def _check_delay(self) -> None:
        if self.switch_ticks > MAX_DELAY_TICKS:
            raise InputError(
                f"switch.delay_ns={self.switch.delay_ns}: {self.switch_ticks} ticks of {float(self.tick_ns):g} ns; "
                f"expected at most {MAX_DELAY_TICKS}"
            )

    def _check_buffer(self) -> None:
        if self.buffer_flits is not None:
            check_int("hardware.buffer_flits", self.buffer_flits, 1, MAX_BUFFER_FLITS)
        elif self.buffer > MAX_BUFFER_FLITS:
            raise InputError(
                f"hardware.buffer_flits=null: {self.buffer} flits for hardware.longest_cable_m={self.longest_cable_m}, "
                f"there and back; expected at most {MAX_BUFFER_FLITS}"
            )
        if self.flow_control != "wormhole" and self.buffer < self.packet_flits:
            raise InputError(
                f"hardware.buffer_flits={self.buffer}: smaller than a packet of {self.packet_flits} flits; "
                f"{self.flow_control} expects at least {self.packet_flits}"
            )

    def _check_output(self) -> None:
        if self.output_flits is not None:
            check_int("hardware.output_flits", self.output_flits, 1, MAX_OUTPUT_FLITS)
        elif self.output > MAX_OUTPUT_FLITS:
            raise InputError(
                f"hardware.output_flits=null: a packet of {self.packet_flits} flits for each of "
                f"hardware.virtual_channels={self.virtual_channels} is {self.output}; expected at most "
                f"{MAX_OUTPUT_FLITS}"
            )

    @property
    def tick_ns(self) -> Fraction:
        """A tick, in ns: the time of a flit on a link over the speed-up."""
        return self.flit_ns / self.speedup

    @property
    def flit_ns(self) -> Fraction:
        """The time of a flit on a link, in ns."""
        return Fraction(self.flit_bits) / exact_number("", self.link_gbps)

    @property
    def packet_flits(self) -> int:
        """Flits of the longest packet."""
        return ceil(Fraction(self.packet_bits, self.flit_bits))

    @property
    def payload_bits(self) -> int:
        """Data bits of the longest packet."""
        return self.packet_bits - self.header_bits

    @property
    def buffer(self) -> int:
        """Flits that an input holds for each virtual channel."""
        if self.buffer_flits is not None:
            return self.buffer_flits
        round_trip_ns = 2 * self.cable_ns(self.longest_cable_m) + exact_number("", self.switch.delay_ns)
        return max(ceil(round_trip_ns / self.flit_ns), self.packet_flits)

    @property
    def output(self) -> int:
        """Flits that an output holds."""
        return self.output_flits if self.output_flits is not None else self.packet_flits * self.virtual_channels

    @property
    def switch_delay_ns(self) -> Fraction:
        """From the first bit of a flit at an input to its first bit at the output."""
        return exact_number("", self.switch.delay_ns) + self.late_ns

    @property
    def late_ns(self) -> Fraction:
        """How much later a flit leaves a switch that has to have it whole: with store and forward the time of it."""
        return self.flit_ns if self.flow_control == "store_and_forward" else Fraction(0)

    def cable_ns(self, length_m: object) -> Fraction:
        """Return the delay of a cable."""
        return exact_number("", length_m) * exact_number("", self.switch.cable_delay_ns_per_m)

    def ticks(self, time_ns: Fraction) -> int:
        """Return a time in whole ticks, the nearest."""
        return floor(time_ns / self.tick_ns + Fraction(1, 2))

    @property
    def switch_ticks(self) -> int:
        """The switch delay in ticks: at least a flit has to come in."""
        return max(self.ticks(self.switch_delay_ns), self.speedup)

    @property
    def routing_ticks(self) -> int:
        """The part of the switch delay that only heads need, in ticks."""
        return min(self.ticks(exact_number("", self.routing_ns)), self.switch_ticks - self.speedup)

    def cable_ticks(self, length_m: object) -> int:
        """Return the delay of a cable in ticks: it and the switch delay together are rounded to the nearest.

        Raises
        ------
        InputError
            If the engine does not look so far ahead.
        """
        length = exact_number("", length_m)
        together = self.ticks(self.switch_delay_ns + self.cable_ns(length))
        ticks = max(together - self.switch_ticks, 0)
        if ticks > MAX_DELAY_TICKS:
            raise InputError(
                f"switch.cable_delay_ns_per_m={self.switch.cable_delay_ns_per_m}: a cable of {float(length):g} m takes "
                f"{ticks} ticks of {float(self.tick_ns):g} ns; expected at most {MAX_DELAY_TICKS}"
            )
        return ticks
