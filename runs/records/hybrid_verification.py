"""Every time of a record of a hybrid network, recomputed by the reference alone; bounds by their own formulas."""

from collections.abc import Iterator, Mapping
from typing import Any

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid.free_bound import free_bound_ns
from isoplane.objectives.reference.fluid_times import reference_times
from isoplane.search.programs import FORMULA, formula_bound_ns

from .workloads import workload_from

Triple = tuple[str, object, object]

ROUNDING_NS = 1  # of busy times: both sides add up doubles in their own order, and then round to whole ns
BUSY = ("bottleneck_ns", "total_ns")


def hybrid_numbers(record: dict[str, Any], design: Design) -> Iterator[Triple]:
    """Yield fields as they are and as they should be: metrics as below, the score exactly as its metrics."""
    yield from hybrid_metric_triples(record["metrics"], design, workload_from(record["workload"]))
    for index, name in enumerate(record["score_names"]):
        yield f"score[{index}]", record["score"][index], record["metrics"][f"{name}_ns"]


def hybrid_metric_triples(metrics: Mapping[str, Any], design: Design, workload: Workload) -> Iterator[Triple]:
    """Yield the metrics of a design as they are and as they should be: busy times to 1 ns, completions exactly.

    Older records have neither the shortest nor the longest run: their completions are those of one run, in doubles,
    which is not what is recomputed. So all that they lack differs.
    """
    for name, value in _recomputed(design, workload).items():
        recorded, room = metrics.get(name), ROUNDING_NS if name in BUSY else 0
        agrees = recorded is not None and value - room <= recorded <= value + room
        yield f"metrics.{name}", recorded, recorded if agrees else round(value) if name.endswith("_ns") else value


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
        return free_bound_ns(design.network.hybrid, messages, source["circuits"])
    return formula_bound_ns(design.network.hybrid, messages, source["circuits"], design.assigned[1])


def _recomputed(design: Design, workload: Workload) -> dict[str, float]:
    messages = workload.message_list()
    circuits, placement = design.assigned
    first, second = (
        reference_times(design.network.hybrid, messages, circuits, placement, relay)
        for relay in ("messages", "packets")
    )
    return {
        "circuits": len(circuits),
        "completion_ns": first.completion,
        "completion_min_ns": first.completion_min,
        "completion_max_ns": first.completion_max,
        "completion_by_packets_ns": second.completion,
        "completion_by_packets_min_ns": second.completion_min,
        "completion_by_packets_max_ns": second.completion_max,
        "bottleneck_ns": first.bottleneck,
        "total_ns": first.total,
        "heaviest_load_bytes": first.heaviest_load_bytes,
        "mean_hops": first.hops / messages.messages,
    }
