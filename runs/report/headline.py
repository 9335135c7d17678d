"""The top of the page: the result in one sentence and a few numbers."""

from dataclasses import dataclass

from isoplane.models import HybridFamily, Network
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.models.family_kinds.optical import optical_of

from ..drawing.quantities import format_change, format_metric, short_title, title_in_sentence, unit_of, verdict
from .evaluated import EvaluatedDesign
from .report_data import ReportData

ROUTES = ("aspl", "diameter", "max_traffic", "throughput_per_node")
TIMES = ("completion_ns", "completion_by_packets_ns", "bottleneck_ns", "heaviest_load_bytes")
KEY_FIGURES = (*TIMES, *ROUTES, "delay_ns", "cost_usd_per_node")
WITH_UNIT = frozenset({"aspl", "throughput_per_node"})  # metrics with a unit in sentences
PLANES = {1: "Single", 2: "Dual", 3: "Triple"}


@dataclass(frozen=True)
class KeyFigure:
    """One of the large numbers at the top; `baseline` describes the comparison in a few words."""

    title: str
    value: str
    unit: str
    baseline: str = ""
    before: str = ""
    change: str = ""
    verdict: str = ""


def title(network: Network) -> str:
    """Return the title of the page.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> title(dual_cube(3, (3, 5, 7)))
    'Dual-plane isomorphic hypercube, n = 3'
    """
    if network.family.has_circuits():
        return f"Hybrid network of {network.nodes:,} nodes"
    if network.family.is_cubes and len(cubes_of(network).planes) > 1:
        planes = len(cubes_of(network).planes)
        kind = "folded hypercube" if cubes_of(network).folded else "hypercube"
        return f"{PLANES.get(planes, planes)}-plane isomorphic {kind}, n = {cubes_of(network).n}"
    return network.title.replace("_", " ")


def sentence(data: ReportData) -> str:
    """Return the result as a sentence, compared with the baseline if any.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.runs.records import design_content
    >>> sentence(ReportData(design_content(Design(dual_cube(3, (3, 5, 7)))))).split(", ")[1]
    'cabled differently: ASPL 1 hops instead of 1.5 (−33.3 %)'
    """
    return f"{_subject(data)}: {', '.join(_times(data) or _routes(data))}"


def key_figures(data: ReportData) -> list[KeyFigure]:
    """Return the most important metrics of the design, each compared with the baseline."""
    found = []
    for name in KEY_FIGURES:
        new = data.design.metrics.get(name)
        if new is None:
            continue
        own = KeyFigure(short_title(name), format_metric(name, new), unit_of(name))
        if data.baseline is not None:
            own = _compared(own, name, new, data.baseline.metrics.get(name), data.design.design.baseline_title)
        found.append(own)
    return found


def _compared(own: KeyFigure, name: str, new: float, old: float | None, baseline: str) -> KeyFigure:
    change = ("", "") if old is None else (format_change(new, old), verdict(name, new, old))
    return KeyFigure(own.title, own.value, own.unit, baseline, format_metric(name, old), *change)


def _subject(data: ReportData) -> str:
    network = data.network
    if network.family.has_circuits():
        return f"{_count(len(data.design.circuits), 'circuit')} between {groups_text(optical_of(network))}"
    if network.family.is_cubes and len(cubes_of(network).planes) > 1:
        cubes = cubes_of(network)
        planes = cubes.planes
        alike = all(plane.connections == planes[0].connections for plane in planes)
        count, kind = {2: "Two", 3: "Three"}.get(len(planes), len(planes)), "folded " if cubes.folded else ""
        return f"{count} {kind}{cubes.n}-cubes, cabled {'alike' if alike else 'differently'}"
    page_title = title(network)
    return page_title[0].upper() + page_title[1:]


def _routes(data: ReportData) -> list[str]:
    """Return distances and the throughput of a node."""
    found = []
    for name in ROUTES:
        new = data.design.metrics.get(name)
        if new is None:
            continue
        text = f"{title_in_sentence(name)} {format_metric(name, new)}{f' {unit_of(name)}' if name in WITH_UNIT else ''}"
        old = None if data.baseline is None else data.baseline.metrics.get(name)
        found.append(
            text if old is None else f"{text} instead of {format_metric(name, old)} ({format_change(new, old)})"
        )
    return found


def _times(data: ReportData) -> list[str]:
    """Return times of a workload compared with the simplest design; none without a workload."""
    design, baseline = data.design, data.baseline
    if data.workload is None or baseline is None:
        return []
    if not data.network.family.has_circuits():
        known = baseline.metrics.get("completion_ns") is not None and design.metrics.get("completion_ns") is not None
        return [f"{data.workload.name} takes {_time(design, data)} instead of {_time(baseline, data)}"] if known else []
    verb = f"{data.workload.name} {'takes' if design.is_timed else 'keeps the busiest link busy for'}"
    text = f"{verb} {_time(design, data)} instead of {_time(baseline, data)} "
    text += "by packets alone" if len(design.circuits) else "placed by switch"
    simplest = next(other for other in data.compared if not len(other.circuits) and other.is_by_switch)
    return [text] if simplest is baseline else [text, f"{_time(simplest, data)} if also placed by switch"]


def _time(other: EvaluatedDesign, data: ReportData) -> str:
    """Return the completion (or else bottleneck) time of a design, and the change from it to the page's design."""
    name, design = "completion_ns" if data.design.is_timed else "bottleneck_ns", data.design
    text = f"{format_metric(name, other.metrics[name])} {unit_of(name)}"
    new, old = design.metrics[name], other.metrics[name]
    return text if other is design or new is None or old is None else f"{text} ({format_change(new, old)})"


def groups_text(hybrid: HybridFamily) -> str:
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
