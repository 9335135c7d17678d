"""The simulated hardware: switches, links and packets, stated once for all networks."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Literal

from isoplane.models import InputError, SwitchModel
from isoplane.models.checks import check_bool, check_int, exact_number, fraction_of

FlowControl = Literal["store_and_forward", "virtual_cut_through", "wormhole"]
FLOW_CONTROLS: tuple[FlowControl, ...] = ("store_and_forward", "virtual_cut_through", "wormhole")
TIES = ("alternate", "shorter_queue")
DEADLOCKS = ("report", "drop")
PATH_SELECTIONS = ("minimal", "valiant", "ugal")
MAX_UGAL_BIAS = MAX_SPILL_FLITS = 1 << 40
MAX_CHANNELS = 16
# Limits of the engine. It keeps event lists for every tick up to its horizon: 600 MB at the longest delays.
MAX_FLIT_BITS, MAX_PACKET_BITS, MAX_GBPS = 1 << 16, 1 << 20, 10**6
MAX_PACKET_FLITS, MAX_OUTPUT_FLITS, MAX_BUFFER_FLITS = (1 << 14) - 1, (1 << 16) - 1, (1 << 24) - 1
MAX_DELAY_TICKS = 1 << 20
MAX_OUTPUT_TICKS = 1 << 22  # for the slowest link to drain a full output buffer and a packet


@dataclass(frozen=True)
class Hardware:
    """Input-queued switches with virtual channels and credits, their links, and the packets on them.

    The unit of time is a tick, in which a crossbar moves one flit from each input and to each output; a link of
    `link_gbps` takes `speedup` ticks per flit, a link whose plane states another rate any whole number of ticks.

    Parameters
    ----------
    name
        Name in reports.
    flow_control
        ``store_and_forward``, ``virtual_cut_through`` or ``wormhole``.
    virtual_channels
        Number of virtual channels per link, 1..16.
    link_gbps
        Default rate of a link, for planes that state none, in Gbit/s; the unit of loads.
    flit_bits, packet_bits, header_bits
        Size of a flit; of the longest packet; and of the header of each packet, which carries no data.
    padded
        Whether all packets are padded to the longest.
    speedup
        Crossbar speed-up: its rate over `link_gbps`.
    buffer_flits
        Input buffer per virtual channel, in flits. The default covers the credit round trip over the longest cable
        on sale, 2 · cable + switch delay, at `link_gbps`; a faster link needs more.
    longest_cable_m
        Length of that cable.
    output_flits
        Output buffer, in flits; by default one packet per virtual channel.
    tie
        Choice between two equally near planes: ``alternate``, or the one with the ``shorter_queue``.
    spill_flits
        For the plane policy ``spill``: the flits that wait at a source for the nearest plane and above which the next
        messages may take a farther one.
    deadlock
        Whether a deadlock ends the run (``report``) or is broken by dropping a packet (``drop``).
    deadlock_check_flits
        Interval between deadlock checks, in flit times.
    path_selection
        ``minimal``: the routes of the network; ``valiant``: over a random region of switches; ``ugal``: one of the two,
        by the local rule UGAL-L. The last two need a network with `Detours`.
    ugal_bias
        For ``ugal``: the advantage of the minimal path, in flits times hops.
    switch
        Delays of switches and cables, the caches of routing tables, and the rate of look-ups. The switch delay runs
        from the first bit of a packet at the input to its first bit at the output; with store and forward it starts at
        the last bit at the input.
    routing_ns
        The part of the switch delay that only the head of a packet needs, once it reaches the front of its queue; the
        body flits do not wait for it. Only with wormhole; otherwise 0. If `switch` states it, 0 or the same.

    Raises
    ------
    InputError
        If a value is out of range, or a buffer that must hold whole packets is smaller than a packet.

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
    path_selection: str = "minimal"
    ugal_bias: int = 0
    spill_flits: int = 64

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("flow_control", self.flow_control, FLOW_CONTROLS),
            ("tie", self.tie, TIES),
            ("deadlock", self.deadlock, DEADLOCKS),
            ("path_selection", self.path_selection, PATH_SELECTIONS),
        ):
            if value not in allowed:
                raise InputError(f"hardware.{name}={value}: expected {', '.join(allowed)}")
        check_int("hardware.virtual_channels", self.virtual_channels, 1, MAX_CHANNELS)
        exact_number("hardware.link_gbps", self.link_gbps, high=MAX_GBPS, above=True)
        check_int("hardware.flit_bits", self.flit_bits, 1, MAX_FLIT_BITS)
        check_int("hardware.packet_bits", self.packet_bits, 1, MAX_PACKET_BITS)
        check_int("hardware.header_bits", self.header_bits, 0, self.packet_bits - 1)
        check_bool("hardware.padded", self.padded)
        check_int("hardware.spill_flits", self.spill_flits, 0, MAX_SPILL_FLITS)
        check_int("hardware.ugal_bias", self.ugal_bias, 0, MAX_UGAL_BIAS)
        if self.ugal_bias and self.path_selection != "ugal":
            raise InputError(
                f"hardware.ugal_bias={self.ugal_bias}: has no effect with path_selection={self.path_selection}; "
                "allowed with hardware.path_selection=ugal"
            )
        check_int("hardware.speedup", self.speedup, 1, 16)
        check_int("hardware.deadlock_check_flits", self.deadlock_check_flits, 1, 1 << 32)
        exact_number("hardware.longest_cable_m", self.longest_cable_m, high=10**6)
        if exact_number("hardware.routing_ns", self.routing_ns) and self.flow_control != "wormhole":
            raise InputError(f"hardware.routing_ns={self.routing_ns}: expected 0 except with wormhole")
        stated_ns = self.switch.routing_ns
        if self.routing_ns and stated_ns is not None and fraction_of(self.routing_ns) != fraction_of(stated_ns):
            raise InputError(f"hardware.routing_ns={self.routing_ns}: expected 0, or switch.routing_ns={stated_ns}")
        if self.packet_flits > MAX_PACKET_FLITS:
            raise InputError(
                f"hardware.flit_bits={self.flit_bits}: packets of {self.packet_flits} flits; expected at most "
                f"{MAX_PACKET_FLITS}"
            )
        self._check_delay()
        self._check_buffer()
        self._check_output()

    def _check_delay(self) -> None:
        for name, ticks in (
            (f"delay_ns={self.switch.delay_ns}", self.switch_ticks + self.miss_ticks),
            (f"table_interval_ns={self.switch.table_interval_ns}", self.table_ticks),
        ):
            if ticks > MAX_DELAY_TICKS:
                raise InputError(
                    f"switch.{name}: {ticks} ticks of {float(self.tick_ns):g} ns; expected at most {MAX_DELAY_TICKS}"
                )

    def _check_buffer(self) -> None:
        if self.buffer_flits is not None:
            check_int("hardware.buffer_flits", self.buffer_flits, 1, MAX_BUFFER_FLITS)
        elif self.buffer > MAX_BUFFER_FLITS:
            raise InputError(
                f"hardware.buffer_flits=null: {self.buffer} flits for the round trip over "
                f"hardware.longest_cable_m={self.longest_cable_m}; expected at most {MAX_BUFFER_FLITS}"
            )
        if self.flow_control != "wormhole" and self.buffer < self.packet_flits:
            raise InputError(
                f"hardware.buffer_flits={self.buffer}: smaller than a packet of {self.packet_flits} flits; "
                f"expected at least {self.packet_flits} with {self.flow_control}"
            )

    def _check_output(self) -> None:
        if self.output_flits is not None:
            check_int("hardware.output_flits", self.output_flits, 1, MAX_OUTPUT_FLITS)
        elif self.output > MAX_OUTPUT_FLITS:
            raise InputError(
                f"hardware.output_flits=null: a packet of {self.packet_flits} flits for each of "
                f"hardware.virtual_channels={self.virtual_channels} comes to {self.output}; expected at most "
                f"{MAX_OUTPUT_FLITS}"
            )

    @cached_property
    def tick_ns(self) -> Fraction:
        """Duration of a tick in ns: the flit time over the speed-up."""
        return self.flit_ns / self.speedup

    @cached_property
    def flit_ns(self) -> Fraction:
        """Flit time on a link of `link_gbps`, in ns."""
        return Fraction(self.flit_bits) / fraction_of(self.link_gbps)

    @property
    def packet_flits(self) -> int:
        """Length of the longest packet, in flits."""
        return ceil(Fraction(self.packet_bits, self.flit_bits))

    @property
    def payload_bits(self) -> int:
        """Payload of the longest packet, in bits."""
        return self.packet_bits - self.header_bits

    @property
    def buffer(self) -> int:
        """Input buffer per virtual channel, in flits."""
        if self.buffer_flits is not None:
            return self.buffer_flits
        round_trip_ns = 2 * self.cable_ns(self.longest_cable_m) + fraction_of(self.switch.delay_ns) + self._hit_ns
        # A cable may be short, but except with wormhole a buffer must take a whole packet.
        return max(ceil(round_trip_ns / self.flit_ns), self.packet_flits)

    @property
    def output(self) -> int:
        """Output buffer, in flits."""
        return self.output_flits if self.output_flits is not None else self.packet_flits * self.virtual_channels

    @cached_property
    def switch_delay_ns(self) -> Fraction:
        """Delay from the first bit of a flit at an input to its first bit at the output; with a cache, of a hit."""
        return fraction_of(self.switch.delay_ns) + self._hit_ns - self._miss_ns + self.reception_ns

    @property
    def _hit_ns(self) -> Fraction:
        """Time of a look-up in the cache; 0 without one."""
        return Fraction(0) if self.switch.cache is None else fraction_of(self.switch.cache.hit_ns)

    @property
    def _miss_ns(self) -> Fraction:
        """What a miss adds to the switch delay: the look-up in the table; 0 without a cache."""
        return Fraction(0) if self.switch.cache is None else fraction_of(self.switch.routing_ns)

    @property
    def reception_ns(self) -> Fraction:
        """Extra delay of a flit in a switch that must receive it completely: a flit time, or 0 if flits cut through."""
        return self.flit_ns if self.flow_control == "store_and_forward" else Fraction(0)

    def cable_ns(self, length_m: object) -> Fraction:
        """Return the delay of a cable."""
        return fraction_of(length_m) * fraction_of(self.switch.cable_delay_ns_per_m)

    def ticks(self, time_ns: Fraction) -> int:
        """Return a time rounded to the nearest tick."""
        return floor(time_ns / self.tick_ns + Fraction(1, 2))

    @cached_property
    def switch_ticks(self) -> int:
        """Switch delay in ticks, at least the time to receive a flit; with a cache, of a hit."""
        return max(self.ticks(self.switch_delay_ns), self.speedup)

    @property
    def routing_ticks(self) -> int:
        """The part of the switch delay that only heads need, in ticks; with a cache, of a hit."""
        if self.flow_control != "wormhole":
            return 0
        routing_ns = self.routing_ns if self.switch.routing_ns is None else self.switch.routing_ns
        look_up_ns = fraction_of(routing_ns) if self.switch.cache is None else self._hit_ns
        # What remains of the delay must cover the time to receive a flit.
        return min(self.ticks(look_up_ns), self.switch_ticks - self.speedup)

    @property
    def miss_ticks(self) -> int:
        """What a miss in a cache adds to the switch delay, in ticks, such that their sum is rounded to the nearest."""
        return max(self.ticks(self.switch_delay_ns + self._miss_ns) - self.switch_ticks, 0)

    @property
    def table_ticks(self) -> int:
        """Least time between two look-ups in the table of a switch in ticks; 0 for no limit."""
        interval_ns = fraction_of(self.switch.table_interval_ns)
        return max(self.ticks(interval_ns), 1) if interval_ns else 0

    @property
    def counts_look_ups(self) -> bool:
        """Whether look-ups take more than a constant time: there are caches, or the table has a limited rate."""
        return self.switch.cache is not None or self.table_ticks > 0

    def cable_ticks(self, length_m: object) -> int:
        """Return the delay of a cable in ticks, such that its sum with the switch delay is rounded to the nearest tick.

        Raises
        ------
        InputError
            If the delay exceeds the horizon of the engine.
        """
        length = fraction_of(length_m)
        total = self.ticks(self.switch_delay_ns + self.cable_ns(length))
        ticks = max(total - self.switch_ticks, 0)
        if ticks > MAX_DELAY_TICKS:
            raise InputError(
                f"switch.cable_delay_ns_per_m={self.switch.cable_delay_ns_per_m}: a cable of {float(length):g} m takes "
                f"{ticks} ticks of {float(self.tick_ns):g} ns; expected at most {MAX_DELAY_TICKS}"
            )
        return ticks
