"""The log of a command: what its terminal says, line by line, each with its time."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO, cast

from isoplane.models.files.output_file import append_line

from .live_line import LOG_INTERVAL_S
from .messages import printable

ERASE = "\x1b[2K"  # of the row of a terminal


@contextmanager
def logged(path: Path, command: str) -> Iterator[None]:
    """Append what the block writes to the standard streams to a file, after the command.

    A row of a terminal that is written again and again is in it as it ends, and every few seconds before.

    Raises
    ------
    OSError
        If the file cannot be written. Once it could, the log ends where that fails, with a message.
    """
    append_line(path, _timed(f"$ {command}"))
    log = _Log(path, sys.stderr)
    output, errors = _Copied(sys.stdout, log), _Copied(sys.stderr, log)
    try:
        with redirect_stdout(cast(TextIO, output)), redirect_stderr(cast(TextIO, errors)):
            yield
    finally:
        output.end()
        errors.end()


def log_words() -> list[str]:
    """Return the word that gives the current command its log, from any folder; none without a log."""
    return [f"log={sys.stderr.path.absolute()}"] if isinstance(sys.stderr, _Copied) else []


def _timed(line: str) -> str:
    return f"{datetime.now().astimezone().isoformat(' ', 'milliseconds')}  {printable(line)}"


def _shown(line: str) -> str:
    """Return what a terminal shows of a line in the end."""
    return line.rpartition("\r")[2].replace(ERASE, "")


class _Log:
    """A file to which lines are appended, by several threads."""

    def __init__(self, path: Path, errors: TextIO) -> None:
        self.lock = threading.RLock()
        self.path, self._errors = path, errors
        self._has_failed = False

    def append(self, line: str) -> None:
        """Append a line."""
        if self._has_failed:
            return
        try:
            append_line(self.path, _timed(line))
        except OSError as error:
            self._has_failed = True
            print(f"isoplane: log={self.path}: {error.strerror}; the log ends here", file=self._errors, flush=True)


class _Copied:
    """A standard stream whose lines are appended to a log."""

    def __init__(self, stream: TextIO, log: _Log) -> None:
        self._stream, self._log, self.path = stream, log, log.path
        self._row, self._logged_at = "", 0.0

    def write(self, text: str) -> int:
        """Write a text."""
        with self._log.lock:
            *lines, self._row = f"{self._row}{text}".split("\n")
            for line in lines:
                self._append(line)
            # Of a row that is written again, which may last for hours.
            before, erased, row = self._row.rpartition("\r")
            if _shown(before) and time.monotonic() - self._logged_at >= LOG_INTERVAL_S:
                self._append(before)
            self._row = f"\r{row}" if erased else row
        return self._stream.write(text)

    def end(self) -> None:
        """Append what is written of a last line."""
        with self._log.lock:
            if self._row:
                self._append(self._row)
            self._row = ""

    def _append(self, line: str) -> None:
        """Append a line as a terminal shows it in the end; nothing for a row that was erased."""
        if _shown(line) or "\r" not in line:
            self._log.append(_shown(line))
            self._logged_at = time.monotonic()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
