"""SimGrid replays written traces and ends when the messages of the program say; what it records is read."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from isoplane.models.workloads import pipeline, stencil
from isoplane.models.workloads.message_starts import operations_of
from isoplane.models.workloads.npb import skeleton
from isoplane.models.workloads.programs import Program
from isoplane.runs.inputs.process_traces import read_trace, trace_files
from tests.cases import for_each
from tests.models.process_programs.interpreter import arrivals
from tests.tools import HANG_S, require_tools

# A network on which messages take no time, so that only computing and the order of operations count.
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-{last}" speed="1Gf" bw="1e9GBps" lat="0us"/>
</platform>
"""
SOURCE = Path(__file__).with_name("traced.c")
END = re.compile(r"Simulated time: ([0-9.e+-]+) seconds")


def replayed_s(folder, processes, operations):
    """Return the time that SimGrid takes for a trace."""
    program = require_tools("smpirun")["smpirun"]
    for name, lines in trace_files(processes, operations):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    (folder / "platform.xml").write_text(PLATFORM.format(last=processes - 1))
    (folder / "hosts").write_text("".join(f"h{process}\n" for process in range(processes)))
    words = ["-np", str(processes), "-hostfile", "hosts", "-platform", "platform.xml", "-replay", "traces.txt"]
    options = ["--cfg=smpi/display-timing:1", "--cfg=network/model:CM02", "--cfg=network/crosstraffic:0"]
    done = subprocess.run([program, *words, *options], cwd=folder, capture_output=True, text=True, timeout=HANG_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return float(END.search(done.stdout + done.stderr)[1])


def test_a_trace_that_simgrid_records_of_a_program_has_its_messages(tmp_path):
    tools = require_tools("smpicc", "smpirun")
    subprocess.run([tools["smpicc"], SOURCE, "-o", "traced"], cwd=tmp_path, check=True, timeout=HANG_S)
    (tmp_path / "platform.xml").write_text(PLATFORM.format(last=4))
    (tmp_path / "hosts").write_text("".join(f"h{process}\n" for process in range(5)))
    words = ["-np", "5", "-hostfile", "hosts", "-platform", "platform.xml", "-trace-ti", "--cfg=tracing/filename:t.txt"]
    subprocess.run(
        [tools["smpirun"], *words, "./traced"], cwd=tmp_path, check=True, capture_output=True, timeout=HANG_S
    )
    work = read_trace(tmp_path / "t.txt", gflops=1)
    program = Program(5)
    next_one = (np.arange(5) + 1) % 5
    program.collective("bcast", 4, np.array([[1, 2, 3, 4, 0]]))
    for _ in range(3):
        program.exchange(np.arange(5), next_one, 800 * np.arange(1, 6))
        program.collective("allreduce", 4)
    program.exchange([0], [2], 40)
    program.exchange(next_one, np.arange(5), 100)
    for name, size in (("alltoall", 32), ("allgather", 16), ("reduce", 4)):
        program.collective(name, size)
    program.collective("gather", 12, np.array([[2, 3, 4, 0, 1]]))
    program.collective("scatter", 20, np.array([[1, 2, 3, 4, 0]]))
    program.collective("alltoallv", 4 * (np.arange(5)[:, None] + 2 * np.arange(5)))
    program.collective("alltoallv", np.tile(4 * np.arange(1, 6), (5, 1)))  # the reduce-scatter
    parts = 4 * np.arange(1, 6)
    program.collective("gatherv", np.roll(parts, -3), np.array([[3, 4, 0, 1, 2]]))
    program.collective("scatterv", np.roll(parts, -1), np.array([[1, 2, 3, 4, 0]]))
    program.collective("allgatherv", parts)
    program.collective("scan", 48)
    program.collective("exscan", 56)
    program.exchange([0], [4], 9)
    program.collective("barrier")
    assert (work.matrix() == program.counts(collectives=True).matrix()).all()
    assert sorted(work.length_bytes.tolist()) == sorted(program.message_list().length_bytes.tolist())


@for_each(
    ("benchmark", "processes"),
    [("cg", 8), ("cg", 16), ("mg", 16), ("lu", 6), ("bt", 9), ("sp", 4), ("ft", 8), ("is", 4), ("ep", 3)],
)
def test_simgrid_ends_a_skeleton_with_its_last_computing(tmp_path, benchmark, processes):
    program = skeleton(benchmark, "S", processes, 1, gflops="0.001")
    expected = max(arrivals(program.message_list(65536))[1]) / 10**12
    assert replayed_s(tmp_path, processes, program.operations()) == pytest.approx(expected, rel=1e-5)


@for_each("schedule", ["gpipe", "1f1b"])
def test_simgrid_fills_and_drains_a_pipeline(tmp_path, schedule):
    work = pipeline(5, 7, 1_000_000, 1000, 2000, schedule)
    assert replayed_s(tmp_path, 5, operations_of(work)) == pytest.approx((7 + 4) * 3e-3, rel=1e-5)


def test_long_messages_that_all_processes_exchange_do_not_block_them(tmp_path):
    assert replayed_s(tmp_path, 16, operations_of(stencil((4, 4), 10_000_000, 3))) < 1e-3
