"""Figs. 7 to 9: how much faster the NAS parallel benchmarks are with routing-table caches in the switches.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, section 5.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product
from statistics import mean, median
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from isoplane.models import Family, InputError, Network, Site
from isoplane.models.checks import check_int, exact_number, shown
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import ProgramWorkload, npb
from isoplane.models.workloads.npb import CLASSES, benchmark_names
from isoplane.models.workloads.npb_workload import EAGER_BYTES
from isoplane.objectives.fluid import StepRuns, step_runs
from isoplane.objectives.general.arrays import in_threads
from isoplane.runs.config.config_values import choice_of
from isoplane.runs.drawing.drawing import LIGHT, label
from isoplane.runs.figures.checked import AGREES, DIFFERS, Checked, CheckedStatement, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.published import hirasawa_numbers
from isoplane.runs.terminal.table import Table

from .beside_paper import benchmarks_of, figure_of, stated, switches_of
from .latencies import CABLE_M

GRAPHS = {"BH": 43, "WH": 43, "SH": 192}  # of DT: the paper does not say which; with the nodes of class B
SMALLER = ("is", "ft")  # of class A in the paper, all others of class B
COUNTED = ("ep", "is")  # count fewer operations than their code executes
FEW = ("dt", "ep")  # of which one mean is without
GOAL = 3  # points by which the means may differ, since compute rates and settings of SimGrid are not published
MOST_MESSAGES = 4_000_000  # of a run, for narrower intervals of chaotic ones: a minute of one core for all nine
SHAPES = {16: (4, 2, 2), 64: (4, 4, 4), 256: (8, 8, 4), 1024: (16, 8, 8)}  # of tori
DEGREE = 6  # of the random graphs
READINGS = {  # the longest message that is sent without waiting for its arrival, and the rules of the fluid model
    "rendezvous": (0, ("sender", "equal")),
    "buffered": (EAGER_BYTES, ("sender", "equal")),
    "simgrid": (EAGER_BYTES, ("both", "cm02")),
}
USED = ("delay_ns", "cable_delay_ns_per_m", "link_gbps", "routing_ns", "cache.hit_ns")
READING = (
    "A gain is the completion without caches over that with them, minus 1, each the median of nine runs that differ in "
    "jitter; beside it are the least and the greatest ratio run by run, over all graphs. A gain not larger than their "
    "difference is within its spread. Processes are on nodes in order, one at each switch; cables are 4 m long, and no "
    "packet misses. A process awaits the arrival of what it sends (rendezvous), or up to 64 KiB not (buffered), also "
    "by the rules of SimGrid (simgrid). The last columns have the steps simulated: of periodic ones the time is exact, "
    "of batch means the half-width is that of the 95 % interval of the mean of their runs."
)
MEANS = (
    "Means of the gains of the benchmarks; of DT, that of its graphs. EP counts random numbers and IS keys: with "
    "operations_per_count=code each stands for the operations behind it in the code of the benchmark."
)
CAPTION = "Gains of the benchmarks, and below and above them the least and the greatest of a run."
BESIDE = ("The paper states neither the compute rates nor SimGrid's settings, nor which benchmarks are in the mean.",)


class _Case(NamedTuple):
    """A benchmark, and how it is run."""

    switches: int
    reading: str
    benchmark: str
    graph: str | None
    per_count: str  # 1, or code

    @property
    def title(self) -> str:
        """The benchmark, its graph, and whether operations behind its counts are meant."""
        count = f", {self.per_count}" if self.per_count != "1" else ""
        return f"{self.benchmark}{f' {self.graph}' if self.graph else ''}{count}"


class _Gain(NamedTuple):
    """Runs of a case with and without caches, on each network."""

    case: _Case
    cached: Sequence[StepRuns]
    conventional: Sequence[StepRuns]

    @property
    def of_networks(self) -> list[float]:
        """Gain in per cent on each network."""
        pairs = zip(self.cached, self.conventional, strict=True)
        return [100 * (median(without.runs_ns) / median(runs.runs_ns) - 1) for runs, without in pairs]

    @property
    def runs_ns(self) -> list[tuple[int, int]]:
        """Completion of the runs of all networks with and without caches."""
        pairs = zip(self.cached, self.conventional, strict=True)
        return [both for runs, without in pairs for both in zip(runs.runs_ns, without.runs_ns, strict=True)]

    @property
    def per_cent(self) -> float:
        """Mean gain over the networks."""
        return mean(self.of_networks)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest gain of a run."""
        gains = [100 * (without / run - 1) for run, without in self.runs_ns]
        return min(gains), max(gains)

    @property
    def judged(self) -> str:
        """Whether the gain counts."""
        low, high = self.ends
        if abs(self.per_cent) <= high - low:
            return "within its spread"
        return "gains" if self.per_cent > 0 else "loses"


def check_tori(data: Mapping[str, Any]) -> Compute:
    """Require sizes of tori, benchmarks and a class."""
    torus, sizes = Torus(assumed_cable_m=CABLE_M, node_cable_m=CABLE_M), ascending(data["sizes"], 8, 1024, "size")
    if not set(sizes) <= set(SHAPES):
        raise InputError(f"sizes={shown(sizes)}: expected {', '.join(map(str, SHAPES))}")
    return _check(data, sizes, lambda switches: [replace(torus, shape=SHAPES[switches])])


