"""Exit codes, an interface of the program."""

DONE = 0
BAD_INPUT = 2
TARGET_NOT_REACHED = 3
NOTHING_FEASIBLE = 4
VERIFICATION_FAILED = 5
INTERRUPTED = 130
CLOSED_PIPE = 141  # what a shell makes of SIGPIPE
