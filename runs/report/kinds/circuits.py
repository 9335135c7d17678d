"""What a page says of a packet network with optical circuits."""

import json
from collections.abc import Sequence
from functools import singledispatch

from isoplane.models import Hybrid, Network, OpticalFamily
from isoplane.objectives.fluid.link_timing import link_timing
from isoplane.runs.drawing.block import Part
from isoplane.runs.drawing.quantities import bytes_text, format_number

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData
from .switches import routes, time_text

HASHES_SAME = "with the same circuits and placement"
FAIRNESS = "Bertsekas and Gallager, Data Networks, 2nd edition, section 6.5.2"
TAKIZAWA = "Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect"


def title(data: ReportData) -> str:
    """Return the title of the page."""
    return f"Hybrid network of {data.network.nodes:,} nodes"


def subject(data: ReportData) -> str:
    """Return the subject of the sentence at the top."""
    design = with_circuits(data.design)
    return f"{_count(len(design.circuits), 'circuit')} between {groups_text(design.hybrid)}"


def results(data: ReportData) -> list[str]:
    """Return times of the workload compared with the simplest design."""
    if data.workload is None or data.baseline is None:
        return routes(data)
    design, baseline = with_circuits(data.design), data.baseline
    verb = f"{data.workload.name} {'takes' if design.is_timed else 'keeps the busiest link busy for'}"
    text = f"{verb} {time_text(design, data)} instead of {time_text(baseline, data)} "
    text += "by packets alone" if len(design.circuits) else "placed by switch"
    others = map(with_circuits, data.compared)
    simplest = next(other for other in others if not len(other.circuits) and other.is_by_switch)
    return [text] if simplest is baseline else [text, f"{time_text(simplest, data)} if also placed by switch"]


def method(data: ReportData) -> str:
    """Return the method by which the reference recomputes the numbers of a design."""
    return "by its own forwarding tables and progressive filling"


def groups_text(hybrid: OpticalFamily) -> str:
    """Return number and size of the groups as text.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> groups_text(Hybrid(2, 1))
    '2 groups of 1 node'
    """
    return f"{_count(hybrid.groups, 'group')} of {_count(hybrid.nodes_per_group, 'node')}"


def _count(number: int, noun: str) -> str:
    return f"{f'{number:,}' if number else 'No'} {noun}{'' if number == 1 else 's'}"


def formulas(data: ReportData) -> list[tuple[str, ...]]:
    """Return the formulas of the numbers on a page, with the constants of the network."""
    return of_circuits(with_circuits(data.design).hybrid)


def sources(data: ReportData) -> str:
    """Return the sources listed below the formulas."""
    return "Rates are in Gbit/s, and 1 Gbit/s is one bit per nanosecond."


def of_circuits(hybrid: OpticalFamily) -> list[tuple[str, ...]]:
    """Return the formulas of a workload on a packet network with circuits.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> of_circuits(Hybrid())[1][1]
    'inside a group 2 · 20 + 420 = 460 ns; between groups 4 · 20 + 3 · 420 = 1340 ns; over a circuit 80 ns'
    """
    return [
        *_segments(hybrid),
        (
            "Rates",
            "max-min fair at every moment, by progressive filling: the rates of all transfers grow equally; when a "
            "link is full, the rates of those over it are fixed, and the others keep growing",
            FAIRNESS,
        ),
        (
            "Completion",
            "when the last message has arrived; with relay by messages, each segment begins when the previous one "
            "has ended; with relay by packets, a message is sent over all its segments at once",
            f"{TAKIZAWA}, section 2; {FAIRNESS}",
        ),
        (
            "Busy time of a link",
            "8 · bytes in one direction / rate; the bottleneck is the longest one, and no completion is shorter",
            "the capacity of a link",
        ),
        (
            "Round robin",
            "pairs of groups that communicate get a circuit in turn, each between their lowest free nodes; processes "
            "are placed by switch (SP) or by a balanced cut of their traffic (CP)",
            f"{TAKIZAWA}, section 2, steps 2 and 3",
        ),
    ]


@singledispatch
def _segments(hybrid: OpticalFamily) -> list[tuple[str, ...]]:
    """Return the formulas of routes and delays with any packet network."""
    return [
        (
            "Route of a message",
            "between groups over circuits, by distance vectors: a segment inside a group costs the largest sum of "
            f"1 / rate over a way between its nodes, a circuit 1 / {float(hybrid.circuit_gbps):g}; over the packet "
            "network inside a group, and between groups that no circuits connect",
            f"{TAKIZAWA}, section 2, step 4",
        ),
        (
            "Delay of a segment",
            f"over a circuit {float(hybrid.circuit_ns):g} ns; over the packet network the delays of all cables and "
            "switches on its way; a segment with several ways is divided among them by the plane policy",
        ),
    ]


