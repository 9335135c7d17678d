"""Scores of hybrid networks match the metrics of records for any choice of components."""

from itertools import permutations

import pytest

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.models.workloads import sparse
from isoplane.objectives.fluid import METRICS, WorkloadObjective

WORKLOAD = sparse(8, 3, 1_000_000, seed=2)
DESIGN = Design(Network(Hybrid(2, 4)), Circuits(((0, 5), (3, 4))), Placement((7, 2, 0, 1, 4, 6, 5, 3)))


@pytest.mark.parametrize("components", [chosen for count in (1, 2, 3, 4) for chosen in permutations(METRICS, count)])
def test_a_score_consists_of_metrics_of_the_record(components):
    objective = WorkloadObjective("some", components, WORKLOAD)
    found = objective(DESIGN)
    assert objective.point(DESIGN) == found.score == tuple(found.metrics[f"{name}_ns"] for name in components)
