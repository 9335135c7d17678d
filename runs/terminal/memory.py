"""Too little memory: recognised in the error of any library, and said in one line."""

import errno
import os
import resource

IMPORT_FAILURES = ("failed to map segment", "Cannot allocate memory")
THREAD_FAILURES = ("can't start new thread", "Resource temporarily unavailable")
MIB = 1 << 20


def is_lack_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no memory for an array, a library or a thread.

    Examples
    --------
    >>> is_lack_of_memory(MemoryError()), is_lack_of_memory(RuntimeError("can't start new thread"))
    (True, True)
    >>> is_lack_of_memory(RuntimeError("generator raised StopIteration"))
    False
    """
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    texts = IMPORT_FAILURES if isinstance(error, ImportError) else THREAD_FAILURES
    return isinstance(error, (ImportError, RuntimeError)) and any(text in str(error) for text in texts)


def memory_text(error: BaseException) -> str:
    """Return what failed, and how much memory there is."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        there = f"the {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // MIB} MiB of this machine"
    else:
        there = f"the limit of {limit // MIB} MiB (ulimit -v)"
    while error.__cause__ is not None:  # libraries wrap such errors in pages of advice
        error = error.__cause__
    reason = str(error).rstrip(".")
    return f"not enough memory{f' ({reason})' if reason else ''}; expected more than {there}, or a smaller network"
