"""No bound is above what a real network has, and small spaces are bounded exactly."""

import json
from importlib import resources
from pathlib import Path

import pytest

from isoplane.models import dual_cube
from isoplane.objectives import METRICS, exact_metric, ingredients
from isoplane.objectives.bounds import metric_bound

from ...strategies import random_basis
from ..everything import exact_metrics

BEST = Path(str(resources.files("isoplane.runs") / "best"))


def known_networks(n, folded):
    family = "folded_hypercube" if folded else "hypercube"
    for path in sorted(BEST.glob(f"{family}-n{n}-*.json")):
        plane1 = json.loads(path.read_text())["network"]["planes"][1]["generators"]
        yield dual_cube(n, tuple(plane1), folded)


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_basis_of_a_small_space_beats_a_bound(n, folded):
    network = dual_cube(n, tuple(1 << k for k in range(n)), folded)
    for metric, values in exact_metrics(n, folded).items():
        assert metric_bound(metric, network) <= values.min(), metric


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("n", range(3, 13))
def test_no_network_beats_a_bound(n, folded):
    networks = [dual_cube(n, random_basis(n, seed).generators, folded) for seed in range(20)]
    for network in [*networks, *known_networks(n, folded)]:
        exact = ingredients(network)
        for metric in METRICS:
            assert metric_bound(metric, network) <= exact_metric(exact, metric), (metric, network.planes[1])
