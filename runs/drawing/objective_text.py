"""Titles and values of objectives for display."""

from collections.abc import Sequence

from isoplane.models import Network
from isoplane.objectives import Lexicographic, displayed_metric
from isoplane.objectives.scoring.expressions import SUBJECT_TO
from isoplane.objectives.scoring.metric import Metric

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
        return f"best {objective.name.partition(SUBJECT_TO)[0]}"
    displayed, factors = _displayed(objective), _factors(objective)
    units = " · ".join(unit_of(metric.name) for metric in displayed)
    if len(factors) == 1:
        return f"best {title_in_sentence(displayed[0].name)} ({units})"
    product = "\n× ".join(name.replace("_", " ") for name in factors)
    return f"best {product} ({units})"


def printed_text(objective: Lexicographic, score: list[int], network: Network) -> str:
    """Return the printed value of the first component of a score, and its title."""
    value = objective.printed(tuple(score), network)
    whole = objective.printed_as is not None or _displayed(objective)[0].page_unit is None
    text = format_number(value) if whole else format_significant(value)
    return f"{text}, {printed_title(objective).removeprefix('best ')}"


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