def check_random(data: Mapping[str, Any]) -> Compute:
    """Require sizes and a number of random graphs, benchmarks and a class."""
    sizes = ascending(data["sizes"], 8, 1024, "number of switches")
    graphs, seed = check_int("replications", data["replications"], 1, 1000), check_int("seed", data["seed"], 0)
    graph = RandomRegular(degree=DEGREE, nodes_per_switch=1, assumed_cable_m=CABLE_M, node_cable_m=CABLE_M)
    return _check(data, sizes, lambda size: [replace(graph, switches=size, seed=k) for k in range(seed, seed + graphs)])


def _check(data: Mapping[str, Any], sizes: Sequence[int], families: Callable[[int], Sequence[Family]]) -> Compute:
    switch, conventional = switches_of(data, *USED)
    letter = None if data["problem_class"] is None else choice_of("problem_class", data["problem_class"], CLASSES)
    if not isinstance(data["readings"], list) or not data["readings"]:
        raise InputError(f"readings={shown(data['readings'])}: expected a list of some of {', '.join(READINGS)}")
    readings = list(dict.fromkeys(choice_of("readings", value, READINGS) for value in data["readings"]))
    cases = list(_cases(benchmarks_of(data), sizes, readings))
    work = [_workload(case, letter, data["gflops"]) for case in cases]
    half_width = float(exact_number("half_width_percent", data["half_width_percent"], 0, 100, above=True) / 100)
    name = str(data["figure"])

    def compute(_: object) -> Figure:
        tasks = [
            (Network(family, Site(switch=model)), one, half_width, READINGS[case.reading][1], MOST_MESSAGES)
            for case, one in zip(cases, work, strict=True)
            for family in families(case.switches)
            for model in (switch, conventional)
        ]
        runs = iter(in_threads(lambda part: step_runs(*tasks[part.start]), len(tasks), 1, name))
        of_cases = [list(islice(runs, 2 * len(families(case.switches)))) for case in cases]
        return _figure(name, [_Gain(case, of[::2], of[1::2]) for case, of in zip(cases, of_cases, strict=True)])

    return compute


def _cases(benchmarks: Sequence[str], sizes: Sequence[int], readings: Sequence[str]) -> Iterator[_Case]:
    """Yield what is run, with the graphs of DT that have enough switches."""
    for size, reading, name in product(sizes, readings, benchmarks):
        graphs = [graph for graph, nodes in GRAPHS.items() if nodes <= size or graph == "BH"]
        for graph, per_count in product(graphs if name == "dt" else [None], ("1", "code")):
            if per_count == "1" or name in COUNTED:
                yield _Case(size, reading, name, graph, per_count)


def _workload(case: _Case, letter: str | None, gflops: object) -> ProgramWorkload:
    """Return a benchmark with a process for each switch, by default of the class of the paper."""
    name = case.benchmark
    return npb(
        name,
        letter or ("A" if name in SMALLER else "B"),
        case.switches,
        gflops=0 if name == "dt" else gflops,
        graph=case.graph,
        eager_bytes=READINGS[case.reading][0],
        operations_per_count=case.per_count if case.per_count == "code" else 1,
    )


class _Mean(NamedTuple):
    """Mean gain of the benchmarks on some switches."""

    switches: int
    reading: str
    per_count: str
    without: tuple[str, ...]
    of_networks: tuple[float, ...]

    @property
    def per_cent(self) -> float:
        """Mean over the networks, too."""
        return mean(self.of_networks)

    @property
    def title(self) -> str:
        """What the mean is of, besides the switches."""
        without = f", without {' and '.join(self.without)}" if self.without else ""
        return f"{self.reading}, operations_per_count={self.per_count}{without}"


def _means(gains: Sequence[_Gain]) -> Iterator[_Mean]:
    """Yield the means over all benchmarks, and over all but those that communicate little."""
    keys = dict.fromkeys((gain.case.switches, gain.case.reading) for gain in gains)
    for (switches, reading), per_count, without in product(keys, ("1", "code"), ((), FEW)):
        of_benchmark: dict[str, list[list[float]]] = {}
        for gain in gains:
            case, name = gain.case, gain.case.benchmark
            is_here = (case.switches, case.reading) == (switches, reading) and name not in without
            if is_here and (name not in COUNTED or case.per_count == per_count):
                of_benchmark.setdefault(name, []).append(gain.of_networks)
        # Of each benchmark the mean over its graphs, network by network.
        columns = [[mean(of_graphs) for of_graphs in zip(*rows, strict=True)] for rows in of_benchmark.values()]
        if columns:
            yield _Mean(switches, reading, per_count, without, tuple(map(mean, zip(*columns, strict=True))))


