"""Files that a user names: ordinary ones of a bounded size, or none at all."""

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 1 << 26
CHUNK_BYTES = 1 << 20


def read_input(path: str | Path, most: int = MAX_BYTES) -> bytes:
    """Return what a file holds, at once or not at all: a device, a pipe or a folder is refused before it is read.

    Parameters
    ----------
    path
        The file.
    most
        How many bytes it may hold.

    Raises
    ------
    OSError
        If it cannot be read, is no ordinary file, or is too large; `strerror` says so in a few words.

    Examples
    --------
    >>> read_input("/dev/zero")
    Traceback (most recent call last):
    OSError: [Errno 22] no ordinary file: '/dev/zero'
    """
    # A pipe that nobody writes into would block the call that opens it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            said = "a folder" if stat.S_ISDIR(state.st_mode) else "no ordinary file"
            raise OSError(errno.EINVAL, said, str(path))
        found, left = [], most + 1 if state.st_size <= most else 0
        while left and (chunk := os.read(descriptor, min(left, CHUNK_BYTES))):
            found.append(chunk)
            left -= len(chunk)
    finally:
        os.close(descriptor)
    if not left:
        raise OSError(errno.EINVAL, f"larger than {most} bytes", str(path))
    return b"".join(found)
