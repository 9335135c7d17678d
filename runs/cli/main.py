"""Entry point: Ctrl-C or too little memory end the program with its exit code from the first import on."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from isoplane.runs.terminal.codes import BAD_INPUT, INTERRUPTED, Ending
from isoplane.runs.terminal.interrupt import INTERRUPT, follows_interrupt
from isoplane.runs.terminal.memory import is_lack_of_memory, memory_text
from isoplane.runs.terminal.messages import print_message
from isoplane.runs.terminal.pipe import open_streams, piped

VERBS = {
    "search": "find the best network and write records and a report",
    "evaluate": "print the metrics of one network",
    "simulate": "simulate one network packet by packet and write the results",
    "verify": "recompute a record with the independent reference",
    "report": "write the report of a run, record or network, or print the table of a sweep",
    "reproduce": "recompute a published figure and compare",
    "compare": "size and measure designs of all families for a number of nodes",
    "export": "write a design in formats of other tools",
    "import": "read an existing fabric from files of other tools",
    "check-cables": "compare the cables of a fabric with those of a design",
    "best": "print the best known designs",
}


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
    ending = Ending()
    INTERRUPT.requested = INTERRUPT.announced = False
    with INTERRUPT.caught(at_once=True, ignored_after=arguments is None):
        with _ended(ending), piped(ending):
            open_streams()
            ending.code = run_words(sys.argv[1:] if arguments is None else arguments)
        if arguments is None and ending.code == INTERRUPTED:
            _exit(ending.code)
    return ending.code


def _exit(code: int) -> NoReturn:
    """End the process without waiting for the native calls of its threads, whose results nobody needs."""
    with suppress(OSError):  # nobody may read the stream any more
        sys.stdout.flush()
    os._exit(code)


@contextmanager
def _ended(ending: Ending) -> Iterator[None]:
    """Turn Ctrl-C and too little memory, wherever they strike, into a line and an exit code."""
    try:
        yield
    except BaseException as error:
        if follows_interrupt(error):
            INTERRUPT.announce("isoplane: interrupted")
            ending.code = INTERRUPTED
            return
        if not is_lack_of_memory(error):  # such as while modules are imported
            raise
        print_message(f"isoplane: {memory_text(error)}")
        ending.code = BAD_INPUT


def run_words(words: list[str]) -> int:
    """Run the words of a command line, whose streams are open, and return the exit code."""
    if not words or words[0] in ("-h", "--help", "help"):
        print(_usage(), flush=True)
        return 0 if words else BAD_INPUT
    if words[0] == "-V" or "--version" in words:
        from importlib.metadata import version

        print(f"isoplane {version('isoplane')}", flush=True)
        return 0
    verb, *rest = words
    if verb not in VERBS:
        print_message(f"isoplane: verb {verb!r}: expected {', '.join(VERBS)}")
        return BAD_INPUT
    from .verbs import run_verb  # heavy: Hydra

    return run_verb(verb, rest)


def _usage() -> str:
    width = max(map(len, VERBS))
    verbs = "\n".join(f"  {verb:<{width}}  {what}" for verb, what in VERBS.items())
    return (
        f"usage: isoplane VERB [Hydra overrides]\n\n{verbs}\n\n"
        "isoplane VERB --help shows the options, isoplane --version the version."
    )
