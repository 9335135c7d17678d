"""Objectives and limits in words, as exact integers: a metric is an integer over a divisor, or a divisor over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING

from isoplane.models import InputError

from .expressions import FUNCTION, SUBJECT_TO, Product, clause_texts, clauses_of, is_in_words, limits_of
from .function_objective import function_objective
from .functions import is_function, with_functions
from .metric import MetricValues, Scope
from .metric_scopes import displayed_metric, metrics_in, objective_names
from .metric_table import METRIC_TABLE
from .objective import Evaluator, Lexicographic
from .own_metrics import own_functions, own_integer, own_metrics
from .products import WORDS, Exact, exact_product
from .sums import EXCESS, SIMULATED, Component, Sum, sum_value

if TYPE_CHECKING:
    from isoplane.models import Design, Network
    from isoplane.models.workloads import Workload

# Excesses over several limits are added in units of the largest limit over this.
_PRECISION = 1024


def worded_objective(
    text: str, evaluator: Evaluator, network: Network, workload: Workload | None = None
) -> Lexicographic:
    """Return the objective that words describe, such as ``min delay_ns, then cost_usd_per_node``.

    Each metric is an exact integer over a divisor, or a divisor over it, by `METRIC_TABLE`. So a sum of products of
    metrics is one of products of integers with whole weights, once multiplied by the common denominator. A metric of an
    installed package, and a function ``module:function``, is an integer made of those of the evaluator.

    Parameters
    ----------
    text
        ``min`` or ``max`` and a sum of products of metrics; further ones, which break ties, after ``then``.
    evaluator
        What computes the integers.
    network
        Any network of the search: its size and site determine the divisors.
    workload
        The messages, where metrics are times.

    Raises
    ------
    InputError
        If a metric is unknown here, or a sum of products is no sum of products of integers.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> network = dual_cube(3, (3, 5, 7))
    >>> worded_objective("min aspl * max_load, then cable_length_m", CUBES, network).components
    (('sum_of_distances', 'max_load'), ('cable_length',))
    >>> worded_objective("min 2*aspl + 0.1*max_load", CUBES, network).score_names
    ('5*sum_of_distances+2*max_load',)
    """
    components, shown, clauses = [], [], clauses_of(text)
    for direction, products in clauses:
        if not direction:
            _require_less_is_better(f"objective={text}", products, evaluator.scope)
        component, printed_as = _component(f"objective={text}", direction, products, evaluator, network, workload)
        components.append(component)
        shown.append(printed_as)
    different = tuple(dict.fromkeys(components))
    functions = own_functions(different, evaluator, network, workload)
    name = " ".join(text.split())
    return Lexicographic(name, different, evaluator, workload, printed_as=shown[0], functions=functions)


def limited(objective: Lexicographic, subject_to: str, network: Network) -> Lexicographic:
    """Return an objective with limits in words, such as ``cost_usd_per_node <= 3400, max_traffic >= 5``.

    A limit becomes an inequality between integers, once: a metric m / d <= t is m <= floor(d t). Excesses are weighted,
    so that those over all limits together are nearly relative to the limits, and stay exact integers.

    Parameters
    ----------
    objective
        The objective without limits.
    subject_to
        Limits, separated by commas; their numbers are exact decimals.
    network
        Any network of the search.

    Raises
    ------
    InputError
        If a metric is unknown here, or a limit is none on integers.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.objectives import CUBES
    >>> network = dual_cube(3, (3, 5, 7))
    >>> aspl = limited(Lexicographic("aspl", (("sum_of_distances",),), CUBES), "max_traffic >= 5.3", network)
    >>> aspl.score_names, aspl(Design(network)).score, aspl(Design(dual_cube(3, (1, 2, 4)))).score[0] > 0
    (('excess', 'sum_of_distances'), (0, 8), True)
    """
    sums = []
    for products, relation, number in limits_of(subject_to):
        place = f"subject_to={subject_to}"
        exact = [
            exact_product(place, product, objective.evaluator, network, objective.workload) for product in products
        ]
        sums.append(_inequality(place, exact, relation, number))
    # The constant of a limit is its size; one of 0 allows no excess in any unit.
    sizes = [max(1, abs(terms[-1][0])) for terms in sums]
    largest = max(sizes) * (_PRECISION if len(sizes) > 1 else 1)
    limits = tuple(
        tuple((weight * (largest // size), product) for weight, product in terms)
        for terms, size in zip(sums, sizes, strict=True)
    )
    name = f"{objective.name}{SUBJECT_TO}{' '.join(subject_to.split())}"
    known = {function[0] for function in objective.functions}
    functions = own_functions(limits, objective.evaluator, network, objective.workload)
    added = (function for function in functions if function[0] not in known)
    return replace(objective, name=name, limits=limits, functions=(*objective.functions, *added))


def stated_values(objective: Lexicographic, design: Design) -> dict[str, float]:
    """Return the value of each clause of an objective in words for a design, and whether that meets each limit.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.objectives import CUBES
    >>> network = dual_cube(3, (3, 5, 7))
    >>> objective = worded_objective("min 2*aspl, then max_load", CUBES, network)
    >>> stated_values(limited(objective, "aspl <= 1.2, max_load <= 2.5", network), Design(network))
    {'min 2*aspl': 2.0, 'min max_load': 3.0, 'aspl <= 1.2': True, 'max_load <= 2.5': False}
    """
    text, _, limits = objective.name.partition(SUBJECT_TO)
    evaluator, network, workload = objective.evaluator, design.network, objective.workload
    exact = evaluator.exact(design, objective.metrics, workload)
    values: dict[str, float] = {}
    for clause in clause_texts(text) if is_in_words(text) else ():
        single = worded_objective(clause, evaluator, network, workload)
        values[clause] = single.printed(single.score(exact), network)
    for limit in (part.strip() for part in limits.split(",") if part.strip()):
        single = limited(replace(objective, limits=()), limit, network)
        values[limit] = sum_value(single.limits[0], with_functions(single.functions, exact)) <= 0
    return values


def judged_first(objective: Lexicographic) -> Lexicographic:
    """Return an objective with the simulated time before its components, which is then what is printed."""
    return replace(objective, components=((SIMULATED,), *objective.components), printed_as=None)


def recorded_objective(
    name: str, score_names: Sequence[str], evaluator: Evaluator, network: Network, workload: Workload | None = None
) -> Lexicographic:
    """Return the objective of a record, from its name and the names in its score.

    Parameters
    ----------
    name, score_names
        As in the record: an objective in words and limits determine the score, other names do not.
    evaluator, network, workload
        As for `worded_objective`.

    Raises
    ------
    InputError
        If the name determines a score, and it is of other components.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES
    >>> recorded_objective("min aspl subject to max_load <= 4", ["excess", "aspl"], CUBES, dual_cube(3, (3, 5, 7)))
    Traceback (most recent call last):
    isoplane.models.errors.InputError: score_names=excess, aspl: expected excess, sum_of_distances
    """
    text, _, limits = name.partition(SUBJECT_TO)
    if is_function(text):
        objective = function_objective(text, evaluator, network, workload)
    elif is_in_words(text):
        objective = worded_objective(text, evaluator, network, workload)
    else:
        components = tuple(tuple(part.split("*")) for part in score_names if part not in (EXCESS, SIMULATED))
        functions = own_functions(components, evaluator, network, workload)
        objective = Lexicographic(text, components, evaluator, workload, functions=functions)
    if limits:
        objective = limited(objective, limits, network)
    if SIMULATED in score_names:
        objective = judged_first(objective)
    if network.site.layout is None and not evaluator.needs_workload:
        objective = objective.without_layout()
    if objective.score_names != tuple(score_names):
        raise InputError(f"score_names={', '.join(score_names)}: expected {', '.join(objective.score_names)}")
    return objective


def unmet_limits(objective: Lexicographic, evaluated: Mapping[str, int], metrics: MetricValues) -> list[str]:
    """Return the limits in words that a design does not meet, each with the value that it has.

    Parameters
    ----------
    objective
        An objective with limits in its name.
    evaluated, metrics
        The exact integers of the design, and its metrics.
    """
    words, unmet = objective.name.partition(SUBJECT_TO)[2].split(","), []
    evaluated = with_functions(objective.functions, evaluated)
    own = {name: evaluated.get(own_integer(name) or "") for name in own_metrics()}
    known = {**evaluated, **metrics, **own}
    for word, (products, _, _), terms in zip(words, limits_of(",".join(words)), objective.limits, strict=True):
        if sum_value(terms, evaluated) > 0:
            names = {_recorded_name(name, objective.scope) for _, *both in products for part in both for name in part}
            shown = (f"{name}={value:.10g}" for name in sorted(names) if (value := known.get(name)) is not None)
            unmet.append(f"{word.strip()} ({', '.join(shown)})")
    return unmet


def _recorded_name(name: str, scope: Scope) -> str:
    """Return the name in records of a metric, which may have the name that it has in files of objectives."""
    name = WORDS.get(name, name)
    scopes: tuple[Scope, ...] = (scope, "cubes", "switches")
    for known in scopes if name not in METRIC_TABLE else ():
        if name in objective_names(known):
            return displayed_metric(known, objective_names(known)[name])[0].name
    return name


def _inequality(place: str, exact: Sequence[Exact], relation: str, number: Fraction) -> Sum:
    """Return a sum of integers, its constant last, that is at most 0 if and only if a limit is met."""
    weight, product, inverse = exact[0]
    if inverse:  # w / m >= t is m <= w / t
        _require_one(place, exact)
        if number <= 0:
            raise InputError(f"{place}: limit {number}; expected a positive number")
        number, relation = weight / number, "<=" if relation == ">=" else ">="
        exact = [(Fraction(1), product, False)]
    weights, denominator = _whole([weight for weight, _, _ in exact])
    products = [product for _, product, _ in exact]
    if relation == "<=":
        return (*zip(weights, products, strict=True), (-floor(number * denominator), ()))
    return (*((-weight, product) for weight, product in zip(weights, products, strict=True)),
            (ceil(number * denominator), ()))  # fmt: skip


def _component(
    place: str, direction: str, products: Sequence[Product], evaluator: Evaluator, network: Network,
    workload: Workload | None,
) -> tuple[Component | Sum, tuple[Fraction, bool]]:  # fmt: skip
    """Return a component to minimise, and how its value is printed."""
    exact = [exact_product(place, product, evaluator, network, workload) for product in products]
    if any(len(product) > evaluator.max_factors for _, product, _ in exact):
        allowed = "single metrics" if evaluator.max_factors == 1 else "products of at most two metrics"
        raise InputError(f"{place}: expected {allowed}, or {FUNCTION}")
    direction = direction or "min"
    weight, product, inverse = exact[0]
    if inverse:
        _require_one(place, exact)
        return (product, (weight, True)) if direction == "max" else (((-1, product),), (-weight, True))
    weights, denominator = _whole([weight for weight, _, _ in exact])
    sign = 1 if direction == "min" else -1
    terms = tuple((sign * weight, product) for weight, (_, product, _) in zip(weights, exact, strict=True))
    printed_as = Fraction(sign) / denominator, False
    return (terms[0][1] if len(terms) == 1 and direction == "min" else terms), printed_as


def _whole(weights: Sequence[Fraction]) -> tuple[list[int], Fraction]:
    """Return whole weights without a common divisor, and the number by which the given ones were multiplied."""
    denominator = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * denominator) for weight in weights]
    divisor = gcd(*whole)
    return [weight // divisor for weight in whole], Fraction(denominator, divisor)


def _require_less_is_better(place: str, products: Sequence[Product], scope: Scope) -> None:
    for _, over, under in products:
        for name in (*over, *under):
            metric = own_metrics().get(name) or metrics_in(scope).get(name, (None,))[0]
            if metric is not None and metric.higher_is_better:
                raise InputError(f"{place}: then {name}; expected then min or then max, because more of it is better")


def _require_one(place: str, exact: Sequence[Exact]) -> None:
    if len(exact) > 1:
        raise InputError(f"{place}: a sum with a metric of which more is better; expected it alone or in a product")
