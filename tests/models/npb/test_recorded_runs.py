"""The skeletons send what recorded runs of the benchmarks sent: every pair, every size, every collective."""

from collections import Counter

import numpy as np

from isoplane.models.workloads.npb import skeleton
from tests.cases import for_each

from .recorded import RUNS, collectives_of, keys_of, messages_of, program_of, table


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
