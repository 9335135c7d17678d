"""Scores of cubes whose caches miss: which of them the kernels know."""

from isoplane.models import InputError, Site
from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.metric_scopes import metrics_in, needing

BY_MISSES = frozenset({"delay", "lookup_power"})  # metrics that depend on the look-ups that miss


def judged_by(objective: Lexicographic) -> frozenset[str]:
    """Return the metrics of a score, of a front and of limits, by their names in scores."""
    limited = tuple(metrics_in(objective.scope)[name][1].score_name for name, _ in objective.limits)
    parts = (*objective.components, objective.front or (), limited)
    return frozenset(metric for part in parts for metric in part)


def judged_metrics(site: Site, destinations: int) -> frozenset[str]:
    """Return the metrics that only the general evaluator knows: those that depend on misses, if caches miss at all.

    Parameters
    ----------
    site
        The site.
    destinations
        Number of destinations of a node.
    """
    return frozenset() if site.switch.misses_none_of(destinations) else BY_MISSES


def remark_on(site: Site, destinations: int) -> str:
    """Return how a search treats caches that miss some of the destinations of a node; empty if they miss none."""
    cache = site.switch.cache
    if cache is None or not judged_metrics(site, destinations):
        return ""
    return (
        f"caches of {cache.entries} entries miss some of the {destinations} destinations of a node: kernels propose "
        "designs by the delay of hits, and the general evaluator judges them"
    )


def require_varying(objective: Lexicographic, site: Site, destinations: int) -> None:
    """Raise an `InputError` for metrics of a score that no generator changes, or that misses leave undefined."""
    judged, metrics = judged_metrics(site, destinations), judged_by(objective)
    constant = sorted(metrics & needing("lookups", "cubes") - judged)
    if constant:
        raise InputError(
            f"objective={objective.name}: {', '.join(constant)} of all designs is the same with one cache; expected "
            "others, or several caches such as switch.cache.entries=[1024,2048]"
        )
    if judged and "delay_paper" in metrics:
        raise InputError(f"objective={objective.name}: delay_paper has one delay for all hops; expected delay")
