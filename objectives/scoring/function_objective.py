"""The objective that a function of exact metrics defines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from isoplane.models import Design, Network

from .functions import Known, function_value
from .metric_scopes import metrics_in, needing
from .objective import Evaluator, Lexicographic

if TYPE_CHECKING:
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
    metrics = known_metrics(evaluator, network, workload)
    names = tuple(dict.fromkeys(exact for _, exact, _, _ in metrics))
    values = evaluator.exact(Design(network), names, workload)
    parts = len(function_value((name, 0, metrics, 1), values))
    component = tuple((1, (exact,)) for exact in names)
    function = name, parts, metrics, 1
    return Lexicographic(name, (component,), evaluator, workload, printed_as=(Fraction(1), False), function=function)


def known_metrics(evaluator: Evaluator, network: Network, workload: Workload | None = None) -> Known:
    """Return the metrics that an evaluator knows of a network, as functions of metrics are called with them."""
    metrics = []
    lacking = frozenset() if network.site.layout is not None else needing("layout", evaluator.scope)
    for metric, (_, formula) in metrics_in(evaluator.scope).items():
        exact = formula.score_name
        if (
            formula.scored
            and not formula.on_request
            and exact in evaluator.names
            and exact not in lacking | needing("lookups", evaluator.scope)
        ):
            divisor = 1 if formula.divisor is None else formula.divisor(network, workload)
            metrics.append((metric, exact, divisor if formula.inverse else _reciprocal(divisor), formula.inverse))
    return tuple(metrics)


def _reciprocal(divisor: int) -> int | Fraction:
    return 1 if divisor == 1 else Fraction(1, divisor)
