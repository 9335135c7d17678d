"""The walk through the units of an exact search."""

from threading import Event

from isoplane.search import ConnectionSets, Threads
from isoplane.search.strategy import Task
from isoplane.search.units import Plan
from isoplane.search.walk import Walk
from tests.search.cases import OBJECTIVES

HANG_S = 60  # a walk that waits for its call before it cancels would hang


def test_a_walk_that_is_closed_cancels_the_call_under_way_before_it_waits_for_it(monkeypatch):
    cancelled, begun, in_time = Event(), Event(), []

    class Search:
        def cancel(self):
            cancelled.set()

    def walk_until_cancelled(stretch):
        begun.set()
        in_time.append(cancelled.wait(HANG_S))

    monkeypatch.setattr("isoplane.search.walk.walk_stretch", walk_until_cancelled)
    space, aspl = ConnectionSets(7, layout=None), OBJECTIVES["aspl"]
    walk = Walk(Plan(space, aspl, True, ()), Task(space, aspl, 1, fleet=Threads(1)))
    walk._search = Search()
    rounds = walk.until(walk.units, 0)
    while not begun.is_set():
        next(rounds)
    rounds.close()
    assert in_time == [True]
