"""Groups of columns, one module each with ``GROUP`` and its position ``ORDER``, found by name; metrics of packages."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from isoplane.models import Design, InputError
from isoplane.objectives.evaluators import own_values_of
from isoplane.objectives.scoring.own_metrics import own_metrics

from ..column import Column, Group, Value
from ..compared_design import ComparedDesign


def groups() -> tuple[Group, ...]:
    """Return all groups, in the order of pages and files.

    Raises
    ------
    InputError
        If a metric of a package has the name of a column.
    """
    metrics = own_metrics()
    for column in (column for group in _built_in() for column in group.columns if column.key in metrics):
        raise InputError(f"metric {column.key}: the name of a column of comparisons; expected a name of its own")
    columns = tuple(Column(name, metric.title, metric.unit, metric.decimals) for name, metric in metrics.items())
    return (*_built_in(), *([Group(OWN, "Defined by installed packages.", columns, _own_values)] if columns else []))


OWN = "Metrics of packages"


@cache
def _built_in() -> tuple[Group, ...]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(module.GROUP for module in sorted(modules, key=lambda module: module.ORDER))


def _own_values(compared: ComparedDesign) -> Mapping[str, Value]:
    values = own_values_of(Design(compared.network))
    return {name: values.get(name) for name in own_metrics()}
