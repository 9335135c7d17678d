"""The proof status of a score, component by component, and the space over which it is proven."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from isoplane.objectives import Lexicographic, gap_text, relative_gaps
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.objectives.scoring.own_metrics import own_name
from isoplane.objectives.scoring.sums import EXCESS
from isoplane.objectives.scoring.worded_objective import unmet_limits

from .files import best_folder, shipped_record

if TYPE_CHECKING:
    from isoplane.models import Design, Network, Variable

LIMITS = "limits"
FUNCTION = re.compile(r"[\w.]+:\w+")
NO_WEIGHT = re.compile(r".*\D.*")
WORDS: Mapping[str, str] = {  # of the exact integers of scores whose names are not words of the field
    "sum_of_distances": "ASPL",
    "total_hops": "ASPL",
    "max_load": "load",
    "peak_load": "load",
    "cable_fault_hops": "ASPL without a cable",
    "plane_fault_hops": "ASPL without a plane",
    "rack_fault_aspl": "ASPL without a rack",
    "cable_length": "cables",
    "delay_paper": "published delay",
    "excess": LIMITS,
}
PROOF = ("status", "score_names", "score", "bound", "gap")  # columns of tables for programs
STOPS: Mapping[str, str] = {  # why searches ended that reached no limit of time or evaluations
    "complete": "search complete",
    "optimal": "stopped at the proof",
    "target": "stopped at the target",
    "gap": "stopped at the gap",
    "interrupt": "interrupted",
    "strategy": "strategy exhausted",
}


def component_statuses(score: Sequence[int], bound: Sequence[int | None]) -> list[str]:
    """Return ``optimal`` for each component that reaches its bound, else ``feasible``.

    Examples
    --------
    >>> component_statuses([80000, 29248000], [80000, 21056000])
    ['optimal', 'feasible']
    """
    return ["optimal" if gap == 0 else "feasible" for gap in relative_gaps(score, bound)]


def proof_fields(proven: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is proven of a score, from its record or a summary: those of `PROOF`, the gaps as numbers.

    Examples
    --------
    >>> proof_fields({"status": "feasible", "score_names": ["cost"], "score": [10], "bound": [9], "seed": 1})
    {'status': 'feasible', 'score_names': ['cost'], 'score': [10], 'bound': [9], 'gap': [0.1]}
    """
    gaps = gap_numbers(proven["score_names"], proven["score"], proven["bound"])
    return {name: gaps if name == "gap" else proven[name] for name in PROOF}


def gaps_of(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None]) -> tuple[Fraction | None, ...]:
    """Return the gap of each component to the best design; None without a bound, and all None beyond limits.

    A design that misses limits is no solution, however near its other components are to their bounds.

    Examples
    --------
    >>> gaps_of(["excess", "cost"], [0, 10], [0, 9]), gaps_of(["excess", "cost"], [4, 10], [4, 10])
    ((Fraction(0, 1), Fraction(1, 10)), (None, None))
    """
    return (None,) * len(score) if misses_limits(names, score) else relative_gaps(score, bound)


def gap_numbers(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None]) -> list[float | None]:
    """Return `gaps_of` a score as JSON data."""
    return [None if gap is None else float(gap) for gap in gaps_of(names, score, bound)]


def misses_limits(names: Sequence[str], score: Sequence[int]) -> bool:
    """Return whether a score is that of a design which misses a limit."""
    return names[0] == EXCESS and score[0] > 0


def component_words(name: str) -> str:
    """Return what a component of a score is called in sentences.

    Examples
    --------
    >>> [component_words(name) for name in ("sum_of_distances*max_load", "cable_length", "excess", "my_goals:wear")]
    ['ASPL x load', 'cables', 'limits', 'my_goals:wear']
    >>> component_words("delay*max_load+32*cost")  # the weights of integers are not those of an objective in words
    'weighted sum of delay x load and cost'
    """
    named = FUNCTION.sub(lambda found: own_name(found[0]), name)  # some functions are metrics of packages
    terms = [term.split("*") for term in re.split("[+-]", named) if term]
    *others, last = (" x ".join(map(_factor_words, filter(NO_WEIGHT.fullmatch, factors))) for factors in terms)
    return f"weighted sum of {', '.join(others)} and {last}" if others else last


