"""What the exact search walks: one basis of each class where that is cheap to see."""

import itertools

import pytest
from isoplane.models import ConnectionSet
from isoplane.search import ConnectionSets
from isoplane.search._native import ExactSearch

from tests.objectives.everything import all_bases, best_score, exact_metrics
from tests.search.cases import OBJECTIVES
from tests.strategies import permute_coordinates


def exact(n, name="aspl", folded=False, layout=None):
    objective = OBJECTIVES[name]
    return ExactSearch(ConnectionSets(n, folded, layout=layout).evaluator(objective), False)


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
    assert search.run(0, count, [])[1] == count


@pytest.mark.parametrize(("n", "count", "sets"), [(5, 885, 83328), (6, 44206, 27998208)])
def test_for_larger_n_more_than_the_classes_but_far_fewer_than_all_bases_are_judged(n, count, sets):
    search = exact(n)
    evaluations = search.run(0, search.units, [])[1]
    assert count <= evaluations < 4 * count < sets / 20


def test_units_may_be_walked_in_any_order_and_grouping():
    expected = best_score(5, True, OBJECTIVES["aspl"].components)
    search = exact(5, folded=True)
    halves = (search.units // 2, search.units)
    found = []
    for begin, end in ((halves[0], halves[1]), (0, halves[0])):
        found, _ = search.run(begin, end, found)
    sums = dict(zip(map(tuple, all_bases(5).tolist()), exact_metrics(5, True)["sum_of_distances"], strict=True))
    assert (sums[tuple(sorted(found[0]))],) == expected


def test_an_incumbent_survives_only_if_nothing_beats_it():
    search = exact(4)
    (best,), _ = search.run(0, search.units, [])
    assert search.run(0, search.units, [best])[0] == [best]
    assert search.run(0, search.units, [[1, 2, 4, 8]])[0] != [[1, 2, 4, 8]]
