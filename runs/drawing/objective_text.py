"""Titles and values of objectives for display."""

from collections.abc import Sequence
from dataclasses import replace

from isoplane.models import Network
from isoplane.objectives import Lexicographic, displayed_metric
from isoplane.objectives.scoring.expressions import SUBJECT_TO, clause_texts, is_in_words
from isoplane.objectives.scoring.functions import integers_of
from isoplane.objectives.scoring.metric import Metric
from isoplane.objectives.scoring.metric_table import MB, MS
from isoplane.objectives.scoring.own_metrics import own_name
from isoplane.objectives.scoring.sums import terms_of
from isoplane.objectives.scoring.worded_objective import worded_objective

from .quantities import format_number, format_significant, title_in_sentence, unit_of


def printed_title(objective: Lexicographic) -> str:
    r"""Return the name and the unit of the printed value of an objective.

    Examples
    --------
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> printed_title(Lexicographic("aspl", (("sum_of_distances",),), CUBES))
    'best ASPL (hops)'
    >>> printed_title(Lexicographic("both", (("sum_of_distances", "max_load"),), CUBES))
    'best sum of distances\n× max load (hops · packets)'
    """
    if objective.printed_as is not None:
        words = objective.name.partition(SUBJECT_TO)[0]
        return f"best {words if is_in_words(words) else own_name(_factors(objective)[0])}"
    displayed, factors = _displayed(objective), _factors(objective)
    units = " · ".join(unit_of(metric.name) for metric in displayed)
    if len(factors) == 1:
        return f"best {title_in_sentence(displayed[0].name)} ({units})"
    product = "\n× ".join(name.replace("_", " ") for name in factors)
    return f"best {product} ({units})"


def score_text(objective: Lexicographic, values: Sequence[int | None], network: Network) -> str:
    """Return the components of a score or bound, which are compared lexicographically, by name and in people's units.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> both = Lexicographic("both", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    >>> score_text(both, [24, 96000], dual_cube(3, (3, 5, 7)))
    'sum of distances × max load 24 hops · packets, then mean length of the cables between switches 2 m'
    >>> score_text(both, [None, None], dual_cube(3, (3, 5, 7)))
    'unknown'
    >>> words = worded_objective("min aspl, then 2*aspl + 0.1*max_load", CUBES, dual_cube(3, (3, 5, 7)))
    >>> score_text(words, words(Design(dual_cube(3, (3, 5, 7)))).score, dual_cube(3, (3, 5, 7)))
    'ASPL 1 hops, then min 2*aspl + 0.1*max_load 2.3'
    """
    if all(value is None for value in values):
        return "unknown"
    texts = []
    for place, value in enumerate(values):
        if place < objective.first:
            texts.append(
                "limits met" if value == 0 else f"limits not met (excess {value:,})" if value else "limits unknown"
            )
            continue
        name, unit, text = _component_text(objective, place - objective.first, value, network)
        texts.append(f"{name} {text} {unit}".strip())
    return ", then ".join(texts)


def _component_text(objective: Lexicographic, place: int, value: int | None, network: Network) -> tuple[str, str, str]:
    """Return the name, the unit and the value of a component."""
    component = objective.components[place]
    (weight, product), *others = terms_of(component)
    if others or integers_of(objective.functions).keys() & set(product):
        words = objective.name.partition(SUBJECT_TO)[0]
        clauses = clause_texts(words) if is_in_words(words) else []
        if len(clauses) != len(objective.components):  # such as of a function, which returns integers as they are
            return own_name(objective.score_names[objective.first + place]), "", _integer_text(value)
        clause = worded_objective(clauses[place], objective.evaluator, network, objective.workload)
        return clauses[place], "", "unknown" if value is None else format_number(clause.printed((value,), network))
    part = replace(objective, components=(product,), limits=(), functions=(), printed_as=None)
    title, _, unit = printed_title(part).removeprefix("best ").replace("\n", " ").removesuffix(")").partition(" (")
    if value is None:
        return title, "", "unknown"
    try:
        shown = part.printed((value // weight,), network)  # the weight is 1, or -1 of what is maximised
    except ZeroDivisionError:  # a bound of 0 on what is shown as its reciprocal
        return title, "", "unknown"
    return title, unit, printed_text(shown, unit)


def _integer_text(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


def printed_text(value: float, unit: str) -> str:
    """Format the printed value of an objective in its unit: alike wherever a score is shown.

    Examples
    --------
    >>> printed_text(272.5625, "ns"), printed_text(640.00184, "ms")
    ('272.5625', '640')
    """
    is_large = {MS[0], MB[0]} & set(unit.split(" · "))  # as of times and bytes
    return format_significant(value) if is_large else format_number(value)


def printed_bound(objective: Lexicographic, bound: Sequence[int | None], network: Network) -> float | None:
    """Return the bound of the first component of scores in the unit of their printed value.

    None if there is none, also for a bound of 0 on a component of which the printed value is the reciprocal.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> aspl, cube = Lexicographic("aspl", (("sum_of_distances",),), CUBES), dual_cube(3, (3, 5, 7))
    >>> printed_bound(aspl, (8,), cube), printed_bound(aspl, (None,), cube)
    (1.0, None)
    """
    least = bound[objective.first] if bound else None
    try:
        return None if least is None else objective.printed((least,) * (objective.first + 1), network)
    except ZeroDivisionError:
        return None


def _factors(objective: Lexicographic) -> list[str]:
    """Return the exact integers whose product is the first component of the score."""
    return objective.score_names[objective.first].split("*")


def _displayed(objective: Lexicographic) -> list[Metric]:
    """Return the metric that displays each factor of the first component of the score."""
    factors = _factors(objective)
    return [displayed_metric(objective.scope, name, len(factors) > 1)[0] for name in factors]
