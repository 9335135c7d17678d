"""Time series: ends of intervals, and invalid intervals."""

import pytest

from isoplane.models import InputError, dual_cube
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator.flits.sliced_run import SlicedRun
from isoplane.simulator.language import run_program
from isoplane.simulator.measure import time_series
from isoplane.simulator.measure.time_series import TimeSeries

from .language.programs import program_of


def new_series(interval_ns):
    """A simulation in ticks of 1.28 ns, and its series."""
    simulation = Simulation(dual_cube(3, (3, 5, 7)), Hardware(), Traffic(load=0.2), seed=1)
    return simulation, TimeSeries(simulation, SlicedRun(simulation, lambda: None), interval_ns)


def test_intervals_end_at_the_nearest_tick_and_the_last_one_with_the_run():
    _, series = new_series(10)  # 7.8125 ticks
    for tick in (5, 16, 17):
        series.run_to(tick)
    assert [snapshot.tick for snapshot in series.snapshots()] == [0, 8, 16, 17]


def test_an_interval_that_ends_with_the_run_has_one_snapshot():
    _, series = new_series(1.28)
    series.run_to(3)
    assert [snapshot.tick for snapshot in series.snapshots()] == [0, 1, 2, 3]


def test_an_interval_has_at_least_a_tick():
    with pytest.raises(InputError, match=r"^interval_ns=1.27: expected at least a tick of 1.28 ns$"):
        new_series(1.27)


def test_too_many_intervals_are_rejected(monkeypatch):
    monkeypatch.setattr(time_series, "MAX_MOMENTS", 3)
    _, series = new_series(2.56)
    with pytest.raises(InputError, match=r"^interval_ns=2.56: expected at most 3 intervals per run$"):
        series.run_to()
    with pytest.raises(InputError, match=r"^SimulationInterval 1usec: expected at most .* intervals per run"):
        run_program(program_of(statements="(SimulationInterval 1usec)"))
