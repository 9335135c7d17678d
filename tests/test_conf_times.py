"""The configs of objectives that are times of a workload."""

import pytest

from isoplane.runs.config import spaces

from .test_conf import TIMES, composed

HYBRID = ("network=hybrid", "workload=stencil", "workload.iterations=1")
CUBE = ("network.n=3", "network.nodes_per_switch=1", "workload=recursive_doubling", "workload.processes=8")
SCORED = [(HYBRID, name) for name in TIMES - {"throughput"}] + [
    (CUBE, name) for name in TIMES - {"completion_by_packets"}
]


@pytest.mark.parametrize(("words", "name"), sorted(SCORED))
def test_every_time_scores_a_design(words, name):
    config = composed("search", *words, f"objective={name}")
    found = spaces.criterion_of(config)(spaces.search_space_of(config).baseline)
    assert found.score[0] == found.metrics["synchronised_ns" if name == "throughput" else f"{name}_ns"]
