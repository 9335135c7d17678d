"""The run through the units of an exact search, and the estimate before it."""

from threading import Event

from isoplane.models import Site
from isoplane.search import ConnectionSets, Exact, Threads
from isoplane.search.core.strategy import Task
from isoplane.search.cubes.enumeration_run import EnumerationRun
from isoplane.search.cubes.exact_enumeration import EnumerationPlan
from tests.search.cases import OBJECTIVES

HANG_S = 60  # a run that waits for its call before cancelling would hang


def test_closing_a_run_cancels_its_call_before_waiting_for_it(monkeypatch):
    cancelled, started, was_cancelled = Event(), Event(), []

    class Search:
        def cancel(self):
            cancelled.set()

    def walk_until_cancelled(chunk):
        started.set()
        was_cancelled.append(cancelled.wait(HANG_S))

    monkeypatch.setattr("isoplane.search.cubes.enumeration_run.walk_chunk", walk_until_cancelled)
    space, aspl = ConnectionSets(7, site=Site(layout=None)), OBJECTIVES["aspl"]
    walk = EnumerationRun(EnumerationPlan(space, aspl, True, ()), Task(space, aspl, 1, fleet=Threads(1)))
    walk._search = Search()
    rounds = walk.run_until(walk.units, 0)
    while not started.is_set():
        next(rounds)
    rounds.close()
    assert was_cancelled == [True]


def test_closing_a_search_cancels_its_estimate_before_waiting_for_it(monkeypatch):
    cancelled, started, was_cancelled = Event(), Event(), []

    class Search:
        def cancel(self):
            cancelled.set()

    class Searches:
        def __call__(self, plan):
            return Search()

        def cache_clear(self):
            pass

    def probe_until_cancelled(probe):
        started.set()
        was_cancelled.append(cancelled.wait(HANG_S))

    monkeypatch.setattr("isoplane.search.cubes.proving.probe_plan", probe_until_cancelled)
    monkeypatch.setattr("isoplane.search.cubes.proving.search_of", Searches())
    space, aspl = ConnectionSets(8, site=Site(layout=None)), OBJECTIVES["aspl"]
    rounds = Exact(head_start=4096).rounds(Task(space, aspl, 1, fleet=Threads(1)))
    while not started.is_set():
        next(rounds)
    rounds.close()
    assert was_cancelled == [True]
