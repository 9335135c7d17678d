"""From a composed config to the search space, which follows from the variables of the network."""

from collections.abc import Mapping
from typing import Any

from isoplane.models import Family, InputError, Network, family_named, family_names
from isoplane.objectives import CIRCUITS, CUBES, TIMES, Evaluator, Lexicographic
from isoplane.runs.inputs.record_families import TARGET, family_of
from isoplane.search import Space, space_of

from .assignments import workload_of
from .config_values import group, values_of
from .designs import site_of
from .setup import objective_file, objective_of

AUTO = "auto"
EVALUATORS: Mapping[str, Evaluator] = {"circuits": CIRCUITS}  # of kinds of designs, with and without a workload


def search_space_of(config: Mapping[str, Any]) -> Space:
    """Return the space that a config describes."""
    keys = values_of(group(config, "network"), (TARGET,))
    kind = family_of(keys.get("family"))
    if kind.variables is Family.variables:
        searched = [name for name in family_names() if family_named(name).variables is not Family.variables]
        raise InputError(f"network={kind.name}: has no search variables; expected {', '.join(searched)}")
    start = {key: value for key, value in keys.items() if key not in kind.design_keys}
    family = kind.read({**start, **kind.search_start})
    variables = {key: variable.within(key, keys.get(key)) for key, variable in family.variables.items()}
    if family.uses_site:
        values_of(group(config, "switch"))  # records keep it even without a layout, so that designs can be simulated
        network = Network(family, site_of(config, lengths_from_layout=family.cable_m is None))
    else:
        network = Network(family)
    return space_of(network, variables, workload_of(config) if is_timed(config) else None)


def stated_objective(config: Mapping[str, Any], space: Space) -> dict[str, Any]:
    """Return the group of the objective of a config: in place of ``auto``, the default of the space."""
    objective = group(config, "objective")
    if objective.get("name") != AUTO:
        return values_of(objective)
    for key in ("components", "metrics"):
        if objective.get(key) is not None:
            raise InputError(
                f"objective.{key}={objective[key]}: has no effect with objective={AUTO}; allowed with others"
            )
    return objective_file(space.default_objective)


def configured_objective(config: Mapping[str, Any]) -> Lexicographic:
    """Return the objective that a config describes: of cubes, or times of a workload."""
    objective, evaluator = group(config, "objective"), _evaluator(config)
    return objective_of(objective, evaluator, workload_of(config) if evaluator.needs_workload else None)


def is_timed(config: Mapping[str, Any]) -> bool:
    """Whether designs are evaluated with a workload: always with circuits."""
    return _evaluator(config).needs_workload


def _evaluator(config: Mapping[str, Any]) -> Evaluator:
    kind = family_of(group(config, "network").get("family")).kind
    return EVALUATORS.get(kind, CUBES if config.get("workload") is None else TIMES)
