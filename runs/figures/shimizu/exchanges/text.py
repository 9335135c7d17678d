"""Runs, checks and statements as tables."""

from collections.abc import Sequence

from isoplane.runs.figures.table import aligned

from .runs import PacketCheck, Run
from .statements import Statement
from .testbed import Exchange

RUN_COLUMNS = (
    *("problem", "servers", "order", "barriers", "message_bytes", "exchanges", "exchange_ns"),
    *("communication_s", "computing_s", "total_s", "communication_share", "throughput_mib_per_s"),
)
CHECK_COLUMNS = ("servers", "order", "barriers", "fluid_ns", "packets_ns", "difference")
STATEMENT_COLUMNS = ("statement", "measured", "ours", "verdict")


def _exchange_cells(exchange: Exchange) -> list[str]:
    return [str(exchange.servers), exchange.order, "yes" if exchange.barriers else "no"]


def run_cells(run: Run) -> list[str]:
    """Return a run in the columns of `RUN_COLUMNS`."""
    seconds = (run.communication_ns, run.computing_ns, run.total_ns)
    return [
        run.title,
        *_exchange_cells(run.exchange),
        *map(str, (run.message_bytes, run.exchanges, run.exchange_ns)),
        *(f"{value / 10**9:.6f}" for value in seconds),
        f"{float(run.share):.6f}",
        f"{float(run.throughput):.1f}",
    ]


def check_cells(check: PacketCheck) -> list[str]:
    """Return a check in the columns of `CHECK_COLUMNS`."""
    times = (str(check.fluid_ns), f"{float(check.packets_ns):.0f}", f"{100 * float(check.difference):.3f} %")
    return [*_exchange_cells(check.exchange), *times]


def statement_cells(each: Statement) -> list[str]:
    """Return a statement in the columns of `STATEMENT_COLUMNS`."""
    return [each.statement, each.measured, each.ours, each.verdict]


def format_runs(runs: Sequence[Run]) -> str:
    """Return a table, one line per run; times of whole runs only where they compute as well.

    Examples
    --------
    >>> from .runs import amount_runs
    >>> print(format_runs(list(amount_runs([8]))).splitlines()[1])
    2 GiB          8  shift            yes       33554432       83.888   2670
    """
    computing = any(run.computing_ns for run in runs)
    whole = ["communication s", "total s", "share"] if computing else []
    rows = [["problem", "servers", "order", "barriers", "bytes", "exchange ms", *whole, "MiB/s"]]
    for run in runs:
        times = [
            f"{run.communication_ns / 10**9:.3f}",
            f"{run.total_ns / 10**9:.3f}",
            f"{100 * float(run.share):.2f} %",
        ]
        cells = [str(run.message_bytes), f"{run.exchange_ns / 10**6:.3f}", *(times if computing else [])]
        rows.append([run.title, *_exchange_cells(run.exchange), *cells, f"{float(run.throughput):.0f}"])
    return "\n".join(aligned(rows, (1, *range(4, len(rows[0])))))


def format_checks(checks: Sequence[PacketCheck]) -> str:
    """Return a table, one line per exchange of short messages, with both times."""
    return "\n".join(aligned([list(CHECK_COLUMNS), *map(check_cells, checks)], (0, 3, 4, 5)))


def format_statements(found: Sequence[Statement]) -> str:
    """Return a table, one line per statement."""
    return "\n".join(aligned([list(STATEMENT_COLUMNS), *map(statement_cells, found)]))
