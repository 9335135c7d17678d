"""Entry point: Ctrl-C or too little memory end the program with its exit code from the first import on."""

import sys

from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.memory import is_lack_of_memory, memory_text
from isoplane.runs.terminal.messages import print_message


def main(arguments: list[str] | None = None) -> int:
    """Run `isoplane VERB ...` and return its exit code.

    0 done, 2 bad input, 3 target or gap not reached, 4 nothing feasible, 5 verification failed, 130 interrupted, 141
    closed pipe. Under ``--multirun`` the largest of the jobs' codes.
    """
    try:
        with INTERRUPT.caught(at_once=True):
            from .verbs import run_words

            return run_words(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        print_message("isoplane: interrupted")
        return INTERRUPTED
    except (MemoryError, ImportError) as error:  # while modules are imported
        if not is_lack_of_memory(error):
            raise
        print_message(f"isoplane: {memory_text(error)}")
        return BAD_INPUT
