"""Scores of cubes for native code: sums and limits of metrics that kernels know, and functions of these metrics."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod

from isoplane.models import Design, InputError, Network
from isoplane.objectives import CUBE_METRICS, Lexicographic
from isoplane.objectives.cubes.range import largest_metrics
from isoplane.objectives.scoring.functions import integers_of
from isoplane.objectives.scoring.sums import Sum, names_in, sum_value, terms_of

from .cache_misses import judged_metrics

NativeSum = list[tuple[int, int, list[int]]]  # high and low half of 128 bits of weights, and numbers of metrics
Function = Callable[[Sequence[int]], tuple[int, ...]]

BITS = 126  # of a part of a score, which native code holds in 128


def native_score(
    objective: Lexicographic, network: Network
) -> tuple[list[NativeSum], list[NativeSum], Function | None, int]:
    """Return components and limits for native code; if functions are part of them, what it calls for a score instead.

    Parameters
    ----------
    objective
        The objective.
    network
        The identical planes of the space.

    Returns
    -------
    tuple
        Components, which for a function only list the metrics that it needs, limits, the function that returns the
        score of all metrics of kernels, and the number of its parts without the excess.

    Raises
    ------
    InputError
        If no metric of a component is known to kernels, or scores have too many digits.
    """
    # Only its two metrics determine a front; the components rank its designs afterwards.
    components = tuple((metric,) for metric in objective.front) if objective.front else objective.components
    parts, own = len(components), integers_of(objective.functions)
    if own:
        components = (tuple((1, (metric,)) for metric in (*objective.metrics, *(objective.front or ()))),)
    unknown = _unknown_to_kernels(objective, network)
    judged = judged_metrics(network.site, network.nodes - 1)
    constants = {name: value for name, value in unknown.items() if name not in judged}
    sums = [native for component in components if (native := _native_sum(terms_of(component), constants))]
    limits = [native for limit in objective.limits if (native := _native_limit(limit, own, constants))]
    if not sums:
        raise InputError(f"objective={objective.name}: expected a metric that kernels know, such as delay")
    _require_range(objective, {**largest_metrics(network), **unknown})
    if not own:
        return sums, limits, None, 0
    return sums, limits, partial(_point_of_integers, objective, unknown), parts


def _require_range(objective: Lexicographic, most: Mapping[str, int]) -> None:
    """Raise an `InputError` if a component of a score could exceed the 127 bits of native scores."""
    known = {metric: most.get(metric, 1) for metric in (*objective.metrics, *integers_of(objective.functions))}
    for sums in (*((terms_of(component),) for component in objective.components), objective.limits):
        positive = (tuple((abs(weight), product) for weight, product in terms) for terms in sums)
        if sum(sum_value(terms, known) for terms in positive) >> BITS:
            raise _too_large(objective)


def _too_large(objective: Lexicographic) -> InputError:
    return InputError(f"objective={objective.name}: too many digits for exact scores; expected fewer decimals")


def _unknown_to_kernels(objective: Lexicographic, network: Network) -> Mapping[str, int]:
    """Return the integers of a score that kernels do not know: of parts and look-ups, equal for all that hit."""
    names = tuple(name for name in objective.metrics if name not in CUBE_METRICS)
    return objective.evaluator.exact(Design(network), names) if names else {}


def _point_of_integers(
    objective: Lexicographic, constants: Mapping[str, int], values: Sequence[int]
) -> tuple[int, ...]:
    """Return the score, or the point of a front, of exact integers in the order of kernels."""
    point = objective.point_of({**constants, **dict(zip(CUBE_METRICS, values, strict=True))})
    if any(abs(part) >> BITS for part in point):
        raise _too_large(objective)
    return point


def _native_limit(limit: Sum, own: Mapping[str, object], constants: Mapping[str, int]) -> NativeSum:
    """Return a limit for native code; of one with integers of functions only its size, which nothing exceeds."""
    if not own.keys() & set(names_in(limit)):
        return _native_sum(limit, constants)
    return [_term(-max(1, abs(limit[-1][0])), [])]


def _term(weight: int, metrics: list[int]) -> tuple[int, int, list[int]]:
    return weight >> 64, weight & (1 << 64) - 1, metrics


def _native_sum(terms: Sum, constants: Mapping[str, int]) -> NativeSum:
    """Return a sum for native code, with constants in its weights; empty if it has no metric that kernels know.

    A power that depends on misses is neither: what it multiplies, or adds, is left to the judge.
    """
    native = []
    for weight, product in terms:
        known = [CUBE_METRICS.index(metric) for metric in product if metric in CUBE_METRICS]
        if known or constants.keys() >= set(product):
            native.append(_term(weight * prod(constants.get(metric, 1) for metric in product), known))
    return native if any(product for _, _, product in native) else []
