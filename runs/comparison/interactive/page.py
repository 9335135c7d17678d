"""The page with sliders: the offers of all families at all positions, and the script that chooses among them."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import log
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
from ..sizes.plane_counts import Arrangement, arrangements
from ..sizes.sized_design import AND, BREAKS
from ..tables import assumptions, percent_of
from .floors import class_floors, floor_of_hops
from .offers import offers
from .sliders import Limits, Sliders, multiples_of, shape_of

Json = Any
SCRIPTS = ("choice.js", "interactive.js", "controls.js")  # which are one: the first one begins it
LEAST_GROWTH, GROWTH, MOST_GROWTH = 1, 2, 3  # of the time of a family with its nodes, as an exponent
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
    # First those that say how long each family takes; then the longest, so that no worker idles at the end: many nodes
    # in one plane.
    first = sorted(requests, key=lambda each: (each.ports, each.nodes))[:2]
    sizes = [*first, *sorted((each for each in requests if each not in first), key=lambda each: -each.nodes)]
    order = sorted(range(len(jobs)), key=lambda index: (sizes.index(jobs[index][1][0]), jobs[index][0].planes))
    found = dict[int, Json]()
    left = _TimeLeft({index: (source, request.nodes) for index, (source, (request, _)) in enumerate(jobs)})
    for result in run(offers, [jobs[index] for index in order]):
        if result is None:
            left.begin()
        else:
            index = order[result[0]]
            found[index] = result[1]
            left.done(index, found[index].pop("seconds"))
        yield f"sliders: {len(found)} of {len(jobs)} families at {len(requests)} sizes{left}", None
    by_request = [[found[index] for index, (_, (of, _)) in enumerate(jobs) if of is request] for request in requests]
    yield "done", by_request


@dataclass
class _TimeLeft:
    """An estimate of the time that calls for families take, each from those of its family at other sizes.

    Some families take a hundred times as long as others, and grow faster, so that those which are done first say little
    about the rest: there is no estimate before all families have a time. It changes with each call that is done, and in
    between counts the seconds down.

    Parameters
    ----------
    rest
        Family and nodes of the calls that are not done.
    """

    rest: dict[int, tuple[Arrangement, int]]
    _took: dict[Arrangement, dict[int, float]] = field(default_factory=dict)  # seconds, by nodes
    _began: float | None = None
    _updated: float = 0.0
    _busy: float = 0.0  # seconds of all workers together

    def begin(self) -> None:
        """Begin to wait: what was done before was kept by an interrupted comparison, and says nothing of workers."""
        if self._began is None:
            self._began = monotonic()

    def done(self, index: int, seconds: float) -> None:
        """Note that a call is done, and how long it took."""
        source, nodes = self.rest.pop(index)
        self._took.setdefault(source, {})[nodes] = seconds
        if self._began is not None:
            self._busy, self._updated = self._busy + seconds, monotonic()

    def __str__(self) -> str:
        is_known = all(source in self._took for source, _ in self.rest.values())
        if self._began is None or not self._busy or not is_known:
            return ""
        seconds = sum(_seconds_at(nodes, self._took[source]) for source, nodes in self.rest.values())
        passed = self._updated - self._began
        waited = (monotonic() - self._updated) * self._busy / passed
        return left_text(passed, self._busy, seconds - waited) if seconds > waited else ""


def _seconds_at(nodes: int, took: Mapping[int, float]) -> float:
    """Return the time of a family with some nodes from that with others, as a power of their number."""
    (near, seconds), *others = sorted(took.items(), key=lambda item: abs(log(item[0] / nodes)))
    growth: float = GROWTH
    if others and seconds and others[0][1]:
        growth = min(max(log(seconds / others[0][1]) / log(near / others[0][0]), LEAST_GROWTH), MOST_GROWTH)
    return float(seconds * (nodes / near) ** growth)


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
