"""Charts of a comparison, such as price against delay and throughput, and its table of unit prices."""

from collections.abc import Iterator, Sequence
from importlib import resources

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, PercentFormatter, StrMethodFormatter

from isoplane.models import Network, PriceList
from isoplane.models.families.multi_plane import one_plane
from isoplane.models.files.exact_text import counted
from isoplane.models.network import NO_SITE
from isoplane.objectives.scale.largest import LARGEST, exists
from isoplane.runs.config.option_files import choices_of
from isoplane.runs.drawing.block import Part
from isoplane.runs.drawing.bundles import shape
from isoplane.runs.drawing.drawing import LIGHT, WIDTH_IN, label, new_figure, number_points, picture
from isoplane.runs.drawing.parallel import parallel
from isoplane.runs.drawing.values import show_points
from isoplane.runs.inputs.yaml_files import packaged_yaml
from isoplane.runs.records.site import prices_from

from .column import Value
from .existing import Existing
from .fronts import LOWER_IS_BETTER, PRICE, front
from .request import Request
from .rows import Row
from .tables import all_columns, column_named, size_text

COLOURS = ("plane0", "plane1", "nearest", "ink", "published")  # one plane, several, relabelled, existing, searched
KINDS = ("plane0", "plane1", "published", "nearest")  # colours of `LARGEST`
LARGEST_HALF = 36  # half the ports of the largest switch drawn, as in the paper
EXISTING = 3  # index of existing designs, which have a separate marker
LEGEND = ("one plane", "several identical planes", "relabelled planes", "existing", "found by search")
AXES = (
    PRICE, "delay_ns", "throughput", "aspl", "diameter", "bisection", "longest_cable_m", "cables", "switches",
    "power_kw",
)  # fmt: skip
HIGHER_IS_BETTER = ("throughput", "bisection")
WIDE = 4  # ratio of prices from which their axis is logarithmic
PANELS = (
    ("delay_ns", "mean delay (ns)"),
    ("throughput", "all-to-all throughput (of the rate of a node)"),
)


def kind_of(row: Row) -> int:
    """Return the index of the colour of a row."""
    return EXISTING if isinstance(row.arrangement, Existing) else row.arrangement.kind


def pareto(rows: Sequence[Row], numbers: Sequence[int]) -> Part:
    """Draw the price of each design against its delay and against its throughput.

    Parameters
    ----------
    rows
        Rows with a design.
    numbers
        The number of each row in the table.
    """
    figures = []
    for metric, title in PANELS:
        figures.append(new_figure(4.6, WIDTH_IN / 2))
        axes = figures[-1].subplots()
        _panel(axes, rows, numbers, metric)
        label(axes, "price (US$ per node)", title, "both")
        figures[-1].legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=2)
    metrics = [PRICE, *(metric for metric, _ in PANELS)]
    designs = zip(numbers, rows, strict=True)
    data = [[number, size_text(row), *(row.values[metric] for metric in metrics)] for number, row in designs]
    return picture(
        figures,
        "pareto",
        _caption(rows),
        [["number", "design", *metrics], *data],
    )


def _caption(rows: Sequence[Row]) -> str:
    """Return what the charts of `pareto` show, and of their lines only what can be seen."""
    values = {index: row.values for index, row in enumerate(rows)}
    has_line = any(len(front(range(len(rows)), values, metric)) > 1 for metric, _ in PANELS)
    has_more = has_line and any(float(row.values["throughput"] or 0) > 1 for row in rows)
    return (
        "Each marker is a design, with its number in the table where there is room"
        + ("; no design is better in both quantities than one on a line" if has_line else "")
        + (", where a throughput above 1 counts as 1" if has_more else "")
        + "."
    )


def parallel_axes(rows: Sequence[Row], numbers: Sequence[int]) -> Part:
    """Draw the chief numbers of each design, one axis for each; parameters as for `pareto`."""
    columns = {column.key: column for column in all_columns()}
    axes = [
        (key, columns[key].title, columns[key].shown_unit, key in HIGHER_IS_BETTER, columns[key].text) for key in AXES
    ]
    designs = [
        (str(number), size_text(row), COLOURS[kind_of(row)], [_number(row.values.get(key)) for key in AXES])
        for number, row in zip(numbers, rows, strict=True)
    ]
    kinds = {COLOURS[kind]: LEGEND[kind] for kind in sorted({kind_of(row) for row in rows})}
    return parallel("axes", axes, designs, kinds)


def shape_of(row: Row) -> str:
    """Return a picture of a plane of a design, its switches or blocks of them as squares."""
    assert row.design is not None
    return shape(Network(one_plane(row.design.family)[0], NO_SITE).cabling[0], size_text(row))


def _number(value: Value) -> float | None:
    return None if value is None else float(value)


