"""The page with sliders: the offers of all families at all positions, and the script that chooses among them."""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from isoplane.runs.config.config_values import key_of
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.report.page import page_text
from isoplane.runs.terminal.live_line import left_text

from ..charts import COLOURS, LEGEND
from ..conclusions import (
    BELOW,
    EQUALS,
    NEAREST,
    NEVER,
    NO_OTHER,
    NO_TABLES,
    NONE,
    OPEN,
    OR,
    OTHERS,
    PROVEN,
    families_text,
)
from ..groups.cost import TITLES
from ..request import Request, is_searchable
from ..rows import Calls
from ..sizes.plane_counts import arrangements
from ..sizes.sized_design import AND, BREAKS
from ..tables import assumptions, percent_of
from .floors import class_floors, floor_of_hops
from .offers import offers
from .sliders import Limits, Sliders, multiples_of, shape_of

Json = Any
SCRIPTS = ("choice.js", "interactive.js", "controls.js")  # which are one: the first one begins it
# Options that the sliders of the page set, or that say which ones it has; and that of a search, whose designs it lacks.
OF_SLIDERS = (
    "nodes", "ports", "throughput", "cable_m", "budget_usd", "budget_usd_per_node", "prices.multiples", "page",
    "search",
)  # fmt: skip


def interactive(
    request: Request, sliders: Sliders, words: Sequence[str], run: Callable[..., Calls]
) -> Iterator[tuple[str, str | None]]:
    """Find what the page needs; yield the progress in words, and last the page as self-contained HTML.

    Parameters
    ----------
    request, sliders
        What is asked for, where the sliders begin; and their positions.
    words
        The overrides of the command, for the command of another position.
    run
        Calls a function on many arguments, such as `Fleet.map`.
    """
    for text, found in all_offers(run, *sliders):
        yield text, None if found is None else _page(request, sliders, words, found)


def all_offers(
    run: Callable[..., Calls], requests: Sequence[Request], limits: Limits
) -> Iterator[tuple[str, Sequence[Sequence[Json]] | None]]:
    """Find the `offers` of all families for each request; yield the progress in words, and last the offers."""
    jobs = [(source, (request, limits)) for request in requests for source in arrangements(request)]
    # The longest first, so that no worker idles at the end: many nodes in one plane.
    order = sorted(range(len(jobs)), key=lambda index: (-jobs[index][1][0].nodes, jobs[index][0].planes))
    found, work, began, kept = dict[int, Json](), 0, None, 0
    total = sum(request.nodes for _, (request, _) in jobs)
    for result in run(offers, [jobs[index] for index in order]):
        if result is not None:
            index = order[result[0]]
            found[index] = result[1]
            work += jobs[index][1][0].nodes
        elif began is None:  # results before the first wait were kept, and say nothing about the time
            began, kept = monotonic(), work
        left = ""
        if began is not None and work < total:
            left = left_text(monotonic() - began, work - kept, total - work)
        yield f"sliders: {len(found)} of {len(jobs)} families at {len(requests)} sizes{left}", None
    by_request = [[found[index] for index, (_, (of, _)) in enumerate(jobs) if of is request] for request in requests]
    yield "done", by_request


def _page(request: Request, sliders: Sliders, words: Sequence[str], found: Sequence[Json]) -> str:
    data = _with_series(_data(request, sliders, words, found))
    # An end of the script element must not begin inside of it.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title = f"What if: {request.nodes:,} nodes, switches of {request.ports} ports"
    parts = [Part("interactive", {"data": text, "script": _script()})]
    return page_text(title, "The cheapest design", [], [Block("what-if", "Sliders", parts)])


def _data(request: Request, sliders: Sliders, words: Sequence[str], found: Sequence[Json]) -> Json:
    requests, limits = sliders
    by_ports = list({each.ports: each for each in requests}.values())
    prices, multiples = request.site.prices, multiples_of(request.site.prices)
    budget = request.budget_cents
    # A search is named where every position can have one.
    unsearched = [replace(each, search=None) for each in (request, *requests)]
    families = families_text(next((each for each in unsearched if not is_searchable(each)), unsearched[0]))
    return {
        "nodes": list(dict.fromkeys(each.nodes for each in requests)),
        "ports": list(dict.fromkeys(each.ports for each in requests)),
        "throughput": [float(least) for least in request.throughputs],
        "shares": [percent_of(least) for least in request.throughputs],
        "cable_mm": list(limits),
        "diameter": request.diameter,
        "switches": request.switches,
        "prices": [
            {"class": name, "title": TITLES[name], "multiples": [float(step) for step in multiples[name]]}
            for name in prices.classes
        ],
        "shape": shape_of(prices),
        "begin": {
            "nodes": request.nodes,
            "ports": request.ports,
            "cable_mm": request.cable_mm,
            "budget": None if budget is None else budget // request.nodes / 100,
        },
        "colours": COLOURS[:3],
        "legend": LEGEND[:3],
        "texts": {
            "price": BREAKS["price"],
            "and": AND,
            "none": NONE,
            "nearest": NEAREST,
            "or": OR,
            "proven": PROVEN.replace("{families}", families),
            "never": NEVER,
            "open": OPEN.replace("{families}", families),
            "below": BELOW,
            "no_tables": NO_TABLES,
            "no_other": NO_OTHER,
            "others": OTHERS,
            "equals": EQUALS,
            "tried": f"Tried at every position: {', '.join(request.families)}.",
        },
        "rests_on": [" ".join(assumptions(each)) for each in by_ports],
        "node_ports": request.node_ports,
        "floors": [class_floors(each) for each in by_ports],
        "hops": [floor_of_hops(each) for each in requests],
        "words": [shlex.quote(word) for word in words if not _is_of_sliders(key_of(word))],
        "machines": found,
    }


def _is_of_sliders(key: str) -> bool:
    return key in OF_SLIDERS or key.partition(".")[0] in ("page", "hydra")


def _with_series(data: Json) -> Json:
    """Return the data with each series of prices of a class of parts once: many designs have the same."""
    series: dict[tuple[int, ...], int] = {}
    for machine in data["machines"]:
        for offer in machine:
            for design in offer["designs"]:
                for racks in filter(None, design["racks"]):
                    racks["cents"] = [series.setdefault(tuple(cents), len(series)) for cents in racks["cents"]]
    return {**data, "series": list(series)}


@cache
def _script() -> str:
    return "".join((Path(__file__).parent / name).read_text(encoding="utf-8") for name in SCRIPTS)
