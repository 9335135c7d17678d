"""What those who wait for a long call see: a line on a terminal or in a notebook, renewed until the call has ended."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from isoplane.models.steps import steps_text
from isoplane.runs.terminal.live_line import LiveLine

INTERVAL_S = 0.5
# What shows a text in place of the last one, and what ends the line with a text.
Place = tuple[Callable[[str], None], Callable[[str], None]]


def waiting_place() -> Place | None:
    """Return where the state of calls is shown; None where nobody waits for it: outside of terminals and notebooks.

    A notebook has one output for all texts of a place, which keeps the last one. On a terminal the row is cleared.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):  # of a notebook: IPython on a terminal has none
        return _notebook()
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    line = LiveLine(interactive=True)
    return line.show, lambda text: line.erase()


@contextmanager
def shown_while(state: Callable[[], str], place: Place | None) -> Iterator[None]:
    """Show a state, with what is done for it now, every half second until the block has ended.

    A thread of its own shows it, which waits for native calls that hold the interpreter lock.

    Parameters
    ----------
    state
        Returns the state in words.
    place
        As of `waiting_place`; None to show nothing.
    """
    if place is None:
        yield
        return
    (show, end), ended = place, threading.Event()

    def renew() -> None:
        while not ended.wait(INTERVAL_S):
            show("  ".join(filter(None, [state(), steps_text()])))

    thread = threading.Thread(target=renew, name="waiting", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        end(state())


def timed(state: Callable[[], str]) -> Callable[[], str]:
    """Return a state after the seconds since now."""
    began = time.monotonic()
    return lambda: f"{time.monotonic() - began:6.1f} s  {state()}"


def _notebook() -> Place:
    """Return the place in the output of the cell that runs first."""
    from IPython.display import DisplayHandle, display

    handles: list[DisplayHandle] = []

    def show(text: str) -> None:
        data = {"text/plain": text}
        if handles:
            handles[0].update(data, raw=True)
        else:
            handles.append(display(data, raw=True, display_id=True))

    return show, lambda text: show(text) if handles else None
