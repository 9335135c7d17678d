"""Skeletons of the NAS parallel benchmarks: their messages, exact for every pair, with computing between them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from isoplane.models.checks import check_int, decimal_number, exact_number
from isoplane.models.errors import InputError

from ..programs import Program
from . import benchmarks
from .problem import Problem

CLASSES = ("S", "W", "A", "B", "C", "D")
MAX_ITERATIONS = 1 << 16
CODE = "code"
PER_COUNT = "workload.operations_per_count"


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
    >>> allowed_processes("bt", "S"), allowed_processes("dt", "A", "BH")[0]
    ((4, 9, 16), 21)
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
    operations_per_count: object = 1,
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
        Rate at which a process computes, in 10^9 operations per second; 0 if computing takes no time.
    graph
        Graph of `dt`: BH, WH or SH.
    operations_per_count
        Operations that a process executes for each that the benchmark counts: a number; ``code`` for those in the code
        of `ep` and `is`, which count random numbers and keys, and 1 for others, which count operations; or a table of
        numbers or ``code`` by benchmark, 1 for those that it leaves out.

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
    stated = stated_per_count(benchmark, operations_per_count)
    counted = module.operations_per_count(problem_class) if stated == CODE else stated
    per_count = exact_number(PER_COUNT, counted)
    program: Program = module.program(Problem(problem_class, processes, iterations, rate, graph or "", per_count))
    return program


def stated_per_count(benchmark: str, operations_per_count: object) -> int | float | str:
    """Return what `operations_per_count` of `skeleton` says of a benchmark: a number, or ``code`` if its code has one.

    Examples
    --------
    >>> stated_per_count("ep", {"ep": "code", "is": 9.5}), stated_per_count("cg", "code")
    ('code', 1)
    """
    if not isinstance(operations_per_count, Mapping):
        return _per_count(benchmark, operations_per_count)
    for name in operations_per_count:
        if name not in benchmark_names():
            raise InputError(f"{PER_COUNT}={{{name}: ...}}: expected {', '.join(benchmark_names())}")
    return {name: _per_count(name, given) for name, given in operations_per_count.items()}.get(benchmark, 1)


def _per_count(benchmark: str, given: object) -> int | float | str:
    if given == CODE:
        return CODE if hasattr(_module(benchmark), "operations_per_count") else 1
    try:
        exact_number(PER_COUNT, given, above=True)
    except InputError as error:
        expected = f"a number above 0, {CODE}, or a table of these by benchmark"
        raise InputError(f"{PER_COUNT}={given!r}: expected {expected}") from error
    number = decimal_number(PER_COUNT, given)
    if benchmark == "dt" and number != 1:
        raise InputError(f"{PER_COUNT}={number}: expected 1, since dt computes nothing")
    return number


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
