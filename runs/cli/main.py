"""Entry point: Ctrl-C ends the program with its exit code from the first import on; all of them take about a second."""

import sys

from isoplane.runs.terminal.codes import INTERRUPTED


def main(arguments: list[str] | None = None) -> int:
    """Run `isoplane VERB ...` and return its exit code.

    0 done, 2 bad input, 3 target or gap not reached, 4 nothing feasible, 5 verification failed, 130 interrupted, 141
    closed pipe. Under ``--multirun`` the largest of the jobs' codes.
    """
    try:
        from .verbs import run_words

        return run_words(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        print("isoplane: interrupted", file=sys.stderr)
        return INTERRUPTED
