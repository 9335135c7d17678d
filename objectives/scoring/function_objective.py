"""The objective that a function of exact metrics defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .functions import Function, Known, function_value, integers_of
from .metric import Scope
from .metric_scopes import metrics_in, needing
from .objective import Evaluator, Lexicographic

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload


def function_objective(
    name: str, evaluator: Evaluator, network: Network, workload: Workload | None = None
) -> Lexicographic:
    """Return the objective that a function ``module:function`` of exact metrics returns, to minimise.

    It is called with a dictionary of metrics by their names in records, as integers and fractions, and returns an
    integer, or a tuple of up to three that are compared in order. It must depend on nothing else.

    Parameters
    ----------
    name
        Module and function.
    evaluator, network, workload
        As for `worded_objective`; the metrics are those that the evaluator knows of the network.
    """
    function = called_once(name, 0, evaluator, network, workload)
    components = tuple((integer,) for integer in integers_of([function]))
    return Lexicographic(name, components, evaluator, workload, functions=(function,))


def called_once(name: str, parts: int, evaluator: Evaluator, network: Network, workload: Workload | None) -> Function:
    """Return a function that was called with the metrics of a network: so it fails here, or in no search.

    Parameters
    ----------
    name, parts
        Module and function, and the number of integers that it should return; 0 if unknown.
    evaluator, network, workload
        As for `function_objective`.
    """
    from isoplane.models import Circuits, Design
    from isoplane.models.placement import by_switch

    metrics = known_metrics(evaluator, network, workload)
    names = tuple(dict.fromkeys(exact for _, exact, _, _ in metrics))
    is_assigned = evaluator.scope == "circuits"
    design = Design(network, Circuits(), by_switch(network.nodes)) if is_assigned else Design(network)
    values = function_value((name, parts, metrics), evaluator.exact(design, names, workload))
    return name, len(values), metrics


def known_metrics(evaluator: Evaluator, network: Network, workload: Workload | None = None) -> Known:
    """Return the metrics that an evaluator knows of a network, as functions of metrics are called with them."""
    from isoplane.models.family_kinds.cube import has_kernels

    scopes: list[Scope] = [evaluator.scope]
    if evaluator.scope == "times":  # which also has the integers of the network
        scopes.append("cubes" if has_kernels(network) else "switches")
    needs = ["lookups", "judge", "losses", *(["layout"] if network.site.layout is None else [])]
    metrics = []
    for scope in scopes:
        lacking = frozenset().union(*(needing(need, scope) for need in needs))
        for metric, (_, formula) in metrics_in(scope).items():
            exact = formula.score_name
            if formula.scored and exact in evaluator.names and exact not in lacking:
                divisor = 1 if formula.divisor is None else formula.divisor(network, workload)
                metrics.append((metric, exact, divisor, formula.inverse))
    return tuple(metrics)
