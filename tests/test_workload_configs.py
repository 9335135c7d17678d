"""Configs of workloads: one for each, with the defaults of its function."""

import pytest

from isoplane.runs.config.assignments import FROM_FILES, MIX, WORKLOADS, workload_of
from tests.test_conf import choices, single_choice


@pytest.mark.parametrize("name", sorted(set(WORKLOADS) - {*FROM_FILES, MIX}))
def test_every_workload_has_the_defaults_of_its_function(name):
    assert workload_of(single_choice("workload", name)) == WORKLOADS[name]()


def test_there_is_a_config_for_every_workload():
    assert choices("workload") == sorted(WORKLOADS)
