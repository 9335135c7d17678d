"""The designs of a run by the metrics of its front, else by delay and traffic; those of a front also as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from isoplane.objectives.scoring.own_metrics import metric_named
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, number_points, picture
from isoplane.runs.drawing.quantities import format_metric, short_title, title_in_sentence, unit_of, value_text
from isoplane.runs.drawing.values import show_points
from isoplane.runs.records import file_name, values_in

from ..report_data import ReportData

ORDER = 40
TRAFFIC = ("max_traffic", "throughput_per_node")
DESIGNS_FOLDER = "designs"  # of a run: the pages of the other designs of its front
OWN = ("design", "design by the published formula")
PRINTED = {"delay_ns": "delay_paper_ns"}  # metrics of which the paper states another kind
LISTED = ("aspl", "max_traffic", "delay_ns", "delay_paper_ns", "cable_length_m", "cost_usd_per_node")
CORNERS = {(False, False): "↙", (False, True): "↖", (True, False): "↘", (True, True): "↗"}


Point = tuple[str, str, float, float]  # a design: kind and name (of `points`), and its metrics on the two axes
MetricPair = tuple[str, str]  # names of the metrics on the two axes


def higher_is_better(metrics: MetricPair) -> tuple[bool, bool]:
    """Return whether higher values are better, by axis."""
    first, second = map(metric_named, metrics)
    return first.higher_is_better is True, second.higher_is_better is True


def block(data: ReportData) -> Block | None:
    """Return the chart, if it has other designs, and the table of a front."""
    found, (x, y) = points(data), metrics_of_axes(data)
    listed = _listed(data, (x, y))
    if all(kind in OWN for kind, *_ in found) and not listed:
        return None
    y_title = "traffic" if y in TRAFFIC else title_in_sentence(y)
    return Block("front", f"{short_title(x)} against {y_title}", [*listed, _chart(data, found)])


def metrics_of_axes(data: ReportData) -> MetricPair:
    """Return the metrics of the front that was searched; else delay (ASPL without a layout) and traffic."""
    if data.front_metrics is not None:
        return data.front_metrics
    metrics = data.design.metrics
    x = "aspl" if metrics.get("delay_ns") is None else "delay_ns"
    return x, next((name for name in TRAFFIC if metrics.get(name) is not None), TRAFFIC[0])


def points(data: ReportData) -> list[Point]:
    """Return the design, the other records of the run, the baseline and the published designs.

    Their kinds are ``design``, ``design by the published formula``, ``record``, the title of the baseline, and
    ``published``; only published designs have a name.
    Designs that lack one of the two metrics are left out, and so are published delays unless racks, catalogue and
    delays are the paper's.
    """
    axes = metrics_of_axes(data)
    shown = [("record", "", values_in(record), axes) for record in _others(data)]
    if data.baseline is not None:
        shown.append((data.network.family.baseline_title, "", data.baseline.metrics, axes))
    printed = (PRINTED.get(axes[0], axes[0]), PRINTED.get(axes[1], axes[1]))
    if printed != axes:
        shown.append((OWN[1], "", data.design.metrics, printed))
    shown.append((OWN[0], "", {**values_in(data.record), **data.design.metrics}, axes))
    for network, stated in data.design.published.items():
        shown.append(("published", network, {metric: value for metric, (value, _) in stated.items()}, printed))
    places = ((kind, name, metrics.get(x), metrics.get(y)) for kind, name, metrics, (x, y) in shown)
    return [(kind, name, x, y) for kind, name, x, y in places if x is not None and y is not None]


def _others(data: ReportData) -> list[Mapping[str, Any]]:
    return [record for record in data.others if record["id"] != data.record["id"]]


def non_dominated(candidates: Sequence[Point], higher: tuple[bool, bool] = (False, True)) -> list[Point]:
    """Return the non-dominated points, by x from the best to the worst.

    Parameters
    ----------
    candidates
        The points.
    higher
        Whether higher values are better, by axis.

    Examples
    --------
    >>> front = non_dominated([("record", "", x, t) for x, t in ((3, 5), (2, 4), (2, 3), (4, 5))])
    >>> [(x, y) for _, _, x, y in front]
    [(2, 4), (3, 5)]
    """
    sign_x, sign_y = (-1 if best_is_high else 1 for best_is_high in higher)
    front: list[Point] = []
    # Ties in x by y: of points with one x, only the best is taken.
    for point in sorted(candidates, key=lambda p: (sign_x * p[2], sign_y * p[3])):
        if not front or sign_y * point[3] < sign_y * front[-1][3]:
            front.append(point)
    return front


def _listed(data: ReportData, axes: MetricPair) -> list[Part]:
    """Return a table of all designs of a front with their metrics, the best in the first metric first."""
    if data.front_metrics is None or data.summary is None:
        return []
    records = front_records(data)
    names = [name for name in (*axes, *LISTED) if values_in(data.record).get(name) is not None]
    names = list(dict.fromkeys(names))
    rows: list[list[str | tuple[str, str]]] = [
        ["Design", "Plane 1", *(_in_units(f"{short_title(name)} ", name) for name in names), "Record"]
    ]
    for number, record in enumerate(records, 1):
        generators = " ".join(map(str, record["network"]["planes"][1]["generators"]))
        shown = [format_metric(name, values_in(record)[name]) for name in names]
        file = file_name(dict(record))
        name = file.removesuffix(".json")
        page = "#design" if record is data.record else f"{DESIGNS_FOLDER}/{name}.html"
        rows.append([(str(number), page), generators, *shown, (name.rpartition("-")[2], f"records/{file}")])
    own = records.index(data.record) + 1
    note = (
        f"All {len(records)} designs of the front, by {title_in_sentence(axes[0])}, with links to their pages and "
        f"records. The sections below are about design {own}."
        if len(records) > 1
        else "The front has one design alone, which the sections below are about."
    )
    return [Part.table(rows, "comparison rows numbered"), Part.text(note, muted=True)]


def front_records(data: ReportData) -> list[Mapping[str, Any]]:
    """Return the records of a front, the best in its first metric first; none without a front."""
    if data.front_metrics is None or data.summary is None:
        return []
    first = data.front_metrics[0]
    return sorted(
        (data.record, *_others(data)),
        key=lambda record: values_in(record)[first],
        reverse=metric_named(first).higher_is_better is True,
    )


def _chart(data: ReportData, found: Sequence[Point]) -> Part:
    """Draw the plane of the two metrics, with the front of the run as a line."""
    x_metric, y_metric = metrics_of_axes(data)
    higher = higher_is_better((x_metric, y_metric))
    figure = new_figure(4.2)
    axes = figure.subplots()
    ours = non_dominated([point for point in found if point[0] in ("design", "record")], higher)
    if len(ours) > 1:
        _, _, x, y = zip(*ours, strict=True)
        axes.step(x, y, where="post", color=LIGHT["plane0"], linewidth=1.1, alpha=0.6)
    _scatter(axes, found, data)
    axes.margins(0.12)
    listed = [_place(record, (x_metric, y_metric)) for record in front_records(data)]
    if listed:
        number_points(axes, listed, range(1, len(listed) + 1))
    axes.text(0.01, 0.97, f"{CORNERS[higher]} better", transform=axes.transAxes, va="top", color=LIGHT["muted"])
    printed = any(kind == OWN[1] for kind, *_ in found)
    hollow = "; hollow: by the published formula" if printed else ""
    label(
        axes,
        _in_units(f"{title_in_sentence(x_metric)} ", x_metric) + hollow,
        _in_units(f"{title_in_sentence(y_metric)}\n", y_metric),
        "both",
    )
    figure.legend(loc="outside right upper")
    across, up = ("right" if higher[0] else "left"), ("up" if higher[1] else "down")
    return picture(
        figure,
        "front",
        f"Better designs lie further {across} and further {up}"
        + (": no design of the run is better in both than one on the line" if len(ours) > 1 else "")
        + ("; a hollow marker can only be compared with hollow ones." if printed else ".")
        + (" Numbers are those of the table." if listed else ""),
        [("kind", "name", x_metric, y_metric), *found],
    )


def _texts(data: ReportData, found: Sequence[Point]) -> list[str]:
    """Return the name of each point, with its number on a front, and its values."""
    metrics = metrics_of_axes(data)
    numbers = {_place(record, metrics): number for number, record in enumerate(front_records(data), 1)}
    texts = []
    for kind, name, x, y in found:
        title = {"record": "other design", "design": "this design"}.get(kind, " ".join(filter(None, (kind, name))))
        is_listed = kind in ("record", "design") and (x, y) in numbers
        title = f"design {numbers[x, y]}" if is_listed else title
        texts.append(f"{title}: {', '.join(map(value_text, metrics, (x, y)))}")
    return texts


def _in_units(title: str, metric: str) -> str:
    """Return the title of a metric, which ends with a space, with its unit; functions have none."""
    unit = unit_of(metric)
    return f"{title}({unit})" if unit else title.rstrip()


def _place(record: Mapping[str, Any], metrics: MetricPair) -> tuple[float, float]:
    values = values_in(record)
    return values[metrics[0]], values[metrics[1]]


def _scatter(axes: Axes, found: Sequence[Point], data: ReportData) -> None:
    baseline = data.network.family.baseline_title
    groups = (
        ("record", "other designs of the run", "o", "plane0", True, 22),
        (baseline, baseline, "s", "baseline", True, 55),
        ("design", "this design", "o", "nearest", True, 60),
        ("design by the published formula", "this design, published formula", "o", "nearest", False, 150),
        ("published", "published designs", "D", "published", False, 48),
    )
    for kind, title, marker, colour, filled, size in groups:
        places = [(x, y) for other, _, x, y in found if other == kind]
        if places:
            across, up = zip(*places, strict=True)
            drawn = axes.scatter(across, up, s=size, marker=marker, linewidth=1.4, label=title, zorder=3)
            drawn.set(facecolor=LIGHT[colour] if filled else "none", edgecolor=LIGHT[colour])
    show_points(axes, [point[2:] for point in found], _texts(data, found))
    for _, name, x, y in found:
        if name:
            axes.annotate(name, (x, y), (7, -11), textcoords="offset points", color=LIGHT["published"])
