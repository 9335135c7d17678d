"""Skeletons of all classes and numbers of processes: legal ones run without waiting forever, others are rejected."""

from importlib import import_module

import numpy as np
import pytest

from isoplane.models.workloads.npb import CLASSES, allowed_processes, benchmark_names, skeleton
from isoplane.models.workloads.npb.key_counts import CLASSES as KEY_CLASSES
from isoplane.models.workloads.npb.key_counts import first_keys, sent_keys
from tests.cases import for_each

GRAPHS = {"dt": "SH"}
CASES = [(name, letter) for name in benchmark_names() for letter in CLASSES]


@for_each(("benchmark", "problem_class"), CASES)
def test_allowed_numbers_of_processes_have_counts(benchmark, problem_class):
    graph = GRAPHS.get(benchmark)
    allowed = allowed_processes(benchmark, problem_class, graph or "")
    assert allowed[-1] <= 1024
    if (benchmark, problem_class) == ("is", "D"):
        return  # its 2^31 keys take a minute
    for processes in allowed if problem_class == "S" else (allowed[0], allowed[-1]):
        program = skeleton(benchmark, problem_class, processes, graph=graph)
        counts = program.counts()
        assert counts.messages.min(initial=1) >= 1
        assert counts.size_bytes.min(initial=1) >= 1
        assert counts.source.max(initial=0) < processes
        assert counts.messages.sum() > 0 or benchmark in ("ep", "ft")


@for_each("benchmark", benchmark_names())
@for_each("eager_bytes", [0, 65536])
def test_no_process_waits_forever(benchmark, eager_bytes):
    allowed = allowed_processes(benchmark, "W", GRAPHS.get(benchmark, ""))
    processes = max(count for count in allowed if count <= 64)
    keys = {"graph": "SH"} if benchmark == "dt" else {"gflops": 1}
    program = skeleton(benchmark, "W", processes, 1, **keys)
    messages = program.message_list(eager_bytes)  # would be rejected with a cycle
    between = messages.source != messages.destination
    counts = program.counts(collectives=True)
    assert between.sum() == counts.messages[counts.source != counts.destination].sum()
    matrix = np.zeros((processes, processes), dtype=np.int64)
    np.add.at(matrix, (messages.source[between], messages.destination[between]), messages.length_bytes[between])
    assert (matrix == counts.matrix()).all()


@for_each("benchmark", [name for name in benchmark_names() if name != "dt"])
def test_processes_compute_for_the_operations_of_the_benchmark_at_their_rate(benchmark):
    processes = max(count for count in allowed_processes(benchmark, "W") if count <= 64)
    computed = []
    for iterations in (1,) if benchmark == "ep" else (1, 2):
        operations = skeleton(benchmark, "W", processes, iterations, gflops="0.5").operations()
        by_process = np.zeros(processes, dtype=np.int64)
        np.add.at(by_process, operations.process, np.where(operations.kind == 2, operations.value, 0))
        assert len(set(by_process.tolist())) == 1
        computed.append(int(by_process[0]))
    module = import_module(f"isoplane.models.workloads.npb.benchmarks.{benchmark}{'_' * (benchmark == 'is')}")
    expected = float(module.operations("W")) / (0.5e-3 * processes)  # operations per ps
    assert computed[-1] - sum(computed[:-1]) == pytest.approx(expected, rel=1e-4)


def test_keys_are_those_of_the_generator_one_by_one():
    state, keys = 314159265, []
    for _ in range(300):
        total = 0
        for _ in range(4):
            state = state * 5**13 % 2**46
            total += state
        keys.append(total * 2**9 // 2**46)  # a quarter of 2^11 times the sum of four fractions
    assert first_keys("S", 300).tolist() == keys


@for_each("processes", [2, 8, 32])
def test_every_key_is_sent_once(processes):
    for keys, _ in sent_keys("S", processes, 3):
        assert (keys.sum(axis=1) == (1 << KEY_CLASSES["S"].keys_log2) // processes).all()
