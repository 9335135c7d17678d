"""The statements of the paper on Figs. 10 to 15, checked on our runs; what it measured is a reference only."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from isoplane.runs.figures.checked import Checked, CheckedStatement, verdict
from isoplane.runs.published import shimizu_measurements

from .exchange_runs import LINK_GBPS, MIB, Run

LIMIT = Fraction(LINK_GBPS * 10**9, 8 * MIB)  # MiB/s of a link
NEARLY = Fraction(95, 100)  # of the limit
SAME_SIZE = Fraction(1, 4)  # of what the paper measured: the tolerance of statements on sizes
BY_SIGN = "sign only"
BY_RATE = "at the assumed gflops"  # the paper does not state how fast its servers compute


def time_statements(runs: Sequence[Run]) -> list[CheckedStatement]:
    """Return the statements on the times of FT: both orders at each number of servers.

    That times become shorter is checked by sign; by how much, within a quarter of what the paper measured.

    References
    ----------
    Shimizu and Nakajima, section 4.3 on Figs. 10 to 12.
    """
    pairs = _pairs(runs)
    communication = [Fraction(new.communication_ns, old.communication_ns) - 1 for old, new in pairs]
    whole = [Fraction(new.total_ns, old.total_ns) - 1 for old, new in pairs]
    # Savings are negative changes: a saving of less than half as much is a change above the half.
    part = all(0 > change > other / 2 for change, other in zip(whole, communication, strict=True))
    best_change, run_change = _measured("communication change"), _measured("whole run change")
    return [
        Checked(
            "the contention-free order takes less time to communicate",
            _range(communication),
            verdict(max(communication) < 0, BY_SIGN),
            f"{best_change} at best",
        ),
        Checked(
            "the best saving of communication is the measured one, within a quarter",
            _range([min(communication)]),
            verdict(_has_size("communication change", [min(communication)])),
            f"{best_change} at best",
        ),
        Checked("the whole run takes less time too", _range(whole), verdict(max(whole) < 0, BY_SIGN), run_change),
        Checked("the whole run saves less than half as much", _range(whole), verdict(part, BY_RATE)),
        Checked(
            "the saving of the whole run is the measured one, within a quarter",
            _range(whole),
            verdict(_has_size("whole run change", whole), BY_RATE),
            run_change,
        ),
    ]


def share_statements(runs: Sequence[Run]) -> list[CheckedStatement]:
    """Return the statement on the share of communication in the time of FT, for each order and class.

    References
    ----------
    Shimizu and Nakajima, section 4.3 on Fig. 13.
    """
    checked = []
    for problem in dict.fromkeys(run.title for run in runs):
        for order in dict.fromkeys(run.order for run in runs):
            shares = [run.share for run in _with_barriers(runs) if (run.title, run.order) == (problem, order)]
            title = f"the share of communication grows with the servers, class {problem}, {order}"
            ours = ", ".join(f"{100 * float(share):.2f}" for share in shares) + " %"
            checked.append(Checked(title, ours, verdict(all(a < b for a, b in pairwise(shares)), BY_RATE)))
    return checked


def throughput_statements(runs: Sequence[Run], *, in_benchmark: bool) -> list[CheckedStatement]:
    """Return the statements on the throughput of exchanges: alone, or in FT, where the paper found a loss.

    References
    ----------
    Shimizu and Nakajima, section 4.3 on Figs. 14 and 15.
    """
    pairs = _pairs(runs)
    shift, free = ([pair[number].throughput / LIMIT for pair in pairs] for number in (0, 1))
    faster = all(new > old for old, new in zip(shift, free, strict=True))
    checked = [Checked("the contention-free order has a higher throughput than the shift order", "", verdict(faster))]
    limit = _measured("link limit")
    if in_benchmark:
        below = verdict(max(free) < NEARLY)
        checked.append(Checked("in FT, both orders stay below the limit", _of_limit(shift, free), below, limit))
    else:
        nearly, below = verdict(min(free) >= NEARLY), verdict(max(shift) < NEARLY)
        checked.append(Checked("the contention-free order nearly reaches the limit", _of_limit(free), nearly, limit))
        checked.append(Checked("the shift order does not", _of_limit(shift), below, limit))
    return checked


def _with_barriers(runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if run.barriers]


def _pairs(runs: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Return the runs of both orders that are otherwise equal: shift, contention-free."""
    by_order: dict[str, list[Run]] = {}
    for run in runs:
        by_order.setdefault(run.order, []).append(run)
    return list(zip(by_order["shift"], by_order["contention_free"], strict=True))


def _measured(quantity: str) -> str:
    value, unit = shimizu_measurements()[quantity]
    return f"{float(value):g} {unit}"


def _has_size(quantity: str, changes: Sequence[Fraction]) -> bool:
    """Whether changes are as large as measured, within the tolerance."""
    measured = shimizu_measurements()[quantity][0] / 100
    return all(abs(change - measured) <= SAME_SIZE * abs(measured) for change in changes)


def _range(values: Sequence[Fraction]) -> str:
    return f"{_span(max(values), min(values))} %"


def _of_limit(*groups: Sequence[Fraction]) -> str:
    ranges = " and ".join(_span(min(group), max(group)) for group in groups)
    return f"{ranges} % of {float(LIMIT):.0f} MiB/s"


def _span(first: Fraction, last: Fraction) -> str:
    """Return two fractions as percentages; one if they look alike."""
    ends = dict.fromkeys(f"{100 * float(end):.1f}" for end in (first, last))
    return " to ".join(ends)


def statements(figure: str, runs: Sequence[Run]) -> Iterator[CheckedStatement]:
    """Yield the statements of a figure."""
    if figure == "fig13":
        yield from share_statements(runs)
    elif figure in ("fig14", "fig15"):
        yield from throughput_statements(runs, in_benchmark=figure == "fig15")
    else:
        yield from time_statements(runs)
