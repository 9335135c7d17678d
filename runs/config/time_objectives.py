"""From a composed config to objectives that are times of a workload."""

from collections.abc import Mapping
from typing import Any, TypeVar

from isoplane.models import InputError
from isoplane.objectives.fluid.time_objective import KINDS, TimeObjective, time_names

from .assignments import workload_of
from .config_values import group, shown

Kind = TypeVar("Kind", bound=TimeObjective)


def time_objective_of(config: Mapping[str, Any], kind: type[Kind]) -> Kind:
    """Return the objective of a workload that a config describes, for one kind of networks.

    Raises
    ------
    InputError
        If a metric is unknown or there is no workload.
    """
    objective = group(config, "objective")
    name, components = objective.get("name"), objective.get("components")
    if not isinstance(name, str) or not name:
        raise InputError(f"objective.name={shown(name)}: expected text")
    allowed = time_names(kind.scope)
    if (
        objective.get("metrics") is not None
        or not isinstance(components, list)
        or not all(isinstance(each, list) and len(each) == 1 and each[0] in allowed for each in components)
    ):
        raise InputError(f"objective={name}: {KINDS[kind.scope]} expects components of {', '.join(allowed)}")
    return kind(name, tuple(component[0] for component in components), workload_of(config))
