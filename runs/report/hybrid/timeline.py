"""What happens when: messages under way and bytes that have arrived, from the first message to the last."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList
from isoplane.objectives.fluid import RELAYS, model_of
from isoplane.objectives.fluid.model import RelayBy

from ..charts.drawing import LIGHT, Picture, counted, label, new_figure, picture
from .measures import bytes_text, bytes_unit
from .report_data import Assignment, ReportData

Moments = NDArray[np.float64]

MAX_MOMENTS = 600  # that are drawn
NS_PER_MS = 1e6
STYLES = {"messages": ("plane0", "-"), "packets": ("plane1", "-")}


@dataclass(frozen=True)
class Course:
    """When messages begin and arrive, in ns, and how long they are."""

    begun_ns: Moments
    arrived_ns: Moments
    length_bytes: NDArray[np.int64]

    def under_way(self, moments: Moments) -> NDArray[np.int64]:
        """Return how many messages have begun and not arrived."""
        found: NDArray[np.int64] = np.searchsorted(np.sort(self.begun_ns), moments, "right") - np.searchsorted(
            np.sort(self.arrived_ns), moments, "right"
        )
        return found

    def delivered_bytes(self, moments: Moments) -> NDArray[np.int64]:
        """Return how many bytes have arrived: those of whole messages."""
        order = np.argsort(self.arrived_ns, kind="stable")
        total = np.concatenate([[0], np.cumsum(self.length_bytes[order])])
        found: NDArray[np.int64] = total[np.searchsorted(self.arrived_ns[order], moments, "right")]
        return found

    @property
    def moments(self) -> Moments:
        """From 0 to the last arrival: those at which something changes, or as many evenly spaced ones as are drawn."""
        changes = np.unique(np.concatenate([[0.0], self.begun_ns, self.arrived_ns]))
        return changes if len(changes) <= MAX_MOMENTS else np.linspace(0, changes[-1], MAX_MOMENTS)


def course_of(design: Assignment, relay: RelayBy) -> Course:
    """Return the course of the fluid model: a message begins when all that it waits for have arrived.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]]), iterations=2)  # 1 µs at 10 Gbit/s, and 1,340 ns
    >>> course = course_of(Assignment("", Hybrid(2, 1), work, Circuits(), by_switch(2)), "messages")
    >>> course.begun_ns.tolist(), course.arrived_ns.tolist()
    ([0.0, 2340.0], [2340.0, 4680.0])
    """
    messages = design.workload.message_list()
    arrived = model_of(design.hybrid, design.workload, relay).arrivals_ns(design.circuits, design.placement)
    return Course(_begun(messages, arrived), arrived, messages.length_bytes)


def _begun(messages: MessageList, arrived: Moments) -> Moments:
    found = np.zeros(len(arrived))
    waiting = np.repeat(np.arange(len(arrived)), np.diff(messages.dependency_start))
    np.maximum.at(found, waiting, arrived[messages.dependency])
    return found


def course(data: ReportData) -> Picture:
    """Draw both over time, for relay by messages and by packets, with the packet network alone."""
    figure = new_figure(3.4)
    left, right = figure.subplots(1, 2)
    shown = [(data.design, relay, f"relay by {relay}", *STYLES[relay]) for relay in RELAYS]
    if not data.baseline.is_same(data.design):
        shown.append((data.baseline, "messages", data.baseline.title.lower(), "baseline", "--"))
    total = int(data.workload.length_bytes.sum()) * data.workload.iterations
    scale, unit = bytes_unit(total)
    for design, relay, name, colour, style in shown:
        found = course_of(design, relay)
        ms, delivered = found.moments / NS_PER_MS, found.delivered_bytes(found.moments) / scale
        for axes, heights in ((left, found.under_way(found.moments)), (right, delivered)):
            axes.step(ms, heights, where="post", label=name, color=LIGHT[colour], linestyle=style, linewidth=1.4)
        right.plot(ms[-1:], delivered[-1:], "o", color=LIGHT[colour], markersize=4)
    label(left, "time (ms)", "messages under way", "both")
    label(right, "time (ms)", f"arrived ({unit})", "both")
    counted(left)
    for axes in (left, right):
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return picture(
        figure,
        "course",
        f"On the left how many messages are on their way at a time, on the right how much of all {bytes_text(total)} "
        "has arrived: each line ends with the last message, and a long flat tail means that few links hold up all "
        "others.",
    )
