"""Small programs in clocks of 20 ns."""

from fractions import Fraction

from isoplane.simulator.language import parse_program

FLOWS = ("StoreAndForward", "Wormhole", "VirtualCutThrough")
RING = "(NetworkTopology Torus 8)"


def program_of(
    topology=RING,
    flow="VirtualCutThrough",
    *,
    width=32,
    delay="2clock",
    buffer=256,
    created=200,
    interval="2usec",
    lengths="8byte",
    statements="",
):
    """A program with packets of 256 bits, 192 of them data."""
    return parse_program(
        f"{topology}(FlowControlMethod {flow})(NetworkChannelWidth {width}bit)(NetworkFrequency 50MHz)"
        f"(NetworkPacketSize 256bit)(NetworkDataSize 192bit)(NodeHardwareDelay {delay})(NodeBufferSize {buffer}bit)"
        f"(MessageCreationMax {created})(MessageCreationInterval {interval})(MessageLength {lengths}){statements}"
    )


CLOCK_NS = Fraction(20)
