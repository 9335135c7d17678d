"""Exports of several processes on a node keep the processes, and SimGrid replays them on the nodes as isoplane does."""

import re
import subprocess

import numpy as np
import pytest

from isoplane.models import Circuits, Design, Hybrid, Network, Site
from isoplane.models.families.torus import Torus
from isoplane.models.placement import Placement
from isoplane.models.workloads import pipeline
from isoplane.models.workloads.mapped_workload import in_groups, placed_on
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.inputs.process_traces import read_goal
from isoplane.runs.records import design_content
from tests.cases import for_each
from tests.tools import HANG_S, require_tools

RING = Network(Torus(shape=(4,), node_cable_m=2.0), Site())
STAGES = pipeline(8, 3, 1_000_000, 100, 200)
NODES = (2, 0, 1, 3)
WORK = placed_on(in_groups(STAGES, 2), NODES, 4)
SIMGRID = ("network/model:CM02", "network/crosstraffic:0", "smpi/display-timing:1")
LOOPBACK = ("network/loopback-lat:0", "network/loopback-bw:1e18")  # messages between processes of a host take no time


@pytest.fixture
def written(tmp_path):
    """The files of all formats, with two stages of a pipeline on each node."""
    design = Design(RING)
    exported = Exported(design, {"id": "", **design_content(design)}, {}, lambda: WORK)
    for name in ("tit", "goal", "simgrid"):
        for path, content in exporter_named(name).files(exported):
            (tmp_path / path).write_bytes(b"".join(content))
    return tmp_path


def test_each_process_has_a_node_and_its_own_messages(written):
    hosts = (written / "hosts").read_text().split()
    assert hosts == [f"N{node}" for node in np.repeat(NODES, 2)]
    assert (written / "traces.txt").read_text().split() == [f"rank_{process}.txt" for process in range(8)]
    assert (read_goal(written / "workload.goal", 0).matrix() == STAGES.matrix()).all()


@for_each(("several", "name"), [(1, "tit"), (2, "tit"), (2, "goal")])
def test_with_circuits_processes_and_groups_are_on_the_nodes_of_the_placement_of_the_design(several, name):
    design = Design(Network(Hybrid(groups=2, nodes_per_group=2)), Circuits(((0, 2),)), Placement((3, 1, 2, 0)))
    work = in_groups(pipeline(4 * several, 3, 1_000_000, 100, 200), several)
    hosts = dict(exporter_named(name).files(Exported(design, {"id": "0"}, {}, lambda: work)))["hosts"]
    assert b"".join(hosts).decode().split() == [f"N{node}" for node in np.repeat((3, 1, 2, 0), several)]


def test_simgrid_ends_them_when_the_fluid_model_does(written):
    program = require_tools("smpirun")["smpirun"]
    platform = written / "platform.xml"
    platform.write_text(platform.read_text().replace('speed="1Gf"', 'speed="1Gf" core="2"'))
    words = ["-np", "8", "-hostfile", "hosts", "-platform", "platform.xml", "-replay", "traces.txt"]
    options = [f"--cfg={option}" for option in (*SIMGRID, *LOOPBACK)]
    done = subprocess.run([program, *words, *options], cwd=written, capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0, done.stdout + done.stderr
    ended = float(re.search(r"Simulated time: ([0-9.e+-]+) seconds", done.stdout + done.stderr)[1])
    assert 1e9 * ended == pytest.approx(NetworkFluidModel(RING, WORK.message_list()).times().completion_ns, rel=1e-5)
