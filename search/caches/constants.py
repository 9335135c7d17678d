"""Parts of scores and limits that follow from a cache alone, and objectives without them."""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from isoplane.models import InputError
from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.metric_scopes import needing
from isoplane.objectives.scoring.sums import Component, Sum, terms_of

from ..core.space import Space


def fixed_parts(space: Space, objective: Lexicographic) -> tuple[int, tuple[int, ...]]:
    """Return the excess over limits that is the same for all designs, and the constant factors of components."""
    constants = constant_values(space, objective)
    return without_constants(space, objective)[1], tuple(split(part, constants)[0] for part in objective.components)


def constant_values(space: Space, objective: Lexicographic) -> Mapping[str, int]:
    """Return the exact integers of a score that are equal for all designs of a space."""
    names = tuple(name for name in objective.metrics if name in _constants(space, objective))
    return objective.evaluator.exact(space.baseline, names) if names else {}


def _constants(space: Space, objective: Lexicographic) -> frozenset[str]:
    """Return the score names that are equal for all designs of a space: power varies only with the look-ups that miss.

    All switches of a design have as many ports in use as those of another.
    """
    network = space.baseline.network
    has_hits = network.site.switch.misses_none_of(network.nodes - 1)
    return needing("lookups", objective.scope) - (frozenset() if has_hits else {"lookup_power"})


def without_constants(space: Space, objective: Lexicographic) -> tuple[Lexicographic, int]:
    """Return an objective without what is equal for all designs of a space, and the excess that is."""
    constants, names = constant_values(space, objective), _constants(space, objective)
    varying = (split(component, constants)[1] for component in objective.components)
    components = tuple(dict.fromkeys(component for component in varying if component))
    if not components:
        raise InputError(
            f"objective={objective.name}: {', '.join(objective.score_names)} follow from the cache alone; expected a "
            "metric of the network as well"
        )
    divided = [split(limit, constants) for limit in objective.limits]
    limits = tuple(terms_of(limit) for _, limit in divided if limit)
    excess = sum(max(0, constant) for constant, limit in divided if not limit)
    front = None if objective.front is None or names & set(objective.front) else objective.front
    return replace(objective, components=components, front=front, limits=limits), excess


def split(component: Component | Sum, constants: Mapping[str, int]) -> tuple[int, Component | Sum | None]:
    """Return a constant factor of a component and the rest of it; None if all of it is constant, as with a factor of 0.

    Examples
    --------
    >>> split(("delay", "cache_area"), {"cache_area": 3}), split(((2, ("cache_area",)), (-7, ())), {"cache_area": 3})
    ((3, ('delay',)), (-1, None))
    """
    factored = (
        (weight * prod(constants[name] for name in product if name in constants), _without(product, constants))
        for weight, product in terms_of(component)
    )
    terms = [(weight, product) for weight, product in factored if weight]
    if not any(product for _, product in terms):
        return sum(weight for weight, _ in terms), None
    if terms_of(component) == component:
        return 1, tuple(terms)
    return terms[0]


def _without(product: Component, constants: Mapping[str, int]) -> Component:
    return tuple(name for name in product if name not in constants)
