"""A search resumed from its checkpoint has the same result as an uninterrupted one."""

import json
import random
from dataclasses import dataclass, field
from itertools import groupby

import pytest

from isoplane.models import InputError, Site
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Pareto, Portfolio, StopWithObserver, solve
from tests.search.cases import FRONTS, OBJECTIVES, Run

BOTH, FRONT = OBJECTIVES["aspl_and_traffic"], FRONTS["delay", "max_load"]
CASES = [
    pytest.param(ConnectionSets(9), BOTH, Anneal(chains=3), 40 * 3 * 32768 + 7, id="anneal"),
    pytest.param(
        ConnectionSets(11, True, site=Site(layout=None)), OBJECTIVES["aspl"], Anneal(chains=2), 70 * 2 * 8192, id="bare"
    ),
    pytest.param(ConnectionSets(10), FRONT, Pareto(chains=2), 66 * 2 * 16384 + 1, id="pareto"),
    pytest.param(ConnectionSets(10, True), BOTH, Portfolio(chains=3), 40 * 3 * 16384 + 5, id="portfolio"),
    pytest.param(ConnectionSets(5), BOTH, Exact(1 << 20, everything=True), (1 << 20) + (1 << 19) + 700, id="exact"),
    pytest.param(ConnectionSets(5, True), FRONT, Exact(head_start=64), 5000, id="exact-front"),
]  # designs are exchanged after 8, 16, 32, 64 rounds


@dataclass
class Pages:
    """A checkpoint in memory, in JSON as on disk."""

    pages: dict = field(default_factory=dict)

    def load(self, name):
        return json.loads(self.pages[name]) if name in self.pages else None

    def save(self, name, data):
        self.pages[name] = json.dumps(data)

    def due(self):
        return True


def run(space, objective, strategy, limits, checkpoint=None, rounds=None):
    """Search until a stop, or for a number of rounds that are not replayed."""
    found, new = Run([], [], None), []

    def watch(progress):
        found.progress.append(progress)
        if not progress.replayed:
            new.append(progress)
        found.reason = limits(objective, progress)
        return found.reason or ("killed" if rounds is not None and len(new) >= rounds else None)

    found.solutions += solve(space, objective, strategy, StopWithObserver(limits, watch), 3, checkpoint=checkpoint)
    return found


def stream(found):
    """The rounds, without those that only repeat the one before."""
    return [key for key, _ in groupby((p.evaluations, p.improved_at, p.score, p.network) for p in found.progress)]


@pytest.mark.parametrize(("space", "objective", "strategy", "evaluations"), CASES)
def test_a_search_killed_repeatedly_at_any_round_has_the_same_result(space, objective, strategy, evaluations):
    limits = Limits(evaluations=evaluations)
    undisturbed = run(space, objective, strategy, limits)
    checkpoint, draw, kills, before = Pages(), random.Random(1), 0, {}
    while (found := run(space, objective, strategy, limits, checkpoint, draw.randint(1, 20))).reason is None:
        kills += 1
        if draw.random() < 0.3:  # killed before this page was saved
            checkpoint.pages = before
        before = dict(checkpoint.pages)
    assert kills > 2
    assert found.setup == undisturbed.setup
    assert stream(found) == stream(undisturbed)


@pytest.mark.parametrize(("space", "objective", "strategy", "evaluations"), CASES)
def test_a_search_with_a_larger_limit_resumes_where_the_smaller_one_ended(space, objective, strategy, evaluations):
    checkpoint = Pages()
    run(space, objective, strategy, Limits(evaluations=evaluations // 2), checkpoint)
    longer = run(space, objective, strategy, Limits(evaluations=evaluations), checkpoint)
    assert any(p.replayed for p in longer.progress)
    undisturbed = run(space, objective, strategy, Limits(evaluations=evaluations))
    assert (longer.setup, stream(longer)) == (undisturbed.setup, stream(undisturbed))


def test_stops_end_a_resumed_search_at_the_same_round():
    space, objective, strategy = ConnectionSets(10, site=Site(layout=None)), OBJECTIVES["aspl"], Anneal(chains=2)
    for limits in (Limits(stalled=300_000), Limits(target=4.04)):
        checkpoint = Pages()
        undisturbed = run(space, objective, strategy, limits)
        for _ in range(2):
            run(space, objective, strategy, limits, checkpoint, rounds=1)
        assert stream(run(space, objective, strategy, limits, checkpoint)) == stream(undisturbed)
        again = run(space, objective, strategy, limits, checkpoint)
        assert (stream(again), again.progress[-1].replayed) == (stream(undisturbed), True)


def test_the_time_of_a_resumed_search_continues():
    checkpoint = Pages({"clock": json.dumps({"seconds": 1000.0})})
    found = run(ConnectionSets(9), BOTH, Anneal(), Limits(seconds=999), checkpoint)
    assert len(found.progress) == 1
    assert 1000 < found.progress[0].seconds < 3000


@pytest.mark.parametrize("page", [3, {}, {"share": 1}, {"share": 1, "rounds": 1, "found": [], "chains": [[1, 2]]}])
def test_a_malformed_page_of_chains_is_rejected(page):
    checkpoint = Pages({"anneal": json.dumps(page)})
    with pytest.raises(InputError, match=r"^checkpoint: .*; expected"):
        run(ConnectionSets(9), BOTH, Anneal(), Limits(evaluations=10), checkpoint)


@pytest.mark.parametrize("strategy", [Anneal(chains=3), Anneal(chains=1), Anneal(chains=2, structured=True)])
def test_a_page_of_other_chains_is_rejected(strategy):
    checkpoint = Pages()
    run(ConnectionSets(9), BOTH, Anneal(chains=2), Limits(evaluations=100_000), checkpoint)
    with pytest.raises(InputError, match=f"for 2 chains; expected one for {strategy.chains}"):
        run(ConnectionSets(9), BOTH, strategy, Limits(evaluations=10), checkpoint)
