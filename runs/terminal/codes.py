"""Exit codes, part of the command-line interface."""

DONE = 0
BAD_INPUT = 2
TARGET_NOT_REACHED = 3
NOTHING_FEASIBLE = 4
VERIFICATION_FAILED = 5
INTERRUPTED = 130
CLOSED_PIPE = 141  # as a shell reports SIGPIPE


class Ending:
    """How a command ends.

    Attributes
    ----------
    code
        Its exit code so far.
    """

    code = DONE  # no dataclass, whose import would take a third of the time of `isoplane --help`
