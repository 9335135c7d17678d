"""The design: facts about the network and the search, and generators, circuits or parameters to copy."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isoplane.models import Hybrid
from isoplane.models.families.hybrid import tree_of
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.family_kinds.optical import optical_of
from isoplane.objectives import gap_text, relative_gaps
from isoplane.objectives.fluid.link_timing import link_timing
from isoplane.runs.drawing.block import Block, Columns, ConnectionSets, Copyable, Fact, Facts, Generator, Part, Text
from isoplane.runs.drawing.quantities import bytes_text, format_number
from isoplane.runs.records import proof_status, proven_variables, scope_of

from ..evaluated import EvaluatedDesign
from ..headline import groups_text
from ..objective_text import printed_text
from ..report_data import ReportData

ORDER = 10


def block(data: ReportData) -> Block:
    """Return facts, and the parameters that define the design."""
    definition = _generators(data) or _assignment(data) or _parameters(data)
    return Block("design", "Design", [Columns([[Facts(facts(data))], definition])])


def facts(data: ReportData) -> list[Fact]:
    """Return facts about the design and the run that found it, if any."""
    found = _circuit_facts(data) if data.network.family.has_circuits() else _plane_facts(data)
    return [Fact(name, text) for name, text in (*found, *_search_facts(data))]


def _plane_facts(data: ReportData) -> list[tuple[str, str]]:
    network, layout = data.network, data.network.site.layout
    switches = [f"{count:,}" for count in data.design.plane_switches]
    alike = len(set(switches)) == 1
    at_each = np.bincount(network.planes[0].node_switch, minlength=data.design.plane_switches[0])
    even = f", {at_each[0]} per switch" if (at_each == at_each[0]).all() else ""
    found = [
        ("Family", network.title),
        ("Planes", str(len(switches))),
        ("Switches", f"{switches[0]} in each plane" if alike and len(switches) > 1 else ", ".join(switches)),
        ("Nodes", f"{network.nodes:,}{even}"),
        ("Ports used per switch", f"at most {network.family.ports}"),
        ("Cables between switches", f"{network.family.cables:,}"),
    ]
    routing = getattr(network.family, "routing", None)
    if isinstance(routing, str):
        rules = [plane.routes.channels for plane in network.planes]
        classes = max(1 if rule is None else rule.classes for rule in rules)
        found.append(("Routing", routing if classes == 1 else f"{routing}, {classes} classes of virtual channels"))
    if network.family.lengths_from_layout:
        racks = "none"
        if layout is not None and network.floor is not None:
            racks = f"{len(network.floor.names):,} ({layout.name})"
        found.append(("Racks", racks))
    return found


def _circuit_facts(data: ReportData) -> list[tuple[str, str]]:
    hybrid, work = optical_of(data.network), data.design.messages
    sent_text = bytes_text(int(work.length_bytes.sum()))
    repeated = "once" if work.iterations == 1 else f"{work.iterations:,} times"
    return [
        ("Family", f"{hybrid.name}: packet network and optical circuits"),
        ("Nodes", f"{hybrid.nodes:,}: {groups_text(hybrid)}"),
        ("Optical ports", f"{hybrid.ports_per_node} at each node"),
        *(_tree_links(tree_of(hybrid)) if hybrid.is_tree else _packet_network(data)),
        ("Longest packet", f"{hybrid.packet_bytes:,} bytes"),
        ("Workload", f"{work.name}: {work.messages:,} messages, {sent_text}, {repeated}"),
        ("Circuits", f"{len(data.design.circuits):,} of {_allowed_circuits(data):,} allowed"),
        ("Placement", placement_text(data.design)),
    ]


def _tree_links(tree: Hybrid) -> list[tuple[str, str]]:
    return [
        ("Rates", _list_links(tree, ("node_gbps", "up_gbps", "circuit_gbps"), "Gbit/s")),
        ("Delays", _list_links(tree, ("link_ns", "switch_ns", "circuit_ns"), "ns")),
    ]


def _packet_network(data: ReportData) -> list[tuple[str, str]]:
    hybrid, family = optical_of(data.network), data.network.family
    gbps = sorted({float(rate) for rate in link_timing(data.network).rates_gbps})
    rates = ", ".join(format_number(rate, 6) for rate in gbps)
    return [
        ("Packet network", f"{hybrid.size_label.removeprefix('over ')}: {family.switches:,} switches"),
        ("Rates", f"links {rates}, circuit {format_number(float(hybrid.circuit_gbps), 6)} Gbit/s"),
        ("Delay of a circuit", f"{format_number(float(hybrid.circuit_ns), 6)} ns"),
    ]


def _allowed_circuits(data: ReportData) -> int:
    """Return the maximum number of circuits of the search."""
    asked = (data.record["provenance"]["config"].get("network") or {}).get("circuits")
    return asked if isinstance(asked, int) else optical_of(data.network).max_circuits


def placement_text(design: EvaluatedDesign) -> str:
    """Return how many processes are placed differently than by a scheduler that fills one switch after another."""
    if design.is_by_switch:
        return "by switch: process i on node i"
    own, group = np.array(design.placement.nodes), design.hybrid.group
    plain = np.arange(len(own))
    moved, away = int((plain != own).sum()), int((group[plain] != group[own]).sum())
    return f"{moved:,} processes moved from their by-switch nodes, {away:,} of them to other groups"


def _list_links(tree: Hybrid, names: tuple[str, ...], unit: str) -> str:
    words = {"node": "node link", "up": "uplink", "link": "electrical link"}
    parts = []
    for name in names:
        short = name.rpartition("_")[0]
        parts.append(f"{words.get(short, short)} {format_number(float(getattr(tree, name)), 6)}")
    return f"{', '.join(parts)} {unit}"


def _search_facts(data: ReportData) -> list[tuple[str, str]]:
    """Return facts about the score of a record and, if a search found it, about the search."""
    record, run = data.record, data.summary or {}
    if "score" not in record:
        return []
    provenance, names = record["provenance"], record["score_names"]
    found = [("Objective", str(record["objective"]))]
    if data.objective is not None:
        found.append(("Best value", printed_text(data.objective, record["score"], data.network)))
    found.append(("Score", score_text(names, record["score"])))
    found += [("Bound", score_text(names, record["bound"])), ("Gap: (score − bound) / score", _gaps(record))]
    source = record.get("bound_source")
    found.append(("Status", status_text(record, scope_of(data.network, source))))
    if any(low is not None for low in record["bound"]):
        outside = (variable.outside for variable in proven_variables(data.network, source))
        found += [("Not covered by bounds", text) for text in outside if text]
    if provenance["strategy"] is None:
        return found
    return [
        *found,
        ("Stopped by", str(run.get("stopped_by") or "unknown")),
        ("Strategy", str(provenance["strategy"])),
        ("Seed", str(provenance["seed"])),
        ("Evaluations", _or_unknown(run.get("evaluations"), 0)),
        ("Time", _or_unknown(run.get("seconds"), 2, " s")),
    ]


def score_text(names: list[str], values: list[int | None]) -> str:
    """Return the components of a score or bound, which are compared lexicographically.

    Examples
    --------
    >>> score_text(["sum_of_distances*max_load", "cable_length"], [80000, None])
    'sum_of_distances*max_load 80,000, then cable_length unknown'
    >>> score_text(["sum_of_distances"], [None])
    'unknown'
    """
    if all(value is None for value in values):
        return "unknown"
    pairs = zip(names, values, strict=False)
    return ", then ".join(f"{name} {'unknown' if value is None else format_number(value, 0)}" for name, value in pairs)


def status_text(record: Mapping[str, Any], scope: str) -> str:
    """Return the proof status of a record: of each component of its score, and of its front; and over what.

    Examples
    --------
    >>> scope, names = "all bases of plane 1", ["sum_of_distances", "cost"]
    >>> status_text({"score_names": names, "score": [800, 9], "bound": [800, 7]}, scope)
    'sum_of_distances optimal, cost feasible (gap 22.22 %), over all bases of plane 1'
    >>> on_front = {"score_names": names[:1], "score": [12], "bound": [9], "front": "complete"}
    >>> status_text(on_front, scope).split(";")[0]
    'on a complete front: proven over all bases of plane 1 that no design beats it'
    """
    known = proof_status(record["score_names"], record["score"], record["bound"], scope)
    if record.get("front") == "complete":
        return f"on a complete front: proven over {scope} that no design beats it; {known}"
    return known


def _gaps(record: Mapping[str, Any]) -> str:
    gaps = relative_gaps(record["score"], record["bound"])
    return ", then ".join(f"{name} {gap_text(gap)}" for name, gap in zip(record["score_names"], gaps, strict=True))


def _or_unknown(value: float | None, decimals: int, unit: str = "") -> str:
    return "unknown" if value is None else format_number(value, decimals) + unit


def _generators(data: ReportData) -> Sequence[Part]:
    """Return the generators of planes of cubes, and the config override that gives them."""
    if not data.network.family.is_cubes:
        return []
    cubes = cubes_of(data.network).planes
    sets = [list(cube.connections.generators) for cube in cubes[1:]]
    tables = ConnectionSets(
        [[Generator(g, f"{g:0{cube.n}b}", k == cube.n) for k, g in enumerate(cube.links)] for cube in cubes]
    )
    text = "Switch x has a cable to x ⊕ g for every generator g."
    if not sets:
        return [Text(text), tables]
    which = "set of plane 1" if len(sets) == 1 else "sets of all planes after plane 0"
    copied = json.dumps(sets[0] if len(sets) == 1 else sets)
    return [Text(f"{text} The connection {which}, to copy:"), Copyable([copied]), tables]


def _assignment(data: ReportData) -> Sequence[Part]:
    """Return circuits and placement, if any."""
    if not data.network.family.has_circuits():
        return []
    pairs = json.dumps([list(pair) for pair in data.design.circuits.pairs], separators=(",", ":"))
    nodes = json.dumps(list(data.design.placement.nodes), separators=(",", ":")).split(",")
    return [
        Text("Circuits as pairs of nodes, to copy:"),
        Copyable([pairs]),
        Text("The node of every process, to copy:"),
        Copyable([*(f"{node}," for node in nodes[:-1]), nodes[-1]]),
    ]


def _parameters(data: ReportData) -> Sequence[Part]:
    """Return the parameters of any network."""
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.record["network"].items())
    return [Text("Its parameters, as in a record:"), Copyable(["{\n" + ",\n".join(lines) + "\n}"])]