def largest(request: Request) -> Part:
    """Draw how many links of nodes a plane of trees and full meshes can have, by the ports of its switches."""
    figure = new_figure(3.6)
    axes = figure.subplots()
    data: list[tuple[object, ...]] = [("network", "ports_of_a_switch", "links_of_nodes_in_a_plane")]
    for colour, (network, family_for) in zip(KINDS, LARGEST.items(), strict=True):
        known = [d for d in range(2, LARGEST_HALF + 1) if exists(network, d)]
        links = [family_for(d).nodes for d in known]
        points = [(2 * d, count) for d, count in zip(known, links, strict=True)]
        data += [(network, *point) for point in points]
        show_points(axes, points, [f"{network}, switches of {ports} ports: {count:,} links" for ports, count in points])
        axes.plot([2 * d for d in known], links, "o-", markersize=2.5, color=LIGHT[colour], label=network)
    for planes in request.planes:
        links_per_plane = request.nodes * request.node_ports // planes
        axes.axhline(links_per_plane, color=LIGHT["muted"], linewidth=0.8, linestyle="--")
        label_text = f"{request.nodes:,} nodes, {planes} plane{'s' if planes > 1 else ''}"
        axes.annotate(label_text, (4, links_per_plane), (0, 3), textcoords="offset points", color=LIGHT["muted"])
    axes.axvline(request.ports, color=LIGHT["muted"], linewidth=0.8, linestyle=":")
    axes.set_yscale("log")
    label(axes, "ports of a switch", "links of nodes in a plane", "both")
    figure.legend(loc="outside right upper")
    caption = (
        "The largest trees and full meshes of full bisection (Shimizu and Nakajima, Fig. 7, with the Latin-square "
        "fat-tree); dashed: the links of the requested nodes in a plane; dotted: the ports of the requested switches."
    )
    return picture(figure, "largest", caption, data)


def _panel(axes: Axes, rows: Sequence[Row], numbers: Sequence[int], metric: str) -> None:
    for kind, title in enumerate(LEGEND):
        found = [row for row in rows if kind_of(row) == kind]
        if found:
            marker, size = ("*", 90) if kind == EXISTING else ("o", 34)
            places = _places(found, metric)
            axes.scatter(*places, s=size, marker=marker, color=LIGHT[COLOURS[kind]], label=title, zorder=3)
    best = front(range(len(rows)), {index: row.values for index, row in enumerate(rows)}, metric)
    line = _places([rows[index] for index in best], metric)
    axes.step(*line, where="post", color=LIGHT["muted"], linewidth=1, zorder=2)
    prices, values = _places(rows, metric)
    points = list(zip(prices, values, strict=True))
    column = column_named(metric)
    if column.is_percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    named = zip(numbers, rows, points, strict=True)
    texts = [
        f"{number} {size_text(row)}: {x:,.0f} US$ per node, {column.text(y)} {column.shown_unit}"
        for number, row, (x, y) in named
    ]
    show_points(axes, points, texts)
    if max(prices) > WIDE * min(prices):
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.margins(0.08, 0.14)
    number_points(axes, points, numbers)
    corner = (0.02, 0.03, "↙ better") if LOWER_IS_BETTER[metric] else (0.02, 0.97, "↖ better")
    axes.text(*corner, transform=axes.transAxes, va="center", color=LIGHT["muted"])


def _places(rows: Sequence[Row], metric: str) -> tuple[list[float], list[float]]:
    """Return the prices and the values of a metric."""
    return [float(row.values[PRICE] or 0) for row in rows], [float(row.values[metric] or 0) for row in rows]


def unit_prices(prices: PriceList) -> Iterator[Part]:
    """Yield a table of what parts cost, and where it comes from."""
    if prices.switch_ports is not None:
        switches = {f"switch of {prices.switch_ports} ports": prices.switch_for(prices.switch_ports)[1] / 100}
    elif prices.switches_usd:
        switches = {f"switch of {ports} ports": usd for ports, usd in prices.switches_usd.items()}
    else:
        switches = {"switch, per port in use": prices.switch_port_usd}
    interfaces = {f"interface of {counted(ports, 'port')}": usd for ports, usd in prices.nics_usd.items()}
    cables = {f"cable of {length:g} m": usd for length, usd in sorted(prices.cables_usd.items())}
    lines = [[name, f"{usd:,.2f}".removesuffix(".00")] for name, usd in {**switches, **interfaces, **cables}.items()]
    yield Part.table([["part", "US$"], *lines])
    given = "isoplane compare --help prices lists other catalogues, and prices=FILE takes one."
    yield Part.text(f"Prices of {prices.name}{_source(prices)}. {given}", muted=True)


def _source(prices: PriceList) -> str:
    """Return where the prices of a shipped catalogue are from; nothing of other prices, whatever their name."""
    title = choices_of("prices").get(prices.name)
    if title is None:
        return ""
    stated = packaged_yaml(resources.files("isoplane.conf").joinpath("prices", f"{prices.name}.yaml"))
    shipped = prices_from({**stated, "by": prices.by, "switch_ports": prices.switch_ports})
    return f": {title}" if shipped == prices else ""