def _factor_words(factor: str) -> str:
    return WORDS.get(factor, factor if ":" in factor else factor.replace("_", " "))


def proof_status(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None], scope: str = "") -> str:
    """Return in words what is proven of a score: how far each component may be from its optimum, and over what.

    Parameters
    ----------
    names, score, bound
        The components of a score, with their bounds.
    scope
        The space over which the bounds hold, as `scope_of` names it.

    Examples
    --------
    >>> names, score, bound = ["sum_of_distances*max_load", "cable_length"], [80000, 29248000], [80000, 21056000]
    >>> proof_status(names, score, bound, "all linear relabellings of plane 1")
    'ASPL x load proven optimal, cables within 28.01 %, over all linear relabellings of plane 1'
    >>> proof_status(["sum_of_distances"], [800], [800], "all linear relabellings of plane 1")
    'proven optimal over all linear relabellings of plane 1'
    >>> proof_status(["sum_of_distances"], [801], [None], "all linear relabellings of plane 1")
    'ASPL without a known bound'
    >>> proof_status(["excess", "cost"], [0, 10], [0, None], "all linear relabellings of plane 1")
    'limits met, cost without a known bound'
    >>> proof_status(["excess", "cost"], [0, 10], [0, 9])
    'limits met, cost within 10.00 %'
    >>> proof_status(["excess", "cost"], [4, 10], [4, 10], "all placements")
    'proven over all placements: no design meets all limits, and none is nearer'
    >>> proof_status(["excess", "cost"], [4, 9], [0, 9])
    'limits not met'
    """
    gaps = relative_gaps(score, bound)
    over = f" over {scope}" if scope and any(gap is not None for gap in gaps) else ""
    if misses_limits(names, score):
        nearest = "" if gaps[0] else ", and none is nearer"
        return f"proven{over}: no design meets all limits{nearest}" if bound[0] else f"{LIMITS} not met"
    if not any(gaps) and None not in gaps:
        return f"proven optimal{over}"
    parts = map(_component_status, names, score, gaps)
    is_bounded = any(gap is not None for gap in gaps[names[0] == EXCESS :])  # that limits are met needs no proof
    return ", ".join(parts) + (f",{over}" if over and is_bounded else "")


def missed_limits(objective: Lexicographic, design: Design, score: Sequence[int], metrics: MetricValues) -> str:
    """Return the limits that a design misses, each with what it has, such as ``diameter <= 2 (diameter=3)``."""
    if objective.meets_limits(score):
        return ""
    evaluated = objective.evaluator.exact(design, objective.metrics, objective.workload)
    return ", ".join(unmet_limits(objective, evaluated, metrics))


def nearest_text(bound: Sequence[int | None], missed: str) -> str:
    """Return the sentence on the best design of a search, which misses limits, from its bound and `missed_limits`.

    Examples
    --------
    >>> nearest_text([1, 3], "diameter <= 2 (diameter=3)")
    'no design meets all limits; the nearest misses diameter <= 2 (diameter=3)'
    """
    none = "no design meets all limits" if bound[0] else "no design that meets all limits was found"
    return f"{none}; the nearest misses {missed}"


def gaps_text(names: Sequence[str], score: Sequence[int], bound: Sequence[int | None]) -> str:
    """Return `gaps_of` a score, of several components each after its name; empty beyond limits.

    Examples
    --------
    >>> gaps_text(["sum_of_distances"], [800], [796])
    '0.50 %'
    >>> gaps_text(["sum_of_distances*max_load", "cable_length"], [80000, 29248000], [80000, 21056000])
    'ASPL x load 0.00 %, cables 28.01 %'
    """
    if misses_limits(names, score):
        return ""
    gaps = list(map(gap_text, relative_gaps(score, bound)))
    if len(gaps) == 1:
        return gaps[0]
    return ", ".join(f"{component_words(name)} {gap}" for name, gap in zip(names, gaps, strict=True))


