"""Evaluation rates: the kernel alone, from Python, inside annealing, and compared with igraph.

Run `python benchmarks/kernel.py`; with `--check` it exits with 1 if a goal is missed. All are timed on one core in many
short repetitions; the fastest counts, which suppresses noise from other processes. `--write` puts the table into
`docs/benchmarks.md`, with the date and the processor.
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pages import replace_table

from isoplane.models import ConnectionSet, Cube, Site
from isoplane.objectives import CUBES, Lexicographic, _native, available_isas, chosen_isa, evaluate_batch
from isoplane.objectives.reference import plane_graph
from isoplane.search import Anneal, ConnectionSets
from isoplane.search.core.methods import methods_of

# Goals: nanoseconds per candidate by instruction set, and speed-up over igraph.
KERNEL_NS = {8: {"avx2": 110, "avx512": 70}, 12: {"avx2": 2000, "avx512": 700}}
MIN_SPEEDUP_OVER_IGRAPH = {8: 5_000, 12: 50_000}
BATCH_OVERHEAD_PERCENT = 5
MIN_ANNEAL_RATE_PERCENT = 60
SLOW_TURNS = 5  # turns of igraph and of instruction sets that are not in use
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BATCH = {8: 20_000, 12: 2_000}  # a turn lasts about 2 ms


@dataclass
class Times:
    """The fastest turn of each, in nanoseconds per candidate; NaN if not timed."""

    kernel: float = np.nan
    batch: float = np.nan
    anneal: float = np.nan
    igraph: float = np.nan

    def record(self, name: str, nanoseconds: float) -> None:
        """Keep the smaller time."""
        setattr(self, name, float(np.fmin(getattr(self, name), nanoseconds)))


def random_bases(n: int, count: int) -> NDArray[np.uint32]:
    """Return random bases from elementary row operations.

    All bases share the order of rows but draw their own combinations.
    """
    rng = np.random.default_rng(n)
    bases = np.tile(np.array([1 << i for i in range(n)], dtype=np.uint32), (count, 1))
    for i in np.concatenate([rng.permutation(n) for _ in range(8)]):
        others = np.delete(np.arange(n), i)
        mask = rng.integers(0, 2, size=(count, n - 1), dtype=np.uint32)
        bases[:, i] ^= np.bitwise_xor.reduce(bases[:, others] * mask, axis=1)
    return bases


def nanoseconds(work: Callable[[], object]) -> float:
    """Wall-clock time of a call."""
    start_time = time.perf_counter_ns()
    work()
    return float(time.perf_counter_ns() - start_time)


def annealing_ns(n: int, folded: bool) -> Iterator[float]:
    """Time one chain of the default search, for sum and max load alone, turn after turn."""
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"),), CUBES)
    setup = methods_of(ConnectionSets(n, folded, site=Site(layout=None))).chain_setup(objective, (Anneal(),))
    assert setup is not None
    chain = setup.searcher(0, setup.first(1, 0, None))
    while True:
        yield nanoseconds(lambda: chain.run(BATCH[n])) / BATCH[n]


def measure(n: int, folded: bool, turns: int) -> dict[str, Times]:
    """Time every instruction set, in turns. Only the chosen one is timed from Python and in annealing."""
    generators = random_bases(n, BATCH[n])
    graph = plane_graph(Cube(ConnectionSet(n, tuple(generators[0].tolist())), folded))
    annealing = annealing_ns(n, folded)
    found = {isa: Times() for isa in available_isas()}
    chosen = found[chosen_isa()]
    for turn in range(turns):
        for isa, times in found.items():
            if times is chosen or turn < SLOW_TURNS:
                times.record("kernel", _native.time_kernel(generators, folded, 1, isa))
        chosen.record("batch", nanoseconds(lambda: evaluate_batch(generators, folded)) / len(generators))
        chosen.record("anneal", next(annealing))
        if turn < SLOW_TURNS:
            chosen.record("igraph", nanoseconds(graph.average_path_length))
    return found


def goal(value: float, unit: str, limit: float | None, above: bool = False) -> tuple[str, bool]:
    """Return a value with its goal as text, and whether the goal is met."""
    if not np.isfinite(value):
        return "", True
    text = f"{value:,.1f}{unit}" if value < 1000 else f"{value:,.0f}{unit}"
    if limit is None:
        return text, True
    met = value >= limit if above else value <= limit
    return f"{text} ({'>=' if above else '<='} {limit:,}{unit}: {'yes' if met else 'no'})", met


def row(n: int, folded: bool, isa: str, times: Times) -> tuple[list[str], bool]:
    """Return the cells of a line, and whether all its goals are met."""
    cells = [
        goal(times.kernel, " ns", KERNEL_NS[n].get(isa)),
        goal(times.batch, " ns", None),
        goal(100 * (times.batch / times.kernel - 1), " %", BATCH_OVERHEAD_PERCENT),
        goal(times.anneal, " ns", None),
        goal(100 * times.kernel / times.anneal, " %", MIN_ANNEAL_RATE_PERCENT, above=True),
        goal(times.igraph / 1e6, " ms", None),
        goal(times.igraph / times.kernel, "x", MIN_SPEEDUP_OVER_IGRAPH[n], above=True),
    ]
    names = [str(n), "folded" if folded else "plain", isa]
    return names + [text for text, _ in cells], all(met for _, met in cells)


def processor() -> str:
    """Return the processor's name and the available instruction sets of the kernel."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return f"{model[1] if model else 'an unknown processor'} ({', '.join(available_isas())})"


def write(lines: list[str], turns: int) -> None:
    """Put a table into the page, with what was run, where and when."""
    today = datetime.now(UTC).date().isoformat()
    caption = f"Measured by `python benchmarks/kernel.py --turns {turns} --write` on {processor()}, {today}:"
    replace_table(PAGE, "kernel", [caption, "", "```text", *lines, "```"])


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--turns", type=int, default=300, help="number of repetitions")
    parser.add_argument("--n", type=int, nargs="+", choices=list(BATCH), default=list(BATCH), help="dimensions")
    parser.add_argument("--write", action="store_true", help="write the table into docs/benchmarks.md as well")
    options = parser.parse_args()
    lines = [["n", "family", "isa", "kernel", "batch", "overhead", "anneal", "of kernel's rate", "igraph", "ratio"]]
    all_met = True
    for n in options.n:
        for folded in (False, True):
            for isa, times in measure(n, folded, options.turns).items():
                cells, met = row(n, folded, isa, times)
                lines.append(cells)
                all_met = all_met and met
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    print("\n".join(table))
    if options.write:
        write(table, options.turns)
    return int(options.check and not all_met)


if __name__ == "__main__":
    sys.exit(main())
