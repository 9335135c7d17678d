"""Timeline of a workload: messages in flight and bytes arrived, from the first message to the last."""

import numpy as np

from isoplane.models.arrays import Floats, Ints
from isoplane.objectives.fluid import RELAYS, model_of
from isoplane.objectives.fluid.circuits.model import RelayBy
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, RELAY_COLOURS, integer_axis, label, new_figure, picture
from isoplane.runs.drawing.quantities import NS_PER_MS, byte_unit, bytes_text, format_significant
from isoplane.runs.drawing.values import show_points

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData
from .comparison import untimed

ORDER = 34
KINDS = ("circuits",)
MAX_MOMENTS = 600  # maximum number of points in time drawn
SHOWN_MOMENTS = 80  # maximum number of those that show their values


def block(data: ReportData) -> Block | None:
    """Return the chart of a workload on a network with circuits."""
    if data.workload is None or data.baseline is None:
        return None
    design, baseline = with_circuits(data.design), with_circuits(data.baseline)
    part = _chart(design, baseline) if design.is_timed else Part.text(untimed(data))
    return Block("course", "From the first message to the last", [part])


def timeline(design: EvaluatedCircuits, relay: RelayBy) -> tuple[Floats, Ints, Ints]:
    """Return moments in ns from 0 to the last arrival, and at each the messages in flight and the bytes arrived.

    The moments are those of all changes, or `MAX_MOMENTS` evenly spaced ones.
    """
    begun, arrived = message_times_ns(design, relay)
    changes = np.unique(np.concatenate([[0.0], begun, arrived]))
    moments = changes if len(changes) <= MAX_MOMENTS else np.linspace(0, changes[-1], MAX_MOMENTS)
    order = np.argsort(arrived, kind="stable")
    ended = np.searchsorted(arrived[order], moments, "right")
    total = np.concatenate([[0], np.cumsum(design.messages.message_list().length_bytes[order])])
    return moments, np.searchsorted(np.sort(begun), moments, "right") - ended, total[ended]


def message_times_ns(design: EvaluatedCircuits, relay: RelayBy) -> tuple[Floats, Floats]:
    """Return when messages begin and arrive in the fluid model: each begins when all that it depends on have arrived.

    Examples
    --------
    >>> from isoplane.models import Circuits, Design, Hybrid, Network
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]]), iterations=2)  # 1 µs at 10 Gbit/s, and 1,340 ns
    >>> design = Design(Network(Hybrid(2, 1)), Circuits(), by_switch(2))
    >>> [times.tolist() for times in message_times_ns(EvaluatedCircuits("", design, work), "messages")]
    [[0.0, 2340.0], [2340.0, 4680.0]]
    """
    messages = design.messages.message_list()
    arrived = model_of(design.network, design.messages, relay).arrivals_ns(design.circuits, design.placement)
    begun = np.zeros(len(arrived))
    waiting = np.repeat(np.arange(len(arrived)), np.diff(messages.dependency_start))
    # Messages with several dependencies occur repeatedly: a plain assignment would keep the last one only.
    np.maximum.at(begun, waiting, arrived[messages.dependency])
    return begun, arrived


def _chart(design: EvaluatedCircuits, baseline: EvaluatedCircuits) -> Part:
    """Draw messages in flight and bytes arrived over time, for both relay modes, and for the packet network alone."""
    figure = new_figure(3.4)
    left, right = figure.subplots(1, 2)
    shown = [(design, relay, f"relay by {relay}", RELAY_COLOURS[relay], "-") for relay in RELAYS]
    if baseline.design != design.design:
        shown.append((baseline, "messages", baseline.title.lower(), "baseline", "--"))
    total = int(design.messages.length_bytes.sum()) * design.messages.iterations
    scale, unit = byte_unit(total)
    data: list[tuple[object, ...]] = [("network", "time_ms", "messages_under_way", "bytes_arrived")]
    for each, relay, name, colour, style in shown:
        moments, in_flight, delivered_bytes = timeline(each, relay)
        ms, delivered = moments / NS_PER_MS, delivered_bytes / scale
        for axes, heights in ((left, in_flight), (right, delivered)):
            axes.step(ms, heights, where="post", label=name, color=LIGHT[colour], linestyle=style, linewidth=1.4)
        rows = list(zip(ms.tolist(), in_flight.tolist(), delivered_bytes.tolist(), strict=True))
        data += [(name, f"{time:.9g}", under_way, arrived) for time, under_way, arrived in rows]
        chosen = rows[:: -(-len(rows) // SHOWN_MOMENTS)]
        texts = [
            f"{name}, after {format_significant(at)} ms: {sent:,} messages under way, {bytes_text(arrived)} arrived"
            for at, sent, arrived in chosen
        ]
        show_points(left, [(time, under_way) for time, under_way, _ in chosen], texts)
        show_points(right, [(time, arrived / scale) for time, _, arrived in chosen], texts)
        right.plot(ms[-1:], delivered[-1:], "o", color=LIGHT[colour], markersize=4)
    label(left, "time (ms)", "messages under way", "both")
    label(right, "time (ms)", f"arrived ({unit})", "both")
    integer_axis(left)
    for axes in (left, right):
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return picture(
        figure,
        "course",
        "On the left the number of messages in flight, on the right the bytes that have arrived, of "
        f"{bytes_text(total)} in total: each line ends with the last message, and a long flat tail means that a "
        "few links delay all the others.",
        data,
    )
