"""What the exact search walks: one basis of each class where that is cheap to see."""

import itertools

import pytest

from isoplane.models import ConnectionSet
from isoplane.search import ConnectionSets
from isoplane.search._native import ExactLane, ExactSearch
from tests.objectives.everything import all_bases, best_score, exact_metrics
from tests.search.cases import OBJECTIVES
from tests.strategies import permute_coordinates


def exact(n, name="aspl", folded=False, layout=None):
    objective = OBJECTIVES[name]
    return ExactSearch(ConnectionSets(n, folded, layout=layout).evaluator(objective), False)


def walk(search, lanes=1, share=1 << 40, incumbents=()):
    """Lanes in turns, each knowing what the others found; return the designs that survive and the evaluations."""
    walkers = [ExactLane(search, first, lanes) for first in range(lanes)]
    designs = list(incumbents)
    while not all(lane.done for lane in walkers):
        for lane in walkers:
            designs = lane.run(share, designs)
    return designs, sum(lane.evaluations for lane in walkers)


def classes(n):
    """Bases up to permutations of generators and coordinates, by brute force."""
    orders = [list(order) for order in itertools.permutations(range(n))]
    return {
        min(permute_coordinates(ConnectionSet(n, tuple(row)), order).generators for order in orders)
        for row in all_bases(n).tolist()
    }


@pytest.mark.parametrize(("n", "count"), [(2, 2), (3, 7), (4, 51)])
def test_for_n_up_to_4_each_class_of_bases_is_one_unit_with_one_evaluation(n, count):
    # The published numbers of classes under generator and coordinate permutations: 2, 7, 51, 885, 44206.
    search = exact(n)
    assert len(classes(n)) == count
    assert search.units == count
    assert walk(search)[1] == count


@pytest.mark.parametrize(("n", "count", "sets"), [(5, 885, 83328), (6, 44206, 27998208)])
def test_for_larger_n_more_than_the_classes_but_far_fewer_than_all_bases_are_judged(n, count, sets):
    search = exact(n)
    evaluations = walk(search)[1]
    assert count <= evaluations < 4 * count < sets / 20


@pytest.mark.parametrize(("lanes", "share"), [(1, 1), (1, 100), (3, 50), (8, 1 << 40), (1000, 10)])
def test_units_may_be_shared_out_and_paused_anywhere(lanes, share):
    expected = best_score(5, True, OBJECTIVES["aspl"].components)
    search = exact(5, folded=True)
    (found,), evaluations = walk(search, lanes, share)
    sums = dict(zip(map(tuple, all_bases(5).tolist()), exact_metrics(5, True)["sum_of_distances"], strict=True))
    assert (sums[tuple(sorted(found))],) == expected
    assert evaluations == walk(search)[1]  # nothing is walked twice, and nothing left out


def test_an_incumbent_survives_only_if_nothing_beats_it():
    search = exact(4)
    (best,), _ = walk(search)
    assert walk(search, incumbents=[best])[0] == [best]
    assert walk(search, incumbents=[[1, 2, 4, 8]])[0] != [[1, 2, 4, 8]]
