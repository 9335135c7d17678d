"""Standard streams that are closed, have no reader, have lost their terminal, or encode only ASCII."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from . import codes

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PLAIN = "isoplane.plain"  # name of the error handler for characters that an encoding lacks
SIGNS = {"±": "+-"}


@contextmanager
def piped(ending: codes.Ending) -> Iterator[None]:
    """End the block silently, with the code of a closed pipe, when nobody reads the output any more.

    So `isoplane best | head -1` ends like other programs. Python ignores SIGPIPE, and the signal stays ignored: it
    would also end the program when any other connection closes.
    """
    try:
        yield
    except BrokenPipeError:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BrokenPipeError:  # discard the rest, or the interpreter would report it on exit
                null_device = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null_device, stream.fileno())
                os.close(null_device)
        ending.code = codes.CLOSED_PIPE


@contextmanager
def logs_piped() -> Iterator[None]:
    """Raise the error of a closed pipe after the block, also if only a log met it, as which Hydra prints its `--info`.

    Handlers of logs would print a traceback for each line instead.
    """
    import logging  # slow to import, and Hydra has

    reports = logging.raiseExceptions
    logging.raiseExceptions = False
    try:
        yield
        sys.stdout.flush()  # which still has what could not be written
    finally:
        logging.raiseExceptions = reports


def open_streams() -> None:
    """Replace standard streams that are closed, and those of a terminal; write in ASCII what their encoding lacks.

    A file opened later would get the number of a closed stream, and receive its output. Standard output becomes a pipe
    without a reader, standard input and error become the null device. What is written to a terminal after its loss is
    discarded.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_move_descriptor(os.open(os.devnull, os.O_RDONLY), 0))
    if sys.stdout is None:
        reading, writing = os.pipe()
        os.close(reading)
        sys.stdout = os.fdopen(_move_descriptor(writing, 1), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(_move_descriptor(os.open(os.devnull, os.O_WRONLY), 2), "w")
    sys.stdout, sys.stderr = _terminal_stream(sys.stdout), _terminal_stream(sys.stderr)
    codecs.register_error(PLAIN, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


class _Terminal(io.FileIO):
    """A terminal that may be lost: from then on what is written is discarded.

    The kernel fails a write shortly before it sends SIGHUP, which ends the program in order; and it sends none to a
    program that has left its terminal, which goes on.
    """

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes, or discard them."""
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return memoryview(data).nbytes


def _terminal_stream(stream: TextIO) -> TextIO:
    """Return a stream that writes to the same terminal, and survives its loss; other streams themselves."""
    if not (isinstance(stream, io.TextIOWrapper) and stream.isatty()):
        return stream
    stream.flush()
    terminal = io.BufferedWriter(_Terminal(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(terminal, stream.encoding, stream.errors, line_buffering=True)


def _move_descriptor(descriptor: int, number: int) -> int:
    """Move an open descriptor to the number of a standard stream, if it is free."""
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
    """Encode in ASCII: ± as +-, anything else as an escape sequence of a Python string."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    escaped = (SIGNS.get(sign, sign).encode("ascii", "backslashreplace").decode() for sign in missing)
    return "".join(escaped), error.end
