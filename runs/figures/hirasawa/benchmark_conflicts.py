"""Fig. 6: conflicts and hit rates of caches at the input ports of a torus that runs the NAS parallel benchmarks.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 4.1 and 4.3.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from isoplane.models import InputError, Network, RoutingCache
from isoplane.models.arrays import Ints
from isoplane.models.families.torus import Torus
from isoplane.models.steps import step
from isoplane.models.workloads.npb import CLASSES, allowed_processes, benchmark_names, skeleton
from isoplane.objectives.caches import evicted_by_conflicts, evicted_share_of_random_ids, port_streams
from isoplane.runs.config.config_values import choice_of
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, label
from isoplane.runs.figures.checked import Checked, CheckedStatement
from isoplane.runs.figures.figure import Compute, Figure
from isoplane.runs.published import hirasawa_numbers
from isoplane.runs.terminal.table import Table

from .beside_paper import Ours, benchmarks_of, compared, figure_of, switches_of
from .id_conflicts import caches_of

SHAPE = (4, 4, 4)
PROCESSES = 256  # as many as a benchmark runs with, up to these
SWITCH_NODES = {64: 1, 256: 4}  # nodes at a switch by the number of nodes, which share the processes
GRAPHS = ("BH", "WH", "SH")  # of DT; the paper does not say which
PAPER_CLASS = "A"
READING = (
    "Every message of a benchmark, those of collective operations included, looks up its destination once at the input "
    "port of each switch on its route; by packet, each of its packets does. Caches begin empty, and without conflicts "
    "a port misses each of its destinations once. The entries are these destinations, counted at every port; conflicts "
    "evict those beyond the ways of their set. Hit rates are those with the most ways; where conflicts evict some even "
    "then, they are upper bounds (at most), since more misses depend on the order of messages, which is not replayed. "
    "The ids of nodes are consecutive. Of 64 nodes each runs four processes, whose messages "
    "to each other pass no port; 256 nodes are four at each switch."
)
RANDOM = (
    "The share of the entries that conflicts evict on average if the id of each destination is as likely in each set, "
    "from the number of destinations at every port."
)


class _Run(NamedTuple):
    """The look-ups of a benchmark at all ports, and how many of their entries conflicts evict by number of ways."""

    benchmark: str
    processes: int
    nodes: int
    look_ups: int
    packets: int
    entries: int
    evicted: Mapping[int, int]
    expected: Mapping[int, Fraction]

    @property
    def hit_rate(self) -> Fraction:
        """Share of the look-ups that hit if conflicts evict nothing."""
        return 1 - Fraction(self.entries, self.look_ups)

    @property
    def packet_hit_rate(self) -> Fraction:
        """The same if each packet looks up."""
        return 1 - Fraction(self.entries, self.packets)

    def evicted_share(self, ways: int) -> Fraction:
        """Share of the entries that conflicts evict."""
        return Fraction(self.evicted[ways], self.entries)

    def rate_text(self, rate: Fraction) -> str:
        """Return a hit rate, which conflicts at the most ways can only lower."""
        return f"{'at most ' if self.evicted[max(self.evicted)] else ''}{_percent(rate)}"


def _percent(share: Fraction) -> str:
    return f"{100 * float(share):.3f} %" if share else "0 %"


def check(data: Mapping[str, Any]) -> Compute:
    """Require numbers of ways that divide the entries, benchmarks and a class."""
    switch, _ = switches_of(data, "cache.entries", "cache.hash", "packet_bytes")
    assert switch.cache is not None
    caches = caches_of(switch.cache, data["sizes"], max(SWITCH_NODES))
    if not switch.packet_bytes:
        raise InputError("switch.packet_bytes=0: expected a number above 0")
    letter = choice_of("problem_class", data["problem_class"], CLASSES)
    chosen = benchmarks_of(data)
    packet_bytes = switch.packet_bytes
    programs = list(_programs(chosen, letter))
    return lambda _: _figure(list(_runs(programs, letter, caches, packet_bytes)), letter, packet_bytes)


def _programs(benchmarks: Sequence[str], letter: str) -> Iterator[tuple[str, str | None, int]]:
    """Yield each benchmark, and graph of DT, with its processes: as many as it allows up to 256."""
    for name in benchmarks:
        for graph in GRAPHS if name == "dt" else (None,):
            allowed = [count for count in allowed_processes(name, letter, graph or "") if count <= PROCESSES]
            if not allowed:
                raise InputError(
                    f"problem_class={letter}: {name} {graph or ''} needs more than {PROCESSES} processes; expected a "
                    "smaller class, or other benchmarks"
                )
            yield name, graph, allowed[-1]


def _runs(
    programs: Sequence[tuple[str, str | None, int]], letter: str, caches: Sequence[RoutingCache], packet_bytes: int
) -> Iterator[_Run]:
    """Yield a run of each program on each number of nodes."""
    for nodes, at_switch in SWITCH_NODES.items():
        network = Network(Torus(shape=SHAPE, nodes_per_switch=at_switch, node_cable_m=2.0))
        for name, graph, processes in programs:
            title = f"{name} {graph}" if graph else name
            with step(f"messages of {title} on {nodes} nodes"):
                counts = skeleton(name, letter, processes, graph=graph).counts(collectives=True)
            node = np.arange(processes) // (PROCESSES // nodes)
            packets = np.maximum(1, -(-counts.size_bytes // packet_bytes))
            pairs, columns = _pairs(
                node[counts.source], node[counts.destination], (counts.messages, counts.messages * packets)
            )
            yield _run(_Run(title, processes, nodes, 0, 0, 0, {}, {}), network, pairs, columns, caches)


def _pairs(source: Ints, destination: Ints, columns: Sequence[Ints]) -> tuple[tuple[Ints, Ints], list[Ints]]:
    """Return the pairs of different nodes, each once, and the sums of some columns over its messages."""
    between = source != destination
    pairs, pair = np.unique(
        np.stack([source[between], destination[between]]).reshape(2, -1), axis=1, return_inverse=True
    )
    sums = [np.zeros(pairs.shape[1], dtype=np.int64) for _ in columns]
    for total, column in zip(sums, columns, strict=True):
        np.add.at(total, pair.ravel(), column[between])
    return (pairs[0], pairs[1]), sums


def _run(
    run: _Run,
    network: Network,
    pairs: tuple[Ints, Ints],
    columns: Sequence[Ints],
    caches: Sequence[RoutingCache],
) -> _Run:
    """Return a run with its look-ups, by the destinations that pass each port, whatever the order of messages."""
    start, pair, _ = port_streams(network, *pairs)
    # Routes are single paths, so every pair passes a port once, and those to the same destination share an entry.
    ports = [np.unique(pairs[1][pair[a:b]]) for a, b in pairwise(start) if b > a]
    look_ups, packets = (int(column[pair].sum()) for column in columns)
    entries = sum(map(len, ports))
    evicted = {cache.ways: sum(evicted_by_conflicts(cache, ids) for ids in ports) for cache in caches}
    sizes, counts = np.unique([len(ids) for ids in ports], return_counts=True)
    expected = {
        cache.ways: sum(
            (
                int(count * size) * evicted_share_of_random_ids(cache, int(size))
                for size, count in zip(sizes, counts, strict=True)
            ),
            Fraction(0),
        )
        / entries
        for cache in caches
    }
    return run._replace(look_ups=look_ups, packets=packets, entries=entries, evicted=evicted, expected=expected)


def _tables(runs: Sequence[_Run], reading: str) -> Mapping[str, tuple[str, Table, str]]:
    """Return the table of the benchmarks, and that of random ids beside it."""

    def evicted(number: int, run: _Run) -> str:
        return _percent(run.evicted_share(number))

    def expected(number: int, run: _Run) -> str:
        return _percent(run.expected[number])

    named = {f"{number} way{'' if number == 1 else 's'}": number for number in sorted(runs[0].evicted)}
    first: dict[str, Callable[[_Run], object]] = {
        "benchmark": lambda run: run.benchmark,
        "nodes": lambda run: run.nodes,
    }
    columns: dict[str, Callable[[_Run], object]] = {
        **first,
        "processes": lambda run: run.processes,
        "look-ups": lambda run: run.look_ups,
        "entries": lambda run: run.entries,
        **{f"evicted, {name}": partial(evicted, number) for name, number in named.items()},
        "hits, by message": lambda run: run.rate_text(run.hit_rate),
        "hits, by packet": lambda run: run.rate_text(run.packet_hit_rate),
    }
    random: dict[str, Callable[[_Run], object]] = {
        **first,
        **{name: partial(expected, number) for name, number in named.items()},
    }
    return {
        "": ("Evicted entries and hits", Table.of(runs, columns, range(1, len(columns))), reading),
        "-random-ids": ("Evicted entries with random ids", Table.of(runs, random, range(1, len(random))), RANDOM),
    }


def _figure(runs: Sequence[_Run], letter: str, packet_bytes: int) -> Figure:
    checked = list(_compared(runs)) if letter == PAPER_CLASS else []
    ways = min(runs[0].evicted)
    worst = max(run.evicted_share(ways) for run in runs)
    least = min(runs, key=lambda run: run.hit_rate)
    evicted = f"up to {_percent(worst)}" if worst else "none"
    sentence = (
        f"At {ways} way{'' if ways == 1 else 's'}, conflicts evict {evicted} of the entries; hit rates with cold "
        f"misses begin at {least.rate_text(least.hit_rate)}, of {least.benchmark} on {least.nodes} nodes"
    )
    chart = (
        lambda axes: _draw(axes, runs),
        "On the left the entries that conflicts evict: crosses of consecutive ids, dots expected of random ids, filled "
        "for 256 nodes. On the right hit rates with cold misses; dotted lines are the paper's, the lower one for DT.",
    )
    reading = f"{READING} The benchmarks are of class {letter}, packets of {packet_bytes} bytes."
    return figure_of("fig6", _tables(runs, reading), checked, list(_beside(runs, letter)), chart, sentence)


def _compared(runs: Sequence[_Run]) -> Iterator[CheckedStatement]:
    """Compare the numbers of the paper on each number of nodes, as far as its benchmarks are run."""
    for nodes in SWITCH_NODES:
        here = [run for run in runs if run.nodes == nodes]
        if {run.benchmark.split()[0] for run in here} != set(benchmark_names()):
            continue
        ours: dict[tuple[str, int | None], Fraction] = {}
        others = [run.hit_rate for run in here if not run.benchmark.startswith("dt")]
        for ways in here[0].evicted:
            shares = {run.evicted_share(ways) for run in here}
            ours["share of entries that conflicts evict at n ways", ways] = 100 * max(shares)
            if shares == {0}:  # else hit rates depend on the order of messages
                ours["least hit rate at n ways", ways] = 100 * min(others)
                ours["greatest hit rate at n ways", ways] = 100 * max(others)
        yield from (_on_nodes(nodes, result) for result in compared(["Fig 6"], ours))
        for run in here:
            if run.benchmark.startswith("dt") and not any(run.evicted.values()):
                rate: Ours = {("hit rate at n ways", ways): 100 * run.hit_rate for ways in run.evicted}
                yield from (_on_nodes(nodes, result, run.benchmark) for result in compared(["Fig 6"], rate))


def _on_nodes(nodes: int, result: CheckedStatement, benchmark: str = "") -> CheckedStatement:
    ours = f"{result.ours} ({benchmark})" if benchmark else result.ours
    return Checked(f"{nodes} nodes, {result.stated}", ours, result.verdict)


def _beside(runs: Sequence[_Run], letter: str) -> Iterator[str]:
    """Yield which benchmarks hit less than the paper says, and what it leaves open."""
    (limit,) = [number.value for number in hirasawa_numbers() if number.metric.startswith("least hit rate")]
    below = {
        nodes: [run.benchmark for run in runs if run.nodes == nodes and 100 * run.hit_rate < limit]
        for nodes in (SWITCH_NODES if letter == PAPER_CLASS else ())
    }
    for nodes, names in below.items():
        if names:
            yield (
                f"On {nodes} nodes {', '.join(names)} hit less than {float(limit):g} % of their look-ups, "
                "since they send few messages for each destination that a port must miss once."
            )
    yield (
        "The paper does not say which messages or packets its traces count, which graph DT has, how 256 processes "
        "share 64 switches, nor where it counts hits."
    )


def _draw(axes: Sequence[Axes], runs: Sequence[_Run]) -> None:
    """Draw evicted entries on the left, and hit rates on the right."""
    names = list(dict.fromkeys(run.benchmark for run in runs))
    for number, ways in enumerate(sorted(runs[0].evicted)):
        colour = PLANE_COLOURS[number % len(PLANE_COLOURS)]
        for nodes in SWITCH_NODES:
            here = [run for run in runs if run.nodes == nodes]
            places = [names.index(run.benchmark) for run in here]
            fill = "full" if nodes == max(SWITCH_NODES) else "none"
            text = f"{ways} way{'' if ways == 1 else 's'}" if fill == "full" else None
            expected = [100 * float(run.expected[ways]) for run in here]
            axes[0].plot(places, expected, "o", color=colour, fillstyle=fill, markersize=5, label=text)
            axes[0].plot(
                places, [100 * float(run.evicted_share(ways)) for run in here], "x", color=colour, markersize=5
            )
    for nodes, colour in zip(SWITCH_NODES, ("plane0", "plane1"), strict=True):
        here = [run for run in runs if run.nodes == nodes]
        places = [names.index(run.benchmark) for run in here]
        axes[1].plot(places, [100 * float(r.hit_rate) for r in here], "o", color=LIGHT[colour], label=f"{nodes} nodes")
    for published in hirasawa_numbers():
        if published.figure == "Fig 6" and "hit rate" in published.metric and not published.metric.startswith("great"):
            axes[1].axhline(float(published.value), color=LIGHT["ink"], linestyle=":", linewidth=1)
    for panel, text in zip(axes, ("evicted entries (%)", "hits, cold misses included (%)"), strict=True):
        panel.set_xticks(range(len(names)), names, rotation=45, ha="right")
        label(panel, "benchmark", text)
    axes[0].legend(loc="upper left")
    axes[1].legend(loc="lower left")
