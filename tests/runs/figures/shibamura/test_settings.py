"""The programs of the figures have the parameters of the paper."""

from fractions import Fraction

from isoplane.runs.figures.shibamura.settings import INTERVALS_US, NETWORKS, SETTINGS, programs
from isoplane.simulator.language import FlowControl, notes, parse_program, write_program
from tests.cases import for_each

PARAMETERS = {
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


@for_each("figure", SETTINGS)
def test_every_point_has_the_parameters_of_the_paper(figure):
    flow, bits, mhz = PARAMETERS[figure]
    points = list(programs(SETTINGS[figure]))
    assert [(name, interval) for name, interval, _ in points] == [(n, i) for n in NETWORKS for i in INTERVALS_US]
    for _, interval_us, program in points:
        assert program.nodes == 4096
        assert (program.flow_control, program.channel_bits, program.frequency_hz) == (flow, bits, mhz * 10**6)
        assert (program.packet_bits, program.data_bits, program.hardware_delay_clocks) == (256, 192, 2)
        assert (program.message_creation_max, program.message_max_count) == (10000, 10000)
        assert (program.message_bytes, program.virtual_channels) == ((8, 32), 1)
        assert program.creation_probability == Fraction(1, interval_us * mhz)
        assert program.buffer_bits == (2 * bits if program.flow_control is FlowControl.WORMHOLE else 256)
        assert notes(program) == ()
        assert parse_program(write_program(program)) == program


def test_the_smaller_networks_are_of_the_same_kinds():
    for (_, _, small), (_, _, large) in zip(programs(SETTINGS["fig4"], 64), programs(SETTINGS["fig4"]), strict=True):
        assert small.nodes == 64
        assert type(small.topology) is type(large.topology)
