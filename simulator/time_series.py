"""Time series of a run: marks at the ends of equal intervals."""

from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.checks import exact_number

from .counter_snapshot import CounterSnapshot
from .simulation import Simulation
from .sliced_run import FOREVER, SlicedRun

MAX_MOMENTS = 1 << 20


class TimeSeries:
    """Lets a simulation go on, and marks the end of every interval, to the nearest tick.

    Parameters
    ----------
    simulation
        At its first tick.
    slices
        Those in which it goes on.
    interval_ns
        How long an interval is.

    Raises
    ------
    InputError
        If an interval is shorter than a tick.
    """

    def __init__(self, simulation: Simulation, slices: SlicedRun, interval_ns: float | Fraction) -> None:
        self._run, self._slices = simulation, slices
        self._interval_ns = exact_number("interval_ns", interval_ns, above=True)
        if self._interval_ns < simulation.hardware.tick_ns:
            tick = float(simulation.hardware.tick_ns)
            raise InputError(f"interval_ns={interval_ns}: expected at least a tick of {tick:g} ns")
        self._marks = [CounterSnapshot.of(simulation, with_details=False)]

    def go_to(self, tick: int = FOREVER) -> None:
        """Run until a tick, or until it is over.

        Raises
        ------
        InputError
            If there are too many intervals.
        """
        while self._run.now < tick and not self._slices.over:
            end = self._run.hardware.ticks(len(self._marks) * self._interval_ns)
            self._slices.go_to(min(tick, end))
            if self._run.now == end:
                self._mark()

    def marks(self) -> list[CounterSnapshot]:
        """Return the marks from the start on; the last one is now, where an interval may not have ended yet."""
        if self._marks[-1].tick < self._run.now:
            self._mark()
        return self._marks

    def _mark(self) -> None:
        if len(self._marks) > MAX_MOMENTS:
            raise InputError(
                f"interval_ns={float(self._interval_ns):g}: expected at most {MAX_MOMENTS} intervals of a run"
            )
        self._marks.append(CounterSnapshot.of(self._run, with_details=False))
