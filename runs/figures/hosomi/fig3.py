"""Fig. 3: average shortest distance and all-to-all maximum traffic, one node per switch."""

from collections.abc import Sequence
from fractions import Fraction

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels
from isoplane.runs.published import Published

from .designs import IDENTICAL, Designs
from .drawing import lines
from .measures import Row, rows_of, values_of
from .verdicts import Verdict, agreement, no_worse, points_of, value_for

NETWORKS = ("D-HC", "DI-HC", "D-FHC", "DI-FHC")
METRICS = ("aspl", "max_traffic")
CHANGE = " change"  # suffix of metrics: change of DI- from the identical planes, in percent


def compute(designs: Designs) -> list[Row]:
    """Return the numbers of both panels."""
    return rows_of(designs, METRICS)


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Compare every published number: identical planes must agree, the others must be no worse."""
    values, checked = values_of(rows), []
    for point in points_of("Fig 3"):
        ours = _change(point, values) if point.metric.endswith(CHANGE) else value_for(point, values)
        if ours is None:
            continue
        if point.network in IDENTICAL:
            checked.append(agreement(point, ours))
        else:
            checked.append(no_worse(point, ours, rises=point.metric.startswith("max_traffic")))
    return checked


def _change(point: Published, values: dict[tuple[str, int, str], Fraction]) -> Fraction | None:
    """Return the change in percent from the network right of the slash to the one left of it."""
    network, base = point.network.split("/")
    metric = point.metric.removesuffix(CHANGE)
    ours, ours_base = (values.get((name, point.n or 0, metric)) for name in (network, base))
    return None if ours is None or ours_base is None else 100 * (ours / ours_base - 1)


def draw(rows: Sequence[Row]) -> Figure:
    """Draw both panels over n."""
    figure, axes = panels(2)
    points = points_of("Fig 3")
    lines(axes[0], rows, "aspl", points, "average shortest distance (hops)")
    lines(
        axes[1], rows, "max_traffic", points, "all-to-all maximum traffic\n(link capacities per node, 1 node a switch)"
    )
    return figure
