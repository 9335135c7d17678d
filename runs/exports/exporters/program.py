"""Programs in the network description language of the simulator."""

from isoplane.models import InputError
from isoplane.simulator.language import write_program
from isoplane.simulator.language.from_network import program_of_network

from ..exporter import PACKETS, Exported, Exporter, Files, as_bytes


def files(exported: Exported) -> Files:
    """Yield one program with the network and random messages as an example."""
    try:
        program = program_of_network(exported.network)
    except InputError as error:
        raise InputError(f"format=program: {error}") from error
    yield "network.ndl", as_bytes(write_program(program).splitlines())


EXPORTER = Exporter("program in the network description language", "isoplane", files, kinds=PACKETS)
