"""The top of the page: what was found, in one sentence, in a few numbers and in detail."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isoplane.objectives import CubeObjective, gap_text, relative_gaps
from isoplane.runs.records import standing

from .charts.convergence import printed_title
from .quantities import QUANTITIES, change, number, verdict, written
from .report_data import EvaluatedNetwork, ReportData

SHORT = {
    "aspl": "ASPL",
    "max_traffic": "all-to-all traffic",
    "delay_ns": "delay",
    "cost_usd_per_node": "cost",
}


@dataclass(frozen=True)
class KeyFigure:
    """One of the large numbers at the top."""

    title: str
    value: str
    unit: str
    before: str
    change: str
    verdict: str


@dataclass(frozen=True)
class Generator:
    """A generator as it is printed."""

    decimal: int
    binary: str
    folded_link: bool


def sentence(design: EvaluatedNetwork, identical: EvaluatedNetwork) -> str:
    """Say what was found: ASPL and traffic against identical planes.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from .report_data import evaluated
    >>> network = dual_cube(3, (3, 5, 7))
    >>> sentence(evaluated("", network), evaluated("", network.baseline)).split(", ")[1]
    'cabled differently: ASPL 1 hops instead of 1.5 (−33.3 %)'
    """
    network = design.network
    cubes = f"Two {'folded ' if network.cubes.folded else ''}{network.cubes.n}-cubes"
    alike = network.cubes.planes[0].connections == network.cubes.planes[1].connections
    return (
        f"{cubes}, cabled {'alike' if alike else 'differently'}: ASPL {_instead('aspl', design, identical, ' hops')}, "
        f"all-to-all traffic {_instead('max_traffic', design, identical)}"
    )


def _instead(metric: str, design: EvaluatedNetwork, identical: EvaluatedNetwork, unit: str = "") -> str:
    new, old = design.metrics[metric], identical.metrics[metric]
    assert new is not None
    assert old is not None
    return f"{written(metric, new)}{unit} instead of {written(metric, old)} ({change(new, old)})"


def key_figures(data: ReportData) -> list[KeyFigure]:
    """Return ASPL and traffic, and delay and cost where there is a layout, each against identical planes."""
    found = []
    for metric, title in SHORT.items():
        new, old = data.design.metrics[metric], data.identical.metrics[metric]
        if new is not None and old is not None:
            unit, values = QUANTITIES[metric].unit, (written(metric, new), written(metric, old))
            title = title[0].upper() + title[1:]
            found.append(KeyFigure(title, values[0], unit, values[1], change(new, old), verdict(metric, new, old)))
    return found


def generators(data: ReportData, plane: int) -> list[Generator]:
    """Return the generators of a plane, the folded link last."""
    cube = data.network.cubes.planes[plane]
    return [Generator(g, f"{g:0{cube.n}b}", k == cube.n) for k, g in enumerate(cube.links)]


def copyable(data: ReportData) -> str:
    """Return the connection set of plane 1 as a list that can be pasted elsewhere."""
    return json.dumps(list(data.network.cubes.planes[1].connections.generators))


def facts(data: ReportData, summary: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return names and values of what identifies the design and the run that found it, if one did."""
    network = data.network
    family = "folded hypercube" if network.cubes.folded else "hypercube"
    racks = (
        "none"
        if network.site.layout is None
        else f"{network.site.layout.racks(network.cubes.plane_switches):,} ({network.site.layout.name})"
    )
    return [
        ("Family", f"dual-plane {family}, n = {network.cubes.n}"),
        ("Switches", f"{network.cubes.plane_switches:,} in each of 2 planes"),
        ("Nodes", f"{network.nodes:,}, {network.cubes.nodes_per_switch} at each switch"),
        ("Ports per switch", str(network.cubes.ports)),
        ("Racks", racks),
        *([] if data.objective is None else search_facts(data.record, _best(data, data.objective), summary)),
    ]


def search_facts(record: Mapping[str, Any], best: str, summary: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return names and values of what a search found and how, with its best value as people read it."""
    provenance, run = record["provenance"], summary or {}
    return [
        ("Objective", str(record["objective"])),
        ("Best value", best),
        ("Score", score_text(record["score_names"], record["score"])),
        ("Bound", score_text(record["score_names"], record["bound"])),
        ("Gap: (score − bound) / score", _gaps(record)),
        ("Status", status_text(record)),
        ("Stopped by", str(run.get("stopped_by") or "unknown")),
        ("Strategy", str(provenance["strategy"])),
        ("Seed", str(provenance["seed"])),
        ("Evaluations", _or_unknown(run.get("evaluations"), 0)),
        ("Time", _or_unknown(run.get("seconds"), 2, " s")),
    ]


def _best(data: ReportData, objective: CubeObjective) -> str:
    """Return the first component of the score as people read it."""
    value = number(objective.printed(tuple(data.record["score"]), data.network))
    return f"{value}, {printed_title(objective).removeprefix('best ')}"


def score_text(names: list[str], values: list[int | None]) -> str:
    """Return the components of a score or bound, which are compared one after the other.

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
    return ", then ".join(f"{name} {'unknown' if value is None else number(value, 0)}" for name, value in pairs)


def status_text(record: Mapping[str, Any]) -> str:
    """Return what is proven of a record: of each component of its score, and of the front that it is on.

    Examples
    --------
    >>> status_text({"score_names": ["sum_of_distances", "cost"], "score": [800, 9], "bound": [800, 7]})
    'sum_of_distances optimal, cost feasible (gap 22.22 %)'
    >>> status_text({"score_names": ["delay*cost"], "score": [12], "bound": [9], "front": "complete"})
    'on a complete front: proven that no design beats it; delay*cost feasible (gap 25.00 %)'
    """
    known = standing(record["score_names"], record["score"], record["bound"])
    if record.get("front") == "complete":
        return f"on a complete front: proven that no design beats it; {known}"
    return "optimal, proven" if known == "optimal" else known


def _gaps(record: Mapping[str, Any]) -> str:
    gaps = relative_gaps(record["score"], record["bound"])
    return ", then ".join(f"{name} {gap_text(gap)}" for name, gap in zip(record["score_names"], gaps, strict=True))


def _or_unknown(value: float | None, decimals: int, unit: str = "") -> str:
    return "unknown" if value is None else number(value, decimals) + unit
