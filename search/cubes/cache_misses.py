"""Scores of cubes whose caches miss: which of them the kernels know."""

from isoplane.models import InputError, Site
from isoplane.objectives import Lexicographic
from isoplane.objectives.scoring.metric_scopes import needing
from isoplane.objectives.scoring.sums import terms_of

# What no generator changes.
PARTS = frozenset({"switches", "cables", "switch_fault_diameter", "plane_fault_diameter", "plane_fault_hops"})
BY_MISSES = frozenset({"delay", "lookup_power"})  # metrics that depend on the look-ups that miss


def metrics_in(objective: Lexicographic) -> frozenset[str]:
    """Return the metrics of a score, and of a front."""
    return frozenset((*objective.metrics, *(objective.front or ())))


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
    judged, metrics = judged_metrics(site, destinations), metrics_in(objective)
    # Limits may be about the cache alone: then all designs meet them, or none.
    scored = {name for part in objective.components for _, product in terms_of(part) for name in product}
    scored |= set(objective.front or ())
    parts = sorted(scored & PARTS)
    if parts:
        raise InputError(
            f"objective={objective.name}: {', '.join(parts)}: the same for all designs of this size; expected metrics "
            "that connection sets change"
        )
    constant = sorted(scored & needing("lookups", "cubes") - judged)
    if constant:
        raise InputError(
            f"objective={objective.name}: {', '.join(constant)} of all designs is the same with one cache; expected "
            "others, or several caches such as switch.cache.entries=[1024,2048]"
        )
    if judged and "delay_paper" in metrics:
        raise InputError(f"objective={objective.name}: delay_paper has one delay for all hops; expected delay")
