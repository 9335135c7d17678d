"""What a page says of a network of switches."""

import json
from collections.abc import Sequence

import numpy as np

from isoplane.models import Network
from isoplane.models.cabling.assumed_lengths import assumed_lengths
from isoplane.runs.drawing.block import Part
from isoplane.runs.drawing.quantities import format_change, format_metric, title_in_sentence, unit_of
from isoplane.runs.terminal.design_table import unit_for

from ..designs.evaluated import EvaluatedDesign
from ..report_data import ReportData

HASHES_SAME = "on the same site"
METHOD = "by graph distances and by following each route"
ROUTES = ("aspl", "diameter", "max_traffic", "throughput_per_node")
WITHOUT_UNIT = frozenset({"diameter", "max_traffic"})  # metrics without a unit in sentences


def title(data: ReportData) -> str:
    """Return the title of the page."""
    return data.network.title.replace("_", " ")


def subject(data: ReportData) -> str:
    """Return the subject of the sentence at the top."""
    page_title = title(data)
    return page_title[0].upper() + page_title[1:]


def results(data: ReportData) -> list[str]:
    """Return the time of a workload if there is one, or else distances and the throughput of a node."""
    return _time(data) or routes(data)


def _time(data: ReportData) -> list[str]:
    if data.workload is None:
        return []
    name, baseline = time_name(data), data.baseline
    if data.design.metrics.get(name) is None:
        return []
    takes = "takes" if name == "completion_ns" else "takes at least"
    known = baseline is not None and baseline.metrics.get(name) is not None
    before = f" instead of {time_text(baseline, data)}" if known and baseline is not None else ""
    return [f"{data.workload.name} {takes} {time_text(data.design, data)}{before}"]


def routes(data: ReportData) -> list[str]:
    """Return distances and the throughput of a node, under which policy of planes it holds where these differ."""
    texts = [text for name in ROUTES[:-1] if (text := metric_text(data, name))]
    throughput = metric_text(data, ROUTES[-1])
    planes, policy = data.network.planes, getattr(data.network.family, "policy", None)
    under = f" under policy {policy}" if policy and any(plane is not planes[0] for plane in planes) else ""
    return [*texts, f"{throughput}{under}"] if throughput else texts


def metric_text(data: ReportData, name: str) -> str:
    """Return a metric of the design in a sentence, beside that of the baseline if any; empty if it has none."""
    new = data.design.metrics.get(name)
    if new is None:
        return ""
    unit = "" if name in WITHOUT_UNIT else f" {unit_for(name, unit_of(name), data.design.design)}"
    text = f"{title_in_sentence(name)} {format_metric(name, new)}{unit}"
    old = None if data.baseline is None else data.baseline.metrics.get(name)
    return text if old is None else f"{text} instead of {format_metric(name, old)} ({format_change(new, old)})"


def time_text(other: EvaluatedDesign, data: ReportData) -> str:
    """Return the completion (or else bottleneck) time of a design, and the change from it to the page's design."""
    name, design = time_name(data), data.design
    text = f"{format_metric(name, other.metrics[name])} {unit_of(name)}"
    new, old = design.metrics[name], other.metrics[name]
    return text if other is design or new is None or old is None else f"{text} ({format_change(new, old)})"


def time_name(data: ReportData) -> str:
    """Return the metric that is the time of a workload: its completion, or its bottleneck if that is not computed."""
    return "completion_ns" if data.design.metrics.get("completion_ns") is not None else "bottleneck_ns"


def method(data: ReportData) -> str:
    """Return the method by which the reference recomputes the numbers of a design."""
    return METHOD


def formulas(data: ReportData) -> list[tuple[str, ...]]:
    """Return the formulas of any network of switches."""
    return [*_link_formulas(), *([] if data.network.site.layout is None else _cable_formulas(data.network))]


def sources(data: ReportData) -> str:
    """Return the sources listed below the formulas."""
    return ""


def _link_formulas() -> list[tuple[str, ...]]:
    """Return the formulas of any network of switches."""
    return [
        ("ASPL", "mean over all ordered pairs of nodes, including each node with itself, of the distance"),
        ("Distance", "hops of the shortest path between their switches, in the plane where it is shortest"),
        (
            "Load of a link",
            "every node sends a packet to every node along its route, in the plane where that is shortest, divided "
            "evenly among equally near planes; links of nodes are not counted",
        ),
        ("All-to-all throughput per node", "nodes / largest load: what each can send before a link is full"),
    ]


def _cable_formulas(network: Network) -> list[tuple[str, ...]]:
    switch, units = network.site.switch, network.delay_units
    misses = f" + {units.lookup / units.per_ns:g} ns for each miss in a cache" if units.lookup else ""
    return [
        (
            "Mean delay over the real routes",
            f"mean over ordered pairs of nodes of {units.endpoint / units.per_ns:g} ns + per link of the route "
            f"{units.hop / units.per_ns:g} ns + {float(switch.cable_delay_ns_per_m):g} ns/m of its cable{misses}",
        ),
        ("Cost per node", "price of interfaces, node cables, switches and cables between switches / nodes"),
    ]


def facts(data: ReportData) -> list[tuple[str, str]]:
    """Return facts about the planes."""
    network, layout = data.network, data.network.site.layout
    switches = [f"{count:,}" for count in data.design.plane_switches]
    alike = len(set(switches)) == 1
    plane = network.planes[0]  # of a node with several links, its first one
    at_each = np.bincount(plane.node_switch[plane.starts[:-1]], minlength=data.design.plane_switches[0])
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
    lengths = assumed_lengths(network.family)
    if layout is not None and lengths is not None:
        found.append(("Cable lengths", lengths))
    if network.family.assumed_cable_m is None:
        racks = "none"
        if layout is not None and network.floor is not None:
            racks = f"{len(network.floor.names):,} ({layout.name})"
        found.append(("Racks", racks))
    return found


def definition(data: ReportData) -> Sequence[Part]:
    """Return the parameters of any network."""
    lines = (f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.record["network"].items())
    return [Part.text("Its parameters, as in a record:"), Part.copyable(["{\n" + ",\n".join(lines) + "\n}"])]
