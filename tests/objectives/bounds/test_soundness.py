"""No bound exceeds the value of a network."""

import json
from importlib import resources
from pathlib import Path

from isoplane.models import Layout, dual_cube
from isoplane.objectives import CUBE_METRICS, CUBES, Lexicographic, exact_metric, exact_metrics
from isoplane.objectives.bounds import max_load_bound, metric_bound, score_bounds, sum_bound
from isoplane.objectives.bounds.load_inequalities import load_inequalities, load_ranges
from tests.cases import for_each

from ...strategies import random_basis
from ..everything import exact_of_everything

BEST = Path(str(resources.files("isoplane.runs") / "best"))


def known_networks(n, folded):
    family = "folded_hypercube" if folded else "hypercube"
    for path in sorted(BEST.glob(f"{family}-n{n}-*.json")):
        plane1 = json.loads(path.read_text())["network"]["planes"][1]["generators"]
        yield dual_cube(n, tuple(plane1), folded)


def sums_of_distances(networks):
    return [exact_metrics(network).sum_of_distances for network in networks]


def unit_network(n, folded, **site):
    return dual_cube(n, tuple(1 << k for k in range(n)), folded, **site)


@for_each("folded", [False, True])
@for_each("n", [2, 3, 4])
def test_no_basis_of_a_small_space_beats_a_bound(n, folded):
    for metric, values in exact_of_everything(n, folded).items():
        assert metric_bound(metric, unit_network(n, folded)) <= values.min(), metric


# The exact search proves the same minima.
@for_each(
    ("n", "folded", "best"),
    [
        *[(3, False, 8), (4, False, 22), (5, False, 58), (6, False, 144), (7, False, 344), (8, False, 800)],
        *[(9, False, 1828), (4, True, 20), (5, True, 50), (6, True, 123), (7, True, 300), (8, True, 693)],
    ],
)
def test_the_bound_on_the_sum_is_attained(n, folded, best):
    assert sum_bound(n, folded) == best


def test_no_folded_network_of_nine_dimensions_beats_the_best_known_sum():
    assert sum_bound(9, folded=True) == 1598 == min(sums_of_distances(known_networks(9, folded=True)))


@for_each("folded", [False, True])
@for_each("n", range(3, 12))
def test_no_network_beats_a_bound(n, folded):
    bounds = {metric: metric_bound(metric, unit_network(n, folded)) for metric in CUBE_METRICS}
    networks = [dual_cube(n, random_basis(n, seed).generators, folded) for seed in range(15 if n < 9 else 3)]
    for network in [unit_network(n, folded), *networks, *known_networks(n, folded)]:
        exact = exact_metrics(network)
        for metric, bound in bounds.items():
            assert bound <= exact_metric(exact, metric), (metric, network.family.planes[1])
        for plane in exact.loads:
            loads = sorted(plane)
            for k, (low, high) in enumerate(
                load_ranges(n, folded, load_inequalities(n, folded), exact.sum_of_distances)
            ):
                assert low <= sum(loads[:k]), network.family.planes[1]
                assert sum(loads[len(loads) - k :]) <= high, network.family.planes[1]


def test_a_custom_layout_is_bounded_without_a_certificate():
    layout = Layout(pitch_across_m=1.6, slack_m=0.5)
    bounds = {metric: metric_bound(metric, unit_network(6, False, layout=layout)) for metric in CUBE_METRICS}
    for seed in range(40):
        exact = exact_metrics(dual_cube(6, random_basis(6, seed).generators, layout=layout))
        for metric, bound in bounds.items():
            assert bound <= exact_metric(exact, metric), metric


def test_the_bound_of_a_product_is_the_product_of_bounds():
    both = Lexicographic("both", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    network = unit_network(8, False)
    assert score_bounds(both, network) == (800 * max_load_bound(8, False), metric_bound("cable_length", network))


def test_cable_metrics_have_no_bound_without_a_layout():
    both = Lexicographic("both", (("sum_of_distances",), ("cost",)), CUBES)
    assert score_bounds(both, unit_network(8, False, layout=None)) == (800, None)


def test_cable_metrics_have_no_bound_if_the_catalogue_is_too_short():
    assert metric_bound("delay_paper", unit_network(13, True)) is None
    assert metric_bound("cost", unit_network(13, True)) is None
