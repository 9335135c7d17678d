"""The statements of the paper, checked on our curves and networks."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from isoplane.models.topologies import rdt
from isoplane.runs.figures.checked import FAILS, HOLDS, Checked, verdict_counts
from isoplane.runs.published import Claim, shibamura_claims
from isoplane.runs.terminal.table import Table
from isoplane.simulator.language import network_of_program

from .settings import INTERVALS_US, PUBLISHED_NODES, SETTINGS, Setting, programs
from .simulations import LatencyPoint

OPEN = "open"
LARGE_RDT = "RDT of 16384 nodes"
NUMBERS = (4, 5, 6)  # columns aligned to the right


CheckedClaim = Checked[Claim, float]  # with the interval of messages at which ours is worst for the statement


def claims_of(figure: str) -> list[Claim]:
    """Return the statements that are checked with a figure."""
    return [claim for claim in shibamura_claims() if claim.figure == figure]


def settings_of(figure: str, nodes: int) -> list[Setting]:
    """Return the settings that a figure needs: its own, and those that its statements compare it with.

    Examples
    --------
    >>> settings_of("fig5", 4096)
    [('Wormhole', 32, 50), ('StoreAndForward', 32, 50)]
    """
    needed = [figure]
    if nodes == PUBLISHED_NODES:
        needed += [name for claim in claims_of(figure) if claim.base for name, _ in claim.curves]
    return list(dict.fromkeys(SETTINGS[name] for name in needed))


def checked_claims(figure: str, rows: Sequence[LatencyPoint]) -> list[CheckedClaim]:
    """Check all statements about a figure, on rows with the settings of `settings_of`."""
    points = {(row.setting, row.network, row.interval_us): row for row in rows}
    return [_checked_ratio(claim, points) if claim.base else _checked_graph(claim) for claim in claims_of(figure)]


def _checked_ratio(claim: Claim, points: dict[tuple[Setting, str, int], LatencyPoint]) -> CheckedClaim:
    """Return the verdict on a ratio at its worst interval.

    Its confidence interval is the widest that those of both curves allow, so that it excludes 1 exactly if these do not
    overlap.
    """
    (figure, network), (other_figure, other) = claim.curves
    checked = []
    for interval_us in INTERVALS_US if claim.interval_us is None else (claim.interval_us,):
        ends = []
        for name, curve_network in ((figure, network), (other_figure, other)):
            latency = points[SETTINGS[name], curve_network, interval_us].latency_ns
            mean, half = latency.mean or 0.0, latency.half_width or 0.0
            ends.append((mean - half, mean, mean + half))
        (low, mean, high), (base_low, base, base_high) = ends
        top = high / base_low if base_low > 0 else float("inf")
        checked.append(_checked(claim, f"{interval_us} us", mean / base, (max(low, 0.0) / base_high, top)))
    return min(checked, key=_margin)


def _checked(claim: Claim, interval: str, ours: float, ends: tuple[float, float]) -> CheckedClaim:
    """Return the verdict: holds if the whole interval of ours lies in the stated range, fails if no part of it does."""
    low, high = ends
    least = -float("inf") if claim.low is None else float(claim.low)
    most = float("inf") if claim.high is None else float(claim.high)
    verdict = HOLDS if least <= low and high <= most else FAILS if high < least or low > most else OPEN
    return CheckedClaim(claim, ours, verdict, interval, ends)


def _margin(checked: CheckedClaim) -> float:
    """Return the smallest distance of an interval from the ends of the stated range; negative if it extends outside."""
    claim, (low, high), margins = checked.stated, checked.ends, []
    if claim.low is not None:
        margins.append(low - float(claim.low))
    if claim.high is not None:
        margins.append(float(claim.high) - high)
    return min(margins)


def _checked_graph(claim: Claim) -> CheckedClaim:
    number = float(_graph_number(claim.metric, claim.subject))
    return _checked(claim, "", number, (number, number))


def _graph_number(metric: str, network: str) -> int:
    """Return the diameter or the degree of a network."""
    if network == LARGE_RDT:
        topology = rdt(128)
    else:
        example = next(program for name, _, program in programs(SETTINGS["fig4"]) if name == network)
        topology = network_of_program(example).planes[0].topology
    if metric == "degree":
        return int((topology.peer >= 0).sum(axis=1).max())
    side = round(topology.switches**0.5)
    tile = [x + side * y for x in range(4) for y in range(4)]  # every switch of an RDT is equivalent to one of these
    return max(int(topology.levels(source).max()) for source in (tile if network.startswith("RDT") else (0,)))


COLUMNS: Mapping[str, Callable[[CheckedClaim], object]] = {
    "section": lambda checked: checked.stated.section,
    "metric": lambda checked: checked.stated.metric,
    "subject": lambda checked: checked.stated.subject,
    "over": lambda checked: checked.stated.base,
    "interval": lambda checked: checked.note,
    "published": lambda checked: range_text(checked.stated),
    "ours": lambda checked: f"{checked.ours:.3f}" if checked.stated.base else f"{checked.ours:.0f}",
    "verdict": lambda checked: checked.verdict,
}
ALL_COLUMNS: Mapping[str, Callable[[CheckedClaim], object]] = {
    "figure": lambda checked: checked.stated.figure,
    **COLUMNS,
    "low": lambda checked: f"{checked.ends[0]:.6g}",
    "high": lambda checked: f"{checked.ends[1]:.6g}",
    "words": lambda checked: checked.stated.words,
}


def claim_text(checked: Sequence[CheckedClaim]) -> tuple[Table | str, ...]:
    """Return a table with a row for each statement, and a line with the number of verdicts of each kind.

    Examples
    --------
    >>> claim_text([])
    ('the paper makes no statement about this figure at this size',)
    """
    if not checked:
        return ("the paper makes no statement about this figure at this size",)
    counts = verdict_counts(checked, {HOLDS: "hold", OPEN: "open", FAILS: "fail"})
    return Table.of(checked, COLUMNS, NUMBERS), counts


def range_text(claim: Claim) -> str:
    """Return the range of a statement in words.

    Examples
    --------
    >>> [range_text(claim) for claim in shibamura_claims()[8:10]]
    ['10', 'at least 1.5']
    """
    if claim.low is None:
        return f"at most {_plain(claim.high)}"
    if claim.high is None:
        return f"at least {_plain(claim.low)}"
    return _plain(claim.low) if claim.low == claim.high else f"{_plain(claim.low)} to {_plain(claim.high)}"


def _plain(number: Fraction | None) -> str:
    return "" if number is None else f"{float(number):g}"
