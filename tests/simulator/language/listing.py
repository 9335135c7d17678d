"""The listing of Fig. 1 of Shibamura et al., as printed, and errors in similar programs."""

import pytest

from isoplane.models import InputError
from isoplane.simulator.language import parse_program

LISTING = """\
;;; 64x64 RDT(2,4,1) NDL program
(FlowControlMethod VirtualCutThrough)
(NetworkChannelWidth 32bit)
(NetworkFrequency 50MHz)
(NetworkPacketSize 256bit)
(NetworkDataSize 192bit)
(NodeHardwareDelay 60nsec)
(NodeBufferSize 256bit)
(MessageCreationMax 10000)
(MessageCreationInterval 2usec)
(MessageCreationRate 1.0%)
(MessageLength 8byte to 32byte)
(MessageMaxCount 10000)
(SimulationInterval 1usec)
;(CommunicationPatternFile "cpf/pde.cpf")
;(CommunicationPatternFile "cpf/sort.cpf")
;(CommunicationPatternFile "cpf/matrix.cpf")
;(ProcessorPerformanceExpandRate 50%)
(DataOutputFile "rdt.4096.vct.dof")
(ScreenOutputFile "rdt.4096.vct.sof")
"""
# The listing is part of a program: it omits the topology, which its comment names.
RDT_PROGRAM = LISTING + "(NetworkTopology RDT 2 4 1 64 64)\n"
# Line 21 states the topology.
TORUS_PROGRAM = LISTING + "(NetworkTopology Torus 8 8)\n"


def error_message(text):
    """The error message about a program, without the name of its file."""
    with pytest.raises(InputError) as caught:
        parse_program(text, "a.ndl")
    assert "\n" not in str(caught.value)
    assert type(caught.value) is InputError
    return str(caught.value).removeprefix("a.ndl:")
