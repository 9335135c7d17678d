"""Skeletons of the benchmarks send what recorded runs sent, for all classes and numbers of processes."""

import csv
import gzip
from collections import Counter, defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from isoplane.models.workloads.npb import CLASSES, allowed_processes, benchmark_names, skeleton
from tests.cases import for_each

FOLDER = Path(__file__).parents[2] / "data" / "npb"


@cache
def table(name):
    """Return the rows of a file as dictionaries of text."""
    text = (FOLDER / name).read_bytes()
    text = gzip.decompress(text) if name.endswith(".gz") else text
    return list(csv.DictReader(text.decode().splitlines()))


@cache
def by_run(name):
    """Return the rows of a file by run."""
    found = defaultdict(list)
    for row in table(name):
        found[row["run"]].append(row)
    return found


RUNS = [row["run"] for row in table("runs.csv")]


def program_of(run):
    """Return the skeleton of a run, with its number of processes."""
    benchmark, problem_class, processes, *graph = run.split("-")
    return skeleton(benchmark, problem_class, int(processes), graph=graph[0] if graph else None), int(processes)


def messages_of(run):
    """Return the recorded numbers of messages by source, destination and size."""
    names = ("source", "destination", "size")
    return {tuple(int(row[name]) for name in names): int(row["messages"]) for row in by_run("messages.csv.gz")[run]}


def collectives_of(run, processes):
    """Return the recorded calls of a process by collective, bytes and members."""
    calls = Counter()
    for row in by_run("collectives.csv.gz")[run]:
        members = processes if row["group"] == "world" else int(row["group"].split()[0])
        calls[row["collective"], int(row["bytes"]), members] += int(row["calls"])
    return calls


def keys_of(run, processes):
    """Return the recorded bytes of exchanges of keys, by source and destination."""
    matrix = np.zeros((processes, processes), dtype=np.int64)
    for row in by_run("keys.csv.gz")[run]:
        matrix[int(row["source"]), int(row["destination"])] = int(row["bytes"])
    return matrix


def test_there_are_119_runs_of_nine_benchmarks():
    assert (len(RUNS), len({run.split("-")[0] for run in RUNS})) == (119, 9)
    assert sum(run.startswith("is-") for run in RUNS) == 16


@for_each("run", RUNS)
def test_a_skeleton_sends_the_messages_of_the_recorded_run(run):
    program, _ = program_of(run)
    counts = program.counts()
    rows = zip(counts.source.tolist(), counts.destination.tolist(), counts.size_bytes.tolist(), strict=True)
    assert dict(zip(rows, counts.messages.tolist(), strict=True)) == messages_of(run)
    recorded = next(row for row in table("runs.csv") if row["run"] == run)
    assert (int(counts.messages.sum()), counts.total_bytes) == (int(recorded["messages"]), int(recorded["bytes"]))


@for_each("run", RUNS)
def test_a_skeleton_has_the_collective_operations_of_the_recorded_run(run):
    program, processes = program_of(run)
    calls = Counter()
    for part, times in program.collectives():
        if part.name == "alltoallv":
            (sent,) = set(part.size_bytes.sum(axis=1).tolist())  # every process sends equally much
        else:
            sent = part.size_bytes
        calls[part.name, sent, part.groups.shape[1]] += times
    assert calls == collectives_of(run, processes)


@for_each("run", [run for run in RUNS if run.startswith("is-")])
def test_keys_go_where_the_recorded_run_sent_them(run):
    program, processes = program_of(run)
    exchanges = [(part, times) for part, times in program.collectives() if part.name == "alltoallv"]
    assert sum(times for _, times in exchanges) == 11
    assert (sum(part.size_bytes * times for part, times in exchanges) == keys_of(run, processes)).all()


@for_each("row", table("volumes.csv"))
def test_totals_of_large_runs_are_those_derived_from_the_definitions(row):
    benchmark, *graph = row["benchmark"].lower().split()
    arguments = (benchmark, row["class"], int(row["ranks"]))
    keys = {"graph": graph[0].upper()} if graph else {}
    expected = np.array([int(row["messages"]), int(row["bytes"])])
    if row["scope"] == "one time step":
        once, twice = (totals(*arguments, iterations) for iterations in (1, 2))
        assert (twice - once == expected).all()
    else:
        assert (totals(*arguments, **keys) == expected).all()


def totals(*arguments, **keys):
    """Return the messages and bytes of a skeleton."""
    counts = skeleton(*arguments, **keys).counts()
    return np.array([counts.messages.sum(), counts.total_bytes])


GRAPHS = {"dt": "SH"}
CASES = [(name, letter) for name in benchmark_names() for letter in CLASSES]


@for_each(("benchmark", "problem_class"), CASES)
def test_allowed_numbers_of_processes_have_counts(benchmark, problem_class):
    graph = GRAPHS.get(benchmark)
    allowed = allowed_processes(benchmark, problem_class, graph or "")
    assert allowed[-1] <= 1024
    if benchmark == "is" and problem_class in "BCD":
        return  # the 2^31 keys of class D take a minute
    few = allowed[:2] + allowed[-1:] if benchmark == "dt" else allowed
    for processes in {"S": few, "W": allowed[-1:], "A": allowed[-1:]}.get(problem_class, allowed[:1]):
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
