"""Limits: exact, apart from the time limit."""

from fractions import Fraction
from functools import partial

from isoplane.models import Site
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Pareto, Progress, solve
from tests.cases import for_each, require_refusal
from tests.search.cases import FRONTS, OBJECTIVES, search

FRONT = FRONTS["sum_of_distances", "max_load"]
ASPL = OBJECTIVES["aspl"]
DELAY = OBJECTIVES["delay"]  # never proven optimal for n = 8
SPACE = ConnectionSets(8)


@for_each("evaluations", [1, 7, 8, 64, 1000, 524_288, 524_289, 1_000_003])
@for_each("strategy", [Anneal(), Anneal(chains=3), Pareto(chains=5)])
def test_the_evaluation_limit_is_kept_exactly(strategy, evaluations):
    objective = FRONT if isinstance(strategy, Pareto) else DELAY
    run = search(SPACE, objective, strategy, Limits(evaluations=evaluations))
    assert run.progress[-1].evaluations == evaluations
    assert run.reason == "evaluations"
    assert run.last.evaluations <= evaluations


def test_rounds_of_large_cubes_are_shorter():
    per_round = {
        n: search(
            ConnectionSets(n, site=Site(layout=None)), ASPL, Anneal(chains=1), Limits(stalled=1, seconds=0)
        ).progress[0]
        for n in (8, 14, 16)
    }
    assert {n: progress.evaluations for n, progress in per_round.items()} == {8: 65536, 14: 1024, 16: 256}


def test_a_target_ends_the_search_at_the_round_that_reaches_it():
    run = search(SPACE, ASPL, Anneal(chains=1), Limits(target=3.2, evaluations=10_000_000))
    assert run.reason == "target"
    assert run.last.evaluation.metrics["aspl"] <= 3.2
    assert all(progress.score[0] > 3.2 * 256 for progress in run.progress[:-1])
    assert run.progress[-1].evaluations == run.last.evaluations


def test_a_stalled_search_ends_after_its_evaluations_without_improvement():
    run = search(ConnectionSets(3), OBJECTIVES["delay_paper"], Anneal(), Limits(stalled=600_000))
    # All 28 bases are visited in the first round of 8 x 65536; two more rounds exceed the limit.
    assert run.reason == "stalled"
    assert run.progress[-1].improved_at == run.last.evaluations == 524_288
    assert [progress.evaluations for progress in run.progress] == [524_288, 2 * 524_288, 3 * 524_288]


def test_a_stalled_front_counts_from_its_last_new_design():
    run = search(ConnectionSets(4), FRONT, Pareto(), Limits(stalled=1))
    assert run.reason == "stalled"
    assert run.progress[-1].improved_at == run.last.evaluations < run.progress[-1].evaluations


def test_a_time_limit_of_zero_still_gives_a_design():
    run = search(SPACE, DELAY, Anneal(), Limits(seconds=0))
    assert run.reason == "seconds"
    assert len(run.progress) == 1
    assert run.last.status == "feasible"


def test_limits_are_checked_in_the_order_target_evaluations_stalled_seconds():
    network = SPACE.identical
    progress = Progress(1000, (), seconds=9.0, improved_at=100, score=(800,), network=network)
    limits = {"target": 3.125, "evaluations": 1000, "stalled": 900, "seconds": 9}
    for reason in ("target", "evaluations", "stalled", "seconds"):
        assert Limits(**limits)(ASPL, progress) == reason
        del limits[reason]
    assert Limits()(ASPL, progress) is None
    assert Limits(target="3.12", evaluations=1001, stalled=901, seconds=9.1)(ASPL, progress) is None


def test_a_target_may_be_a_number_text_or_a_fraction():
    network = SPACE.identical
    for target in (3.125, "3.125", Fraction(25, 8)):
        assert Limits(target=target).reached(ASPL, (800,), (None,), network)
        assert not Limits(target=target).reached(ASPL, (801,), (None,), network)
    assert Limits().reached(ASPL, (801,), (None,), network)


