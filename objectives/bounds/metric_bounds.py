"""Proven lower bounds of each metric and of the scores of an objective."""

from math import prod

from isoplane.models import Network, cable_table

from ..costs import fixed_cents
from ..objective import CABLE_METRICS, Objective
from .cables import least_weights
from .certificates import sum_bound
from .loads import least_load_length, load_bound, load_capacity


def score_bounds(objective: Objective, network: Network) -> tuple[int | None, ...]:
    """Return what no design with the size, family and surroundings of a network scores below.

    Each component of a score is a product of metrics, and none of them falls below its own bound. So the bound of a
    component holds for every design, not only among the designs that are best in the components before.

    Parameters
    ----------
    objective
        Whose score.
    network
        Two planes of any connection sets; what counts is the dimension, the family, the layout, the prices, the switch
        model and the number of nodes.

    Returns
    -------
    tuple
        Exact integers in the units of `Objective.score`; None where nothing is known.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> both = Objective("both", (("sum_of_distances", "max_load"), ("cable_length",)))
    >>> score_bounds(both, dual_cube(4, (1, 2, 4, 8)))
    (132, 288000)
    """
    return tuple(_component(component, network) for component in objective.components)


def _component(component: tuple[str, ...], network: Network) -> int | None:
    bounds = [metric_bound(metric, network) for metric in component]
    known = [bound for bound in bounds if bound is not None]
    return prod(known) if len(known) == len(bounds) else None


def metric_bound(metric: str, network: Network) -> int | None:
    """Return what one of `METRICS` is never below, None where nothing is known."""
    n, folded = network.n, network.folded
    if len(network.planes) != 2 or (metric in CABLE_METRICS and network.layout is None):
        return None
    if metric == "sum_of_distances":
        return sum_bound(n, folded)
    if metric == "max_load":
        return load_bound(n, folded)
    return _cable_metric(metric, network)


def _cable_metric(metric: str, network: Network) -> int | None:
    assert network.layout is not None
    table = cable_table(network.n, network.layout, network.prices)
    if metric == "cost":
        prices = least_weights(table.price_cents, table, network.n, network.folded)
        return None if prices is None else fixed_cents(network) + sum(prices)
    lengths = least_weights(table.length_mm, table, network.n, network.folded)
    if metric == "cable_length" or lengths is None:
        return None if lengths is None else sum(lengths)
    units, switches, hops = network.switch.units(), network.switches, sum_bound(network.n, network.folded)
    if metric == "delay_paper":
        per_hop = sum(lengths) * units.cable_mm + units.hop * len(lengths) * switches
        return per_hop * hops + units.endpoint * len(lengths) * switches**2
    load_mm = least_load_length(2 * hops, lengths, load_capacity(network.n, network.folded))
    return load_mm * units.cable_mm + 2 * hops * units.hop * switches + 2 * units.endpoint * switches**2
