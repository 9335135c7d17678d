"""Metrics of installed packages: functions of the exact metrics of a design, with names of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from isoplane.models import InputError
from isoplane.models.installed.entry_points import METRIC_POINTS, module_with, points_of

from .function_objective import called_once, known_metrics
from .functions import Function, function_value, integers_of, is_function, lacks_metric, with_functions
from .metric import Metric
from .metric_table import METRIC_TABLE
from .objective import Evaluator, Lexicographic
from .sums import Component, Sum, names_in

if TYPE_CHECKING:
    from isoplane.models import Design, Network
    from isoplane.models.workloads import Workload

PARTS = {"METRIC": Metric, "value": Callable}  # of such a module


def own_metrics() -> Mapping[str, Metric]:
    """Return the metrics of installed packages by name.

    Raises
    ------
    InputError
        If a package has the name of a built-in metric, or a module without ``METRIC`` of that name and ``value``.
    """
    return {name: module.METRIC for name, module in _modules().items()}


def metric_named(name: str) -> Metric:
    """Return a metric by its name, which one of an installed package or a function ``module:function`` may have.

    Examples
    --------
    >>> metric_named("aspl").unit
    'hops'
    """
    if _is_of_function(name):
        return Metric(name, "", name)
    return METRIC_TABLE[name] if name in METRIC_TABLE else own_metrics()[name]


def _modules() -> Mapping[str, ModuleType]:
    return _loaded(tuple(sorted(points_of(METRIC_POINTS, METRIC_TABLE).items())))


@lru_cache(maxsize=4)
def _loaded(points: tuple[tuple[str, str], ...]) -> Mapping[str, ModuleType]:
    modules = {name: module_with(f"metric {name}", path, PARTS) for name, path in points}
    for name, module in modules.items():
        if module.METRIC.name != name:
            raise InputError(f"metric {name}: METRIC of {module.__name__} is {module.METRIC.name!r}; expected {name!r}")
    return modules


def _is_of_function(name: str) -> bool:
    """Whether a name is that of an integer of a function, which may be one of several."""
    return is_function(name.partition("[")[0])


def own_integer(name: object) -> str | None:
    """Return the name in scores of the integer that a function returns: that of a metric of a package, or one by name.

    None of any other metric.
    """
    if not isinstance(name, str):
        return None
    return name if is_function(name) else _path(name) if name in own_metrics() else None


def own_name(integer: str) -> str:
    """Return the name of the metric of a package that an integer is; of any other function the integer's own name."""
    return next((name for name in own_metrics() if _path(name) == integer), integer)


def function_values(score_names: Iterable[str], score: Iterable[int]) -> dict[str, int]:
    """Return the components of a score that are what functions return, by the names of metrics where these have one.

    Examples
    --------
    >>> function_values(["cost", "mine:wear", "mine:wear[1]"], [340000, -7, 2])
    {'mine:wear': -7, 'mine:wear[1]': 2}
    """
    return {own_name(name): value for name, value in zip(score_names, score, strict=True) if _is_of_function(name)}


def objective_values(objective: Lexicographic, design: Design) -> dict[str, int]:
    """Return what the functions of an objective make of a design, by the names of metrics where these have one.

    Of the integers of a function that returns several the first has its name, the second is as ``mine:wear[1]``. The
    network may be another than that of the objective: divisors of integers are its own.
    """
    if not objective.functions:
        return {}
    known = known_metrics(objective.evaluator, design.network, objective.workload)
    functions = [(name, parts, known) for name, parts, _ in objective.functions]
    names = tuple(dict.fromkeys(exact for _, exact, _, _ in known))
    values = with_functions(functions, objective.evaluator.exact(design, names, objective.workload))
    return {own_name(name): values[name] for name in integers_of(functions)}


def own_functions(
    components: Iterable[Component | Sum], evaluator: Evaluator, network: Network, workload: Workload | None
) -> tuple[Function, ...]:
    """Return the functions of whose integers components or limits are made.

    Parameters
    ----------
    components
        Components and limits.
    evaluator, network, workload
        As for `worded_objective`.

    Raises
    ------
    InputError
        If a function fails, or returns no integer.
    """
    named = dict.fromkeys(name for terms in components for name in names_in(terms))
    return tuple(called_once(name, 1, evaluator, network, workload) for name in named if is_function(name))


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
            (values[name],) = function_value((_path(name), 1, tuple(known)), integers)
        except InputError as error:
            if not lacks_metric(error):
                raise
    return values


def reference_value(name: str, network: Network) -> int | None:
    """Return what the second function of a metric of a package makes of a network; None without one."""
    reference = getattr(_modules()[name], "reference", None)
    return None if reference is None else reference(network)


def _path(name: str) -> str:
    return f"{_modules()[name].__name__}:value"
