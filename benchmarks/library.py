"""A campaign for the largest cubes: ``python benchmarks/library.py FOLDER``, and ``... FOLDER --check 40``.

Every cell (family, dimension, objective) is searched from random starts, then in rounds from the best design found so
far, including the library's. Runs end after a number of evaluations set by the dimension, so the campaign is
reproducible on any machine; each has its own folder in FOLDER, and the same command resumes interrupted ones.
Improvements on `runs/best/` enter it after each round, once the reference has recomputed them.
`--check` draws cells by `--seed`, searches each for 60 s on one core with a new seed, and exits with 1 if a run
improves on the record. If those designs enter the library, a second check takes another `--seed`.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from best import FAMILIES, LARGEST_LAYOUT, PAGE, PROGRAM, keep, known_files, rewrite

from isoplane.runs.records import Record, read_record, write_record

OBJECTIVES = ("aspl", "aspl_and_traffic", "max_traffic")
# An evaluation takes time in proportion to the 2^n offsets: a run of this many offsets lasts about a minute on a core.
OFFSETS = 1_500_000_000_000
CHECK_SEED = 1000  # first seed of checks, beyond those of a campaign


@dataclass(frozen=True)
class Cell:
    """The subject of one record of the library."""

    family: str
    n: int
    objective: str

    @property
    def record(self) -> Record:
        """The best known design."""
        (path,) = known_files(self.family, self.n, self.objective)
        return read_record(path)


@dataclass(frozen=True)
class Run:
    """A search of a cell, in a folder of its own."""

    cell: Cell
    seed: int
    parent: Path
    stop: str
    start: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of the run."""
        cell = self.cell
        return self.parent / f"{cell.family}-n{cell.n}-{cell.objective}" / f"seed-{self.seed}"

    def best(self) -> Path:
        """Return the file of the best record of a completed run."""
        records = sorted((self.folder / "records").glob("*.json"))
        return min(records, key=lambda path: (read_record(path)["score"], path.name))


def run_search(run: Run) -> Run:
    """Search, or resume an interrupted run; a completed run is not repeated."""
    if (run.folder / "report.html").exists():
        return run
    cell = run.cell
    command = [str(PROGRAM), "search"]
    if (run.folder / "config.yaml").exists():
        command += [f"resume={run.folder}"]
    else:
        command += [f"network={cell.family}", f"network.n={cell.n}", f"objective={cell.objective}"]
        command += [] if cell.n <= LARGEST_LAYOUT else ["layout=none"]
        command += [run.stop, f"seed={run.seed}", f"hydra.run.dir={run.folder}"]
        command += [] if run.start is None else [f"warm_start={run.start}"]
    process = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} exited with {process.returncode}: {process.stderr}")
    print(f"{cell.family} n={cell.n} {cell.objective} seed={run.seed}: {read_record(run.best())['score']}", flush=True)
    return run


def in_parallel(runs: Iterable[Run], jobs: int) -> list[Run]:
    """Run all searches, `jobs` at a time, and return them in order."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(run_search, runs))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def campaign(cells: list[Cell], arguments: argparse.Namespace) -> None:
    """Search all cells from each seed, then from the best so far, and keep what is better than the library."""
    stops = {cell: f"stop.evaluations={arguments.offsets >> cell.n}" for cell in cells}
    records = {cell: [copy_record(cell.record, Run(cell, 0, arguments.folder, "").folder)] for cell in cells}
    cold = [Run(cell, seed, arguments.folder, stops[cell]) for seed in range(1, arguments.cold + 1) for cell in cells]
    add(records, in_parallel(cold, arguments.jobs))
    for seed in range(arguments.cold + 1, arguments.cold + arguments.warm + 1):
        starts = {cell: min(paths, key=lambda path: read_record(path)["score"]) for cell, paths in records.items()}
        warm = [Run(cell, seed, arguments.folder, stops[cell], starts[cell]) for cell in cells]
        add(records, in_parallel(warm, arguments.jobs))
    for cell, (first, *_) in records.items():
        score = read_record(first)["score"]
        print(f"{cell.family} n={cell.n} {cell.objective}: {score} -> {cell.record['score']}", flush=True)


def copy_record(record: Record, folder: Path) -> Path:
    """Copy the initial record of the library into a folder, once: campaigns may replace the one in the library."""
    old = sorted(folder.glob("*.json"))
    return old[0] if old else write_record(folder, record)


def add(records: dict[Cell, list[Path]], runs: list[Run]) -> None:
    """Add the records of runs to those of their cells, and improvements to the library."""
    improved = 0
    for run in runs:
        cell, path = run.cell, run.best()
        records[cell].append(path)
        improved += keep(known_files(cell.family, cell.n, cell.objective), [read_record(path)], cell.objective)
    if improved:
        rewrite(PAGE)


def draw_runs(cells: list[Cell], arguments: argparse.Namespace) -> Iterator[Run]:
    """Yield the new runs of a check: cells drawn by its seed, each with a seed of its own."""
    random = Random(arguments.seed)
    for seed in range(arguments.seed, arguments.seed + arguments.check):
        yield Run(random.choice(cells), seed, arguments.folder / "check", f"stop.seconds={arguments.seconds}")


def check(cells: list[Cell], arguments: argparse.Namespace) -> int:
    """Run new searches, and return 1 if one improves on a record."""
    improved = 0
    for run in in_parallel(draw_runs(cells, arguments), arguments.jobs):
        found, record = read_record(run.best())["score"], run.cell.record["score"]
        if found < record:
            improved += 1
            print(f"{run.cell}: seed {run.seed} finds {found}, the record has {record}")
    print(f"{improved} of {arguments.check} new runs of {arguments.seconds} s are better than the record")
    return int(improved > 0)


def main() -> int:
    """Run the campaign, or check the library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of all runs; an interrupted campaign continues in it")
    parser.add_argument("--n", type=int, nargs="+", default=range(13, 17))
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--objective", nargs="+", choices=OBJECTIVES, default=OBJECTIVES)
    parser.add_argument("--cold", type=int, default=6, help="rounds from random starts")
    parser.add_argument("--warm", type=int, default=1, help="rounds from the best design so far")
    parser.add_argument("--offsets", type=int, default=OFFSETS, help="evaluations of a run times 2^n")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time, each on one core")
    parser.add_argument("--check", type=int, metavar="RUNS", help="number of new runs to check the library against")
    parser.add_argument("--seconds", type=int, default=60, help="time of each new run")
    parser.add_argument(
        "--seed", type=int, default=CHECK_SEED, help="seed that draws the cells of a check, and that of its first run"
    )
    arguments = parser.parse_args()
    arguments.folder = arguments.folder.resolve()
    cells = [Cell(*cell) for cell in product(arguments.family, arguments.n, arguments.objective)]
    if arguments.check:
        return check(cells, arguments)
    campaign(cells, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
