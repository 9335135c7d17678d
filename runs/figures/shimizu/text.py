"""Sizes and verdicts as text and tables."""

from collections.abc import Sequence
from fractions import Fraction

from isoplane.objectives.scale.largest import LARGEST
from isoplane.runs.figures.table import aligned

from .sizes import Size, nearest
from .verdicts import Verdict

SIZE_COLUMNS = ("network", "d", "source", "servers", "switches", "cables", "ports", "servers_per_switch")
VERDICT_COLUMNS = ("section", "network", "metric", "formula", "d", "source", "published", "ours", "verdict")


def size_cells(size: Size) -> list[str]:
    """Return a size in the columns of `SIZE_COLUMNS`; the ratio with six decimals."""
    counts = (size.servers, size.switches, size.cables, size.ports)
    return [
        size.network,
        str(size.degree),
        size.source,
        *map(str, counts),
        f"{float(size.servers_per_switch):.6f}",
    ]


def verdict_cells(verdict: Verdict) -> list[str]:
    """Return a verdict in the columns of `VERDICT_COLUMNS`; values as exact fractions."""
    point, size = verdict.point, verdict.size
    return [
        point.section,
        point.network,
        point.metric,
        point.value,
        str(size.degree),
        size.source,
        str(verdict.published),
        str(verdict.ours),
        _word(verdict),
    ]


def _word(verdict: Verdict) -> str:
    return "agrees" if verdict.agrees else "differs"


def format_sizes(sizes: Sequence[Size]) -> str:
    """Return a table of servers and switches, one line per d; for missing networks, the nearest d that has one.

    Examples
    --------
    >>> from .sizes import sizes
    >>> print(format_sizes(list(sizes([7]))).splitlines()[1][-25:])
    none; nearest d = 6 and 8
    """
    found = {(size.network, size.degree): size for size in sizes if size.source == "formula"}
    rows = [["d", "ports", *LARGEST]]
    for d in dict.fromkeys(size.degree for size in sizes):
        cells = (_cell(found.get((network, d)), d) for network in LARGEST)
        rows.append([str(d), str(2 * d), *cells])
    return "\n".join(aligned(rows, range(len(rows[0]))))


def _cell(size: Size | None, degree: int) -> str:
    if size is None:
        return f"none; nearest d = {' and '.join(map(str, nearest(degree)))}"
    return f"{size.servers} / {size.switches} = {float(size.servers_per_switch):.2f}"


def format_verdicts(verdicts: Sequence[Verdict]) -> str:
    """Return a table, one line per published number, with the values of d at which ours agree and differ.

    Examples
    --------
    >>> format_verdicts([])
    'the paper states no number at these sizes'
    """
    if not verdicts:
        return "the paper states no number at these sizes"
    rows = [["section", "network", "metric", "published", "ours", "by formula", "built and counted"]]
    for point in dict.fromkeys(verdict.point for verdict in verdicts):
        own = [verdict for verdict in verdicts if verdict.point == point]
        by_source = ([verdict for verdict in own if verdict.size.source == source] for source in ("formula", "built"))
        ours = _decimal(own[0].ours) if point.degree else ""
        rows.append([point.section, point.network, point.metric, _published(own[0]), ours, *map(_tally, by_source)])
    return "\n".join(aligned(rows))


def _published(verdict: Verdict) -> str:
    at = f" at d = {verdict.point.degree}" if verdict.point.degree else ""
    return verdict.point.value + at


def _decimal(value: Fraction) -> str:
    return f"{float(value):.6g}"


def _tally(verdicts: Sequence[Verdict]) -> str:
    """Return how many values of d agree, and which differ."""
    differing = [str(verdict.size.degree) for verdict in verdicts if not verdict.agrees]
    if not verdicts:
        return "none"
    agreeing = f"{len(verdicts) - len(differing)} of {len(verdicts)} agree"
    return f"{agreeing}; d = {', '.join(differing)} differ" if differing else agreeing
