"""The page of any network of switches, put together from its sections."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from isoplane.objectives import METRIC_TABLE
from isoplane.objectives.general import general_limits

from ..comparison import Cell, Row, Table
from ..formulas import Formula
from ..packets_section import Computed, packets_sections
from ..quantities import number, written
from ..run import Run
from ..summary import KeyFigure, score_text, status_text
from ..template import Section
from .charts import cables, distances, loads
from .report_data import NetworkData, network_data_of

TEMPLATE = "general.html.jinja"
KEY_FIGURES = ("aspl", "diameter", "throughput_per_node", "max_traffic", "delay_ns", "cost_usd_per_node")


def general_values(record: Mapping[str, Any], run: Run) -> dict[str, object]:
    """Return what the template needs for the network of a record; drawn in the current style of matplotlib.

    Raises
    ------
    InputError
        If the models refuse a value of the record.
    """
    data = network_data_of(record)
    seen = packets_sections(Computed(*general_limits(data.network)), run.simulations)
    found = [section for made in SECTIONS if (section := made(data)) is not None]
    return {
        "title": data.network.title,
        "sentence": _sentence(data),
        "key_figures": _key_figures(data),
        "baseline": "",
        "facts": _facts(data),
        "parameters": json.dumps(record["network"], indent=2, ensure_ascii=False),
        "disagreements": data.disagreements(),
        "comparison_title": "Metrics",
        "table": _table(data),
        "sections": [*found, *seen],
        "checked_by": "by the distances of graphs and by routes walked one by one",
        "same_id": "the same for records of this network on the same site",
        "formulas": formulas(data),
        "sources": "",
    }


def _sentence(data: NetworkData) -> str:
    told = [f"ASPL {_number('aspl', data)} hops", f"diameter {data.distances.diameter}"]
    if data.throughput is not None:
        told.append(f"{number(data.throughput)} link capacities for each node under all-to-all traffic")
    title = data.network.title
    return f"{title[0].upper()}{title[1:]}: {', '.join(told)}"


def _number(name: str, data: NetworkData) -> str:
    return written(name, data.metrics[name])


def _key_figures(data: NetworkData) -> list[KeyFigure]:
    shown = [name for name in KEY_FIGURES if data.metrics.get(name) is not None]
    return [
        KeyFigure(METRIC_TABLE[name].title, _number(name, data), METRIC_TABLE[name].unit, "", "", "") for name in shown
    ]


def _facts(data: NetworkData) -> list[tuple[str, str]]:
    """Return names and values of what identifies the network."""
    network, record = data.network, data.record
    switches = [f"{count:,}" for count in network.plane_switches]
    same = len(set(switches)) == 1
    found = [
        ("Family", network.name),
        ("Planes", str(len(network.planes))),
        ("Switches", f"{switches[0]} in each plane" if same and len(switches) > 1 else ", ".join(switches)),
        ("Nodes", f"{network.nodes:,}"),
        ("Ports used per switch", f"at most {network.family.ports}"),
        ("Cables between switches", f"{network.family.cables:,}"),
    ]
    if "score" in record:
        score = score_text(record["score_names"], record["score"])
        found += [("Objective", str(record["objective"])), ("Score", score), ("Status", status_text(record))]
    return found


def _table(data: NetworkData) -> Table:
    rows = [
        Row(METRIC_TABLE[name].title, METRIC_TABLE[name].unit, (Cell(written(name, value)),))
        for name, value in data.metrics.items()
        if value is not None
    ]
    notes = (
        () if data.network.site.layout is not None else ("There is no layout: cables, delay and cost are left out.",)
    )
    return Table(("This network",), tuple(rows), notes)


def _distances(data: NetworkData) -> Section | None:
    return Section("distances", "Distances", distances(data))


def _loads(data: NetworkData) -> Section | None:
    return Section("loads", "Load of every link", loads(data)) if data.loads.peak else None


def _cables(data: NetworkData) -> Section | None:
    if data.network.site.layout is None or not data.network.family.cables:
        return None
    return Section("cables", "Cables by length", cables(data))


SECTIONS: tuple[Callable[[NetworkData], Section | None], ...] = (_distances, _loads, _cables)


def formulas(data: NetworkData) -> list[Formula]:
    """Return how each number is computed."""
    switch = data.network.site.switch
    found = [
        Formula("ASPL", "mean over all ordered pairs of nodes, a node with itself included, of the distance", ""),
        Formula("Distance", "hops of the shortest path between their switches, in the plane where it is shortest", ""),
        Formula(
            "Load of a link",
            "every node sends a packet to every node along its route, in the plane where that is shortest, evenly over "
            "planes that are equally near; links of nodes are not counted",
            "",
        ),
        Formula(
            "All-to-all throughput of a node", "nodes / largest load: what each can send before a link is full", ""
        ),
    ]
    if data.network.site.layout is None:
        return found
    return [
        *found,
        Formula(
            "Mean delay over the real routes",
            f"mean over ordered pairs of nodes of {switch.endpoint_delay_ns:g} ns + for each link of the route "
            f"{float(switch.delay_ns):g} ns + {float(switch.cable_delay_ns_per_m):g} ns/m of its cable",
            "",
        ),
        Formula("Cost for each node", "interfaces, node cables, ports in use and cables between switches / nodes", ""),
    ]
