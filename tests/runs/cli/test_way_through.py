"""The config is read once: after the setup of a search nothing of the room of configs is called again."""

import sys
from pathlib import Path

import pytest

from isoplane.runs import config
from isoplane.runs.config.search_setup import search_setup

ROOM = str(Path(config.__file__).resolve().parent)


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
    called, made = [], []

    def watch(frame, event, _):
        if event == "return" and frame.f_code is search_setup.__code__:
            made.append(True)
        elif event == "call" and made and frame.f_code.co_filename.startswith(ROOM):
            called.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")

    sys.setprofile(watch)
    try:
        ended = isoplane("search", *words, "hydra.run.dir=run")
    finally:
        sys.setprofile(None)
    assert ended.code == 0
    assert made
    assert called == []
