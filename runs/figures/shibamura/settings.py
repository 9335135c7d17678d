"""Parameters of the figures: four networks of one size, four message intervals, and one setting per figure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib import resources

from isoplane.models import ConnectionSet, Cube
from isoplane.simulator.language import FlowControl, Program, Rdt, StatedTopology, Torus, parse_program
from isoplane.simulator.language.units import Duration

NETWORKS = {
    "2-D torus": "torus-64x64.ndl",
    "3-D torus": "torus-16x16x16.ndl",
    "hypercube": "hypercube-12.ndl",
    "RDT": "rdt-2-4-1.ndl",
}
INTERVALS_US = (2, 10, 50, 100)
PUBLISHED_NODES = 4096
NODES = (64, PUBLISHED_NODES)  # numbers that are a square, a cube and a power of two
HARDWARE_DELAY = Duration(Fraction(2), clocks=True)
WORM_BUFFER_FLITS = 2
# As in a program: flow control, bits of a channel, and frequency in MHz.
Setting = tuple[FlowControl, int, int]
SETTINGS: Mapping[str, Setting] = {
    "fig4": ("StoreAndForward", 32, 50),
    "fig5": ("Wormhole", 32, 50),
    "fig6": ("VirtualCutThrough", 32, 50),
    "fig7": ("StoreAndForward", 16, 50),
    "fig8": ("StoreAndForward", 32, 50),
    "fig9": ("StoreAndForward", 64, 50),
    "fig10": ("StoreAndForward", 32, 25),
    "fig11": ("StoreAndForward", 32, 50),
    "fig12": ("StoreAndForward", 32, 100),
}


def programs(setting: Setting, nodes: int = PUBLISHED_NODES) -> Iterator[tuple[str, int, Program]]:
    """Yield network, interval in µs and program of every point of a figure.

    The programs are those in conf/programs, with the setting of the figure and the hardware delay of section 3.5.
    Buffers hold a packet, as in the listing of the paper's Fig. 1; under wormhole flow control they hold 2 flits,
    the minimum with which a worm advances by a flit per clock, because section 4.1 attributes the packet buffer to
    virtual cut-through.

    Parameters
    ----------
    setting
        A value of `SETTINGS`.
    nodes
        One of `NODES`; the smaller one has the same topologies.

    References
    ----------
    Shibamura et al., sections 3.1 to 3.5 and Fig. 1.
    """
    flow_control, channel_bits, frequency_mhz = setting
    for network, file in NETWORKS.items():
        base = parse_program((resources.files("isoplane.conf") / "programs" / file).read_bytes(), file)
        buffer_bits = WORM_BUFFER_FLITS * channel_bits if flow_control == "Wormhole" else base.packet_bits
        for interval_us in INTERVALS_US:
            yield (
                network,
                interval_us,
                replace(
                    base,
                    topology=base.topology if nodes == base.nodes else _smaller(base.topology),
                    flow_control=flow_control,
                    channel_bits=channel_bits,
                    frequency_hz=Fraction(frequency_mhz * 10**6),
                    hardware_delay=HARDWARE_DELAY,
                    buffer_bits=buffer_bits,
                    message_interval=Duration(Fraction(interval_us, 10**6)),
                    message_rate=None,
                    simulation_interval=None,
                    data_output_file=None,
                    screen_output_file=None,
                ),
            )


def _smaller(topology: StatedTopology) -> StatedTopology:
    """Return the network of 64 nodes that corresponds to one of 4096."""
    if isinstance(topology, Torus):
        return Torus((8, 8) if len(topology.shape) == 2 else (4, 4, 4))
    if isinstance(topology, Rdt):
        return replace(topology, shape=(8, 8))
    return Cube(ConnectionSet.unit(6))
