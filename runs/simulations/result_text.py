"""Results of simulations as text for a terminal."""

from collections.abc import Sequence

from isoplane.runs.terminal.table import columns
from isoplane.simulator import Report, Saturation

from .comparison import Compared
from .link_unit import LINK_RATES


def run_table(reports: Sequence[Report], *, offered: bool) -> str:
    """Return the runs as a table.

    Parameters
    ----------
    reports
        By ascending load.
    offered
        Whether loads were offered; listed messages have their own creation times.
    """
    rows = [
        ["offered", "accepted", "±", "packet", "±", "message", "p99", "state"],
        [LINK_RATES, LINK_RATES, "", "ns", "", "ns", "ns", ""],
    ]
    for report in reports:
        accepted, network = report.accepted_load, report.network_latency_ns
        # The intervals hold for a stationary mean, which a run to completion does not have.
        widths = [None if report.complete else found.half_width for found in (accepted, network)]
        rows.append(
            [
                f"{report.offered_load:g}" if offered else "-",
                number(accepted.mean, 4),
                number(widths[0], 4),
                number(network.mean, 1),
                number(widths[1], 1),
                number(report.message_latency_ns.mean, 1),
                number(report.percentiles_ns[-1], 1),
                _state(report),
            ]
        )
    return columns(rows)


def _state(report: Report) -> str:
    """Return how a run ended."""
    if report.deadlock is not None:
        return "deadlock"
    if report.complete:
        return "complete"
    if report.limited:
        return "saturated, limit" if report.saturated else "limit"
    return "saturated" if report.saturated else "steady" if report.steady else "not steady"


def number(value: float | None, digits: int) -> str:
    """Return a number with `digits` decimals."""
    return "-" if value is None else f"{value:.{digits}f}"


def saturation_text(found: Saturation) -> str:
    """Return the saturation throughput in one line."""
    saturated = "no load is" if found.saturated_load is None else f"{found.saturated_load:g} is"
    return (
        f"saturation throughput {found.throughput:.4f} {LINK_RATES}: {found.stable_load:g} is stable, {saturated} "
        f"saturated; highest accepted load in any run, saturated or not: {found.largest_accepted:.4f}"
    )


def comparison_text(rows: Sequence[Compared]) -> str:
    """Return simulated and computed numbers as a table, with the error relative to the simulated one."""
    head = ["", "simulated", "computed", "unit", "error"]
    body = [
        [quantity, f"{simulated:.6g}", f"{computed:.6g}", unit, f"{100 * (computed / simulated - 1):+.2f} %"]
        for quantity, unit, simulated, computed in rows
    ]
    return columns([head, *body])
