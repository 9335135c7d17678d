"""Proven lower bounds on each metric and on the scores of an objective."""

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import comb, floor

from isoplane.models import Network, cable_table

from ..cubes.costs import fixed_cents
from ..cubes.exact import CABLE_METRICS, CUBE_METRICS, longest_of_generators
from ..cubes.range import largest_metrics
from ..scoring.divisors import cube_shape
from ..scoring.metric_scopes import needing
from ..scoring.objective import Lexicographic
from .cable_bounds import plane1_weight_bound, plane_links
from .delays import delay_bound, delay_paper_bound
from .distance_bound import sum_bound
from .enumerations import BoundSource, stored_enumeration
from .loads import max_load_bound


def score_bounds(objective: Lexicographic, network: Network) -> tuple[int | None, ...]:
    """Return lower bounds on the score of every design with the size, family and site of a network.

    Each component of a score is a sum of products of metrics, bounded by the sum of the products of their bounds; a
    negative one by their largest values. So the bound of a component holds for every design, not only for those that
    are optimal in the earlier components. The excess over limits is bounded by those of the sums that are limited.

    Parameters
    ----------
    objective
        The objective of the score.
    network
        Two planes of any connection sets; the bounds depend on the dimension, family, layout, prices, switch model and
        number of nodes.

    Returns
    -------
    tuple
        Exact integers in the units of `Lexicographic.score`; None where no bound is known.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> both = Lexicographic("both", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    >>> score_bounds(both, dual_cube(4, (1, 2, 4, 8)))
    (132, 288000)
    """
    _, _, planes = cube_shape(network)
    # Where caches miss, delays are longer than those that kernels know.
    has_largest = planes == 2 and network.site.switch.misses_none_of(network.nodes - 1) and not objective.is_monotone
    largest = largest_metrics(network.baseline) if has_largest else {}
    return objective.bounds(lambda metric: metric_bound(metric, network), largest)


def metric_bound(metric: str, network: Network, enumerated: bool = True) -> int | None:
    """Return a lower bound on one of `CUBE_METRICS`, None if unknown; `enumerated` is as in `sum_bound`."""
    _, _, planes = cube_shape(network)
    # The enumerators count offsets by hops in a pair of planes; a third plane would shorten distances.
    if planes != 2 or metric not in CUBE_METRICS or (metric in CABLE_METRICS and network.site.layout is None):
        return None
    # All designs of a space have one baseline, so they share one entry of the cache.
    return _of_any_bases(metric, network.baseline, enumerated)


def enumeration_behind(metrics: Iterable[str], network: Network) -> BoundSource | None:
    """Return the stored enumeration on which bounds of metrics depend: without it, one of them would be lower.

    Parameters
    ----------
    metrics
        Names from `CUBE_METRICS`.
    network
        As for `score_bounds`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(8, (1, 2, 4, 8, 16, 32, 64, 128))
    >>> enumeration_behind(["sum_of_distances"], network).file  # 800; its certificate proves 795
    'enumeration-hypercube-n8.json'
    >>> enumeration_behind(["max_load"], network)  # 100, which is also 795 / 8 rounded up
    """
    n, folded, _ = cube_shape(network)
    stored = stored_enumeration(n, folded)
    if stored is None:
        return None
    higher = (metric_bound(metric, network) != metric_bound(metric, network, enumerated=False) for metric in metrics)
    return stored if any(higher) else None


@lru_cache(maxsize=256)
def _of_any_bases(metric: str, network: Network, enumerated: bool) -> int | None:
    """Return the bound of `metric_bound` for the two planes of a network, whatever their bases."""
    n, folded, _ = cube_shape(network)
    if metric == "sum_of_distances":
        return sum_bound(n, folded, enumerated)
    if metric == "max_load":
        return max_load_bound(n, folded, enumerated)
    if metric in ("diameter", "cable_fault_diameter"):  # no loss makes a distance shorter
        return _diameter_bound(n, folded)
    if metric == "cable_fault_hops":
        return sum_bound(n, folded, enumerated) << n
    if metric == "switch_fault_diameter":  # of all designs the same
        return (n + 1) // 2 if folded else n
    if metric in needing("racks", "cubes"):
        return _rack_bound(metric, network, enumerated)
    if metric == "longest_cable":  # all designs have the cables of plane 0
        return int(longest_of_generators(network)[list(plane_links(n, folded))].max())
    return _cable_metric_bound(metric, network, enumerated)


def _diameter_bound(n: int, folded: bool) -> int:
    """Return the least number of hops within which two planes can have 2^n offsets.

    A plane has C(links, w) offsets at distance w, but half of them at (n + 1) / 2 in a folded one, whose offsets then
    have two routes each.
    """
    reached, hops, links = 1, 0, n + folded
    while reached < 1 << n:
        hops += 1
        reached += 2 * comb(links, hops) // (2 if folded and 2 * hops == links else 1)
    return hops


def _rack_bound(metric: str, network: Network, enumerated: bool) -> int | None:
    """Return a lower bound of a metric after the loss of a rack; None if there is only one.

    A rack has r of s switches. Of the s pairs with an offset it leaves s - 2 r or more, at no shorter distance, and
    each of r^2 - r pairs beyond these numbers is at least at 1 hop; a switch with itself counts, at none.
    """
    assert network.site.layout is not None
    n, folded, _ = cube_shape(network)
    switches, held = 1 << n, network.site.layout.switches_per_rack
    left, kept = switches - held, max(0, switches - 2 * held)
    if left <= 0:
        return None
    if metric == "rack_fault_diameter":
        return _diameter_bound(n, folded) if kept else int(left > 1)
    hops = kept * sum_bound(n, folded, enumerated) + min(held, left) ** 2 - min(held, left)
    return floor(Fraction(10**9 * hops, left**2) + Fraction(1, 2))


def _cable_metric_bound(metric: str, network: Network, enumerated: bool) -> int | None:
    assert network.site.layout is not None
    (n, folded, _), units = cube_shape(network), network.delay_units
    table = cable_table(n, network.site.layout, network.site.prices)
    if metric == "delay_paper":
        return delay_paper_bound(table, units, n, folded, enumerated)
    if metric == "delay":
        return delay_bound(table, units, n, folded, enumerated)
    weights = table.price_cents if metric == "cost" else table.length_mm
    plane1 = plane1_weight_bound(weights, table, n, folded)
    if plane1 is None:
        return None
    # Plane 0 is the same in all designs, so its cables are exact; only plane 1 is bounded.
    cables = sum(int(weights[g]) for g in plane_links(n, folded)) + plane1
    return fixed_cents(network) + cables if metric == "cost" else cables
