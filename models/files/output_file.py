"""Writes files so that each is whole or absent, whenever the program ends: beside their place, then renamed."""

import errno
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from ..errors import InputError

# Errors that another path avoids; a full disk, for example, is not bad input.
BAD_PLACE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST})
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")


def write_atomically(path: str | Path, content: str | bytes | Iterable[bytes]) -> None:
    """Write a file so that it holds either its old or its new content, even if the program is killed.

    Parameters
    ----------
    path
        The file.
    content
        Its text, which is written as UTF-8 with the line breaks it has, or its bytes, whole or in parts.

    Raises
    ------
    InputError
        If the path cannot be written.
    OSError
        If writing fails for another reason, such as a full disk; the old file is intact.
    """
    path = Path(path)
    parts = [content.encode()] if isinstance(content, str) else [content] if isinstance(content, bytes) else content
    temporary = temporary_path(path)
    try:
        try:
            # Not `tempfile`: only the owner could read its files.
            with temporary.open("xb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                # Before the rename: after a loss of power, the new name could otherwise lead to an empty file.
                os.fsync(file.fileno())
            os.replace(temporary, path)  # noqa: PTH105  # the atomic step
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in BAD_PLACE:
            raise unwritable(path, error) from error
        raise OSError(error.errno, error.strerror, str(path)) from error


def append_line(path: Path, line: str) -> None:
    """Append a line to a file in one step: the whole line, or nothing; a first line that does not fit leaves no file.

    Raises
    ------
    OSError
        If it cannot be written, for example because the disk is full.
    """
    text = f"{line}\n".encode()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    size = os.fstat(descriptor).st_size
    try:
        if os.write(descriptor, text) < len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        # Of a line that does not fit, a part may have been written.
        os.ftruncate(descriptor, size)
        if not size:
            path.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        os.close(descriptor)


def temporary_path(path: Path) -> Path:
    """Return a new hidden name beside a file or folder that is written, under which it is complete before renamed."""
    return path.with_name(f".{path.name}.{os.urandom(8).hex()}.tmp")


def remove_temporary(folder: Path) -> None:
    """Remove what killed programs left in a folder and its subfolders under names of `temporary_path`."""
    for path in (*folder.glob(".*.tmp"), *folder.glob("*/.*.tmp")):
        # The pattern of `glob` is wider, and may match hidden files of the user.
        if TEMPORARY.fullmatch(path.name) is None:
            continue
        # A link is removed itself, not what it leads to.
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> InputError:
    """Return the error for a place where no file can be created."""
    return InputError(f"{path}: cannot be written ({error.strerror}); expected a place where files can be created")
