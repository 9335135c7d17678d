"""Plain-text tables on standard output."""

from collections.abc import Sequence

from isoplane.models import Network
from isoplane.objectives import ingredients, metrics

UNITS = {
    "aspl": "hops",
    "sum_of_distances": "hops",
    "max_load": "packets",
    "max_traffic": "link capacities",
    "cable_length_m": "m",
    "delay_ns": "ns",
    "delay_paper_ns": "ns",
    "cost_usd_per_node": "US$",
}


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows with aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def number(value: float | None) -> str:
    """Return a metric as people read it."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def title(network: Network) -> str:
    """Return one line that says what the network is, with its connection set."""
    cubes = network.cubes
    generators = " ".join(map(str, cubes.planes[-1].connections.generators))
    return (
        f"{network.family.title}, {cubes.plane_switches} switches in each of {len(cubes.planes)} planes, "
        f"{network.nodes} nodes\nplane 1: {generators}"
    )


def comparison(network: Network, identical: Network) -> str:
    """Return all metrics of a network beside those of the identical planes."""
    ours, theirs = metrics(network, ingredients(network)), metrics(identical, ingredients(identical))
    rows = [["", "this design", "identical planes", "change", "unit"]]
    for name, unit in UNITS.items():
        mine, other = ours[name], theirs[name]
        change = "" if mine is None or not other else f"{100 * (mine / other - 1):+.2f} %"
        rows.append([name, number(mine), number(other), change, unit])
    return f"{title(network)}\n{columns(rows)}"
