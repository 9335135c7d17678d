"""Runs in slices, so that whoever waits can be told and can stop."""

from collections.abc import Callable
from time import monotonic

from .simulation import Simulation

SLICE_S = 0.1  # native calls return about so often
FOREVER = 1 << 62


class SlicedRun:
    """Lets a simulation go on; how long the slices are has no influence on what comes out.

    Parameters
    ----------
    simulation
        What goes on.
    each
        Called after every slice; may raise to end the run.
    """

    def __init__(self, simulation: Simulation, each: Callable[[], None]) -> None:
        self._run, self._each, self._ticks = simulation, each, 64

    @property
    def over(self) -> bool:
        """Whether nothing is left to do, or a deadlock ended the run."""
        return self._run.ended or bool(self._run.deadlock)

    def go_to(self, tick: int = FOREVER) -> None:
        """Run until a tick, or until it is over."""
        while (now := self._run.now) < tick and not self.over:
            start = monotonic()
            self._run.run(min(tick, now + self._ticks))
            took = monotonic() - start
            if took < SLICE_S / 2:
                self._ticks *= 2
            elif took > SLICE_S:
                self._ticks = max(self._ticks // 2, 1)
            self._each()