COLUMNS: Mapping[str, Callable[[_Gain], object]] = {
    "switches": lambda gain: gain.case.switches,
    "reading": lambda gain: gain.case.reading,
    "benchmark": lambda gain: gain.case.title,
    "gain": lambda gain: f"{gain.per_cent:.2f} %",
    "least": lambda gain: f"{gain.ends[0]:.2f} %",
    "greatest": lambda gain: f"{gain.ends[1]:.2f} %",
    "verdict": lambda gain: gain.judged,
    "with caches": lambda gain: "; ".join(dict.fromkeys(runs.text for runs in gain.cached)),
    "without": lambda gain: "; ".join(dict.fromkeys(runs.text for runs in gain.conventional)),
}
MEAN_COLUMNS: Mapping[str, Callable[[_Mean], object]] = {
    "switches": lambda mean: mean.switches,
    "reading": lambda mean: mean.reading,
    "operations_per_count": lambda mean: mean.per_count,
    "benchmarks": lambda mean: f"without {', '.join(mean.without)}" if mean.without else "all",
    "mean gain": lambda mean: f"{mean.per_cent:.2f} %",
    "of networks": lambda mean: f"{min(mean.of_networks):.2f} to {max(mean.of_networks):.2f} %",
}
RUN_COLUMNS = ("switches", "reading", "benchmark", "network", "run", "with_caches_ns", "without_ns", "gain_percent")


def _run_rows(gains: Sequence[_Gain]) -> Iterator[list[str]]:
    for gain in gains:
        case = str(gain.case.switches), str(gain.case.reading), gain.case.title
        for number, (cached, without) in enumerate(gain.runs_ns):
            network, run = divmod(number, len(gain.runs_ns) // len(gain.cached))
            yield [*case, *map(str, (network, run, cached, without)), f"{100 * (without / cached - 1):.4f}"]


def _figure(name: str, gains: Sequence[_Gain]) -> Figure:
    means = list(_means(gains))
    tables = {
        "": ("Gains", Table.of(gains, COLUMNS, range(3, 6)), READING),
        "-means": ("Mean gains", Table.of(means, MEAN_COLUMNS, (4, 5)), MEANS),
    }
    lowest, highest = (function(means, key=lambda mean: mean.per_cent) for function in (min, max))
    sentence = f"Mean gain of the benchmarks: {lowest.per_cent:.1f} to {highest.per_cent:.1f} %, by reading"
    readings = list(dict.fromkeys((gains[0].case.reading, gains[-1].case.reading)))  # the first and the last
    chart = partial(_draw, gains=gains, readings=readings), CAPTION
    figure = figure_of(name, tables, list(_checked(name, gains, means)), BESIDE, chart, sentence, len(readings))
    return replace(figure, tables={**figure.tables, "-runs": Table(RUN_COLUMNS, list(_run_rows(gains)), range(3, 8))})


def _checked(name: str, gains: Sequence[_Gain], means: Sequence[_Mean]) -> Iterator[CheckedStatement]:
    """Compare the mean of the paper with ours, and whether all benchmarks gain, and more on more switches."""
    if {gain.case.benchmark for gain in gains} == set(benchmark_names()):
        for number in hirasawa_numbers():
            for mine in means:
                if number.figure == name.replace("fig", "Fig ") and number.n == mine.switches:
                    apart = abs(mine.per_cent - float(number.value))
                    near = f"within {GOAL} points" if apart <= GOAL else DIFFERS
                    judged = AGREES if apart <= number.precision else near
                    yield Checked(stated(number), f"{mine.per_cent:.2f} % ({mine.title})", judged)
    for reading in dict.fromkeys(gain.case.reading for gain in gains):
        here = [gain for gain in gains if gain.case.reading == reading]
        least = min(here, key=lambda gain: gain.ends[0])
        ours = f"at least {least.ends[0]:.2f} %, {least.case.title} on {least.case.switches} switches"
        yield Checked(f"every benchmark gains in every run, {reading}", ours, verdict(least.ends[0] > 0))
    for few, many in product(means, means):
        if few.switches < many.switches and few[1:-1] == many[1:-1]:
            ours = f"{few.per_cent:.2f} % on {few.switches}, {many.per_cent:.2f} % on {many.switches}"
            yield Checked(f"the mean gain grows, {few.title}", ours, verdict(many.per_cent > few.per_cent))


def _draw(axes: Sequence[Axes], gains: Sequence[_Gain], readings: Sequence[str]) -> None:
    for panel, reading in zip(axes, readings, strict=True):
        here = [gain for gain in gains if gain.case.reading == reading]
        titles = list(dict.fromkeys(gain.case.title for gain in here))
        for number, size in enumerate(dict.fromkeys(gain.case.switches for gain in here)):
            of_size = [gain for gain in here if gain.case.switches == size]
            places = [titles.index(gain.case.title) for gain in of_size]
            heights, ends = [gain.per_cent for gain in of_size], [gain.ends for gain in of_size]
            colour = LIGHT[f"plane{number % 2}"]
            panel.vlines(places, *zip(*ends, strict=True), color=colour, linewidth=1)
            panel.plot(places, heights, "o", color=colour, markersize=4, label=f"{size} switches")
        panel.set_xticks(range(len(titles)), titles, rotation=60, ha="right", fontsize=7)
        label(panel, reading, "gain (%)")
        panel.legend(loc="upper left")
