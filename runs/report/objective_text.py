"""Titles and values of objectives for people."""

from isoplane.models import Network
from isoplane.objectives import METRIC_TABLE, Objective

from .quantities import number, significant, spoken_title, unit_of

# A component of one of these alone is printed as the metric of a record that follows from it.
PRINTED_AS = {"sum_of_distances": "aspl", "max_load": "max_traffic"}
SUFFIXES = ("", "_m", "_ns", "_usd_per_node")  # suffixes of metrics of a record, after names of exact metrics


def rises(objective: Objective) -> bool:
    """Whether higher printed values are better."""
    return METRIC_TABLE[_printed_metric(objective.score_names[0])].higher_is_better is True


def printed_title(objective: Objective) -> str:
    r"""Return the name and the unit of the printed value of an objective.

    Examples
    --------
    >>> from isoplane.objectives import CubeObjective
    >>> printed_title(CubeObjective("aspl", (("sum_of_distances",),)))
    'best ASPL (hops)'
    >>> printed_title(CubeObjective("both", (("sum_of_distances", "max_load"),)))
    'best sum of distances\n× max load (hops · packets)'
    """
    names = objective.score_names[0].split("*")
    if names[0] in PRINTED_AS and len(names) == 1:
        metric = PRINTED_AS[names[0]]
        return f"best {spoken_title(metric)} ({unit_of(metric)})"
    units = " · ".join(unit_of(_name_in_records(name)) for name in names)
    product = "\n× ".join(name.replace("_", " ") for name in names)
    return f"best {product} ({units})"


def printed_text(objective: Objective, score: list[int], network: Network) -> str:
    """Return the printed value of the first component of a score, and its title."""
    value = objective.printed(tuple(score), network)
    shown = METRIC_TABLE[_printed_metric(objective.score_names[0])].page_unit
    text = number(value) if shown is None else significant(value)
    return f"{text}, {printed_title(objective).removeprefix('best ')}"


def _printed_metric(name: str) -> str:
    """Return the metric of a record for a component of a score, or for its first factor."""
    return PRINTED_AS[name] if name in PRINTED_AS else _name_in_records(name.split("*")[0])


def _name_in_records(exact: str) -> str:
    """Return the name of an exact metric in records."""
    return next(exact + suffix for suffix in SUFFIXES if exact + suffix in METRIC_TABLE)
