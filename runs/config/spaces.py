"""From a composed config to the space that a search goes through, by what its network lets vary."""

from collections.abc import Callable, Mapping
from typing import Any

from isoplane.models import Family, InputError, family_named, family_names
from isoplane.models.checks import check_int
from isoplane.models.cubes import MAX_CONFIGURED_N, MIN_CONFIGURED_N
from isoplane.objectives import Objective
from isoplane.runs.records.families import family_of
from isoplane.search import ConnectionSets, Space

from .assignments import assignments_of, hybrid_objective_of
from .config_values import group
from .designs import site_of
from .setup import objective_of


def search_space_of(config: Mapping[str, Any]) -> Space:
    """Return the space that a config describes.

    Raises
    ------
    InputError
        If the family of the network has nothing that a search could vary, or a value is not allowed.
    """
    made: Callable[[Mapping[str, Any]], Space] = _first(config, {"generators": space_of, "circuits": assignments_of})
    return made(config)


def criterion_of(config: Mapping[str, Any]) -> Objective:
    """Return the objective that a config describes, of what its network lets vary.

    Raises
    ------
    InputError
        If a metric is unknown, or the objective needs what the config lacks.
    """
    chosen: Callable[[Mapping[str, Any]], Objective] = _first(
        config, {"generators": objective_of, "circuits": hybrid_objective_of}
    )
    return chosen(config)


def space_of(config: Mapping[str, Any]) -> ConnectionSets:
    """Return the space of connection sets that a config describes.

    Raises
    ------
    InputError
        If the network is none that can be searched.
    """
    network = group(config, "network")
    family = family_of(network.get("family"))
    n = check_int("network.n", network.get("n"), MIN_CONFIGURED_N, MAX_CONFIGURED_N)
    if network.get("planes") != 2:
        raise InputError(f"network.planes={network.get('planes')!r}: allowed is 2")
    if network.get("generators") is not None:
        raise InputError(f"network.generators={network['generators']}: a search finds them; allowed is null")
    plainest = family.read({**network, "generators": "identical"})
    site = site_of(config)
    return ConnectionSets(n, plainest.cubes.folded, network["nodes_per_switch"], site)


def _first(config: Mapping[str, Any], by_variable: Mapping[str, Any]) -> Any:
    """Return what belongs to a variable of the network's family."""
    family = family_of(group(config, "network").get("family"))
    for variable, chosen in by_variable.items():
        if variable in family.variables:
            return chosen
    searched = [name for name in family_names() if family_named(name).variables.intersection(by_variable)]
    raise InputError(f"network={family.name}: has nothing that a search could vary; allowed are {', '.join(searched)}")


def searched_families(variable: str) -> tuple[type[Family], ...]:
    """Return the built-in families that let something vary."""
    return tuple(family for name in family_names() if variable in (family := family_named(name)).variables)
