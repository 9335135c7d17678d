"""A saturation above the bound of the busiest link is marked."""

from dataclasses import replace

from isoplane.models import dual_cube
from isoplane.runs.simulations.comparison import beyond_bound
from isoplane.simulator import Saturation, Scenario, Traffic
from isoplane.simulator.hardware import Hardware
from isoplane.simulator.theory.theory import throughput_bound
from tests.cases import for_each


@for_each("share", [0.9, 1.1])
def test_only_a_saturation_above_the_bound_is_marked_with_the_precision_that_is_nearer(share):
    scenario = Scenario(dual_cube(3, (3, 5, 7)), Hardware(), Traffic("uniform", load=0.5))
    bound = float(throughput_bound(scenario.network))
    found = Saturation(share * bound, 0.0, None, share * bound, ())
    lines = beyond_bound(scenario, found)
    assert len(lines) == (share > 1)
    assert all(f"the bound {bound:.4f}" in line and "measurement=standard" in line for line in lines)
    detours = replace(scenario, hardware=Hardware(path_selection="ugal"))
    assert beyond_bound(detours, found) == []
