"""What a page says of planes of cubes."""

import json
from collections.abc import Sequence

from isoplane.models import Site
from isoplane.models.family_kinds.cube import Cubes
from isoplane.runs.drawing.block import Part

from ..report_data import ReportData
from . import switches
from .switches import HASHES_SAME, facts, results

__all__ = ["HASHES_SAME", "definition", "facts", "formulas", "method", "results", "sources", "subject", "title"]

PLANES = {1: "Single", 2: "Dual", 3: "Triple"}
SOURCE = "Hosomi et al., Dual-plane Isomorphic Hypercube Networks, 2021"


def _cubes(data: ReportData) -> Cubes:
    """Return the cubes of a design, which is one of these because the words were chosen by its kind."""
    return data.design.family(Cubes)


def title(data: ReportData) -> str:
    """Return the title of the page.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.runs.records import design_content
    >>> title(ReportData(design_content(Design(dual_cube(3, (3, 5, 7))))))
    'Dual-plane isomorphic hypercube, n = 3'
    """
    cubes = _cubes(data)
    planes = len(cubes.planes)
    if planes == 1:
        return switches.title(data)
    kind = "folded hypercube" if cubes.folded else "hypercube"
    return f"{PLANES.get(planes, planes)}-plane isomorphic {kind}, n = {cubes.n}"


def subject(data: ReportData) -> str:
    """Return the subject of the sentence at the top."""
    cubes = _cubes(data)
    planes = cubes.planes
    if len(planes) == 1:
        return switches.subject(data)
    alike = all(plane.connections == planes[0].connections for plane in planes)
    count, kind = {2: "Two", 3: "Three"}.get(len(planes), len(planes)), "folded " if cubes.folded else ""
    return f"{count} {kind}{cubes.n}-cubes, cabled {'alike' if alike else 'differently'}"


def method(data: ReportData) -> str:
    """Return the method by which the reference recomputes the numbers of a design."""
    return switches.method(data) if data.design.exact is None else "by traversing the graphs of all planes"


def formulas(data: ReportData) -> list[tuple[str, ...]]:
    """Return the formulas of the numbers on a page, with the constants of the network."""
    if data.design.exact is None:
        return switches.formulas(data)
    cubes, site = _cubes(data), data.network.site
    return [*_cube_formulas(cubes), *([] if site.layout is None else _cable_formulas(cubes, site))]


def sources(data: ReportData) -> str:
    """Return the sources listed below the formulas."""
    return switches.sources(data) if data.design.exact is None else f"Sections and tables of {SOURCE}."


def _cube_formulas(cubes: Cubes) -> list[tuple[str, ...]]:
    distance = "min(wt(r), n + 1 − wt(r))" if cubes.folded else "wt(r)"
    tie = "; with wt(r) = (n + 1)/2 the direct route" if cubes.folded else ""
    return [
        (
            "Distance in a plane",
            f"{distance}, r(x) being the coordinates of the offset x = source ⊕ destination in the plane's generators",
            "sections 2.1 and 2.2, Table 1",
        ),
        (
            "ASPL",
            "mean over all 2ⁿ offsets, 0 included, of the distance in the nearest plane",
            "section 2.3",
        ),
        (
            "Load of a generator",
            "every offset sends 2 packets, both through the nearest plane, or one through each on a tie; the load is "
            f"the number of packets whose route takes the generator{tie}",
            "sections 2.2 and 2.3",
        ),
        (
            "All-to-all maximum traffic",
            f"2 · 2ⁿ / (largest load) of a switch; divided by {cubes.nodes_per_switch} for a node",
            "sections 2.3 and 3.2.2",
        ),
    ]


def _cable_formulas(cubes: Cubes, site: Site) -> list[tuple[str, ...]]:
    layout, switch, prices = site.layout, site.switch, site.prices
    ports = cubes.node_ports
    assert layout is not None
    units = site.delay_units
    alpha, hop = f"{units.endpoint / units.per_ns:g} ns", f"{units.hop / units.per_ns:g} ns"
    per_port = f"US$ {float(prices.switch_port_usd):g} per switch port"
    switches = f"{per_port} in use"
    if prices.switch_ports is not None:
        switches = prices.rule if prices.switches_usd else f"{per_port}, in use or not, of {prices.switch_ports}"
    elif prices.switches_usd:
        switches = f"the cheapest switches with at least {cubes.ports} ports"
    return [
        (
            "Cable length",
            f"Manhattan distance between the racks + {layout.slack_m:g} m, {layout.rack_cable_m:g} m inside a rack, "
            "rounded up to the next catalogue length; the mean is over switches, generators and planes",
            "section 3.1.2, Table 2",
        ),
        (
            "Mean delay over the real routes",
            f"Σ over generators of load · ({hop} + {switch.cable_delay_ns_per_m:g} ns/m · its mean "
            f"cable length) / (2 · 2ⁿ) + {alpha}",
            "section 3.2.1, with each generator weighted by its load",
        ),
        (
            "Mean delay by the published formula",
            f"({switch.cable_delay_ns_per_m:g} ns/m · mean cable length + {hop}) · ASPL + {alpha}",
            "section 3.2.1",
        ),
        (
            "Cost per node",
            f"{ports}-port network interface + {switches} + {ports} node cables of {layout.node_cable_m:g} m + switch "
            "cables, each counted once",
            "section 3.3.1, Table 3",
        ),
    ]


def definition(data: ReportData) -> Sequence[Part]:
    """Return the generators of planes of cubes, and the config override that gives them."""
    cubes = _cubes(data).planes
    sets = [list(cube.connections.generators) for cube in cubes[1:]]
    tables = Part.connection_sets(
        [[(g, f"{g:0{cube.n}b}", k == cube.n) for k, g in enumerate(cube.links)] for cube in cubes]
    )
    text = "Switch x has a cable to x ⊕ g for every generator g."
    if not sets:
        return [Part.text(text), tables]
    which = "set of plane 1" if len(sets) == 1 else "sets of all planes after plane 0"
    copied = json.dumps(sets[0] if len(sets) == 1 else sets)
    return [Part.text(f"{text} The connection {which}, to copy:"), Part.copyable([copied]), tables]
