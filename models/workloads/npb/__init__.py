"""Skeletons of the NAS parallel benchmarks: their messages, exact for every pair, with computing between them."""

from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from isoplane.models.checks import check_int, exact_number
from isoplane.models.errors import InputError

from ..programs import Program
from . import benchmarks
from .problem import Problem

CLASSES = ("S", "W", "A", "B", "C", "D")
MAX_ITERATIONS = 1 << 16


@cache
def benchmark_names() -> tuple[str, ...]:
    """Return the names of all benchmarks, in alphabetical order.

    Examples
    --------
    >>> benchmark_names()
    ('bt', 'cg', 'dt', 'ep', 'ft', 'is', 'lu', 'mg', 'sp')
    """
    return tuple(sorted(module.name.rstrip("_") for module in iter_modules(benchmarks.__path__)))


def allowed_processes(benchmark: str, problem_class: str, graph: str = "") -> tuple[int, ...]:
    """Return the numbers of processes up to 1,024 with which a benchmark runs.

    Examples
    --------
    >>> allowed_processes("bt", "S"), allowed_processes("dt", "A", "BH")
    ((4, 9, 16), (21,))
    """
    counts: tuple[int, ...] = _module(benchmark).processes(problem_class, *([graph] if benchmark == "dt" else []))
    return counts


def skeleton(
    benchmark: str,
    problem_class: str,
    processes: int,
    iterations: int | None = None,
    gflops: object = 0,
    graph: str | None = None,
) -> Program:
    """Return the program of a benchmark: its messages and collective operations, and computing between them.

    Parameters
    ----------
    benchmark
        One of `benchmark_names`.
    problem_class
        S, W, A, B, C or D.
    processes
        Number of processes, one of `allowed_processes`.
    iterations
        Number of timed iterations; None for that of the class.
    gflops
        Rate at which a process computes, in 10^9 operations per second as the benchmark counts them; 0 if computing
        takes no time.
    graph
        Graph of `dt`: BH, WH or SH.

    References
    ----------
    Bailey et al., The NAS Parallel Benchmarks, 1994; NPB 3.3.1, in its version for MPI.

    Examples
    --------
    >>> counts = skeleton("cg", "A", 16).counts()
    >>> int(counts.messages.sum()), counts.total_bytes
    (47104, 559325184)
    """
    if benchmark not in benchmark_names():
        raise InputError(f"workload.benchmark={benchmark!r}: expected {', '.join(benchmark_names())}")
    if problem_class not in CLASSES:
        raise InputError(f"workload.problem_class={problem_class!r}: expected {', '.join(CLASSES)}")
    _check_graph(benchmark, graph)
    allowed = allowed_processes(benchmark, problem_class, graph or "")
    if isinstance(processes, bool) or not isinstance(processes, int) or processes not in allowed:
        raise InputError(
            f"workload.processes={processes!r}: expected for {benchmark} of class {problem_class} {_listed(allowed)}"
        )
    module = _module(benchmark)
    if iterations is None:
        iterations = module.ITERATIONS[problem_class]
    check_int("workload.iterations", iterations, 1, MAX_ITERATIONS)
    rate = exact_number("workload.gflops", gflops)
    _check_fixed(benchmark, iterations, rate)
    program: Program = module.program(Problem(problem_class, processes, iterations, rate, graph or ""))
    return program


def _check_graph(benchmark: str, graph: str | None) -> None:
    graphs = _module("dt").GRAPHS
    if benchmark != "dt" and graph is not None:
        raise InputError(f"workload.graph={graph!r}: allowed with workload.benchmark=dt")
    if benchmark == "dt" and graph not in graphs:
        raise InputError(f"workload.graph={graph!r}: expected {', '.join(graphs)}")


def _check_fixed(benchmark: str, iterations: int, gflops: Fraction) -> None:
    if benchmark in ("dt", "ep") and iterations != 1:
        raise InputError(f"workload.iterations={iterations}: expected 1, since {benchmark} has no more")
    if benchmark == "dt" and gflops:
        raise InputError(f"workload.gflops={float(gflops):g}: expected 0, since dt computes nothing")


def _module(benchmark: str) -> ModuleType:
    return import_module(f"{benchmarks.__name__}.{benchmark}{'_' if benchmark == 'is' else ''}")


def _listed(counts: tuple[int, ...]) -> str:
    """Return numbers as text, without the inner ones of runs of three or more."""
    runs: list[list[int]] = []
    for count in counts:
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
