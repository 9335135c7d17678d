"""Verdicts and points as text and tables."""

from collections.abc import Sequence

from isoplane.runs.figures.table import Table

from .simulations import Row
from .verdicts import Verdict, count_line, range_text

COLUMNS = ("section", "metric", "subject", "over", "interval", "published", "ours", "verdict")
VERDICT_COLUMNS = ("figure", *COLUMNS, "low", "high", "words")
ROW_COLUMNS = (
    *("network", "flow_control", "channel_bits", "frequency_mhz", "interval_us", "network_latency_ns"),
    *("half_width_ns", "message_latency_ns", "dropped_messages", "replications"),
)
NUMBERS = (4, 5, 6)  # columns aligned to the right


def cells(verdict: Verdict) -> list[str]:
    """Return a verdict in the columns of `COLUMNS`."""
    claim = verdict.claim
    return [
        claim.section,
        claim.metric,
        claim.subject,
        claim.base,
        f"{verdict.interval_us} us" if verdict.interval_us else "",
        range_text(claim),
        f"{verdict.ours:.3f}" if claim.base else f"{verdict.ours:.0f}",
        verdict.verdict,
    ]


def verdict_row(verdict: Verdict) -> list[str]:
    """Return a verdict in the columns of `VERDICT_COLUMNS`."""
    ends = (f"{verdict.low:.6g}", f"{verdict.high:.6g}")
    return [verdict.claim.figure, *cells(verdict), *ends, verdict.claim.words]


def row_cells(row: Row) -> list[str]:
    """Return a point in the columns of `ROW_COLUMNS`."""
    setting, latency = row.setting, row.latency_ns
    return [
        row.network,
        setting.flow_control.value,
        str(setting.channel_bits),
        str(setting.frequency_mhz),
        str(row.interval_us),
        repr(latency.mean),
        repr(latency.half_width),
        repr(row.message_latency_ns),
        repr(row.dropped),
        str(row.replications),
    ]


def format_table(verdicts: Sequence[Verdict]) -> str:
    """Return aligned lines, one per statement, and a last line with the number of verdicts.

    Examples
    --------
    >>> format_table([])
    'the paper makes no statement about this figure at this size'
    """
    if not verdicts:
        return "the paper makes no statement about this figure at this size"
    return f"{Table(COLUMNS, [*map(cells, verdicts)], NUMBERS)}\n{count_line(verdicts)}"
