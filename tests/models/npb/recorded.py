"""Recorded runs of the benchmarks, read from `tests/data/npb/`."""

import csv
import gzip
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import numpy as np

from isoplane.models.workloads.npb import skeleton

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
