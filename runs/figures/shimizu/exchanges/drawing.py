"""Drawings of Figs. 10 to 15: runs with barriers, both orders side by side."""

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes

from isoplane.runs.drawing.drawing import LIGHT
from isoplane.runs.published import shimizu_measurements

from .runs import Run
from .statements import LIMIT
from .testbed import ORDERS

COLOURS = (LIGHT["baseline"], LIGHT["plane0"])  # of both orders; a page has others in the dark
INK, MUTED = LIGHT["ink"], LIGHT["muted"]
WIDTH = 0.38

Height = Callable[[Run], float]
TIMES: Sequence[tuple[str, Height]] = (
    ("total time (s)", lambda run: run.total_ns / 10**9),
    ("communication (s)", lambda run: run.communication_ns / 10**9),
)
SHARE: Sequence[tuple[str, Height]] = (("communication in the total time (%)", lambda run: 100 * float(run.share)),)
THROUGHPUT: Sequence[tuple[str, Height]] = (("throughput of a server (MiB/s)", lambda run: float(run.throughput)),)


def quantities(figure: str) -> Sequence[tuple[str, Height]]:
    """Return what the panels of a figure show, and how high a bar is."""
    return {"fig13": SHARE, "fig14": THROUGHPUT, "fig15": THROUGHPUT}.get(figure, TIMES)


def draw(panels: Sequence[Axes], figure: str, runs: Sequence[Run]) -> None:
    """Draw a bar for each run with barriers; for throughputs also the limit of a link, and the one measured."""
    for panel, (title, height) in zip(panels, quantities(figure), strict=True):
        _bars(panel, [run for run in runs if run.exchange.barriers], height)
        panel.set_ylabel(title)
        panel.set_ylim(top=1.25 * panel.get_ylim()[1])  # room for the legend
        if figure in ("fig14", "fig15"):
            measured = float(shimizu_measurements()["link limit"].value)
            panel.axhline(float(LIMIT), color=INK, linewidth=0.9, label="limit of a link")
            panel.axhline(measured, color=MUTED, linewidth=0.9, linestyle=":", label="limit measured in the paper")
    panels[0].legend(frameon=False, fontsize=8, loc="upper right", ncols=2)


def _bars(panel: Axes, runs: Sequence[Run], height: Height) -> None:
    places = list(dict.fromkeys((run.title, run.exchange.servers) for run in runs))
    for number, (order, colour) in enumerate(zip(ORDERS, COLOURS, strict=True)):
        own = [run for run in runs if run.exchange.order == order]
        x = [places.index((run.title, run.exchange.servers)) + (number - 0.5) * WIDTH for run in own]
        panel.bar(x, [height(run) for run in own], WIDTH, color=colour, label=order.replace("_", "-"))
    panel.set_xticks(range(len(places)), [f"{title}\n{servers}" for title, servers in places])
    panel.set_xlabel("problem and servers")
