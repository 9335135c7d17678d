"""Fig. 5: the share of ids that conflicts evict from a cache, against its ways.

References
----------
Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, sections 4.1 and 4.2.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from isoplane.models import InputError, RoutingCache
from isoplane.models.checks import check_int
from isoplane.models.steps import step
from isoplane.objectives.caches import evicted_by_conflicts, evicted_share_of_random_ids
from isoplane.runs.drawing.drawing import LIGHT, label
from isoplane.runs.figures.checked import Checked, CheckedStatement, verdict
from isoplane.runs.figures.figure import Compute, Figure, ascending
from isoplane.runs.published import hirasawa_numbers
from isoplane.runs.terminal.table import Table

from .beside_paper import figure_of, switches_of

IDS = (256, 512, 1024)
ENTRIES = 2048  # of the paper
DRAWINGS = 1000  # of random ids, for each number of them
ID_RANGE = 1 << 32
ERRORS = 3  # standard errors that a mean may differ from what is expected
LIMIT_PERCENT = 0.1  # which the paper states
COLOURS = ("plane0", "plane1", "published")  # by number of ids
READING = (
    "Ids that share a set of the cache evict each other: of c ids in a set of w ways, max(0, c - w). Random ids fall "
    "into each set alike, so that their number in a set is binomial, which gives the exact share; beside it is the "
    f"mean of {DRAWINGS} drawings of ids of 32 bits under the hash of the switch, and its standard error. Consecutive "
    "ids are 0, 1, 2, ... under the same hash."
)


class _Share(NamedTuple):
    """The share of some ids that conflicts evict, by kind of ids."""

    ids: int
    ways: int
    exact: Fraction
    drawn: float
    error: float
    consecutive: Fraction


def _percent(share: float | Fraction) -> str:
    return f"{100 * float(share):.4f} %" if share else "0 %"


COLUMNS: Mapping[str, Callable[[_Share], object]] = {
    "ids": lambda share: share.ids,
    "ways": lambda share: share.ways,
    "random ids, exact": lambda share: _percent(share.exact),
    "drawn": lambda share: _percent(share.drawn),
    "standard error": lambda share: _percent(share.error),
    "consecutive ids": lambda share: _percent(share.consecutive),
}


def check(data: Mapping[str, Any]) -> Compute:
    """Require numbers of ways that divide the entries, which all ids must fit into."""
    switch, _ = switches_of(data, "cache.entries", "cache.hash")
    assert switch.cache is not None
    caches = caches_of(switch.cache, data["sizes"], IDS[-1])
    seed = check_int("seed", data["seed"], 0)
    return lambda _: _figure(list(_shares(caches, seed)))


def caches_of(cache: RoutingCache, sizes: Sequence[object], ids: int) -> list[RoutingCache]:
    """Return a cache with each number of ways; without conflicts it must hold all ids."""
    if cache.entries < ids:
        raise InputError(
            f"switch.cache.entries={cache.entries}: expected at least {ids}, since nothing but conflicts evicts"
        )
    ways = ascending(sizes, 1, cache.entries, "number of ways of a cache")
    return [replace(cache, ways=number) for number in ways]


def _shares(caches: Sequence[RoutingCache], seed: int) -> Iterator[_Share]:
    for ids in IDS:
        random = np.random.default_rng([seed, ids])
        drawings = [random.choice(ID_RANGE, ids, replace=False) for _ in range(DRAWINGS)]
        for cache in caches:
            exact = evicted_share_of_random_ids(cache, ids)
            with step(f"{ids} ids, {cache.ways} ways"):
                evicted = np.array([evicted_by_conflicts(cache, drawn) for drawn in drawings])
            expected = ids * float(exact)
            # Events of which less than one is expected in all drawings are Poisson: their variance is their mean.
            variance = expected if expected * DRAWINGS < 1 else float(evicted.var(ddof=1))
            error = sqrt(variance / DRAWINGS) / ids
            consecutive = Fraction(evicted_by_conflicts(cache, np.arange(ids)), ids)
            yield _Share(ids, cache.ways, exact, float(evicted.mean()) / ids, error, consecutive)


def _figure(shares: Sequence[_Share]) -> Figure:
    checked = [*_compared(shares), _as_expected(shares)]
    last = max(shares, key=lambda share: (share.ways, share.ids))
    sentence = (
        f"At {last.ways} way{'' if last.ways == 1 else 's'}, conflicts evict {_percent(last.exact)} of {last.ids:,} "
        f"random ids, and {_percent(last.consecutive) if last.consecutive else 'none'} of as many consecutive ones"
    )
    table = Table.of(shares, COLUMNS, range(len(COLUMNS)))
    chart = (
        lambda axes: _draw(axes, shares),
        "Share of the ids that conflicts evict, on the right on a logarithmic scale: lines are exact for random ids, "
        "dots are drawn, crosses are consecutive ids; the dotted line is the paper's limit.",
    )
    return figure_of("fig5", {"": ("Evicted ids", table, READING)}, checked, list(_beside(shares)), chart, sentence)


def _compared(shares: Sequence[_Share]) -> Iterator[CheckedStatement]:
    """Yield the verdicts on the limits of the paper, under both readings of its ids."""
    metric = "greatest share of n ids that conflicts evict at {} ways"
    by_metric: dict[tuple[str, int | None], _Share] = {(metric.format(s.ways), s.ids): s for s in shares}
    for number in hirasawa_numbers():
        share = by_metric.get((number.metric, number.n))
        if number.figure == "Fig 5" and share is not None:
            for kind, ours in (("random", share.exact), ("consecutive", share.consecutive)):
                stated = f"at {share.ways} ways conflicts evict at most {float(number.value):g} % of {share.ids} ids"
                yield Checked(f"{stated}, if {kind}", _percent(ours), verdict(100 * ours <= number.value))


def _as_expected(shares: Sequence[_Share]) -> CheckedStatement:
    """Return the verdict on the hash: random ids conflict under it as often as balls in bins."""
    furthest = max(_errors(share) for share in shares)
    ours = f"at most {furthest:.1f} standard errors apart"
    return Checked("the hash spreads random ids evenly over the sets", ours, verdict(furthest <= ERRORS))


def _errors(share: _Share) -> float:
    """Return by how many standard errors the mean of the drawings differs from the exact share."""
    return abs(share.drawn - float(share.exact)) / share.error if share.error else 0.0


def _beside(shares: Sequence[_Share]) -> Iterator[str]:
    by_case = {(share.ids, share.ways): share for share in shares}
    share = by_case.get((512, 4))
    if share is not None:
        yield (
            f"The 0.1 % of the paper for 512 ids at 4 ways is neither the {_percent(share.exact)} of random ids nor "
            f"the {_percent(share.consecutive)} of consecutive ids under this hash; the paper prints neither its ids "
            "nor the polynomial of its hash, and its English abstract says 256 nodes instead of 512."
        )


def _draw(axes: Sequence[Axes], shares: Sequence[_Share]) -> None:
    """Draw all shares twice, the second time on a logarithmic scale, which leaves out those that are 0."""
    for ids, colour in zip(IDS, COLOURS, strict=True):
        points = [share for share in shares if share.ids == ids]
        ways = [share.ways for share in points]
        exact = [100 * float(share.exact) for share in points]
        drawn, error, consecutive = (
            [100 * float(value) for value in column]
            for column in ([p.drawn for p in points], [p.error for p in points], [p.consecutive for p in points])
        )
        for panel in axes:
            panel.plot(ways, exact, color=LIGHT[colour], label=f"{ids:,} ids")
            panel.errorbar(ways, drawn, error, fmt="o", color=LIGHT[colour], markersize=4, capsize=2)
            panel.plot(ways, consecutive, "x", color=LIGHT[colour], markersize=5)
    for panel in axes:
        panel.axhline(LIMIT_PERCENT, color=LIGHT["ink"], linestyle=":", linewidth=1)
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter("{x:g}")
        label(panel, "ways", "evicted ids (%)")
    axes[0].set_ylim(bottom=-0.5)
    axes[1].set_yscale("log")
    axes[1].set_ylim(1e-4, 100)
    axes[1].yaxis.set_major_formatter("{x:g}")
    axes[0].legend(loc="upper right")
