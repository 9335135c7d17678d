"""Regular graphs whose cables have lengths: what native walks need of racks, prices and the objective.

Racks are filled in the order of the ids of switches, so that an exchange of two switches' places is one of their ids,
and the edges of a record say where its switches are.
"""

from fractions import Fraction
from math import floor

import numpy as np

from isoplane.models import Design, InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.family_kinds.uniform import least_hops, moore_diameter
from isoplane.objectives import CUBE_METRICS, Lexicographic
from isoplane.objectives.costs.bill import bill_of
from isoplane.objectives.scoring.metric_scopes import needing
from isoplane.objectives.scoring.sums import Sum, sum_value, terms_of

from .. import _native

KERNEL_NAMES = {"total_hops": "sum_of_distances"}  # of metrics that have another name in kernels
WORSE = 12  # bits by which a metric of any graph may be above that of the random one: distances are below 4,096
BITS = 126  # of a part of a score, which native code holds in 128
Terms = list[tuple[int, int, list[int]]]  # high and low half of 128 bits of weights, and numbers of metrics


def placed_task(network: Network, graphs: _native.GraphTask, objective: Lexicographic) -> _native.PlacedTask:
    """Return what walks over graphs and the places of their switches search for an objective.

    Parameters
    ----------
    network, objective
        Any network of the search, and its objective.
    graphs
        The graphs, as walks search them for short distances alone.

    Raises
    ------
    InputError
        If the catalogue has no cable for two of the racks, or scores have too many digits.
    """
    _require_range(network, objective)
    rack, needed, kind, lengths, prices, fixed = [0] * network.family.switches, [0], [0], [0], [0], 0
    if needing("racks", objective.scope) & set(objective.metrics):
        rack = racks_of(network).tolist()
        needed, kind = ([0] * (rack[-1] + 1) ** 2 for _ in range(2))
    if needing("layout", objective.scope) - needing("racks", objective.scope) & set(objective.metrics):
        racks, needed_mm, kinds = _racks(network)
        rack, needed, kind = racks.tolist(), needed_mm.ravel().tolist(), kinds.ravel().tolist()
        lengths, prices = network.site.prices.lengths_mm.tolist(), network.site.prices.cable_cents.tolist()
        fixed = _fixed_cents(network)
    units = network.delay_units
    return _native.PlacedTask(
        graphs,
        network.nodes // network.family.switches,
        rack,
        needed,
        kind,
        lengths,
        prices,
        (units.hop, units.cable_mm, units.endpoint),
        fixed,
        network.node_cable_mm or 0,
        [_native_sum(terms_of(component)) for component in objective.components],
        [_native_sum(limit) for limit in objective.limits],
    )


def least_cables(network: Network, degree: int) -> dict[str, int]:
    """Return lower bounds of the length, the price and the longest cable of all graphs of a degree in the racks.

    The cables of a switch lead to different others, so that they are at least the cheapest to as many other places, or
    the shortest. Summed over all switches, each cable counts twice.
    """
    rack, _, kind = _racks(network)
    prices, places = network.site.prices, np.bincount(rack)
    totals, longest = dict.fromkeys(("cable_length", "cost"), 0), network.node_cable_mm or 0
    for own, kinds in enumerate(kind):
        others = places.copy()
        others[own] -= 1  # a switch has no cable to itself
        for name, values in (("cable_length", prices.lengths_mm), ("cost", prices.cable_cents)):
            least = np.sort(np.repeat(values[kinds], others))[:degree]
            totals[name] += int(least.sum() * places[own])
            longest = max(longest, int(least[-1])) if name == "cable_length" else longest
    length, cents = (-(-total // 2) for total in totals.values())
    return {"cable_length": length, "cost": _fixed_cents(network) + cents, "longest_cable": longest}


def least_without_rack(network: Network, degree: int) -> dict[str, int]:
    """Return lower bounds of the diameter and the mean distance that the loss of some rack leaves in any graph.

    The switches that are left have no more cables than before. And the loss of at most two of the racks loses an end of
    a pair of switches, while none makes a distance shorter: the mean over the pairs of all losses is a bound, too.
    """
    switches, held = network.family.switches, np.bincount(racks_of(network)).tolist()
    left = [switches - each for each in held]
    means = [Fraction(least_hops(each, degree), each) for each in left if each > 1]
    means.append(Fraction((len(held) - 2) * switches * least_hops(switches, degree), sum(each**2 for each in left)))
    return {
        "rack_fault_diameter": max((moore_diameter(each, degree) for each in left if each > 1), default=0),
        "rack_fault_aspl": floor(10**9 * max(means) + Fraction(1, 2)),
    }


def racks_of(network: Network) -> Ints:
    """Return the rack of each switch."""
    assert network.floor is not None
    (assigned,) = network.floor.assigned
    return assigned.rack.astype(np.int64)


def _require_range(network: Network, objective: Lexicographic) -> None:
    """Raise an `InputError` if a part of a score could exceed the 127 bits of native ones."""
    values = objective.evaluator.exact(Design(network), objective.metrics)
    most = {name: value << WORSE for name, value in values.items()}
    for sums in (*((terms_of(component),) for component in objective.components), objective.limits):
        if sum(sum_value(tuple((abs(weight), product) for weight, product in terms), most) for terms in sums) >> BITS:
            raise InputError(f"objective={objective.name}: too many digits for exact scores; expected fewer decimals")


def _racks(network: Network) -> tuple[Ints, Ints, Ints]:
    """Return the rack of each switch, and of cables between two racks the least length and kind of the catalogue."""
    assert network.floor is not None
    (assigned,), rack = network.floor.assigned, racks_of(network)
    _, first = np.unique(rack, return_index=True)
    one, other = np.meshgrid(first, first, indexing="ij")
    needed, prices = assigned.needed_mm(one, other), network.site.prices
    prices.cable_for_mm(int(needed.max()))
    return rack, needed, np.searchsorted(prices.lengths_mm, needed)


def _fixed_cents(network: Network) -> int:
    """Return the price of all but the cables between switches."""
    prices, (plane,) = network.site.prices, network.cabling
    lengths = plane.cable_mm[plane.topology.peer >= 0]
    cables = int(prices.cable_cents[np.searchsorted(prices.lengths_mm, lengths)].sum()) // 2
    return bill_of(network).total_cents - cables


def _native_sum(terms: Sum) -> Terms:
    return [
        (weight >> 64, weight & (1 << 64) - 1, [CUBE_METRICS.index(KERNEL_NAMES.get(name, name)) for name in product])
        for weight, product in terms
    ]
