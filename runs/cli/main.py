"""Entry point: Ctrl-C or too little memory end the program with its exit code from the first import on."""

import os
import sys
from contextlib import suppress
from typing import NoReturn

from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory, memory_text
from isoplane.runs.terminal.messages import print_message


def main(arguments: list[str] | None = None) -> int:
    """Run `isoplane VERB ...` and return its exit code.

    0 done, 2 bad input, 3 target or gap not reached, 4 nothing feasible, 5 verification failed, 130 interrupted, 141
    closed pipe. Under ``--multirun`` the largest of the jobs' codes.

    Parameters
    ----------
    arguments
        The words after `isoplane`; those of the command line if None. Then this process is the program, and what
        remains of it after this call ignores SIGINT and SIGTERM.
    """
    INTERRUPT.requested = INTERRUPT.announced = False
    with INTERRUPT.caught(at_once=True, ignored_after=arguments is None):
        code = _code_of(sys.argv[1:] if arguments is None else arguments)
        if arguments is None and code == INTERRUPTED:
            _exit(code)
    return code


def _exit(code: int) -> NoReturn:
    """End the process without waiting for the native calls of its threads, whose results nobody needs."""
    with suppress(OSError):  # nobody may read the stream any more
        sys.stdout.flush()
    os._exit(code)


def _code_of(words: list[str]) -> int:
    """Run the words of a command line, and return the exit code."""
    try:
        from .verbs import run_words

        return run_words(words)
    except BaseException as error:
        if follows_interrupt(error):
            INTERRUPT.announce("isoplane: interrupted")
            return INTERRUPTED
        if not is_lack_of_memory(error):  # such as while modules are imported
            raise
        print_message(f"isoplane: {memory_text(error)}")
        return BAD_INPUT
