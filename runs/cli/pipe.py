"""Standard output or error that nobody reads any more."""

import os
import sys
from collections.abc import Callable

from . import codes


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