def _component_status(name: str, value: int, gap: Fraction | None) -> str:
    words = component_words(name)
    if words == LIMITS and not value:
        return f"{words} met"
    if gap is None:
        return f"{words} without a known bound"
    return f"{words} within {gap_text(gap)}" if gap else f"{words} proven optimal"


def stop_text(summary: Mapping[str, Any]) -> str:
    """Return in words why a search ended, from its summary.

    Examples
    --------
    >>> [stop_text({"stopped_by": reason, "seconds": 30.04, "evaluations": 20000}) for reason in ("seconds", "stalled")]
    ['stopped after 30.0 s', 'stopped after 20,000 evaluations, the last without improvement']
    >>> stop_text({"stopped_by": "complete"}), stop_text({"stopped_by": None})
    ('search complete', 'stopped by a kill')
    """
    reason = summary.get("stopped_by")
    after = {"seconds": "{seconds:.1f} s", "evaluations": "{evaluations:,} evaluations"}
    after["stalled"] = f"{after['evaluations']}, the last without improvement"
    if reason in after:
        return f"stopped after {after[reason].format(**summary)}"
    return STOPS.get(str(reason), f"stopped by {reason or 'a kill'}")


def proven_variables(network: Network, bound_source: Mapping[str, Any] | None) -> list[Variable]:
    """Return the variables over whose values the bounds of a design hold, within the limits that their source states.

    Parameters
    ----------
    network
        The network of the design.
    bound_source
        What the bounds rest on, as in a record; None if it states nothing.

    Returns
    -------
    list of Variable
        Empty if the network has none, or has circuits and an older record that does not state what was proven.
    """
    variables = dict(network.family.variables)
    if network.family.kind != "circuits":
        return list(variables.values())
    if bound_source is None:
        return []
    rule = "free" if bound_source["placement"] == "free" else "by_switch"
    return [
        variables["circuits"].within("circuits", bound_source["circuits"]),
        variables["placement"].within("placement", rule),
    ]


def scope_of(network: Network, bound_source: Mapping[str, Any] | None) -> str:
    """Return the space over which the bounds of a design hold, in words; arguments as for `proven_variables`.

    Examples
    --------
    >>> from isoplane.models import Hybrid, Network, dual_cube
    >>> scope_of(dual_cube(3, (3, 5, 7)), None)
    'all linear relabellings of plane 1'
    >>> scope_of(Network(Hybrid(2, 2)), {"by": "enumeration", "circuits": 2, "placement": "given"})
    'all sets of at most 2 circuits and the given placement'
    """
    return " and ".join(variable.scope for variable in proven_variables(network, bound_source))


def better_outside(design: Design) -> str | None:
    """Return in a line that a known second plane beats that of two cubes; None if none does, or for other networks.

    It is a shipped one with a lower ASPL, no linear relabelling of plane 1, so that `scope_of` does not cover it.
    """
    # Only here: `best` starts without families and evaluators.
    from isoplane.models.family_kinds.cube import cubes_of, has_kernels
    from isoplane.objectives import metrics_of

    network = design.network
    if not has_kernels(network) or len(cubes_of(network).planes) == 1:
        return None
    n = cubes_of(network).n
    with best_folder() as folder:
        records = [shipped_record(path) for path in sorted(folder.glob("relabelled-*-aspl-*.json"))]
    planes = [(record["network"]["plane"], record["metrics"]["aspl"]) for record in records]
    known = [aspl for plane, aspl in planes if (plane["family"], plane["n"]) == (network.name, n)]
    aspl = metrics_of(design)["aspl"] if known else None
    if aspl is None or not min(known) < aspl:
        return None
    words = f"network=relabelled network@network.plane={network.name} network.plane.n={n}"
    command = f"isoplane evaluate record=best {words}"
    return f"second planes that are not linear are known with ASPL {min(known):.6g} (here {aspl:.6g}): {command}"
