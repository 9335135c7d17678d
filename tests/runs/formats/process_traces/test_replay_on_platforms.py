"""SimGrid replays exported traces on exported platforms, and takes as long as the fluid model by its two rules."""

import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from isoplane.models import Design, Network
from isoplane.models.exchanges.exchange_orders import order_named
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import MappedWorkload, from_matrix, npb, pipeline, sparse, stencil
from isoplane.models.workloads.message_starts import messages_begun_by
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import simgrid, tit
from tests.cases import for_each
from tests.runs.formats.exported import hybrid_design
from tests.tools import HANG_S, require_tools

END = re.compile(r"Simulated time: ([0-9.e+-]+) seconds")
COMMAND = re.compile(r"```sh\n(.*?)```", re.DOTALL)
DIGITS = 5e-6  # SimGrid prints six
ENVELOPE_BYTES = 16  # that SMPI sends with each message
MESH = Network(FullMesh(layers=4, uplinks=3, nodes_per_leaf=2))
TORUS = Network(Torus(shape=(4, 4), node_cable_m=2.0))


def replayed_ns(folder, network, workload):
    """Return the time that the command of the exported README takes, in ns."""
    program = require_tools("smpirun")["smpirun"]
    exported = Exported(Design(network), {}, find_workload=lambda: workload)
    for name, exporter in (("simgrid", simgrid), ("tit", tit)):
        (folder / name).mkdir(parents=True)
        for file, content in exporter.files(exported):
            (folder / name / file).write_bytes(b"".join(content))
    words = COMMAND.search((folder / "tit" / "README.md").read_text())[1].replace("\\\n", " ").split()
    assert words[0] == "smpirun"
    run = subprocess.run([program, *words[1:]], cwd=folder / "tit", capture_output=True, text=True, timeout=HANG_S)
    assert run.returncode == 0, run.stdout + run.stderr
    return float(END.search(run.stdout + run.stderr)[1]) * 1e9


def completion_ns(network, workload, envelope_bytes):
    """Return the completion by the rules of SimGrid, without jitter."""
    messages = messages_begun_by(workload, "both")
    longer = replace(messages, length_bytes=messages.length_bytes + envelope_bytes * ~messages.local)
    return NetworkFluidModel(network, longer, sharing="cm02").arrivals_ns().max()


WORKLOADS = {
    **{order: (MESH, order_named(order, range(32)).workload(100_000)) for order in ("shift", "xor", "ring")},
    "stencil": (TORUS, stencil((4, 4), 50_000, iterations=3)),
    "pipeline": (TORUS, pipeline(16, 8, 100_000, 10, 20)),
    **{name: (TORUS, npb(name, "S", 16, 2, gflops=5)) for name in ("cg", "lu", "ft")},
}


@for_each("name", WORKLOADS)
def test_simgrid_agrees_with_the_fluid_model_by_its_rules(tmp_path, name):
    network, workload = WORKLOADS[name]
    replayed = replayed_ns(tmp_path / name, network, workload)
    assert replayed == pytest.approx(completion_ns(network, workload, 0), rel=0.005)
    assert replayed == pytest.approx(completion_ns(network, workload, ENVELOPE_BYTES), rel=DIGITS)


def sent(nodes, pairs, length_bytes):
    matrix = np.zeros((nodes, nodes), dtype=np.int64)
    matrix[tuple(np.transpose(pairs))] = length_bytes
    return from_matrix(matrix)


# Messages that begin together and whose paths differ in latency, so that equal shares would be up to 9 % off.
UNEQUAL = {
    "two flows": (Network(Torus(shape=(6,))), sent(6, [(0, 2), (1, 2)], 12_500)),
    "sparse": (TORUS, sparse(16, 4, 100_000)),
    "some nodes": (TORUS, MappedWorkload(sparse(8, 4, 100_000), (9, 2, 3, 4, 15, 6, 7, 0), 16)),
}


@for_each("name", UNEQUAL)
def test_simgrid_shares_links_by_the_latencies_of_routes(tmp_path, name):
    network, workload = UNEQUAL[name]
    expected = completion_ns(network, workload, ENVELOPE_BYTES)
    assert replayed_ns(tmp_path / name, network, workload) == pytest.approx(expected, rel=DIGITS)


@for_each("design", [hybrid_design(), Design(TORUS)])
def test_the_readme_names_a_platform_only_where_there_is_one(design):
    exported = Exported(design, {}, find_workload=lambda: stencil((design.network.nodes,), 1000))
    files = {name: b"".join(content).decode() for name, content in tit.files(exported)}
    assert ("platform.xml" in files["README.md"]) == (design.network.family.kind in simgrid.EXPORTER.kinds)