def test_a_gap_is_measured_from_the_score_and_needs_a_bound():
    network = SPACE.identical
    # (800 - 790) / 800 = 0.0125, also if the score is a load, which falls as the printed traffic rises.
    for objective in (ASPL, OBJECTIVES["max_traffic"]):
        assert Limits(gap="0.0125").reached(objective, (800,), (790,), network)
        assert not Limits(gap="0.0125").reached(objective, (800,), (789,), network)
        assert not Limits(gap="0.0125").reached(objective, (800,), (None,), network)
    gap_or_target = Limits(gap=0.01, target=3.125)
    assert gap_or_target.reached(ASPL, (800,), (None,), network)
    assert gap_or_target.reached(ASPL, (801,), (800,), network)
    assert not gap_or_target.reached(ASPL, (801,), (700,), network)


def test_a_gap_ends_a_search():
    run = search(ConnectionSets(10), ASPL, Anneal(), Limits(gap=0.02, evaluations=5_000_000))
    assert run.reason == "gap"
    score, bound = run.last.evaluation.score[0], run.last.evaluation.bound[0]
    assert 0 < (score - bound) / score <= 0.02
    assert all(progress.gaps[0] > Fraction(1, 50) for progress in run.progress[:-1])


def test_a_score_that_attains_its_bound_ends_a_search_but_not_an_enumeration():
    # Certificates prove that no folded cube of n = 5 has a smaller sum of distances than 50.
    space = ConnectionSets(5, folded=True)
    run = search(space, ASPL, Anneal(), Limits(evaluations=5_000_000))
    assert run.reason == "optimal"
    assert run.last.status == "optimal"
    assert run.last.evaluation.bound == run.last.evaluation.score
    enumeration = search(space, ASPL, Exact())
    assert enumeration.last.evaluation.score == run.last.evaluation.score
    assert enumeration.progress[-1].complete


def test_an_observer_may_end_a_search():
    seen = []

    def watch(progress):
        if progress.evaluations not in seen:  # a round may be repeated
            seen.append(progress.evaluations)
        return "enough" if len(seen) == 3 else None

    assert list(solve(SPACE, DELAY, Anneal(chains=1), Limits(evaluations=10_000_000), 1, watch=watch))
    assert seen == [65536, 131_072, 196_608]


def test_a_front_has_neither_target_nor_gap():
    for limits, objective, bounds, says in (
        (Limits(target=600), FRONT, (1,), "stop.target=600: objective=front has no single value; expected null"),
        (Limits(gap=0.1), FRONT, (1,), "stop.gap=0.1: objective=front has no single value; expected null"),
        (Limits(gap=0.1), ASPL, (None,), "stop.gap=0.1: no bound of sum_of_distances is known here; expected null"),
    ):
        require_refusal(partial(limits.require_defined, objective, bounds), says)
    Limits(target=600, gap=0).require_defined(ASPL, (1,))
    Limits(evaluations=1).require_defined(FRONT, (None,))


@for_each(
    ("limits", "message"),
    [
        ({"seconds": -1}, "stop.seconds=-1: expected a number of at least 0"),
        ({"seconds": "soon"}, "stop.seconds='soon'"),
        ({"seconds": float("inf")}, "stop.seconds=inf: expected a number of at least 0, or null"),
        ({"seconds": float("nan")}, "stop.seconds=nan"),
        ({"evaluations": 0}, "stop.evaluations=0: expected an integer of at least 1"),
        ({"evaluations": 1.5}, "stop.evaluations=1.5"),
        ({"target": 0}, "stop.target=0: expected a number above 0"),
        ({"target": float("inf")}, "stop.target=inf"),
        ({"gap": -0.1}, "stop.gap=-0.1: expected a number of at least 0 and at most 1"),
        ({"gap": "5 %"}, "stop.gap='5 %'"),
        ({"stalled": 0}, "stop.stalled=0"),
        ({"stalled": True}, "stop.stalled=True"),
    ],
)
def test_limits_out_of_range_are_rejected(limits, message):
    require_refusal(lambda: Limits(**limits), message)
