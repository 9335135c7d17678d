"""Runs in slices, so that the caller can report progress and stop them."""

from collections.abc import Callable
from time import monotonic

from .simulation import Simulation

SLICE_S = 0.1  # target duration of a native call
NO_TIME_LIMIT = 1 << 62


class SlicedRun:
    """Runs a simulation slice by slice; the length of the slices does not affect the results.

    Parameters
    ----------
    simulation
        The simulation to run.
    after_slice
        Called after every slice; may raise to end the run.
    """

    def __init__(self, simulation: Simulation, after_slice: Callable[[], None]) -> None:
        self._run, self._after_slice, self._ticks = simulation, after_slice, 64

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do, or a deadlock ended the run."""
        return self._run.ended or bool(self._run.deadlock)

    def run_to(self, tick: int = NO_TIME_LIMIT) -> None:
        """Run until a tick, or until the run is over."""
        while (now := self._run.now) < tick and not self.finished:
            start = monotonic()
            self._run.run(min(tick, now + self._ticks))
            took = monotonic() - start
            if took < SLICE_S / 2:
                self._ticks *= 2
            elif took > SLICE_S:
                self._ticks = max(self._ticks // 2, 1)
            self._after_slice()
