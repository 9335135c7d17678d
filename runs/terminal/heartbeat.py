"""A line on standard error whenever a command has been silent for some seconds."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast

from isoplane.models.steps import steps_text

from .interrupt import INTERRUPT
from .live_line import ERASE, LiveLine, fitted, terminal_columns

FIRST_S = 2.0  # of silence at the beginning: starting the program and reading the options took a second or two before
INTERVAL_S = 6.0  # of silence later: more than between the lines of a `LiveLine`, so that none comes between these
CHECKS_PER_SILENCE = 10
_waiting = threading.Event()  # set inside `waiting`
ENDING = "; interrupted: ends after this, or at once with another Ctrl-C"


@contextmanager
def beating(verb: str) -> Iterator[None]:
    """Show, inside the block, the seconds since its beginning and the current steps after each silence.

    Any text of a `LiveLine` counts as a sign of life. A separate thread shows the lines, so calls that hold the
    interpreter lock delay them.

    Parameters
    ----------
    verb
        What is shown outside all steps.
    """
    began, ended, row, stream = time.monotonic(), threading.Event(), _Row(), sys.stderr

    def beat() -> None:
        silence_s, shown_at = FIRST_S, began
        while not ended.wait(silence_s / CHECKS_PER_SILENCE):
            now, shown_at = time.monotonic(), max(shown_at, LiveLine.last_shown_at)
            if not _waiting.is_set() and now - shown_at >= silence_s:
                step = f"{steps_text() or verb}{ENDING if INTERRUPT.requested else ''}"
                row.show(f"{now - began:6.1f} s since the start  {step}", stream)
                silence_s, shown_at = INTERVAL_S, now

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        with ExitStack() as streams:
            # Elsewhere each line stays, and nothing has to be erased.
            if stream.isatty():
                streams.enter_context(redirect_stdout(cast(TextIO, _Output(sys.stdout, row, stream))))
                streams.enter_context(redirect_stderr(cast(TextIO, _Output(stream, row, stream))))
            yield
    finally:
        ended.set()
        thread.join()
        # Only when the thread has ended, which might show the row again.
        row.erase(stream)


@contextmanager
def waiting() -> Iterator[None]:
    """Show no lines inside the block, which waits for others: that it is silent is no sign that it hangs."""
    _waiting.set()
    try:
        yield
    finally:
        _waiting.clear()


class _Row:
    """The row of a terminal that shows the last line of a heartbeat, until anything else is written."""

    def __init__(self) -> None:
        self.is_shown = False

    def show(self, text: str, stream: TextIO) -> None:
        """Show a text: in a row that is erased before the next output, or as a line if it is no terminal."""
        if not stream.isatty():
            print(text, file=stream, flush=True)
            return
        print(f"{ERASE}{fitted(text, terminal_columns() - 1)}", end="", file=stream, flush=True)
        self.is_shown = True

    def erase(self, stream: TextIO) -> None:
        """Erase the row if it is shown."""
        if self.is_shown:
            self.is_shown = False
            print(ERASE, end="", file=stream, flush=True)


class _Output:
    """A standard stream that erases the row before it writes."""

    def __init__(self, stream: TextIO, row: _Row, terminal: TextIO) -> None:
        self._stream, self._row, self._terminal = stream, row, terminal

    def write(self, text: str) -> int:
        """Write a text."""
        self._row.erase(self._terminal)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
