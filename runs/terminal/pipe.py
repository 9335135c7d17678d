"""Standard streams as they come: closed, read by nobody any more, or without letters beyond ASCII."""

import codecs
import io
import os
import sys
from collections.abc import Callable

from . import codes

PLAIN = "isoplane.plain"  # what Python calls our way to write what an encoding lacks
SIGNS = {"±": "+-"}


def piped(work: Callable[[], int]) -> int:
    """Return the exit code of work, or without a word that of a closed pipe if it met one.

    So `isoplane best | head -1` ends as other programs do. Python ignores SIGPIPE, and the signal is left ignored: it
    would also end the program when any other connection closes.
    """
    try:
        return work()
    except BrokenPipeError:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BrokenPipeError:  # what is left is lost, or the interpreter would complain of it at its end
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)
        return codes.CLOSED_PIPE


def open_streams() -> None:
    """Replace standard streams that are closed, and write what an encoding lacks in plain letters.

    A file that is opened later would get the number of a closed stream, and receive what is meant for that. Standard
    output becomes a pipe that nobody reads, standard input and error become the null device.
    """
    if sys.stdin is None:
        sys.stdin = open(_numbered(os.open(os.devnull, os.O_RDONLY), 0))  # noqa: SIM115  # as long as we run
    if sys.stdout is None:
        reading, writing = os.pipe()
        os.close(reading)
        sys.stdout = open(_numbered(writing, 1), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(_numbered(os.open(os.devnull, os.O_WRONLY), 2), "w")  # noqa: SIM115
    codecs.register_error(PLAIN, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


def _numbered(descriptor: int, number: int) -> int:
    """Return an open descriptor under the number of a standard stream, if nothing else has that."""
    if descriptor == number:
        return descriptor
    try:
        os.fstat(number)
    except OSError:
        os.dup2(descriptor, number)
        os.close(descriptor)
        return number
    return descriptor


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Say in ASCII what cannot be encoded: ± as +-, anything else as Python writes it in a string."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    said = (SIGNS.get(sign, sign).encode("ascii", "backslashreplace").decode() for sign in missing)
    return "".join(said), error.end
