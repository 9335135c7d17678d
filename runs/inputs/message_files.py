"""`isoplane simulate messages=FILE`: listed messages instead of random traffic."""

from pathlib import Path

from isoplane.models import InputError, MessageList
from isoplane.simulator import MessageTrace, Report
from isoplane.simulator.language import read_messages


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
