"""Verification of records of hybrid networks: times recomputed by the reference, bounds by their formulas."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from isoplane.models import Design, Network
from isoplane.models.families.hybrid import tree_in
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.workloads import Workload
from isoplane.objectives import CIRCUITS, METRIC_TABLE, Evaluator, displayed_metric, score_names
from isoplane.objectives.fluid.circuits.bounds import free_bound_ns
from isoplane.objectives.reference import reference_circuit_metrics
from isoplane.objectives.scoring.own_metrics import own_values, reference_value
from isoplane.objectives.scoring.worded_objective import recorded_objective
from isoplane.search.programs import formula_bound_ns

from .workloads import workload_from

Triple = tuple[str, object, object]

ADDED = frozenset({"synchronised_ns"})  # metrics that older records lack
ROUNDING_NS = 1  # tolerance of bounds: the two programs add doubles in different orders, then round to whole ns


def hybrid_numbers(record: dict[str, Any], design: Design) -> Iterator[Triple]:
    """Yield recorded and expected metrics, as in `hybrid_metric_triples`, and those of packages."""
    workload = workload_from(record["workload"])
    yield from hybrid_metric_triples(record["metrics"], design, workload)
    exact = {name: record["metrics"].get(displayed_metric("circuits", name)[0].name) for name in CIRCUITS.names}
    yield from own_triples(record, CIRCUITS, design.network, exact, workload)


def hybrid_score_triples(record: dict[str, Any], design: Design) -> Iterator[Triple]:
    """Yield the recorded score and what its objective makes of the recorded metrics."""
    workload, names = workload_from(record["workload"]), record["score_names"]
    objective = recorded_objective(record["objective"], names, CIRCUITS, design.network, workload)
    times = {name: record["metrics"][displayed_metric("circuits", name)[0].name] for name in objective.metrics}
    for index, value in enumerate(objective.score(times)):
        yield f"score[{index}]", record["score"][index], value


def own_triples(
    record: dict[str, Any],
    evaluator: Evaluator,
    network: Network,
    exact: Mapping[str, int | None],
    workload: Workload | None,
) -> Iterator[Triple]:
    """Yield recorded metrics of packages, with what their functions make of integers that the reference counted.

    A second function of the package, if there is one, is compared as well.

    Parameters
    ----------
    record, evaluator, network, workload
        The record, the evaluator of its score, its network, and its workload if it has one.
    exact
        The exact integers by their names in scores.
    """
    recorded = record.get("own_metrics", {})
    known = own_values(evaluator, network, exact, workload) if recorded else {}
    for name, value in recorded.items():
        yield f"own_metrics.{name}", value, known.get(name, "nothing: expected the package that has this metric")
        second = reference_value(name, network) if name in known else None
        if second not in (None, known.get(name)):  # the functions of the package disagree
            yield f"own_metrics.{name}", value, second


def unknown_triples(metrics: Mapping[str, Any], known: Collection[str]) -> Iterator[Triple]:
    """Yield the metrics that the reference does not compute, as differences: nothing has checked them."""
    return ((f"metrics.{name}", metrics[name], "nothing by the reference") for name in metrics if name not in known)


def hybrid_metric_triples(metrics: Mapping[str, Any], design: Design, workload: Workload) -> Iterator[Triple]:
    """Yield recorded and expected metrics of a design: busy times to 1 ns, completions exactly.

    Older records lack the shortest and the longest run: their completions are those of one run, in doubles, which is
    not what is recomputed. So every metric that they lack counts as a difference, but for those added later.
    """
    known = reference_circuit_metrics(design, workload)
    yield from unknown_triples(metrics, known)
    for name, value in known.items():
        if name in ADDED and name not in metrics:
            continue
        recorded, metric = metrics.get(name), METRIC_TABLE[name]
        agrees = recorded is not None and value - metric.tolerance <= recorded <= value + metric.tolerance
        yield f"metrics.{name}", recorded, recorded if agrees else round(value) if metric.unit == "ns" else value


def source_triples(record: dict[str, Any]) -> Iterator[Triple]:
    """Yield the number of circuits for which the bound is stated to hold, if the design has more."""
    source = record.get("bound_source")
    if source is not None and len(record["circuits"]) > source["circuits"]:
        yield "bound_source.circuits", source["circuits"], f"at least {len(record['circuits'])}, the number of circuits"


def formula_bounds(record: dict[str, Any], design: Design) -> tuple[int | None, ...]:
    """Return what formulas prove about the components of the score of a record with circuits; None if nothing.

    They hold for as many circuits, and for the placements, that the record states: nothing without that.
    """
    source, names = record.get("bound_source"), record["score_names"]
    if source is None or any(source_triples(record)):
        return (None,) * len(names)
    low, workload = _formula_ns(record, design, source), workload_from(record["workload"])
    objective = recorded_objective(record["objective"], names, CIRCUITS, design.network, workload)
    return objective.bounds(lambda name: None if name == "total" else low)


def low_score_triples(record: dict[str, Any], known: Sequence[int | None]) -> Iterator[Triple]:
    """Yield times in the score of a record with circuits that are below their bounds by formula.

    Sums and excesses over limits are left out: they are made of times.
    """
    for index, (name, low) in enumerate(zip(record["score_names"], known, strict=True)):
        if name in score_names("circuits") and low is not None and record["score"][index] < low - ROUNDING_NS:
            yield f"score[{index}]", record["score"][index], f"at least {low}, a bound by formula"


def _formula_ns(record: dict[str, Any], design: Design, source: dict[str, Any]) -> int:
    hybrid = optical_of(design.network)
    messages = workload_from(record["workload"]).message_list()
    tree = tree_in(hybrid)
    if source["placement"] == "free" or tree is None:
        return free_bound_ns(hybrid, messages, source["circuits"], design.network.site)
    return formula_bound_ns(tree, messages, source["circuits"], design.assignment[1])
