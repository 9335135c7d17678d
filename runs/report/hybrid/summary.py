"""The top of the page: what was found, in one sentence, in a few numbers and in detail."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from isoplane.models import Hybrid, Network

from ..quantities import number
from ..summary import KeyFigure, search_facts
from .measures import MEASURES, bytes_text, significant
from .report_data import Assignment, ReportData

KEY_FIGURES = {
    "completion_ns": "Completion",
    "completion_by_packets_ns": "Completion, relay by packets",
    "bottleneck_ns": "Busiest link",
    "heaviest_load_bytes": "Heaviest load",
}


def sentence(data: ReportData) -> str:
    """Say what was found: the completion against the packet network alone."""
    design, baseline = data.design, data.baseline
    verb = f"{data.workload.name} {'takes' if data.is_timed else 'keeps the busiest link busy for'}"
    count = len(design.circuits)
    circuits = f"{count:,} circuit{'' if count == 1 else 's'}" if count else "No circuits"
    new, old = _time(design, data), _time(baseline, data)
    told = (
        f"{circuits} between {_groups(data.hybrid)}: {verb} {new} instead of {old} "
        f"{'by packets alone' if count else 'placed by switch'}"
    )
    plainest = next(other for other in data.others if not len(other.circuits) and other.is_by_switch)
    return told if plainest is baseline else f"{told}, {_time(plainest, data)} if also placed by switch"


def _time(other: Assignment, data: ReportData) -> str:
    """Return how long a design takes, or else its busiest link, and by how much the one of the page differs."""
    name, design = "completion_ns" if data.is_timed else "bottleneck_ns", data.design
    text = f"{MEASURES[name].written(other.metrics[name])} ms"
    return text if other is design else f"{text} ({MEASURES[name].change(design.metrics[name], other.metrics[name])})"


def baseline_name(data: ReportData) -> str:
    """Return what key figures are compared with, in few words."""
    return "packets alone" if len(data.design.circuits) else "by switch"


def key_figures(data: ReportData) -> list[KeyFigure]:
    """Return the times and the heaviest load, each against the packet network alone."""
    found = []
    for name, title in KEY_FIGURES.items():
        measure, new, old = MEASURES[name], data.design.metrics[name], data.baseline.metrics[name]
        values = (measure.written(new), measure.unit, measure.written(old))
        found.append(KeyFigure(title, *values, measure.change(new, old), measure.verdict(new, old)))
    return found


def facts(data: ReportData, summary: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return names and values of what identifies the design and the run that found it, if one did."""
    hybrid, work = data.hybrid, data.workload
    sent = bytes_text(int(work.length_bytes.sum()))
    often = "once" if work.iterations == 1 else f"{work.iterations:,} times"
    known = [
        ("Family", "hybrid: packet network and optical circuits"),
        ("Nodes", f"{hybrid.nodes:,}: {_groups(hybrid)}"),
        ("Optical ports", f"{hybrid.ports_per_node} at each node"),
        ("Rates", _listed(hybrid, ("node_gbps", "up_gbps", "circuit_gbps"), "Gbit/s")),
        ("Delays", _listed(hybrid, ("link_ns", "switch_ns", "circuit_ns"), "ns")),
        ("Longest packet", f"{hybrid.packet_bytes:,} bytes"),
        ("Workload", f"{work.name}: {work.messages:,} messages, {sent}, {often}"),
        ("Circuits", f"{len(data.design.circuits):,} of {data.allowed_circuits:,} allowed"),
        ("Placement", placement_text(data.design)),
    ]
    if data.objective is None:
        return known
    best = data.objective.printed(tuple(data.record["score"]), Network(hybrid))
    return known + search_facts(data.record, f"{significant(best)} ms", summary)


def placement_text(design: Assignment) -> str:
    """Return how many processes run elsewhere than a scheduler puts them that fills switch after switch."""
    if design.is_by_switch:
        return "by switch: process i on node i"
    own, group = np.array(design.placement.nodes), design.hybrid.group
    plain = np.arange(len(own))
    moved, away = int((plain != own).sum()), int((group[plain] != group[own]).sum())
    return f"{moved:,} processes on other nodes than by switch, {away:,} of them in other groups"


def copyable(data: ReportData) -> tuple[str, str]:
    """Return circuits and placement as lists that can be pasted elsewhere."""
    pairs = [list(pair) for pair in data.design.circuits.pairs]
    nodes = list(data.design.placement.nodes)
    return json.dumps(pairs, separators=(",", ":")), json.dumps(nodes, separators=(",", ":"))


def _groups(hybrid: Hybrid) -> str:
    nodes = "1 node" if hybrid.nodes_per_group == 1 else f"{hybrid.nodes_per_group:,} nodes"
    return f"{hybrid.groups:,} groups of {nodes}"


def _listed(hybrid: Hybrid, names: tuple[str, ...], unit: str) -> str:
    words = {"node": "node link", "up": "link up", "link": "electrical link"}
    parts = []
    for name in names:
        short = name.rpartition("_")[0]
        parts.append(f"{words.get(short, short)} {number(float(getattr(hybrid, name)), 6)}")
    return f"{', '.join(parts)} {unit}"
