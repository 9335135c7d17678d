"""Programs in the network description language, read for simulation."""

from dataclasses import replace
from pathlib import Path

from isoplane.models import InputError, Network
from isoplane.simulator import Hardware, MessageTrace, Traffic
from isoplane.simulator.language import Program, hardware_of, network_of_program, placed, read_program, traffic_of


def program_of(path: Path) -> Program:
    """Return the program in a file.

    Raises
    ------
    InputError
        If it cannot be read or is not a program, with file, line and column.
    """
    try:
        return read_program(path)
    except OSError as error:
        raise InputError(f"program={path}: {error.strerror}; expected the file of a program") from error


def network_in(path: Path) -> Network:
    """Return the network of the program in a file.

    Raises
    ------
    InputError
        If it cannot be read or is not a program, or its routes need more virtual channels, with file, line and column.
    """
    with placed(path):
        return network_of_program(program_of(path))


def parts_of(program: Program, path: Path, *, as_written: bool) -> tuple[Network, Hardware, Traffic | MessageTrace]:
    """Return network, hardware and messages of a program.

    Parameters
    ----------
    program, path
        The program and its file.
    as_written
        Whether messages are created as in the program. At other loads their number and creation are not limited.
    """
    traffic = traffic_of(program, path.parent)
    if not as_written and isinstance(traffic, Traffic):
        traffic = replace(traffic, max_created=None, max_in_flight=None)
    return network_of_program(program), hardware_of(program), traffic