@_segments.register
def _tree_segments(tree: Hybrid) -> list[tuple[str, ...]]:
    """Return the formulas of routes and delays with a tree of edge switches as packet network."""
    link, switch = float(tree.link_ns), float(tree.switch_ns)
    inside, between = 2 * link + switch, 4 * link + 3 * switch
    return [
        (
            "Route of a message",
            "between groups over circuits, by distance vectors: a segment inside a group costs "
            f"2 / {float(tree.node_gbps):g}, a circuit 1 / {float(tree.circuit_gbps):g}; over the packet network "
            "inside a group, and between groups that no circuits connect",
            f"{TAKIZAWA}, section 2, step 4",
        ),
        (
            "Delay of a segment",
            f"inside a group 2 · {link:g} + {switch:g} = {inside:g} ns; between groups 4 · {link:g} + 3 · {switch:g} = "
            f"{between:g} ns; over a circuit {float(tree.circuit_ns):g} ns",
            f"{TAKIZAWA}, Fig. 1 and Table 1",
        ),
    ]


def facts(data: ReportData) -> list[tuple[str, str]]:
    """Return facts about the packet network, the workload and the circuits."""
    design = with_circuits(data.design)
    hybrid, work = design.hybrid, design.messages
    sent_text = bytes_text(int(work.length_bytes.sum()))
    repeated = "once" if work.iterations == 1 else f"{work.iterations:,} times"
    return [
        ("Family", f"{hybrid.name}: packet network and optical circuits"),
        ("Nodes", f"{hybrid.nodes:,}: {groups_text(hybrid)}"),
        ("Optical ports", f"{hybrid.ports_per_node} at each node"),
        *_packet_network(hybrid, data.network),
        ("Longest packet", f"{hybrid.packet_bytes:,} bytes"),
        ("Workload", f"{work.name}: {work.messages:,} messages, {sent_text}, {repeated}"),
        ("Circuits", f"{len(design.circuits):,} of {_allowed_circuits(data, design):,} allowed"),
        ("Placement", design.placement_text),
    ]


@singledispatch
def _packet_network(hybrid: OpticalFamily, network: Network) -> list[tuple[str, str]]:
    gbps = sorted({float(rate) for rate in link_timing(network).rates_gbps})
    rates = ", ".join(format_number(rate, 6) for rate in gbps)
    return [
        ("Packet network", f"{hybrid.size_label.removeprefix('over ')}: {hybrid.switches:,} switches"),
        ("Rates", f"links {rates}, circuit {format_number(float(hybrid.circuit_gbps), 6)} Gbit/s"),
        ("Delay of a circuit", f"{format_number(float(hybrid.circuit_ns), 6)} ns"),
    ]


@_packet_network.register
def _tree_links(tree: Hybrid, network: Network) -> list[tuple[str, str]]:
    return [
        ("Rates", _list_links(tree, ("node_gbps", "up_gbps", "circuit_gbps"), "Gbit/s")),
        ("Delays", _list_links(tree, ("link_ns", "switch_ns", "circuit_ns"), "ns")),
    ]


def _allowed_circuits(data: ReportData, design: EvaluatedCircuits) -> int:
    """Return the maximum number of circuits of the search."""
    asked = (data.record["provenance"]["config"].get("network") or {}).get("circuits")
    return asked if isinstance(asked, int) else design.hybrid.max_circuits


def _list_links(tree: Hybrid, names: tuple[str, ...], unit: str) -> str:
    words = {"node": "node link", "up": "uplink", "link": "electrical link"}
    parts = []
    for name in names:
        short = name.rpartition("_")[0]
        parts.append(f"{words.get(short, short)} {format_number(float(getattr(tree, name)), 6)}")
    return f"{', '.join(parts)} {unit}"


def definition(data: ReportData) -> Sequence[Part]:
    """Return circuits and placement."""
    design = with_circuits(data.design)
    pairs = json.dumps([list(pair) for pair in design.circuits.pairs], separators=(",", ":"))
    nodes = json.dumps(list(design.placement.nodes), separators=(",", ":")).split(",")
    return [
        Part.text("Circuits as pairs of nodes, to copy:"),
        Part.copyable([pairs]),
        Part.text("The node of every process, to copy:"),
        Part.copyable([*(f"{node}," for node in nodes[:-1]), nodes[-1]]),
    ]
