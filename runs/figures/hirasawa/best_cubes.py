"""How the dual-plane cube with the least delay moves if its switches have caches: hops are shorter, cables are not."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.figure import Figure as Drawing

from isoplane.models import Site, SwitchModel
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.objectives import metrics_of
from isoplane.runs.config.setup import fleet_of, named_objective
from isoplane.runs.drawing.drawing import PLANE_COLOURS, label
from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.figures.searches import Search, search_of
from isoplane.runs.folder.folder_lock import RECORDS
from isoplane.runs.terminal.table import Table
from isoplane.search import ConnectionSets, Fleet

from .beside_paper import switches_of

SIZES = (2, 12)  # beyond n = 12 the paper's catalogue has no cable of sufficient length
TIMES = ("delay_ns", "routing_ns", "cable_delay_ns_per_m", "packet_bytes", "link_gbps")
USED = (*TIMES, "cache.entries", "cache.hit_ns")
KINDS = ("with caches", "without")


class _Best(NamedTuple):
    """The best cube of a dimension for a kind of switches, and its delay beside that of the best for the other kind."""

    n: int
    kind: str
    generators: tuple[int, ...]
    delay_ns: float
    others_ns: float
    aspl: float
    cable_m: float
    is_same: bool


COLUMNS: Mapping[str, Callable[[_Best], object]] = {
    "n": lambda best: best.n,
    "switches": lambda best: best.kind,
    "delay": lambda best: f"{best.delay_ns:.2f} ns",
    "of the other's best": lambda best: "the same" if best.is_same else f"{best.others_ns - best.delay_ns:+.2f} ns",
    "ASPL": lambda best: f"{best.aspl:.4f}",
    "mean cable": lambda best: f"{best.cable_m:.3f} m",
    "plane 1": lambda best: " ".join(map(str, best.generators)),
}


def check(data: Mapping[str, Any]) -> Compute:
    """Require settings of searches in range, and dimensions whose nodes the caches hold."""
    sizes = ascending(data["sizes"], *SIZES, "dimension")
    switches = dict(zip(KINDS, switches_of(data, *USED), strict=True))
    sets = {(n, kind): ConnectionSets(n, site=Site(switch=model)) for n in sizes for kind, model in switches.items()}
    for space in sets.values():
        space.site.switch.require_hits(space.identical.nodes - 1, "the figure takes")
    search, fleet_context = search_of(data), fleet_of(data)

    def compute(folder: Path) -> Figure:
        with fleet_context as fleet:
            bests = [best for n in sizes for best in _bests(n, {k: sets[n, k] for k in KINDS}, search, fleet, folder)]
        return _figure(bests, switches)

    return compute


def _bests(n: int, sets: Mapping[str, ConnectionSets], search: Search, fleet: Fleet, folder: Path) -> Iterator[_Best]:
    """Yield the best cubes of a dimension; where searches prove nothing, each may find the best for the other."""
    found = []
    for kind, space in sets.items():
        print(f"hypercube n={n} {kind}", file=sys.stderr)
        best = search(space, named_objective("delay"), fleet, folder, n).design.network
        found.append(cubes_of(best).planes[1].connections.generators)
    delays = {kind: [_metric(space, plane, "delay_ns") for plane in found] for kind, space in sets.items()}
    # Of equal designs each keeps its own.
    own = {kind: found.index(plane) for kind, plane in zip(KINDS, found, strict=True)}
    chosen = {kind: own[kind] if of[own[kind]] == min(of) else of.index(min(of)) for kind, of in delays.items()}
    for kind, other in zip(KINDS, reversed(KINDS), strict=True):
        plane = found[chosen[kind]]
        aspl, cable_m = (_metric(sets[kind], plane, name) for name in ("aspl", "cable_length_m"))
        delay_ns, others_ns = delays[kind][chosen[kind]], delays[kind][chosen[other]]
        yield _Best(n, kind, plane, delay_ns, others_ns, aspl, cable_m, delay_ns == others_ns)


def _metric(space: ConnectionSets, generators: Sequence[int], name: str) -> float:
    value = metrics_of(space.design(generators))[name]
    assert value is not None
    return float(value)


def _figure(bests: Sequence[_Best], switches: Mapping[str, SwitchModel]) -> Figure:
    table = Table.of(bests, COLUMNS, range(len(COLUMNS) - 1))
    hops = [f"{float(model.hit_delay_ns):g} ns {kind}" for kind, model in switches.items()]
    moved = sorted({best.n for best in bests if not best.is_same})
    shown = f"It moves at n = {', '.join(map(str, moved))}." if moved else "It never moves."
    return Figure(
        {"": table},
        lambda: _drawing(bests),
        (table, "", f"The cube with the least mean delay, for a switch of {' and '.join(hops)}. {shown}"),
        places={"records": RECORDS},
    )


def _drawing(bests: Sequence[_Best]) -> Drawing:
    drawing, (delays, moves) = panels(2)
    points = {kind: [best for best in bests if best.kind == kind] for kind in KINDS}
    sizes = [best.n for best in points[KINDS[0]]]
    for kind, colour in zip(KINDS, PLANE_COLOURS, strict=False):
        delays.plot(sizes, [best.delay_ns for best in points[kind]], "o-", color=colour, label=kind)
    for name, colour in zip(("aspl", "cable_m"), PLANE_COLOURS, strict=False):
        pairs = zip(*(points[kind] for kind in KINDS), strict=True)
        change = [100 * (getattr(cached, name) / getattr(other, name) - 1) for cached, other in pairs]
        moves.plot(sizes, change, "o-", color=colour, label={"aspl": "ASPL", "cable_m": "mean cable"}[name])
    for panel, text in ((delays, "mean delay (ns)"), (moves, "change of the best design by caches (%)")):
        panel.set_xticks(sizes)
        label(panel, "dimension", text)
        panel.legend()
    return drawing
