"""Figs. 10 to 15: times and throughputs of all-to-all exchanges on the testbed, beside packets and statements.

References
----------
Shimizu and Nakajima, on switch-saving topologies, section 4.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import starmap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from isoplane.models import InputError
from isoplane.models.checks import exact_number
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, drawing_style, label, new_figure, picture
from isoplane.runs.drawing.panels import panels
from isoplane.runs.drawing.values import show_drawn
from isoplane.runs.figures.checked import CheckedStatement, statement_table
from isoplane.runs.figures.figure import Compute, Figure
from isoplane.runs.published import shimizu_measurements
from isoplane.runs.report.page import page_text
from isoplane.runs.terminal.table import Table

from .exchange_runs import ORDERS, SHORT_BYTES, PacketCheck, Run, amount_runs, packet_checks, transform_runs
from .exchange_statements import LIMIT, statements

# By figure: the classes of FT; none for exchanges of a fixed amount.
CLASSES: Mapping[str, tuple[str, ...]] = {
    "fig10": ("B",),
    "fig11": ("C",),
    "fig12": ("D",),
    "fig13": ("B", "C", "D"),
    "fig14": (),
    "fig15": ("B", "C", "D"),
}
WITH_COMPUTING = ("fig10", "fig11", "fig12", "fig13")
SERVERS = (8, 16, 32, 64)  # the paper has the first three
EXCHANGE_COLUMNS: Mapping[str, Callable[[Run], object]] = {
    "servers": lambda run: run.servers,
    "order": lambda run: run.order,
    "barriers": lambda run: _yes_or_no(run.barriers),
}
RUN_COLUMNS: Mapping[str, Callable[[Run], object]] = {
    "problem": lambda run: run.title,
    **EXCHANGE_COLUMNS,
    "message_bytes": lambda run: run.message_bytes,
    "exchanges": lambda run: run.exchanges,
    "exchange_ns": lambda run: run.exchange_ns,
    "communication_s": lambda run: f"{run.communication_ns / 10**9:.6f}",
    "computing_s": lambda run: f"{run.computing_ns / 10**9:.6f}",
    "total_s": lambda run: f"{run.total_ns / 10**9:.6f}",
    "communication_share": lambda run: f"{float(run.share):.6f}",
    "throughput_mib_per_s": lambda run: f"{float(run.throughput):.1f}",
}
# To print; the times of whole runs only where they compute as well.
WHOLE_RUN_COLUMNS: Mapping[str, Callable[[Run], object]] = {
    "communication s": lambda run: f"{run.communication_ns / 10**9:.3f}",
    "total s": lambda run: f"{run.total_ns / 10**9:.3f}",
    "share": lambda run: f"{100 * float(run.share):.2f} %",
}
CHECK_COLUMNS = (*EXCHANGE_COLUMNS, "fluid_ns", "packets_ns", "model error")
STATEMENT_COLUMNS = ("statement", "measured", "ours", "verdict")

COLOURS = (LIGHT["baseline"], LIGHT["plane0"])  # of both orders; a page has others in the dark
WIDTH = 0.38  # of a bar
CAPTION = "Runs with a barrier after each phase: the shift order, and the contention-free order."
REFERENCE = (
    "The paper measured on virtual machines, four on each host, to which it traces a loss of throughput. Its numbers "
    "are a reference only: no parameter is tuned to them."
)
MODEL = (
    f"Times of all runs are those of the fluid model. Exchanges of messages of {SHORT_BYTES:,} bytes were simulated "
    "flit by flit as well, with the same dependencies."
)

Height = Callable[[Run], float]
TIMES: Sequence[tuple[str, Height]] = (
    ("total time (s)", lambda run: run.total_ns / 10**9),
    ("communication (s)", lambda run: run.communication_ns / 10**9),
)
SHARE: Sequence[tuple[str, Height]] = (("communication in the total time (%)", lambda run: 100 * float(run.share)),)
THROUGHPUT: Sequence[tuple[str, Height]] = (("throughput of a server (MiB/s)", lambda run: float(run.throughput)),)
# By figure: what its panels show, and how high a bar is.
QUANTITIES = {**dict.fromkeys(CLASSES, TIMES), "fig13": SHARE, "fig14": THROUGHPUT, "fig15": THROUGHPUT}


def check(data: Mapping[str, Any]) -> Compute:
    """Require numbers of servers in range, and for figures that compute, the rate at which a server does."""
    name, servers = data["figure"], _servers(data["sizes"])
    rate = exact_number("gflops", data["gflops"], above=True) if name in WITH_COMPUTING else Fraction(0)
    return lambda _: figure_of(name, runs_of(name, servers, rate), list(packet_checks(servers)))


def _servers(sizes: Sequence[object]) -> list[int]:
    """Return the numbers of servers, ascending, each once."""
    servers = [size for size in sizes if isinstance(size, int) and size in SERVERS]
    if not servers or len(servers) < len(sizes):
        wrong = next((size for size in sizes if not isinstance(size, int) or size not in SERVERS), [])
        raise InputError(f"sizes={wrong}: expected numbers of servers, some of {', '.join(map(str, SERVERS))}")
    return sorted(set(servers))


def runs_of(name: str, servers: Sequence[int], rate: Fraction) -> list[Run]:
    """Return the runs of a figure, in which a server computes at a rate in 10^9 operations per second."""
    runs = [run for problem in CLASSES[name] for run in transform_runs(problem, servers, rate)]
    return runs or list(amount_runs(servers))


def figure_of(name: str, runs: Sequence[Run], checks: Sequence[PacketCheck]) -> Figure:
    """Return a figure of some runs.

    ``<name>.csv`` has all runs, ``<name>-packets.csv`` both times of short exchanges, ``<name>-published.csv`` the
    statements of the paper; ``<name>.html`` shows them all.
    """
    checked = list(statements(name, runs))
    tables = {
        "": Table.of(runs, RUN_COLUMNS),
        "-packets": Table(CHECK_COLUMNS, list(starmap(_check_row, checks)), (0, 3, 4, 5)),
        "-published": statement_table(checked, STATEMENT_COLUMNS),
    }

    def draw() -> Drawing:
        drawing, axes = panels(len(QUANTITIES[name]))
        _draw(axes, name, runs)
        return drawing

    text = (run_table(runs), "", tables["-packets"], "", tables["-published"])
    page = f"{name}.html"
    return Figure(tables, draw, text, {page: _page(name, runs, checked, tables)}, {"page": page})


def _check_row(run: Run, packets_ns: Fraction) -> list[str]:
    """Return the cells of `CHECK_COLUMNS`; the error of the fluid model is relative to the simulator."""
    error = f"{100 * float(run.exchange_ns / packets_ns - 1):+.3f} %"
    ends = str(run.servers), run.order, _yes_or_no(run.barriers)
    return [*ends, str(run.exchange_ns), f"{float(packets_ns):.0f}", error]


def _yes_or_no(holds: bool) -> str:
    return "yes" if holds else "no"


def run_table(runs: Sequence[Run]) -> Table:
    """Return a table to print, one row per run.

    Examples
    --------
    >>> print(str(run_table(list(amount_runs([8])))).splitlines()[1])
    2 GiB          8  shift            yes       33554432       83.888   2670
    """
    columns: Mapping[str, Callable[[Run], object]] = {
        "problem": lambda run: run.title,
        **EXCHANGE_COLUMNS,
        "bytes": lambda run: run.message_bytes,
        "exchange ms": lambda run: f"{run.exchange_ns / 10**6:.3f}",
        **(WHOLE_RUN_COLUMNS if any(run.computing_ns for run in runs) else {}),
        "MiB/s": lambda run: f"{float(run.throughput):.0f}",
    }
    return Table.of(runs, columns, (1, *range(4, len(columns))))


def _draw(axes: Sequence[Axes], name: str, runs: Sequence[Run]) -> None:
    """Draw a bar for each run with barriers; for throughputs also the limit of a link, and the one measured."""
    for panel, (title, height) in zip(axes, QUANTITIES[name], strict=True):
        _bars(panel, [run for run in runs if run.barriers], height)
        panel.set_ylabel(title)
        panel.set_ylim(top=1.25 * panel.get_ylim()[1])  # room for the legend
        if QUANTITIES[name] is THROUGHPUT:
            measured = float(shimizu_measurements()["link limit"][0])
            panel.axhline(float(LIMIT), color=LIGHT["ink"], linewidth=0.9, label="limit of a link")
            label_text, colour = "limit measured in the paper", LIGHT["muted"]
            panel.axhline(measured, color=colour, linewidth=0.9, linestyle=":", label=label_text)
    axes[0].legend(fontsize=8, loc="upper right", ncols=2)


def _bars(panel: Axes, runs: Sequence[Run], height: Height) -> None:
    places = list(dict.fromkeys((run.title, run.servers) for run in runs))
    for number, (order, colour) in enumerate(zip(ORDERS, COLOURS, strict=True)):
        bars = [run for run in runs if run.order == order]
        x = [places.index((run.title, run.servers)) + (number - 0.5) * WIDTH for run in bars]
        panel.bar(x, [height(run) for run in bars], WIDTH, color=colour, label=order.replace("_", "-"))
    panel.set_xticks(range(len(places)), [f"{title}\n{servers}" for title, servers in places])
    panel.set_xlabel("problem and servers")


def _page(name: str, runs: Sequence[Run], checked: Sequence[CheckedStatement], tables: Mapping[str, Table]) -> str:
    """Return the page of a figure as self-contained HTML."""
    quantities = QUANTITIES[name]
    with drawing_style():
        drawing = new_figure(3.4)
        axes = list(drawing.subplots(1, len(quantities), squeeze=False)[0])
        _draw(axes, name, runs)
        for panel, (title, _) in zip(axes, quantities, strict=True):
            label(panel, "problem and servers", title)
        show_drawn(drawing)
        chart = picture(drawing, name, CAPTION, tables[""].with_names())
    shown = {suffix: _page_table(table) for suffix, table in tables.items()}
    blocks = [
        Block("figure", "Figure", [chart]),
        Block("statements", "Statements of the paper", [shown["-published"], Part.text(REFERENCE, muted=True)]),
        Block("runs", "Runs", [shown[""]]),
        Block("packets", "The fluid model beside packets", [shown["-packets"], Part.text(MODEL, muted=True)]),
    ]
    holding = sum(statement.holds for statement in checked)
    sentence = f"{holding} of {len(checked)} statements of the paper hold in the model"
    return page_text(f"{name} of Shimizu and Nakajima", sentence, [], blocks)


def _page_table(table: Table) -> Part:
    head, *rows = table.page_rows()
    return Part.table([[column.replace("_", " ") for column in head], *rows])
