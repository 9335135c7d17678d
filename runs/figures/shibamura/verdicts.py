"""Comparison of our curves and networks with the statements of the paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from isoplane.models.topologies import rdt
from isoplane.runs.published import Claim, shibamura_claims
from isoplane.simulator.language import network_of_program

from .settings import INTERVALS_US, PUBLISHED_NODES, SETTINGS, Setting, programs
from .simulations import Row

HOLDS, OPEN, FAILS = "holds", "open", "fails"
LARGE_RDT = "RDT of 16384 nodes"


@dataclass(frozen=True)
class Verdict:
    """A statement of the paper, our number, and the verdict.

    Attributes
    ----------
    claim
        The statement.
    interval_us
        The interval at which our number is worst for the statement; None for a number of a graph.
    ours, low, high
        Our number and its 95 % confidence interval. That of a ratio is the widest that the intervals of both curves
        allow, so that it excludes 1 exactly if these do not overlap.
    verdict
        ``holds`` if the whole interval lies in the range of the statement, ``fails`` if no part of it does, else
        ``open``.
    """

    claim: Claim
    interval_us: int | None
    ours: float
    low: float
    high: float
    verdict: str


def claims_of(figure: str) -> list[Claim]:
    """Return the statements that are checked with a figure."""
    return [claim for claim in shibamura_claims() if claim.figure == figure]


def settings_of(figure: str, nodes: int) -> list[Setting]:
    """Return the settings that a figure needs: its own, and those that its statements compare it with.

    Examples
    --------
    >>> [setting.flow_control.value for setting in settings_of("fig5", 4096)]
    ['Wormhole', 'StoreAndForward']
    """
    needed = [figure]
    if nodes == PUBLISHED_NODES:
        needed += [name for claim in claims_of(figure) if claim.base for name, _ in claim.curves]
    return list(dict.fromkeys(SETTINGS[name] for name in needed))


def verdicts(figure: str, rows: Sequence[Row]) -> list[Verdict]:
    """Check all statements about a figure, on rows with the settings of `settings_of`."""
    points = {(row.setting, row.network, row.interval_us): row for row in rows}
    return [_ratio_verdict(claim, points) if claim.base else _graph_verdict(claim) for claim in claims_of(figure)]


def _ratio_verdict(claim: Claim, points: dict[tuple[Setting, str, int], Row]) -> Verdict:
    """Return the verdict on a ratio at its worst interval."""
    (figure, network), (other_figure, other) = claim.curves
    found_verdicts = []
    for interval_us in INTERVALS_US if claim.interval_us is None else (claim.interval_us,):
        ends = []
        for name, curve_network in ((figure, network), (other_figure, other)):
            latency = points[SETTINGS[name], curve_network, interval_us].latency_ns
            mean, half = latency.mean or 0.0, latency.half_width or 0.0
            ends.append((mean - half, mean, mean + half))
        (low, mean, high), (base_low, base, base_high) = ends
        top = high / base_low if base_low > 0 else float("inf")
        found_verdicts.append(_verdict(claim, interval_us, (mean / base, max(low, 0.0) / base_high, top)))
    return min(found_verdicts, key=_margin)


def _verdict(claim: Claim, interval_us: int | None, ours: tuple[float, float, float]) -> Verdict:
    mean, low, high = ours
    least = -float("inf") if claim.low is None else float(claim.low)
    most = float("inf") if claim.high is None else float(claim.high)
    verdict = HOLDS if least <= low and high <= most else FAILS if high < least or low > most else OPEN
    return Verdict(claim, interval_us, mean, low, high, verdict)


def _margin(verdict: Verdict) -> float:
    """Return the smallest distance of an interval from the ends of the stated range; negative if it extends outside."""
    claim, margins = verdict.claim, []
    if claim.low is not None:
        margins.append(verdict.low - float(claim.low))
    if claim.high is not None:
        margins.append(float(claim.high) - verdict.high)
    return min(margins)


def _graph_verdict(claim: Claim) -> Verdict:
    number = float(_graph_number(claim.metric, claim.subject))
    return _verdict(claim, None, (number, number, number))


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


def count_line(found_verdicts: Iterable[Verdict]) -> str:
    """Return the number of verdicts of each kind as text.

    Examples
    --------
    >>> count_line([])
    '0 hold, 0 open, 0 fail'
    """
    found = [verdict.verdict for verdict in found_verdicts]
    words = {HOLDS: "hold", OPEN: "open", FAILS: "fail"}
    return ", ".join(f"{found.count(verdict)} {word}" for verdict, word in words.items())
