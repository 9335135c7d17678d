"""Metrics of installed packages: functions of the exact metrics of a design, with names of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from isoplane.models import Design, InputError
from isoplane.models.installed.entry_points import module_with, points_of

from .expressions import Product
from .function_objective import known_metrics
from .functions import function_value
from .metric import Metric
from .metric_table import METRIC_TABLE
from .objective import Evaluator, Lexicographic

if TYPE_CHECKING:
    from isoplane.models import Network
    from isoplane.models.workloads import Workload

ENTRY_POINTS = "isoplane.metrics"  # of installed packages: NAME = "module"
PARTS = {"METRIC": Metric, "value": Callable}  # of such a module


def own_metrics() -> Mapping[str, Metric]:
    """Return the metrics of installed packages by name.

    Raises
    ------
    InputError
        If a package has the name of a built-in metric, or a module without ``METRIC`` of that name and ``value``.
    """
    return {name: module.METRIC for name, module in _modules().items()}


def _modules() -> Mapping[str, ModuleType]:
    return _loaded(tuple(sorted(points_of(ENTRY_POINTS, METRIC_TABLE).items())))


@lru_cache(maxsize=4)
def _loaded(points: tuple[tuple[str, str], ...]) -> Mapping[str, ModuleType]:
    modules = {name: module_with(f"metric {name}", path, PARTS) for name, path in points}
    for name, module in modules.items():
        if module.METRIC.name != name:
            raise InputError(f"metric {name}: METRIC of {module.__name__} is {module.METRIC.name!r}; expected {name!r}")
    return modules


def own_objective(
    text: str, clauses: list[tuple[str, list[Product]]], evaluator: Evaluator, network: Network,
    workload: Workload | None,
) -> Lexicographic | None:  # fmt: skip
    """Return the objective of an objective in words that is a metric of a package; None if it names none.

    Parameters
    ----------
    text, clauses
        The objective, and what it minimises or maximises.
    evaluator, network, workload
        As for `worded_objective`.

    Raises
    ------
    InputError
        If the metric is not alone: its integers have no formula, of which a sum or product could be made.
    """
    names = {name for _, products in clauses for _, *both in products for part in both for name in part}
    own = sorted(names & set(own_metrics()))
    if not own:
        return None
    (direction, products), *others = clauses
    if others or products != [(Fraction(1), (own[0],), ())]:
        raise InputError(f"objective={text}: {own[0]} is a metric of a package; expected it alone, as min {own[0]}")
    sign = 1 if direction == "min" else -1
    known = known_metrics(evaluator, network, workload)
    names_of_integers = tuple(dict.fromkeys(exact for _, exact, _, _ in known))
    function = _path(own[0]), 1, known, sign
    function_value(function, evaluator.exact(Design(network), names_of_integers, workload))  # fails here or nowhere
    component = tuple((1, (exact,)) for exact in names_of_integers)
    printed_as = Fraction(sign), False
    return Lexicographic(text, (component,), evaluator, workload, printed_as=printed_as, function=function)


def own_values(
    evaluator: Evaluator, network: Network, exact: Mapping[str, int | None], workload: Workload | None = None
) -> dict[str, int]:
    """Return the values of the metrics of packages, without those that are undefined here.

    Parameters
    ----------
    evaluator, network, workload
        What computes the integers, and of what.
    exact
        The exact integers by their names in scores; None for those that are undefined.
    """
    known = [each for each in known_metrics(evaluator, network, workload) if exact.get(each[1]) is not None]
    integers = {name: value for name, value in exact.items() if value is not None}
    values: dict[str, int] = {}
    for name in own_metrics():
        try:
            (values[name],) = function_value((_path(name), 1, tuple(known), 1), integers)
        except InputError as error:
            if not isinstance(error.__cause__, KeyError):  # a metric that designs of this kind do not have
                raise
    return values


def own_values_of(evaluator: Evaluator, design: Design, workload: Workload | None = None) -> dict[str, int]:
    """Return the values of the metrics of packages for a design without circuits; if there are none, at no cost."""
    if evaluator.needs_workload or not own_metrics():
        return {}
    names = tuple(dict.fromkeys(each[1] for each in known_metrics(evaluator, design.network, workload)))
    return own_values(evaluator, design.network, evaluator.exact(design, names, workload), workload)


def reference_value(name: str, network: Network) -> int | None:
    """Return what the second function of a metric of a package makes of a network; None without one."""
    reference = getattr(_modules()[name], "reference", None)
    return None if reference is None else reference(network)


def _path(name: str) -> str:
    return f"{_modules()[name].__name__}:value"
