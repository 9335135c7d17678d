"""What the program is doing, and how much of it is done: for those who wait."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class Step:
    """A part of the work.

    Attributes
    ----------
    title
        What is done, such as ``metrics of torus 70000``.
    done
        Share of it that is done: 1 or more at its end; None if it is unknown.
    """

    title: str
    done: float | None = None
    _began: float = field(default_factory=time.monotonic)

    @property
    def text(self) -> str:
        """The title, and if it is known the share that is done and the time left if the rest is as fast."""
        if not self.done:
            return self.title
        done = min(self.done, 1.0)
        left_s = (time.monotonic() - self._began) * (1 / done - 1)
        return f"{self.title} {100 * done:.0f} %, about {left_s:.0f} s left"


_steps: list[Step] = []


@contextmanager
def step(title: str) -> Iterator[Step]:
    """Name what is done inside the block, and yield the step, whose `done` the block may set.

    Only the steps of the main thread are shown: others are parts of them.
    """
    entered = Step(title)
    is_shown = threading.current_thread() is threading.main_thread()
    if is_shown:
        _steps.append(entered)
    try:
        yield entered
    finally:
        if is_shown:
            _steps.remove(entered)


def steps_text() -> str:
    """Return what is done now, outer steps first; empty outside all steps."""
    # A copy, since another thread asks while steps begin and end.
    return ": ".join(entered.text for entered in tuple(_steps))
