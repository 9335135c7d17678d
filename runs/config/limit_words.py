"""Limits of searches under the names that comparisons give them: words for limits in `subject_to`."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from isoplane.models import InputError, Network
from isoplane.models.checks import exact_number
from isoplane.models.family import plane_count
from isoplane.models.family_kinds.cube import cubes_of
from isoplane.objectives import Evaluator, Lexicographic
from isoplane.objectives.scoring.expressions import SUBJECT_TO
from isoplane.objectives.scoring.metric_scopes import needing

from .config_values import plain

LIMITS: Mapping[str, tuple[str, str]] = {  # the metric and the relation of each
    "budget_usd_per_node": ("cost_usd_per_node", "<="),
    "cable_m": ("longest_cable_m", "<="),
    "throughput": ("max_traffic", ">="),
    "diameter": ("diameter", "<="),
}


def stated_limits(config: Mapping[str, Any], evaluator: Evaluator, network: Network) -> str | None:
    """Return the limits of a search in words: those of `subject_to`, then those under the names of comparisons.

    A throughput is a share of the rate of a node, which has a link to each plane and shares its switch with others, so
    that the traffic of one node at each switch is larger by the number of nodes at a switch.

    Parameters
    ----------
    config
        The composed config.
    evaluator, network
        What judges designs, and any network of the search.

    Raises
    ------
    InputError
        If a limit is no number, or designs are judged by times alone.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> config = {"subject_to": "aspl <= 2", "cable_m": 30, "throughput": 0.9}
    >>> stated_limits(config, CUBES, dual_cube(3, (3, 5, 7)))
    'aspl <= 2, longest_cable_m <= 30, max_traffic >= 7.2'
    """
    subject_to = config.get("subject_to")
    if subject_to is not None and not isinstance(subject_to, str):
        given = plain(subject_to) if isinstance(subject_to, Mapping) else subject_to
        raise InputError(f"subject_to={given}: expected METRIC <= NUMBER or METRIC >= NUMBER, or several by commas")
    limits = [] if subject_to is None else [subject_to]
    for key, (metric, relation) in LIMITS.items():
        value = config.get(key)
        if value is None:
            continue
        is_share = key == "throughput"
        number = exact_number(key, value, high=1, above=True) if is_share else exact_number(key, value)
        if evaluator.scope == "circuits":
            times = ", ".join(f"{name}_ns" for name in evaluator.names)
            raise InputError(f"{key}={value}: designs with circuits have no {metric}; expected a limit of {times}")
        if is_share and evaluator.scope == "switches":
            metric, number = "throughput_per_node", number * plane_count(network.family)
        elif is_share:
            cubes = cubes_of(network)
            number *= cubes.node_ports * (network.nodes // cubes.plane_switches)
        limits.append(f"{metric} {relation} {_decimal(number)}")
    return ", ".join(limits) or None


def require_layout(objective: Lexicographic, network: Network) -> None:
    """Raise an `InputError` for an objective, or limits alone, on metrics of cables in a network without a layout."""
    if network.site.layout is None and needing("layout", objective.scope) & {*objective.metrics}:
        text, _, limits = objective.name.partition(SUBJECT_TO)
        stated = f"objective={objective.name}" if text else f"subject_to={limits}"
        raise InputError(f"{stated}: needs a layout, such as layout=paper; layout=none expects metrics without cables")


def _decimal(number: Fraction) -> str:
    """Return a finite decimal with all its digits."""
    digits = 0
    while (number * 10**digits).denominator > 1:
        digits += 1
    return f"{Decimal(int(number * 10**digits)).scaleb(-digits):f}"
