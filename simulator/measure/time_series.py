"""Time series of a run: counter snapshots at the ends of equal intervals."""

from fractions import Fraction

from isoplane.models import InputError
from isoplane.models.checks import exact_number

from ..flits.counter_snapshot import CounterSnapshot
from ..flits.simulation import Simulation
from ..flits.sliced_run import NO_TIME_LIMIT, SlicedRun

MAX_MOMENTS = 1 << 20


class TimeSeries:
    """Runs a simulation, with a snapshot at the end of every interval, to the nearest tick.

    Parameters
    ----------
    simulation
        At its first tick.
    slices
        Slices in which it runs.
    interval_ns
        Length of an interval.

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
        self._snapshots = [CounterSnapshot.of(simulation, with_details=False)]

    def run_to(self, tick: int = NO_TIME_LIMIT) -> None:
        """Run until a tick, or until the run is over.

        Raises
        ------
        InputError
            If there are too many intervals.
        """
        while self._run.now < tick and not self._slices.finished:
            # From the start of the run, so that rounding to ticks does not add up over the intervals.
            end = self._run.hardware.ticks(len(self._snapshots) * self._interval_ns)
            self._slices.run_to(min(tick, end))
            if self._run.now == end:
                self._take_snapshot()

    def snapshots(self) -> list[CounterSnapshot]:
        """Return the snapshots from the start; the last one is at the current tick, perhaps within an interval."""
        if self._snapshots[-1].tick < self._run.now:
            self._take_snapshot()
        return self._snapshots

    def _take_snapshot(self) -> None:
        if len(self._snapshots) > MAX_MOMENTS:
            raise InputError(
                f"interval_ns={float(self._interval_ns):g}: expected at most {MAX_MOMENTS} intervals per run"
            )
        self._snapshots.append(CounterSnapshot.of(self._run, with_details=False))
