"""Metrics by scope: names in records and scores, and conversion from exact integers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from isoplane.models import InputError

from .metric import Formula, Metric, MetricValues, Scope
from .metric_table import METRIC_TABLE

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload

_LACKING = {
    "lookups": "areas or powers in switch and switch.cache",
    "planes": "two or more planes that carry packets",
    "racks": "a layout of two or more racks",
}


@cache
def metrics_in(scope: Scope) -> Mapping[str, tuple[Metric, Formula]]:
    """Return the metrics of a scope with their formulas there, by name, in the order of records.

    Examples
    --------
    >>> list(metrics_in("switches"))[:3]
    ['aspl', 'total_hops', 'diameter']
    """
    formulas = ((metric, metric.formula(scope)) for metric in METRIC_TABLE.values())
    return {metric.name: (metric, formula) for metric, formula in formulas if formula is not None}


@cache
def score_names(scope: Scope) -> tuple[str, ...]:
    """Return the names of the exact integers that form the scores of a scope.

    Examples
    --------
    >>> score_names("circuits")
    ('completion', 'completion_by_packets', 'synchronised', 'bottleneck', 'total')
    """
    return tuple(dict.fromkeys(formula.score_name for _, formula in metrics_in(scope).values() if formula.scored))


@cache
def displayed_metric(scope: Scope, score_name: str, in_product: bool = False) -> tuple[Metric, Formula]:
    """Return the metric that displays an exact integer of a score, and its formula.

    A count that also has a quotient metric is displayed as that quotient: a sum of distances as ASPL. In a product it
    remains a count.

    Examples
    --------
    >>> [displayed_metric("cubes", "sum_of_distances", in_product)[0].name for in_product in (False, True)]
    ['aspl', 'sum_of_distances']
    """
    candidates = [
        found for found in metrics_in(scope).values() if found[1].scored and found[1].score_name == score_name
    ]
    return next((found for found in candidates if (found[1].divisor is None) == in_product), candidates[0])


@cache
def objective_names(scope: Scope) -> Mapping[str, str]:
    """Map the names that metrics have in objectives to the exact integers of scores: those of records, and older ones.

    The older names have no units. The files of objectives have them, and so the configs in records.

    Examples
    --------
    >>> [objective_names("cubes")[name] for name in ("aspl", "cost_usd_per_node", "cost")]
    ['sum_of_distances', 'cost', 'cost']
    """
    names = {name: formula.score_name for name, (_, formula) in metrics_in(scope).items() if formula.scored}
    for score_name in score_names(scope):
        metric, _ = displayed_metric(scope, score_name)
        names[metric.name if score_name in METRIC_TABLE else score_name] = score_name
    return names


@cache
def needing(need: str, scope: Scope) -> frozenset[str]:
    """Return the score names of a scope that have a requirement, such as a layout.

    Examples
    --------
    >>> sorted(needing("layout", "switches") - needing("losses", "switches"))
    ['cable_length', 'cost', 'delay', 'longest_cable']
    """
    scored = ((metric, formula) for metric, formula in metrics_in(scope).values() if formula.scored)
    return frozenset(formula.score_name for metric, formula in scored if need in metric.needs)


@cache
def time_names(scope: Scope) -> tuple[str, ...]:
    """Return the `score_names` of a scope that are computed, not simulated by a judge.

    Examples
    --------
    >>> time_names("times")
    ('completion', 'synchronised', 'bottleneck', 'total')
    """
    return tuple(name for name in score_names(scope) if name not in needing("judge", scope))


def exact_value(scope: Scope, exact: object, score_name: str) -> int:
    """Return an exact integer of a score by its name.

    Parameters
    ----------
    scope, score_name
        The scope, and one of its `score_names`.
    exact
        Result of the evaluator of the scope.

    Raises
    ------
    InputError
        If the value is None because the network lacks what the metric needs.
    """
    metric, formula = displayed_metric(scope, score_name)
    value: int | None = getattr(exact, formula.exact)
    if value is None:
        lacking = next((words for need, words in _LACKING.items() if need in metric.needs), "a layout")
        raise InputError(f"metric {metric.name}: needs {lacking}")
    return value


def metric_value(
    scope: Scope, name: str, exact: object, network: Network, workload: Workload | None = None
) -> int | float | None:
    """Return a metric from the exact integers of an evaluator; None if the network lacks a requirement."""
    _, formula = metrics_in(scope)[name]
    value: int | None = getattr(exact, formula.exact)
    if value is None:
        return None
    parts: int = getattr(exact, formula.parts) if formula.parts else 1
    return formula.value(value, network, workload, parts)


def metric_values(scope: Scope, exact: object, network: Network, workload: Workload | None = None) -> MetricValues:
    """Return the metrics of all records, in their order, from the exact integers of an evaluator."""
    has_stages = network.site.switch.routing_ns is not None
    values = {
        name: metric_value(scope, name, exact, network, workload)
        for name, (metric, formula) in metrics_in(scope).items()
        if not formula.on_request and (has_stages or "stages" not in metric.needs)
    }
    # Kernels of cubes know no largest delay: only where caches miss, the general evaluator is asked.
    dropped = {"lookups", "stages"} if scope == "cubes" else {"lookups"}
    return {
        name: value
        for name, value in values.items()
        if value is not None or METRIC_TABLE[name].needs.isdisjoint(dropped)
    }


def requested_names(scope: Scope, network: Network) -> tuple[str, ...]:
    """Return the names in scores of the metrics on request that tables of a network have: all but those after losses.

    Examples
    --------
    >>> from isoplane.models import Layout, dual_cube
    >>> [requested_names("cubes", dual_cube(3, (3, 5, 7), layout=layout)) for layout in (Layout(), None)]
    [('diameter', 'longest_cable', 'switches', 'cables'), ('diameter', 'switches', 'cables')]
    """
    return tuple(
        formula.score_name
        for metric, formula in metrics_in(scope).values()
        if formula.on_request
        and "losses" not in metric.needs
        and (network.site.layout is not None or "layout" not in metric.needs)
    )


def requested_metrics(scope: Scope, values: Mapping[str, int], network: Network) -> MetricValues:
    """Return the metrics that a record only states because its score has their integers, `values` by `score_names`."""
    return {
        name: formula.value(values[formula.score_name], network)
        for name, (_, formula) in metrics_in(scope).items()
        if formula.on_request and formula.score_name in values
    }


def named_otherwise(name: str, known: Collection[str]) -> str:
    """Return the middle of a message: how a metric that a design lacks follows from those that it has.

    Examples
    --------
    >>> named_otherwise("throughput_per_node", ["aspl", "max_traffic"])
    'throughput_per_node of cubes is max_traffic / nodes_per_switch; '
    >>> named_otherwise("max_traffic", ["aspl", "throughput_per_node"])
    'max_traffic is that of cubes, throughput_per_node that of any network; '
    """
    if name == "max_traffic" and "throughput_per_node" in known:
        return f"{name} is that of cubes, throughput_per_node that of any network; "
    is_of_cubes = name == "throughput_per_node" and "max_traffic" in known
    return f"{name} of cubes is max_traffic / nodes_per_switch; " if is_of_cubes else ""
