"""Programs in the network description language and lists of messages, read for simulation."""

from dataclasses import replace
from pathlib import Path

from isoplane.models import InputError, MessageList, Network
from isoplane.simulator import Hardware, MessageTrace, Report, Traffic
from isoplane.simulator.language import (
    Program,
    hardware_of,
    network_of_program,
    placed,
    read_messages,
    read_program,
    traffic_of,
)


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


def listed_from(path: Path, nodes: int) -> MessageTrace:
    """Return the messages in a communication pattern file.

    Raises
    ------
    InputError
        If it cannot be read or does not fit `nodes` nodes, with file, line and column.
    """
    try:
        return MessageTrace(read_messages(path, nodes))
    except OSError as error:
        raise InputError(f"messages={path}: {error.strerror}; expected the file of a communication pattern") from error


def completion(report: Report, listed: MessageList) -> str:
    """Return the outcome of a run with listed messages, in one line."""
    messages = listed.sent_messages
    if report.completed_ns is not None:
        return f"completed after {report.completed_ns:.1f} ns: {messages} messages"
    arrived = int(report.received.sum())
    return f"not completed: {arrived} of {messages} messages arrived, {report.dropped_messages} dropped"
