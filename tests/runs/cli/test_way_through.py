"""The config is read once: after the check of options that follows the setup, no function of its package is called."""

import sys
from pathlib import Path

import pytest

from isoplane.runs import config
from isoplane.runs.config.config_values import Config

CONFIG_FOLDER = str(Path(config.__file__).resolve().parent)


@pytest.mark.parametrize(
    "words",
    [
        ("network.n=3", "stop.evaluations=2000"),
        (
            *("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "objective=bottleneck"),
            *("workload=all_to_all", "workload.processes=4", "stop.evaluations=50"),
        ),
    ],
    ids=["cubes", "hybrid"],
)
def test_nothing_reads_the_config_after_the_setup(isoplane, words):
    calls, setups = [], []

    def watch(frame, event, _):
        if event == "return" and frame.f_code is Config.require_effects.__code__:
            setups.append(True)
        elif event == "call" and setups and frame.f_code.co_filename.startswith(CONFIG_FOLDER):
            calls.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")

    sys.setprofile(watch)
    try:
        result = isoplane("search", *words, "hydra.run.dir=run")
    finally:
        sys.setprofile(None)
    assert result.code == 0
    assert setups
    assert calls == []
