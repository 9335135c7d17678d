"""Every time of a record of a hybrid network, recomputed by the reference alone; bounds by their own formulas."""

from collections.abc import Iterator, Mapping
from typing import Any

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid.free_bound import free_bound_ns
from isoplane.objectives.reference.fluid_times import reference_times
from isoplane.search.programs import FORMULA, formula_bound_ns

from .hybrid import workload_from

Triple = tuple[str, object, object]

ROUNDING_NS = 1  # both sides add up doubles in their own order, and then round to whole ns


def hybrid_numbers(record: dict[str, Any], design: Design) -> Iterator[Triple]:
    """Yield fields as they are and as they should be: times to 1 ns, the score exactly as its metrics."""
    yield from hybrid_metric_triples(record["metrics"], design, workload_from(record["workload"]))
    for index, name in enumerate(record["score_names"]):
        yield f"score[{index}]", record["score"][index], record["metrics"][f"{name}_ns"]


def hybrid_metric_triples(metrics: Mapping[str, Any], design: Design, workload: Workload) -> Iterator[Triple]:
    """Yield the metrics of a design as they are and as they should be: times to 1 ns."""
    for name, value in _recomputed(design, workload).items():
        yield _near(f"metrics.{name}", metrics[name], value)


def bound_triples(record: dict[str, Any], design: Design) -> Iterator[Triple]:
    """Yield what contradicts the formulas of bounds: a bound of theirs that is higher, or a score below it.

    A bound that a program proved can be as high as the score, which is checked for all bounds.
    """
    source = record.get("bound_source")
    if source is None:
        return
    if len(record["circuits"]) > source["circuits"]:
        yield "bound_source.circuits", source["circuits"], f"at least {len(record['circuits'])}, the circuits there are"
        return
    known = _formula_ns(record, design, source)
    for index, (name, low) in enumerate(zip(record["score_names"], record["bound"], strict=True)):
        most = None if name == "total" else known
        if source["by"] == FORMULA and low is not None and (most is None or low > most):
            yield f"bound[{index}]", low, "null, for no formula bounds it" if most is None else f"at most {most}"
        if most is not None and record["score"][index] < most - ROUNDING_NS:
            yield f"score[{index}]", record["score"][index], f"at least {most}, a bound by formula"


def _formula_ns(record: dict[str, Any], design: Design, source: dict[str, Any]) -> int:
    messages = workload_from(record["workload"]).message_list()
    if source["placement"] == "free":
        return free_bound_ns(design.hybrid, messages, source["circuits"])
    return formula_bound_ns(design.hybrid, messages, source["circuits"], design.assigned[1])


def _recomputed(design: Design, workload: Workload) -> dict[str, float]:
    messages = workload.message_list()
    circuits, placement = design.assigned
    first, second = (
        reference_times(design.hybrid, messages, circuits, placement, relay) for relay in ("messages", "packets")
    )
    return {
        "circuits": len(circuits),
        "completion_ns": first.completion,
        "completion_by_packets_ns": second.completion,
        "bottleneck_ns": first.bottleneck,
        "total_ns": first.total,
        "heaviest_load_bytes": first.heaviest_load_bytes,
        "mean_hops": first.hops / messages.messages,
    }


def _near(field: str, recorded: Any, value: float) -> Triple:
    """Return a triple that differs only where the recorded value is farther off than rounding explains."""
    exact = not field.endswith("_ns")
    if recorded == value or (not exact and abs(recorded - value) <= ROUNDING_NS):
        return field, recorded, recorded
    return field, recorded, value if exact else round(value)
